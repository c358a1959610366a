//! A Chromium over its debugging pipe: just enough to run the injected script in real documents.
//!
//! The engine knows no protocol, and its script is tested without the back ends. The shell only moves the pipe's ends to
//! the descriptors where the browser looks for them, and becomes the browser.

use std::io::{BufRead as _, BufReader, Write as _};
use std::path::Path;
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{self, Receiver};
use std::time::Duration;

use serde_json::{Value, json};

const LIMIT: Duration = Duration::from_secs(60);

const BINARIES: &[&str] = &[
    "/usr/lib/chromium/chromium-headless-shell",
    "/usr/bin/chromium-headless-shell",
    "/usr/bin/chromium",
    "/usr/bin/google-chrome",
];

pub(crate) struct Chromium {
    child: Child,
    requests: ChildStdin,
    answers: Receiver<Value>,
    last_id: u64,
    session: Option<String>,
    _profile: tempfile::TempDir,
}

impl Chromium {
    /// A browser with one page, in which the injected script is `window.injected`.
    pub(crate) fn launch() -> Self {
        let binary = BINARIES
            .iter()
            .find(|path| Path::new(path).exists())
            .expect("a Chromium is installed (Debian: apt-get install chromium-headless-shell)");
        let profile = tempfile::tempdir().unwrap();
        let mut child = Command::new("sh")
            .args(["-c", r#"exec "$0" "$@" 3<&0 4>&1 </dev/null >/dev/null 2>&1"#, binary])
            .args(["--headless", "--remote-debugging-pipe", "--no-sandbox", "--no-first-run", "--mute-audio"])
            .args([
                "--disable-background-networking",
                "--disable-dev-shm-usage",
                "--force-device-scale-factor=1",
                "--disable-features=DeferRendererTasksAfterInput",
            ])
            .arg(format!("--user-data-dir={}", profile.path().display()))
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let requests = child.stdin.take().unwrap();
        let mut output = BufReader::new(child.stdout.take().unwrap());
        let (sender, answers) = mpsc::channel();
        std::thread::spawn(move || {
            let mut message = Vec::new();
            while output.read_until(0, &mut message).is_ok_and(|read| read > 0) {
                let text = message.strip_suffix(b"\0").unwrap_or(&message);
                let Ok(value) = serde_json::from_slice::<Value>(text) else { break };
                if value.get("id").is_some() && sender.send(value).is_err() {
                    break;
                }
                message.clear();
            }
        });
        let mut browser = Self { child, requests, answers, last_id: 0, session: None, _profile: profile };
        let target = browser.call("Target.createTarget", &json!({"url": "about:blank"}));
        let attached =
            browser.call("Target.attachToTarget", &json!({"targetId": target["targetId"], "flatten": true}));
        browser.session = Some(attached["sessionId"].as_str().unwrap().to_owned());
        browser.call("Accessibility.enable", &json!({}));
        browser.evaluate(&format!("window.injected = {}; 0", engine::injected::script()));
        browser
    }

    /// The result of a protocol call; an error fails the test.
    pub(crate) fn call(&mut self, method: &str, params: &Value) -> Value {
        self.last_id += 1;
        let mut request = json!({"id": self.last_id, "method": method, "params": params});
        if let Some(session) = &self.session {
            request["sessionId"] = json!(session);
        }
        let mut bytes = serde_json::to_vec(&request).unwrap();
        bytes.push(0);
        self.requests.write_all(&bytes).unwrap();
        let mut answer = self.answers.recv_timeout(LIMIT).expect("an answer in time");
        assert_eq!(answer["id"], self.last_id, "answers come in order");
        assert!(answer.get("error").is_none(), "{method}: {}", answer["error"]);
        answer["result"].take()
    }

    /// The value of an expression, by value.
    pub(crate) fn evaluate(&mut self, expression: &str) -> Value {
        let mut result = self.call(
            "Runtime.evaluate",
            &json!({"expression": expression, "returnByValue": true, "awaitPromise": true}),
        );
        let failure = &result["exceptionDetails"];
        assert!(failure.is_null(), "{}", failure["exception"]["description"]);
        result["result"]["value"].take()
    }

    /// Makes `html` the document. It goes through the parser, so that shadow roots can be declared and scripts run
    /// (a script that sets `innerHTML` makes Chromium refuse shadow roots in the documents after it).
    pub(crate) fn load(&mut self, html: &str) {
        let html = serde_json::to_string(html).unwrap();
        self.evaluate(&format!(
            "document.open(); document.write('<!doctype html>' + {html}); document.close();"
        ));
    }

    /// What the browser's own accessibility tree says about the element that `expression` gives.
    pub(crate) fn accessibility_node(&mut self, expression: &str) -> Value {
        let object = self.call("Runtime.evaluate", &json!({"expression": expression}));
        let id = object["result"]["objectId"].as_str().expect("an element is marked");
        let mut tree =
            self.call("Accessibility.getPartialAXTree", &json!({"objectId": id, "fetchRelatives": false}));
        tree["nodes"][0].take()
    }
}

impl Drop for Chromium {
    fn drop(&mut self) {
        drop(self.child.kill());
        drop(self.child.wait());
    }
}
