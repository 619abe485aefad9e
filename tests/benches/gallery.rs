//! An acceleration and a step of the gallery's models, as their descriptions have them.

use std::hint::black_box;

use bellcrank::prelude::*;
use bellcrank::{Evaluation, evaluate};
use bellcrank_tests::built::*;
use divan::Bencher;

fn main() {
    divan::main();
}

/// A model as users of the build helper run it.
fn simulation<M: Mechanism + Default>() -> Simulation<M, Rk4<M::Scalar>, DirectCorrection> {
    let step = M::Scalar::from_f64(M::DEFAULTS.step);
    Simulation::new(M::default(), Rk4::new(step), DirectCorrection::default())
        .expect("the models of the gallery close")
}

/// How many steps the motion goes on before it begins anew: long enough to leave the start, short enough
/// for what an explicit method can do with a stiff model.
const STEPS: u64 = 100;

macro_rules! models {
    ($($model:ident),* $(,)?) => {
        #[divan::bench(types = [$($model),*])]
        fn accelerate<M: Mechanism + Default>(bencher: Bencher) {
            let simulation = simulation::<M>();
            let (m, state) = (simulation.mechanism(), simulation.state());
            let mut evaluation = Evaluation::zero();
            bencher.bench_local(|| {
                let state = black_box(state);
                let done = evaluate(m, state.view(), &mut evaluation);
                black_box(&evaluation.acceleration);
                done
            });
        }

        #[divan::bench(types = [$($model),*])]
        fn step<M: Mechanism + Default>(bencher: Bencher) {
            let mut simulation = simulation::<M>();
            bencher.bench_local(|| {
                if simulation.steps() >= STEPS {
                    simulation.reset()?;
                }
                simulation.step()
            });
        }
    };
}

models!(
    FourBar,
    SpatialFourBar,
    SpatialSliderCrank,
    QuickReturn,
    CamPendulum,
    RotatingEndPendulum,
    DoubleActionPress,
    SimplePendulum,
    DoubleFourBar,
    FiveArmPendulum,
    IltisSuspension,
    YamahaEngine,
);
