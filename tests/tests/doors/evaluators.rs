//! Compiled Rust against the interpreter of the kernel.

use crate::workbench::{Folder, built, csv, succeeded};

/// Twenty steps, no more: both round in their own order, and a swinging loop doubles such differences
/// as time goes on. They stay within a share of the largest value of their column, taken as 1e-3 at least
/// because a column may be zero by symmetry, and as 1 at least for Φ and Φ̇, which are round-off.
#[test]
fn native_code_follows_the_interpreter() {
    let folder = Folder::new("evaluators");
    // The interpreter refuses events.
    let followed = built().into_iter();
    for (name, path) in followed.filter(|(name, _)| name != "yamaha_engine") {
        let run = |more: &[&str]| {
            let step = step(&name);
            let (step, until) = (format!("--step={step}"), format!("--until={}", 20.0 * step));
            let mut command = folder.bellcrank(&["run", &step, &until]);
            command.args(["--out", "-"]).args(more).arg(&path);
            csv(&succeeded(&command.output().unwrap()))
        };
        let (native, interpreted) = (run(&[]), run(&["--interpret"]));
        assert_eq!(native.0, interpreted.0, "{name}");
        assert_eq!(native.1.len(), 21, "{name}");
        assert_eq!(interpreted.1.len(), 21, "{name}");
        for (column, title) in native.0.iter().enumerate() {
            let pairs = native.1.iter().zip(&interpreted.1);
            let scale = native.1.iter().map(|row| row[column].abs());
            let scale = scale.fold(if title.starts_with("phi") { 1.0 } else { 0.0 }, f64::max);
            for (a, b) in pairs.map(|(a, b)| (a[column], b[column])) {
                assert!(
                    (a - b).abs() <= share(&name) * scale.max(1e-3),
                    "{name}, {title}: {a} {b}"
                );
            }
        }
    }
}

/// The flyball governor is not stable at 1 ms.
fn step(name: &str) -> f64 {
    match name {
        "flyball_governor" => 2e-4,
        _ => 1e-3,
    }
}

/// 1e-12, but the force of the suspension's shock, 130 N, is what is left of terms of 1e7 N; the governor's
/// springs make 1e6 N of a metre; and the tip of the five arms, 5 m away, hardly moves in y and z.
fn share(name: &str) -> f64 {
    match name {
        "iltis_suspension" | "flyball_governor" | "five_arm_pendulum" => 1e-10,
        _ => 1e-12,
    }
}
