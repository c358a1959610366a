//! Selectors: the corpora of the engine through its public surface, strictness, refs, and what can't be understood.

use engine::locator::Selector;
use engine::{Failed, RefGone, Target};
use futures_util::StreamExt as _;

use crate::case::{Given, at, cases, ms, scope_of};
use crate::corpus;

/// How many of the elements that a selector finds are looked at one by one.
const LOOKED_AT: usize = 3;

/// So many selectors of a table are asked at a time: most of an answer's time is its way.
const ASKED_AT_ONCE: usize = 8;

/// Checks every selector of a page's table: how many elements it finds, and which.
async fn corpus(t: &Given, page: &str) {
    let html = corpus::selectors(&format!("{page}.html"));
    t.site.page("/", &html);
    t.open("/").await;
    let table = futures_util::stream::iter(corpus::selector_table(page));
    let asked = table.map(|(text, expected)| async move { wrong(t, &text, &expected).await });
    let wrong: Vec<String> = asked.buffer_unordered(ASKED_AT_ONCE).concat().await;
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// What is wrong with what a selector finds.
async fn wrong(t: &Given, text: &str, expected: &str) -> Vec<String> {
    let ids: Vec<&str> = expected.split_whitespace().collect();
    let found = t.count(text).await.total;
    if found != ids.len() {
        return vec![format!("{text} finds {found} instead of {expected:?}")];
    }
    let mut wrong = Vec::new();
    for (index, id) in ids.iter().enumerate().take(LOOKED_AT) {
        let told = t.page.evaluate("el => el.id || el.tagName", Some(&nth(text, index)), &t.scope()).await;
        if told.as_ref().ok().and_then(|told| told.as_str()) != Some(id) {
            wrong.push(format!("{text}: number {index} is {told:?} instead of {id}"));
        }
    }
    wrong
}

/// The same selector for one of the elements that it finds.
fn nth(text: &str, index: usize) -> Target {
    let selector = Selector::parse(text).unwrap();
    let alone = Selector::parse(&format!("{selector} >> nth={index}"));
    Target::Selector(alone.unwrap_or_else(|refused| panic!("{selector}: {refused}")))
}

/// What is wrong with addressing `target` for an action.
async fn refused(t: &Given, target: &str) -> Failed {
    let told = t.page.evaluate("el => el.id", Some(&at(target)), &scope_of(ms(2000))).await;
    told.expect_err(target)
}

cases! {
    "the table of structure" => |t| { corpus(t, "structure").await; }
    "the table of texts" => |t| { corpus(t, "text").await; }
    "the table of forms" => |t| { corpus(t, "forms").await; }
    "the table of shadow trees" => |t| { corpus(t, "shadow").await; }
    "the table of roles" => |t| { corpus(t, "roles").await; }
    "several matches are refused, counted and told apart" => |t| {
        t.show(&"<button>Save</button>".repeat(7)).await;
        let Failed::NotUnique { count, matches, target } = refused(t, "button").await else { panic!() };
        assert_eq!((count, matches.len(), target.as_str()), (7, 5, "button"));
        for (index, found) in matches.iter().enumerate() {
            assert_eq!(t.count(&found.selector).await.total, 1, "{}", found.selector);
            let place = t.of(&found.selector, "el => [...document.querySelectorAll('button')].indexOf(el)").await;
            assert_eq!(place.unwrap(), index);
            assert!(found.preview.contains("Save"), "{}", found.preview);
        }
    }
    "two matches are told by what tells them apart" => |t| {
        t.show("<section aria-label=Billing><button>Edit</button></section><section aria-label=Shipping><button>Edit</button></section>").await;
        let Failed::NotUnique { matches, .. } = refused(t, "text=Edit").await else { panic!() };
        assert_eq!(matches.len(), 2);
        for found in matches {
            assert_eq!(t.count(&found.selector).await.total, 1, "{}", found.selector);
        }
    }
    "matches in shadow trees have selectors that find them" => |t| {
        t.show("<x-a><template shadowrootmode=open><button>Go</button></template></x-a><x-a><template shadowrootmode=open><button>Go</button></template></x-a>").await;
        let Failed::NotUnique { matches, .. } = refused(t, "button").await else { panic!() };
        for found in matches {
            assert_eq!(t.count(&found.selector).await.total, 1, "{}", found.selector);
        }
    }
    "nothing that matches is told with what was looked for" => |t| {
        t.show("<p>x").await;
        let Failed::NotFound { target } = refused(t, "#absent").await else { panic!() };
        assert_eq!(target, "#absent");
    }
    "an element that comes late is waited for" => |t| {
        t.show("<script>setTimeout(() => document.body.insertAdjacentHTML('beforeend', '<i id=late>here</i>'), 300)</script>").await;
        assert_eq!(t.of("#late", "el => el.textContent").await.unwrap(), "here");
    }
    "one of two matches that goes is waited for no longer than the call" => |t| {
        t.show("<i class=a>1</i><i class=a>2</i>").await;
        assert!(matches!(refused(t, ".a").await, Failed::NotUnique { count: 2, .. }));
    }
    "an element that a later document has is waited for" => |t| {
        t.site.page("/next", "<i id=late>there</i>");
        t.show("<script>setTimeout(() => location.href = '/next', 200)</script>").await;
        assert_eq!(t.of("#late", "el => el.textContent").await.unwrap(), "there");
    }
    "what the browser can't read is refused by name" => |t| {
        t.show("<p>x").await;
        for text in ["p:unheard-of", "xpath=//p[", "text=/(/"] {
            let why = refused(t, text).await.to_string();
            assert!(why.contains("does not understand"), "{text}: {why}");
        }
    }
    "a bad selector is refused at once, not at the end of the call" => |t| {
        t.show("<p>x").await;
        let counted = t.page.count(&at("p:unheard-of"), &t.scope()).await;
        assert!(counted.is_err());
        let scope = t.scope();
        assert!(t.page.evaluate("el => 1", Some(&at("p:unheard-of")), &scope).await.is_err());
        assert!(!scope.deadline().has_passed());
    }
    "a text that is no selector is refused before any page is asked" => |t| {
        assert!(t.page.id().as_str().len() > 1);
        for text in ["", "role=", "getByRole(", ">> >>", "unknown-engine=x", "nth=x"] {
            assert!(Target::parse(text).is_err(), "{text}");
        }
    }
    "a ref leads to its element" => |t| {
        t.show("<button id=a>Save</button><button id=b>Open</button>").await;
        let reference = corpus::ref_of(&t.snapshot().await, "Open");
        for text in [reference.clone(), format!("ref={reference}"), format!("[ref={reference}]"), format!("@{reference}")] {
            assert_eq!(t.of(&text, "el => el.id").await.unwrap(), "b", "{text}");
        }
    }
    "a ref that was never told is unknown" => |t| {
        t.show("<button>Save</button>").await;
        t.snapshot().await;
        let Failed::StaleRef { why, reference } = refused(t, "e999").await else { panic!() };
        assert_eq!((why, reference.as_str()), (RefGone::Unknown, "e999"));
    }
    "a ref of a removed element says so" => |t| {
        t.show("<button id=a>Save</button>").await;
        let reference = corpus::ref_of(&t.snapshot().await, "Save");
        t.value("document.querySelector('#a').remove()").await;
        assert!(matches!(refused(t, &reference).await, Failed::StaleRef { why: RefGone::Detached, .. }));
        assert_eq!(t.count(&reference).await.total, 0);
    }
    "a ref of an earlier document is unknown in the next" => |t| {
        t.show("<button id=a>Save</button>").await;
        let reference = corpus::ref_of(&t.snapshot().await, "Save");
        t.open("/empty").await;
        assert!(matches!(refused(t, &reference).await, Failed::StaleRef { .. }));
    }
    "a ref into a frame that is gone says so" => |t| {
        t.show("<iframe srcdoc='<button>In</button>'></iframe>").await;
        let reference = corpus::ref_of(&t.snapshot().await, "In");
        t.value("document.querySelector('iframe').remove()").await;
        t.seen(|state| (state.frames.in_order().len() == 1).then_some(())).await;
        assert!(matches!(refused(t, &reference).await, Failed::StaleRef { why: RefGone::Frame, .. }));
    }
    "an element without a visible box is found all the same" => |t| {
        t.show("<p hidden id=h>x</p><p id=v>x</p>").await;
        let count = t.count("p").await;
        assert_eq!((count.total, count.visible), (2, 1));
        assert_eq!(t.of("p:visible", "el => el.id").await.unwrap(), "v");
    }
    "a page that breaks its prototypes breaks no selector" => |t| {
        t.show("<button id=a>Save</button><script>
            const broken = () => { throw new Error('broken by the page') };
            for (const name of ['querySelectorAll', 'querySelector', 'matches', 'getAttribute']) {
                Element.prototype[name] = Document.prototype[name] = broken;
            }
            Array.prototype.map = Array.prototype.filter = broken;
            window.Map = window.Set = window.WeakMap = undefined;
        </script>").await;
        for text in ["#a", "text=Save", "role=button[name='Save']", "xpath=//button"] {
            assert_eq!(t.count(text).await.total, 1, "{text}");
        }
    }
    "a large page is searched whole" => |t| {
        t.show("<table id=t></table><script>t.innerHTML = Array.from({ length: 3000 }, (_, i) =>
            `<tr><td>Cell ${i}</td><td><button>Edit ${i}</button></td></tr>`).join('')</script>").await;
        assert_eq!(t.count("text=\"Cell 2777\"").await.total, 1);
        assert_eq!(t.count("role=button[name=\"Edit 2999\"]").await.total, 1);
        assert_eq!(t.count("tr:has-text('Cell 277') button").await.total, 11);
    }
    "counting waits for nothing" => |t| {
        t.show("<script>setTimeout(() => document.body.innerHTML = '<i>late</i>', 60000)</script>").await;
        assert_eq!(t.count("i").await.total, 0);
        assert_eq!(t.count("#no-frame >> internal:control=enter-frame >> i").await.total, 0);
    }
}
