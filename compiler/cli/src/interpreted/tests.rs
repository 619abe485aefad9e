//! A pendulum in the plane, written by hand: Φ = (x² + y² − l²) / 2, m = 1, gravity −y.

use super::*;
use crate::kernel::{Array, Sizes};

struct Pendulum {
    /// The margin of the unrolled solve; the dense solve is used if it is not positive.
    margin: f64,
}

const G: f64 = 9.81;
fn sizes() -> Sizes {
    Sizes {
        coordinates: 2,
        velocities: 2,
        constraints: 1,
        parameters: 1,
        inputs: 0,
        derived: 0,
        factor: 3,
        holds: 1,
        outputs: 1,
        reactions: 0,
        ..Sizes::default()
    }
}

impl Evaluate for Pendulum {
    fn call(&self, name: Name, memory: &mut Memory) {
        let pair = |array| [0, 1].map(|i| memory.list(array).get(i).copied().unwrap_or(0.0));
        let ([x, y], [u, w]) = (pair(Array::Coordinates), pair(Array::Velocities));
        let length = memory.scalar(Array::Parameters);
        let constraint = memory.scalar(Array::Constraints);
        let square = x * x + y * y;
        let gamma = -(u * u + w * w);
        match name {
            Name::Guess => {}
            Name::Rates => memory.put(Array::Rates, [u, w]),
            Name::Advance => memory.put(Array::Coordinates, [x + u, y + w]),
            Name::Accelerate => {
                let lambda = (gamma + G * y) / square;
                memory.put(Array::Rates, [u, w]);
                memory.put(Array::Accelerations, [lambda * x, lambda * y - G]);
                memory.put(Array::Multipliers, [lambda]);
                memory.put(Array::Factor, [x, y, 1.0 / square]);
                memory.put(Array::Margin, [self.margin]);
            }
            Name::Constraints => memory.put(Array::Constraints, [(square - length * length) / 2.0]),
            Name::VelocityConstraints => memory.put(Array::Constraints, [x * u + y * w]),
            Name::PositionCorrection | Name::VelocityCorrection => {
                let factor = memory.list(Array::Factor);
                let scale = -constraint * factor[2];
                let change = [scale * factor[0], scale * factor[1]];
                let position = name == Name::PositionCorrection;
                memory.put(
                    if position {
                        Array::Rates
                    } else {
                        Array::Velocities
                    },
                    change,
                );
            }
            Name::Dense => {
                memory.put(Array::Mass, [1.0, 0.0, 0.0, 1.0]);
                memory.put(Array::Rows, [x, y, 1.0, 0.0]);
                memory.put(Array::Forces, [0.0, -G]);
                memory.put(Array::Gamma, [gamma]);
                memory.put(Array::Rates, [u, w]);
            }
            Name::Holds => {
                memory.put(Array::HoldValues, [x]);
                memory.put(Array::HoldRates, [u]);
            }
            Name::Energy => {
                memory.put(Array::Kinetic, [-gamma / 2.0]);
                memory.put(Array::Potential, [G * y]);
            }
            Name::Outputs => memory.put(Array::Outputs, [y.atan2(x)]),
            _ => {}
        }
    }
}

fn at(q: [f64; 2], v: [f64; 2]) -> State {
    State {
        t: 0.0,
        q: q.to_vec(),
        v: v.to_vec(),
    }
}

fn plan(integrator: Integrator, step: f64) -> InterpretedRun {
    InterpretedRun {
        until: 2.0,
        step,
        every: 10,
        integrator,
        stabilizer: Stabilizer::DirectCorrection,
        parameters: Vec::new(),
        inputs: Vec::new(),
    }
}

fn swing(margin: f64, integrator: Integrator, step: f64) -> (String, serde_json::Value) {
    let pendulum = Pendulum { margin };
    let mut machine = Machine::new(&pendulum, sizes(), 1.0, machine::ConstraintRows::default());
    machine.prepare(vec![1.0], Vec::new(), Vec::new());
    let state = at([1.0, 0.0], [0.0, 0.0]);
    let (mut csv, mut last) = (Vec::new(), 0.0);
    let plan = plan(integrator, step);
    let mut progress = |time| last = time;
    let columns = ["angle"];
    let summary = record(
        &mut machine,
        state.into(),
        &plan,
        &columns,
        &mut csv,
        &mut progress,
    )
    .unwrap();
    assert_eq!(last, plan.until);
    let csv = String::from_utf8(csv).unwrap();
    (csv, serde_json::from_str(&summary).unwrap())
}

#[test]
fn a_pendulum_keeps_its_length_and_energy() {
    let (csv, summary) = swing(1.0, Integrator::Rk4, 1e-3);
    assert_eq!(csv.lines().count(), 202);
    assert!(csv.starts_with("time,angle,kinetic,potential,work,energy,phi,phi_dot\n0.0,0.0,"));
    assert_eq!(summary["steps"], 2000);
    // Four evaluations a step. Those of the rows begin the next step, and the last row has no next step.
    assert_eq!(summary["evaluations"], 4 * 2000 + 1);
    // Ten times the goal of the projection, and the error of RK4 at this step.
    assert!(summary["phi"].as_f64().unwrap() < 1e-13);
    assert!(summary["energy_drift"].as_f64().unwrap() < 1e-9);
}

#[test]
fn the_dense_solve_gives_the_same_motion() {
    let (good, _) = swing(1.0, Integrator::Rk4, 1e-3);
    let (dense, summary) = swing(0.0, Integrator::Rk4, 1e-3);
    let angle = |csv: &str| {
        let last = csv.lines().last().unwrap();
        last.split(',').nth(1).unwrap().parse::<f64>().unwrap()
    };
    // Round-off of two solves over 2000 steps.
    assert!((angle(&good) - angle(&dense)).abs() < 1e-10);
    assert_eq!(summary["evaluations"], summary["dense_evaluations"]);
}

#[test]
fn semi_implicit_euler_is_of_first_order() {
    let drift = |step| {
        let (_, summary) = swing(1.0, Integrator::SemiImplicitEuler, step);
        summary["energy_drift"].as_f64().unwrap()
    };
    let ratio = drift(2e-3) / drift(1e-3);
    // Half the step, half the error, up to the next order.
    assert!((ratio - 2.0).abs() < 0.1, "{ratio}");
}

#[test]
fn assembly_closes_and_keeps_what_is_held() {
    let pendulum = Pendulum { margin: 1.0 };
    let mut machine = Machine::new(&pendulum, sizes(), 1.0, machine::ConstraintRows::default());
    machine.prepare(vec![2.0], Vec::new(), Vec::new());
    let state = machine.assemble(at([0.6, -1.0], [0.5, 0.5])).unwrap();
    assert!((state.q[0] - 0.6).abs() < 1e-12);
    assert!((state.v[0] - 0.5).abs() < 1e-12);
    let (phi, phi_dot) = machine.violation(&state);
    assert!(phi < 1e-11 && phi_dot < 1e-11);
}
