//! The simple pendulum, whose motion is known in closed form.

use bellcrank::prelude::*;
use bellcrank_tests::{SimplePendulum, body, gaps, reference};

const REFERENCE: &str = include_str!("../../../models/simple_pendulum/reference.csv");

/// RK4 leaves 1.1e-10 m at 1 ms after four swings, in both formulations; the reference has 12 digits.
#[test]
fn simple_pendulum_follows_the_closed_form() {
    let (rows, step) = (reference(REFERENCE), SimplePendulum::DEFAULTS.step);
    assert_eq!(rows.last().unwrap()[0], 10.0);
    let all = [
        gaps(SimplePendulum::default(), step, &rows),
        gaps(body::SimplePendulum::default(), step, &rows),
    ];
    assert!(all.iter().flatten().all(|gap| *gap < 1e-9), "{all:?}");
}

/// A point mass has no turn: two coordinates and the row of the bar.
#[test]
fn simple_pendulum_is_a_point_on_a_bar() {
    assert_eq!(SimplePendulum::VELOCITIES.len(), 2);
    assert_eq!(SimplePendulum::CONSTRAINTS.len(), 1);
    assert_eq!(SimplePendulum::FREEDOMS, 1);
    assert_eq!(body::SimplePendulum::FREEDOMS, 1);
}
