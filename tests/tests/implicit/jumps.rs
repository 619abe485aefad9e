//! Dry friction at rest: implicit methods end, and name the law.

use bellcrank::prelude::*;

mechanism!("tests/implicit/brake.toml");

fn stop<I: Integrator<brake::Brake, DirectCorrection>>(integrator: I) -> (Stop, u64) {
    let mut sim = Simulation::new(
        brake::Brake::default(),
        integrator,
        DirectCorrection::default(),
    )
    .unwrap();
    let stop = sim
        .at(2.0)
        .err()
        .expect("friction at rest has no smooth motion");
    (stop, sim.steps())
}

#[test]
fn a_block_that_comes_to_rest_ends_the_run_and_names_its_law() {
    for tolerance in [1e-4, 1e-6, 1e-8, 1e-10] {
        let (stop, steps) = stop(Bdf::new(tolerance));
        let Stop::Discontinuous {
            time, name, laws, ..
        } = stop
        else {
            panic!("{stop}")
        };
        assert_eq!((name, laws), ("block.vx", &["brake"][..]));
        assert!(
            (time - 2.0 / 3.0).abs() < 1e-3 && steps < 2000,
            "{time} {steps}"
        );
        assert!(
            stop.to_string().contains("smooth the law of `brake`"),
            "{stop}"
        );
    }
}

#[test]
fn a_fixed_step_that_does_not_converge_names_the_law_too() {
    let (stop, _) = stop(GeneralizedAlpha::new(0.01));
    assert!(
        matches!(
            stop,
            Stop::Discontinuous {
                laws: ["brake"],
                ..
            }
        ),
        "{stop}"
    );
}
