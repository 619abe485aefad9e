#![allow(warnings)]
mod flyb {
    include!("/tmp/tg/flyball_governor_body.rs");
}
mod flym {
    include!("/tmp/tg/flyball_governor_momentum.rs");
}
mod flyl {
    include!("/tmp/tg/flyball_governor_multiplier.rs");
}
mod fourb {
    include!("/tmp/tg/four_bar_body.rs");
}
mod fourm {
    include!("/tmp/tg/four_bar_momentum.rs");
}
mod fourl {
    include!("/tmp/tg/four_bar_multiplier.rs");
}
mod slib {
    include!("/tmp/tg/spatial_slider_crank_body.rs");
}
mod slil {
    include!("/tmp/tg/spatial_slider_crank_multiplier.rs");
}
mod slim {
    include!("/tmp/tg/spatial_slider_crank_momentum.rs");
}
use bellcrank::Tangent;
use bellcrank::prelude::*;
fn rows(text: &str) -> Vec<Vec<f64>> {
    std::fs::read_to_string(text)
        .unwrap()
        .lines()
        .skip(1)
        .map(|l| l.split(',').map(|c| c.parse().unwrap()).collect())
        .collect()
}
fn fly<M: Mechanism<Scalar = f64>, I: Integrator<M, S>, S: Stabilizer<M>>(
    m: M,
    i: I,
    s: S,
    every: usize,
) -> String {
    let rows = rows("../models/flyball_governor/reference.csv");
    let mut sim = Simulation::new(m, i, s).unwrap();
    let mut worst: f64 = 0.0;
    for row in rows.iter().step_by(every) {
        let frame = match sim.at(row[0]) {
            Ok(f) => f,
            Err(e) => return format!("{e} worst {worst:e}"),
        };
        worst = worst.max((frame.output(1).unwrap() - row[2]).abs());
    }
    format!("{worst:.3e} {} {:?}", sim.steps(), sim.counts())
}

fn at_end<M: Mechanism<Scalar = f64> + Default, I: Integrator<M, S>, S: Stabilizer<M>>(
    i: I,
    s: S,
    end: f64,
) -> Result<M::Coordinates, Stop> {
    let mut sim = Simulation::new(M::default(), i, s)?;
    for f in sim.until(end) {
        f?;
    }
    Ok(sim.state().q)
}
fn slopes<M: Tangent<Scalar = f64> + Default>(name: &str, end: f64) {
    let reference =
        at_end::<M, _, _>(DormandPrince::fixed(1e-4), DirectCorrection::default(), end).unwrap();
    let gap = |q: M::Coordinates| {
        q.as_slice()
            .iter()
            .zip(reference.as_slice())
            .map(|(a, b)| (a - b).abs())
            .fold(0.0, f64::max)
    };
    let show = |what: &str, f: &dyn Fn(f64) -> Result<M::Coordinates, Stop>| {
        let mut last = f64::NAN;
        print!("R {name} {what}: ");
        for n in [50.0, 100.0, 200.0, 400.0, 800.0, 1600.0, 3200.0] {
            match f(1.0 / n) {
                Ok(q) => {
                    let e = gap(q);
                    print!("{e:.2e} ({:.2}) ", (last / e).log2());
                    last = e;
                }
                Err(e) => print!("{e} "),
            }
        }
        println!();
    };
    let d = DirectCorrection::default();
    show("sie", &|h| {
        at_end::<M, _, _>(SemiImplicitEuler::new(h), d, end)
    });
    show("rk2", &|h| at_end::<M, _, _>(Rk2::new(h), d, end));
    show("rk4", &|h| at_end::<M, _, _>(Rk4::new(h), d, end));
    show("dp", &|h| {
        at_end::<M, _, _>(DormandPrince::fixed(h), d, end)
    });
    show("ga", &|h| {
        at_end::<M, _, _>(GeneralizedAlpha::new(h), NoStabilizer, end)
    });
    show("ga3", &|h| {
        at_end::<M, _, _>(GeneralizedAlphaIndex3::new(h), NoStabilizer, end)
    });
    for p in [1e7,1e8,1e9] {
        show(&format!("alf{p:e}"), &|h| {
            at_end::<M, _, _>(
                AugmentedLagrangianIndex3::new(h).with_penalty(p),
                NoStabilizer,
                end,
            )
        });
    }
    for k in 1..=5 {
        show(&format!("bdf{k}"), &|h| {
            at_end::<M, _, _>(Bdf::fixed(k, h), NoStabilizer, end)
        });
    }
}


#[test]
fn loops() {
    for p in [1e7, 1e8,1e9, 1e12] { println!("R alf {p:e} {}", fly(flym::FlyballGovernor::default(), AugmentedLagrangianIndex3::new(1e-2).with_penalty(p), NoStabilizer, 10)); 
     println!("R alf {p:e} {}", fly(flyl::FlyballGovernor::default(), AugmentedLagrangianIndex3::new(1e-2).with_penalty(p), NoStabilizer, 10)); }
    slopes::<fourb::FourBar>("four body", 0.4);
    slopes::<fourm::FourBar>("four body", 0.4);
}
