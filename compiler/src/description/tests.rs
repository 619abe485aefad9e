use std::collections::BTreeSet;

use proptest::prelude::*;

use super::places::{SourcePlace, locate, locate_within, place_of};
use super::*;
use crate::description::tokens::TokenSource;
use crate::diagnostics::{Diagnostic, Path};
use crate::source::Source;

const TOML: &str = include_str!("samples/every_key.toml");
const JSON: &str = include_str!("samples/every_key.json");

fn toml(text: &str) -> Source {
    let (file, text) = ("model.toml".to_owned(), text.to_owned());
    Source::Toml { file, text }
}

fn json(text: &str) -> Source {
    let (file, text) = ("model.json".to_owned(), text.to_owned());
    Source::Json { file, text }
}

fn tokens(text: &str) -> Option<Source> {
    let tokens = text.parse().ok()?;
    Some(Source::Tokens(TokenSource { tokens }))
}

/// The text at a place; for tokens the words of `text` cannot be found, so their place is only said.
fn under(source: &Source, place: Option<SourcePlace>) -> String {
    match (source.text(), place) {
        (Some(text), Some(SourcePlace::Text(range))) => text[range].to_owned(),
        (_, Some(SourcePlace::Token(span))) => span.source_text().unwrap_or_default(),
        _ => "nowhere".to_owned(),
    }
}

/// Every finding in a line, with the text that its caret stands under.
fn outcome(source: &Source) -> String {
    let line = |found: &Diagnostic| {
        let under = under(source, place_of(source, found));
        let hint = found.hint.as_deref().map(|hint| format!(" = {hint}"));
        let hint = hint.unwrap_or_default();
        format!("{}: {} `{under}`{hint}\n", found.code, found.message)
    };
    match read(source) {
        Ok(description) => format!("{} bodies", description.bodies.len()),
        Err(found) => found.iter().map(line).collect(),
    }
}

#[track_caller]
fn read_ok(source: &Source) -> Description {
    match read(source) {
        Ok(description) => description,
        Err(found) => panic!("{found}"),
    }
}

#[test]
fn three_formats_give_one_description() {
    let from_toml = read_ok(&toml(TOML));
    let from_json = read_ok(&json(JSON));
    let from_tokens = read_ok(&tokens(TOML).expect("TOML without comments is made of tokens"));
    assert_eq!(from_toml, from_json);
    assert_eq!(from_toml, from_tokens);
    for description in [from_toml, from_json, from_tokens] {
        assert!(
            description
                .bodies
                .keys()
                .eq(["slider", "crank", "rod", "disk", "plate", "hammer"])
        );
        assert!(description.constants.keys().eq(["length", "half"]));
        assert!(description.tables.keys().eq(["lift", "drag"]));
    }
}

#[test]
fn what_is_written_reads_back() {
    let description = read_ok(&toml(TOML));
    let written = serde_json::to_string(&description).expect("a description is plain data");
    assert_eq!(read_ok(&json(&written)), description);
}

#[test]
fn shapes_are_told_apart() {
    let description = read_ok(&toml(TOML));
    let body = |name: &str| &description.bodies[name];
    assert!(matches!(
        body("slider").inertia,
        Some(Inertia::Principal(_))
    ));
    assert!(matches!(body("crank").inertia, Some(Inertia::Full(_))));
    assert!(matches!(body("rod").inertia, Some(Inertia::Planar(_))));
    assert!(matches!(
        body("slider").orientation,
        Some(Orientation::EulerParameters(_))
    ));
    assert!(matches!(
        body("crank").orientation,
        Some(Orientation::AxisAngle(_))
    ));
    assert!(matches!(
        body("rod").orientation,
        Some(Orientation::Axes(_))
    ));
    assert!(matches!(
        body("slider").angular_velocity,
        Some(Components::One(_))
    ));
    assert!(matches!(
        body("crank").angular_velocity,
        Some(Components::Many(_))
    ));
    assert!(matches!(
        description.joints["A"].axis,
        Some(JointAxis::List(_))
    ));
    assert!(matches!(
        description.joints["C"].axis,
        Some(JointAxis::Name(_))
    ));
    assert_eq!(description.joints["B"].kind, JointType::PinSlot);
}

/// The smallest mechanism, to which each test adds what is wrong.
const BODY: &str = "space = 'planar'\nbodies.a = { mass = 1, inertia = 1 }\n";

fn wrong(text: &str) -> String {
    outcome(&toml(&format!("{BODY}{text}")))
}

#[test]
fn all_findings_at_once() {
    insta::assert_snapshot!(outcome(&toml(
        r#"
spce = "planar"
gravity = [0, true]

[bodies.crank]
mas = 1
inertia = nan
points.tip = 3

[joints.C]
type = "revolut"
between = ["crank.tip", 1]
"#
    )), @r#"
    D102: a description has no key `spce` `spce` = did you mean `space`?
    D103: the description has no `space` `` = `space` must be `planar` or `spatial`
    D104: `gravity[1]` must be a number, a quantity or an expression, not a boolean `true`
    D102: `bodies.crank` has no key `mas` `mas` = did you mean `mass`?
    D107: `bodies.crank.inertia` is not a finite number `nan`
    D104: `bodies.crank.points.tip` must be a list, not a number `3`
    D104: `joints.C.type` must be a type of joint such as `revolute`, not `revolut` `"revolut"` = did you mean `revolute`?
    D104: `joints.C.between[1]` must be a text, not a number `1`
    "#);
}

#[test]
fn findings_of_tokens() {
    let source = tokens(r#"spce = "planar", [bodies.crank] mas = 1 inertia = -inf points.tip = 3"#);
    insta::assert_snapshot!(outcome(&source.expect("tokens")), @"
    D102: a description has no key `spce` `spce` = did you mean `space`?
    D103: the description has no `space` `` = `space` must be `planar` or `spatial`
    D102: `bodies.crank` has no key `mas` `mas` = did you mean `mass`?
    D107: `bodies.crank.inertia` is not a finite number `inf`
    D104: `bodies.crank.points.tip` must be a list, not a number `3`
    ");
}

#[test]
fn findings_of_json() {
    insta::assert_snapshot!(outcome(&json(
        r#"{ "spce": null, "bodies": { "crank": { "mas": 1, "inertia": [1, {}] } } }"#
    )), @r#"
    D102: a description has no key `spce` `"spce"` = did you mean `space`?
    D103: the description has no `space` `` = `space` must be `planar` or `spatial`
    D102: `bodies.crank` has no key `mas` `"mas"` = did you mean `mass`?
    D104: `bodies.crank.inertia[1]` must be a number, a quantity or an expression, not a table `{}`
    "#);
}

#[test]
fn syntax_of_toml() {
    insta::assert_snapshot!(wrong("x = \ny = [1, 2\n"), @"
    D101: string values must be quoted, expected literal string ``
    D101: unclosed array, expected `]` ``
    ");
    insta::assert_snapshot!(wrong("space = 'spatial'"), @"D101: duplicate key `space`");
    insta::assert_snapshot!(wrong("name = \"ä"), @r#"D101: invalid basic string, expected `"` ``"#);
}

#[test]
fn syntax_of_json() {
    insta::assert_snapshot!(outcome(&json("")), @"D101: EOF while parsing a value ``");
    insta::assert_snapshot!(outcome(&json("{ \"ä\": 1,\n \"b\" 2 }")), @"D101: expected `:` `2`");
    insta::assert_snapshot!(outcome(&json(r#"{ "a": { "b": 1, "b": 2 }, "a": 3 }"#)), @r#"
    D101: `a.b` is written twice `"b"`
    D101: `a` is written twice `"a"`
    "#);
    insta::assert_snapshot!(outcome(&json(r#"{ "constants": { "b": 1e999 } }"#)), @"D107: `1e999` is not a finite number `1e999`");
    insta::assert_snapshot!(outcome(&json("[]")), @"D104: the description must be a table, not a list `[]`");
}

#[test]
fn syntax_of_tokens() {
    let check = |text: &str| outcome(&tokens(text).expect("tokens"));
    insta::assert_snapshot!(check("a = 1 # why"), @"D101: expected a key; comments are written `// …` in `mechanism!` `#`");
    insta::assert_snapshot!(check("a = 1 a = 2"), @"D101: the key `a` is written twice `a`");
    insta::assert_snapshot!(check("[a] b = 1 [a] c = 1"), @"D101: the table `a` is written twice `[a]`");
    insta::assert_snapshot!(check("a = 1 [a.b] c = 1"), @"D101: `a` already has a value that is no table `a`");
    insta::assert_snapshot!(check("a = 29mm"), @"D101: expected a plain number; a number with a unit stands in quotes `29mm`");
    insta::assert_snapshot!(check("a = planar"), @"D101: expected a value; a text stands in quotes `planar`");
    insta::assert_snapshot!(check("a = 'x'"), @"D101: expected a text in double quotes, a number or a bool `'x'`");
    insta::assert_snapshot!(check("a = [1 2]"), @"D101: expected `,` `2`");
    insta::assert_snapshot!(check("a-b = 1"), @"D101: expected `=` `-`");
    insta::assert_snapshot!(check("a = -\"x\""), @r#"D101: expected a text in double quotes, a number or a bool `"x"`"#);
    insta::assert_snapshot!(check("a ="), @"D101: unexpected end of input, expected a value ``");
}

#[test]
fn kinds_of_values() {
    insta::assert_snapshot!(wrong("name = 3"), @"D104: `name` must be a text, not a number `3`");
    insta::assert_snapshot!(wrong("gravity = '9.81'"), @"D104: `gravity` must be a list, not a text `'9.81'`");
    insta::assert_snapshot!(wrong("constants = { a = 2020-01-01, b = inf, c = 1e999 }"), @"
    D104: `constants.a` must be a number, a quantity or an expression, not a date or time `2020-01-01`
    D107: `constants.b` is not a finite number `inf`
    D107: `constants.c` is not a finite number `1e999`
    ");
    insta::assert_snapshot!(wrong("ground.axes.n = { thru = 1 }"), @"
    D102: `ground.axes.n` has no key `thru` `thru` = did you mean `through`?
    D103: `ground.axes.n` has no `through` `n` = `through` must be a list of two texts
    ");
    insta::assert_snapshot!(wrong("bodies.b = 1"), @"D104: `bodies.b` must be a table, not a number `1`");
    insta::assert_snapshot!(wrong("joints.J = { type = 'planar', between = ['a'], axis = 1 }"), @"
    D104: `joints.J.between` must be a list of two texts, not of 1 `['a']`
    D104: `joints.J.axis` must be the name of an axis, or a list, not a number `1`
    ");
    insta::assert_snapshot!(wrong("simulation.integrator = 'rk5'"), @"D104: `simulation.integrator` must be an integrator such as `rk4`, not `rk5` `'rk5'` = did you mean `rk4`?");
    insta::assert_snapshot!(wrong("assembly.hold = 'a.angle'"), @"D104: `assembly.hold` must be a list, not a text `'a.angle'`");
}

#[test]
fn a_mechanism_needs_a_body() {
    insta::assert_snapshot!(outcome(&toml("space = 'planar'")), @"D111: the mechanism has no body `` = add a table `bodies.name` with a `shape`, or with `mass` and `inertia`");
    insta::assert_snapshot!(outcome(&toml("space = 'planar'\n[bodies]")), @"D111: the mechanism has no body `` = add a table `bodies.name` with a `shape`, or with `mass` and `inertia`");
    insta::assert_snapshot!(outcome(&toml("")), @"
    D103: the description has no `space` `` = `space` must be `planar` or `spatial`
    D111: the mechanism has no body `` = add a table `bodies.name` with a `shape`, or with `mass` and `inertia`
    ");
}

#[test]
fn places() {
    #[track_caller]
    fn check(path: &str, in_toml: &str, in_json: &str) {
        let path = Path::new(path);
        for (source, expect) in [(toml(TOML), in_toml), (json(JSON), in_json)] {
            assert_eq!(under(&source, locate(&source, &path)), expect, "{path}");
        }
    }
    check("joints.B.between[1]", "\"slider\"", "\"slider\"");
    check("joints.A.motion.angle", "\"2 * pi * t\"", "\"2 * pi * t\"");
    check("joints.A", "A", "\"A\"");
    check("joints.A.length", "A", "\"A\"");
    check("ground.axes.up[2]", "1", "1");
    check("bodies.crank.inertia.zz", "0.2", "0.2");
    check("bodies.crank.inertia", "inertia", "\"inertia\"");
    check("bodies.crank.points.tip[0]", "\"length\"", "\"length\"");
    check(
        "bodies.crank.center[9].x",
        "[\"length / 2\", 0, 0]",
        "[\"length / 2\", 0, 0]",
    );
    check("nothing.at.all", "", "");
    check("", "", "");
}

#[test]
fn places_inside_of_texts() {
    let path = Path::new("constants.length");
    for source in [toml(TOML), json(JSON)] {
        assert_eq!(under(&source, locate_within(&source, &path, 4..6)), "mm");
        assert_eq!(
            under(&source, locate_within(&source, &path, 4..60)),
            "\"300 mm\""
        );
    }
    let escaped = toml("constants.a = \"\\u0033 mm\"");
    let place = locate_within(&escaped, &Path::new("constants.a"), 2..4);
    assert_eq!(under(&escaped, place), "\"\\u0033 mm\"");
}

#[test]
fn names_with_dots_have_places() {
    let source = toml("[bodies]\n'a.b' = { mass = 'x' }\na = { b = 1 }");
    let place = locate(&source, &Path::new("bodies.a.b.mass"));
    assert_eq!(under(&source, place), "'x'");
}

#[test]
fn deep_nesting_is_refused() {
    let keys = |n: usize| vec!["a"; n].join(".");
    let deep =
        |open: &str, close: &str, n: usize| format!("{}1{}", open.repeat(n), close.repeat(n));
    let mixed = deep(&format!("{{ {} = ", keys(79)), "}", 79);
    for text in [
        format!("{} = 1", keys(100_000)),
        format!("[{}]", keys(100_000)),
        format!("a = {}", deep("[", "]", 100_000)),
        format!("a = {mixed}"),
    ] {
        assert!(read(&toml(&text)).is_err());
        assert!(tokens(&text).is_none_or(|source| read(&source).is_err()));
    }
    assert!(read(&json(&deep("[", "]", 100_000))).is_err());
    assert!(read(&json(&deep("{\"a\":", "}", 100_000))).is_err());
}

#[test]
fn schema_lists_every_key() {
    let schema = schema();
    assert!(schema["$schema"].is_string());
    assert_eq!(schema["title"], "Bellcrank mechanism");
    let check = |part: &serde_json::Value, keys: &[&str]| {
        let listed = part["properties"]
            .as_object()
            .expect("a table has properties");
        let listed: BTreeSet<_> = listed.keys().map(String::as_str).collect();
        assert_eq!(listed, keys.iter().copied().collect());
    };
    check(&schema, Description::KEYS);
    for (name, keys) in [
        ("Ground", Ground::KEYS),
        ("Body", Body::KEYS),
        ("Shape", Shape::KEYS),
        ("FullInertia", FullInertia::KEYS),
        ("AxisAngle", AxisAngle::KEYS),
        ("OrientationAxes", OrientationAxes::KEYS),
        ("Joint", Joint::KEYS),
        ("Force", Force::KEYS),
        ("Table", Table::KEYS),
        ("Event", Event::KEYS),
        ("Assembly", Assembly::KEYS),
        ("Simulation", Simulation::KEYS),
    ] {
        check(&schema["$defs"][name], keys);
    }
}

/// A valid text with a piece replaced, so that most of it still has a meaning.
fn mutated(text: &'static str) -> impl Strategy<Value = String> {
    let piece = prop_oneof![".{0,4}", "[\\[\\]{}\"'=,.:#\\\\\n-]{1,3}", "[0-9a-z.]{1,5}"];
    (0..text.len(), 0..12usize, piece).prop_map(move |(at, length, piece)| {
        let start = text.floor_char_boundary(at);
        let end = text.floor_char_boundary((start + length).min(text.len()));
        format!("{}{piece}{}", &text[..start], &text[end..])
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(128))]

    #[test]
    fn any_text_is_read_or_refused(text in ".{0,80}") {
        outcome(&toml(&text));
        outcome(&json(&text));
    }

    #[test]
    fn any_change_is_read_or_refused(text in mutated(TOML)) {
        outcome(&toml(&text));
        if let Some(source) = tokens(&text) {
            outcome(&source);
        }
    }

    #[test]
    fn any_change_of_json_is_read_or_refused(text in mutated(JSON)) {
        outcome(&json(&text));
    }
}

#[test]
fn every_formulation_has_one_word_in_every_format() {
    for formulation in Formulation::ALL {
        let word = formulation.word();
        assert_eq!(Formulation::of(word), Some(formulation));
        let in_toml = format!(
            "space = 'planar'\nformulation = '{word}'\n[bodies.a]\nmass = 1\ninertia = 1\n"
        );
        let body = r#""bodies": { "a": { "mass": 1, "inertia": 1 } }"#;
        let in_json = format!(r#"{{ "space": "planar", "formulation": "{word}", {body} }}"#);
        for source in [toml(&in_toml), json(&in_json)] {
            assert_eq!(read(&source).unwrap().formulation, Some(formulation));
        }
    }
}

#[test]
fn a_misspelt_form_is_guessed() {
    let text =
        "space = 'planar'\nformulation = 'particle/momentun'\n[bodies.a]\nmass = 1\ninertia = 1\n";
    let found = read(&toml(text)).unwrap_err();
    let hint = found.iter().next().and_then(|one| one.hint.clone());
    assert_eq!(hint.as_deref(), Some("did you mean `particle/momentum`?"));
}
