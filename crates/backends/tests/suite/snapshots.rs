//! Snapshots: the engine's corpus of pages through its public surface, and what scope, depth, boxes and budget do.

use engine::Failed;
use engine::snapshot::{Pattern, SnapshotOptions};

use crate::case::{Given, at, cases, ms, scope_of};
use crate::corpus;

/// Checks every page of a file of the corpus; those with frames are filled in here, and have cases of their own.
async fn corpus(t: &Given, file: &str) {
    let mut wrong = Vec::new();
    for page in corpus::snapshots(file)
        .into_iter()
        .filter(|page| page.options.is_none() && !page.html.contains("<iframe"))
    {
        t.site.page("/page", &format!("<!doctype html>{}", page.html));
        t.open("/page").await;
        let told = t.snapshot().await;
        if told != page.yaml.trim_end() {
            wrong.push(format!("## {}\n{told}\n-- instead of\n{}", page.name, page.yaml));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

async fn scoped(t: &Given, target: &str) -> String {
    let options = SnapshotOptions { target: Some(at(target)), ..SnapshotOptions::default() };
    t.page.snapshot(&options, &t.scope()).await.unwrap_or_else(|why| panic!("{target}: {why}")).whole()
}

async fn deep(t: &Given, depth: usize) -> String {
    let options = SnapshotOptions { depth: Some(depth), ..SnapshotOptions::default() };
    t.page.snapshot(&options, &t.scope()).await.unwrap().whole()
}

async fn find(t: &Given, pattern: Pattern) -> (usize, String) {
    let found = t.page.find(&pattern, &t.scope()).await.unwrap();
    (found.matches, found.text(10_000))
}

const SHOP: &str = "<h1>Shop</h1><main><ul><li><a href='/pen'>Pen</a></li><li><a href='/ink'>Ink</a></li></ul>
    <section id=basket aria-label=Basket><p>Empty</p><button>Pay</button></section></main><footer>Bye</footer>";

cases! {
    "pages of clickable things" => |t| { corpus(t, "clickable").await; }
    "pages of forms" => |t| { corpus(t, "forms").await; }
    "pages with hidden parts" => |t| { corpus(t, "hidden").await; }
    "pages of lists" => |t| { corpus(t, "lists").await; }
    "pages with shadow trees" => |t| { corpus(t, "shadow").await; }
    "pages of every structure" => |t| { corpus(t, "structure").await; }
    "pages of tables" => |t| { corpus(t, "tables").await; }
    "pages of texts" => |t| { corpus(t, "text").await; }
    "text of style sheets that a script adopted" => |t| {
        t.show("<p>whole</p><x-part></x-part><script>
            const sheet = text => { const made = new CSSStyleSheet(); made.replaceSync(text); return made; };
            document.adoptedStyleSheets = [sheet('p::before { content: \"the \" }'), sheet('p::after { content: \" page\" }')];
            const part = document.querySelector('x-part').attachShadow({ mode: 'open' });
            part.innerHTML = '<b>part</b>';
            part.adoptedStyleSheets.push(sheet('b::after { content: \" of it\" }'));
        </script>").await;
        let told = t.snapshot().await;
        assert!(told.contains("the whole page") && told.contains("part of it"), "{told}");
    }
    "a blank page has nothing to tell" => |t| {
        assert_eq!(t.snapshot().await, "");
    }
    "a scope by selector is that element and what is in it" => |t| {
        t.show(SHOP).await;
        let told = scoped(t, "#basket").await;
        assert!(told.starts_with("- region \"Basket\""), "{told}");
        assert!(told.contains("button \"Pay\"") && !told.contains("Pen"), "{told}");
    }
    "a scope by ref is the same" => |t| {
        t.show(SHOP).await;
        let reference = corpus::ref_of(&t.snapshot().await, "region \"Basket\"");
        assert_eq!(scoped(t, &reference).await, scoped(t, "#basket").await);
    }
    "refs are the same in a scope and in the whole" => |t| {
        t.show(SHOP).await;
        let whole = t.snapshot().await;
        assert_eq!(corpus::ref_of(&scoped(t, "#basket").await, "Pay"), corpus::ref_of(&whole, "Pay"));
    }
    "a scope that is not there is told" => |t| {
        t.show(SHOP).await;
        let options = SnapshotOptions { target: Some(at("#absent")), ..SnapshotOptions::default() };
        let told = t.page.snapshot(&options, &scope_of(ms(2000))).await;
        assert!(matches!(told, Err(Failed::NotFound { .. })), "{told:?}");
    }
    "a scope that several elements fit is told with them" => |t| {
        t.show(SHOP).await;
        let options = SnapshotOptions { target: Some(at("li")), ..SnapshotOptions::default() };
        let told = t.page.snapshot(&options, &t.scope()).await;
        assert!(matches!(told, Err(Failed::NotUnique { count: 2, .. })), "{told:?}");
    }
    "a depth leaves out what is deeper and says how much" => |t| {
        t.show(SHOP).await;
        let shallow = deep(t, 0).await;
        assert!(shallow.contains("main") && shallow.contains("more below") && !shallow.contains("Pen"), "{shallow}");
        assert!(deep(t, 10).await == t.snapshot().await);
    }
    "boxes tell where elements are" => |t| {
        t.show("<style>body{margin:0}button{position:absolute;left:10px;top:20px;width:30px;height:40px}</style><button>Go</button>").await;
        let options = SnapshotOptions { boxes: true, ..SnapshotOptions::default() };
        let told = t.page.snapshot(&options, &t.scope()).await.unwrap().whole();
        assert!(told.contains("[box=10,20,30,40]"), "{told}");
    }
    "a budget keeps the shape and says what is left out" => |t| {
        t.show("<h1>Big</h1><table><tbody id=b></tbody></table><p>The end</p><script>b.innerHTML = Array.from({ length: 1000 }, (_, i) =>
            `<tr><td>${i}</td><td><a href='/item/${i}'>Item ${i}</a></td></tr>`).join('')</script>").await;
        let options = SnapshotOptions { budget: Some(3000), ..SnapshotOptions::default() };
        let snapshot = t.page.snapshot(&options, &t.scope()).await.unwrap();
        let text = snapshot.text();
        assert!(text.chars().count() <= 3000 && snapshot.left_out() > 1000);
        assert!(text.contains("heading \"Big\"") && text.contains("The end") && text.contains(" more ("), "{text}");
        assert!(snapshot.whole().contains("Item 999"));
    }
    "what fits a budget stays whole" => |t| {
        t.show(SHOP).await;
        let options = SnapshotOptions { budget: Some(5000), ..SnapshotOptions::default() };
        let snapshot = t.page.snapshot(&options, &t.scope()).await.unwrap();
        assert_eq!((snapshot.text(), snapshot.left_out()), (snapshot.whole().as_str(), 0));
    }
    "a text is found whatever its case, with what it is in" => |t| {
        t.show(SHOP).await;
        let (matches, text) = find(t, Pattern::Text("PEN".to_owned())).await;
        assert!(matches >= 1, "{text}");
        assert!(text.contains("main") && text.contains("link \"Pen\"") && !text.contains("Ink"), "{text}");
    }
    "a regular expression is found" => |t| {
        t.show(SHOP).await;
        let (matches, text) = find(t, Pattern::Regex(regex::Regex::new(r#"link "(Pen|Ink)""#).unwrap())).await;
        assert_eq!(matches, 2, "{text}");
    }
    "what is not there is found nowhere" => |t| {
        t.show(SHOP).await;
        assert_eq!(find(t, Pattern::Text("absent".to_owned())).await, (0, String::new()));
    }
    "what is found has refs that lead there" => |t| {
        t.show(SHOP).await;
        let (_, text) = find(t, Pattern::Text("pay".to_owned())).await;
        assert_eq!(t.of(&corpus::ref_of(&text, "Pay"), "el => el.textContent").await.unwrap(), "Pay");
    }
    "a big page is told in one go" => |t| {
        t.show("<div id=d></div><script>d.innerHTML = Array.from({ length: 5000 }, (_, i) => `<button>Button ${i}</button>`).join('')</script>").await;
        let told = t.snapshot().await;
        assert_eq!(told.lines().filter(|line| line.contains("button \"Button ")).count(), 5000);
    }
    "a page whose scripts patch everything is told" => |t| {
        t.show("<button>Save</button><script>
            for (const name of ['getAttribute', 'querySelectorAll', 'getBoundingClientRect']) Element.prototype[name] = () => { throw 1 };
            Array.prototype.push = String.prototype.trim = () => { throw 2 }; window.getComputedStyle = null;
        </script>").await;
        assert_eq!(t.snapshot().await, "- button \"Save\" [ref=e1]");
    }
    "names with quotes, colons and lines are one line of YAML" => |t| {
        t.show("<button aria-label='a \"b\": #c'>x</button><p>key: value</p><p>- dash\nline</p>").await;
        let told = t.snapshot().await;
        assert_eq!(told.lines().count(), 3, "{told}");
        assert!(told.contains(r#"a \"b\": #c"#), "{told}");
    }
    "a password is not told" => |t| {
        t.show("<input type=password aria-label=Password value=secret-word>").await;
        let told = t.snapshot().await;
        assert!(told.contains("Password") && !told.contains("secret-word"), "{told}");
    }
}
