//! Without a stabilizer constraints drift off as double integrals of round-off and of what the integrator misses, and
//! no formulation makes more of it.

use bellcrank_compiler::description::read;
use bellcrank_compiler::source::load;
use bellcrank_compiler::stages::kernel::{Array, Name};

use super::machine::{Machine, Projected};
use crate::common::model;

/// In 4 s at 1 ms some 2e-5 m. Off its manifold by Φ, a form with Φ̈ = ω² Φ would make no number of it in that time.
#[test]
fn constraints_drift_and_do_not_explode() {
    let text = load(&model("spatial_slider_crank")).unwrap();
    for formulation in ["particle/multiplier", "particle/momentum"] {
        let mut description = read(&text).unwrap();
        description.formulation = serde_json::from_str(&format!("\"{formulation}\"")).unwrap();
        let machine = Machine::new(&description);
        let run = machine.run(1e-3, 4000, Projected::No);
        let n = machine.compiled.kernel.sizes.constraints;
        let phi = machine.call(Name::Constraints, &run.state);
        let phi = phi.array(Array::Constraints, n);
        assert!(
            phi.iter().all(|phi| phi.abs() < 1e-4),
            "{formulation}: {phi:?}"
        );
    }
}
