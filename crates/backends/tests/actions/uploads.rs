//! Files for inputs and for choosers.

use engine::Failed;
use serde_json::json;

use crate::stage::{on_stage, scope, target};

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn files_reach_inputs_however_they_are_hidden() {
    on_stage(async |stage| {
        let folder = tempfile::tempdir().unwrap();
        let paths = ["a.txt", "b.txt"].map(|name| folder.path().join(name));
        for path in &paths {
            std::fs::write(path, "hello").unwrap();
        }
        let names = "Array.from(document.querySelector('input').files, file => file.name)";
        for html in [
            "<input id=b type=file multiple>",
            "<label id=b>Upload<input type=file multiple hidden></label>",
            "<div id=b><button>Upload</button><input type=file multiple style='display:none'></div>",
        ] {
            stage.show(html).await;
            stage.page.upload(Some(&target("#b")), paths.to_vec(), &scope()).await.unwrap();
            assert_eq!(stage.value(names).await, json!(["a.txt", "b.txt"]), "{html}");
        }
        stage.show("<input id=b type=file>").await;
        let refused = stage.page.upload(Some(&target("#b")), paths.to_vec(), &scope()).await;
        assert!(
            matches!(&refused, Err(Failed::Unfit { why, .. }) if why == "takes one file, not 2"),
            "{refused:?}"
        );
        let refused = stage.page.upload(Some(&target("#b")), vec![folder.path().to_owned()], &scope()).await;
        assert!(
            matches!(&refused, Err(Failed::Unfit { why, .. }) if why.ends_with("is a directory")),
            "{refused:?}"
        );
        stage.show("<button id=b>Upload</button>").await;
        let refused = stage.page.upload(Some(&target("#b")), paths.to_vec(), &scope()).await;
        assert!(
            matches!(&refused, Err(Failed::Unfit { why, .. }) if why.contains("upload without a target")),
            "{refused:?}"
        );
    })
    .await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_open_chooser_is_answered_or_cancelled() {
    on_stage(async |stage| {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.txt");
        std::fs::write(&path, "hello").unwrap();
        stage.show("<button id=b>Upload</button><script>window.heard = []; b.onclick = () => { const input = document.createElement('input'); input.type = 'file'; input.onchange = () => heard.push(input.files[0].name); input.oncancel = () => heard.push('cancel'); input.click() }</script>").await;
        let none = stage.page.upload(None, vec![path.clone()], &scope()).await;
        assert!(matches!(&none, Err(Failed::Unfit { why, .. }) if why.starts_with("has no open file chooser")), "{none:?}");
        assert!(stage.click("#b").await.1.chooser);
        stage.page.upload(None, vec![path], &scope()).await.unwrap();
        assert!(stage.click("#b").await.1.chooser);
        stage.page.upload(None, Vec::new(), &scope()).await.unwrap();
        assert_eq!(stage.value("heard").await, json!(["a.txt", "cancel"]));
    })
    .await;
}
