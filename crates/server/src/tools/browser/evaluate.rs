//! Scripts of the agent's in the page (A4.7).

use engine::Target;
use engine::codegen::Statement;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::Value;

use super::PAGE_TOOL;
use super::aftermath::{self, Look};
use super::args::{At, On};
use super::codes::EVALUATION_FAILED;
use super::failed::Deed;
use super::report::Report;
use super::visit::{How, visit};
use crate::tools::schema::input_of;
use crate::tools::{Call, Failure, Reply, Tool};

pub(crate) static EVALUATE: Tool = Tool {
    name: "evaluate",
    playwright: Some("browser_evaluate"),
    description: "Runs JavaScript in the page and answers its value as JSON: an expression, statements with return, or \
                  a function, which is called with the element if one is given.",
    input: input_of::<Evaluate>,
    aliases: &[("target", "selector"), ("function", "script"), ("expression", "script")],
    unlisted: &["timeout", "element", "args"],
    handler: |call| Box::pin(evaluate(call)),
    ..PAGE_TOOL
};

#[derive(Debug, Deserialize, JsonSchema)]
struct Evaluate {
    script: String,
    #[serde(flatten)]
    at: At,
    /// Further arguments of the function.
    args: Option<Vec<Value>>,
    filename: Option<String>,
    #[serde(flatten)]
    _on: On,
}

async fn evaluate(call: Call) -> Result<Reply, Failure> {
    let args: Evaluate = call.args.parse()?;
    let target = args.at.maybe()?;
    let script = with_arguments(&args.script, target.is_some(), args.args.as_deref());
    let how = How::queued(call.services.options.browser.action_limit);
    visit(call, how, |visit| async move {
        let page = visit.page().await?;
        let before = visit.session.context().moment();
        let mark = page.mark();
        let value = page.evaluate(&script, target.as_ref(), &visit.scope).await;
        let value = value.map_err(|why| {
            let failure = visit.failed(why, Deed::Look);
            let threw = failure.code() == EVALUATION_FAILED;
            if threw { failure.fact("script", base::clip::head(&args.script, 200)) } else { failure }
        })?;
        let settled = page.settle(&mark, &visit.late).await;
        let text = match &value {
            Value::String(text) => format!("{text:?}"),
            value => value.to_string(),
        };
        let result = match &args.filename {
            Some(name) => {
                let whole = match value {
                    Value::String(text) => text,
                    value => serde_json::to_string_pretty(&value)?,
                };
                format!("The value is in {}", visit.files.save_as(name, whole.as_bytes()).await?)
            }
            None => text,
        };
        let report = aftermath::settled(&visit, &before, Look::Away, settled).await;
        let locator = match target {
            Some(Target::Selector(selector)) => Some(Some(selector)),
            // The way to what a ref leads to is not known here.
            Some(Target::Ref(_)) => None,
            None => Some(None),
        };
        let code = locator.map(|locator| Statement::Evaluate { locator, function: args.script });
        let report = Report { result: Some(result), ..report };
        report.with_code(code, visit.options.browser.codegen).reply(&visit).await
    })
    .await
}

/// The script as a function that is called with these arguments behind the element.
fn with_arguments(script: &str, element: bool, arguments: Option<&[Value]>) -> String {
    let Some(arguments) = arguments else { return script.to_owned() };
    let element = element.then(|| "element".to_owned());
    // JSON is JavaScript.
    let all: Vec<String> = element.into_iter().chain(arguments.iter().map(Value::to_string)).collect();
    format!("(element) => ({})({})", script.trim().trim_end_matches(';'), all.join(", "))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn arguments_stand_behind_the_element() {
        assert_eq!(with_arguments("1", false, None), "1");
        let arguments = [json!("a\"b"), json!({"x": 1})];
        assert_eq!(
            with_arguments("(a, b) => a;", false, Some(&arguments)),
            r#"(element) => ((a, b) => a)("a\"b", {"x":1})"#
        );
        assert_eq!(with_arguments("f", true, Some(&arguments[..1])), r#"(element) => (f)(element, "a\"b")"#);
    }
}
