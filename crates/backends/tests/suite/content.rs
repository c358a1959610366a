//! What a page holds: source, text, title, counts.

use engine::{ContentKind, Failed};

use crate::case::{Given, at, cases, document, ms, scope_of};

async fn html(t: &Given, target: Option<&str>) -> String {
    t.page.content(target.map(at).as_ref(), ContentKind::Html, &t.scope()).await.unwrap()
}

async fn text(t: &Given, target: Option<&str>) -> String {
    t.page.content(target.map(at).as_ref(), ContentKind::Text, &t.scope()).await.unwrap()
}

cases! {
    "the source is the document as it is now, with its doctype" => |t| {
        t.show("<p id=p>x</p>").await;
        t.value("document.querySelector('#p').textContent = 'changed'").await;
        let source = html(t, None).await;
        assert!(source.starts_with("<!DOCTYPE html>\n<html>"), "{source}");
        assert!(source.contains("<p id=\"p\">changed</p>") && source.ends_with("</html>"), "{source}");
    }
    "an old doctype is told whole" => |t| {
        t.site.page("/", "<!DOCTYPE html PUBLIC \"-//W3C//DTD HTML 4.01//EN\" \"http://www.w3.org/TR/html4/strict.dtd\"><p>x");
        t.open("/").await;
        assert!(html(t, None).await.starts_with("<!DOCTYPE html PUBLIC \"-//W3C//DTD HTML 4.01//EN\""));
    }
    "a document without a doctype has none" => |t| {
        t.site.page("/", "<p>x");
        t.open("/").await;
        assert!(html(t, None).await.starts_with("<html>"));
    }
    "the source of an element is its own" => |t| {
        t.show("<div id=d class=c><b>x</b></div><p>y</p>").await;
        assert_eq!(html(t, Some("#d")).await, "<div id=\"d\" class=\"c\"><b>x</b></div>");
    }
    "the text is what a user sees" => |t| {
        t.show("<h1>Title</h1><p>One <b>two</b>\n   three</p><script>'no'</script><style>p { color: red }</style>").await;
        assert_eq!(text(t, None).await.trim(), "Title\n\nOne two three");
    }
    "hidden text is left out" => |t| {
        t.show("<p>Seen</p><p hidden>hidden</p><p style='display:none'>none</p><p style='visibility:hidden'>invisible</p>").await;
        assert_eq!(text(t, None).await.trim(), "Seen");
    }
    "the text of an element is its own" => |t| {
        t.show("<ul id=u><li>a</li><li>b</li></ul><p>c</p>").await;
        assert_eq!(text(t, Some("#u")).await, "a\nb");
    }
    "text transformed by style is told as it is seen" => |t| {
        t.show("<p id=p style='text-transform:uppercase'>loud</p>").await;
        assert_eq!(text(t, Some("#p")).await, "LOUD");
    }
    "a text area's text is what is in it" => |t| {
        t.show("<textarea id=a>first</textarea>").await;
        t.value("document.querySelector('#a').value = 'typed'").await;
        assert_eq!(text(t, Some("#a")).await, "typed");
    }
    "a field's text is what is in it" => |t| {
        t.show("<input id=i value=start>").await;
        t.value("document.querySelector('#i').value = 'typed'").await;
        assert_eq!(text(t, Some("#i")).await, "typed");
    }
    "a drawing's text is told" => |t| {
        t.show("<svg id=s width=100 height=30><text y=20>Chart</text></svg>").await;
        assert_eq!(text(t, Some("#s")).await.trim(), "Chart");
    }
    "preformatted text keeps its lines" => |t| {
        t.show("<pre id=p>a\n  b\n</pre>").await;
        assert_eq!(text(t, Some("#p")).await.trim_end(), "a\n  b");
    }
    "a table's text has its cells apart" => |t| {
        t.show("<table id=t><tr><td>a</td><td>b</td></tr><tr><td>c</td><td>d</td></tr></table>").await;
        assert_eq!(text(t, Some("#t")).await, "a\tb\nc\td");
    }
    "a ref's text is its element's" => |t| {
        t.show("<button>Go on</button>").await;
        let reference = crate::corpus::ref_of(&t.snapshot().await, "Go on");
        assert_eq!(text(t, Some(&reference)).await, "Go on");
    }
    "content in a frame" => |t| {
        t.show("<iframe id=f srcdoc='<p id=p>In <b>it</b></p>'></iframe>").await;
        assert_eq!(text(t, Some("frameLocator('#f').locator('#p')")).await, "In it");
        assert_eq!(html(t, Some("frameLocator('#f').locator('#p')")).await, "<p id=\"p\">In <b>it</b></p>");
    }
    "an element that is not there is told" => |t| {
        t.show("").await;
        let told = t.page.content(Some(&at("#absent")), ContentKind::Text, &scope_of(ms(2000))).await;
        assert!(matches!(told, Err(Failed::NotFound { .. })), "{told:?}");
    }
    "several elements are refused with them" => |t| {
        t.show("<p>1</p><p>2</p>").await;
        let told = t.page.content(Some(&at("p")), ContentKind::Html, &t.scope()).await;
        assert!(matches!(told, Err(Failed::NotUnique { count: 2, .. })), "{told:?}");
    }
    "a blank page has no text" => |t| {
        assert_eq!(text(t, None).await, "");
        assert!(html(t, None).await.contains("<body>"));
    }
    "a plain text is its own text" => |t| {
        t.site.route("/t", |_| testkit::site::Response::text("just words"));
        t.open("/t").await;
        assert_eq!(text(t, None).await.trim(), "just words");
    }
    "an XML document is told" => |t| {
        t.site.route("/x", |_| testkit::site::Response::bytes("application/xhtml+xml", "<html xmlns='http://www.w3.org/1999/xhtml'><head><title>X</title></head><body><p>strict</p></body></html>"));
        t.open("/x").await;
        assert!(html(t, None).await.contains("<p>strict</p>"));
        assert_eq!(text(t, None).await.trim(), "strict");
    }
    "a drawing as a document is told" => |t| {
        t.site.route("/s", |_| testkit::site::Response::bytes("image/svg+xml", "<svg xmlns='http://www.w3.org/2000/svg'><title>D</title><text y='20'>Drawn</text></svg>"));
        t.open("/s").await;
        assert!(html(t, None).await.contains("Drawn"));
        assert!(text(t, None).await.contains("Drawn"));
    }
    "odd characters come through" => |t| {
        t.show("<p id=p>é 😀 \u{200d} &lt;b&gt; &nbsp;</p>").await;
        assert_eq!(text(t, Some("#p")).await.trim(), "é 😀 \u{200d} <b>");
    }
    "a big source comes through" => |t| {
        t.show(&"<p>paragraph</p>".repeat(100_000)).await;
        assert!(html(t, None).await.len() > 1_500_000);
    }
    "the title is the document's, tidied" => |t| {
        t.site.page("/", "<title>  A\n  title  </title>");
        t.open("/").await;
        assert_eq!(t.page.title(&t.scope()).await, "A title");
        t.value("document.title = 'Another'").await;
        assert_eq!(t.page.title(&t.scope()).await, "Another");
    }
    "a document without a title has an empty one" => |t| {
        t.site.page("/", "<p>x");
        t.open("/").await;
        assert_eq!(t.page.title(&t.scope()).await, "");
    }
    "elements are counted, and those that can be seen" => |t| {
        t.show("<i>1</i><i hidden>2</i><i style='opacity:0'>3</i><i style='display:block;width:0;height:0;overflow:hidden'>4</i>").await;
        let count = t.count("i").await;
        assert_eq!((count.total, count.visible), (4, 2));
        assert_eq!(t.count("#absent").await.total, 0);
    }
    "a page that is in the middle of going elsewhere tells one of the two" => |t| {
        t.site.page("/next", &document("<p>next</p>"));
        t.show("<p>first</p>").await;
        t.value("setTimeout(() => { location.href = '/next' })").await;
        let told = text(t, None).await;
        assert!(["first", "next", ""].contains(&told.trim()), "{told}");
    }
}
