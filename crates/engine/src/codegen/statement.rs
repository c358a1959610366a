//! One statement of a test.

use std::time::Duration;

use super::call::{Call, Value, one_or_list};
use super::options::select;
use crate::action::{Choose, Click};
use crate::backend::{Modifiers, MouseButton, Point};
use crate::locator::{Language, Selector};

/// What was done.
#[derive(Debug, Clone, PartialEq)]
#[expect(missing_docs, reason = "Playwright's own words")]
pub enum Statement {
    Goto {
        url: String,
    },
    GoBack,
    GoForward,
    Reload,
    Click {
        locator: Selector,
        how: Click,
    },
    Hover {
        locator: Selector,
        position: Option<Point>,
        modifiers: Modifiers,
    },
    Fill {
        locator: Selector,
        text: String,
    },
    PressSequentially {
        locator: Selector,
        text: String,
        delay: Duration,
    },
    Press {
        locator: Selector,
        key: String,
    },
    SelectOption {
        locator: Selector,
        options: Vec<Choose>,
    },
    SetChecked {
        locator: Selector,
        checked: bool,
    },
    SetInputFiles {
        locator: Selector,
        files: Vec<String>,
    },
    /// Files for a chooser that a click opened.
    SetChosenFiles {
        files: Vec<String>,
    },
    DragTo {
        from: Selector,
        to: Selector,
    },
    KeyboardPress {
        key: String,
    },
    /// Keys that are held during the statements before their [`Statement::KeyboardUp`].
    KeyboardDown {
        key: &'static str,
    },
    KeyboardUp {
        key: &'static str,
    },
    KeyboardType {
        text: String,
    },
    Wait(Wait),
    Evaluate {
        locator: Option<Selector>,
        function: String,
    },
    Screenshot {
        locator: Option<Selector>,
        path: Option<String>,
        full_page: bool,
    },
    SetViewportSize {
        width: u32,
        height: u32,
    },
    /// Before the statement that opens the dialog.
    Dialog {
        accept: bool,
        text: Option<String>,
    },
    Close,
}

/// What was waited for.
#[derive(Debug, Clone, PartialEq)]
pub enum Wait {
    /// Some time.
    Time(Duration),
    /// A text that appears, or vanishes.
    Text {
        /// Contained in an element.
        text: String,
        /// Whether it vanishes.
        gone: bool,
    },
    /// An element in a state: `visible`, `hidden`, `attached`, `detached`.
    Element {
        /// Which.
        locator: Selector,
        /// The state's name.
        state: &'static str,
    },
    /// An address.
    Url(String),
    /// How much of the page: `load`, `domcontentloaded`, `networkidle`.
    Load(&'static str),
}

impl Statement {
    /// The line of code.
    pub fn code(&self, language: Language) -> String {
        let on = |locator: &Selector| format!("page.{}", locator.code(language));
        let page = |call: Call| call.line("page", language);
        match self {
            Self::Goto { url } => page(Call::new("goto").text(url)),
            Self::GoBack => page(Call::new("goBack")),
            Self::GoForward => page(Call::new("goForward")),
            Self::Reload => page(Call::new("reload")),
            Self::Click { locator, how } => click(how).line(&on(locator), language),
            Self::Hover { locator, position, modifiers } => {
                let call = Call::new("hover").option("modifiers", held(*modifiers));
                call.option("position", position.map(place)).line(&on(locator), language)
            }
            Self::Fill { locator, text } => Call::new("fill").text(text).line(&on(locator), language),
            Self::PressSequentially { locator, text, delay } => {
                let call = Call::new("pressSequentially").text(text);
                call.option("delay", milliseconds(*delay)).line(&on(locator), language)
            }
            Self::Press { locator, key } => Call::new("press").text(key).line(&on(locator), language),
            Self::SelectOption { locator, options } => select(options, language).line(&on(locator), language),
            Self::SetChecked { locator, checked } => {
                Call::new(if *checked { "check" } else { "uncheck" }).line(&on(locator), language)
            }
            Self::SetInputFiles { locator, files } => {
                Call::new("setInputFiles").with(names(files)).line(&on(locator), language)
            }
            Self::SetChosenFiles { files } => {
                let chooser = if language == Language::Python { "file_chooser" } else { "fileChooser" };
                Call::new("setFiles").with(names(files)).line(chooser, language)
            }
            Self::DragTo { from, to } => {
                Call::new("dragTo").with(Value::Code(on(to))).line(&on(from), language)
            }
            Self::KeyboardPress { key } => Call::new("press").text(key).line("page.keyboard", language),
            Self::KeyboardDown { key } => Call::new("down").text(key).line("page.keyboard", language),
            Self::KeyboardUp { key } => Call::new("up").text(key).line("page.keyboard", language),
            Self::KeyboardType { text } => Call::new("type").text(text).line("page.keyboard", language),
            Self::Wait(wait) => wait.code(language),
            Self::Evaluate { locator, function } => {
                let on = locator.as_ref().map_or_else(|| "page".to_owned(), on);
                Call::new("evaluate").with(script(function, language)).line(&on, language)
            }
            Self::Screenshot { locator, path, full_page } => {
                let on = locator.as_ref().map_or_else(|| "page".to_owned(), on);
                let call = Call::new("screenshot").option("path", path.clone().map(Value::Text));
                call.option("fullPage", full_page.then_some(Value::Bool(true))).line(&on, language)
            }
            Self::SetViewportSize { width, height } => {
                let number = |side: u32| Value::Number(f64::from(side));
                let size = vec![("width", number(*width)), ("height", number(*height))];
                page(Call::new("setViewportSize").with(Value::Object(size)))
            }
            Self::Dialog { accept, text } => dialog(*accept, text.as_deref(), language),
            Self::Close => page(Call::new("close")),
        }
    }
}

/// What was done while keys were held, where the call itself has no words for that.
pub fn while_holding(held: Modifiers, done: Statement) -> Vec<Statement> {
    let down = names_of(held).map(|key| Statement::KeyboardDown { key });
    let up = names_of(held).rev().map(|key| Statement::KeyboardUp { key });
    down.chain([done]).chain(up).collect()
}

impl Wait {
    fn code(&self, language: Language) -> String {
        let state = |name: &str| Some(Value::Text(name.to_owned()));
        match self {
            Self::Time(time) => {
                let time = milliseconds(*time).unwrap_or(Value::Number(0.0));
                Call::new("waitForTimeout").with(time).line("page", language)
            }
            Self::Text { text, gone } => {
                let by_text = Call::new("getByText").text(text).code(language);
                let first = if language == Language::Python { "first" } else { "first()" };
                let call =
                    Call::new("waitFor").option("state", state(if *gone { "hidden" } else { "visible" }));
                call.line(&format!("page.{by_text}.{first}"), language)
            }
            Self::Element { locator, state: name } => {
                let call = Call::new("waitFor").option("state", state(name));
                call.line(&format!("page.{}", locator.code(language)), language)
            }
            Self::Url(url) => {
                let method = if language == Language::Python { "waitForUrl" } else { "waitForURL" };
                Call::new(method).text(url).line("page", language)
            }
            Self::Load(name) => Call::new("waitForLoadState").text(name).line("page", language),
        }
    }
}

fn click(how: &Click) -> Call {
    let button = match how.button {
        MouseButton::Left => None,
        MouseButton::Right => Some("right"),
        MouseButton::Middle => Some("middle"),
    };
    let count = Some(Value::Number(f64::from(how.count))).filter(|_| how.count > 2);
    Call::new(if how.count == 2 { "dblclick" } else { "click" })
        .option("button", button.map(|name| Value::Text(name.to_owned())))
        .option("clickCount", count)
        .option("modifiers", held(how.modifiers))
        .option("position", how.position.map(place))
        .option("delay", milliseconds(how.delay))
        .option("force", how.force.then_some(Value::Bool(true)))
}

/// In the order of the alphabet. Control is what a test means by it on every system.
fn names_of(held: Modifiers) -> impl DoubleEndedIterator<Item = &'static str> {
    let Modifiers { alt, control, meta, shift } = held;
    let keys = [(alt, "Alt"), (control, "ControlOrMeta"), (meta, "Meta"), (shift, "Shift")];
    keys.into_iter().filter(|(held, _)| *held).map(|(_, key)| key)
}

fn held(modifiers: Modifiers) -> Option<Value> {
    let keys: Vec<Value> = names_of(modifiers).map(|key| Value::Text(key.to_owned())).collect();
    (!keys.is_empty()).then_some(Value::List(keys))
}

fn place(point: Point) -> Value {
    Value::Object(vec![("x", Value::Number(point.x)), ("y", Value::Number(point.y))])
}

#[expect(clippy::cast_precision_loss, reason = "no delay is longer than what a float counts exactly")]
fn milliseconds(time: Duration) -> Option<Value> {
    (!time.is_zero()).then_some(Value::Number(time.as_millis() as f64))
}

fn names(files: &[String]) -> Value {
    one_or_list(files.iter().cloned().map(Value::Text).collect())
}

/// TypeScript has a function as it is, and an expression as a text; Python has both as texts.
fn script(function: &str, language: Language) -> Value {
    let starts = |word: &str| function.trim_start().starts_with(word);
    let is_function = function.contains("=>") || starts("function") || starts("async");
    if language == Language::TypeScript && is_function {
        return Value::Code(function.trim().to_owned());
    }
    Value::Text(function.to_owned())
}

fn dialog(accept: bool, text: Option<&str>, language: Language) -> String {
    let answer = Call::new(if accept { "accept" } else { "dismiss" });
    let answer = match text {
        Some(text) if accept => answer.text(text),
        _ => answer,
    };
    let answer = answer.code(language);
    match language {
        Language::TypeScript => format!("page.once('dialog', dialog => dialog.{answer});"),
        Language::Python => format!("page.once(\"dialog\", lambda dialog: dialog.{answer})"),
    }
}
