//! The subjects of a benchmark: the mechanism in each of its formulations.

use super::super::methods::{fit, integrator_type, stabilizer_type};
use super::super::program::Sources;
use super::super::quantity;
use super::super::report::Reporter;
use super::super::{ScalarName, child};
use super::Bench;
use crate::description::{Formulation, Integrator, Stabilizer};
use crate::diagnostics::Diagnostics;
use crate::front_end::Output;
use crate::search::CandidateFigures;

/// The mechanism in one formulation.
pub(super) struct BenchSubject {
    output: Output,
    scalar: ScalarName,
    integrator: Integrator,
    stabilizer: Stabilizer,
    /// Operations that the compiler counted.
    pub(super) figures: CandidateFigures,
    /// Whether `auto` chooses this formulation.
    pub(super) auto: bool,
}

/// Functions of a mechanism that a step calls, with their arguments.
pub(super) const FUNCTIONS: [(&str, &str, &str); 8] = [
    ("rates", "q: &Q, v: &V, out: &mut Q", "q, v, out"),
    (
        "accelerate",
        "state: StateView<'_, M>, out: &mut Acceleration<M>",
        "state, out",
    ),
    ("constraints", "t: T, q: &Q, out: &mut L", "t, q, out"),
    (
        "velocity_constraints",
        "state: StateView<'_, M>, out: &mut L",
        "state, out",
    ),
    (
        "position_correction",
        "q: &Q, f: &F, phi: &L, out: &mut Q",
        "q, f, phi, out",
    ),
    (
        "velocity_correction",
        "f: &F, phi: &L, out: &mut V",
        "f, phi, out",
    ),
    ("normalize", "q: &mut Q", "q"),
    ("advance", "q: &mut Q, v: &V", "q, v"),
];

/// The requested formulations, each once.
pub(super) fn subjects(
    bench: &Bench,
    reporter: &mut Reporter,
) -> Result<Vec<BenchSubject>, Diagnostics> {
    let auto = compiled(bench, Formulation::Auto, reporter)?;
    reporter.tell(&auto.output.warnings);
    reporter.tell(&quantity::fit(
        &auto.output,
        reporter.source.as_ref(),
        &bench.set,
        &bench.input,
    )?);
    let kept = auto.figures.formulation.clone();
    let mut subjects: Vec<BenchSubject> = Vec::new();
    for formulation in wanted(bench, &auto.output) {
        let mut subject = compiled(bench, formulation, reporter)?;
        let name = &subject.figures.formulation;
        subject.auto = *name == kept;
        if !subjects.iter().any(|one| one.figures.formulation == *name) {
            subjects.push(subject);
        }
    }
    Ok(subjects)
}

fn wanted(bench: &Bench, auto: &Output) -> Vec<Formulation> {
    if let Some(one) = bench.model.formulation {
        return vec![one];
    }
    if !bench.formulations.is_empty() {
        return bench.formulations.clone();
    }
    let names = auto.candidates.iter().map(|one| one.formulation.as_str());
    let mut found: Vec<Formulation> = names.filter_map(Formulation::of).collect();
    found.dedup();
    found
}

fn compiled(
    bench: &Bench,
    formulation: Formulation,
    reporter: &mut Reporter,
) -> Result<BenchSubject, Diagnostics> {
    let mut model = bench.model.clone();
    model.formulation = Some(formulation);
    let integrator = bench.integrator.as_ref().map(|one| one.method);
    let stabilizer = bench.stabilizer.as_ref().map(|one| one.method);
    let asked = integrator.map(Into::into).into_iter();
    let model = model.for_program(asked.chain(stabilizer.map(Into::into)));
    let output = child::output(&model, reporter)?;
    let own = &output.interpretable.simulation;
    let integrator = integrator.unwrap_or(own.integrator);
    let stabilizer = stabilizer.unwrap_or(own.stabilizer);
    fit(integrator, stabilizer)?;
    let kept = output.candidates.iter().find(|one| one.kept).cloned();
    let figures = kept.unwrap_or_else(|| CandidateFigures {
        formulation: formulation.word().to_owned(),
        ..CandidateFigures::default()
    });
    Ok(BenchSubject {
        output,
        scalar: model.scalar,
        integrator,
        stabilizer,
        figures,
        auto: false,
    })
}

/// The program of all subjects. It has a separate copy of each function of a step, so that the symbols give its size
/// even where the steps inline it.
pub(super) fn sources(subjects: &[BenchSubject]) -> Sources {
    let (mut modules, mut declarations) = (Vec::new(), String::new());
    let (mut kept, mut list) = (String::new(), String::new());
    for (n, subject) in subjects.iter().enumerate() {
        declarations += &format!("mod model_{n};\nmod code_{n};\n");
        modules.push((format!("model_{n}.rs"), subject.output.rust.clone()));
        modules.push((format!("code_{n}.rs"), apart(n, &subject.output.name)));
        kept += &format!("    code_{n}::keep();\n");
        list += &format!(
            "    || bellcrank::TimedFormulation::new::<model_{n}::{}, {}, {}>({:?}),\n",
            subject.output.name,
            integrator_type(subject.integrator, subject.scalar),
            stabilizer_type(subject.stabilizer),
            subject.figures.formulation,
        );
    }
    let name = subjects.first().map(|one| one.output.name.clone());
    Sources {
        name: name.unwrap_or_default(),
        main: format!(
            "{declarations}\nfn main() -> std::process::ExitCode {{\n{kept}    \
             bellcrank::bench_main(SUBJECTS)\n}}\n\n\
             const SUBJECTS: &[fn() -> bellcrank::TimedFormulation] = &[\n{list}];\n"
        ),
        modules,
        feature: "std",
    }
}

/// The module with a separate copy of each function.
fn apart(n: usize, name: &str) -> String {
    let mut text = format!(
        "use bellcrank::{{Acceleration, Mechanism, StateView}};\nuse crate::model_{n}::{name} as M;\n\
         type T = <M as Mechanism>::Scalar;\ntype Q = <M as Mechanism>::Coordinates;\n\
         type V = <M as Mechanism>::Velocities;\ntype L = <M as Mechanism>::Multipliers;\n\
         type F = <M as Mechanism>::Factor;\n"
    );
    let mut pointers = String::new();
    for (name, parameters, arguments) in FUNCTIONS {
        text += &format!(
            "#[inline(never)]\nfn {name}(m: &M, {parameters}) {{\n    m.{name}({arguments});\n}}\n"
        );
        pointers += &format!("{name} as *const (), ");
    }
    text += &format!("pub fn keep() {{\n    std::hint::black_box([{pointers}]);\n}}\n");
    text
}
