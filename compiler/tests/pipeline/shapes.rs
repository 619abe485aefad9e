//! Bodies by their shape: the same code, to the last byte, as with the mass, centre and inertia that follow from it.

use bellcrank_compiler::{Compiled, Options, Source, compile};

/// A crank of three pieces on ground and a thin rod that hangs from it, as written in `SHAPE`.
fn spatial(crank: &str, rod: &str) -> String {
    format!(
        r#"
        name = "Hammer"
        space = "spatial"
        gravity = [0, 0, -9.81]
        [bodies.crank]
        points = {{ tip = [0.3, 0, 0] }}
        {crank}
        [bodies.rod]
        points = {{ end = [0, 0, -0.4] }}
        position = [0.3, 0, 0]
        {rod}
        [joints.A]
        type = "revolute"
        between = ["ground", "crank"]
        axis = "y"
        [joints.B]
        type = "spherical"
        between = ["crank.tip", "rod"]
        [outputs]
        angle = "A.angle"
        "#
    )
}

fn compiled(text: &str) -> Compiled {
    let (file, text) = ("model.toml".to_owned(), text.to_owned());
    let options = Options::default();
    compile(&Source::Toml { file, text }, &options).unwrap_or_else(|found| panic!("{found}"))
}

/// The generated code without the line that has the hash of the description.
fn code(compiled: &Compiled) -> String {
    let lines = compiled
        .rust
        .lines()
        .filter(|line| !line.contains("from input"));
    lines.collect::<Vec<_>>().join("\n")
}

#[test]
fn a_shape_gives_the_code_of_its_mass_and_inertia() {
    let shapes = compiled(&spatial(
        r#"shape = [
            { type = "cylinder", between = ["origin", "tip"], radius = "10 mm", material = "steel" },
            { type = "box", size = [0.1, 0.05, 0.02], at = [0.3, 0.01, 0], material = "brass" },
            { type = "sphere", radius = "30 mm", mass = "500 g" },
        ]"#,
        r#"shape = { type = "rod", between = ["origin", "end"], mass = "2 kg" }"#,
    ));
    let written = |index: usize| {
        let body = &shapes.model.bodies[index];
        let value = |e| shapes.model.at_defaults(e);
        let [x, y, z] = body.origin.each_ref().map(|c| 0.0 - value(c));
        let j = |i: usize, k: usize| value(&body.inertia[i][k]);
        let (xx, yy, zz, xy, xz, yz) = (j(0, 0), j(1, 1), j(2, 2), j(0, 1), j(0, 2), j(1, 2));
        format!(
            "mass = {:?}\ncenter = [{x:?}, {y:?}, {z:?}]\ninertia = {{ xx = {xx:?}, yy = {yy:?}, zz = {zz:?}, xy = {xy:?}, xz = {xz:?}, yz = {yz:?} }}",
            value(&body.mass)
        )
    };
    let numbers = compiled(&spatial(&written(0), &written(1)));
    assert!(shapes.rust.contains("from input"), "the header has it");
    assert_eq!(code(&shapes), code(&numbers));
    assert_eq!(shapes.assembly.freedoms, 3, "the rod has no spin");
}

/// The pendulum's bob as a disc whose radius is a parameter, and by hand as the same expressions.
#[test]
fn parameters_of_a_shape_reach_the_code() {
    let pendulum = |bob: &str| {
        compiled(&format!(
            r#"
            name = "Pendulum"
            space = "planar"
            gravity = [0, -9.81]
            [parameters]
            r = "50 mm"
            l = "1 m"
            [bodies.bob]
            points = {{ top = [0, "l"] }}
            {bob}
            [joints.A]
            type = "revolute"
            between = ["ground", "bob.top"]
            "#
        ))
    };
    let shape =
        pendulum(r#"shape = { type = "disc", radius = "r", thickness = 0.01, density = 1000 }"#);
    let rate = |compiled: &Compiled| {
        let state = compiled.assembly.clone();
        let state = bellcrank_compiler::stages::assembly::State {
            q: state.coordinates,
            v: state.velocities,
            t: 0.0,
        };
        let memory = crate::common::call(
            compiled,
            bellcrank_compiler::stages::kernel::Name::Accelerate,
            &state,
        );
        memory.array(
            bellcrank_compiler::stages::kernel::Array::Accelerations,
            compiled.kernel.sizes.velocities,
        )
    };
    let hand = pendulum(
        "mass = \"1000 * pi * 0.01 * r^2\"\ninertia = \"1000 * pi * 0.01 * r^2 * r^2 / 2\"",
    );
    let (a, b) = (rate(&shape), rate(&hand));
    assert_eq!(shape.formulation, hand.formulation);
    let largest = b.iter().fold(0.0_f64, |size, x| size.max(x.abs()));
    // The same products in another order.
    assert!(
        a.iter()
            .zip(&b)
            .all(|(a, b)| (a - b).abs() <= 1e-15 * largest),
        "{a:?} {b:?}"
    );
    assert!(
        shape.rust.contains("pub fn set_r"),
        "the radius stays a parameter"
    );
}
