//! Prints exactly what it is told, byte by byte, to the stream and at the pace that it is told.

use std::io::Write;
use std::path::Path;
use std::time::Duration;

use anyhow::{Context, bail};

use crate::Misbehaviour;
use crate::call::Call;

pub(crate) const MISBEHAVIOUR: Misbehaviour = Misbehaviour {
    name: "prints",
    usage: "(--out TEXT | --err TEXT | --sleep MS | --until read | --until FILE | --exit CODE)…",
    help: "does the steps in order, waits until its output was read or FILE exists; TEXT knows \\n \\r \\t \\0 \\e \\\\ \\xHH",
    before_pid: || Ok(()),
    run,
};

fn run(call: &Call) -> anyhow::Result<u8> {
    let mut words = call.arguments().iter();
    while let Some(step) = words.next() {
        let value = words.next().with_context(|| format!("{step} needs a value"))?;
        match step.as_str() {
            "--out" => {
                let mut stdout = std::io::stdout().lock();
                stdout.write_all(&unescape(value)?)?;
                stdout.flush()?;
            }
            "--err" => std::io::stderr().lock().write_all(&unescape(value)?)?,
            "--sleep" => std::thread::sleep(Duration::from_millis(value.parse()?)),
            "--until" if value == "read" => wait(all_was_read),
            "--until" => wait(|| Path::new(value).exists()),
            "--exit" => return Ok(value.parse()?),
            other => bail!("prints knows no step {other:?}"),
        }
    }
    Ok(0)
}

/// Looks again and again; the seat belt ends what never comes.
fn wait(there: impl Fn() -> bool) {
    while !there() {
        std::thread::sleep(Duration::from_millis(5));
    }
}

/// Whether nothing that was printed is left in the pipes.
#[cfg(unix)]
fn all_was_read() -> bool {
    use rustix::io::ioctl_fionread;
    ioctl_fionread(std::io::stdout()) == Ok(0) && ioctl_fionread(std::io::stderr()) == Ok(0)
}

#[cfg(not(unix))]
fn all_was_read() -> bool {
    true
}

/// The bytes that a text with escapes stands for.
fn unescape(text: &str) -> anyhow::Result<Vec<u8>> {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.chars();
    while let Some(character) = rest.next() {
        if character != '\\' {
            bytes.extend_from_slice(character.encode_utf8(&mut [0; 4]).as_bytes());
            continue;
        }
        bytes.push(match rest.next() {
            Some('n') => b'\n',
            Some('r') => b'\r',
            Some('t') => b'\t',
            Some('0') => 0,
            Some('e') => 0x1b,
            Some('\\') => b'\\',
            Some('x') => {
                let digits: String = rest.by_ref().take(2).collect();
                u8::from_str_radix(&digits, 16).with_context(|| format!("\\x{digits} is no byte"))?
            }
            other => bail!("there is no escape \\{}", other.map_or(String::new(), String::from)),
        });
    }
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn escapes_stand_for_any_byte() {
        assert_eq!(unescape(r"a\r\n\0\xff\\é\e[1m").unwrap(), b"a\r\n\0\xff\\\xc3\xa9\x1b[1m");
        assert!(unescape(r"\q").is_err());
        assert!(unescape(r"\xg1").is_err());
    }
}
