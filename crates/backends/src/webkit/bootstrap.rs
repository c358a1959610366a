//! The one script that runs in every new document before the page's own (bootstrap.js), and what it is given.

use engine::backend::Geolocation;
use serde::Serialize;
use serde_json::json;

const TEXT: &str = include_str!("bootstrap.js");

/// What documents are told to be; it can change while they are there.
#[derive(Debug, Clone, Default, Serialize)]
pub(super) struct Overrides {
    pub(super) offline: bool,
    pub(super) position: Option<Geolocation>,
    pub(super) granted: Vec<Grant>,
}

/// A permission that is granted, to an origin or to all.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub(super) struct Grant {
    pub(super) name: String,
    pub(super) origin: Option<String>,
}

/// What the scripts of a context are made of.
#[derive(Debug)]
pub(super) struct Recipe {
    /// A secret of the context's: pages that don't know it can neither find nor imitate what is said under its name.
    pub(super) token: String,
    /// The injected script.
    script: String,
    pub(super) overrides: Overrides,
    init_scripts: Vec<InitScript>,
}

/// The watch, or a script of the user's. It stands in ours, so it has to be one: what the browser could not read is told when it
/// would run.
#[derive(Debug)]
struct InitScript {
    text: String,
    read: bool,
}

impl Recipe {
    pub(super) fn new(token: String, test_ids: Option<&str>, overrides: Overrides) -> Self {
        let script = engine::injected::script();
        let script = match test_ids {
            Some(attribute) => engine::injected::with_test_ids(&script, attribute),
            None => script,
        };
        let watch = InitScript { text: engine::injected::watch().to_owned(), read: true };
        Self { token, script, overrides, init_scripts: vec![watch] }
    }

    /// The whole script.
    pub(super) fn text(&self) -> String {
        let token = json!(self.token);
        let overrides = json!(self.overrides);
        let read = self.init_scripts.iter().filter(|script| script.read);
        let scripts: Vec<String> = read.map(|script| format!("() => {{\n{}\n}}", script.text)).collect();
        let bootstrap = TEXT.trim_end();
        format!("({bootstrap})({token}, () => {}, {overrides}, [{}]);", self.script, scripts.join(","))
    }

    /// Another script, which runs once it was read.
    pub(super) fn add(&mut self, text: String) {
        self.init_scripts.push(InitScript { text, read: false });
    }

    /// The first script that nobody has read yet, and its number.
    pub(super) fn unread(&self) -> Option<(usize, String)> {
        let at = self.init_scripts.iter().position(|script| !script.read)?;
        Some((at, self.init_scripts[at].text.clone()))
    }

    /// A script was read, or has this fault.
    pub(super) fn was_read(&mut self, at: usize, fault: Option<&str>) {
        let Some(script) = self.init_scripts.get_mut(at) else { return };
        script.read = true;
        if let Some(fault) = fault {
            script.text = format!("throw new SyntaxError({})", json!(format!("in an init script: {fault}")));
        }
    }

    /// The name under which bootstrap.js listens for this.
    pub(super) fn name(&self, kind: &str) -> String {
        format!("{}:{kind}", self.token)
    }

    /// An expression that asks a document for something that bootstrap.js keeps.
    pub(super) fn ask(&self, kind: &str, given: &impl Serialize) -> String {
        let (name, given) = (json!(self.name(kind)), json!(given));
        format!(
            "(() => {{ const box = {{ given: {given} }}; \
             window.dispatchEvent(new CustomEvent({name}, {{ detail: box }})); return box.answer; }})()"
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn init_scripts_stand_in_their_order_and_behind_each_other() {
        let mut recipe = Recipe::new("secret".to_owned(), Some("data-qa"), Overrides::default());
        for script in ["initOne() // to the line's end", "initTwo()", "}} three("] {
            recipe.add(script.to_owned());
        }
        assert!(!recipe.text().contains("initOne()"));
        while let Some((at, text)) = recipe.unread() {
            recipe.was_read(at, text.starts_with('}').then_some("no \"script\""));
        }
        let text = recipe.text();
        let (one, two) = (text.find("initOne()").unwrap(), text.find("initTwo()").unwrap());
        assert!(one < two && text.contains("\"data-qa\"") && text.contains("\"secret\""));
        assert!(text.contains("// to the line's end\n}"));
        assert!(
            !text.contains("three(") && text.contains(r#"SyntaxError("in an init script: no \"script\"")"#)
        );
    }
}
