//! Files for inputs and for choosers.

use engine::Failed;
use serde_json::json;

use crate::case::{at, cases};

cases! {
    "files reach inputs however they are hidden" => |t| {
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
            t.show(html).await;
            t.page.upload(Some(&at("#b")), paths.to_vec(), &t.scope()).await.unwrap();
            assert_eq!(t.value(names).await, json!(["a.txt", "b.txt"]), "{html}");
        }
        t.show("<input id=b type=file>").await;
        let refused = t.page.upload(Some(&at("#b")), paths.to_vec(), &t.scope()).await;
        assert!(
            matches!(&refused, Err(Failed::Unfit { why, .. }) if why == "takes one file, not 2"),
            "{refused:?}"
        );
        let refused = t.page.upload(Some(&at("#b")), vec![folder.path().to_owned()], &t.scope()).await;
        assert!(
            matches!(&refused, Err(Failed::Unfit { why, .. }) if why.ends_with("is a directory")),
            "{refused:?}"
        );
        t.show("<button id=b>Upload</button>").await;
        let refused = t.page.upload(Some(&at("#b")), paths.to_vec(), &t.scope()).await;
        assert!(
            matches!(&refused, Err(Failed::Unfit { why, .. }) if why.contains("upload without a target")),
            "{refused:?}"
        );
    }
    "an open chooser is answered or cancelled" => |t| {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.txt");
        std::fs::write(&path, "hello").unwrap();
        let hear = "window.heard = []; const hear = input => { input.onchange = () => heard.push(input.files[0].name); input.oncancel = () => heard.push('cancel') }";
        let pages = [
            // In no document, as libraries have it.
            format!("<button id=b>Upload</button><script>{hear}; b.onclick = () => {{ const input = document.createElement('input'); input.type = 'file'; hear(input); input.click() }}</script>"),
            format!("<input id=b type=file><script>{hear}; hear(b)</script>"),
            format!("<label id=b>Upload<input id=i type=file hidden></label><script>{hear}; hear(i)</script>"),
            format!("<button id=b>Upload</button><input id=i type=file hidden><script>{hear}; hear(i); b.onclick = () => i.showPicker()</script>"),
            format!("<x-b><template shadowrootmode=open><input id=b type=file></template></x-b><script>{hear}; hear(document.querySelector('x-b').shadowRoot.querySelector('input'))</script>"),
        ];
        for html in pages {
            t.show(&html).await;
            let none = t.page.upload(None, vec![path.clone()], &t.scope()).await;
            assert!(matches!(&none, Err(Failed::Unfit { why, .. }) if why.starts_with("has no open file chooser")), "{none:?}");
            assert!(t.click("#b").await.1.chooser, "{html}");
            t.page.upload(None, vec![path.clone()], &t.scope()).await.unwrap();
            assert!(t.click("#b").await.1.chooser, "{html}");
            t.page.upload(None, Vec::new(), &t.scope()).await.unwrap();
            assert_eq!(t.value("heard").await, json!(["a.txt", "cancel"]), "{html}");
        }
    }
}
