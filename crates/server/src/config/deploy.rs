//! What deploy/ and the Containerfile set is understood, all of it.

use std::path::Path;

use serde_json::Value;

use super::settings::SETTINGS;
use super::{Environment, Options, Parsed, Transport, resolve};
use crate::config::DevServer;

fn file(name: &str) -> String {
    std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(name)).unwrap()
}

/// What the server makes of these variables, each of which must be a setting's.
fn understood(variables: &[(String, String)]) -> Options {
    for (name, _) in variables {
        let known = SETTINGS.iter().any(|setting| setting.all_variables().contains(name));
        assert!(known, "{name} is no setting");
    }
    let environment: Environment = variables.iter().cloned().collect();
    match resolve(Vec::new(), &environment, Path::new("/workspace"), &[]).unwrap() {
        Parsed::Run(options) => {
            assert_eq!(options.warnings, Vec::<String>::new());
            *options
        }
        other => panic!("{other:?}"),
    }
}

/// Every container of a document, wherever it is.
fn containers(value: &Value) -> Vec<&Value> {
    let mut found: Vec<&Value> = value["containers"].as_array().into_iter().flatten().collect();
    let fields = value.as_object().into_iter().flat_map(serde_json::Map::values);
    let items = value.as_array().into_iter().flatten();
    fields.chain(items).for_each(|inner| found.extend(containers(inner)));
    found
}

fn variables(container: &Value) -> Vec<(String, String)> {
    let text = |value: &Value| value.as_str().unwrap_or_else(|| panic!("{value} is no text")).to_owned();
    let env = container["env"].as_array().unwrap();
    env.iter().map(|one| (text(&one["name"]), text(&one["value"]))).collect()
}

#[test]
fn every_variable_of_the_deployments_is_a_setting_with_a_value_that_it_takes() {
    for name in ["deploy/kubernetes.yaml", "deploy/cloud-run.yaml"] {
        let documents: Vec<Value> = serde_saphyr::from_multiple(&file(name)).unwrap();
        let all: Vec<&Value> = documents.iter().flat_map(containers).collect();
        let [container] = all[..] else { panic!("{name} has {} containers", all.len()) };
        let options = understood(&variables(container));
        let port = container["ports"][0]["containerPort"].as_u64().unwrap();
        assert!(
            matches!(&options.transport, Transport::Http { host, port: own } if host.is_unspecified() && u64::from(*own) == port),
            "{name}: {:?}",
            options.transport
        );
        assert!(options.service.authorization.is_some() && options.service.public_url.is_some(), "{name}");
        assert!(matches!(options.app.server, DevServer::Command { .. }), "{name} sets SERVER_COMMAND_PATH");
        assert_eq!(options.browser.idle_limit_with_app.as_secs(), 600, "{name} sets the idle time-out");
        for probe in ["startupProbe", "livenessProbe"] {
            assert_eq!(container[probe]["httpGet"]["path"], "/health/live", "{name}");
        }
        let args = container["args"].as_array();
        assert!(args.is_none(), "{name}: flags would have to be checked here, too");
    }
}

#[test]
fn calls_are_cut_before_the_platform_kills() {
    let drain = |name: &str| {
        let documents: Vec<Value> = serde_saphyr::from_multiple(&file(name)).unwrap();
        let options = understood(&variables(containers(&documents[0])[0]));
        (documents, options.service.limits.drain.as_secs())
    };
    let (documents, seconds) = drain("deploy/kubernetes.yaml");
    let grace = documents[0]["spec"]["template"]["spec"]["terminationGracePeriodSeconds"].as_u64().unwrap();
    assert!(seconds + 20 <= grace, "sessions need time to end, too");
    assert!(drain("deploy/cloud-run.yaml").1 <= 5, "Cloud Run kills after 10 s");
}

#[test]
fn a_pod_is_confined_and_so_are_its_pages() {
    let documents: Vec<Value> = serde_saphyr::from_multiple(&file("deploy/kubernetes.yaml")).unwrap();
    let pod = &documents[0]["spec"]["template"]["spec"];
    assert_eq!(pod["securityContext"]["runAsNonRoot"], true);
    assert_eq!(pod["securityContext"]["seccompProfile"]["type"], "Localhost");
    let container = &pod["containers"][0];
    assert_eq!(container["securityContext"]["readOnlyRootFilesystem"], true);
    assert_eq!(container["securityContext"]["allowPrivilegeEscalation"], false);
    assert!(!variables(container).iter().any(|(name, _)| name == "E2E_MCP_NO_SANDBOX"));
    let profile: Value = serde_json::from_str(&file("deploy/seccomp.json")).unwrap();
    let refused = profile["syscalls"][0]["names"].as_array().unwrap();
    assert!(
        ["clone", "clone3", "unshare", "chroot"].iter().all(|needed| !refused.contains(&(*needed).into()))
    );
}

#[test]
fn the_containers_own_variables_are_settings_and_its_user_is_the_installations() {
    let text = file("Containerfile");
    let line = |start: &'static str| text.lines().filter_map(move |line| line.strip_prefix(start));
    let mut set: Vec<(String, String)> =
        line("ENV ").map(|pair| pair.split_once('=').unwrap()).map(|(n, v)| (n.into(), v.into())).collect();
    assert!(set.len() >= 5, "{set:?}");
    // What everyone who runs it has to add.
    set.push(("E2E_MCP_OAUTH_ISSUER".into(), "https://id.example.com".into()));
    set.push(("E2E_MCP_PUBLIC_URL".into(), "https://e2e.example.com".into()));
    let options = understood(&set);
    assert!(options.browser.headless && !options.browser.no_sandbox);
    assert!(line("EXPOSE ").eq(["3000"]) && matches!(options.transport, Transport::Http { port: 3000, .. }));
    let user = line("USER ").next_back().unwrap().split(':').next().unwrap();
    assert!(file("deploy/install.sh").contains(&format!("\nID={user}\n")), "{user}");
    assert!(file("deploy/kubernetes.yaml").contains(&format!("runAsUser: {user}\n")), "{user}");
}
