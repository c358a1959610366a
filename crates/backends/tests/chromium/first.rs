//! Everything once.

use engine::backend::*;
use serde_json::json;

use crate::site::{Site, html};
use crate::tab::*;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_page_is_opened_asked_clicked_pictured_and_closed() {
    with_browser(async |browser| {
        let site = Site::start().await;
        site.at("/", html("<title>hi</title><button style='position:absolute;left:0;top:0;width:100px;height:50px' onclick='this.textContent=\"done\"'>go</button>"));
        let (room, mut tab) = tab(&browser).await;
        assert_eq!(tab.evaluate("document.title").await, json!(""));
        assert_eq!(tab.count(&tab.main, "button").await.unwrap(), json!(0));
        tab.go(&site.url("/")).await;
        assert_eq!(tab.evaluate("document.title").await, json!("hi"));
        assert_eq!(tab.evaluate("[innerWidth, innerHeight, devicePixelRatio]").await, json!([1280, 720, 1]));
        assert_eq!(tab.count(&tab.main, "button").await.unwrap(), json!(1));
        tab.click(20.0, 20.0).await;
        assert_eq!(tab.evaluate("document.querySelector('button').textContent").await, json!("done"));
        let shot = Shot { part: None, scale: None, format: PictureFormat::Png, transparent: false };
        let picture = tab.page.picture(shot).await.unwrap();
        assert_eq!(&picture.bytes[..8], b"\x89PNG\r\n\x1a\n");
        room.context.close().await.unwrap();
        assert_eq!(tab.rest().await.last(), Some(&PageEvent::Closed));
    })
    .await;
}
