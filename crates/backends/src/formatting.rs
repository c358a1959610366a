//! What scripts write to the console, as a person would read it there (Console Standard, "Formatter").

/// Arguments as one text: the placeholders of `format`, if the first one is a text with some, are filled in; the rest
/// stands side by side.
pub(crate) fn message(format: Option<&str>, arguments: Vec<String>) -> String {
    let mut arguments = arguments.into_iter();
    let Some(first) = arguments.next() else { return String::new() };
    let mut text = match format {
        Some(format) if format.contains('%') => fill(format, &mut arguments),
        _ => first,
    };
    for argument in arguments {
        text.push(' ');
        text.push_str(&argument);
    }
    text
}

fn fill(format: &str, arguments: &mut impl Iterator<Item = String>) -> String {
    let mut text = String::with_capacity(format.len());
    let mut letters = format.chars().peekable();
    while let Some(letter) = letters.next() {
        match (letter, letters.peek()) {
            ('%', Some('%')) => {
                letters.next();
                text.push('%');
            }
            ('%', Some(kind @ ('s' | 'd' | 'i' | 'f' | 'o' | 'O' | 'c'))) => {
                let kind = *kind;
                match arguments.next() {
                    // Styles are not read.
                    Some(_) if kind == 'c' => {}
                    Some(argument) => text.push_str(&argument),
                    None => text.extend(['%', kind]),
                }
                letters.next();
            }
            _ => text.push(letter),
        }
    }
    text
}

/// `{a, b, …}`.
pub(crate) fn enclose(open: char, mut parts: Vec<String>, overflow: bool, close: char) -> String {
    if overflow {
        parts.push("…".to_owned());
    }
    format!("{open}{}{close}", parts.join(", "))
}
