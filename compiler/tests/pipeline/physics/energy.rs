//! Energy: T + V − W is constant.

use super::converges;
use super::machine::{Machine, Projected};
use super::mechanism::Mechanism;

/// Over 0.2 s.
pub fn check(mechanism: &Mechanism, machine: &Machine) {
    let start = machine.energy(&machine.start());
    converges(|refined| {
        let run = machine.run(2e-3 / refined as f64, 100 * refined, Projected::Yes);
        if mechanism.is_conservative() {
            assert_eq!(run.work, 0.0, "only springs and gravity act");
        }
        (machine.energy(&run.state) - run.work - start).abs() / (1.0 + start.abs())
    });
}
