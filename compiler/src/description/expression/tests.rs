use proptest::prelude::*;

use super::*;

/// As in a law of a description without names.
const KNOWN: Known = Known {
    number: &|_| None,
    time: true,
};

/// As in a law of a description with the parameter `h` and the constant `bar`.
const NAMED: Known = Known {
    number: &|name| match name {
        "h" => Some("a parameter"),
        "bar" => Some("a constant"),
        _ => None,
    },
    time: true,
};

/// Fully parenthesised, in SI units, so that the grouping shows.
fn print(ast: &Ast) -> String {
    match &ast.kind {
        AstKind::Number(number) => format!("{number}"),
        AstKind::Quantity(number, Dimension { mass, length, time }) => {
            format!("({number} kg^{mass}*m^{length}*s^{time})")
        }
        AstKind::Name(parts) => parts.join("."),
        AstKind::Negate(a) => format!("(-{})", print(a)),
        AstKind::Arithmetic(operator, a, b) => {
            let symbol = match operator {
                Operator::Add => "+",
                Operator::Subtract => "-",
                Operator::Multiply => "*",
                Operator::Divide => "/",
                Operator::Power => "^",
            };
            format!("({} {symbol} {})", print(a), print(b))
        }
        AstKind::Call(name, arguments) => {
            let arguments: Vec<_> = arguments.iter().map(print).collect();
            format!("{name}({})", arguments.join(", "))
        }
        AstKind::If(c, a, b) => {
            format!("(if {} then {} else {})", print_ask(c), print(a), print(b))
        }
    }
}

fn print_ask(ask: &Ask) -> String {
    match ask {
        Ask::Compare(comparison, a, b) => {
            let symbol = match comparison {
                Comparison::Less => "<",
                Comparison::LessEqual => "<=",
                Comparison::Greater => ">",
                Comparison::GreaterEqual => ">=",
                Comparison::Equal => "==",
                Comparison::NotEqual => "!=",
            };
            format!("({} {symbol} {})", print(a), print(b))
        }
        Ask::And(a, b) => format!("({} and {})", print_ask(a), print_ask(b)),
        Ask::Or(a, b) => format!("({} or {})", print_ask(a), print_ask(b)),
        Ask::Not(a) => format!("(not {})", print_ask(a)),
    }
}

/// The expression as it was read, or the error with the text under its caret.
fn outcome(text: &str) -> String {
    among(text, &KNOWN)
}

fn among(text: &str, known: &Known) -> String {
    match parse(text, known) {
        Ok(ast) => print(&ast),
        Err(error) => {
            let hint = error
                .hint
                .map(|hint| format!(" = {hint}"))
                .unwrap_or_default();
            let under = &text[error.span];
            format!("{}: {} `{under}`{hint}", error.code, error.message)
        }
    }
}

#[track_caller]
fn check(text: &str, expect: &str) {
    assert_eq!(outcome(text), expect, "{text}");
}

#[track_caller]
fn check_named(text: &str, expect: &str) {
    assert_eq!(among(text, &NAMED), expect, "{text}");
}

#[test]
fn precedence() {
    check("1 + 2 * 3 ^ 4", "(1 + (2 * (3 ^ 4)))");
    check("1 - 2 - 3", "((1 - 2) - 3)");
    check("8 / 4 / 2", "((8 / 4) / 2)");
    check("2 ^ 3 ** 4", "(2 ^ (3 ^ 4))");
    check("-2 ^ 2", "(-(2 ^ 2))");
    check("2 ^ -1 * 3", "((2 ^ (-1)) * 3)");
    check("-a * -b", "((-a) * (-b))");
    check("+a - (b - c)", "(a - (b - c))");
    check(".5e-3 + 2.", "(0.0005 + 2)");
}

#[test]
fn names_and_calls() {
    check("crank.tip.x", "crank.tip.x");
    check("atan2(y, x + pi)", "atan2(y, (x + pi))");
    check("now()", "now()");
    check("lift(2 * A.angle) * e", "(lift((2 * A.angle)) * e)");
}

#[test]
fn choices() {
    check(
        "if a < b then 1 else 2 + c",
        "(if (a < b) then 1 else (2 + c))",
    );
    check(
        "(if a <= b then 1 else 2) + c",
        "((if (a <= b) then 1 else 2) + c)",
    );
    check(
        "if not a > 0 and b != 0 or (c == 1) then 1 else if c >= 2 then 3 else 4",
        "(if (((not (a > 0)) and (b != 0)) or (c == 1)) then 1 else (if (c >= 2) then 3 else 4))",
    );
    check(
        "if (a > 0 and (b + 1) > 0) then 3 mm else 0 m",
        "(if ((a > 0) and ((b + 1) > 0)) then (0.003 kg^0*m^1*s^0) else (0 kg^0*m^1*s^0))",
    );
}

#[test]
fn quantities() {
    check("29mm", "(0.029 kg^0*m^1*s^0)");
    check("12 kg*m^2", "(12 kg^1*m^2*s^0)");
    check("9.81 m/s^2", "(9.81 kg^0*m^1*s^-2)");
    check("-9.81 m/s**2", "(-(9.81 kg^0*m^1*s^-2))");
    check("35 N/mm", "(35000 kg^1*m^0*s^-2)");
    check("36 km/h", "(10 kg^0*m^1*s^-1)");
    check("3 s^-1", "(3 kg^0*m^0*s^-1)");
    check("2 N·m", "(2 kg^1*m^2*s^-2)");
    check(
        "180 deg",
        &format!("({} kg^0*m^0*s^0)", std::f64::consts::PI),
    );
    check(
        "90 °",
        &format!("({} kg^0*m^0*s^0)", std::f64::consts::FRAC_PI_2),
    );
    check(
        "1 rpm",
        &format!("({} kg^0*m^0*s^-1)", std::f64::consts::TAU / 60.0),
    );
}

#[test]
fn quantities_inside() {
    check("2*L + 3 mm", "((2 * L) + (0.003 kg^0*m^1*s^0))");
    check("3 m * L", "((3 kg^0*m^1*s^0) * L)");
    check("3 mm / 2", "((0.003 kg^0*m^1*s^0) / 2)");
    check("2 * (35 N/mm) * x", "((2 * (35000 kg^1*m^0*s^-2)) * x)");
    check("max(3 m/s, v)", "max((3 kg^0*m^1*s^-1), v)");
    check("a + 3 cm^2", "(a + (0.0003 kg^0*m^2*s^0))");
    check("(3 cm)^2", "((0.03 kg^0*m^1*s^0) ^ 2)");
}

#[test]
fn compound_units_stand_anywhere() {
    check("-20 N*m*s * bob.rate", "((-(20 kg^1*m^2*s^-1)) * bob.rate)");
    check("x + 3 N / mm * y", "(x + ((3000 kg^1*m^0*s^-2) * y))");
    check("3 m/s^2 * t", "((3 kg^0*m^1*s^-2) * t)");
    check("3 s * min(a, b)", "((3 kg^0*m^0*s^1) * min(a, b))");
    check("3 N * m.x", "((3 kg^1*m^1*s^-2) * m.x)");
    check("a / 2 m", "(a / (2 kg^0*m^1*s^0))");
    check("a / (3 N*m)", "(a / (3 kg^1*m^2*s^-2))");
    check("3 N*m / 2 s", "((3 kg^1*m^2*s^-2) / (2 kg^0*m^0*s^1))");
}

#[test]
fn names_and_time_go_before_units() {
    check_named("5 Nm * t", "((5 kg^1*m^2*s^-2) * t)");
    check_named("5 N*t", "((5 kg^1*m^1*s^-2) * t)");
    check_named("0.5 kg * h^2", "((0.5 kg^1*m^0*s^0) * (h ^ 2))");
    check_named("1 N / bar", "((1 kg^1*m^1*s^-2) / bar)");
    check_named("2 h", "(7200 kg^0*m^0*s^1)");
    check_named("x + (-2 h)", "(x + (-(7200 kg^0*m^0*s^1)))");
    check_named("max(2 h, x)", "max((7200 kg^0*m^0*s^1), x)");
    assert_eq!(
        parse("2 t", &Known::NOTHING).map(|ast| print(&ast)),
        Ok("(2000 kg^1*m^0*s^0)".to_owned())
    );
}

#[test]
fn what_could_be_read_in_two_ways_is_refused() {
    check_named(
        "0.5 kg*h^2",
        "D113: `h` is a parameter here, and also a unit; either could be meant `h` = write `… * h` for a parameter, `…*(1 h)` for the unit, or rename `h`",
    );
    check_named(
        "2 h * x",
        "D113: `h` is a parameter here, and also a unit; either could be meant `h` = write `2 * h` for a parameter, `(2 h)` for the unit",
    );
    check_named(
        "5 t",
        "D113: `t` is time here, and also a unit; either could be meant `t` = write `5 * t` for time; a tonne is `1000 kg`",
    );
    check_named(
        "a / 3 N*m",
        "D113: `/ 3 N*m` could divide by all of it, or by `3 N` and go on with `*m` `3 N*m` = write `/ (3 N*m)`, or put `(… / 3 N)` in parentheses",
    );
    check_named(
        "a^-3 deg",
        "D113: `^3 deg` could be a power of `3 deg`, or of 3 with the unit after it `3 deg` = write `^(3 deg)`, or put `(…^3)` in parentheses",
    );
    check_named(
        "2 bars",
        "D108: unknown unit `bars` `bars` = did you mean `bar`? Write `2 bar`",
    );
}

#[test]
fn errors_stand_at_the_place() {
    check(
        "",
        "D110: expected a number, a name or `(`, found the end ``",
    );
    check(
        "1 +",
        "D110: expected a number, a name or `(`, found the end ``",
    );
    check(
        "(1 + 2",
        "D110: expected `)`, found the end `` = `(` at character 1 is open",
    );
    check("f(1 2)", "D110: expected `,` or `)`, found a number `2`");
    check("a b", "D110: expected an operator, found `b` `b`");
    check("if a < 1 then 2", "D110: expected `else`, found the end ``");
    check(
        "a = b",
        "D110: `=` has no meaning in an expression `=` = equality is written `==`",
    );
    check("ä $ 1", "D110: `$` has no meaning in an expression `$`");
    check(
        "1 + (a < b)",
        "D110: a condition where a number is needed `(a < b)` = write `if … then 1 else 0`",
    );
    check(
        "if a then 1 else 2",
        "D110: a number where a condition is needed `a` = compare it: `x > 0`",
    );
    check(
        "a < b < c",
        "D110: a condition where a number is needed `a < b` = write `if … then 1 else 0`",
    );
    check("1 + . + 2", "D110: a dot without digits `.`");
    check(
        "3 mm^x",
        "D110: the power of a unit is a whole number up to 9 `^` = put the quantity in parentheses to raise it: `(3 mm)^n`",
    );
}

#[test]
fn errors_about_units_and_size() {
    check(
        "3 kgg",
        "D108: unknown unit `kgg` `kgg` = did you mean `kg`? Write `3 kg`",
    );
    check(
        "2 L",
        "D108: unknown unit `L` `L` = if `L` is a name, write `*` before it",
    );
    check("2 * 1e999", "D107: `1e999` is not a finite number `1e999`");
    check(
        "1e308 km",
        "D107: the quantity is not finite in SI units `1e308 km`",
    );
}

#[test]
fn depth_and_length_are_limited() {
    let nested = |n: usize| format!("{}1{}", "(".repeat(n), ")".repeat(n));
    check(&nested(99), "1");
    check(&nested(100_000), "D110: nested too deeply `(`");
    assert!(parse(&"-".repeat(100_000), &KNOWN).is_err());
    assert!(parse(&"2^".repeat(100_000), &KNOWN).is_err());
    assert!(parse(&"if ".repeat(100_000), &KNOWN).is_err());
    assert!(parse(&"not ".repeat(100_000), &KNOWN).is_err());
    assert!(parse(&"f(".repeat(100_000), &KNOWN).is_err());
    assert!(parse(&("1 + ".repeat(900) + "1"), &KNOWN).is_ok());
    assert!(parse(&("1 + ".repeat(100_000) + "1"), &KNOWN).is_err());
}

fn expressions() -> impl Strategy<Value = String> {
    let leaf = prop_oneof![
        (0.0..1e6f64).prop_map(|number| number.to_string()),
        "[a-d]{1,2}(\\.[x-z])?",
        (0.0..1e3f64, prop_oneof!["mm", "kg", "deg", "N"]).prop_map(|(n, u)| format!("{n} {u}")),
    ];
    leaf.prop_recursive(4, 40, 4, |inner| {
        let pair = (inner.clone(), inner.clone());
        prop_oneof![
            (pair.clone(), "[-+*/^]").prop_map(|((a, b), o)| format!("({a}) {o} {b}")),
            inner.clone().prop_map(|a| format!("-{a}")),
            pair.clone().prop_map(|(a, b)| format!("f({a}, {b})")),
            (
                pair.clone(),
                pair.clone(),
                prop_oneof!["<", "<=", ">", ">=", "==", "!="]
            )
                .prop_map(|((a, b), (c, d), o)| format!(
                    "(if not {a} {o} {b} or {c} < {d} then {c} else {d})"
                )),
        ]
    })
}

#[test]
fn comparisons_become_differences_that_rise_where_they_become_true() {
    let check = |text: &str, expected: &str| {
        let found = crossing(text, &KNOWN).expect("an expression");
        assert_eq!(print(&found.value), expected);
        assert_eq!(found.compared, text.contains(['<', '>']));
    };
    check("a - 1", "(a - 1)");
    check("a > 2 * b", "(a - (2 * b))");
    check("(a >= b)", "(a - b)");
    check("a < 3 mm", "((0.003 kg^0*m^1*s^0) - a)");
    for text in ["a == b", "a != b", "a > 1 or b > 1", "not a > 1", "a > 1 b"] {
        assert!(crossing(text, &KNOWN).is_err(), "{text}");
    }
}

proptest! {
    #[test]
    fn any_text_is_read_or_refused(text in ".{0,60}") {
        outcome(&text);
        let _ = crossing(&text, &KNOWN);
    }

    #[test]
    fn any_words_are_read_or_refused(words in prop::collection::vec(
        prop_oneof![
            "if", "then", "else", "and", "or", "not", "[-+*/^(),<>=!.]", "[0-9.]{1,3}e?",
            "mm", "µm", "a\\.b", "[(]", "[)]"
        ],
        0..30,
    )) {
        outcome(&words.concat());
        outcome(&words.join(" "));
    }

    #[test]
    fn what_is_printed_reads_back(text in expressions()) {
        if let Ok(ast) = parse(&text, &KNOWN) {
            let printed = print(&ast);
            prop_assert_eq!(outcome(&printed), printed);
        }
    }
}
