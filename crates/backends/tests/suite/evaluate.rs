//! Scripts: what they may be, what they come to, and what becomes of those without end.

use engine::Failed;
use engine::page::Interruption;
use serde_json::json;

use crate::case::{at, cases, ms, scope_of};

cases! {
    "an expression has its value" => |t| {
        assert_eq!(t.value("6 * 7").await, 42);
    }
    "a trailing semicolon is no fault" => |t| {
        assert_eq!(t.value("document.title = 'x';").await, "x");
    }
    "an object literal is an expression" => |t| {
        assert_eq!(t.value("{ a: 1, b: [true, null] }").await, json!({ "a": 1, "b": [true, null] }));
    }
    "a function is called" => |t| {
        assert_eq!(t.value("() => 'called'").await, "called");
    }
    "an async function is awaited" => |t| {
        assert_eq!(t.value("async () => { await null; return 5 }").await, 5);
    }
    "await stands in an expression" => |t| {
        assert_eq!(t.value("await Promise.resolve(3) + 1").await, 4);
    }
    "statements with return are a body" => |t| {
        assert_eq!(t.value("const a = 2; const b = 3; return a * b").await, 6);
    }
    "a function is given its element" => |t| {
        t.show("<button id=b>Save</button>").await;
        let told = t.page.evaluate("el => el.textContent", Some(&at("#b")), &t.scope()).await.unwrap();
        assert_eq!(told, "Save");
    }
    "a body is given its element" => |t| {
        t.show("<button id=b>Save</button>").await;
        let told = t.page.evaluate("const e = element; return e.id", Some(&at("#b")), &t.scope()).await.unwrap();
        assert_eq!(told, "b");
    }
    "undefined is told" => |t| {
        assert_eq!(t.value("undefined").await, "undefined");
    }
    "what JSON lacks is described" => |t| {
        let told = t.value("[NaN, -Infinity, undefined, 10n, Symbol('s'), function f() {}, /x/g]").await;
        assert_eq!(told, json!(["[NaN]", "[-Infinity]", "[undefined]", "10n", "[Symbol(s)]", "[function f]", "/x/g"]));
    }
    "dates, maps and sets are readable" => |t| {
        let told = t.value("({ d: new Date(0), m: new Map([['a', 1]]), s: new Set([1, 2]) })").await;
        let expected = json!({ "d": "1970-01-01T00:00:00.000Z", "m": { "[Map]": [["a", 1]] }, "s": { "[Set]": [1, 2] } });
        assert_eq!(told, expected);
    }
    "a cycle ends" => |t| {
        assert_eq!(t.value("(() => { const a = { n: 1 }; a.self = a; return a })()").await, json!({ "n": 1, "self": "[cycle]" }));
    }
    "the same object twice is no cycle" => |t| {
        assert_eq!(t.value("(() => { const a = [1]; return [a, a] })()").await, json!([[1], [1]]));
    }
    "elements are described" => |t| {
        t.show("<button id=b class='c d'>Save  it</button>").await;
        assert_eq!(t.value("document.querySelector('#b')").await, r#"[<button id="b" class="c d">Save it</button>]"#);
        assert_eq!(t.value("document.querySelectorAll('button').length").await, 1);
    }
    "lists of elements are lists" => |t| {
        t.show("<i>1</i><i>2</i>").await;
        assert_eq!(t.value("document.querySelectorAll('i')").await, json!(["[<i>1</i>]", "[<i>2</i>]"]));
    }
    "an error as a value is told" => |t| {
        assert_eq!(t.value("new TypeError('no')").await, "[TypeError: no]");
    }
    "the window is not walked through" => |t| {
        assert_eq!(t.value("window").await, "[window]");
    }
    "a getter that throws does not spoil the rest" => |t| {
        let told = t.value("({ get a() { throw new Error('x') }, b: 1 })").await;
        assert_eq!(told, json!({ "a": "[threw Error: x]", "b": 1 }));
    }
    "deep nesting ends" => |t| {
        let told = t.value("(() => { let a = 1; for (let i = 0; i < 100; i++) a = [a]; return a })()").await;
        assert!(told.to_string().contains("[…]"), "{told}");
    }
    "a long list is cut" => |t| {
        let told = t.value("Array.from({ length: 5000 }, (_, i) => i)").await;
        assert_eq!(told.as_array().unwrap().len(), 1001);
    }
    "typed arrays are lists" => |t| {
        assert_eq!(t.value("new Uint8Array([1, 2])").await, json!([1, 2]));
    }
    "an exception is told with its name and message" => |t| {
        let Err(Failed::Threw { message, stack }) = t.evaluate("null.x").await else { panic!() };
        assert!(message.starts_with("TypeError: "), "{message}");
        assert!(stack.is_some());
    }
    "an exception that is no error is told" => |t| {
        let Err(Failed::Threw { message, .. }) = t.evaluate("(() => { throw 'words' })()").await else { panic!() };
        assert_eq!(message, "uncaught words");
    }
    "an exception that is a plain object is told as its JSON" => |t| {
        for script in ["(() => { throw { code: 7, why: ['no'] } })()", "Promise.reject({ code: 7, why: ['no'] })"] {
            let Err(Failed::Threw { message, .. }) = t.evaluate(script).await else { panic!() };
            assert_eq!(message, r#"uncaught {"code":7,"why":["no"]}"#, "{script}");
        }
        for (thrown, told) in [("null", "null"), ("undefined", "undefined"), ("7", "7"), ("new Map([[1, 2]])", r#"{"[Map]":[[1,2]]}"#)] {
            let Err(Failed::Threw { message, .. }) = t.evaluate(&format!("throw {thrown}")).await else { panic!() };
            assert_eq!(message, format!("uncaught {told}"));
        }
    }
    "a rejected promise is an exception" => |t| {
        let Err(Failed::Threw { message, .. }) = t.evaluate("Promise.reject(new Error('late'))").await else { panic!() };
        assert_eq!(message, "Error: late");
    }
    "a script that can't be read says so" => |t| {
        let Err(Failed::Threw { message, .. }) = t.evaluate("if (").await else { panic!() };
        assert!(message.contains("SyntaxError"), "{message}");
    }
    "a SyntaxError that the script throws is its own" => |t| {
        let Err(Failed::Threw { message, .. }) = t.evaluate("JSON.parse('{')").await else { panic!() };
        assert!(message.starts_with("SyntaxError"), "{message}");
    }
    "it runs in the page's own world" => |t| {
        t.show("<script>window.own = { secret: 7 }</script>").await;
        assert_eq!(t.value("own.secret").await, 7);
    }
    "no name of ours stands before the page's" => |t| {
        t.show("<script>var value = 1, script = 2, told = 3, failed = 4, call = 5, limit = 6, given = 7</script>").await;
        assert_eq!(t.value("[value, script, told, failed, call, limit, given]").await, json!([1, 2, 3, 4, 5, 6, 7]));
        assert_eq!(t.value("return [value, script, told, failed, call, limit]").await, json!([1, 2, 3, 4, 5, 6]));
    }
    "whatever promises something is waited for" => |t| {
        assert_eq!(t.value("({ then(done) { setTimeout(done, 10, 'kept') } })").await, "kept");
        assert_eq!(t.value("() => Promise.resolve('of a function')").await, "of a function");
        assert_eq!(t.value("Promise.resolve(() => 'then called')").await, "then called");
        assert_eq!(t.value("return new Promise(done => setTimeout(done, 10, 'of a body'))").await, "of a body");
    }
    "a strict content security policy does not stop it" => |t| {
        t.open("/csp").await;
        assert_eq!(t.value("() => 1 + 1").await, 2);
    }
    "a script that navigates comes back" => |t| {
        t.site.page("/next", "<title>next</title>");
        t.show("").await;
        t.value("location.href = '/next'; await new Promise(() => {})").await;
        t.until("document.title === 'next'").await;
    }
    "a script that leaves its document does not run again in the next" => |t| {
        t.site.page("/next", "<title>next</title>");
        t.show("").await;
        t.value("await fetch('/ran'); location.href = '/next'; await new Promise(() => {})").await;
        t.until("document.title === 'next'").await;
        // Behind whatever would run by mistake.
        t.value("fetch('/after').then(() => 0)").await;
        assert_eq!(t.site.hits("/ran"), 1);
    }
    "an endless loop is ended with its call and the page lives on" => |t| {
        t.show("").await;
        let scope = scope_of(ms(500));
        let ended = t.page.evaluate("for (;;) {}", None, &scope).await;
        assert_eq!(ended, Err(Failed::Interrupted(Interruption::TimedOut)));
        assert_eq!(t.value("1").await, 1);
    }
    "a promise that never settles is left" => |t| {
        t.show("").await;
        let scope = scope_of(ms(300));
        let ended = t.page.evaluate("new Promise(() => {})", None, &scope).await;
        assert_eq!(ended, Err(Failed::Interrupted(Interruption::TimedOut)));
        assert_eq!(t.value("2").await, 2);
    }
    "a page that patched JSON and prototypes is still read" => |t| {
        t.show("<script>JSON.stringify = () => 'bad'; Array.prototype.includes = () => true; Object.prototype.toString = () => 'bad'; Array.prototype.toJSON = () => 'bad'</script>").await;
        assert_eq!(t.value("({ a: [1, 2] })").await, json!({ "a": [1, 2] }));
    }
    "a big text comes through, cut and said" => |t| {
        let told = t.value("'x'.repeat(300000)").await;
        let text = told.as_str().unwrap();
        assert!(text.len() < 110_000 && text.ends_with("more]"));
    }
    "odd characters come through" => |t| {
        assert_eq!(t.value(r"'\u0000é😀\u2028'").await, "\0é😀\u{2028}");
    }
}
