//! Compiled Rust against the interpreter of the kernel.

use crate::workbench::{Folder, csv, models, succeeded};

/// Twenty steps, no more: both round in their own order, and a swinging loop doubles such differences
/// as time goes on. They are small, because the flyball governor is not stable at 1 ms. They stay within 1e-10 of the
/// largest value of their column, because the shock's force in the suspension, 130 N, is what is left of terms of 1e7 N.
/// That value is taken as 1e-2 at least, because the tip of the five arms, 5 m away, moves less than that, and as 1 at
/// least for Φ and Φ̇, which are round-off.
#[test]
fn native_code_follows_the_interpreter() {
    let folder = Folder::new("evaluators");
    for (name, path) in models() {
        let run = |more: &[&str]| {
            let mut command = folder.bellcrank(&["run", "--step=2e-4", "--until=4e-3"]);
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
                    (a - b).abs() <= 1e-10 * scale.max(1e-2),
                    "{name}, {title}: {a} {b}"
                );
            }
        }
    }
}
