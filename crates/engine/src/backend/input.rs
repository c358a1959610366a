//! Raw input: what a hand does, one event at a time, in the page's CSS pixels.

use serde::{Deserialize, Serialize};

/// A place in the viewport of the topmost frame.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Point {
    /// From the left.
    pub x: f64,
    /// From the top.
    pub y: f64,
}

/// The keys that are held while something else happens.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
#[expect(clippy::struct_excessive_bools, reason = "four independent keys")]
pub struct Modifiers {
    /// Alt, Option.
    pub alt: bool,
    /// Control.
    pub control: bool,
    /// Command, Windows.
    pub meta: bool,
    /// Shift.
    pub shift: bool,
}

/// The mouse's buttons.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum MouseButton {
    /// The main one.
    Left,
    /// The one that opens menus.
    Right,
    /// The wheel.
    Middle,
}

/// A key as the page is told of it (UI Events).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Key {
    /// `KeyboardEvent.key`.
    pub key: String,
    /// `KeyboardEvent.code`.
    pub code: String,
    /// `KeyboardEvent.keyCode`.
    pub key_code: u32,
    /// `KeyboardEvent.location`.
    pub location: u32,
    /// The text that it writes, if any.
    pub text: Option<String>,
}

/// One thing that a hand does.
#[derive(Debug, Clone, PartialEq)]
pub enum InputEvent {
    /// Moves the mouse.
    Move {
        /// To.
        at: Point,
        /// The button that is held, if any.
        held: Option<MouseButton>,
        /// Keys that are held.
        modifiers: Modifiers,
    },
    /// Presses a button.
    Down {
        /// Where.
        at: Point,
        /// Which.
        button: MouseButton,
        /// The how-many-th click in a row this is.
        clicks: u32,
        /// Keys that are held.
        modifiers: Modifiers,
    },
    /// Lets a button go.
    Up {
        /// Where.
        at: Point,
        /// Which.
        button: MouseButton,
        /// The how-many-th click in a row this is.
        clicks: u32,
        /// Keys that are held.
        modifiers: Modifiers,
    },
    /// Turns the wheel.
    Wheel {
        /// Where.
        at: Point,
        /// To the right.
        dx: f64,
        /// Downwards.
        dy: f64,
        /// Keys that are held.
        modifiers: Modifiers,
    },
    /// Presses a key.
    KeyDown {
        /// Which.
        key: Key,
        /// Whether it repeats because it is held.
        repeat: bool,
        /// Keys that are held, this one included.
        modifiers: Modifiers,
    },
    /// Lets a key go.
    KeyUp {
        /// Which.
        key: Key,
        /// Keys that are still held.
        modifiers: Modifiers,
    },
    /// Writes a text that no key writes, as an input method does.
    Text(String),
    /// Touches and lets go.
    Tap {
        /// Where.
        at: Point,
        /// Keys that are held.
        modifiers: Modifiers,
    },
}
