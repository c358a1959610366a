//! The second half of the demo: an agent uses the app that it wrote, in a real browser.

use std::path::Path;
use std::time::{Duration, Instant};

use anyhow::{Context, ensure};
use serde_json::{Value, json};
use testkit::mcp::{Revision, StdioClient};
use testkit::site::{Response, Site};

use super::show;

const APP: &str = include_str!("sample_app.html");

/// One call: what it shows, and what its answer must say.
struct Scene {
    title: &'static str,
    tool: &'static str,
    arguments: fn(&Site) -> Value,
    fails: bool,
    says: &'static str,
}

const SCENES: &[Scene] = &[
    Scene {
        title: "The agent opens the app that it wrote, and sees it as its users' assistive technology does",
        tool: "navigate",
        arguments: |site| json!({ "url": site.url("/") }),
        fails: false,
        says: "button \"Add to cart\"",
    },
    Scene {
        title: "It fills in the form",
        tool: "fill_form",
        arguments: |_| {
            json!({ "fields": [
                { "name": "Product", "type": "textbox", "selector": "getByLabel('Product')", "value": "bread" },
                { "name": "Quantity", "type": "textbox", "selector": "getByLabel('Quantity')", "value": "3" },
            ] })
        },
        fails: false,
        says: "bread",
    },
    Scene {
        title: "It clicks: the page asks its server, and the answer shows what changed after that",
        tool: "click",
        arguments: |_| json!({ "selector": "getByRole('button', { name: 'Add to cart' })" }),
        fails: false,
        says: "7.50",
    },
    Scene {
        title: "What the page complains about comes with the answer",
        tool: "type",
        arguments: |_| json!({ "selector": "getByLabel('Product')", "text": "caviar", "submit": true }),
        fails: false,
        says: "no price for caviar",
    },
    Scene {
        title: "It orders, and a notice covers the page",
        tool: "click",
        arguments: |_| json!({ "selector": "text=Order" }),
        fails: false,
        says: "Your order is on its way",
    },
    Scene {
        title: "A click that no user could do fails in its time, and says why, with a picture",
        tool: "click",
        arguments: |_| json!({ "selector": "getByRole('button', { name: 'Remove bread' })", "timeout": 1000 }),
        fails: true,
        says: "ELEMENT_NOT_CLICKABLE",
    },
    Scene {
        title: "It takes a picture",
        tool: "screenshot",
        arguments: |_| json!({ "filename": "shop.png" }),
        fails: false,
        says: "shop.png",
    },
];

/// Plays the scenes against the app on a server of ours.
pub(super) fn play(binary: &Path, folder: &Path) -> anyhow::Result<()> {
    let site = Site::start()?;
    site.page("/", APP);
    site.route("/price", |request| match request.param("of").as_deref() {
        Some("bread") => Response::json(&json!(2.5)).after(Duration::from_millis(100)),
        _ => Response::status(404),
    });
    show::heading("An agent starts the server for its browser");
    let workspace = folder.to_string_lossy();
    let args = ["--tools", "browser", "--headless", "--workspace", &workspace];
    println!("$ e2e-mcp-server {}", args.join(" "));
    let mut client = StdioClient::start(binary, &args, &[], folder)?;
    client.initialize(Revision::V2025_11_25)?;
    let names: Vec<String> = client.list_tools()?.iter().map(|tool| show::plain(&tool["name"])).collect();
    println!("{} tools: {}", names.len(), names.join(", "));
    for scene in SCENES {
        show::heading(scene.title);
        play_scene(&mut client, scene, &site)?;
    }
    let picture = find(folder, "shop.png").context("the picture is not there")?;
    println!("\nThe picture is in {} ({} bytes).", picture.display(), std::fs::metadata(&picture)?.len());
    show::heading("The agent goes away");
    client.close_stdin();
    let status = client.wait_exit(Duration::from_secs(10))?;
    println!("the server ended itself, and its browser with it ({status})");
    Ok(())
}

fn play_scene(client: &mut StdioClient, scene: &Scene, site: &Site) -> anyhow::Result<()> {
    let arguments = (scene.arguments)(site);
    println!("→ {} {arguments}", scene.tool);
    let began = Instant::now();
    let result = client.call_tool_within(scene.tool, &arguments, Duration::from_secs(90))?;
    println!("← after {} ms", began.elapsed().as_millis());
    show::text(&result.text());
    ensure!(result.is_error() == scene.fails, "it should {}", if scene.fails { "fail" } else { "not fail" });
    ensure!(result.text().contains(scene.says), "the answer should say {:?}", scene.says);
    Ok(())
}

/// The file of this name below `folder`.
fn find(folder: &Path, name: &str) -> Option<std::path::PathBuf> {
    let entries = std::fs::read_dir(folder).ok()?;
    entries
        .flatten()
        .map(|entry| entry.path())
        .find_map(|path| if path.is_dir() { find(&path, name) } else { path.ends_with(name).then_some(path) })
}
