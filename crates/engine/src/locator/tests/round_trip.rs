//! Whatever selector there is, its canonical string means it, and its code does too.

use proptest::collection::vec;
use proptest::option;
use proptest::prelude::*;

use crate::locator::{
    Attribute, Combinator, Complex, Compound, CssList, Language, NameMatch, NameOperator, PseudoClass, Regex,
    RoleQuery, Selector, Step, TextMatch, Tristate,
};

fn any_text() -> impl Strategy<Value = String> {
    prop_oneof!["[a-z ]{1,8}", "\\PC{1,12}", "[\"'\\\\/\\[\\]>>=\n\t ]{1,8}"]
        .prop_filter("not blank", |text| !text.trim().is_empty())
}

fn any_regex() -> impl Strategy<Value = Regex> {
    ("[a-z/\\n(|.]{1,8}|\\\\[dws/]|\\[[a-z/]{1,3}\\]|\\PC{1,6}", "i?m?u?")
        .prop_filter_map("a regular expression", |(source, flags)| Regex::new(&source, &flags))
}

fn any_match() -> impl Strategy<Value = TextMatch> {
    prop_oneof![
        any_text().prop_map(TextMatch::Substring),
        any_text().prop_map(TextMatch::Exact),
        any_regex().prop_map(TextMatch::Regex),
    ]
}

fn any_name() -> impl Strategy<Value = NameMatch> {
    let text = (prop::sample::select(NameOperator::ALL.to_vec()), any_text(), any::<bool>())
        .prop_map(|(operator, text, ignore_case)| NameMatch::Text { operator, text, ignore_case });
    prop_oneof![text, any_regex().prop_map(NameMatch::Regex)]
}

fn any_role() -> impl Strategy<Value = RoleQuery> {
    let state = prop::sample::select(vec![Tristate::True, Tristate::False, Tristate::Mixed]);
    (
        option::of(any_name()),
        option::of(any_name()),
        option::of(state),
        option::of(any::<bool>()),
        any::<bool>(),
    )
        .prop_map(|(name, description, checked, disabled, include_hidden)| RoleQuery {
            role: "checkbox".to_owned(),
            name,
            description,
            checked,
            disabled,
            include_hidden,
            ..RoleQuery::default()
        })
}

fn any_native() -> impl Strategy<Value = String> {
    prop_oneof![
        "[a-z]{1,4}(\\.[a-z]{1,3}){0,2}",
        "#[a-z]{1,4}",
        "\\.a\\\\:b",
        "\\*",
        "\\[[a-z]{1,4}=\"[a-z ]{0,4}\"( i)?\\]",
        ":hover"
    ]
}

fn any_css() -> impl Strategy<Value = CssList> {
    let leaf = any_native().prop_map(|native| {
        CssList(vec![Complex(vec![(Combinator::None, Compound { native, pseudo: Vec::new() })])])
    });
    leaf.prop_recursive(3, 12, 3, |inner| {
        let pseudo = prop_oneof![
            inner.clone().prop_map(PseudoClass::Is),
            inner.clone().prop_map(PseudoClass::Not),
            inner.clone().prop_map(PseudoClass::Has),
            (inner, 1u32..9).prop_map(|(list, number)| PseudoClass::NthMatch(list, number)),
            any_text().prop_map(PseudoClass::HasText),
            any_text().prop_map(PseudoClass::Text),
            any_text().prop_map(PseudoClass::TextIs),
            any_regex().prop_map(PseudoClass::TextMatches),
            Just(PseudoClass::Visible),
            Just(PseudoClass::Scope),
        ];
        let compound = (any_native(), vec(pseudo, 0..3))
            .prop_map(|(native, pseudo)| Compound { native, pseudo })
            .boxed();
        let sign = prop::sample::select(vec![
            Combinator::Descendant,
            Combinator::Child,
            Combinator::NextSibling,
            Combinator::LaterSibling,
        ]);
        let first = prop::sample::select(vec![Combinator::None, Combinator::Child, Combinator::LaterSibling]);
        let complex =
            (first, compound.clone(), vec((sign, compound), 0..3)).prop_map(|(first, head, mut tail)| {
                tail.insert(0, (first, head));
                Complex(tail)
            });
        vec(complex, 1..3).prop_map(CssList)
    })
}

fn any_steps() -> impl Strategy<Value = Vec<Step>> {
    let attribute = prop::sample::select(vec!["id", "data-test", "placeholder", "alt", "title", "data-x"]);
    let search = prop_oneof![
        any_css().prop_map(Step::Css),
        "//[a-z]{1,3}(\\[@a=\"b >> c\"\\])?".prop_map(Step::XPath),
        any_match().prop_map(Step::Text),
        any_text().prop_map(Step::OwnText),
        (attribute, any_match())
            .prop_map(|(name, value)| Step::Attribute(Attribute::new(name).expect("a name"), value)),
        any_match().prop_map(Step::TestId),
        any_role().prop_map(Step::Role),
        any_match().prop_map(Step::Label),
    ];
    let narrow = prop_oneof![
        (-5i32..5).prop_map(Step::Nth),
        any::<bool>().prop_map(Step::Visible),
        any_match().prop_map(Step::HasText),
        any_match().prop_map(Step::HasNotText),
    ];
    let leaf = (search.clone(), vec(prop_oneof![search, narrow], 0..3)).prop_map(|(first, mut rest)| {
        rest.insert(0, first);
        rest
    });
    leaf.prop_recursive(2, 8, 2, |inner| {
        let selector = inner.clone().prop_map(|steps| Selector::inner(steps).expect("a selector"));
        let nested = prop_oneof![
            selector.clone().prop_map(Step::Has),
            selector.clone().prop_map(Step::HasNot),
            selector.clone().prop_map(Step::And),
            selector.clone().prop_map(Step::Or),
            selector.prop_map(Step::Chain),
        ];
        (inner, nested).prop_map(|(mut steps, step)| {
            steps.push(step);
            steps
        })
    })
}

fn any_selector() -> impl Strategy<Value = Selector> {
    (any_steps(), option::of(any_steps())).prop_map(|(steps, framed)| {
        let mut all = steps;
        if let Some(inside) = framed {
            all.push(Step::Frame);
            all.extend(inside);
        }
        Selector::finished(all).expect("a selector")
    })
}

proptest! {
    #[test]
    fn the_canonical_string_means_the_selector(selector in any_selector()) {
        let text = selector.to_string();
        prop_assert_eq!(Selector::parse(&text).map_err(|refused| refused.to_string()), Ok(selector), "{}", text);
    }

    #[test]
    fn the_code_is_read_again(selector in any_selector()) {
        for language in [Language::TypeScript, Language::Python] {
            let code = selector.code(language);
            let read = Selector::parse(&code);
            prop_assert!(read.is_ok(), "{}: {}", code, read.unwrap_err());
        }
    }

    #[test]
    fn no_text_makes_the_parser_panic(text in "\\PC{0,40}") {
        let _ = Selector::parse(&text);
    }

    #[test]
    fn nothing_that_looks_like_a_selector_makes_the_parser_panic(
        text in "([a-z]{1,3}|>>|[\\[\\](){}.,:=/'\"`*~^$|]|text=|role=|getByRole|page|has| |é){0,20}"
    ) {
        if let Ok(selector) = Selector::parse(&text) {
            prop_assert_eq!(Selector::parse(&selector.to_string()), Ok(selector));
        }
    }
}
