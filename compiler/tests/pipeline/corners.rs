//! Corners where a stage could trip: each gives code or a diagnostic, and the same each time.

use bellcrank_compiler::stages::kernel::verify;
use bellcrank_compiler::{Options, Source, compile};

/// The result of a description: its degrees of freedom, or the codes that refuse it.
#[track_caller]
fn check(text: &str, expected: &str) {
    let source = Source::Toml {
        file: "corner.toml".to_owned(),
        text: text.to_owned(),
    };
    let outcome = match compile(&source, &Options::default()) {
        Ok(compiled) => {
            verify(&compiled.kernel).unwrap_or_else(|broken| panic!("{broken:?}"));
            format!("{} freedoms", compiled.assembly.freedoms)
        }
        Err(found) => {
            let codes = found.iter().map(|finding| finding.code.to_string());
            codes.collect::<Vec<_>>().join(" ")
        }
    };
    assert_eq!(outcome, expected, "{text}");
}

const PLANAR_BODY: &str = "space = 'planar'\nbodies.a = { mass = 1, inertia = 1, free = true }\n";
const SPATIAL_BODY: &str =
    "space = 'spatial'\nbodies.a = { mass = 1, inertia = [1, 2, 2], free = true }\n";

fn planar(more: &str) -> String {
    format!("{PLANAR_BODY}{more}")
}

fn spatial(more: &str) -> String {
    format!("{SPATIAL_BODY}{more}")
}

#[test]
fn bodies_without_joints() {
    check(&planar(""), "3 freedoms");
    check(&spatial(""), "6 freedoms");
    check(
        &planar("bodies.b = { mass = 1, inertia = 1, free = true }"),
        "6 freedoms",
    );
    check(
        &spatial("gravity = [0, 0, 0]\nassembly.hold = ['a']"),
        "6 freedoms",
    );
    check(&planar("assembly.hold = ['a', 'a.x']"), "3 freedoms");
    let sphere = "space = 'spatial'\nbodies.a = { mass = 1, inertia = [1, 1, 1], free = true }";
    check(sphere, "6 freedoms");
}

#[test]
fn joints_that_say_the_same_twice() {
    let pins = "joints.P = { type = 'revolute', between = ['ground', 'a'] }\n\
                joints.Q = { type = 'revolute', between = ['ground', 'a'] }";
    check(&planar(pins), "1 freedoms");
    let mut many = String::new();
    for k in 0..20 {
        many += &format!("joints.J{k} = {{ type = 'revolute', between = ['a', 'ground'] }}\n");
    }
    check(&planar(&many), "1 freedoms");
    let hinges = "joints.P = { type = 'revolute', between = ['ground', 'a'], axis = 'z' }\n\
                  joints.Q = { type = 'revolute', between = ['a', 'ground'], at = [0, 0, 1], axis = 'z' }";
    check(&spatial(hinges), "1 freedoms");
}

#[test]
fn a_body_that_carries_twenty_others() {
    let mut text = planar("");
    for k in 0..20 {
        text += &format!(
            "bodies.b{k} = {{ mass = 1, inertia = 1, position = [{k}, 0] }}\n\
             joints.J{k} = {{ type = 'revolute', between = ['a', 'b{k}'], at = [{k}, 0] }}\n"
        );
    }
    check(&text, "23 freedoms");
}

#[test]
fn joints_without_rows() {
    let driven = "joints.P = { type = 'distance', between = ['ground', 'a'], at = [0, 0], motion = { length = '1 + t' } }";
    check(&planar(driven), "M212");
    let driven = "bodies.b = { mass = 1, inertia = 1, position = [1, 0] }\n\
                  joints.P = { type = 'distance', between = ['a', 'b'], motion = { length = '1 + t' } }";
    check(&planar(driven), "5 freedoms");
}

#[test]
fn geometry_that_is_singular_at_the_default() {
    let rod = "parameters.l = 0\njoints.P = { type = 'distance', between = ['ground', 'a'], length = 'l' }";
    check(&planar(rod), "M212");
    let ratio = "parameters.l = 0\nground.points.p = ['1 / l', 0]\n\
                 joints.P = { type = 'revolute', between = ['ground.p', 'a'] }";
    check(&planar(ratio), "D107");
    let stretched = "parameters.l = 1\nground.points.p = ['2 * l', 0]\n\
                     bodies.b = { mass = 1, inertia = 1, position = [1, 0], points = { tip = ['l', 0] } }\n\
                     joints.P = { type = 'revolute', between = ['ground', 'a'] }\n\
                     joints.Q = { type = 'revolute', between = ['a', 'b'], at = [1, 0] }\n\
                     joints.R = { type = 'revolute', between = ['b.tip', 'ground.p'] }";
    // It can tremble, but not move: the rank at the start alone would not tell.
    check(&planar(stretched), "T302");
    let lock = "joints.P = { type = 'universal', between = ['ground', 'a'], axis = ['x', 'x'] }";
    check(&spatial(lock), "T305");
    let drive = "joints.P = { type = 'cylindrical', between = ['ground', 'a'], axis = 'z', motion = { angle = '0', displacement = 't' } }";
    check(&spatial(drive), "0 freedoms");
}

#[test]
fn odd_numbers() {
    check(&planar("gravity = [0, -1e300]"), "3 freedoms");
    // Products of such numbers with lengths, squared, are still numbers.
    for size in ["1e-60", "1e60"] {
        let body = format!("bodies.a = {{ mass = {size}, inertia = {size}, free = true }}");
        check(&format!("space = 'planar'\n{body}"), "3 freedoms");
    }
    for size in ["1e-300", "1e300"] {
        let body = format!("bodies.a = {{ mass = {size}, inertia = 1, free = true }}");
        check(&format!("space = 'planar'\n{body}"), "M206");
        let body = format!("bodies.a = {{ mass = 1, inertia = {size}, free = true }}");
        check(&format!("space = 'planar'\n{body}"), "M207");
    }
    let far = "bodies.b = { mass = 1, inertia = 1, position = [1e9, 0] }\n\
               joints.P = { type = 'revolute', between = ['a', 'b'] }";
    check(&planar(far), "4 freedoms");
    check(&planar("outputs.a = '1 / 0'"), "D107");
    check(
        &planar("outputs.a = 'a.x^0'\noutputs.b = '0 * a.x'\noutputs.c = '7'"),
        "3 freedoms",
    );
}
