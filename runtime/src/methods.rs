//! Methods by name, for programs that read the method from their arguments: `baumgarte:alpha=10,beta=10`.

use std::format;
use std::string::String;

use crate::names::position;
use crate::{
    AugmentedLagrangian, AugmentedLagrangianIndex3, AugmentedLagrangianProjections, Baumgarte, Bdf,
    CoordinatePartitioning, DirectCorrection, DormandPrince, EnergyCorrection, GeneralizedAlpha,
    GeneralizedAlphaIndex3, Ggl, NoStabilizer, Penalty, PlainCorrection, Real, Rk2, Rk4,
    SemiImplicitEuler, StandardProjection, SuccessiveProjection,
};

/// A method that a text selects by name and settings.
pub trait Named: Sized {
    /// Its word in a description.
    const NAME: &'static str;
    /// Names of its settings.
    const SETTINGS: &'static [&'static str];

    /// The method for this step and this tolerance, if it uses them.
    fn with(step: f64, tolerance: f64) -> Self;

    /// Sets one of [`Named::SETTINGS`].
    fn set(&mut self, setting: usize, value: f64);

    /// The method that `name:setting=value,…` selects.
    fn from_text(text: &str, step: f64, tolerance: f64) -> Result<Self, String> {
        let mut method = Self::with(step, tolerance);
        let set = &mut |setting, value| method.set(setting, value);
        tell(text, Self::NAME, Self::SETTINGS, set)?;
        Ok(method)
    }
}

/// Applies the settings in `name:setting=value,…`. The function depends on no method's type, so that it is compiled
/// once for all programs.
fn tell(
    text: &str,
    own: &str,
    known: &'static [&'static str],
    set: &mut dyn FnMut(usize, f64),
) -> Result<(), String> {
    let (name, settings) = text.split_once(':').unwrap_or((text, ""));
    if name != own {
        return Err(format!("this program was built for `{own}`, not `{name}`"));
    }
    for setting in settings.split(',').filter(|part| !part.is_empty()) {
        let (key, value) = setting.split_once('=').unwrap_or((setting, ""));
        let index = position("setting", known, key);
        let index = index.map_err(|why| format!("`{key}` of `{name}`: {why}"))?;
        let value = value.parse().ok().filter(|value: &f64| value.is_finite());
        let value = value.ok_or_else(|| format!("`{setting}` is not of the form name=number"))?;
        set(index, value);
    }
    Ok(())
}

/// `Type: "name", |step, tolerance| constructor, |method, value| { "setting" => statement, … };`, where
/// `T` is the scalar type of those that are `generic`.
macro_rules! named {
    ($(generic $type:ident: $name:literal, $new:expr, { $($setting:literal => $set:expr),* };)*
     plain $($plain:ident: $word:literal, $make:expr, { $($key:literal => $give:expr),* };)*) => {
        $(impl<T: Real> Named for $type<T> {
            const NAME: &'static str = $name;
            const SETTINGS: &'static [&'static str] = &[$($setting),*];

            fn with(step: f64, tolerance: f64) -> Self {
                let new: fn(T, T) -> Self = $new;
                new(T::from_f64(step), T::from_f64(tolerance))
            }

            fn set(&mut self, setting: usize, value: f64) {
                let sets: &[fn(&mut Self, T)] = &[$($set),*];
                sets[setting](self, T::from_f64(value));
            }
        })*
        $(impl Named for $plain {
            const NAME: &'static str = $word;
            const SETTINGS: &'static [&'static str] = &[$($key),*];

            fn with(step: f64, _: f64) -> Self {
                let new: fn(f64) -> Self = $make;
                new(step)
            }

            fn set(&mut self, setting: usize, value: f64) {
                let sets: &[fn(&mut Self, f64)] = &[$($give),*];
                sets[setting](self, value);
            }
        })*
    };
}

named! {
    generic Rk4: "rk4", |step, _| Self::new(step), {};
    generic Rk2: "rk2", |step, _| Self::new(step), {};
    generic SemiImplicitEuler: "semi-implicit-euler", |step, _| Self::new(step), {};
    generic DormandPrince: "dormand-prince", |_, tolerance| Self::new(tolerance), {
        "longest" => |m, x| m.longest = x
    };
    generic Bdf: "bdf", |_, tolerance| Self::new(tolerance), {
        "longest" => |m, x| m.longest = x,
        "longer" => |m, x| *m = m.with_longer_steps(x)
    };
    generic GeneralizedAlpha: "generalized-alpha", |step, _| Self::new(step), {
        "rho" => |m, x| m.rho = x
    };
    generic GeneralizedAlphaIndex3: "generalized-alpha-index-3", |step, _| Self::new(step), {
        "rho" => |m, x| m.rho = x
    };
    generic AugmentedLagrangianIndex3: "augmented-lagrangian-index-3", |step, _| Self::new(step), {
        "penalty" => |m, x| m.penalty = x
    };
    plain
    NoStabilizer: "none", |_| Self, {};
    DirectCorrection: "direct-correction", |_| Self::default(), {
        "goal" => |m, x| m.goals.goal = x,
        "limit" => |m, x| m.goals.limit = x
    };
    EnergyCorrection: "energy-correction", |_| Self::default(), {
        "goal" => |m, x| m.goals.goal = x,
        "limit" => |m, x| m.goals.limit = x
    };
    PlainCorrection: "direct-correction-plain", |_| Self::default(), {
        "goal" => |m, x| m.goals.goal = x,
        "limit" => |m, x| m.goals.limit = x
    };
    StandardProjection: "standard-projection", |_| Self::default(), {
        "goal" => |m, x| m.goals.goal = x,
        "limit" => |m, x| m.goals.limit = x
    };
    SuccessiveProjection: "successive-projection", |_| Self::default(), {
        "goal" => |m, x| m.goals.goal = x,
        "limit" => |m, x| m.goals.limit = x
    };
    Ggl: "ggl", |_| Self::default(), {
        "goal" => |m, x| m.goals.goal = x,
        "limit" => |m, x| m.goals.limit = x
    };
    CoordinatePartitioning: "coordinate-partitioning", |_| Self::default(), {
        "goal" => |m, x| m.goals.goal = x,
        "limit" => |m, x| m.goals.limit = x,
        "degraded" => |m, x| m.degraded = x
    };
    Baumgarte: "baumgarte", |_| Self::default(), {
        "alpha" => |m, x| m.alpha = x,
        "beta" => |m, x| m.beta = x
    };
    Penalty: "penalty", |_| Self::default(), {
        "penalty" => |m, x| m.penalty = x,
        "frequency" => |m, x| m.frequency = x,
        "damping" => |m, x| m.damping = x
    };
    AugmentedLagrangian: "augmented-lagrangian", |_| Self::default(), {
        "penalty" => |m, x| m.penalty.penalty = x,
        "frequency" => |m, x| m.penalty.frequency = x,
        "damping" => |m, x| m.penalty.damping = x,
        "tolerance" => |m, x| m.tolerance = x
    };
    AugmentedLagrangianProjections: "augmented-lagrangian-projections", |_| Self::default(), {
        "penalty" => |m, x| m.accelerations.penalty.penalty = x,
        "frequency" => |m, x| m.accelerations.penalty.frequency = x,
        "damping" => |m, x| m.accelerations.penalty.damping = x,
        "goal" => |m, x| m.goals.goal = x,
        "limit" => |m, x| m.goals.limit = x
    };
}
