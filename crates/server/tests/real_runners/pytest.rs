use crate::case::{Case, Failing};

const FILES: &[(&str, &str)] = &[
    (
        "tests/test_cart.py",
        "import os\n\ndef test_adds():\n    open(os.environ['RAN'] + '/adds', 'w').close()\n",
    ),
    (
        "tests/test_price.py",
        "import os\n\ndef test_rounds():\n    open(os.environ['RAN'] + '/rounds', 'w').close()\n    assert 2 == 3, 'off by one'\n",
    ),
    (
        "-dash_test.py",
        "import os\n\ndef test_dashes():\n    open(os.environ['RAN'] + '/dashes', 'w').close()\n",
    ),
];

#[test]
fn pytest_runs_for_real_in_every_scope() {
    Case {
        runner: "pytest",
        files: FILES,
        npm: false,
        passing: "tests/test_cart.py",
        failing: Failing {
            test: "tests/test_price.py::test_rounds",
            file: "tests/test_price.py",
            line: 5,
            message: "off by one",
        },
        dashed: Some("-dash_test.py"),
    }
    .holds();
}
