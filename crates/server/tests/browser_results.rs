//! What results look like: short, with the rest in files, structured where a program asks for it.
#![cfg(unix)]
#![allow(clippy::unwrap_used)]

mod common;

use common::browsing::Agent;
use common::engines::on_each_browser;
use serde_json::json;

on_each_browser![
    a_page_that_is_too_long_is_cut_and_the_whole_is_in_a_file,
    programs_get_the_machines_form_but_never_beside_an_image,
    code_is_written_in_the_language_that_was_asked_for,
    test_ids_are_read_from_the_attribute_that_was_named,
];

#[test]
fn the_list_of_tools_is_short_and_every_name_is_answered_to() {
    let mut agent = Agent::start(&["--prelaunch", "never"]);
    let tools = agent.client.list_tools().unwrap();
    let names: Vec<&str> = tools.iter().map(|tool| tool["name"].as_str().unwrap()).collect();
    for name in ["create_session", "close_session", "navigate", "click", "type"] {
        assert!(names.contains(&name), "{names:?}");
    }
    assert!(tools.iter().all(|tool| !tool["description"].as_str().unwrap().is_empty()));
    let bytes = serde_json::to_string(&tools).unwrap().len();
    assert!(bytes <= 11_250, "{bytes} bytes of the browser's tools are paid by every conversation");
    let mut playwright = Agent::start(&["--prelaunch", "never", "--tool-names", "playwright"]);
    let tools = playwright.client.list_tools().unwrap();
    assert!(tools.iter().any(|tool| tool["name"] == "browser_take_screenshot"));
}

#[test]
fn the_tools_of_all_families_are_short_enough_for_every_conversation() {
    let mut client = common::initialized(&["--headless", "--prelaunch", "never"]);
    let tools = client.list_tools().unwrap();
    let bytes = serde_json::to_string(&tools).unwrap().len();
    assert!(bytes <= 15_000, "{bytes} bytes");
    for name in ["start_session", "end_session", "get_session_status", "restart_server", "read_server_logs"] {
        assert!(tools.iter().any(|tool| tool["name"] == name), "{name}");
    }
}

#[test]
fn a_page_that_is_too_long_is_cut_and_the_whole_is_in_a_file() {
    let mut agent = Agent::start(&[]);
    let items: String = (0..3000).map(|n| format!("<li>Item number {n}</li>")).collect();
    let told = agent.visit(&format!("<ul>{items}</ul>"));
    assert!(told.chars().count() < 20_000, "{}", told.len());
    let path = told.split("all of it is in ").nth(1).unwrap().split(". Use").next().unwrap();
    assert!(String::from_utf8(agent.read(path)).unwrap().contains("Item number 2999"));
    let html = agent.text("get_content", &json!({}));
    assert!(html.chars().count() < 21_000);
    let path = html.trim_end().rsplit("The whole of it is in ").next().unwrap();
    assert!(String::from_utf8(agent.read(path)).unwrap().contains("Item number 2999"));
}

#[test]
fn programs_get_the_machines_form_but_never_beside_an_image() {
    let mut agent = Agent::start(&["--structured-results", "--codegen", "none", "--output-dir", "out"]);
    let url = agent.site.url("/status/418");
    let result = agent.call("navigate", &json!({ "url": url }));
    assert_eq!(result.structured()["page"]["url"], url);
    assert!(result.structured()["page"]["status"].as_str().unwrap().starts_with("418"));
    assert!(!result.text().contains("### Code"), "{}", result.text());
    let picture = agent.call("screenshot", &json!({}));
    assert!(picture.structured().is_null() && picture.text().contains("in out/page-"), "{}", picture.text());
}

#[test]
fn code_is_written_in_the_language_that_was_asked_for() {
    let mut agent = Agent::start(&["--codegen", "python"]);
    agent.visit("<button>Go</button>");
    let told = agent.text("click", &json!({"selector": "button"}));
    assert!(told.contains("page.get_by_role(\"button\", name=\"Go\").click()"), "{told}");
    let told = agent.text("screenshot", &json!({"selector": "button", "filename": "go.png"}));
    let line = "page.get_by_role(\"button\", name=\"Go\").screenshot(path=\"go.png\")";
    assert!(told.contains(line), "{told}");
}

#[test]
fn test_ids_are_read_from_the_attribute_that_was_named() {
    let mut agent = Agent::start(&["--test-id-attribute", "data-qa"]);
    agent.visit("<button data-qa=save>Go</button>");
    let told = agent.text("click", &json!({"selector": "getByTestId('save')"}));
    assert!(told.contains("await page.getByTestId('save').click();"), "{told}");
}
