//! Mechanisms with springs for joints, by tiny steps.

use bellcrank::prelude::*;
use bellcrank_tests::{discrete, reference, same_turn};

#[test]
fn probe() {
    fn gap<M: Mechanism<Scalar = f64>>(m: M, h: f64, text: &str) {
        let mut sim = Simulation::new(m, SemiImplicitEuler::new(h), NoStabilizer).unwrap();
        let rows = reference(text);
        let mut gaps = vec![0.0_f64; rows[0].len() - 1];
        let e0 = sim.frame().energy();
        let mut drift = 0.0_f64;
        let t = std::time::Instant::now();
        for row in rows.iter().take_while(|row| row[0] <= 1.0) {
            sim.until(row[0]).for_each(|f| {
                f.unwrap();
            });
            let o = sim.outputs().unwrap();
            drift = drift.max((sim.frame().energy() - e0 - sim.state().work).abs());
            for (k, g) in gaps.iter_mut().enumerate().take(M::OUTPUTS.len()) {
                let v = if M::WRAPS[k] {
                    same_turn(o[k], row[k + 1])
                } else {
                    o[k]
                };
                *g = g.max((v - row[k + 1]).abs());
            }
        }
        println!(
            "{} {h:e}: {gaps:?} drift {drift:e} of {e0} in {:?}",
            M::NAME,
            t.elapsed()
        );
    }
    for h in [1e-5, 5e-6] {
        gap(
            discrete::FourBar::default(),
            h,
            include_str!("../../../models/four_bar/reference.csv"),
        );
        gap(
            discrete::SpatialFourBar::default(),
            h,
            include_str!("../../../models/four_bar/reference.csv"),
        );
        gap(
            discrete::SpatialSliderCrank::default(),
            h,
            include_str!("../../../models/spatial_slider_crank/reference.csv"),
        );
        gap(
            discrete::RotatingEndPendulum::default(),
            h,
            include_str!("../../../models/rotating_end_pendulum/reference.csv"),
        );
        gap(
            discrete::SimplePendulum::default(),
            h,
            include_str!("../../../models/simple_pendulum/reference.csv"),
        );
    }
    {
        let h = 2e-6;
        gap(
            discrete::fine::FourBar::default(),
            h,
            include_str!("../../../models/four_bar/reference.csv"),
        );
        gap(
            discrete::fine::SpatialFourBar::default(),
            h,
            include_str!("../../../models/four_bar/reference.csv"),
        );
        gap(
            discrete::fine::SpatialSliderCrank::default(),
            h,
            include_str!("../../../models/spatial_slider_crank/reference.csv"),
        );
        gap(
            discrete::fine::RotatingEndPendulum::default(),
            h,
            include_str!("../../../models/rotating_end_pendulum/reference.csv"),
        );
        gap(
            discrete::fine::SimplePendulum::default(),
            h,
            include_str!("../../../models/simple_pendulum/reference.csv"),
        );
    }
    for h in [1e-4, 5e-5, 1e-5] {
        gap(
            discrete::soft::SimplePendulum::default(),
            h,
            include_str!("../../../models/simple_pendulum/reference.csv"),
        );
        gap(
            discrete::undamped::SimplePendulum::default(),
            h,
            include_str!("../../../models/simple_pendulum/reference.csv"),
        );
    }
}
