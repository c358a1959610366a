//! What the way into the browser opens, and how it is refused where that is closed.

use engine::backend::{BackendError, Capabilities, ContextOptions, Viewport};
use serde_json::json;

use crate::stage::{scope, stage, with_browser};

const PHONE: Viewport = Viewport { width: 390, height: 800, scale: 2.0, mobile: true };

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_colour_scheme_and_a_phone_work_with_system_access() {
    with_browser(
        |options| options.system_access = true,
        async |browser| {
            assert_eq!(browser.capabilities(), Capabilities { real_drag: false, ..Capabilities::ALL });
            let dark = ContextOptions { color_scheme: Some("dark".to_owned()), ..ContextOptions::default() };
            let dark = stage(&browser, dark).await;
            dark.show("<p>x</p>").await;
            let is_dark = "matchMedia('(prefers-color-scheme: dark)').matches";
            assert_eq!(dark.value(is_dark).await, true);

            let phone = ContextOptions { viewport: Some(PHONE), ..ContextOptions::default() };
            let phone = stage(&browser, phone).await;
            let told = "[innerWidth, devicePixelRatio, 'ontouchstart' in window, navigator.maxTouchPoints, matchMedia('(pointer: coarse)').matches]";
            phone.show("<meta name=viewport content='width=device-width'><p>x</p>").await;
            assert_eq!(phone.value(told).await, json!([390, 2, true, 1, true]));
            phone.show("<p>made for a desk</p>").await;
            assert_eq!(phone.value("innerWidth").await, 980);

            let plain = stage(&browser, ContextOptions::default()).await;
            plain.show("<p>x</p>").await;
            assert_eq!(plain.value(is_dark).await, false);
            assert_eq!(plain.value("'ontouchstart' in window").await, false);
            plain.page.resize(PHONE, &scope()).await.unwrap();
            plain.show("<meta name=viewport content='width=device-width'><p>x</p>").await;
            assert_eq!(plain.value(told).await, json!([390, 2, true, 1, true]));
        },
    )
    .await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn without_system_access_both_are_refused_in_words() {
    with_browser(
        |_| (),
        async |browser| {
            let dark = ContextOptions { color_scheme: Some("dark".to_owned()), ..ContextOptions::default() };
            let phone = ContextOptions { viewport: Some(PHONE), ..ContextOptions::default() };
            for options in [dark, phone] {
                let refused = browser.new_context(options).await.unwrap_err();
                let BackendError::Unsupported { instead, .. } = refused else { panic!("{refused:?}") };
                assert!(instead.contains("--firefox-system-access"), "{instead}");
            }
            let plain = stage(&browser, ContextOptions::default()).await;
            let refused = plain.page.resize(PHONE, &scope()).await.unwrap_err();
            assert!(refused.to_string().contains("--firefox-system-access"), "{refused}");
        },
    )
    .await;
}
