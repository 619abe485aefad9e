//! `bellcrank bench` as a person uses it, and the cost of a step.

use crate::workbench::{Folder, model, stderr, succeeded};

fn bench(folder: &Folder, name: &str, arguments: &[&str]) -> std::process::Output {
    let mut command = folder.bellcrank(&["bench", "--rounds=1", "--steps=200"]);
    command.args(arguments).arg(model(name));
    command.output().unwrap()
}

#[test]
fn a_line_for_each_formulation_and_a_mark_for_what_auto_keeps() {
    let folder = Folder::new("bench");
    let table = succeeded(&bench(&folder, "four_bar", &["--count=never", "--csv"]));
    let lines: Vec<Vec<&str>> = table
        .lines()
        .map(|line| line.split(',').collect())
        .collect();
    let at = |name: &str| lines[0].iter().position(|title| *title == name).unwrap();
    let names: Vec<&str> = lines[1..].iter().map(|line| line[0]).collect();
    assert!(
        names.contains(&"body") && names.contains(&"particle/multiplier"),
        "{table}"
    );
    let kept = lines[1..].iter().filter(|line| line[at("auto")] == "true");
    assert_eq!(kept.count(), 1, "{table}");
    for line in &lines[1..] {
        assert_eq!(line[at("steps")], "200");
        assert!(line[at("step_ns")].parse::<f64>().unwrap() > 0.0, "{table}");
        // Sizes of functions are known where symbols have sizes.
        #[cfg(target_os = "linux")]
        {
            let bytes = |name| line[at(name)].parse::<u64>().unwrap();
            assert!(bytes("step_bytes") > bytes("acceleration_bytes"), "{table}");
        }
    }
}

#[test]
fn what_was_asked_for_is_timed_and_nothing_else() {
    let folder = Folder::new("bench-one");
    let arguments = ["--formulations=body", "--count=never", "--json"];
    let json = succeeded(&bench(&folder, "four_bar", &arguments));
    let outcomes: serde_json::Value = serde_json::from_str(&json).unwrap();
    assert_eq!(outcomes.as_array().unwrap().len(), 1, "{json}");
    assert_eq!(outcomes[0]["formulation"], "body");
    let refused = bench(&folder, "four_bar", &["--set=length=1"]);
    assert_eq!(refused.status.code(), Some(1));
    assert!(stderr(&refused).contains("length"), "{}", stderr(&refused));
}

/// Instructions of a step of RK4 with its corrections for each weighted operation of the kernel. The operations
/// themselves are held to models/FORMULATIONS.md, exactly; this holds what rustc and the runtime make of them.
const INSTRUCTIONS: [(&str, &str, f64); 4] = [
    ("four_bar", "particle/multiplier", 2.33),
    ("spatial_slider_crank", "particle/momentum", 1.67),
    ("double_action_press", "particle/momentum", 1.50),
    ("five_arm_pendulum", "joint", 1.54),
];

/// A new rustc schedules and spills otherwise, which is a matter of some percent; a call that is no longer
/// inlined, or an array that is copied, is more than that.
const BAND: f64 = 0.15;

#[test]
fn a_step_takes_as_many_instructions_as_it_did() {
    let folder = Folder::new("bench-instructions");
    for (name, formulation, expected) in INSTRUCTIONS {
        let formulation = format!("--formulations={formulation}");
        let output = bench(&folder, name, &[&formulation, "--json"]);
        let json = succeeded(&output);
        let outcomes: serde_json::Value = serde_json::from_str(&json).unwrap();
        let Some(instructions) = outcomes[0]["instructions"].as_f64() else {
            let why = stderr(&output);
            println!("{name}: left out, instructions were not counted here: {why}");
            continue;
        };
        let operations = outcomes[0]["operations"]["step"].as_f64().unwrap();
        let ratio = instructions / operations;
        println!("{name}: {instructions} instructions, {operations} operations, {ratio:.3}");
        let change = ratio / expected - 1.0;
        assert!(
            change.abs() < BAND,
            "{name}: {ratio:.3} instructions for an operation, not {expected:.3}"
        );
    }
}
