//! Mechanisms without an operating system.
#![no_std]
#![deny(warnings, missing_docs, clippy::all)]

use bellcrank::prelude::*;

// Written by the test, and a function for each model below.
pub mod models;

#[panic_handler]
fn panic(_: &core::panic::PanicInfo) -> ! {
    loop {}
}

/// The energy after so many steps of the size that the description gives, or nothing that is a number.
fn energy<M: Mechanism<Scalar = f64> + Default>(steps: u32) -> f64 {
    energy_by::<M, _, _>(Rk4::new(M::DEFAULTS.step), DirectCorrection::default(), steps)
}

/// The same by other methods.
fn energy_by<M, I, S>(integrator: I, stabilizer: S, steps: u32) -> f64
where
    M: Mechanism<Scalar = f64> + Default,
    I: Integrator<M, S>,
    S: Stabilizer<M>,
{
    let Ok(mut sim) = Simulation::new(M::default(), integrator, stabilizer) else {
        return f64::NAN;
    };
    for _ in 0..steps {
        if sim.step().is_err() {
            return f64::NAN;
        }
    }
    sim.frame().energy()
}
