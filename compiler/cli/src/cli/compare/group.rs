//! The contestants: formulations with the methods that they serve.

use super::super::methods::{MethodChoice, fit, integrator_type, serves, stabilizer_type};
use super::super::program::Sources;
use super::super::quantity;
use super::super::report::Reporter;
use super::super::{ModelArguments, child};
use super::Compare;
use crate::description::{Formulation, Integrator, Method, Space, Stabilizer, read};
use crate::diagnostics::{Code, Diagnostic, Diagnostics, Path};
use crate::front_end::Output;
use crate::options::Extra;
use crate::source::load;

/// One formulation of the mechanism and the pairs of methods that run on it.
pub(super) struct Group {
    output: Output,
    formulation: String,
    pairs: Vec<(MethodChoice<Integrator>, MethodChoice<Stabilizer>)>,
}

/// The requested formulations, each with all pairs of methods that it serves. If none is requested, the formulation
/// of the description runs, and pairs that it does not serve run in absolute coordinates.
pub(super) fn groups(
    compare: &Compare,
    reporter: &mut Reporter,
) -> Result<Vec<Group>, Diagnostics> {
    let wanted = RequestedMethods::new(compare)?;
    let mut groups = Vec::new();
    for formulation in &compare.formulations {
        groups.push(wanted.group(&compare.model, Some(*formulation), reporter)?);
    }
    if groups.is_empty() {
        let own = wanted.group(&compare.model, compare.model.formulation, reporter)?;
        let left = wanted.without(&own.formulation);
        groups.push(own);
        if !left.stabilizers.is_empty() {
            groups.push(left.group(&compare.model, Some(Formulation::Body), reporter)?);
        }
    }
    if let Some(group) = groups.first() {
        let warnings = quantity::fit(
            &group.output,
            reporter.source.as_ref(),
            &compare.set,
            &compare.input,
        )?;
        reporter.tell(&warnings);
    }
    let unserved = compare.stabilizer.iter().find(|asked| {
        let mut pairs = groups.iter().flat_map(|group| &group.pairs);
        !pairs.any(|(_, stabilizer)| stabilizer == *asked)
    });
    match unserved {
        Some(asked) if asked.method != Stabilizer::None => Err(cannot(asked.method)),
        _ => Ok(groups),
    }
}

fn cannot(stabilizer: Stabilizer) -> Diagnostics {
    let message = format!("none of these formulations serves `{}`", stabilizer.word());
    let hint = "penalty methods need `body` or `particle/multiplier`, projections of norms need `body` in space";
    Diagnostic::error(Code::C605, &Path::root(), message)
        .hint(hint)
        .into()
}

/// The requested methods.
#[derive(Clone)]
struct RequestedMethods {
    integrators: Vec<MethodChoice<Integrator>>,
    stabilizers: Vec<MethodChoice<Stabilizer>>,
    space: Space,
}

impl RequestedMethods {
    fn new(compare: &Compare) -> Result<Self, Diagnostics> {
        let description = read(&load(&compare.model.path)?)?;
        let mut integrators = compare.integrator.clone();
        if integrators.is_empty() {
            let own = description.simulation.integrator.unwrap_or_default();
            integrators.push(MethodChoice::plain(own));
        }
        let mut stabilizers = compare.stabilizer.clone();
        let all = stabilizers.is_empty();
        if all {
            let rest = Stabilizer::ALL
                .into_iter()
                .filter(|one| *one != Stabilizer::None);
            stabilizers.extend(rest.map(MethodChoice::plain));
        }
        for (integrator, stabilizer) in pairs(&integrators, &stabilizers) {
            if !all {
                fit(integrator.method, stabilizer.method)?;
            }
        }
        Ok(Self {
            integrators,
            stabilizers,
            space: description.space,
        })
    }

    /// One formulation with the methods that it serves. The formulation is known once it is compiled for the
    /// integrators.
    fn group(
        &self,
        model: &ModelArguments,
        formulation: Option<Formulation>,
        reporter: &mut Reporter,
    ) -> Result<Group, Diagnostics> {
        let mut model = model.clone();
        model.formulation = formulation;
        let integrators = self.integrators.iter().map(|one| one.method.into());
        let first = model.for_program(integrators);
        let mut output = child::output(&first, reporter)?;
        let kept = kept(&output);
        // With a stabilizer another formulation may be the cheapest, but all pairs run in this one.
        model.formulation = Formulation::of(&kept);
        let served = self.methods().filter(|one| self.is_served(*one, &kept));
        let second = model.for_program(served);
        if second.methods.len() > first.methods.len() {
            output = child::output(&second, reporter)?;
        }
        reporter.tell(&output.warnings);
        let served = |one: &&MethodChoice<Stabilizer>| self.is_served(one.method.into(), &kept);
        let mut stabilizers: Vec<_> = self.stabilizers.iter().filter(served).cloned().collect();
        stabilizers.retain(|one| one.method != Stabilizer::None);
        stabilizers.insert(0, MethodChoice::plain(Stabilizer::None));
        let pairs = pairs(&self.integrators, &stabilizers);
        let pairs = pairs.filter(|(i, s)| serves(i.method, s.method));
        Ok(Group {
            pairs: pairs.map(|(i, s)| (i.clone(), s.clone())).collect(),
            formulation: kept,
            output,
        })
    }

    fn methods(&self) -> impl Iterator<Item = Method> {
        let integrators = self.integrators.iter().map(|one| one.method.into());
        integrators.chain(self.stabilizers.iter().map(|one| one.method.into()))
    }

    /// The methods that remain after this formulation has run.
    fn without(&self, formulation: &str) -> Self {
        let mut left = self.clone();
        let body = "body";
        left.stabilizers.retain(|one| {
            let method = one.method.into();
            !self.is_served(method, formulation) && self.is_served(method, body)
        });
        left
    }

    /// Penalty methods need multipliers, and projections of norms need Euler parameters.
    fn is_served(&self, method: Method, formulation: &str) -> bool {
        method.extras().iter().all(|extra| match extra {
            Extra::Penalty => !["particle/momentum", "joint"].contains(&formulation),
            Extra::Standard => formulation == "body" && self.space == Space::Spatial,
            _ => true,
        })
    }
}

/// Name of the chosen formulation.
fn kept(output: &Output) -> String {
    let kept = output.candidates.iter().find(|one| one.kept);
    kept.map(|one| one.formulation.clone()).unwrap_or_default()
}

fn pairs<'a>(
    integrators: &'a [MethodChoice<Integrator>],
    stabilizers: &'a [MethodChoice<Stabilizer>],
) -> impl Iterator<Item = (&'a MethodChoice<Integrator>, &'a MethodChoice<Stabilizer>)> {
    integrators
        .iter()
        .flat_map(move |i| stabilizers.iter().map(move |s| (i, s)))
}

/// The program of all groups.
pub(super) fn sources(groups: &[Group], model: &ModelArguments) -> Sources {
    let (mut modules, mut declarations, mut contestants) =
        (Vec::new(), String::new(), String::new());
    for (n, group) in groups.iter().enumerate() {
        declarations += &format!("mod model_{n};\n");
        modules.push((format!("model_{n}.rs"), group.output.rust.clone()));
        for (integrator, stabilizer) in &group.pairs {
            contestants += &format!(
                "    || bellcrank::Contestant::new::<model_{n}::{}, {}, {}>({:?}, {:?}, {:?}),\n",
                group.output.name,
                integrator_type(integrator.method, model.scalar),
                stabilizer_type(stabilizer.method),
                group.formulation,
                integrator.text,
                stabilizer.text,
            );
        }
    }
    let name = groups.first().map(|group| group.output.name.clone());
    Sources {
        name: name.unwrap_or_default(),
        main: format!(
            "{declarations}\nfn main() -> std::process::ExitCode {{\n    \
             bellcrank::compare_main(CONTESTANTS)\n}}\n\n\
             const CONTESTANTS: &[fn() -> bellcrank::Contestant] = &[\n{contestants}];\n"
        ),
        modules,
        feature: "std",
    }
}
