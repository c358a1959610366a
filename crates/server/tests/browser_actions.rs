//! Acting on pages as a user would, and what comes back when a user could not.
#![cfg(unix)]
#![allow(clippy::unwrap_used)]

mod common;

use common::browsing::Agent;
use common::engines::on_each_browser;
use serde_json::json;

on_each_browser![
    a_click_answers_with_what_it_changed_and_its_code,
    a_click_may_be_double_held_with_keys_elsewhere_or_forced,
    what_is_not_there_or_not_clickable_is_told_with_a_picture_and_the_earlier_errors,
    a_text_replaces_what_a_field_holds_or_comes_behind_it_key_by_key_if_asked,
    a_form_is_filled_in_one_call,
    keys_and_the_mouse_reach_the_page,
    elements_are_dragged_and_things_from_outside_are_dropped,
    files_are_given_to_an_input_or_to_the_chooser_that_is_open,
];

#[test]
fn a_click_answers_with_what_it_changed_and_its_code() {
    let mut agent = Agent::on("<button onclick=\"p.textContent='Saved'\">Save</button><p id=p></p>");
    let told = agent.text("click", &json!({"selector": "button"}));
    assert!(told.contains("### Changes") && told.contains("+ paragraph: Saved"), "{told}");
    assert!(told.contains("await page.getByRole('button', { name: 'Save' }).click();"), "{told}");
    let again = agent.text("click", &json!({"selector": "button"}));
    assert!(again.contains("Nothing changed on the page."), "{again}");
}

#[test]
fn a_click_may_be_double_held_with_keys_elsewhere_or_forced() {
    let mut agent = Agent::on(
        "<button style='width:100px;height:60px'>B</button><p id=p></p><script>for (const t of ['click', 'dblclick', 'contextmenu']) \
         document.querySelector('button').addEventListener(t, e => { p.textContent += `${t} ${e.shiftKey} ${e.offsetX},${e.offsetY};`; \
         e.preventDefault() })</script>",
    );
    agent.text("click", &json!({"selector": "button", "doubleClick": true}));
    assert!(agent.evaluate("p.textContent").as_str().unwrap().contains("dblclick false"));
    agent.evaluate("p.textContent = ''");
    let told = agent.text("click", &json!({"selector": "button", "button": "right", "modifiers": ["Shift"]}));
    assert!(told.contains("button: 'right'") && told.contains("modifiers: ['Shift']"), "{told}");
    assert!(agent.evaluate("p.textContent").as_str().unwrap().contains("contextmenu true"));
    agent.evaluate("p.textContent = ''");
    // Seed C's way to pass options.
    agent.text("click", &json!({"selector": "button", "options": {"position": {"x": 7, "y": 9}, "force": true, "timeout": 3000}}));
    assert!(agent.evaluate("p.textContent").as_str().unwrap().starts_with("click false "));
}

#[test]
fn what_is_not_there_or_not_clickable_is_told_with_a_picture_and_the_earlier_errors() {
    let mut agent = Agent::on(
        "<button disabled>Off</button><button style='visibility:hidden'>Hidden</button><button id=under>Under</button>\
         <div id=cover style='position:fixed;inset:0'></div><p>one</p><p>two</p>",
    );
    let missing = agent.failure("click", &json!({"selector": "#none", "timeout": 1500}));
    let error = &missing["error"];
    assert_eq!(
        (&error["errorCode"], &error["type"]),
        (&json!("ELEMENT_NOT_FOUND"), &json!("element_not_found"))
    );
    assert_eq!((&error["selector"], &error["timeout"]), (&json!("#none"), &json!(1500)));
    assert_eq!(error["context"], json!({"tool": "click", "args": {"selector": "#none", "timeout": 1500}}));
    assert!(error["sessionId"].is_string() && error["suggestion"].is_string() && error["recent"].is_null());
    let picture = agent.read(missing["screenshot"]["path"].as_str().unwrap());
    assert_eq!(&picture[..2], b"\xff\xd8", "a JPEG");
    let covered = agent.call("click", &json!({"selector": "#under", "timeout": 1500}));
    assert_eq!(covered.0["content"][1]["type"], "image");
    assert!(covered.structured().is_null());
    let covered = covered.json()["error"].clone();
    assert_eq!(covered["errorCode"], "ELEMENT_NOT_CLICKABLE");
    assert!(covered["details"]["coveredBy"].as_str().unwrap().contains("cover"), "{covered}");
    assert_eq!(covered["recent"][0]["type"], "element_not_found");
    for (text, obstacle) in [("Off", "disabled"), ("Hidden", "invisible")] {
        let args = json!({"selector": format!("button:text('{text}')"), "timeout": 1500});
        let error = agent.failure("click", &args)["error"].clone();
        assert_eq!(error["errorCode"], "ELEMENT_NOT_CLICKABLE", "{error}");
        assert_eq!(error["details"]["obstacle"], obstacle, "{error}");
    }
    let several = agent.failure("click", &json!({"selector": "p"}))["error"].clone();
    assert_eq!(several["errorCode"], "ELEMENT_NOT_UNIQUE");
    let selector = several["details"]["matches"][1]["selector"].as_str().unwrap().to_owned();
    assert_eq!(agent.json("exists", &json!({ "selector": selector }))["count"], 1);
    let both = json!({"ref": "e1", "selector": "p"});
    assert_eq!(agent.code("click", &both), "INVALID_INPUT");
    assert_eq!(agent.code("click", &json!({})), "INVALID_INPUT");
}

#[test]
fn a_text_replaces_what_a_field_holds_or_comes_behind_it_key_by_key_if_asked() {
    let mut agent = Agent::on(
        "<form onsubmit='sent.textContent = \"sent\"; return false'><input value=old onkeydown='keys.textContent += event.key'></form>\
         <p id=keys></p><p id=sent></p><input readonly class=ro><div class=plain>x</div>",
    );
    let told = agent.text("type", &json!({"selector": "form input", "text": "new"}));
    assert!(told.contains(".fill('new')"), "{told}");
    assert_eq!(agent.evaluate("document.querySelector('input').value"), "new");
    agent.text(
        "type",
        &json!({"selector": "form input", "text": "er", "append": true, "options": {"delay": 1}}),
    );
    assert_eq!(
        agent.evaluate("[document.querySelector('input').value, keys.textContent]"),
        json!(["newer", "er"])
    );
    let sent = agent.text(
        "browser_type",
        &json!({"target": "form input", "text": "x", "slowly": true, "submit": true, "element": "the field"}),
    );
    assert!(sent.contains("sent") && sent.contains(".press('Enter')"), "{sent}");
    for selector in [".ro", ".plain"] {
        let error =
            agent.failure("type", &json!({"selector": selector, "text": "x", "timeout": 1500}))["error"]
                .clone();
        assert_eq!(error["errorCode"], "ELEMENT_NOT_EDITABLE", "{error}");
    }
    assert_eq!(
        agent.code("type", &json!({"selector": "#none", "text": "x", "timeout": 300})),
        "ELEMENT_NOT_FOUND"
    );
}

#[test]
fn a_form_is_filled_in_one_call() {
    let mut agent = Agent::on(
        "<input aria-label=Name><input type=checkbox aria-label=Agree><select aria-label=Colour><option>red<option value=g>green</select>\
         <input type=range aria-label=Volume min=0 max=10>",
    );
    let told = agent.text(
        "fill_form",
        &json!({"fields": [
            {"name": "Name", "type": "textbox", "target": "[aria-label=Name]", "value": "Ada"},
            {"selector": "[aria-label=Agree]", "value": true},
            {"selector": "[aria-label=Colour]", "type": "combobox", "value": "green"},
            {"selector": "[aria-label=Volume]", "type": "slider", "value": 7},
        ]}),
    );
    assert!(
        told.contains(".fill('Ada')") && told.contains(".check()") && told.contains("selectOption"),
        "{told}"
    );
    let values = agent.evaluate("[...document.querySelectorAll('input, select')].map(e => e.type == 'checkbox' ? e.checked : e.value)");
    assert_eq!(values, json!(["Ada", true, "g", "7"]));
    let chosen = agent.text("select_option", &json!({"selector": "select", "values": ["red"]}));
    assert!(chosen.contains("Chosen: red"), "{chosen}");
    let error = agent.failure(
        "select_option",
        &json!({"selector": "[aria-label=Name]", "values": ["x"], "timeout": 1500}),
    )["error"]
        .clone();
    assert_eq!(error["errorCode"], "ELEMENT_NOT_EDITABLE", "{error}");
    let part = json!({"fields": [{"selector": "[aria-label=Name]", "value": "B"}, {"selector": "#none", "name": "Missing", "value": "x"}], "timeout": 600});
    let error = agent.failure("fill_form", &part)["error"].clone();
    assert!(error["details"]["part"].as_str().unwrap().contains("Missing; 1 filled before it"), "{error}");
    let unaddressed = agent.failure("fill_form", &json!({"fields": [{"value": "x"}]}))["error"].clone();
    assert_eq!(unaddressed["field"], "fields[0].ref");
}

#[test]
fn keys_and_the_mouse_reach_the_page() {
    let mut agent = Agent::on(
        "<input autofocus value=abc onkeydown='keys.textContent += event.key + \" \"'><p id=keys></p>\
         <b onmouseover='keys.textContent += \"over\"'>Here</b>",
    );
    agent.text("click", &json!({"selector": "input"}));
    agent.text("press_key", &json!({"key": "Control+A"}));
    agent.text("press_key", &json!({"key": "Delete"}));
    assert_eq!(agent.evaluate("document.querySelector('input').value"), "");
    assert!(agent.text("hover", &json!({"selector": "b"})).contains("over"));
    let error = agent.failure("press_key", &json!({"key": "Ent"}))["error"].clone();
    assert!(error["message"].as_str().unwrap().contains("Enter"), "{error}");
}

#[test]
fn elements_are_dragged_and_things_from_outside_are_dropped() {
    let mut agent = Agent::on(
        "<div id=a draggable=true ondragstart='event.dataTransfer.setData(\"text\", \"mine\")'>A</div>\
         <div id=b style='height:80px;background:#eee' ondragover='event.preventDefault()' \
          ondrop='event.preventDefault(); p.textContent = event.dataTransfer.files[0]?.name ?? event.dataTransfer.getData(\"text/plain\")'>B</div><p id=p></p>",
    );
    let told = agent.text("drag", &json!({"startSelector": "#a", "endTarget": "#b"}));
    assert!(told.contains("mine") && told.contains(".dragTo("), "{told}");
    agent.write("note.txt", "hello");
    assert!(agent.text("drop", &json!({"selector": "#b", "paths": ["note.txt"]})).contains("note.txt"));
    assert!(
        agent
            .text("drop", &json!({"selector": "#b", "data": {"text/plain": "from afar"}}))
            .contains("from afar")
    );
    assert_eq!(agent.code("drop", &json!({"selector": "#b", "paths": ["../x"]})), "PATH_ESCAPE");
    assert_eq!(agent.code("drop", &json!({"selector": "#b"})), "INVALID_INPUT");
    assert_eq!(agent.code("drag", &json!({"startSelector": "#a"})), "INVALID_INPUT");
}

#[test]
fn files_are_given_to_an_input_or_to_the_chooser_that_is_open() {
    let mut agent = Agent::on(
        "<input type=file id=f onchange='p.textContent += this.files[0]?.name + this.files.length'><p id=p></p>\
         <button onclick='f.click()'>Choose</button><input type=file multiple id=m>",
    );
    agent.write("a.txt", "a");
    assert!(agent.text("file_upload", &json!({"selector": "#f", "paths": ["a.txt"]})).contains("a.txt1"));
    let told = agent.text("click", &json!({"selector": "button"}));
    assert!(told.contains("a file chooser is open; give it files with file_upload"), "{told}");
    agent.write("b.txt", "b");
    assert!(agent.text("file_upload", &json!({"paths": ["b.txt"]})).contains("b.txt1"));
    for paths in [json!(["a.txt", "b.txt"]), json!(["b.txt"])] {
        agent.text("file_upload", &json!({"selector": "#m", "paths": paths}));
        let names = agent.evaluate("[...document.querySelector('#m').files].map(file => file.name)");
        assert_eq!(names, paths, "what was there before is replaced");
    }
    assert_eq!(
        agent.code("file_upload", &json!({"selector": "#f", "paths": ["/etc/passwd"]})),
        "PATH_ESCAPE"
    );
    assert_eq!(agent.code("file_upload", &json!({"selector": "#f", "paths": ["none.txt"]})), "INVALID_INPUT");
}
