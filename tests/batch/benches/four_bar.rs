//! A step of a four-bar alone, and of several side by side; the throughput counts instances.

use bellcrank::{Batch, Batched, DirectCorrection, Mechanism, Rk4, Simulation};
use bellcrank_batch_tests::planar::SweptFourBar as InJoints;
use bellcrank_batch_tests::swing::FourBar as Swinging;
use divan::Bencher;
use divan::counter::ItemsCount;

fn main() {
    divan::main();
}

const STEP: f64 = 1e-3;

/// How many steps are timed at once, so that the clock itself does not count.
const STEPS: u32 = 100;

#[divan::bench(types = [Swinging, InJoints])]
fn alone<M: Mechanism<Scalar = f64> + Default>(bencher: Bencher) {
    let start = || {
        Simulation::new(M::default(), Rk4::new(STEP), DirectCorrection::default())
            .expect("the four-bar closes")
    };
    bencher
        .counter(ItemsCount::new(STEPS))
        .with_inputs(start)
        .bench_local_refs(|simulation| {
            for _ in 0..STEPS {
                simulation.step().expect("no position is singular");
            }
        });
}

#[divan::bench(types = [Swinging, InJoints])]
fn four<M: Batched<4, Scalar = f64> + Default>(bencher: Bencher) {
    together::<M, 4>(bencher);
}

#[divan::bench(types = [Swinging, InJoints])]
fn eight<M: Batched<8, Scalar = f64> + Default>(bencher: Bencher) {
    together::<M, 8>(bencher);
}

fn together<M: Batched<N, Scalar = f64> + Default, const N: usize>(bencher: Bencher) {
    let start = || {
        let lanes = core::array::from_fn(|_| M::default());
        Batch::<M, N>::new(lanes, Rk4::new(STEP), DirectCorrection::default())
            .expect("the step is one")
    };
    bencher
        .counter(ItemsCount::new(STEPS as usize * N))
        .with_inputs(start)
        .bench_local_refs(|batch| (0..STEPS).for_each(|_| batch.step()));
}
