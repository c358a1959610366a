use serde_json::json;

use super::*;

fn json_file(text: &str, replace: bool) -> Result<Option<String>, Refused> {
    let entry = json!({ "command": "e2e-mcp-server", "args": ["--dev", "npm run dev"] });
    let addition = Addition { key: "mcpServers", name: "e2e", entry: &entry, replace };
    add(Format::Json, text, &addition)
}

fn toml_file(text: &str, replace: bool) -> Result<Option<String>, Refused> {
    let entry = json!({ "command": "e2e-mcp-server", "args": ["--headless"], "tool_timeout_sec": 300 });
    let addition = Addition { key: "mcp_servers", name: "e2e", entry: &entry, replace };
    add(Format::Toml, text, &addition)
}

#[test]
fn a_file_that_is_not_there_is_made() {
    insta::assert_snapshot!(json_file("", false).unwrap().unwrap(), @r#"
    {
      "mcpServers": {
        "e2e": {
          "command": "e2e-mcp-server",
          "args": [
            "--dev",
            "npm run dev"
          ]
        }
      }
    }
    "#);
    insta::assert_snapshot!(toml_file("", false).unwrap().unwrap(), @r#"
    [mcp_servers.e2e]
    command = "e2e-mcp-server"
    args = ["--headless"]
    tool_timeout_sec = 300
    "#);
}

#[test]
fn comments_layout_and_other_servers_stay_in_json() {
    let text = "{\n\t// mine\n\t\"theme\": \"dark\", /* why */\n\t\"mcpServers\": {\n\t\t\"other\": { \"command\": \"x\" }, // keep\n\t},\n}\n";
    let added = json_file(text, false).unwrap().unwrap();
    for kept in ["// mine", "/* why */", "\t\t\"other\": { \"command\": \"x\" }, // keep"] {
        assert!(added.contains(kept), "{kept} is not in\n{added}");
    }
    assert!(added.contains("\t\t\"e2e\": {"), "indented as the rest\n{added}");
}

#[test]
fn comments_layout_and_other_servers_stay_in_toml() {
    let text =
        "# mine\nmodel = \"o4\"   # why\n\n[mcp_servers.other] # keep\ncommand = 'x'\n\n[tui]\ntheme = 1\n";
    let added = toml_file(text, false).unwrap().unwrap();
    for line in text.lines() {
        assert!(added.contains(line), "{line} is not in\n{added}");
    }
    assert!(added.contains("[mcp_servers.e2e]"), "{added}");
}

#[test]
fn windows_ends_of_lines_and_a_byte_order_mark_stay() {
    let added = json_file("\u{feff}{\r\n  \"a\": 1\r\n}\r\n", false).unwrap().unwrap();
    assert!(added.starts_with('\u{feff}') && added.replace("\r\n", "").find('\n').is_none(), "{added:?}");
}

#[test]
fn what_is_there_already_is_left_and_its_owners_additions_too() {
    let once = json_file("", false).unwrap().unwrap();
    assert_eq!(json_file(&once, true), Ok(None));
    let more = once.replace("\"command\"", "\"env\": {\"A\": \"1\"}, \"command\"");
    assert_eq!(json_file(&more, true), Ok(None));
    let once = toml_file("", false).unwrap().unwrap();
    assert_eq!(toml_file(&format!("{once}startup_timeout_sec = 20\n"), true), Ok(None));
}

#[test]
fn another_entry_of_that_name_gives_way_only_when_told() {
    let text = "{ \"mcpServers\": { \"e2e\": { \"command\": \"old\" }, \"b\": {} } }";
    assert_eq!(json_file(text, false), Err(Refused::Taken("e2e".to_owned())));
    let replaced: Value = serde_json::from_str(&json_file(text, true).unwrap().unwrap()).unwrap();
    assert_eq!(replaced["mcpServers"]["e2e"]["command"], "e2e-mcp-server");
    assert_eq!(replaced["mcpServers"]["b"], json!({}));
    let text = "[mcp_servers]\ne2e = { command = \"old\" } # why\n";
    assert_eq!(toml_file(text, false), Err(Refused::Taken("e2e".to_owned())));
    assert!(toml_file(text, true).unwrap().unwrap().contains("e2e-mcp-server"));
}

#[test]
fn what_can_not_be_read_or_means_something_else_is_refused() {
    assert!(matches!(json_file("{ \"a\": ", false), Err(Refused::Unreadable(_))));
    assert!(matches!(json_file("{ mcpServers: {} }", false), Err(Refused::Unreadable(_))));
    assert_eq!(json_file("{ \"mcpServers\": [] }", false), Err(Refused::NoTable("mcpServers".to_owned())));
    assert_eq!(json_file("[]", false), Err(Refused::NoTable("mcpServers".to_owned())));
    assert!(matches!(toml_file("a = ", false), Err(Refused::Unreadable(_))));
    assert_eq!(toml_file("mcp_servers = 1", false), Err(Refused::NoTable("mcp_servers".to_owned())));
}

#[test]
fn a_table_of_one_line_takes_it_too() {
    let added = toml_file("mcp_servers = { other = { command = \"x\" } }\n", false).unwrap().unwrap();
    assert!(added.contains("other = { command = \"x\" }") && added.lines().count() == 1, "{added}");
}

#[test]
fn a_key_that_stands_twice_is_not_touched() {
    // Which of them counts is the client's to say.
    let text = "{ \"mcpServers\": { \"a\": {} }, \"mcpServers\": { \"b\": {} } }";
    assert!(json_file(text, false).is_err());
}
