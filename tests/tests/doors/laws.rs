//! A parameter, an input and a table in a law, through all three front ends.

use bellcrank::prelude::*;
use bellcrank_tests::{CamPendulum, built};

use crate::workbench::{Folder, csv, model, succeeded};

const ARM: f64 = 0.9;
const SOFTNESS: f64 = 55.0;
const EFFORT: f64 = 0.7;
const STEP: f64 = 1e-3;
const UNTIL: f64 = 0.5;

#[test]
fn a_parameter_an_input_and_a_table_work_in_every_door() {
    let mut by_macro = CamPendulum::default();
    by_macro.set_arm(ARM);
    by_macro.set_softness(SOFTNESS);
    by_macro.set_effort(EFFORT);
    let by_macro = trajectory(by_macro);
    let mut by_helper = built::CamPendulum::default();
    by_helper.set_arm(ARM);
    by_helper.set_softness(SOFTNESS);
    by_helper.set_effort(EFFORT);
    let by_helper = trajectory(by_helper);
    assert_eq!(by_macro, by_helper);
    assert_ne!(by_macro, trajectory(CamPendulum::default()));
    let (header, by_command) = by_command();
    assert_eq!(header[..4], ["time", "angle", "spring", "pin"]);
    assert_eq!(by_command.len(), by_macro.len());
    // Another optimisation level may round in another order.
    for (ours, theirs) in by_macro.iter().zip(&by_command) {
        for (a, b) in ours.iter().zip(theirs) {
            assert!((a - b).abs() <= 1e-10 * a.abs().max(1.0), "{a} {b}");
        }
    }
}

/// Time and outputs of each step, the start first.
fn trajectory<M: Mechanism<Scalar = f64>>(mechanism: M) -> Vec<Vec<f64>> {
    let mut sim = Simulation::new(mechanism, Rk4::new(STEP), DirectCorrection::default()).unwrap();
    let row = |frame: &Frame<M>| {
        let outputs = frame.outputs().unwrap();
        let outputs = (0..M::OUTPUTS.len()).map(|i| outputs[i]);
        std::iter::once(frame.time()).chain(outputs).collect()
    };
    let first = row(&sim.frame());
    let rest = sim.until(UNTIL).map(|frame| row(&frame.unwrap()));
    std::iter::once(first).chain(rest).collect()
}

fn by_command() -> (Vec<String>, Vec<Vec<f64>>) {
    let folder = Folder::new("laws");
    let mut command = folder.bellcrank(&["run", "--out=-"]);
    command.arg(format!("--step={STEP}"));
    command.arg(format!("--until={UNTIL}"));
    command.arg(format!("--set=arm={ARM}"));
    command.arg(format!("--set=softness={SOFTNESS}"));
    command.arg(format!("--input=effort={EFFORT}"));
    let output = command.arg(model("cam_pendulum")).output().unwrap();
    csv(&succeeded(&output))
}
