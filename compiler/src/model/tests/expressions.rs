//! Named expressions and where they are expanded.

use super::*;
use crate::expr::Expr;

/// The model of the same text with the expression written out.
#[track_caller]
fn same(short: &str, long: &str) {
    let (short, long) = (model(&with(PENDULUM, short)), model(&with(PENDULUM, long)));
    assert_eq!(short, long);
}

#[test]
fn expressions_mean_what_they_would_in_place() {
    same(
        "parameters.k = 3\nexpressions.lift = \"rod.angle - 2 * k\"\nexpressions.twice = \"2 * lift\"\n\
         outputs.a = \"lift + twice\"\nforces.f = { type = \"torque\", on = \"rod\", torque = \"-lift\" }\n\
         events.e = { when = \"twice > 1\", stop = true }",
        "parameters.k = 3\noutputs.a = \"(rod.angle - 2 * k) + 2 * (rod.angle - 2 * k)\"\n\
         forces.f = { type = \"torque\", on = \"rod\", torque = \"-(rod.angle - 2 * k)\" }\n\
         events.e = { when = \"2 * (rod.angle - 2 * k) > 1\", stop = true }",
    );
    same(
        "-joints\nexpressions.turn = \"2 * pi * t\"\n\
         joints.A = { type = \"revolute\", between = [\"ground.pin\", \"rod.top\"], motion.angle = \"sin(turn)\" }",
        "-joints\n\
         joints.A = { type = \"revolute\", between = [\"ground.pin\", \"rod.top\"], motion.angle = \"sin(2 * pi * t)\" }",
    );
}

/// Nobody names it, so it changes nothing, and an expression may be a plain number with a unit.
#[test]
fn unused_expressions_change_nothing() {
    same("expressions.unused = \"A.force.x\"", "");
    let text = with(PENDULUM, "expressions.l = \"3 mm\"\noutputs.o = \"l\"");
    assert_eq!(model(&text).outputs[0].value, Expr::constant(0.003));
    check_pendulum("expressions.bad = \"2 +\"", &["D110 expressions.bad"]);
}

#[test]
fn dimensions_go_with_expressions() {
    check_pendulum(
        "expressions.l = \"3 mm\"\noutputs.o = \"l + 1 kg\"",
        &["D109 outputs.o"],
    );
}

/// Told once, at the expression, however often it is used.
#[test]
fn what_is_wrong_is_told_at_the_expression() {
    check_pendulum(
        "expressions.e = \"rod.angel\"\noutputs.a = \"e\"\noutputs.b = \"e + 1\"",
        &["M211 expressions.e"],
    );
    check_pendulum(
        "expressions.load = \"A.force.x\"\noutputs.a = \"load\"\n\
         forces.f = { type = \"torque\", on = \"rod\", torque = \"load\" }",
        &["M221 expressions.load"],
    );
    check_pendulum(
        "-joints\ninputs.u = 1\nexpressions.e = \"u * t\"\n\
         joints.A = { type = \"revolute\", between = [\"ground.pin\", \"rod.top\"], motion.angle = \"e\" }",
        &["M221 expressions.e"],
    );
    // An element's own quantities have no name in an expression.
    check_pendulum(
        "expressions.pull = \"2 * length\"\n\
         forces.f = { type = \"actuator\", between = [\"ground.pin\", \"rod.tip\"], law = \"pull\" }",
        &["M211 expressions.pull"],
    );
    check(
        &with(
            PENDULUM,
            "-bodies\nexpressions.m = 2\nbodies.rod = { mass = \"m\", inertia = 1, points.top = [0, 1] }",
        ),
        &["M216 bodies.rod.mass"],
    );
}

#[test]
fn cycles_and_clashes_are_refused() {
    check_pendulum(
        "expressions.u = \"v\"\nexpressions.v = \"w + 1\"\nexpressions.w = \"2 * v\"\noutputs.o = \"u\"",
        &["M233 expressions.v"],
    );
    check_pendulum("expressions.u = \"u + 1\"", &["M233 expressions.u"]);
    check_pendulum(
        "parameters.k = 1\nexpressions.k = 2",
        &["M202 expressions.k"],
    );
    check_pendulum("expressions.rod = 2", &["M202 bodies.rod"]);
    check_pendulum("expressions.time = 2", &["M205 expressions.time"]);
    let message = first_message(&with(
        PENDULUM,
        "expressions.v = \"w + 1\"\nexpressions.w = \"2 * v\"",
    ));
    assert!(message.contains("`v` → `w` → `v`"), "{message}");
}

/// Doubling thirty times would be a thousand million terms, and a chain is as deep as all of its links.
#[test]
fn expansions_are_bounded() {
    let chain = |n: usize, link: &str| {
        let links = (1..=n).map(|i| {
            let before = format!("e{}", i - 1);
            format!("expressions.e{i} = \"{}\"", link.replace('E', &before))
        });
        let links: Vec<String> = links.collect();
        let text = format!(
            "expressions.e0 = \"rod.x\"\n{}\noutputs.o = \"e{n}\"",
            links.join("\n")
        );
        try_model(&with(PENDULUM, &text)).map(drop)
    };
    assert_eq!(chain(10, "E + E"), Ok(()));
    assert!(chain(30, "E + E").is_err_and(|found| found[0].starts_with("D110 expressions.e")));
    assert_eq!(chain(100, "E + 1"), Ok(()));
    assert!(chain(400, "E + 1").is_err_and(|found| found[0].starts_with("D110 expressions.e")));
}
