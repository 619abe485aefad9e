//! Equations made by hand, evaluated three ways.

mod advance;
mod axes;
mod bordered;
mod build;
mod growth;
mod joint;
mod order;
mod points;
mod random_trees;
mod solve;
mod systems;
mod twin;
mod verify;

use super::*;
use crate::assembly::{Assembly, Sample};
use crate::options::Options;
use crate::symbolic::Equations;

/// A verified kernel with three parameters and one input.
fn kernel(equations: &Equations, redundant: &[u32]) -> Kernel {
    kernel_at(equations, redundant, Vec::new())
}

const SETTINGS: LoweringSettings = LoweringSettings {
    parameters: 3,
    inputs: 1,
    variables: 0,
    extras: Vec::new(),
};

/// The same with samples, which let it be solved by the bordered matrix.
fn kernel_at(equations: &Equations, redundant: &[u32], samples: Vec<Sample>) -> Kernel {
    let assembly = Assembly {
        redundant: redundant.to_vec(),
        samples,
        ..Assembly::default()
    };
    verified(lower(equations, &assembly, SETTINGS, &Options::default()))
}

fn verified(kernel: Kernel) -> Kernel {
    if let Err(errors) = super::verify(&kernel) {
        panic!("{}\n{kernel}", errors.join("\n"));
    }
    kernel
}

/// Numbers that look random and are the same in every run.
struct Numbers(u64);

impl Numbers {
    fn whole(&mut self, below: usize) -> usize {
        self.0 = self
            .0
            .wrapping_mul(6364136223846793005)
            .wrapping_add(1442695040888963407);
        ((self.0 >> 33) as usize) % below
    }

    fn real(&mut self, from: f64, to: f64) -> f64 {
        from + (to - from) * self.whole(1 << 24) as f64 / f64::from(1 << 24)
    }

    fn reals(&mut self, n: usize) -> Vec<f64> {
        (0..n).map(|_| self.real(-1.5, 1.5)).collect()
    }
}
