//! What a chain of bodies costs grows by the link, in every form.

use bellcrank_compiler::chain::{Kind, chain};
use bellcrank_compiler::description::Formulation;
use bellcrank_compiler::kernel::{Name, Solve, counts};
use bellcrank_compiler::{Compiled, Options, Source, compile};

/// What is computed in each step, and what rustc reads.
const STEP: [Name; 5] = [
    Name::Accelerate,
    Name::Constraints,
    Name::VelocityConstraints,
    Name::PositionCorrection,
    Name::VelocityCorrection,
];

fn compiled(kind: Kind, n: usize, formulation: Formulation) -> Compiled {
    let source = Source::Toml {
        file: "chain.toml".to_owned(),
        text: chain(kind, n),
    };
    let options = Options {
        formulation: Some(formulation),
        ..Options::default()
    };
    compile(&source, &options).unwrap_or_else(|found| panic!("{kind}, {n}: {found}"))
}

fn operations(compiled: &Compiled, name: Name) -> usize {
    let mut functions = compiled.kernel.functions.iter();
    let function = functions.find(|function| function.name == name).unwrap();
    counts(&function.instructions).operations()
}

#[test]
fn probe() {
    for kind in Kind::ALL {
        for formulation in [
            Formulation::Momentum,
            Formulation::Multiplier,
            Formulation::Body,
        ] {
            let t = std::time::Instant::now();
            let sizes = [5, 10, 20].map(|n| compiled(kind, n, formulation));
            let t = t.elapsed();
            println!("{kind} {formulation:?} {t:?} {:?}", sizes[2].kernel.solve);
            let mut show = |what: String, f: &dyn Fn(&Compiled) -> usize| {
                let [a, b, c] = [0, 1, 2].map(|k| f(&sizes[k]) as f64);
                println!("   {what}: {a} {b} {c}: {:.4}", (c - b) / (b - a));
            };
            for name in STEP {
                show(format!("{name:?}"), &|c| operations(c, name));
            }
            show("bytes".into(), &|c| c.rust.len());
            show("instr".into(), &|c| {
                c.kernel
                    .functions
                    .iter()
                    .map(|f| f.instructions.len())
                    .sum()
            });
        }
    }
    let _ = Solve::Dense;
}
