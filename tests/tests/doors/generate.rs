//! Mechanisms of one pattern, larger than any of the gallery, against closed forms.

use std::f64::consts::FRAC_PI_2;

use crate::workbench::{Folder, csv, succeeded};

const GRAVITY: f64 = 9.81;

/// The last row of outputs of `n` repetitions, as native code.
fn end(family: &str, n: usize, formulation: &str) -> Vec<f64> {
    let folder = Folder::new(&format!("{family}-{n}-{formulation}"));
    let mut generate = folder.bellcrank(&["generate", family, &n.to_string()]);
    let text = succeeded(&generate.output().unwrap());
    folder.write("model.toml", &text);
    let formulation = format!("--formulation={formulation}");
    let mut run = folder.bellcrank(&["run", "model.toml", &formulation, "--out=-", "--every=1000"]);
    let (_, rows) = csv(&succeeded(&run.output().unwrap()));
    rows.last().unwrap()[1..].to_vec()
}

/// φ and φ̇ of parallelograms after 10 s: φ̈ = −g cos φ ((n+1)/2 + n)/((n+1)/3 + n), by RK4 with steps of 0.1 ms, whose
/// error is 1e-12.
fn parallelograms(n: f64) -> (f64, f64) {
    let gain = GRAVITY * ((n + 1.0) / 2.0 + n) / ((n + 1.0) / 3.0 + n);
    let slope = |(phi, rate): (f64, f64)| (rate, -gain * phi.cos());
    let ahead = |(x, v): (f64, f64), (dx, dv): (f64, f64), h: f64| (x + h * dx, v + h * dv);
    let h = 1e-4;
    (0..100_000).fold((FRAC_PI_2, -1.0), |now, _| {
        let first = slope(now);
        let second = slope(ahead(now, first, h / 2.0));
        let third = slope(ahead(now, second, h / 2.0));
        let fourth = slope(ahead(now, third, h));
        let now = ahead(ahead(now, first, h / 6.0), second, h / 3.0);
        ahead(ahead(now, third, h / 3.0), fourth, h / 6.0)
    })
}

/// The last coupler is where the closed form has it. RK4 leaves 1e-9 m and 4e-8 m/s at 1 ms; on another branch it is
/// some tenths of a metre off.
fn stay_parallelograms(n: usize, formulation: &str) {
    let (phi, rate) = parallelograms(n as f64);
    let (s, c) = phi.sin_cos();
    let expected = [c, s, -s * rate, c * rate, 0.0];
    let found = end("four-bars", n, formulation);
    for (found, expected) in found.iter().zip(expected) {
        let gap = (found - expected).abs();
        assert!(gap < 1e-7, "{formulation}: {found}, {expected}");
    }
}

/// 81 bodies in 40 loops, ten times through positions with 41 degrees of freedom instead of one.
#[test]
fn forty_parallelograms_stay_parallelograms() {
    stay_parallelograms(40, "particle");
    stay_parallelograms(40, "body");
}

/// Where a hundred loops are level, the smallest pivots are round-off. Passes of the projection that divided by them
/// made 1.5 kJ in a step.
#[test]
fn a_hundred_parallelograms_stay_parallelograms() {
    stay_parallelograms(100, "particle");
}

/// Where the lift rests: F tan q = g (m n² + M n) with F = n k (L cos q − L cos q₀ + stroke), by bisection.
fn rest(n: f64) -> f64 {
    let (bar, start) = (1.2_f64, 15.0_f64.to_radians());
    let pull = |q: f64| n * 4e6 * (bar * q.cos() - bar * start.cos() + 0.4);
    let lifts = |q: f64| pull(q) * q.tan() > GRAVITY * (12.0 * n * n + 300.0 * n);
    let (mut low, mut high) = (0.5, 1.2);
    for _ in 0..60 {
        let middle = 0.5 * (low + high);
        *(if lifts(middle) { &mut low } else { &mut high }) = middle;
    }
    n * bar * low.sin()
}

/// A second after the cylinder has stopped, what is left of the motion is below 1e-10 m.
#[test]
fn lifts_of_any_number_of_stages_rest_in_balance() {
    for (n, stages) in [(1, 1.0), (10, 10.0)] {
        let height = end("scissor-lift", n, "particle")[0];
        let gap = (height - rest(stages)).abs();
        assert!(gap < 1e-9, "{n}: {height}, {gap:e}");
    }
}
