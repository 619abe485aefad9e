//! Integrators and stabilizers on the command line: `bdf`, `baumgarte:alpha=10,beta=10`.

use super::{ModelArguments, ScalarName};
use crate::description::{Integrator, Method, Stabilizer};
use crate::diagnostics::{Code, Diagnostic, Diagnostics, Path, nearest};

/// A method with its settings, as it was written.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct MethodChoice<T> {
    /// The method.
    pub(super) method: T,
    /// `name:setting=value,…`
    pub(super) text: String,
}

/// A method with a word for the command line.
pub(super) trait Word: Copy + Send + Sync + Into<Method> + 'static {
    /// Every one.
    fn all() -> Vec<Self>;
    /// Its word.
    fn word(self) -> &'static str;
}

impl Word for Integrator {
    fn all() -> Vec<Self> {
        Self::ALL.to_vec()
    }
    fn word(self) -> &'static str {
        Integrator::word(self)
    }
}

impl Word for Stabilizer {
    fn all() -> Vec<Self> {
        Self::ALL.to_vec()
    }
    fn word(self) -> &'static str {
        Stabilizer::word(self)
    }
}

/// Reads `name` or `name:setting=value,…`. The program checks the settings.
pub(super) fn method_choice<T: Word>(text: &str) -> Result<MethodChoice<T>, String> {
    let name = text.split(':').next().unwrap_or_default();
    let found = T::all().into_iter().find(|one| one.word() == name);
    match found {
        Some(method) => Ok(MethodChoice {
            method,
            text: text.to_owned(),
        }),
        None => {
            let words: Vec<_> = T::all().into_iter().map(T::word).collect();
            Err(match nearest(name, words.iter().copied()) {
                Some(near) => format!("there is no `{name}`; did you mean `{near}`?"),
                None => format!("there is no `{name}`; there are {}", words.join(", ")),
            })
        }
    }
}

impl<T: Word> MethodChoice<T> {
    /// The method without settings.
    pub(super) fn plain(method: T) -> Self {
        Self {
            method,
            text: method.word().to_owned(),
        }
    }
}

/// C605 if the stabilizer changes accelerations that the integrator does not use.
pub(super) fn fit(integrator: Integrator, stabilizer: Stabilizer) -> Result<(), Diagnostics> {
    if serves(integrator, stabilizer) {
        return Ok(());
    }
    let message = format!(
        "`{}` works through accelerations, and `{}` does not ask for any",
        stabilizer.word(),
        integrator.word()
    );
    let hint = "take a projection such as `direct-correction`, or `none`";
    Err(Diagnostic::error(Code::C605, &Path::root(), message)
        .hint(hint)
        .into())
}

/// True if the integrator and the stabilizer work together.
pub(super) fn serves(integrator: Integrator, stabilizer: Stabilizer) -> bool {
    let implicit = !Method::Integrator(integrator).extras().is_empty();
    let through_accelerations = matches!(
        stabilizer,
        Stabilizer::Baumgarte
            | Stabilizer::Penalty
            | Stabilizer::AugmentedLagrangian
            | Stabilizer::AugmentedLagrangianProjections
            | Stabilizer::Ggl
    );
    !(implicit && through_accelerations)
}

/// The runtime's type of an integrator.
pub(super) fn integrator_type(integrator: Integrator, scalar: ScalarName) -> String {
    let name = match integrator {
        Integrator::Rk4 => "Rk4",
        Integrator::Rk2 => "Rk2",
        Integrator::SemiImplicitEuler => "SemiImplicitEuler",
        Integrator::DormandPrince => "DormandPrince",
        Integrator::Bdf => "Bdf",
        Integrator::GeneralizedAlpha => "GeneralizedAlpha",
        Integrator::GeneralizedAlphaIndex3 => "GeneralizedAlphaIndex3",
        Integrator::AugmentedLagrangianIndex3 => "AugmentedLagrangianIndex3",
    };
    format!("bellcrank::{name}<{}>", scalar.text())
}

/// The runtime's type of a stabilizer.
pub(super) fn stabilizer_type(stabilizer: Stabilizer) -> &'static str {
    match stabilizer {
        Stabilizer::DirectCorrection => "bellcrank::DirectCorrection",
        Stabilizer::EnergyCorrection => "bellcrank::EnergyCorrection",
        Stabilizer::DirectCorrectionPlain => "bellcrank::PlainCorrection",
        Stabilizer::StandardProjection => "bellcrank::StandardProjection",
        Stabilizer::SuccessiveProjection => "bellcrank::SuccessiveProjection",
        Stabilizer::CoordinatePartitioning => "bellcrank::CoordinatePartitioning",
        Stabilizer::Baumgarte => "bellcrank::Baumgarte",
        Stabilizer::Penalty => "bellcrank::Penalty",
        Stabilizer::AugmentedLagrangian => "bellcrank::AugmentedLagrangian",
        Stabilizer::AugmentedLagrangianProjections => "bellcrank::AugmentedLagrangianProjections",
        Stabilizer::Ggl => "bellcrank::Ggl",
        Stabilizer::None => "bellcrank::NoStabilizer",
    }
}

impl ModelArguments {
    /// The same model for a program, with the functions that these methods need. Methods that need none leave the
    /// options unchanged.
    pub(super) fn for_program(&self, methods: impl IntoIterator<Item = Method>) -> Self {
        let mut model = self.clone();
        model.purpose = self.purpose.in_program();
        for method in methods {
            if !method.extras().is_empty() && !model.methods.contains(&method) {
                model.methods.push(method);
            }
        }
        model
    }
}
