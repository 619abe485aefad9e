//! The names of state, parameters, inputs and variables inside functions: `crank.arm_x` is read as `crank_arm_x`. A
//! name means the same in all functions of a module.

use std::collections::{BTreeMap, BTreeSet};

use proc_macro2::{Ident, TokenStream};
use quote::quote;

use super::Names;
use super::expression::{Renderer, Texts};
use super::names::{Taken, identifier, snake};
use super::plan::StatementPlan;
use super::signature::{arguments, read};
use crate::kernel::{Array, Instruction, Name, Slot, Value};
use crate::model::Model;

/// The name of each element of the arrays whose elements have names.
#[derive(Clone, Debug, Default)]
pub struct Locals(BTreeMap<Array, Vec<String>>);

impl Locals {
    /// Names for everything that a function may read by name.
    pub fn new(model: &Model, names: &Names) -> Self {
        let mut taken = taken();
        let parameters = model.parameters.iter().map(|one| &one.name);
        let inputs = model.inputs.iter().map(|one| &one.name);
        let variables = model.variables.iter().map(|one| &one.name);
        let coordinates = claim_all(&mut taken, "coordinate", names.coordinates.iter());
        let velocities = rates(&mut taken, names.velocities.iter());
        Self(BTreeMap::from([
            (Array::Accelerations, accelerations(&mut taken, &velocities)),
            (Array::Coordinates, coordinates),
            (Array::Velocities, velocities),
            (
                Array::Parameters,
                claim_all(&mut taken, "parameter", parameters),
            ),
            (Array::Inputs, claim_all(&mut taken, "input", inputs)),
            (
                Array::Variables,
                claim_all(&mut taken, "variable", variables),
            ),
        ]))
    }

    /// The name of an element, if it has one.
    pub fn name(&self, array: Array, index: u32) -> Option<&str> {
        let names = self.0.get(&array)?;
        names.get(index as usize).map(String::as_str)
    }

    /// The names of the values that a function reads by name.
    pub fn texts(&self, plan: &StatementPlan) -> Texts {
        let named = plan.code.iter().enumerate().filter_map(|(at, one)| {
            let name = self.of(plan.name, *one)?;
            Some((Value(at as u32), quote!(#name)))
        });
        named.collect()
    }

    /// `let crank_arm_x = q[0];` for each of these values that is read by name and was not bound before.
    pub fn bindings(
        &self,
        renderer: &Renderer,
        bound: &mut BTreeSet<Slot>,
        values: impl IntoIterator<Item = Value>,
    ) -> TokenStream {
        let plan = renderer.plan;
        let bind = |value| match plan.instruction(value) {
            load @ Instruction::Load(slot) if plan.temporary(value).is_none() => {
                let name = self.of(plan.name, load)?;
                let element = renderer.slot(read(plan.name, slot.array), slot);
                bound.insert(slot).then(|| quote!(let #name = #element;))
            }
            _ => None,
        };
        values.into_iter().filter_map(bind).collect()
    }

    /// The name of the value that an instruction loads, if it has one in this function. The vector that M is multiplied
    /// with is any vector, and a step is no velocity: both are read by number.
    fn of(&self, function: Name, instruction: Instruction) -> Option<Ident> {
        let Instruction::Load(Slot { array, index }) = instruction else {
            return None;
        };
        let is_other = matches!(
            (function, array),
            (Name::MassTimes, Array::Accelerations) | (Name::Advance, Array::Velocities)
        );
        let name = self.name(array, index).filter(|_| !is_other)?;
        Some(identifier(name))
    }
}

/// The names that are taken: locals of generated functions, functions that these call, and names that a lint refuses.
fn taken() -> Taken {
    const OTHERS: [&str; 17] = [
        "p", "u", "w", "d", "given", "live", "turn", "numbers", "product", "at", "fused", "table",
        "self", "foo", "baz", "quux", "i",
    ];
    let arguments = Name::ALL.iter().copied().flat_map(arguments);
    Taken::new(arguments.map(|argument| argument.name).chain(OTHERS))
}

fn claim_all<'a>(
    taken: &mut Taken,
    kind: &str,
    names: impl Iterator<Item = &'a String>,
) -> Vec<String> {
    names.map(|name| claim(taken, kind, &snake(name))).collect()
}

/// A velocity that has the name of a coordinate is its rate: `crank_x_dot`.
fn rates<'a>(taken: &mut Taken, names: impl Iterator<Item = &'a String>) -> Vec<String> {
    let rate = |name: &String| {
        let name = snake(name);
        match taken.has(&name) {
            true => claim(taken, "rate", &format!("{name}_dot")),
            false => claim(taken, "rate", &name),
        }
    };
    names.map(rate).collect()
}

/// `crank_rate_dot` of `crank_rate`, and `crank_x_ddot` of `crank_x_dot`.
fn accelerations(taken: &mut Taken, velocities: &[String]) -> Vec<String> {
    let acceleration = |velocity: &String| {
        let name = match velocity.strip_suffix("_dot") {
            Some(coordinate) => format!("{coordinate}_ddot"),
            None => format!("{velocity}_dot"),
        };
        claim(taken, "acceleration", &name)
    };
    velocities.iter().map(acceleration).collect()
}

/// A free name, with its kind in front where the name alone means something else.
fn claim(taken: &mut Taken, kind: &str, name: &str) -> String {
    let none = |_: &str| Vec::new();
    match taken.has(name) || is_temporary(name) {
        true => taken.claim(&format!("{kind}_{name}"), none),
        false => taken.claim(name, none),
    }
}

/// `t12`, `kept_0_1` and `last_0_1` are names of temporaries.
fn is_temporary(name: &str) -> bool {
    ["t", "kept_", "last_"].iter().any(|start| {
        let rest = name.strip_prefix(start);
        rest.is_some_and(|rest| rest.chars().all(|c| c.is_ascii_digit() || c == '_'))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_say_what_is_read_and_are_never_taken() {
        let mut taken = taken();
        let list = |names: &[&str]| -> Vec<String> {
            names.iter().map(|name| (*name).to_owned()).collect()
        };
        let coordinates = claim_all(
            &mut taken,
            "coordinate",
            list(&["A.x", "q", "t3", "kept_1_2", "a_x"]).iter(),
        );
        assert_eq!(
            coordinates,
            [
                "a_x",
                "coordinate_q",
                "coordinate_t3",
                "coordinate_kept_1_2",
                "coordinate_a_x"
            ]
        );
        let velocities = rates(&mut taken, list(&["A.x", "crank.rate"]).iter());
        assert_eq!(velocities, ["a_x_dot", "crank_rate"]);
        let accelerations = accelerations(&mut taken, &velocities);
        assert_eq!(accelerations, ["a_x_ddot", "crank_rate_dot"]);
    }
}
