//! Downloads: what begins one, where its file is, and names that servers must not choose.

use std::path::PathBuf;

use engine::backend::{Download, DownloadState};
use engine::page::WaitUntil;
use testkit::site::Response;

use crate::case::{Given, cases, eventually, ms};

/// Waits until so many downloads have ended, and gives all.
async fn ended(t: &Given, count: usize) -> Vec<Download> {
    let over = |downloads: &Vec<Download>| {
        downloads.iter().filter(|download| !matches!(download.state, DownloadState::Running { .. })).count()
            >= count
    };
    eventually("the end of the downloads", || Some(t.context.downloads()).filter(over)).await
}

/// The file of a complete download.
fn file(download: &Download) -> PathBuf {
    match &download.state {
        DownloadState::Done(path) => path.clone(),
        other => panic!("{}: {other:?}", download.url),
    }
}

/// Downloads a file whose server calls it `name`, and gives where it went.
async fn named(t: &Given, name: &'static str) -> PathBuf {
    t.show("").await;
    t.site.route("/file", move |_| {
        Response::bytes("application/octet-stream", "content")
            .header("Content-Disposition", &format!("attachment; filename=\"{name}\""))
    });
    t.value("location.href = '/file'").await;
    let path = file(&ended(t, 1).await[0]);
    assert_eq!(std::fs::read(&path).unwrap(), b"content");
    assert_eq!(
        path.parent().unwrap().canonicalize().unwrap(),
        t.folder.path().canonicalize().unwrap(),
        "{}",
        path.display()
    );
    path
}

fn name(path: &std::path::Path) -> &str {
    path.file_name().unwrap().to_str().unwrap()
}

cases! {
    "an attachment is a file of its name" => |t| {
        t.show("<h1>Here</h1>").await;
        t.value("location.href = '/download?name=report.txt&bytes=2048'").await;
        let download = ended(t, 1).await.remove(0);
        assert_eq!(download.suggested_name, "report.txt");
        assert_eq!(download.url, t.site.url("/download?name=report.txt&bytes=2048"));
        assert_eq!(name(&file(&download)), "report.txt");
        assert_eq!(std::fs::metadata(file(&download)).unwrap().len(), 2048);
        assert_eq!(t.count("h1").await.total, 1);
    }
    "a link that downloads" => |t| {
        t.site.route("/data", |_| Response::text("data"));
        t.show("<a id=a href='/data' download='chosen.txt'>x</a>").await;
        t.value("document.querySelector('#a').click()").await;
        let path = file(&ended(t, 1).await[0]);
        assert_eq!((name(&path), std::fs::read_to_string(&path).unwrap().as_str()), ("chosen.txt", "data"));
    }
    "a file that a script made" => |t| {
        t.show("").await;
        t.value("const a = document.createElement('a'); a.href = URL.createObjectURL(new Blob(['made here'])); a.download = 'made.txt'; a.click()").await;
        let path = file(&ended(t, 1).await[0]);
        assert_eq!((name(&path), std::fs::read_to_string(&path).unwrap().as_str()), ("made.txt", "made here"));
    }
    "a data: address" => |t| {
        t.show("").await;
        t.value("const a = document.createElement('a'); a.href = 'data:text/plain,inline'; a.download = 'inline.txt'; a.click()").await;
        assert_eq!(std::fs::read_to_string(file(&ended(t, 1).await[0])).unwrap(), "inline");
    }
    "a frame that downloads" => |t| {
        t.show("<iframe src='/download?name=framed.bin'></iframe>").await;
        assert_eq!(name(&file(&ended(t, 1).await[0])), "framed.bin");
    }
    "a navigation of ours that downloads" => |t| {
        let arrival = t.go("/download?name=direct.bin", WaitUntil::Load).await.unwrap();
        assert!(arrival.download);
        assert_eq!(name(&file(&ended(t, 1).await[0])), "direct.bin");
    }
    "a redirect that ends in a download" => |t| {
        t.show("").await;
        t.value("location.href = '/redirect?to=/download?name=far.bin'").await;
        assert_eq!(name(&file(&ended(t, 1).await[0])), "far.bin");
    }
    "the same name twice is two files" => |t| {
        t.show("").await;
        t.value("location.href = '/download?name=same.txt&bytes=10'").await;
        ended(t, 1).await;
        t.value("location.href = '/download?name=same.txt&bytes=20'").await;
        let mut sizes: Vec<u64> = ended(t, 2).await.iter().map(|download| std::fs::metadata(file(download)).unwrap().len()).collect();
        sizes.sort_unstable();
        assert_eq!(sizes, [10, 20]);
    }
    "five at once are five files" => |t| {
        t.show("").await;
        t.value("for (let i = 0; i < 5; i++) { const a = document.createElement('a'); a.href = '/download?name=n' + i + '.bin'; a.download = ''; a.click() }").await;
        let mut names: Vec<String> = ended(t, 5).await.iter().map(|download| name(&file(download)).to_owned()).collect();
        names.sort();
        assert_eq!(names, ["n0.bin", "n1.bin", "n2.bin", "n3.bin", "n4.bin"]);
    }
    "a big file is whole" => |t| {
        t.show("").await;
        t.value("location.href = '/download?name=big.bin&bytes=20000000'").await;
        assert_eq!(std::fs::metadata(file(&ended(t, 1).await[0])).unwrap().len(), 20_000_000);
    }
    "an empty file is a file" => |t| {
        t.show("").await;
        t.value("location.href = '/download?name=empty.bin&bytes=0'").await;
        assert_eq!(std::fs::metadata(file(&ended(t, 1).await[0])).unwrap().len(), 0);
    }
    "a running one is told, and may be cancelled" => |t| {
        t.show("").await;
        t.site.route("/endless", |_| {
            Response::drip("application/octet-stream", vec![0; 1000], ms(20), None).header("Content-Disposition", "attachment; filename=\"endless.bin\"")
        });
        t.value("location.href = '/endless'").await;
        let running = eventually("the download", || t.context.downloads().into_iter().next()).await;
        assert!(matches!(running.state, DownloadState::Running { .. }), "{running:?}");
        t.context.backend().cancel_download(&running.id).await.unwrap();
        assert!(matches!(ended(t, 1).await[0].state, DownloadState::Failed(_)));
        eventually("an empty folder", || (std::fs::read_dir(t.folder.path()).unwrap().count() == 0).then_some(())).await;
    }
    "a name with a way out stays in the folder" => |t| { named(t, "../../../evil.sh").await; }
    "an absolute name stays in the folder" => |t| { named(t, "/etc/passwd").await; }
    "a name of another system stays in the folder" => |t| { named(t, r"..\\..\\evil.exe").await; }
    "a name that would be hidden is not" => |t| {
        assert!(!name(&named(t, ".bashrc").await).starts_with('.'));
    }
    "a name in any script" => |t| {
        t.show("").await;
        t.value("location.href = '/download?name=' + encodeURIComponent('bericht ü 日本.txt')").await;
        assert_eq!(name(&file(&ended(t, 1).await[0])), "bericht ü 日本.txt");
    }
    "a very long name is shortened" => |t| {
        t.show("").await;
        t.value("location.href = '/download?name=' + 'x'.repeat(250) + '.txt'").await;
        assert!(name(&file(&ended(t, 1).await[0])).len() <= 255);
    }
    "what began or ended since a moment is told" => |t| {
        t.show("").await;
        let before = t.context.moment();
        t.value("location.href = '/download?name=a.bin'").await;
        ended(t, 1).await;
        assert_eq!(t.context.since(&before).downloads.len(), 1);
        let after = t.context.moment();
        assert!(t.context.since(&after).downloads.is_empty());
    }
    "each context has its own" => |t| {
        let folder = tempfile::tempdir().unwrap();
        let options = engine::backend::ContextOptions { downloads: Some(folder.path().to_owned()), ..crate::case::usual() };
        let (other, page) = t.another(options, None).await;
        page.navigate(&t.site.url("/download?name=other.bin"), WaitUntil::Load, &t.scope()).await.unwrap();
        eventually("the file", || folder.path().join("other.bin").exists().then_some(())).await;
        assert_eq!(other.downloads().len(), 1);
        assert!(t.context.downloads().is_empty());
    }
    "one that is on its way ends with its context, and nothing of it is left" => |t| {
        t.site.route("/endless", |_| {
            Response::drip("application/octet-stream", vec![0; 1000], ms(20), None).header("Content-Disposition", "attachment; filename=\"endless.bin\"")
        });
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("earlier.bin"), "").unwrap();
        let options = engine::backend::ContextOptions { downloads: Some(folder.path().to_owned()), ..crate::case::usual() };
        let (other, page) = t.another(options, None).await;
        page.navigate(&t.site.url("/endless"), WaitUntil::Load, &t.scope()).await.unwrap();
        let running = eventually("the download", || other.downloads().into_iter().next()).await;
        assert!(matches!(running.state, DownloadState::Running { .. }), "{running:?}");
        other.close(base::Deadline::after(std::time::Duration::from_secs(10))).await;
        let only_the_other = || {
            let names: Vec<_> = std::fs::read_dir(folder.path()).unwrap().flatten().map(|entry| entry.file_name()).collect();
            (names == ["earlier.bin"]).then_some(())
        };
        eventually("nothing of it", only_the_other).await;
    }
    "one that is shorter than announced has failed, and says so" => |t| {
        t.show("").await;
        t.site.route("/short", |_| {
            let whole = Response::bytes("application/octet-stream", vec![7; 100_000]);
            whole.breaking_off(50_000).header("Content-Disposition", "attachment; filename=\"half.bin\"")
        });
        t.value("location.href = '/short'").await;
        let download = ended(t, 1).await.remove(0);
        assert!(matches!(&download.state, DownloadState::Failed(why) if why.contains("broke off")), "{download:?}");
    }
    "one that its server breaks off has failed, and says so" => |t| {
        let attached = |response: Response| response.header("Content-Disposition", "attachment; filename=\"half.bin\"");
        t.show("").await;
        let stream = "application/octet-stream";
        t.site.route("/short", move |_| attached(Response::bytes(stream, vec![7; 100_000]).breaking_off(50_000)));
        t.site.route("/chunks", move |_| attached(Response::drip(stream, vec![7; 50_000], ms(1), Some(3)).breaking_off(1)));
        // A browser could go on with this one from where it broke off.
        t.site.route("/lasting", move |_| {
            attached(Response::bytes(stream, vec![7; 100_000]).breaking_off(50_000).header("ETag", "\"1\"").header("Accept-Ranges", "bytes"))
        });
        for (number, path) in ["/short", "/chunks", "/lasting"].into_iter().enumerate() {
            t.value(&format!("location.href = '{path}'")).await;
            let download = ended(t, number + 1).await.remove(number);
            let DownloadState::Failed(why) = &download.state else { panic!("{path}: {download:?}") };
            assert!(why.contains("broke off"), "{path}: {why}");
        }
        let left: Vec<_> = std::fs::read_dir(t.folder.path()).unwrap().flatten().map(|entry| entry.path()).collect();
        assert!(left.is_empty(), "{left:?}");
    }
}
