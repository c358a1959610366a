//! Where on an element a hand would point.

use serde_json::json;

use crate::hand::{CLICK, page, show};

const TALL: &str = "<div style='height:2000px'>.</div>";

#[test]
fn the_point_is_on_the_element_wherever_it_is_scrolled() {
    let cases = [
        format!("{TALL}<button id=b>Go</button>{TALL}"),
        format!("<header style='position:fixed;top:0;left:0;right:0;height:250px;background:red'></header>{TALL}<button id=b>Go</button>{TALL}"),
        format!("<header style='position:sticky;top:0;height:400px;background:red'></header>{TALL}<button id=b>Go</button>{TALL}"),
        format!("<footer style='position:fixed;bottom:0;left:0;right:0;height:400px;background:red'></footer>{TALL}<button id=b>Go</button>{TALL}"),
        format!("<div style='height:100px;overflow:auto'>{TALL}<button id=b>Go</button>{TALL}</div>"),
        format!("<div style='height:200px;overflow:auto'>{TALL}<div style='height:100px;overflow:auto'>{TALL}<button id=b>Go</button></div>{TALL}</div>"),
        "<div style='width:100px;overflow:auto'><div style='width:3000px;text-align:right'><button id=b>Go</button></div></div>".to_owned(),
        format!("<html style='scroll-behavior:smooth'>{TALL}<button id=b>Go</button>"),
        "<div style='height:100px;overflow:hidden;position:relative'><button id=b style='position:absolute;top:300px'>Go</button></div>".to_owned(),
        "<p style='width:120px'>some words <a id=b href='#'>a link that wraps over several lines</a></p>".to_owned(),
        "<div id=b style='display:contents'><button>Go</button></div>".to_owned(),
        "<div id=b style='display:contents'>only text</div>".to_owned(),
        "<button id=b><span>deep <i>inside</i></span></button>".to_owned(),
        "<button id=b style='transform:rotate(40deg) scale(1.5);margin:60px'>Go</button>".to_owned(),
        "<main id=b style='height:5000px'>Huge</main>".to_owned(),
    ];
    let mut browser = page("");
    for html in &cases {
        show(&mut browser, html);
        let answer = browser.prepare("#b", json!({ "needs": CLICK }));
        let point = &answer["ready"]["point"];
        assert!(point.is_object(), "{html}\n{answer}");
        let hit = format!("b.contains(document.elementFromPoint({}, {}))", point["x"], point["y"]);
        assert_eq!(browser.evaluate(&hit), true, "{html}\n{answer}");
    }
}

#[test]
fn what_is_in_reach_is_not_scrolled() {
    let mut browser = page(&format!("<div style='height:500px'></div><button id=b>Go</button>{TALL}"));
    browser.prepare("#b", json!({ "needs": CLICK }));
    assert_eq!(browser.evaluate("scrollY"), 0);
}

#[test]
fn a_position_is_from_the_upper_left_corner_within_the_border() {
    let mut browser = page(
        "<style>body { margin: 0 }</style><div id=b style='margin:10px;border:5px solid;width:50px;height:4000px'></div>",
    );
    let mut point = |position| {
        browser.prepare("#b", json!({ "needs": CLICK, "position": position }))["ready"]["point"].take()
    };
    assert_eq!(point(json!({ "x": 3.0, "y": 4.0 })), json!({ "x": 18, "y": 19 }));
    let deep = point(json!({ "x": 3.0, "y": 3500.0 }));
    let (x, y) = (deep["x"].as_f64().unwrap(), deep["y"].as_f64().unwrap());
    let box_top = browser.evaluate("b.getBoundingClientRect().top").as_f64().unwrap();
    assert!((x - 18.0).abs() < 0.1 && (y - box_top - 3505.0).abs() < 0.1 && y < 600.0, "{deep}");
}

#[test]
fn labels_and_controls_stand_in_for_each_other() {
    let cases = [
        "<label><input id=b type=checkbox style='position:absolute'><span style='position:absolute;background:red;width:40px;height:40px'></span></label>",
        "<input id=b type=checkbox style='position:absolute;left:20px'><label for=b style='position:absolute;left:0;width:80px;height:40px;background:red'>Yes</label>",
        "<label id=b for=c style='position:absolute;left:0;width:80px;height:40px'>Yes</label><input id=c type=checkbox style='position:absolute;left:0;top:0;width:100px;height:100px'>",
    ];
    let mut browser = page("");
    for html in cases {
        show(&mut browser, html);
        let answer = browser.prepare("#b", json!({ "needs": CLICK }));
        assert!(answer["ready"]["point"].is_object(), "{html}\n{answer}");
    }
}

#[test]
fn shadow_trees_and_slots_are_looked_through() {
    let cases = [
        "<div><template shadowrootmode=open><button id=b>Go</button></template></div>",
        "<div><template shadowrootmode=open><p><slot></slot></p></template><button id=b>Go</button></div>",
        "<div id=b><template shadowrootmode=open><button>Go</button></template></div>",
        "<div id=b><template shadowrootmode=open><section><template shadowrootmode=open><button>Go</button></template></section></template></div>",
    ];
    let mut browser = page("");
    for html in cases {
        show(&mut browser, html);
        let answer = browser.prepare("#b", json!({ "needs": CLICK }));
        assert!(answer["ready"]["point"].is_object(), "{html}\n{answer}");
    }
    show(
        &mut browser,
        "<div><template shadowrootmode=open><button id=b>Go</button><i style='position:fixed;inset:0'></i></template></div>",
    );
    let answer = browser.prepare("#b", json!({ "needs": CLICK }));
    assert_eq!(answer["blocked"]["by"], "<i></i>", "{answer}");
}
