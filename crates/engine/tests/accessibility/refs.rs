//! Refs from one snapshot to the next, and what the options of a snapshot do on a big page.

use serde_json::{Value, json};

use crate::chromium::Chromium;

fn yaml(browser: &mut Chromium, options: &str) -> String {
    browser.evaluate(&format!("injected.snapshot({options}).yaml")).as_str().unwrap().to_owned()
}

/// The ref on the line that has `text`.
fn ref_of(yaml: &str, text: &str) -> String {
    let line = yaml.lines().find(|line| line.contains(text)).unwrap_or_else(|| panic!("{text} in\n{yaml}"));
    line.split("[ref=").nth(1).unwrap().split(']').next().unwrap().to_owned()
}

fn look_up(browser: &mut Chromium, reference: &str) -> Value {
    browser.evaluate(&format!(
        "(() => {{ const found = injected.elementOfRef('{reference}'); \
         return {{ ...found, element: found.element && found.element.id }}; }})()"
    ))
}

#[test]
fn a_ref_stays_while_role_and_name_do() {
    let mut browser = Chromium::launch();
    browser.load("<button id=a>Save</button><button id=b>Open</button>");
    let first = yaml(&mut browser, "{}");
    browser.evaluate("a.before(document.createElement('input')); a.disabled = true; 0");
    let second = yaml(&mut browser, "{}");
    assert_eq!(ref_of(&first, "Save"), ref_of(&second, "Save"));
    assert_eq!(ref_of(&first, "Open"), ref_of(&second, "Open"));
    assert_eq!(look_up(&mut browser, &ref_of(&second, "Save"))["element"], "a");
}

#[test]
fn a_new_name_is_a_new_ref_and_the_old_one_says_so() {
    let mut browser = Chromium::launch();
    browser.load("<button id=a>Follow</button>");
    let before = ref_of(&yaml(&mut browser, "{}"), "Follow");
    browser.evaluate("a.textContent = 'Unfollow'; 0");
    let after = ref_of(&yaml(&mut browser, "{}"), "Unfollow");
    assert_ne!(before, after);
    assert_eq!(look_up(&mut browser, &before), json!({"element": "a", "now": after}));
}

#[test]
fn a_removed_element_is_told_from_one_that_never_was() {
    let mut browser = Chromium::launch();
    browser.load("<button id=a>Save</button>");
    let reference = ref_of(&yaml(&mut browser, "{}"), "Save");
    browser.evaluate("a.remove(); 0");
    assert_eq!(look_up(&mut browser, &reference)["gone"], "detached");
    assert_eq!(look_up(&mut browser, "e99999")["gone"], "unknown");
    assert_eq!(look_up(&mut browser, "button")["gone"], "unknown");
}

#[test]
fn refs_in_a_frame_carry_its_prefix_and_are_found_with_it() {
    let mut browser = Chromium::launch();
    browser.load("<button id=a>Save</button>");
    let reference = ref_of(&yaml(&mut browser, "{ prefix: 'f2' }"), "Save");
    assert!(reference.starts_with("f2e"), "{reference}");
    assert_eq!(look_up(&mut browser, &reference)["element"], "a");
}

#[test]
fn frames_are_named_by_their_line() {
    let mut browser = Chromium::launch();
    browser.load("<h1>Top</h1><iframe title=Map srcdoc='<p>in</p>'></iframe><p>after</p>");
    let told = browser.evaluate("injected.snapshot()");
    let frame = &told["frames"][0];
    assert_eq!(frame["line"], 1);
    assert_eq!(told["lines"][1]["ref"], frame["ref"]);
    assert!(told["lines"][1]["line"].as_str().unwrap().starts_with("iframe \"Map\""));
}

/// The page of the benchmark: 1000 rows of a number, a link, a button and a field.
fn load_big_page(browser: &mut Chromium) {
    browser.load(
        "<h1>Big</h1><table><thead><tr><th>#<th>Link<th>Button<th>Input</thead><tbody id=body></tbody></table><p>The end</p>\
         <script>body.innerHTML = Array.from({ length: 1000 }, (_, i) => `<tr><td>${i}</td><td><a href=\"/item/${i}\">Item ${i}</a></td>\
         <td><button>Edit ${i}</button></td><td><input aria-label=\"Qty ${i}\" value=\"${i}\"></td></tr>`).join('')</script>",
    );
}

#[test]
fn a_big_page_within_a_budget_keeps_its_shape_and_says_what_is_left_out() {
    let mut browser = Chromium::launch();
    load_big_page(&mut browser);
    let lines = engine::snapshot::parse(&yaml(&mut browser, "{}"));
    let (kept, left_out) = engine::snapshot::within_budget(&lines, 8000);
    let yaml = engine::snapshot::yaml(&kept);
    assert!(yaml.chars().count() <= 8000, "{}", yaml.len());
    assert!(yaml.contains("heading \"Big\"") && yaml.contains("paragraph: The end"), "{yaml}");
    assert!(yaml.contains(" more (row)"), "{yaml}");
    let shown = kept.iter().filter(|line| !line.text.starts_with('…')).count();
    assert_eq!(left_out, lines.len() - shown);
}

#[test]
fn a_depth_says_how_much_is_below() {
    let mut browser = Chromium::launch();
    load_big_page(&mut browser);
    let shallow = yaml(&mut browser, "{ depth: 0 }");
    assert!(shallow.contains("- table [ref=") && shallow.contains("more below"), "{shallow}");
    assert_eq!(shallow.lines().count(), 3, "{shallow}");
}
