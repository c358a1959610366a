//! The browser's own list of commands: a script for its inspector, one line for each.

/// What a browser can be asked.
#[derive(Debug, Clone, Default)]
pub struct Commands(String);

/// A browser that lacks something we can't do without.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("this version of WebKit has no {}", .0.join(", "))]
pub struct Lacking(pub Vec<&'static str>);

impl Commands {
    /// From the text that [`Notice::Commands`](super::Notice::Commands) carries.
    pub fn new(text: String) -> Self {
        Self(text)
    }

    /// Whether the browser knows a command: `Page.navigate`.
    pub fn has(&self, command: &str) -> bool {
        self.0.contains(&format!("registerCommand(\"{command}\""))
    }

    /// Checks that every one of `needed` is there.
    ///
    /// # Errors
    /// [`Lacking`] names those that are not. A browser that sent no list is given the benefit of the doubt: it refuses by
    /// itself what it can't do.
    pub fn check(&self, needed: &[&'static str]) -> Result<(), Lacking> {
        let missing: Vec<_> = needed.iter().copied().filter(|command| !self.has(command)).collect();
        if self.0.is_empty() || missing.is_empty() { Ok(()) } else { Err(Lacking(missing)) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_version_that_lacks_a_command_is_refused_by_its_name() {
        let list = r#"InspectorBackend.registerCommand("Page.navigate", [], []);"#;
        let commands = Commands::new(list.to_owned());
        assert_eq!(commands.check(&["Page.navigate"]), Ok(()));
        let lacking = commands.check(&["Page.navigate", "Page.snapshotRect"]).unwrap_err();
        assert_eq!(lacking.to_string(), "this version of WebKit has no Page.snapshotRect");
        assert_eq!(Commands::default().check(&["Page.navigate"]), Ok(()));
    }
}
