//! Ways to run it: with a window, behind a proxy; and pages on paper.

use std::io::{Read as _, Write as _};
use std::net::TcpListener;

use engine::backend::{ContextOptions, Proxy};
use engine::page::WaitUntil;
use testkit::Display;

use crate::stage::{on_stage, scope, stage, with_browser};

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_page_is_printed() {
    on_stage(async |stage| {
        stage.show("<h1>On paper</h1>").await;
        let pdf = stage.raw.pdf().await.unwrap();
        assert!(pdf.starts_with(b"%PDF-") && pdf.len() > 1000, "{} bytes", pdf.len());
    })
    .await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn it_has_a_window_where_there_is_a_display() {
    let display = Display::start().unwrap();
    with_browser(
        |options| {
            options.headless = false;
            options.args = vec!["--display".into(), display.name().into()];
        },
        async |browser| {
            assert!(browser.identity().headed);
            let stage = stage(&browser, ContextOptions::default()).await;
            stage.show("<button id=b onclick='this.textContent = 7'>b</button>").await;
            stage
                .page
                .click(&crate::stage::target("#b"), &engine::action::Click::default(), &scope())
                .await
                .unwrap();
            assert_eq!(stage.value("document.querySelector('#b').textContent").await, "7");
            stage.raw.bring_to_front().await.unwrap();
        },
    )
    .await;
}

/// A proxy that answers everything itself.
fn proxy() -> String {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = format!("http://{}", listener.local_addr().unwrap());
    std::thread::spawn(move || {
        for mut stream in listener.incoming().flatten() {
            std::thread::spawn(move || {
                let mut asked = [0; 4096];
                let length = stream.read(&mut asked).unwrap_or_default();
                let line =
                    String::from_utf8_lossy(&asked[..length]).lines().next().unwrap_or_default().to_owned();
                let body = format!("<p id=p>{line}</p>");
                let _ = write!(
                    stream,
                    "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: {}\r\nConnection: close\r\n\r\n{body}",
                    body.len()
                );
            });
        }
    });
    address
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_session_has_a_proxy_of_its_own() {
    let address = proxy();
    with_browser(
        |_| (),
        async |browser| {
            let proxy = Proxy { address: address.clone(), loopback_direct: false };
            let behind = ContextOptions { proxy: Some(proxy), ..ContextOptions::default() };
            let behind = stage(&browser, behind).await;
            for url in ["http://nowhere.invalid/a", "http://127.0.0.1:9/b", "http://localhost:9/c"] {
                behind.page.navigate(url, WaitUntil::Load, &scope()).await.unwrap();
                assert_eq!(
                    behind.value("document.querySelector('#p').textContent").await,
                    format!("GET {url} HTTP/1.1")
                );
            }
            let direct = stage(&browser, ContextOptions::default()).await;
            direct.show("<p id=p>direct</p>").await;
            assert_eq!(direct.value("document.querySelector('#p').textContent").await, "direct");
        },
    )
    .await;
}
