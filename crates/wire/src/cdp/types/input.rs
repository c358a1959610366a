//! `Input`: mouse, keyboard, touch and drag events as a user's hands make them.

use serde_json::Value;

command! {
    DispatchMouseEvent = "Input.dispatchMouseEvent" { r#type: MouseEventType, x: f64, y: f64 }
    optional {
        modifiers: i64,
        timestamp: f64,
        button: MouseButton,
        buttons: i64,
        click_count: i64,
        force: f64,
        delta_x: f64,
        delta_y: f64,
        pointer_type: String,
    }
}

words! {
    MouseEventType {
        Pressed = "mousePressed",
        Released = "mouseReleased",
        Moved = "mouseMoved",
        Wheel = "mouseWheel",
    }
}

words! {
    MouseButton { None = "none", Left = "left", Middle = "middle", Right = "right", Back = "back", Forward = "forward" }
}

command! {
    DispatchKeyEvent = "Input.dispatchKeyEvent" { r#type: KeyEventType }
    optional {
        modifiers: i64,
        timestamp: f64,
        text: String,
        unmodified_text: String,
        code: String,
        key: String,
        windows_virtual_key_code: i64,
        native_virtual_key_code: i64,
        auto_repeat: bool,
        is_keypad: bool,
        is_system_key: bool,
        location: i64,
        commands: Vec<String>,
    }
}

words! { KeyEventType { Down = "keyDown", Up = "keyUp", RawDown = "rawKeyDown", Char = "char" } }

command! { InsertText = "Input.insertText" { text: String } }

command! {
    ImeSetComposition = "Input.imeSetComposition" { text: String, selection_start: i64, selection_end: i64 }
    optional { replacement_start: i64, replacement_end: i64 }
}

command! {
    DispatchTouchEvent = "Input.dispatchTouchEvent" { r#type: TouchEventType, touch_points: Vec<TouchPoint> }
    optional { modifiers: i64, timestamp: f64 }
}

words! { TouchEventType { Start = "touchStart", End = "touchEnd", Move = "touchMove", Cancel = "touchCancel" } }

object! {
    TouchPoint { x: f64, y: f64 } optional { radius_x: f64, radius_y: f64, rotation_angle: f64, force: f64, id: f64 }
}

command! { SetInterceptDrags = "Input.setInterceptDrags" { enabled: bool } }

command! {
    DispatchDragEvent = "Input.dispatchDragEvent" { r#type: DragEventType, x: f64, y: f64, data: DragData }
    optional { modifiers: i64 }
}

words! { DragEventType { Enter = "dragEnter", Over = "dragOver", Drop = "drop", Cancel = "dragCancel" } }

object! {
    /// What is dragged. We hand back what the browser gave us, so its items stay unread.
    DragData { items: Vec<Value>, drag_operations_mask: i64 } optional { files: Vec<String> }
}

event! { DragIntercepted = "Input.dragIntercepted" { data: DragData } }

command! { SetIgnoreInputEvents = "Input.setIgnoreInputEvents" { ignore: bool } }
