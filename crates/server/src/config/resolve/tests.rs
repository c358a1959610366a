//! What is typed, where, and what it means.

use std::time::Duration;

use devserver::adapter::Readiness;
use proptest::prelude::*;

use super::*;
use crate::config::{DevServer, MetricsAccess};
use crate::tools::{Cap, Family, Spelling};

const RUNNERS_KNOWN: &[&str] = &["cargo", "nextest", "pytest"];

fn run(args: &[&str], variables: &[(&str, &str)]) -> Result<Parsed, ConfigError> {
    let environment = variables.iter().copied().collect();
    resolve(args.iter().map(OsString::from), &environment, Path::new("/project"), RUNNERS_KNOWN)
}

fn options(args: &[&str], variables: &[(&str, &str)]) -> Options {
    match run(args, variables).unwrap() {
        Parsed::Run(options) => *options,
        other => panic!("{other:?}"),
    }
}

fn refusal(args: &[&str], variables: &[(&str, &str)]) -> String {
    run(args, variables).unwrap_err().to_string()
}

/// A config file, and the flags that name it.
fn file(name: &str, content: &str) -> (tempfile::TempDir, String) {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join(name);
    std::fs::write(&path, content).unwrap();
    let flag = format!("--config={}", path.display());
    (dir, flag)
}

const HTTP: fn(u16) -> Transport = |port| Transport::Http { host: IpAddr::V4(Ipv4Addr::LOCALHOST), port };

#[test]
fn nothing_said_is_stdio_in_the_current_folder_with_every_family() {
    let options = options(&[], &[]);
    assert_eq!(options.transport, Transport::Stdio);
    assert_eq!(options.workspace, Path::new("/project"));
    assert_eq!(options.families, [Family::App, Family::Browser, Family::Test]);
    assert_eq!((options.caps, options.spelling), (vec![], Spelling::Snake));
    assert_eq!((options.structured_results, options.kill_grace), (false, Duration::from_secs(1)));
    assert_eq!((options.log_level, options.runners), (tracing::Level::INFO, vec![]));
    assert!(options.warnings.is_empty());
}

#[test]
fn a_flag_wins_over_a_variable_and_a_variable_over_the_file() {
    let (_dir, config) = file("c.toml", "kill-grace = 1\nlog-level = 'debug'\ntools = ['test']");
    let variables = [("E2E_MCP_KILL_GRACE", "2"), ("E2E_MCP_LOG_LEVEL", "warn")];
    let options = options(&[&config, "--kill-grace", "3"], &variables);
    assert_eq!(options.kill_grace, Duration::from_millis(3));
    assert_eq!(options.log_level, tracing::Level::WARN);
    assert_eq!(options.families, [Family::Test]);
}

#[test]
fn a_flag_may_be_spelled_with_a_space_an_equals_sign_or_in_camel_case_and_the_last_wins() {
    for args in [
        &["--kill-grace", "5"][..],
        &["--kill-grace=5"],
        &["--killGrace", "5"],
        &["--killGrace=4", "--kill-grace=5"],
    ] {
        assert_eq!(options(args, &[]).kill_grace, Duration::from_millis(5), "{args:?}");
    }
}

#[test]
fn a_switch_takes_no_value_or_one_after_an_equals_sign() {
    for (args, on) in [
        (&["--structured-results"][..], true),
        (&["--structured-results=true"], true),
        (&["--structured-results=false"], false),
        (&["--structuredResults", "--kill-grace=5"], true),
    ] {
        assert_eq!(options(args, &[]).structured_results, on, "{args:?}");
    }
    assert!(refusal(&["--structured-results=maybe"], &[]).contains("`true` or `false`"));
}

#[test]
fn transport_mode_or_a_port_makes_it_http() {
    assert_eq!(options(&[], &[("TRANSPORT_MODE", "http")]).transport, HTTP(3000));
    assert_eq!(options(&["--port", "0"], &[]).transport, HTTP(0));
    assert_eq!(options(&["--port=8080"], &[("TRANSPORT_MODE", "stdio")]).transport, HTTP(8080));
    assert_eq!(options(&[], &[("E2E_MCP_PORT", "8080")]).transport, HTTP(8080));
    // PORT is the dev server's.
    assert_eq!(options(&[], &[("PORT", "8080")]).transport, Transport::Stdio);
    assert_eq!(
        options(&["--port=80", "--host=::1"], &[]).transport,
        Transport::Http { host: "::1".parse().unwrap(), port: 80 }
    );
    assert_eq!(options(&["--port=80", "--host=localhost"], &[]).transport, HTTP(80));
}

#[test]
fn stdio_asked_for_beside_a_port_stays_stdio_and_says_so() {
    let options = options(&["--transport=stdio", "--port=80"], &[]);
    assert_eq!(options.transport, Transport::Stdio);
    assert_eq!(options.warnings, ["flag --port has no effect: the transport is stdio"]);
}

#[test]
fn an_address_that_others_can_reach_is_refused() {
    for host in ["0.0.0.0", "192.168.1.1", "::"] {
        assert!(refusal(&["--host", host], &[]).contains("loopback"), "{host}");
    }
    assert_eq!(
        refusal(&["--host=example.org"], &[]),
        "flag --host: \"example.org\" is not an IP address or `localhost`"
    );
}

#[test]
fn the_workspace_is_the_flags_then_ours_then_the_files_then_the_clients_then_the_current_folder() {
    let (dir, config) = file("c.toml", "workspace = 'sub'");
    let claude = ("CLAUDE_PROJECT_DIR", "/claude");
    let ours = ("E2E_MCP_WORKSPACE", "/ours");
    assert_eq!(options(&["--workspace=/flag", &config], &[claude, ours]).workspace, Path::new("/flag"));
    assert_eq!(options(&[&config], &[claude, ours]).workspace, Path::new("/ours"));
    assert_eq!(options(&[&config], &[claude]).workspace, dir.path().join("sub"));
    assert_eq!(options(&[], &[claude]).workspace, Path::new("/claude"));
    assert!(!options(&[], &[claude]).workspace_is_a_guess);
    assert!(options(&[], &[]).workspace_is_a_guess);
    assert_eq!(options(&["--workspace=here"], &[claude]).workspace, Path::new("/project/here"));
}

#[test]
fn a_file_is_toml_or_json_with_keys_in_any_spelling() {
    for (name, content) in [
        ("c.toml", "killGrace = 7\ntool_names = 'camel'\nstructured-results = true\ncaps = 'background'"),
        (
            "c.json",
            "\u{feff}\n{\"kill-grace\": 7, \"toolNames\": \"camel\", \"structured_results\": true, \"caps\": [\"background\"], \"host\": null}",
        ),
    ] {
        let (_dir, config) = file(name, content);
        let options = options(&[&config], &[]);
        assert_eq!(options.kill_grace, Duration::from_millis(7), "{name}");
        assert_eq!((options.spelling, options.structured_results), (Spelling::Camel, true));
        assert_eq!(options.caps, [Cap::Background]);
    }
    let (dir, _) = file("c.json", "{\"port\": 1}");
    let path = dir.path().join("c.json");
    assert_eq!(options(&[], &[("E2E_MCP_CONFIG", path.to_str().unwrap())]).transport, HTTP(1));
}

#[test]
fn a_mistake_in_a_file_is_told_with_the_file_and_the_key() {
    let told = |content: &str| {
        let (dir, config) = file("c.conf", content);
        refusal(&[&config], &[]).replace(&dir.path().display().to_string(), "DIR")
    };
    assert!(told("kil-grace = 1").starts_with(
        "file DIR/c.conf: unknown key `kil-grace`; did you mean `kill-grace`? (known: `transport`"
    ));
    assert!(told("config = 'x'").starts_with("file DIR/c.conf: unknown key `config`"));
    assert_eq!(
        told("killGrace = 'x'"),
        "file DIR/c.conf, key `killGrace`: \"x\" is not a whole number of milliseconds from 0 to 60000"
    );
    assert_eq!(
        told("{\"port\": {}}"),
        "file DIR/c.conf, key `port`: a table is not an integer from 0 to 65535"
    );
    assert_eq!(told("port = [1]"), "file DIR/c.conf, key `port`: a list is not an integer from 0 to 65535");
    assert_eq!(
        told("kill-grace = 1\nkillGrace = 1"),
        "file DIR/c.conf: `kill-grace` and `killGrace` are the same setting; keep one"
    );
    assert!(told("{\"port\": }").starts_with("file DIR/c.conf: not valid JSON: expected value at line 1"));
    assert!(told("port = = 1").starts_with("file DIR/c.conf: not valid TOML: "));
    assert!(
        refusal(&["--config=none.toml"], &[])
            .starts_with("flag --config: the file /project/none.toml can't be read: ")
    );
}

#[test]
fn a_mistake_is_told_with_its_source_and_what_is_allowed() {
    for (args, variables, message) in [
        (&["--prot=1"][..], &[][..], "unknown flag --prot; did you mean --port? (--help lists all)"),
        (&["--port=x"], &[], "flag --port: \"x\" is not an integer from 0 to 65535"),
        (&["--port=65536"], &[], "flag --port: \"65536\" is not an integer from 0 to 65535"),
        (
            &[],
            &[("TRANSPORT_MODE", "htp")],
            "variable TRANSPORT_MODE: \"htp\" is not `stdio` or `http`; did you mean `http`?",
        ),
        (
            &["--tools=tset"],
            &[],
            "flag --tools: \"tset\" is not `app`, `browser` or `test`; did you mean `test`?",
        ),
        (&["--tools="], &[], "flag --tools: \"\" is not a list of at least one family"),
        (
            &["--runners=nextst"],
            &[],
            "flag --runners: \"nextst\" is not `cargo`, `nextest` or `pytest`; did you mean `nextest`?",
        ),
        (
            &["--log-level=loud"],
            &[],
            "flag --log-level: \"loud\" is not `error`, `warn`, `info`, `debug` or `trace`",
        ),
    ] {
        assert_eq!(refusal(args, variables), message);
    }
    assert!(refusal(&["--port"], &[]).contains("--port"));
    assert_eq!(refusal(&["words"], &[]), "unknown argument words (--help lists all)");
}

#[test]
fn lists_are_separated_by_commas_and_keep_their_own_order() {
    assert_eq!(options(&["--tools", "test, app,"], &[]).families, [Family::App, Family::Test]);
    assert_eq!(options(&["--runners=pytest,cargo,cargo"], &[]).runners, ["cargo", "pytest"]);
    assert!(options(&["--caps="], &[]).caps.is_empty());
}

#[test]
fn a_stranger_with_our_prefix_is_a_warning_and_an_empty_variable_is_none() {
    let options = options(&[], &[("E2E_MCP_PROT", "1"), ("E2E_MCP_ZZZ", "1"), ("E2E_MCP_PORT", "")]);
    assert_eq!(
        options.warnings,
        [
            "the variable E2E_MCP_PROT is unknown; did you mean E2E_MCP_PORT?",
            "the variable E2E_MCP_ZZZ is unknown and has no effect"
        ]
    );
    assert_eq!(options.transport, Transport::Stdio);
}

#[cfg(unix)]
#[test]
fn what_is_not_unicode_is_refused() {
    use std::os::unix::ffi::OsStringExt;
    let broken = || OsString::from_vec(vec![b'a', 0xff]);
    let environment: Environment = [("E2E_MCP_HOST", broken())].into_iter().collect();
    let refused = resolve([], &environment, Path::new("/"), &[]).unwrap_err();
    assert_eq!(refused.to_string(), "variable E2E_MCP_HOST: the value is not valid UTF-8");
    let args = [OsString::from("--host"), broken()];
    let refused = resolve(args, &Environment::default(), Path::new("/"), &[]).unwrap_err();
    assert_eq!(refused.to_string(), "flag --host: the value is not valid UTF-8");
    assert!(resolve([broken()], &Environment::default(), Path::new("/"), &[]).is_err());
}

#[test]
fn the_help_reads_well_in_80_columns() {
    let Parsed::Help(help) = run(&["--help"], &[]).unwrap() else { panic!("help") };
    assert!(help.lines().all(|line| line.chars().count() <= 80), "{help}");
    insta::assert_snapshot!(help);
}

#[test]
fn the_version_is_the_packages() {
    let Parsed::Version(version) = run(&["-V"], &[]).unwrap() else { panic!("version") };
    assert_eq!(version.trim(), concat!("e2e-mcp-server ", env!("CARGO_PKG_VERSION")));
}

proptest! {
    #[test]
    fn whatever_is_typed_is_understood_or_refused(args in prop::collection::vec("(--)?(port|tools|kill-grace|host|\\PC{0,6})=?(\\PC{0,6})", 0..4)) {
        let _ = resolve(args.into_iter().map(OsString::from), &Environment::default(), Path::new("/nowhere"), &[]);
    }
}

#[test]
fn seed_cs_spellings_of_its_settings_are_understood() {
    let args = ["--browser", "chromium", "--headless=false", "--sessionTimeout", "9000", "--maxSessions=3"];
    let browser = options(&args, &[]).browser;
    assert_eq!((browser.headless, browser.idle_limit.as_millis(), browser.most_sessions), (false, 9000, 3));
    for (args, headless) in [
        (&["--headless"][..], true),
        (&["--headless", "false"], false),
        (&["--headless", "true", "--max-sessions", "2"], true),
        (&["--headless", "--max-sessions", "2"], true),
    ] {
        assert_eq!(options(args, &[("DISPLAY", ":0")]).browser.headless, headless, "{args:?}");
    }
}

#[test]
fn nothing_said_is_chromium_with_five_minutes_and_ten_sessions() {
    let browser = options(&[], &[]).browser;
    assert_eq!(browser.kind, engine::backend::BrowserKind::Chromium);
    assert_eq!((browser.idle_limit, browser.most_sessions), (Duration::from_secs(300), 10));
    assert_eq!((browser.lifetime, browser.viewport), (Duration::from_secs(3600), (1280, 720)));
    assert_eq!(options(&["--browser=firefox"], &[]).browser.kind, engine::backend::BrowserKind::Firefox);
}

#[test]
fn what_is_chromiums_own_beside_another_browser_ends_the_start() {
    assert_eq!(
        refusal(&["--browser=firefox", "--channel=chrome"], &[]),
        "flag --channel is chromium's, but flag --browser asks for firefox: leave one of them out"
    );
    let variables = [("E2E_MCP_BROWSER", "webkit")];
    assert_eq!(
        refusal(&["--cdp-endpoint=ws://127.0.0.1:1"], &variables),
        "flag --cdp-endpoint is chromium's, but variable E2E_MCP_BROWSER asks for webkit: leave one of them out"
    );
    assert!(options(&["--browser=chromium", "--channel=chrome"], &[]).browser.channel.is_some());
}

#[test]
fn a_program_that_is_plainly_another_browser_ends_the_start() {
    assert_eq!(
        refusal(&["--executable-path=/usr/bin/firefox-esr"], &[]),
        "flag --executable-path: /usr/bin/firefox-esr is a firefox, but the browser is to be chromium: \
         set --browser firefox, or name another program"
    );
    let named = |args: &[&str]| options(args, &[]).browser.executable;
    assert!(named(&["--browser=firefox", "--executable-path=/usr/bin/firefox-esr"]).is_some());
    assert!(named(&["--browser=webkit", "--executable-path=/opt/mine"]).is_some(), "it may be one");
}

#[test]
fn the_privileged_scope_is_closed_unless_it_is_asked_for() {
    assert!(!options(&["--browser=firefox"], &[]).browser.firefox_system_access);
    assert!(options(&["--firefox-system-access"], &[]).browser.firefox_system_access);
}

#[cfg(all(unix, not(target_os = "macos")))]
#[test]
fn windows_are_shown_where_there_is_a_display() {
    let of = |variables: &[(&str, &str)]| {
        let browser = options(&[], variables).browser;
        (browser.headless, browser.no_display)
    };
    assert_eq!(of(&[("DISPLAY", ":0")]), (false, false));
    assert_eq!(of(&[("WAYLAND_DISPLAY", "wayland-0")]), (false, false));
    assert_eq!(of(&[]), (true, true));
    assert!(!options(&["--headless"], &[]).browser.no_display, "it was asked for");
}

#[test]
fn sizes_and_arguments_are_read_and_bad_ones_named() {
    let args = ["--viewport-size=800x600", "--browser-args=--a=1,2 --b", "--codegen=none"];
    let browser = options(&args, &[]).browser;
    assert_eq!((browser.viewport, browser.codegen), ((800, 600), None));
    assert_eq!(browser.arguments, ["--a=1,2", "--b"]);
    let refused = refusal(&["--viewport-size=big"], &[]);
    assert_eq!(refused, "flag --viewport-size: \"big\" is not a size such as 1280x720");
}

#[test]
fn test_ids_are_in_whichever_attribute_is_named() {
    assert_eq!(options(&[], &[]).browser.test_id_attribute, None);
    let named = options(&["--test-id-attribute", "data-qa"], &[]).browser.test_id_attribute;
    assert_eq!(named.as_deref(), Some("data-qa"));
    let refused = refusal(&["--test-id-attribute", "no name"], &[]);
    assert!(refused.contains("the name of an attribute"), "{refused}");
}

#[test]
fn a_session_idles_ten_minutes_with_a_dev_server_and_five_without_unless_told_otherwise() {
    let idle = |args: &[&str], variables: &[(&str, &str)]| {
        let browser = options(args, variables).browser;
        (browser.idle_limit.as_secs(), browser.idle_limit_with_app.as_secs())
    };
    assert_eq!(idle(&[], &[]), (300, 600));
    assert_eq!(idle(&["--session-timeout", "7000"], &[]), (7, 7));
    assert_eq!(idle(&[], &[("E2E_MCP_SESSION_TIMEOUT", "9000")]), (9, 9));
}

#[test]
fn a_dev_server_is_a_command_or_a_plain_one_and_only_what_belongs_to_it_is_taken() {
    let server = |args: &[&str]| options(args, &[]).app.server;
    assert_eq!(server(&[]), DevServer::Any);
    let command =
        options(&["--server-args=--env test"], &[("SERVER_COMMAND_PATH", "/bin/command")]).app.server;
    let args = vec!["--env".to_owned(), "test".to_owned()];
    assert_eq!(command, DevServer::Command { program: "/bin/command".into(), args });
    let plain = |ready| DevServer::Plain { line: "npm run dev".to_owned(), ready };
    assert_eq!(server(&["--dev", "npm run dev"]), plain(Readiness::Port));
    assert_eq!(
        server(&["--dev", "npm run dev", "--ready-url", "/health"]),
        plain(Readiness::Url("/health".to_owned()))
    );
    assert_eq!(
        server(&["--dev", "npm run dev", "--ready-log", "^ready"]),
        plain(Readiness::Log("^ready".to_owned()))
    );
    for args in [
        &["--dev", "a", "--server-command", "/b"][..],
        &["--ready-url", "/"],
        &["--server-args", "x"],
        &["--dev", "a", "--server-args", "x"],
        &["--dev", "a", "--ready-url", "/", "--ready-log", "x"],
        &["--dev", "a", "--ready-log", "("],
    ] {
        assert!(refusal(args, &[]).contains("is not"), "{args:?}: {}", refusal(args, &[]));
    }
}

#[test]
fn secrets_are_read_at_start_and_a_file_that_is_none_is_refused_without_its_content() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join(".env");
    std::fs::write(&path, "PASS=hunter22\nPIN=1\n").unwrap();
    let given = options(&["--secrets", path.to_str().unwrap()], &[]);
    assert_eq!(given.app.secrets.names().collect::<Vec<_>>(), ["PASS", "PIN"]);
    assert!(given.warnings.iter().any(|warning| warning.contains("PIN")), "{:?}", given.warnings);
    assert!(!format!("{given:?}").contains("hunter22"));
    std::fs::write(&path, "hunter22\n").unwrap();
    let refused = refusal(&["--secrets", path.to_str().unwrap()], &[]);
    assert!(refused.contains("line 1") && !refused.contains("hunter22"), "{refused}");
    assert!(refusal(&["--secrets", "/no/such"], &[]).contains("/no/such"));
}

#[test]
fn an_address_that_others_reach_needs_an_issuer_and_the_address_that_they_use() {
    let (host, issuer) = ("--host=0.0.0.0", "--oauth-issuer=https://id.example");
    let told = refusal(&["--port=1", host], &[]);
    assert!(told.contains("without authorization") && told.contains("--oauth-issuer"), "{told}");
    let told = refusal(&["--port=1", host, issuer], &[]);
    assert!(told.contains("--public-url"), "{told}");
    let options = options(&["--port=1", host, issuer, "--public-url=https://e2e.example/"], &[]);
    assert_eq!(options.transport, Transport::Http { host: [0, 0, 0, 0].into(), port: 1 });
    let authorization = options.service.authorization.unwrap();
    assert_eq!(authorization.issuer.text(), "https://id.example");
    assert_eq!((authorization.scope.as_str(), authorization.audiences), ("mcp:execute", None));
    assert_eq!(options.service.metrics, MetricsAccess::Token);
}

#[test]
fn production_over_http_needs_an_issuer() {
    let production = [("E2E_MCP_ENV", "production")];
    let told = refusal(&["--port=1"], &production);
    assert!(told.contains("E2E_MCP_ENV") && told.contains("--oauth-issuer"), "{told}");
    assert!(
        options(&["--port=1", "--oauth-issuer=https://id.example"], &production)
            .service
            .authorization
            .is_some()
    );
    assert_eq!(options(&[], &production).transport, Transport::Stdio, "over stdio there is nobody else");
    assert!(options(&["--port=1"], &[("E2E_MCP_ENV", "development")]).service.authorization.is_none());
}

#[test]
fn an_issuer_a_public_url_and_a_scope_are_what_their_standards_say() {
    for (flag, part) in [
        ("--oauth-issuer=http://id.example", "https"),
        ("--oauth-issuer=nonsense", "no URL"),
        ("--public-url=ftp://e2e.example", "http or https"),
        ("--public-url=https://e2e.example/?a", "without user"),
        ("--metrics=token", "--oauth-issuer"),
        ("--max-body-size=1", "an integer from 1024"),
    ] {
        let told = refusal(&["--port=1", flag], &[]);
        assert!(told.contains(part), "{flag}: {told}");
    }
    let told = refusal(&["--oauth-issuer=http://localhost:1", "--oauth-scope=a b"], &[]);
    assert!(told.contains("--oauth-scope"), "{told}");
    let audiences = ["--oauth-issuer=http://localhost:1", "--port=1", "--oauth-audience=api://e2e,other"];
    let audiences = options(&audiences, &[]).service.authorization.unwrap().audiences.unwrap();
    assert_eq!(audiences, ["api://e2e", "other"]);
}

#[test]
fn every_limit_of_http_is_a_setting() {
    let flags = [
        "--rate-limit-calls=1",
        "--rate-limit-sessions=2",
        "--max-concurrent-calls=3",
        "--max-concurrent-calls-per-client=4",
        "--max-body-size=5000",
        "--max-connections=6",
        "--idle-timeout=700",
        "--body-timeout=800",
        "--drain-timeout=900",
    ];
    let given = options(&flags, &[]).service.limits;
    assert_eq!((given.calls_a_minute, given.sessions_a_minute), (1, 2));
    assert_eq!((given.calls, given.calls_per_client, given.body_size, given.connections), (3, 4, 5000, 6));
    let millis = [given.headers, given.body, given.drain].map(|time| time.as_millis());
    assert_eq!(millis, [700, 800, 900]);
    let usual = options(&[], &[]).service.limits;
    assert_eq!(
        (usual.calls_a_minute, usual.sessions_a_minute, usual.drain),
        (100, 10, Duration::from_secs(10))
    );
}

#[test]
fn what_browsers_may_reach_is_a_list_by_any_of_its_names() {
    let judged = |options: &Options, host: &str| options.egress.rules.judge(host, 80, &[]).is_ok();
    let open = options(&[], &[]);
    assert!(judged(&open, "1.1.1.1") && !judged(&open, "10.0.0.1") && judged(&open, "localhost"));
    for listed in [
        options(&["--allowed-hosts", "10.0.0.0/8,example.com"], &[]),
        options(&[], &[("ALLOWED_HOSTS", " 10.0.0.0/8 , example.com ")]),
        options(&[], &[("E2E_MCP_ALLOWED_HOSTS", "10.0.0.0/8"), ("ALLOWED_HOSTS", "1.1.1.1")]),
    ] {
        assert!(!judged(&listed, "1.1.1.1") && judged(&listed, "10.0.0.1") && judged(&listed, "localhost"));
    }
    let strict = options(&["--strict-loopback"], &[]);
    assert!(strict.egress.strict_loopback && !judged(&strict, "localhost"));
    assert_eq!(
        refusal(&["--allowed-hosts", "https://a.test"], &[]),
        "flag --allowed-hosts: \"https://a.test\" is a URL; give its host, with or without a port"
    );
    assert!(refusal(&["--allowed-hosts", ","], &[]).contains("at least one host"));
}

#[test]
fn a_boundary_that_a_fleet_would_not_have_is_refused_and_its_lack_is_told() {
    let fleet = ["--cdp-endpoint", "ws://chrome.internal:9222/"];
    let told = options(&fleet, &[]).warnings;
    assert!(told.len() == 1 && told[0].contains("not bounded"), "{told:?}");
    for flags in [&["--allowed-hosts", "a.test"][..], &["--strict-loopback"]] {
        let refused = refusal(&[&fleet[..], flags].concat(), &[]);
        assert!(refused.contains("beside --cdp-endpoint"), "{refused}");
    }
}
