//! Secrets in raw.log: taken out when the run is over, before anything is read from it.
//!
//! While it runs, bytes are written as they come, so a secret may be there in pieces; whole lines are known only at its end.

use std::fs::File;
use std::io::{self, BufRead, BufReader, BufWriter, Write};
use std::path::Path;

use base::Secrets;

/// A line is looked at in pieces of this size at most; a secret across two of them is the price of bounded memory.
const LONGEST_LINE: u64 = 4 * 1024 * 1024;

/// Rewrites the file without the secrets, unless there are none in it. Blocking.
pub(crate) fn hide(path: &Path, secrets: &Secrets) -> io::Result<()> {
    if secrets.is_empty() || !found(path, secrets)? {
        return Ok(());
    }
    let aside = path.with_extension("log.part");
    let mut out = BufWriter::new(File::options().write(true).create_new(true).open(&aside)?);
    each_line(path, |line| {
        match std::str::from_utf8(line) {
            Ok(text) => out.write_all(secrets.hide(text).as_bytes())?,
            Err(_) => out.write_all(secrets.hide(&String::from_utf8_lossy(line)).as_bytes())?,
        }
        Ok(true)
    })?;
    out.flush()?;
    std::fs::rename(&aside, path)
}

fn found(path: &Path, secrets: &Secrets) -> io::Result<bool> {
    let mut found = false;
    each_line(path, |line| {
        let text = String::from_utf8_lossy(line);
        found = matches!(secrets.hide(&text), std::borrow::Cow::Owned(_));
        Ok(!found)
    })?;
    Ok(found)
}

/// Every line with its line break, as long as `look` wants more.
fn each_line(path: &Path, mut look: impl FnMut(&[u8]) -> io::Result<bool>) -> io::Result<()> {
    let mut file = BufReader::new(File::open(path)?);
    let mut line = Vec::new();
    loop {
        line.clear();
        let read = io::Read::take(&mut file, LONGEST_LINE).read_until(b'\n', &mut line)?;
        if read == 0 || !look(&line)? {
            return Ok(());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_log_keeps_everything_but_the_secrets() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("raw.log");
        let secrets = Secrets::parse("PASS=hunter22").unwrap();
        std::fs::write(&path, b"one\n[stdout] pass=hunter22!\n\xff\nlast").unwrap();
        hide(&path, &secrets).unwrap();
        let hidden = std::fs::read(&path).unwrap();
        assert_eq!(String::from_utf8_lossy(&hidden), "one\n[stdout] pass={{secret:PASS}}!\n\u{fffd}\nlast");
        assert_eq!(std::fs::read_dir(dir.path()).unwrap().count(), 1);
        std::fs::write(&path, b"nothing here \xff").unwrap();
        hide(&path, &secrets).unwrap();
        assert_eq!(std::fs::read(&path).unwrap(), b"nothing here \xff", "and is untouched without one");
    }
}
