//! Angular accelerations ω̇ = A J⁻¹ Aᵀ τ of bodies that no constraint equation couples. J⁻¹ is known before the run, so
//! this takes half of the operations that it takes to make A J Aᵀ and to factorise it.

use crate::kernel::Value;
use crate::kernel::builder::instructions::Builder;
use crate::kernel::builder::translate::Lowering;
use crate::kernel::solve::factor::{SparseVector, Symmetric};
use crate::structure::BodyInertia;
use crate::symbolic::Equations;

/// Replaces the angular accelerations in `free`.
pub fn turn<'a>(
    b: &mut Lowering<'_, 'a>,
    equations: &'a Equations,
    forces: &SparseVector,
    free: &mut SparseVector,
) {
    for inertia in &equations.inertias {
        let axes = inertia
            .axes
            .each_ref()
            .map(|axis| axis.each_ref().map(|component| b.value(component)));
        let mut tensor = Symmetric::default();
        for (k, row) in inertia.tensor.iter().enumerate() {
            let entries = row[..=k].iter().map(|entry| b.value(entry)).enumerate();
            let entries: Vec<(usize, Value)> = entries.collect();
            let entries = entries.into_iter().filter(|(_, entry)| !b.is_zero(*entry));
            tensor.rows.push(entries.collect());
        }
        let turned = angular(b, inertia, &axes, &tensor, forces);
        for (j, rate) in inertia.velocities.iter().zip(turned) {
            free.insert(*j as usize, rate);
        }
    }
}

/// A J⁻¹ Aᵀ τ
fn angular(
    b: &mut Builder,
    inertia: &BodyInertia,
    axes: &[[Value; 3]; 3],
    tensor: &Symmetric,
    forces: &SparseVector,
) -> [Value; 3] {
    let zero = b.zero();
    let torque = inertia.velocities;
    let torque = torque.map(|j| forces.get(&(j as usize)).copied().unwrap_or(zero));
    let local = axes.iter().map(|axis| dot(b, axis, &torque)).enumerate();
    let local: Vec<(usize, Value)> = local.collect();
    let factor = tensor.factorize(b);
    let rates = factor.solve(b, &local.into_iter().collect());
    let rates = [0, 1, 2].map(|k| rates.get(&k).copied().unwrap_or(zero));
    [0, 1, 2].map(|i| dot(b, &axes.map(|axis| axis[i]), &rates))
}

fn dot(b: &mut Builder, one: &[Value; 3], two: &[Value; 3]) -> Value {
    let mut sum = b.zero();
    for (x, y) in one.iter().zip(two) {
        let product = b.mul(*x, *y);
        sum = b.add(sum, product);
    }
    sum
}
