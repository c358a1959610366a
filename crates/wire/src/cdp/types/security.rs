//! `Security`: certificates that don't check.

command! { Enable = "Security.enable" }

command! { SetIgnoreCertificateErrors = "Security.setIgnoreCertificateErrors" { ignore: bool } }
