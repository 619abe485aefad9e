//! What a chain of bodies costs grows by the link, in either formulation.

use std::fmt::Write;

use bellcrank_compiler::{Compiled, Options, Source, compile};

/// Bodies in a row, each with a joint to the one before; axes turn from joint to joint.
fn chain(n: usize, joint: &str, formulation: &str) -> Compiled {
    let mut text = format!("space = 'spatial'\nformulation = '{formulation}'\n");
    for i in 0..n {
        let axis = match joint {
            "revolute" => format!("axis = '{}', ", ["z", "y"][i % 2]),
            _ => String::new(),
        };
        let before = match i {
            0 => "ground".to_owned(),
            _ => format!("b{}.tip", i - 1),
        };
        let at = i as f64 + 0.5;
        let mass = 1.0 + 0.1 * (i % 3) as f64;
        writeln!(
            text,
            "bodies.b{i} = {{ mass = {mass}, inertia = [0.02, 0.1, 0.11], position = [{at}, 0, 0], \
             points = {{ root = [-0.5, 0, 0], tip = [0.5, 0, 0] }} }}\n\
             joints.j{i} = {{ type = '{joint}', {axis}between = ['{before}', 'b{i}.root'] }}"
        )
        .expect("a string takes all");
    }
    let file = "chain.toml".to_owned();
    compile(&Source::Toml { file, text }, &Options::default()).expect("a chain compiles")
}

/// From 8 to 16 links as much is added as from 4 to 8, twice. The ends differ, and cuts between pieces
/// and longer indices add some text: a fifth is left for these, where squares would add the double.
#[test]
fn code_grows_by_the_link() {
    for formulation in ["body", "particle"] {
        for joint in ["revolute", "spherical"] {
            let [short, middle, long] = [4, 8, 16].map(|n| chain(n, joint, formulation));
            let instructions = |compiled: &Compiled| -> usize {
                let functions = compiled.kernel.functions.iter();
                functions.map(|function| function.instructions.len()).sum()
            };
            for size in [instructions, |compiled: &Compiled| compiled.rust.len()] {
                let [a, b, c] = [&short, &middle, &long].map(size);
                assert!(
                    5 * (c - b) <= 12 * (b - a),
                    "{formulation} {joint}: {a}, {b}, {c}"
                );
            }
        }
    }
}
