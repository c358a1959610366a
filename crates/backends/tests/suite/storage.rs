//! What a context begins with: cookies, local storage, scripts that run before the pages' own.

use engine::backend::{Cookie, OriginStorage, SameSite, StorageItem};
use engine::context::StorageState;
use engine::page::{Page, WaitUntil};

use crate::case::{Given, cases, until, usual, value};

async fn go(t: &Given, page: &Page, url: &str) {
    page.navigate(url, WaitUntil::Load, &t.scope()).await.unwrap();
}

fn cookie(name: &str, value: &str, domain: &str) -> Cookie {
    Cookie {
        name: name.to_owned(),
        value: value.to_owned(),
        domain: domain.to_owned(),
        path: "/".to_owned(),
        expires: -1.0,
        http_only: false,
        secure: false,
        same_site: SameSite::Lax,
    }
}

fn stored(origin: &str, name: &str, value: &str) -> OriginStorage {
    let item = StorageItem { name: name.to_owned(), value: value.to_owned() };
    OriginStorage { origin: origin.to_owned(), local_storage: vec![item] }
}

fn origin(url: &str) -> String {
    url.trim_end_matches('/').to_owned()
}

cases! {
    "cookies to begin with" => |t| {
        let state = StorageState { cookies: vec![cookie("a", "1", "127.0.0.1"), cookie("b", "2", "localhost")], origins: Vec::new() };
        let (_, page) = t.another(usual(), Some(state)).await;
        go(t, &page, &t.site.url("/cookie")).await;
        assert_eq!(value(&page, "document.body.innerText.trim()").await, "a=1");
        go(t, &page, &t.site.url_on("localhost", "/cookie")).await;
        assert_eq!(value(&page, "document.body.innerText.trim()").await, "b=2");
    }
    "every field of a cookie is kept" => |t| {
        let given = Cookie { expires: 4_000_000_000.0, http_only: true, same_site: SameSite::Strict, path: "/sub".to_owned(), ..cookie("full", "v", "127.0.0.1") };
        t.context.backend().set_cookies(vec![given.clone()]).await.unwrap();
        let kept = t.context.backend().cookies(&[]).await.unwrap();
        let kept = kept.iter().find(|cookie| cookie.name == "full").unwrap();
        assert_eq!((&kept.value, &kept.path, kept.http_only, kept.same_site), (&given.value, &given.path, true, SameSite::Strict));
        assert!(kept.expires > 0.0 && kept.domain.contains("127.0.0.1"), "{kept:?}");
    }
    "cookies of one address, and none after clearing" => |t| {
        let both = vec![cookie("a", "1", "127.0.0.1"), cookie("b", "2", "localhost")];
        t.context.backend().set_cookies(both).await.unwrap();
        let here = t.context.backend().cookies(&[t.site.url("/")]).await.unwrap();
        assert_eq!(here.iter().map(|cookie| cookie.name.as_str()).collect::<Vec<_>>(), ["a"]);
        t.context.backend().clear_cookies().await.unwrap();
        assert!(t.context.backend().cookies(&[]).await.unwrap().is_empty());
    }
    "storage of two origins to begin with" => |t| {
        let (here, there) = (origin(&t.site.url("")), origin(&t.site.url_on("localhost", "")));
        let state = StorageState { cookies: Vec::new(), origins: vec![stored(&here, "k", "here"), stored(&there, "k", "there \"é\"")] };
        let (_, page) = t.another(usual(), Some(state)).await;
        go(t, &page, &t.site.url("/empty")).await;
        assert_eq!(value(&page, "localStorage.k").await, "here");
        go(t, &page, &t.site.url_on("localhost", "/empty")).await;
        assert_eq!(value(&page, "localStorage.k").await, "there \"é\"");
    }
    "storage to begin with is there before the page's first script" => |t| {
        t.site.page("/", "<script>document.title = localStorage.k</script>");
        let state = StorageState { cookies: Vec::new(), origins: vec![stored(&origin(&t.site.url("")), "k", "early")] };
        let (_, page) = t.another(usual(), Some(state)).await;
        go(t, &page, &t.site.url("/")).await;
        assert_eq!(value(&page, "document.title").await, "early");
    }
    "storage that the page cleared stays cleared" => |t| {
        let state = StorageState { cookies: Vec::new(), origins: vec![stored(&origin(&t.site.url("")), "k", "once")] };
        let (context, page) = t.another(usual(), Some(state)).await;
        go(t, &page, &t.site.url("/empty")).await;
        value(&page, "localStorage.clear()").await;
        page.reload(WaitUntil::Load, &t.scope()).await.unwrap();
        assert_eq!(value(&page, "localStorage.length").await, 0);
        let second = context.new_page(&t.scope()).await.unwrap();
        go(t, &second, &t.site.url("/empty")).await;
        assert_eq!(value(&second, "localStorage.length").await, 0);
    }
    "an init script runs before the page's own, in every document" => |t| {
        t.context.backend().add_init_script("window.early = (window.early || 0) + 1".to_owned()).await.unwrap();
        t.show("<script>document.title = 'early ' + window.early</script><iframe id=f srcdoc='<p id=p>x</p>'></iframe>").await;
        assert_eq!(t.value("document.title").await, "early 1");
        assert_eq!(t.of("frameLocator('#f').locator('#p')", "() => window.early").await.unwrap(), 1);
        t.open("/empty").await;
        assert_eq!(t.value("window.early").await, 1);
    }
    "an init script runs in popups and in tabs that come later" => |t| {
        t.context.backend().add_init_script("window.early = 'yes'".to_owned()).await.unwrap();
        t.site.page("/popup", "<script>document.title = window.early</script>");
        t.show("").await;
        let popup = t.popup("window.open('/popup') && 0").await;
        until(&popup, "document.title === 'yes'").await;
        let tab = t.context.new_page(&t.scope()).await.unwrap();
        go(t, &tab, &t.site.url("/popup")).await;
        assert_eq!(value(&tab, "document.title").await, "yes");
    }
    "init scripts run in the order in which they were given" => |t| {
        for number in 1..=3 {
            t.context.backend().add_init_script(format!("window.order = (window.order || '') + {number}")).await.unwrap();
        }
        t.open("/empty").await;
        assert_eq!(t.value("window.order").await, "123");
    }
    "an init script that throws breaks nothing" => |t| {
        t.context.backend().add_init_script("throw new Error('init')".to_owned()).await.unwrap();
        t.show("<p>x</p>").await;
        assert_eq!(t.count("p").await.total, 1);
    }
}
