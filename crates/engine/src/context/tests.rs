use std::time::Duration;

use base::scope::Activity;
use tokio_util::sync::CancellationToken;

use super::*;
use crate::backend::{DownloadState, PageEvent};
use crate::fake::{FakeBrowser, FakeContext};

fn scope() -> CallScope {
    let deadline = Deadline::after(Duration::from_secs(10));
    CallScope::new(deadline, CancellationToken::new(), Activity::default())
}

async fn open() -> (Arc<FakeContext>, Context) {
    let browser = FakeBrowser::start();
    let context = Context::open(&*browser, ContextOptions::default(), None).await.unwrap();
    (browser.contexts().remove(0), context)
}

/// Lets the pumps take note of what was sent.
async fn noted<T>(mut look: impl FnMut() -> Option<T>) -> T {
    tokio::time::timeout(Duration::from_secs(10), async {
        loop {
            if let Some(seen) = look() {
                return seen;
            }
            tokio::task::yield_now().await;
        }
    })
    .await
    .unwrap()
}

#[tokio::test]
async fn the_first_need_opens_a_tab_and_the_next_finds_it() {
    let (_, context) = open().await;
    assert!(context.current().is_none());
    let page = context.page(&scope()).await.unwrap();
    assert_eq!(context.page(&scope()).await.unwrap().id(), page.id());
    assert_eq!(context.pages().len(), 1);
}

#[tokio::test]
async fn a_popup_is_followed_in_the_background_and_told() {
    let (fake, context) = open().await;
    let page = context.page(&scope()).await.unwrap();
    let before = context.moment();
    fake.pop_up(&fake.pages()[0]);
    let opened = noted(|| context.since(&before).opened.pop()).await;
    assert_eq!(opened.opener(), Some(page.id()));
    assert_eq!(context.current().unwrap().id(), page.id());
    assert!(context.select(1, &scope()).await.unwrap().is_some());
    assert_eq!(context.current().unwrap().id(), opened.id());
    assert!(context.select(2, &scope()).await.unwrap().is_none());
}

#[tokio::test]
async fn when_the_tab_in_front_closes_its_opener_comes_to_the_front() {
    let (fake, context) = open().await;
    let first = context.page(&scope()).await.unwrap();
    context.new_page(&scope()).await.unwrap();
    let popup = fake.pop_up(&fake.pages()[0]);
    noted(|| (context.pages().len() == 3).then_some(())).await;
    context.select(2, &scope()).await.unwrap();
    popup.happen(PageEvent::Closed);
    noted(|| (context.pages().len() == 2).then_some(())).await;
    assert_eq!(context.current().unwrap().id(), first.id());
    assert!(context.close_page(None, &scope()).await.unwrap());
    assert_eq!(context.pages().len(), 1);
    assert!(!context.close_page(Some(7), &scope()).await.unwrap());
}

#[tokio::test]
async fn a_download_is_told_when_it_begins_and_when_it_ends() {
    let (fake, context) = open().await;
    let state = |state| {
        ContextEvent::Download(Download {
            id: "d".into(),
            page: None,
            url: "http://host/d".to_owned(),
            suggested_name: "d.txt".to_owned(),
            state,
        })
    };
    let start = context.moment();
    fake.happen(state(DownloadState::Running { received: 0, total: None }));
    noted(|| context.since(&start).downloads.pop()).await;
    let running = context.moment();
    fake.happen(state(DownloadState::Running { received: 9, total: None }));
    fake.happen(state(DownloadState::Failed("cancelled".to_owned())));
    let told = noted(|| context.since(&running).downloads.pop()).await;
    assert_eq!(told.state, DownloadState::Failed("cancelled".to_owned()));
    assert_eq!(context.downloads().len(), 1);
}

#[tokio::test]
async fn a_closed_context_has_no_tabs() {
    let (fake, context) = open().await;
    context.page(&scope()).await.unwrap();
    context.close(scope().deadline()).await;
    assert!(fake.is_closed());
    noted(|| context.pages().is_empty().then_some(())).await;
    assert!(context.page(&scope()).await.is_err());
}
