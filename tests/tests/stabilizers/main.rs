//! Every stabilizer on the mechanisms of Marques, Souto and Flores, on one with redundant rows and on one with
//! singular positions, as native code.

mod allocation;
mod counts;
mod perturbed;
mod singular;
mod violation;

use bellcrank::prelude::*;
use bellcrank::{Baumgarted, Jacobians, Penalized, Plain, Standard};

/// In points.
#[allow(missing_docs, reason = "generated code documents itself")]
mod points {
    bellcrank::include_mechanism!("four_bar_stabilized");
    bellcrank::include_mechanism!("spatial_slider_crank_stabilized");
    bellcrank::include_mechanism!("five_arm_pendulum_stabilized");
    bellcrank::include_mechanism!("iltis_suspension_stabilized");
    bellcrank::include_mechanism!("spatial_four_bar_stabilized");
    bellcrank::include_mechanism!("double_four_bar_stabilized");
}

/// In absolute coordinates.
#[allow(missing_docs, reason = "generated code documents itself")]
mod body {
    bellcrank::include_mechanism!("four_bar_stabilized_body");
    bellcrank::include_mechanism!("spatial_slider_crank_stabilized_body");
    bellcrank::include_mechanism!("five_arm_pendulum_stabilized_body");
    bellcrank::include_mechanism!("iltis_suspension_stabilized_body");
    bellcrank::include_mechanism!("spatial_four_bar_stabilized_body");
    bellcrank::include_mechanism!("double_four_bar_stabilized_body");
}

/// Generated code with the functions of every stabilizer.
trait Full:
    Mechanism<Scalar = f64> + Default + Baumgarted + Penalized + Plain + Standard + Jacobians
{
}

impl<M> Full for M where
    M: Mechanism<Scalar = f64> + Default + Baumgarted + Penalized + Plain + Standard + Jacobians
{
}

/// ΦᵀΦ at the present state.
fn square<M: Mechanism<Scalar = f64>>(m: &M, state: &State<M>) -> f64 {
    let mut phi = M::Multipliers::zero();
    m.constraints(state.time, &state.q, &mut phi);
    phi.as_slice().iter().map(|phi| phi * phi).sum()
}
