//! Pictures, prints and sizes.

use engine::backend::*;
use serde_json::json;

use crate::site::{Site, html};
use crate::tab::*;

const PNG: Shot = Shot { part: None, scale: None, format: PictureFormat::Png, transparent: false };

/// Width and height of a PNG (section 11.2.2, IHDR).
fn size(picture: &Picture) -> (u32, u32) {
    let number = |at: usize| u32::from_be_bytes(picture.bytes[at..at + 4].try_into().unwrap());
    (number(16), number(20))
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_picture_has_the_part_the_size_and_the_format_that_were_asked_for() {
    with_browser(async |browser| {
        let site = Site::start().await;
        site.at("/", html("<body style='margin:0;width:1000px;height:3000px'><script>sizes = 0; onresize = () => sizes++</script>"));
        let options = ContextOptions {
            viewport: Some(Viewport { width: 400, height: 300, scale: 2.0, mobile: false }),
            ..ContextOptions::default()
        };
        let room = Room::open(&browser, options).await;
        let mut tab = room.tab().await;
        tab.go(&site.url("/")).await;
        let take = async |shot: Shot| in_time(tab.page.picture(shot)).await.unwrap();
        assert_eq!(size(&take(PNG).await), (800, 600));
        assert_eq!(size(&take(Shot { scale: Some(1.0), ..PNG }).await), (400, 300));
        let part = Some(Rect { x: 10.0, y: 20.0, width: 50.0, height: 60.0 });
        assert_eq!(size(&take(Shot { part, ..PNG }).await), (100, 120));
        assert_eq!(tab.evaluate("sizes").await, json!(0), "the page notices nothing");
        let part = Some(Rect { x: 0.0, y: 0.0, width: 1000.0, height: 3000.0 });
        assert_eq!(size(&take(Shot { part, scale: Some(1.0), ..PNG }).await), (1000, 3000));
        let jpeg = take(Shot { format: PictureFormat::Jpeg(50), ..PNG }).await;
        assert_eq!(&jpeg.bytes[..3], b"\xff\xd8\xff");
        let plain = take(PNG).await;
        assert_ne!(take(Shot { transparent: true, ..PNG }).await, plain);
        assert_eq!(take(PNG).await, plain, "the ground is white again");
        tab.page.set_viewport(Viewport { width: 500, height: 400, scale: 1.0, mobile: true }).await.unwrap();
        tab.go(&site.url("/")).await;
        assert_eq!(tab.evaluate("[screen.width, devicePixelRatio, 'ontouchstart' in window]").await, json!([500, 1, true]));
        let pdf = in_time(tab.page.pdf()).await.unwrap();
        assert_eq!(&pdf[..5], b"%PDF-");
        in_time(tab.page.bring_to_front()).await.unwrap();
    })
    .await;
}
