//! A motion whose round-off is above what steps keep below the tolerance.

use bellcrank::prelude::*;

mechanism!("tests/implicit/light_cart.toml");

fn at_one_second(mass: f64, tolerance: f64) -> Result<(f64, f64), Stop> {
    let mut cart = light_cart::LightCart::default();
    cart.set_m(mass);
    let mut sim = Simulation::new(cart, Bdf::new(tolerance), DirectCorrection::default())?;
    let frame = sim.at(1.0)?;
    let height = frame.output(light_cart::output::HEIGHT)?;
    Ok((height, frame.energy()))
}

/// y = −½ g (t − 2 √(2/g))² for a cart without mass, from which one of 1e-5 kg is off by some 1e-5 m. Steps shorter
/// than a microsecond meet round-off of 1e-12 in velocities, where they may err by 2.6e-13 for a tolerance of 1e-10: no
/// step was short enough, and the run ended at 0.4515 s.
#[test]
fn a_light_cart_passes_above_its_bob() {
    let left = 1.0 - 2.0 * (2.0_f64 / 9.81).sqrt();
    let expected = -0.5 * 9.81 * left * left;
    for (mass, tolerance) in [(1e-5, 1e-8), (1e-5, 1e-10), (1e-7, 1e-8)] {
        let (height, energy) = at_one_second(mass, tolerance).unwrap();
        assert!((height - expected).abs() < 1e-4, "{height} {expected}");
        // A few dozen steps may err by the whole tolerance, of 10 J.
        let lost = energy.abs();
        assert!(lost < 1e4 * tolerance, "{mass:e} {tolerance:e}: {lost:e}");
    }
}

/// Where round-off is above the tolerance itself, the run ends and says so.
#[test]
fn a_tolerance_below_round_off_is_told() {
    let stop = at_one_second(1e-5, 1e-12).err().unwrap();
    assert!(matches!(stop, Stop::RoundOff { .. }), "{stop}");
    let text = stop.to_string();
    assert!(text.contains("take a tolerance above"), "{text}");
}
