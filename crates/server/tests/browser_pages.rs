//! Looking at pages: going there, reading them, waiting for them, tabs and dialogs.
#![cfg(unix)]
#![allow(clippy::unwrap_used)]

mod common;

use common::browsing::{Agent, reference};
use common::engines::{Engine, on_each_browser};
use serde_json::json;
use testkit::process::wait_until;

on_each_browser![
    a_navigation_answers_with_where_it_led_and_what_is_there,
    a_navigation_that_fails_says_why_and_what_to_do,
    a_snapshot_shows_the_page_or_a_part_of_it_and_its_refs_can_be_used,
    a_text_is_found_without_reading_the_whole_page,
    content_and_existence_are_read_off_the_page,
    a_script_is_an_expression_a_function_or_statements_and_its_value_comes_back,
    a_screenshot_is_an_image_and_a_file,
    what_is_waited_for_comes_or_the_failure_says_what_there_was,
    the_console_and_the_requests_can_be_asked_for_and_come_with_what_caused_them,
    tabs_are_opened_listed_selected_and_closed,
    a_dialog_is_told_holds_the_page_up_and_is_answered,
    a_page_that_opens_a_dialog_while_it_loads_was_reached,
    a_download_is_told_and_lies_in_the_output_folder,
    a_click_to_a_silent_server_leaves_a_page_that_can_be_used,
    a_certificate_that_nobody_trusts_is_named_and_may_be_accepted,
];

#[test]
fn a_navigation_answers_with_where_it_led_and_what_is_there() {
    let mut agent = Agent::start(&[]);
    agent.site.page("/", "<title>Shop</title><h1>Welcome</h1><a href='/cart'>Cart</a>");
    // Without its scheme, as people type it.
    let url = agent.site.url("/").replace("http://", "");
    let told = agent.text("navigate", &json!({ "url": url }));
    for part in ["Title: Shop", "State: load", "heading \"Welcome\" [level=1]", "await page.goto('http://"] {
        assert!(told.contains(part), "{part}: {told}");
    }
    let missing = agent.site.url("/status/404");
    let told = agent.text("navigate", &json!({"url": missing, "waitUntil": "domcontentloaded"}));
    assert!(told.contains("Status: 404"), "{told}");
    let back = agent.text("navigate_back", &json!({}));
    assert!(back.contains("Welcome") && back.contains("page.goBack"), "{back}");
    let redirect = agent.site.url("/redirect?to=/status/200");
    assert!(agent.text("navigate", &json!({ "url": redirect })).contains("/status/200"));
}

#[test]
fn a_navigation_that_fails_says_why_and_what_to_do() {
    let mut agent = Agent::start(&[]);
    let error = agent.failure("navigate", &json!({"url": "http://127.0.0.1:1/"}))["error"].clone();
    assert_eq!(
        (&error["errorCode"], &error["type"]),
        (&json!("NAVIGATION_FAILED"), &json!("navigation_failed"))
    );
    assert_eq!(error["url"], "http://127.0.0.1:1/");
    assert!(error["reason"].as_str().unwrap().contains("ERR_"), "{error}");
    let never = agent.site.url("/never");
    let late = agent.failure("navigate", &json!({"url": never, "timeout": 600}))["error"].clone();
    assert_eq!((&late["errorCode"], &late["timeout"]), (&json!("NAVIGATION_FAILED"), &json!(600)), "{late}");
    let broken = agent.site.url("/reset");
    assert_eq!(agent.code("navigate", &json!({ "url": broken })), "NAVIGATION_FAILED");
    for url in ["/relative", "javascript:alert(1)", "chrome://version"] {
        assert_eq!(agent.code("navigate", &json!({ "url": url })), "INVALID_INPUT", "{url}");
    }
    assert_eq!(agent.code("navigate", &json!({"url": "file:///etc/passwd"})), "PATH_ESCAPE");
    agent.write("page.html", "<h1>From a file</h1>");
    let file = format!("file://{}/page.html", agent.workspace.path().canonicalize().unwrap().display());
    assert!(agent.text("navigate", &json!({ "url": file })).contains("From a file"));
}

#[test]
fn a_snapshot_shows_the_page_or_a_part_of_it_and_its_refs_can_be_used() {
    let mut agent = Agent::on("<main><nav aria-label=Top><a href=#a>A</a></nav><button>Go</button></main>");
    let whole = agent.text("snapshot", &json!({}));
    let button = reference(&whole, "button \"Go\"");
    assert!(
        agent
            .text("click", &json!({ "ref": button }))
            .contains("getByRole('button', { name: 'Go' }).click()")
    );
    let part = agent.text("snapshot", &json!({"selector": "nav"}));
    assert!(part.contains("link \"A\"") && !part.contains("Go"), "{part}");
    let boxes = agent.text("snapshot", &json!({"target": button, "boxes": true}));
    assert!(boxes.contains("box="), "{boxes}");
    let shallow = agent.text("snapshot", &json!({"depth": 1}));
    assert!(!shallow.contains("link \"A\""), "{shallow}");
    let saved = agent.text("snapshot", &json!({"filename": "out/page.yml"}));
    assert!(saved.contains("out/page.yml") && !saved.contains("```"), "{saved}");
    assert!(String::from_utf8(agent.read("out/page.yml")).unwrap().contains("button \"Go\""));
    assert_eq!(agent.code("snapshot", &json!({"filename": "../page.yml"})), "PATH_ESCAPE");
    assert_eq!(agent.code("click", &json!({"ref": "e9999"})), "STALE_REF");
    agent.evaluate("document.querySelector('button').remove()");
    assert_eq!(agent.code("click", &json!({ "ref": button, "timeout": 500 })), "STALE_REF");
}

#[test]
fn a_text_is_found_without_reading_the_whole_page() {
    let mut agent = Agent::on("<ul><li>Apples</li><li>Pears</li></ul><button>Buy pears</button>");
    let found = agent.text("find", &json!({"text": "PEARS"}));
    assert!(found.contains("2 lines match") && !found.contains("Apples"), "{found}");
    assert!(agent.text("find", &json!({"regex": "/^.*app.es/i"})).contains("Apples"));
    assert!(agent.text("find", &json!({"text": "plums"})).contains("Nothing on the page matches"));
    assert_eq!(agent.code("find", &json!({"regex": "("})), "INVALID_INPUT");
    assert_eq!(agent.code("find", &json!({})), "INVALID_INPUT");
}

#[test]
fn content_and_existence_are_read_off_the_page() {
    let mut agent = Agent::on("<p class=a>One</p><p class=a hidden>Two</p><script>let secret = 1</script>");
    assert_eq!(
        agent.json("exists", &json!({"selector": ".a"})),
        json!({"exists": true, "count": 2, "visible": 1})
    );
    assert_eq!(
        agent.json("exists", &json!({"selector": ".b"})),
        json!({"exists": false, "count": 0, "visible": 0})
    );
    let html = agent.text("get_content", &json!({}));
    assert!(html.contains("<p class=\"a\">One</p>") && html.contains("secret"), "{html}");
    let text = agent.text("getContent", &json!({"format": "text"}));
    assert!(text.contains("One") && !text.contains("secret") && !text.contains("Two"), "{text}");
    let part = agent.text("get_content", &json!({"selector": ".a >> nth=0"}));
    assert!(!part.contains("Two"), "{part}");
    assert_eq!(agent.code("get_content", &json!({"selector": ".b", "timeout": 300})), "ELEMENT_NOT_FOUND");
    assert_eq!(agent.code("get_content", &json!({"selector": "::nonsense("})), "INVALID_INPUT");
}

#[test]
fn a_script_is_an_expression_a_function_or_statements_and_its_value_comes_back() {
    let mut agent = Agent::on("<title>T</title><p id=p>text</p>");
    assert_eq!(agent.evaluate("document.title"), "T");
    assert_eq!(agent.evaluate("() => [1, {a: null}]"), json!([1, {"a": null}]));
    assert_eq!(agent.evaluate("async () => (await Promise.resolve(5)) + 1"), 6);
    assert_eq!(agent.evaluate("const x = 2; return x * 2"), 4);
    let element = agent.text("browser_evaluate", &json!({"function": "e => e.id", "target": "p"}));
    assert!(element.contains("\"p\""), "{element}");
    let args = agent.text("evaluate", &json!({"script": "(a, b) => a + b", "args": [1, 2]}));
    assert!(args.contains("### Result\n3"), "{args}");
    let error =
        agent.failure("evaluate", &json!({"script": "() => { throw new Error('mine') }"}))["error"].clone();
    assert_eq!(error["errorCode"], "EVALUATION_FAILED");
    assert!(error["message"].as_str().unwrap().contains("mine"), "{error}");
    assert_eq!(agent.code("evaluate", &json!({"script": "for(;;);", "timeout": 500})), "TIMEOUT");
    // Firefox alone can't be told to end a script: it does so by itself after 8 s, which is said in docs/browsers.md.
    let patience = if Engine::played() == Engine::Firefox { 20_000 } else { 5000 };
    let told = agent.text("evaluate", &json!({"script": "1 + 1", "timeout": patience}));
    assert!(told.contains("### Result\n2"), "the endless script was ended: {told}");
    agent.text("evaluate", &json!({"script": "[1]", "filename": "v.json"}));
    assert_eq!(serde_json::from_slice::<serde_json::Value>(&agent.read("v.json")).unwrap(), json!([1]));
}

#[test]
fn a_screenshot_is_an_image_and_a_file() {
    let mut agent = Agent::on(
        "<body style='margin:0'><div style='width:50px;height:40px;background:red'></div><div style='height:3000px'>",
    );
    let result = agent.call("screenshot", &json!({}));
    let content = result.0["content"].as_array().unwrap();
    assert_eq!((content.len(), &content[1]["mimeType"]), (2, &json!("image/png")));
    assert!(result.structured().is_null());
    let path = result.text().split(", in ").nth(1).unwrap().split('\n').next().unwrap().to_owned();
    let code = format!("await page.screenshot({{ path: '{path}' }});");
    assert!(result.text().contains(&code), "{}", result.text());
    assert_eq!(&agent.read(&path)[1..4], b"PNG");
    let full = agent.text("screenshot", &json!({"fullPage": true}));
    assert!(full.contains("1280 × 30") && full.contains("; shown as "), "{full}");
    assert!(full.contains("fullPage: true"), "{full}");
    let element = agent.text("browser_take_screenshot", &json!({"target": "div >> nth=0", "type": "jpeg"}));
    assert!(element.contains("50 × 40") && element.contains(".jpeg"), "{element}");
    let named = agent.call("screenshot", &json!({"filename": "shot.png"}));
    assert_eq!(named.0["content"].as_array().unwrap().len(), 1, "the file is all that was asked for");
    assert!(!agent.read("shot.png").is_empty());
    let named = agent.text("screenshot", &json!({"selector": "div >> nth=0", "filename": "part.png"}));
    assert!(named.contains(".screenshot({ path: 'part.png' });"), "{named}");
    assert_eq!(agent.code("screenshot", &json!({"selector": "#none", "timeout": 300})), "ELEMENT_NOT_FOUND");
}

#[test]
fn what_is_waited_for_comes_or_the_failure_says_what_there_was() {
    let mut agent = Agent::on(
        "<p id=p>Loading</p><script>setTimeout(() => { p.textContent = 'Ready'; history.pushState(0, '', '/done'); \
         window.ok = true; document.body.append(document.createElement('hr')) }, 300)</script>",
    );
    agent.text("wait_for", &json!({"text": "Ready", "textGone": "Loading"}));
    agent.text("wait_for", &json!({"selector": "hr", "state": "attached", "url": "**/done"}));
    agent.text("waitForSelector", &json!({"selector": "#p"}));
    agent.text("wait_for", &json!({"function": "() => window.ok", "loadState": "networkidle"}));
    agent.text("wait_for", &json!({"time": 0.05}));
    agent.text("wait_for", &json!({"selector": "#gone", "state": "hidden"}));
    for args in [
        json!({"text": "Never", "timeout": 300}),
        json!({"selector": "#p", "state": "detached", "timeout": 300}),
        json!({"url": "**/other", "timeout": 300}),
        json!({"function": "false", "timeout": 300}),
    ] {
        let error = agent.failure("wait_for", &args)["error"].clone();
        assert_eq!(error["errorCode"], "TIMEOUT", "{args} {error}");
        assert!(error["message"].as_str().unwrap().len() > 5, "{error}");
    }
    assert_eq!(agent.code("wait_for", &json!({})), "INVALID_INPUT");
    assert_eq!(agent.code("wait_for", &json!({"time": 31})), "INVALID_INPUT");
    assert_eq!(agent.code("wait_for", &json!({"state": "hidden"})), "INVALID_INPUT");
}

#[test]
fn the_console_and_the_requests_can_be_asked_for_and_come_with_what_caused_them() {
    let mut agent = Agent::on(
        "<link rel=stylesheet href=/style.css><button onclick=\"console.warn('careful'); fetch('/status/500', {method: 'POST', body: 'sent'})\">Go</button>\
         <script>console.log('plain'); console.debug('fine')</script>",
    );
    let clicked = agent.text("click", &json!({"selector": "button"}));
    assert!(clicked.contains("[warning] careful"), "{clicked}");
    assert!(clicked.contains("POST") && clicked.contains("/status/500 → 500"), "{clicked}");
    let console = agent.text("console_messages", &json!({}));
    assert!(console.contains("[info] plain") && !console.contains("fine"), "{console}");
    assert!(agent.text("console_messages", &json!({"level": "debug"})).contains("fine"));
    let errors = agent.text("console_messages", &json!({"level": "error"}));
    assert!(!errors.contains("careful"), "{errors}");
    let requests = agent.text("network_requests", &json!({"filter": "status"}));
    assert!(requests.contains("→ 500") && !requests.contains("style"), "{requests}");
    let index: usize = requests.split("- ").nth(1).unwrap().split(':').next().unwrap().parse().unwrap();
    let body = agent.text("network_request", &json!({"index": index, "part": "request-body"}));
    assert!(body.contains("sent"), "{body}");
    let whole = agent.text("network_request", &json!({ "index": index }));
    assert!(whole.contains("Response headers"), "{whole}");
    assert_eq!(agent.code("network_request", &json!({"index": 999})), "INVALID_INPUT");
    let other = agent.site.url("/empty");
    agent.text("navigate", &json!({ "url": other }));
    assert!(agent.text("console_messages", &json!({})).contains("empty"), "the console is the page's");
    assert!(agent.text("console_messages", &json!({"all": true})).contains("plain"));
}

#[test]
fn tabs_are_opened_listed_selected_and_closed() {
    let mut agent = Agent::on("<title>First</title><a href=/second target=_blank>Open</a>");
    agent.site.page("/second", "<title>Second</title><p>two</p>");
    let clicked = agent.text("click", &json!({"selector": "a"}));
    assert!(clicked.contains("### Tabs\n- 0: (current) [First]") && clicked.contains("- 1: "), "{clicked}");
    // Its document may take longer than the click.
    let listed = wait_until(common::LIMIT, || {
        let listed = agent.text("tabs", &json!({"action": "list"}));
        listed.contains("- 1: [Second]").then_some(listed)
    });
    assert!(listed.unwrap().starts_with("### Tabs\n- 0: (current) [First]"));
    let selected = agent.text("tabs", &json!({"action": "select", "index": 1}));
    assert!(selected.contains("1: (current) [Second]") && selected.contains("two"), "{selected}");
    let url = agent.site.url("/second");
    let third = agent.text("tabs", &json!({"action": "new", "url": url}));
    assert!(third.contains("2: (current)"), "{third}");
    let closed = agent.text("tabs", &json!({"action": "close", "index": 0}));
    assert!(!closed.contains("First"), "{closed}");
    assert_eq!(agent.code("tabs", &json!({"action": "select", "index": 7})), "INVALID_INPUT");
    assert_eq!(agent.code("tabs", &json!({"action": "select"})), "INVALID_INPUT");
    agent.text("resize", &json!({"width": 600, "height": 300}));
    assert_eq!(agent.evaluate("[innerWidth, innerHeight]"), json!([600, 300]));
}

#[test]
fn a_dialog_is_told_holds_the_page_up_and_is_answered() {
    let mut agent = Agent::on(
        "<button onclick=\"p.textContent = prompt('Name?', 'nobody')\">Ask</button><p id=p></p>\
         <button onclick=\"p.textContent = confirm('Sure?')\">Confirm</button>",
    );
    let asked = agent.text("click", &json!({"selector": "text=Ask"}));
    assert!(asked.contains("prompt \"Name?\" is open; answer it with handle_dialog"), "{asked}");
    let held = agent.failure("click", &json!({"selector": "text=Ask"}));
    assert_eq!(held["error"]["errorCode"], "DIALOG_OPEN");
    assert!(held.get("screenshot").is_none(), "a page with a dialog can't be pictured");
    let answered = agent.text("handle_dialog", &json!({"accept": true, "promptText": "Ada"}));
    assert!(answered.contains("Ada"), "{answered}");
    agent.text("click", &json!({"selector": "text=Confirm"}));
    assert!(agent.text("handle_dialog", &json!({"accept": false})).contains("false"));
    assert_eq!(agent.code("handle_dialog", &json!({"accept": true})), "INVALID_INPUT");
}

#[test]
fn a_page_that_opens_a_dialog_while_it_loads_was_reached() {
    let mut agent = Agent::start(&[]);
    let told = agent.visit("<script>alert('hello')</script><p>after</p>");
    assert!(told.contains("alert \"hello\" is open"), "{told}");
    assert!(agent.text("handle_dialog", &json!({"accept": true})).contains("after"));
}

#[test]
fn a_download_is_told_and_lies_in_the_output_folder() {
    let mut agent = Agent::on("<a href='/download?name=report.txt&bytes=10'>Get</a>");
    let told = agent.text("click", &json!({"selector": "a"}));
    assert!(told.contains("### Downloads\n- report.txt: "), "{told}");
    let path = ".cache/e2e-mcp-server/downloads/report.txt";
    let there = wait_until(common::LIMIT, || agent.workspace.path().join(path).exists().then_some(()));
    there.unwrap();
}

#[test]
fn a_click_to_a_silent_server_leaves_a_page_that_can_be_used() {
    let mut agent = Agent::on(
        "<title>Here</title><a href='/never'>Go</a><button onclick='this.textContent = 7'>b</button>",
    );
    let told = agent.text("click", &json!({"selector": "a", "timeout": 4000}));
    assert!(told.contains("on its way to") && told.contains("/never"), "{told}");
    let told = agent.text("snapshot", &json!({"timeout": 8000}));
    assert!(told.contains("/never was stopped") && told.contains("link \"Go\""), "{told}");
    let told = agent.text("click", &json!({"selector": "a", "timeout": 4000}));
    assert!(told.contains("on its way to"), "{told}");
    let told = agent.text("click", &json!({"selector": "button", "timeout": 8000}));
    assert!(told.contains("was stopped") && told.contains("button \"7\""), "{told}");
    assert_eq!(agent.evaluate("document.title"), "Here");
}

#[test]
fn a_certificate_that_nobody_trusts_is_named_and_may_be_accepted() {
    let mut agent = Agent::start(&[]);
    agent.site.page("/", "<h1>Secure</h1>");
    let url = agent.site.secure_url("/");
    let refused = agent.failure("navigate", &json!({ "url": url }));
    let error = &refused["error"];
    assert_eq!(error["errorCode"], "NAVIGATION_FAILED");
    assert!(error["message"].as_str().unwrap().contains("ERR_CERT_AUTHORITY_INVALID"), "{error}");
    assert!(error["suggestion"].as_str().unwrap().contains("ignoreHttpsErrors"), "{error}");
    let plain = agent.site.url("/").replace("http:", "https:");
    let refused = agent.failure("navigate", &json!({ "url": plain }));
    assert!(refused["error"]["suggestion"].as_str().unwrap().contains("use http"), "{refused}");
    let session = agent.session(&json!({"ignoreHttpsErrors": true}));
    let told = agent.text("navigate", &json!({ "url": url, "sessionId": session }));
    assert!(told.contains("heading \"Secure\""), "{told}");
    let mut trusting = Agent::start(&["--ignore-https-errors"]);
    trusting.site.page("/", "<h1>Secure</h1>");
    let url = trusting.site.secure_url("/");
    assert!(trusting.text("navigate", &json!({ "url": url })).contains("heading \"Secure\""));
}
