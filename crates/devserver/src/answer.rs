//! Finding the answer in what a command printed: scripts say more than they should on standard output.

use serde_json::Deserializer;

use crate::lenient::Object;

/// The last complete JSON object, whatever stands before and after it. One with a `status` is preferred: servers that
/// log in JSON may print a line after the answer.
pub(crate) fn find(stdout: &str) -> Option<Object> {
    let (mut last, mut last_with_status) = (None, None);
    let mut rest = stdout;
    while let Some(begin) = rest.find('{') {
        rest = &rest[begin..];
        let mut objects = Deserializer::from_str(rest).into_iter::<Object>();
        match objects.next() {
            Some(Ok(object)) => {
                rest = &rest[objects.byte_offset()..];
                if object.contains_key("status") {
                    last_with_status = Some(object);
                } else {
                    last = Some(object);
                }
            }
            _ => rest = &rest[1..],
        }
    }
    last_with_status.or(last)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn status(stdout: &str) -> Option<String> {
        find(stdout).and_then(|object| crate::lenient::text(&object, "status"))
    }

    #[test]
    fn log_lines_around_the_answer_are_ignored() {
        let said = "> app@1.0.0 dev\n{ not json }\nstarting {0}\n{\n  \"status\": \"ready\",\n  \"logs\": {\"stdout\": \"/a\"}\n}\nbye {\n";
        assert_eq!(status(said).as_deref(), Some("ready"));
    }

    #[test]
    fn the_last_answer_counts_and_a_line_of_a_json_log_does_not() {
        let said = r#"{"status":"starting"} {"status":"ready"}
            {"level":30,"msg":"GET /"}"#;
        assert_eq!(status(said).as_deref(), Some("ready"));
        assert!(
            find(r#"{"url":"http://localhost:1"}"#).is_some(),
            "one without a status is better than none"
        );
    }

    #[test]
    fn what_is_cut_off_is_no_answer() {
        assert!(find(r#"{"status":"ready","url":"http"#).is_none());
        assert!(find("").is_none() && find("[1, 2]").is_none());
    }

    proptest! {
        #[test]
        fn whatever_surrounds_it_the_answer_is_found(before in "[^{}\"]{0,60}", after in "[^{}\"]{0,60}") {
            let said = format!("{before}{{\"status\":\"ready\"}}{after}");
            prop_assert_eq!(status(&said), Some("ready".to_owned()));
        }

        #[test]
        fn garbage_is_no_trouble(said in "[{}\":a,\\[\\] ]{0,300}") {
            find(&said);
        }
    }
}
