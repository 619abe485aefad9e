use super::*;
use crate::expr::{Expr, Symbol};

fn rod(rest: &str) -> String {
    with(
        PENDULUM,
        &format!("-bodies\nbodies.rod = {{ points.top = [0, 0.5], {rest} }}"),
    )
}

#[test]
fn constants_are_folded_and_parameters_stay() {
    let model = model(&with(
        &rod("mass = \"2 * m\", inertia = \"j\""),
        "constants.m = \"3 kg\"\nconstants.m2 = \"m + 1 g\"\nparameters.j = \"2 kg*(1 m)^2\"",
    ));
    assert_eq!(model.bodies[0].mass, Expr::constant(6.0));
    assert_eq!(
        model.bodies[0].inertia[2][2],
        Expr::symbol(Symbol::Parameter(0))
    );
    assert_eq!(model.parameters[0].default, 2.0);
}

#[test]
fn dimensions_are_checked() {
    check(
        &rod("mass = \"3 mm\", inertia = 1"),
        &["D109 bodies.rod.mass"],
    );
    check(
        &rod("mass = \"3 kg + 1 mm\", inertia = 1"),
        &["D109 bodies.rod.mass"],
    );
    check(
        &rod("mass = \"sin(3 mm)\", inertia = 1"),
        &["D109 bodies.rod.mass"],
    );
    check(
        &rod("mass = \"2 * sin(30 deg)\", inertia = \"3 kg * (2 m)^2\""),
        &[],
    );
    check(
        &rod("mass = 1, inertia = \"3 kg * 2 m\""),
        &["D109 bodies.rod.inertia"],
    );
    check(
        &rod("mass = 1, inertia = 1, angle = \"3 s\""),
        &["D109 bodies.rod.angle"],
    );
    check_pendulum(
        "constants.l = \"3 mm\"\nsimulation.step = \"l\"",
        &["D109 simulation.step"],
    );
    check_pendulum(
        "constants.c = \"if 1 mm > 1 s then 1 else 2\"",
        &["D109 constants.c"],
    );
    check_pendulum("constants.c = \"sqrt(4 m^2) + 1 mm\"", &[]);
    check_pendulum("constants.c = \"max(1 m, 2, 3 s)\"", &["D109 constants.c"]);
}

/// Parameters and constants go before units, in fixed numbers as in laws.
#[test]
fn names_go_before_units() {
    let inertia = |text: &str| {
        let text = rod(&format!("mass = 1, inertia = \"{text}\""));
        let text = with(&text, "constants.h = \"3 m\"\nparameters.s = 2");
        try_model(&text).map(|model| model.bodies[0].inertia[2][2].clone())
    };
    assert_eq!(inertia("0.5 kg * h^2").ok(), Some(Expr::constant(4.5)));
    assert_eq!(
        inertia("0.5 kg * m^2 * s").ok(),
        Some(Expr::constant(0.5) * Expr::symbol(Symbol::Parameter(0)))
    );
    assert_eq!(
        inertia("0.5 kg*h^2"),
        Err(vec!["D113 bodies.rod.inertia".to_owned()])
    );
    assert_eq!(
        inertia("2 kg * t"),
        Err(vec!["M216 bodies.rod.inertia".to_owned()])
    );
    check(&rod("mass = \"2 t\", inertia = 1"), &[]);
}

#[test]
fn texts_are_well_formed_and_finite() {
    check(
        &rod("mass = \"3 furlong\", inertia = 1"),
        &["D108 bodies.rod.mass"],
    );
    check(
        &rod("mass = \"3 +\", inertia = 1"),
        &["D110 bodies.rod.mass"],
    );
    check(
        &rod("mass = \"1 / p\", inertia = 1"),
        &["M201 bodies.rod.mass"],
    );
    check(
        &with(&rod("mass = \"1 / p\", inertia = 1"), "parameters.p = 0"),
        &["D107 bodies.rod.mass"],
    );
    check(&rod("mass = nan, inertia = 1"), &["D107 bodies.rod.mass"]);
    check_pendulum("constants.c = \"ln(0 - 1)\"", &["D107 constants.c"]);
}

#[test]
fn constants_use_each_other_in_any_order() {
    let rod = rod("mass = \"c\", inertia = 1");
    let text = with(
        &rod,
        "constants.c = \"d * 2\"\nconstants.d = \"if e < 2 then 3 else 4\"\nconstants.e = 1",
    );
    assert_eq!(model(&text).bodies[0].mass, Expr::constant(6.0));
    check_pendulum(
        "constants.c = \"d\"\nconstants.d = \"c\"",
        &["M201 constants.c", "M201 constants.d"],
    );
    check_pendulum("constants.c = \"c\"", &["M201 constants.c"]);
    check_pendulum(
        "parameters.b = 1\nparameters.c = \"b\"",
        &["M216 parameters.c"],
    );
    check_pendulum("inputs.c = \"t\"", &["M216 inputs.c"]);
}

#[test]
fn one_error_is_told_once() {
    check(
        &with(
            &rod("mass = \"p\", inertia = \"p\""),
            "parameters.p = \"1 +\"",
        ),
        &["D110 parameters.p"],
    );
}

#[test]
fn parameters_stay_out_of_what_is_folded() {
    let free = |line: &str, expected: &[&str]| {
        check_free(&format!("parameters.p = 1\n-bodies.a\n{line}"), expected);
    };
    free(
        "bodies.a = { mass = \"p\", inertia = [\"p\", \"p\", \"p\"], position = [\"p\", 0, 0], axes.h = [\"p\", 0, 0] }",
        &["M216 bodies.a.axes.h[0]"],
    );
    free(
        "bodies.a = { mass = 1, inertia = { xx = 1, yy = 1, zz = 1, xy = \"p\" } }",
        &["M216 bodies.a.inertia.xy"],
    );
    free(
        "bodies.a = { mass = 1, inertia = [1, 1, 1], orientation = { axis = \"z\", angle = \"p\" } }",
        &["M216 bodies.a.orientation.angle"],
    );
    free(
        "bodies.a = { mass = 1, inertia = [1, 1, 1], points.q = [\"p\", 0, 0], axes.h = { through = [\"origin\", \"q\"] } }",
        &["M216 bodies.a.axes.h.through[1]"],
    );
}

#[test]
fn masses_and_inertias_are_possible() {
    check(&rod("mass = 0, inertia = 1"), &[]);
    check(&rod("mass = 0, inertia = 0"), &[]);
    check(
        &rod("mass = -1, inertia = -1"),
        &["M206 bodies.rod.mass", "M207 bodies.rod.inertia"],
    );
    check(&rod("mass = 1, inertia = { zz = 1, about = \"top\" }"), &[]);
    check(
        &rod("mass = 8, inertia = { zz = 1, about = \"top\" }"),
        &["M207 bodies.rod.inertia"],
    );
    let body = |inertia: &str, expected: &[&str]| {
        check_free(
            &format!("-bodies.a\nbodies.a = {{ mass = 1, inertia = {inertia} }}"),
            expected,
        );
    };
    body("[1, 1, 2]", &[]);
    body("[0.1, 0.2, 0.3]", &[]);
    body("[1, 1, 2.001]", &["M207 bodies.a.inertia"]);
    body("[1, 1, 0]", &[]);
    body("[0, 0, 0]", &[]);
    body("[0, 1, 2]", &["M207 bodies.a.inertia"]);
    body("[0, 0, 1]", &["M207 bodies.a.inertia"]);
    body("[-1e-6, 1, 1]", &["M207 bodies.a.inertia"]);
    body(
        "{ xx = 1, yy = 1, zz = 1, xy = 2 }",
        &["M207 bodies.a.inertia"],
    );
    body("{ xx = 1, zz = 1 }", &["M214 bodies.a.inertia.yy"]);
    body(
        "{ xx = 1, yy = 1, zz = 1, about = \"corner\" }",
        &["M201 bodies.a.inertia.about"],
    );
    body("1", &["M215 bodies.a.inertia"]);
    body("[1, 1]", &["M215 bodies.a.inertia"]);
    check(
        &rod("mass = 1, inertia = [1, 1, 1]"),
        &["M215 bodies.rod.inertia"],
    );
    check(
        &rod("mass = 1, inertia = { zz = 1, xx = 1 }"),
        &["M213 bodies.rod.inertia.xx"],
    );
}

#[test]
fn vectors_have_as_many_components_as_space() {
    check(
        &rod("mass = 1, inertia = 1, center = [0, 0, 0]"),
        &["M215 bodies.rod.center"],
    );
    check(
        &rod("mass = 1, inertia = 1, angular_velocity = [0, 0, 1]"),
        &["M215 bodies.rod.angular_velocity"],
    );
    check_free("gravity = [0, 1]", &["M215 gravity"]);
    check_free(
        "-bodies.a\nbodies.a = { mass = 1, inertia = [1, 1, 1], angular_velocity = 1 }",
        &["M215 bodies.a.angular_velocity"],
    );
    check_free(
        "-bodies.a\nbodies.a = { mass = 1, inertia = [1, 1, 1], orientation = [1, 0] }",
        &["M215 bodies.a.orientation"],
    );
}

#[test]
fn simulation_has_defaults_and_positive_numbers() {
    let run = model(PENDULUM).simulation;
    assert_eq!((run.until, run.step), (10.0, 1e-3));
    check_pendulum(
        "simulation = { step = 0, until = \"-1 s\" }",
        &["M212 simulation.until", "M212 simulation.step"],
    );
}

#[test]
fn tables_are_usable() {
    let table =
        |text: &str, expected: &[&str]| check_pendulum(&format!("tables.lift = {text}"), expected);
    table("{ x = [0, 1], y = [0, \"3 mm\"] }", &[]);
    table("{ x = [0], y = [0] }", &["M218 tables.lift"]);
    table("{ x = [0, 1], y = [0] }", &["M218 tables.lift"]);
    table(
        "{ x = [0, 1, 1], y = [0, 1, 2] }",
        &["M218 tables.lift.x[2]"],
    );
    table(
        "{ x = [0, \"1 +\"], y = [0, 1] }",
        &["D110 tables.lift.x[1]"],
    );
}

fn table(kind: &str, x: &[f64], y: &[f64]) -> crate::model::Table {
    let text = format!("tables.f = {{ x = {x:?}, y = {y:?}, interpolation = \"{kind}\" }}");
    model(&with(PENDULUM, &text)).tables.remove(0)
}

#[test]
fn linear_tables_have_slopes() {
    let f = table("linear", &[0.0, 1.0, 3.0], &[1.0, 3.0, 2.0]);
    assert_eq!(
        f.coefficients,
        [[1.0, 2.0, 0.0, 0.0], [3.0, -0.5, 0.0, 0.0]]
    );
    assert_eq!(
        table("cubic", &[0.0, 2.0], &[1.0, 3.0]).coefficients,
        [[1.0, 1.0, 0.0, 0.0]]
    );
}

#[test]
fn natural_splines_are_smooth_and_flat_at_the_ends() {
    let x = [0.0, 0.5, 1.5, 2.0, 4.0];
    let y = [1.0, -1.0, 2.0, 0.5, 0.0];
    let c = table("cubic", &x, &y).coefficients;
    let at = |k: usize, s: f64| {
        let [a, b, c, d] = c[k];
        [
            a + s * (b + s * (c + s * d)),
            b + s * (2.0 * c + 3.0 * s * d),
            2.0 * c + 6.0 * s * d,
        ]
    };
    for k in 0..4 {
        let end = at(k, x[k + 1] - x[k]);
        let next = if k < 3 {
            at(k + 1, 0.0)
        } else {
            [y[4], end[1], 0.0]
        };
        for n in 0..3 {
            // A few roundings of numbers of order ten.
            assert!(
                (end[n] - next[n]).abs() < 1e-13,
                "interval {k}, derivative {n}"
            );
        }
    }
    assert_eq!(at(0, 0.0)[2], 0.0);
}
