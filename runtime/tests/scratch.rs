#![allow(warnings)]
mod flyb { include!("/tmp/tg/flyball_governor_body.rs"); }
mod flym { include!("/tmp/tg/flyball_governor_momentum.rs"); }
mod flyl { include!("/tmp/tg/flyball_governor_multiplier.rs"); }
mod fourb { include!("/tmp/tg/four_bar_body.rs"); }
mod fourm { include!("/tmp/tg/four_bar_momentum.rs"); }
mod fourl { include!("/tmp/tg/four_bar_multiplier.rs"); }
mod slib { include!("/tmp/tg/spatial_slider_crank_body.rs"); }
mod slil { include!("/tmp/tg/spatial_slider_crank_multiplier.rs"); }
mod slim { include!("/tmp/tg/spatial_slider_crank_momentum.rs"); }
use bellcrank::prelude::*;
use bellcrank::Tangent;
fn rows(text: &str) -> Vec<Vec<f64>> { std::fs::read_to_string(text).unwrap().lines().skip(1).map(|l| l.split(',').map(|c| c.parse().unwrap()).collect()).collect() }
fn fly<M: Mechanism<Scalar=f64>, I: Integrator<M, S>, S: Stabilizer<M>>(m: M, i: I, s: S, every: usize) -> String {
    let rows = rows("../models/flyball_governor/reference.csv");
    let mut sim = Simulation::new(m, i, s).unwrap();
    let mut worst: f64 = 0.0;
    for row in rows.iter().step_by(every) { 
        let frame = match sim.at(row[0]) { Ok(f) => f, Err(e) => return format!("{e} worst {worst:e}") };
        worst = worst.max((frame.output(1).unwrap() - row[2]).abs()); }
    format!("{worst:.3e} {} {:?}", sim.steps(), sim.counts())
}

fn all<M: Tangent<Scalar=f64> + Default>(name: &str) {
    for n in [2000.0, 5000.0, 10000.0] { let h = 10.0/n;
        println!("R {name} ga {n} {}", fly(M::default(), GeneralizedAlpha::new(h), NoStabilizer, 10));
        println!("R {name} alf {n} {}", fly(M::default(), AugmentedLagrangianIndex3::new(h), NoStabilizer, 10));
    }
    for high in 3..=5 { for tol in [1e-4, 5e-5, 3e-5, 2e-5, 1e-5] {
        println!("R {name} bdf {high} {tol} {}", fly(M::default(), Bdf::new(tol).with_highest(high), DirectCorrection::default(), 1));
    }}
}
#[test]
fn flyball() {
    all::<flyb::FlyballGovernor>("body");
    all::<flym::FlyballGovernor>("momentum");
    all::<flyl::FlyballGovernor>("multiplier");
    for tol in [1e-1, 1e-2] {
    println!("R dp {tol} {}", fly(flym::FlyballGovernor::default(), DormandPrince::new(tol), DirectCorrection::default(), 10));
    println!("R dp {tol} {}", fly(flyb::FlyballGovernor::default(), DormandPrince::new(tol), DirectCorrection::default(), 10));
    }
    println!("R dp 1e-3 {}", fly(flyb::FlyballGovernor::default(), DormandPrince::new(1e-3), DirectCorrection::default(), 10));
}
