//! Secrets: values that are used by their names and never shown.
//!
//! Whoever lets text out of the process passes it through [`Secrets::hide`], and whoever acts for a caller puts the values
//! in by [`Secrets::fill`]. In between, only `{{secret:NAME}}` is seen. A value is also found in the forms that texts
//! give it on their way out: inside JSON, in the code of a test, in the address of a form that was sent.

use std::borrow::Cow;
use std::fmt;
use std::sync::Arc;

/// A shorter value is too likely to be a part of something else; it can be used, but not hidden.
const SHORTEST: usize = 4;

/// What [`clip`](crate::clip) puts behind what it kept, and before it.
const CUT_AFTER: &str = "… [";
const CUT_BEFORE: &str = "] …";

const OPENING: &str = "{{secret:";
const CLOSING: &str = "}}";

/// A value that can't be printed by mistake.
#[derive(Clone, PartialEq, Eq)]
pub struct Secret(String);

impl Secret {
    /// Takes the value.
    pub fn new(value: impl Into<String>) -> Self {
        Self(value.into())
    }

    /// The value itself; the name of this method is the warning.
    pub fn expose(&self) -> &str {
        &self.0
    }
}

impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Secret(…)")
    }
}

/// Secrets by their names. Clones are cheap.
#[derive(Clone, Default, PartialEq, Eq)]
pub struct Secrets(Arc<Known>);

#[derive(Default, PartialEq, Eq)]
struct Known {
    values: Vec<(String, Secret)>,
    /// Every form of every value with its name, the longest first.
    forms: Vec<(String, usize)>,
}

/// A line of a dotenv file that is none. The line itself is not told: it may hold a secret.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("line {line} is not NAME=value: {why}")]
pub struct BadLine {
    /// Its number, counted from 1.
    pub line: usize,
    /// What is wrong with it.
    pub why: &'static str,
}

/// A name that no secret has.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("there is no secret {name:?}")]
pub struct UnknownSecret {
    /// As it was written.
    pub name: String,
}

impl Secrets {
    /// Reads a dotenv file: `NAME=value` lines, `export` before them, comments, quotes of both kinds. In double quotes
    /// `\n`, `\"` and the like are understood, and a value may go over several lines.
    ///
    /// # Errors
    /// [`BadLine`] for the first line that is none of that.
    pub fn parse(text: &str) -> Result<Self, BadLine> {
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        let mut values: Vec<(String, Secret)> = Vec::new();
        let (mut at, mut line) = (0, 0);
        while at < text.len() {
            line += 1;
            let end = line_end(text, at);
            let entry = text[at..end].trim_start();
            at = end + 1;
            if entry.trim_end().is_empty() || entry.starts_with('#') {
                continue;
            }
            let bad = |why| BadLine { line, why };
            let entry = entry.strip_prefix("export ").unwrap_or(entry);
            let (name, value) = entry.split_once('=').ok_or_else(|| bad("there is no `=`"))?;
            let (name, value) = (name.trim(), value.trim_start());
            if !is_name(name) {
                return Err(bad("its name is not made of letters, digits and underscores"));
            }
            let value = match value.chars().next() {
                // It may end lines later; what follows it on its last line is no part of it.
                Some(quote @ ('"' | '\'')) => {
                    let inside = &text[end - value.len() + 1..];
                    let (value, length) =
                        quoted(inside, quote).ok_or_else(|| bad("its quote is not closed"))?;
                    line += inside[..length].matches('\n').count();
                    at = line_end(text, text.len() - inside.len() + length) + 1;
                    value
                }
                _ => value.split(" #").next().unwrap_or_default().trim_end().to_owned(),
            };
            values.retain(|(known, _)| known != name);
            values.push((name.to_owned(), Secret::new(value)));
        }
        Ok(Self::of(values))
    }

    /// These.
    pub fn of(values: impl IntoIterator<Item = (String, Secret)>) -> Self {
        let values: Vec<(String, Secret)> = values.into_iter().collect();
        let mut forms: Vec<(String, usize)> = Vec::new();
        for (at, (_, secret)) in values.iter().enumerate() {
            if hideable(secret) {
                forms.extend(forms_of(secret.expose()).into_iter().map(|form| (form, at)));
            }
        }
        forms.sort_by(|one, other| other.0.len().cmp(&one.0.len()).then_with(|| one.cmp(other)));
        forms.dedup_by(|one, other| one.0 == other.0);
        Self(Arc::new(Known { values, forms }))
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.0.values.is_empty()
    }

    /// Their names, in the order of the file.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.0.values.iter().map(|(name, _)| name.as_str())
    }

    /// The names of those that are too short to be hidden.
    pub fn too_short(&self) -> impl Iterator<Item = &str> {
        self.0.values.iter().filter(|(_, secret)| !hideable(secret)).map(|(name, _)| name.as_str())
    }

    /// The text with each value in place of its `{{secret:NAME}}`.
    ///
    /// # Errors
    /// [`UnknownSecret`] for a name that is not among them.
    pub fn fill<'a>(&self, text: &'a str) -> Result<Cow<'a, str>, UnknownSecret> {
        if !text.contains(OPENING) {
            return Ok(Cow::Borrowed(text));
        }
        let (mut filled, mut rest) = (String::with_capacity(text.len()), text);
        while let Some((before, after)) = rest.split_once(OPENING) {
            filled.push_str(before);
            let Some((name, after)) = after.split_once(CLOSING) else {
                filled.push_str(OPENING);
                rest = after;
                continue;
            };
            let name = name.trim();
            let known = self.0.values.iter().find(|(known, _)| known == name);
            let (_, secret) = known.ok_or_else(|| UnknownSecret { name: name.to_owned() })?;
            filled.push_str(secret.expose());
            rest = after;
        }
        filled.push_str(rest);
        Ok(Cow::Owned(filled))
    }

    /// The text with `{{secret:NAME}}` in place of each value, and of what [`clip`](crate::clip) left of one.
    pub fn hide<'a>(&self, text: &'a str) -> Cow<'a, str> {
        match self.hide_whole(text) {
            Cow::Owned(hidden) => Cow::Owned(self.hide_cut(&hidden).unwrap_or(hidden)),
            Cow::Borrowed(text) => self.hide_cut(text).map_or(Cow::Borrowed(text), Cow::Owned),
        }
    }

    fn hide_whole<'a>(&self, text: &'a str) -> Cow<'a, str> {
        let mut hidden = String::new();
        let mut rest = text;
        while let Some((at, form, value)) = self.first_in(rest) {
            hidden.push_str(&rest[..at]);
            hidden.push_str(OPENING);
            hidden.push_str(&self.0.values[value].0);
            hidden.push_str(CLOSING);
            rest = &rest[at + form..];
        }
        if hidden.is_empty() && rest.len() == text.len() {
            return Cow::Borrowed(text);
        }
        hidden.push_str(rest);
        Cow::Owned(hidden)
    }

    /// The same where a cut went through a value: its beginning before the cut, or its end after one.
    fn hide_cut(&self, text: &str) -> Option<String> {
        if !text.contains(CUT_AFTER) && !text.contains(CUT_BEFORE) {
            return None;
        }
        let mut hidden: Option<String> = None;
        for (form, value) in &self.0.forms {
            let name = format!("{OPENING}{}{CLOSING}", self.0.values[*value].0);
            let cuts = form.char_indices().map(|(at, _)| at).filter(|at| *at > 0);
            for at in cuts.rev() {
                let (front, back) = form.split_at(at);
                let before = Some((format!("{front}{CUT_AFTER}"), format!("{name}{CUT_AFTER}")));
                let after = Some((format!("{CUT_BEFORE}{back}"), format!("{CUT_BEFORE}{name}")));
                let long = |part: &str| part.chars().count() >= SHORTEST;
                let parts = [before.filter(|_| long(front)), after.filter(|_| long(back))];
                for (part, name) in parts.into_iter().flatten() {
                    let now = hidden.as_deref().unwrap_or(text);
                    if now.contains(&part) {
                        hidden = Some(now.replace(&part, &name));
                    }
                }
            }
        }
        hidden
    }

    /// Where the first value stands, how long it is there, and which it is. Of several in one place, the longest.
    fn first_in(&self, text: &str) -> Option<(usize, usize, usize)> {
        let found =
            self.0.forms.iter().filter_map(|(form, value)| Some((text.find(form)?, form.len(), *value)));
        found.min_by(|one, other| one.0.cmp(&other.0).then(other.1.cmp(&one.1)))
    }
}

impl fmt::Debug for Secrets {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.names()).finish()
    }
}

fn hideable(secret: &Secret) -> bool {
    secret.expose().chars().count() >= SHORTEST
}

fn is_name(name: &str) -> bool {
    !name.is_empty() && name.chars().all(|letter| letter.is_ascii_alphanumeric() || "_-.".contains(letter))
}

/// Where the line ends that `at` is in.
fn line_end(text: &str, at: usize) -> usize {
    text[at..].find('\n').map_or(text.len(), |length| at + length)
}

/// What stands before the closing quote, and how long it is with it.
fn quoted(text: &str, quote: char) -> Option<(String, usize)> {
    let mut value = String::new();
    let mut letters = text.char_indices();
    while let Some((at, letter)) = letters.next() {
        match letter {
            _ if letter == quote => return Some((value, at + 1)),
            '\\' if quote == '"' => match letters.next()?.1 {
                'n' => value.push('\n'),
                'r' => value.push('\r'),
                't' => value.push('\t'),
                other => value.push(other),
            },
            _ => value.push(letter),
        }
    }
    None
}

/// The value as it is, and as texts hold it: in JSON, between single quotes, in an address in both of its spellings.
fn forms_of(value: &str) -> Vec<String> {
    let mut forms = vec![
        value.to_owned(),
        escaped(value, '"'),
        escaped(value, '\''),
        percent(value, false),
        percent(value, true),
        value.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;"),
    ];
    let trimmed = value.trim();
    if trimmed.len() < value.len() && trimmed.chars().count() >= SHORTEST {
        forms.push(trimmed.to_owned());
    }
    forms
}

fn escaped(value: &str, quote: char) -> String {
    let mut text = String::with_capacity(value.len());
    for letter in value.chars() {
        match letter {
            '\\' => text.push_str("\\\\"),
            '\n' => text.push_str("\\n"),
            '\r' => text.push_str("\\r"),
            '\t' => text.push_str("\\t"),
            _ if letter == quote => text.extend(['\\', quote]),
            _ => text.push(letter),
        }
    }
    text
}

/// As in an address: `form` is the spelling of forms, with a plus for a space.
fn percent(value: &str, form: bool) -> String {
    let kept: &[u8] = if form { b"*-._" } else { b"-_.!~*'()" };
    let mut text = String::with_capacity(value.len());
    for byte in value.bytes() {
        match byte {
            b' ' if form => text.push('+'),
            _ if byte.is_ascii_alphanumeric() || kept.contains(&byte) => text.push(char::from(byte)),
            _ => text.push_str(&format!("%{byte:02X}")),
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    fn secrets(text: &str) -> Secrets {
        Secrets::parse(text).unwrap()
    }

    fn value(text: &str, name: &str) -> String {
        secrets(text).fill(&format!("{{{{secret:{name}}}}}")).unwrap().into_owned()
    }

    #[test]
    fn a_dotenv_file_is_read_as_people_write_them() {
        let file = "# mine\n\nPLAIN = hunter22 # said\nexport TOKEN='it''s'\nDOUBLE=\"a\\\"b\\nc\" # x\r\nEMPTY=\n\
                    KEY=\"-----BEGIN\nmiddle\n-----END\"\nHASH=pass#word\nLAST=end";
        // A quote that is closed ends the value; what follows it on the line is ignored.
        for (name, meant) in [
            ("PLAIN", "hunter22"),
            ("TOKEN", "it"),
            ("DOUBLE", "a\"b\nc"),
            ("EMPTY", ""),
            ("KEY", "-----BEGIN\nmiddle\n-----END"),
            ("HASH", "pass#word"),
            ("LAST", "end"),
        ] {
            assert_eq!(value(file, name), meant, "{name}");
        }
        assert_eq!(secrets(file).too_short().collect::<Vec<_>>(), ["TOKEN", "EMPTY", "LAST"]);
    }

    #[test]
    fn a_bad_line_is_told_by_its_number_and_not_by_what_it_holds() {
        let refused = Secrets::parse("A=\"x\ny\"\nhunter2\n").unwrap_err();
        assert_eq!(refused.line, 3);
        assert!(!refused.to_string().contains("hunter2"));
        assert!(Secrets::parse("A=\"open\n").is_err());
        assert!(Secrets::parse("a b=c").is_err());
    }

    #[test]
    fn a_value_is_hidden_in_every_form_that_texts_give_it() {
        let secrets = secrets("PASS='p@ss \"w\" & it\\'\nLONG=hunter2hunter2\nPART=hunter2");
        let value = "p@ss \"w\" & it\\";
        let as_json = serde_like(value);
        let forms = [
            value,
            &as_json,
            "p%40ss%20%22w%22%20%26%20it%5C",
            "p%40ss+%22w%22+%26+it%5C",
            "p@ss &quot;w&quot; &amp; it\\",
        ];
        for form in forms {
            assert_eq!(secrets.hide(&format!("a{form}b")), "a{{secret:PASS}}b", "{form}");
        }
        assert_eq!(secrets.hide("hunter2hunter2 hunter2"), "{{secret:LONG}} {{secret:PART}}");
        assert!(matches!(secrets.hide("nothing here"), Cow::Borrowed(_)));
    }

    #[test]
    fn what_a_cut_left_of_a_value_is_hidden_too() {
        let secrets = secrets("PASS=correct-horse");
        for kept in 9..20 {
            let text = crate::clip::head("I said correct-horse, did I not?", kept);
            let hidden = secrets.hide(&text);
            assert!(!hidden.contains("corr"), "{hidden}");
            let text = crate::clip::tail("I said correct-horse, did I not?", kept + 8);
            let hidden = secrets.hide(&text);
            assert!(!hidden.contains("orse"), "{hidden}");
        }
    }

    fn serde_like(value: &str) -> String {
        value.replace('\\', "\\\\").replace('"', "\\\"")
    }

    #[test]
    fn names_are_filled_in_and_unknown_ones_refused() {
        let secrets = secrets("USER=me\nPASS=hunter22");
        assert_eq!(secrets.fill("{{secret:USER}}:{{secret: PASS }}!").unwrap(), "me:hunter22!");
        assert_eq!(secrets.fill("{{secret:USER").unwrap(), "{{secret:USER");
        assert_eq!(secrets.fill("{{secret:NOPE}}").unwrap_err().name, "NOPE");
        assert_eq!(secrets.fill("plain").unwrap(), "plain");
    }

    #[test]
    fn nothing_prints_a_value() {
        let secrets = secrets("PASS=hunter22");
        assert_eq!(format!("{secrets:?} {:?}", Secret::new("hunter22")), "{\"PASS\"} Secret(…)");
    }

    proptest::proptest! {
        #[test]
        fn what_was_hidden_is_nowhere(value in "[a-z\"'\\\\ &%+]{4,12}", before in ".{0,20}", after in ".{0,20}") {
            let secrets = Secrets::of([("S".to_owned(), Secret::new(value.clone()))]);
            let hidden = secrets.hide(&format!("{before}{value}{after}")).into_owned();
            let seen = hidden.replace("{{secret:S}}", "\u{0}");
            proptest::prop_assert!(!seen.contains(&value), "{seen}");
        }
    }
}
