//! Diffs as agents read them, and the property that they lead from the one to the other.

use proptest::prelude::*;

use super::*;

/// Lines from YAML-like text: two spaces a level, the ref read off the brackets.
fn lines(text: &str) -> Vec<Line> {
    text.lines()
        .filter(|line| !line.trim().is_empty())
        .map(|line| {
            let text = line.trim().trim_start_matches("- ").trim_end_matches(':');
            let reference = text.split("[ref=").nth(1).and_then(|rest| rest.split(']').next());
            let key = reference.unwrap_or_else(|| text.split([' ', ':']).next().unwrap_or(text));
            Line {
                depth: (line.len() - line.trim_start().len()) / 2,
                key: key.to_owned(),
                text: text.to_owned(),
                reference: reference.map(str::to_owned),
            }
        })
        .collect()
}

fn rendered(old: &str, new: &str) -> String {
    let (old, new) = (lines(old), lines(new));
    let diff = Diff::between(&old, &new);
    assert_eq!(diff.apply(&old), new);
    diff.render(&old)
}

const TODOS: &str = "
- heading \"Todos\" [level=1] [ref=e1]
- list [ref=e2]:
  - listitem:
    - checkbox \"Milk\" [ref=e3]
    - button \"Delete\" [ref=e4]
  - listitem:
    - checkbox \"Eggs\" [ref=e5]
    - button \"Delete\" [ref=e6]
- text: 2 items left
- textbox \"New\" [ref=e7]
";

#[test]
fn nothing_changed_is_nothing_to_read() {
    assert_eq!(rendered(TODOS, TODOS), "");
    assert_eq!(Diff::between(&lines(TODOS), &lines(TODOS)).changes(), 0);
}

#[test]
fn a_state_that_changed_is_one_line_with_what_is_around_it() {
    let new = TODOS.replace("\"Milk\" [ref", "\"Milk\" [checked] [ref").replace("2 items", "1 item");
    insta::assert_snapshot!(rendered(TODOS, &new), @r#"
      list [ref=e2]
        listitem
    ~     checkbox "Milk" [checked] [ref=e3]
    ~ text: 1 item left
    "#);
}

#[test]
fn what_is_gone_is_told_without_its_content() {
    let new = TODOS
        .replace("  - listitem:\n    - checkbox \"Eggs\" [ref=e5]\n    - button \"Delete\" [ref=e6]\n", "");
    insta::assert_snapshot!(rendered(TODOS, &new), @r#"
      list [ref=e2]
    -   listitem > checkbox "Eggs" [ref=e5]
    "#);
}

#[test]
fn what_is_new_is_told_whole() {
    let new = format!("{TODOS}- dialog \"Sure?\" [ref=e8]:\n  - button \"Yes\" [ref=e9]\n");
    insta::assert_snapshot!(rendered(TODOS, &new), @r#"
    + dialog "Sure?" [ref=e8]
    +   button "Yes" [ref=e9]
    "#);
}

#[test]
fn a_new_name_with_a_new_ref_is_a_change_in_place() {
    let new = TODOS.replace("button \"Delete\" [ref=e6]", "button \"Undo\" [ref=e8]");
    insta::assert_snapshot!(rendered(TODOS, &new), @r#"
      list [ref=e2]
        listitem
    ~     button "Undo" [ref=e8]
    "#);
}

#[test]
fn a_wrapper_around_the_page_doesnt_repeat_the_page() {
    let mut new = String::from("- generic [ref=e10]:\n");
    for line in TODOS.trim().lines() {
        new.push_str(&format!("  {line}\n"));
    }
    new.push_str("- alert: Saved\n");
    insta::assert_snapshot!(rendered(TODOS, &new), @r#"
    + generic [ref=e10]
    + alert: Saved
    "#);
}

#[test]
fn another_page_is_gone_and_new() {
    insta::assert_snapshot!(rendered(TODOS, "- heading \"Login\" [level=1] [ref=e8]\n- textbox \"Name\" [ref=e9]"), @r#"
    ~ heading "Login" [level=1] [ref=e8]
    - list [ref=e2]
    - text: 2 items left
    ~ textbox "Name" [ref=e9]
    "#);
}

/// A tree of few different lines, so that many are alike.
fn any_lines() -> impl Strategy<Value = Vec<Line>> {
    let line = (0usize..4, 0u8..12, prop::option::weighted(0.6, 1u8..30));
    prop::collection::vec(line, 0..40).prop_map(|raw| {
        let mut deepest = 0;
        let mut lines = Vec::new();
        for (depth, word, number) in raw {
            let depth = depth.min(deepest);
            deepest = depth + 1;
            let reference = number.map(|number| format!("e{number}"));
            let text = match &reference {
                Some(reference) => format!("button \"{word}\" [ref={reference}]"),
                None => format!("text: {word}"),
            };
            let key = reference.clone().unwrap_or_else(|| "text".to_owned());
            lines.push(Line { depth, key, text, reference });
        }
        lines
    })
}

proptest! {
    #[test]
    fn applied_to_the_old_it_gives_the_new(old in any_lines(), new in any_lines()) {
        prop_assert_eq!(Diff::between(&old, &new).apply(&old), new);
    }

    #[test]
    fn a_diff_has_every_new_line_that_the_old_one_lacks(old in any_lines(), new in any_lines()) {
        let text = Diff::between(&old, &new).render(&old);
        for line in &new {
            let known = old.iter().any(|other| other.text == line.text);
            let told = text.lines().any(|told| told.starts_with(['+', '~']) && told.trim_start_matches(['+', '~', ' ']) == line.text);
            prop_assert!(known || told, "{} is neither in the old one nor in\n{}", line.text, text);
        }
    }

    #[test]
    fn one_inserted_line_is_one_change(old in any_lines(), at in any::<prop::sample::Index>()) {
        let mut new = old.clone();
        let at = at.index(old.len() + 1);
        new.insert(at, Line { depth: 0, key: "e99".into(), text: "alert [ref=e99]: new".into(), reference: Some("e99".into()) });
        prop_assert_eq!(Diff::between(&old, &new).changes(), 1);
    }
}
