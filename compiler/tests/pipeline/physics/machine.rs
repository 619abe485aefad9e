//! The kernel of a mechanism, run by its interpreter.

use bellcrank_compiler::description::{Description, Formulation, Space};
use bellcrank_compiler::stages::assembly::State;
use bellcrank_compiler::stages::kernel::{Array, Memory, Name, interpret};
use bellcrank_compiler::stages::model::Extent;
use bellcrank_compiler::{Compiled, Options, Source, compile};
use nalgebra::{DVector, Matrix3, Quaternion, UnitQuaternion};

use super::mechanism::Vector;

/// A compiled mechanism.
pub struct Machine {
    pub compiled: Compiled,
    /// Parameters, inputs, and the values derived from parameters.
    base: Memory,
}

/// The state of a run.
#[derive(Clone, Debug)]
pub struct Run {
    pub state: State,
    /// Work of the forces that no potential accounts for, and of the drivers.
    pub work: f64,
}

/// Whether a step ends on the constraints.
#[derive(Clone, Copy, PartialEq)]
pub enum Projected {
    Yes,
    No,
}

/// How one body is and moves, about its centre of mass, in world axes.
#[derive(Clone, Copy, Debug)]
pub struct Motion {
    pub center: Vector,
    pub rotation: UnitQuaternion<f64>,
    /// The angle of a planar body.
    pub angle: f64,
    pub velocity: Vector,
    pub spin: Vector,
    pub acceleration: Vector,
    pub spin_rate: Vector,
}

impl Machine {
    /// The description, through JSON and all stages, in absolute coordinates unless it asks for others.
    pub fn new(description: &Description) -> Self {
        let text = serde_json::to_string_pretty(description).unwrap();
        let file = "random.json".to_owned();
        let source = Source::Json {
            file,
            text: text.clone(),
        };
        let options = Options {
            formulation: description.formulation.or(Some(Formulation::Body)),
            ..Options::default()
        };
        let compiled = compile(&source, &options);
        Self::of(compiled.unwrap_or_else(|found| panic!("{found}\n{text}")))
    }

    /// The same for a compilation in absolute or other coordinates.
    pub fn of(compiled: Compiled) -> Self {
        let parameters: Vec<f64> = compiled
            .model
            .parameters
            .iter()
            .map(|p| p.default)
            .collect();
        let inputs: Vec<f64> = compiled.model.inputs.iter().map(|u| u.start).collect();
        let variables: Vec<f64> = compiled.model.variables.iter().map(|x| x.start).collect();
        let base = Memory::new()
            .with(Array::Variables, &variables)
            .with(Array::Parameters, &parameters)
            .with(Array::Inputs, &inputs);
        let mut this = Self { compiled, base };
        let derived = this.interpret(Name::Prepare, &this.base);
        let derived = derived.array(Array::Derived, this.compiled.kernel.sizes.derived);
        this.base = this.base.with(Array::Derived, &derived);
        this
    }

    /// The assembled start.
    pub fn start(&self) -> State {
        State {
            t: 0.0,
            q: self.compiled.assembly.coordinates.clone(),
            v: self.compiled.assembly.velocities.clone(),
        }
    }

    /// A function at a state.
    pub fn call(&self, name: Name, state: &State) -> Memory {
        self.interpret(name, &self.memory(state))
    }

    /// A function of accelerations and multipliers at a state, where these are known.
    pub fn call_solved(&self, name: Name, state: &State) -> Memory {
        let solved = self.call(Name::Accelerate, state);
        let memory = self
            .memory(state)
            .with(Array::Accelerations, &self.accelerations_of(&solved))
            .with(Array::Multipliers, &self.multipliers_of(&solved));
        self.interpret(name, &memory)
    }

    pub fn accelerations(&self, state: &State) -> Vec<f64> {
        self.accelerations_of(&self.call(Name::Accelerate, state))
    }

    pub fn accelerations_of(&self, solved: &Memory) -> Vec<f64> {
        solved.array(Array::Accelerations, self.compiled.kernel.sizes.velocities)
    }

    pub fn multipliers_of(&self, solved: &Memory) -> Vec<f64> {
        solved.array(Array::Multipliers, self.compiled.kernel.sizes.constraints)
    }

    /// T + V
    pub fn energy(&self, state: &State) -> f64 {
        let energy = self.call(Name::Energy, state);
        energy.scalar(Array::Kinetic) + energy.scalar(Array::Potential)
    }

    /// The value of an output.
    pub fn output(&self, name: &str, state: &State) -> f64 {
        let outputs = &self.compiled.model.outputs;
        let index = outputs.iter().position(|output| output.name == name);
        let all = self.call_solved(Name::Outputs, state);
        all.array(Array::Outputs, outputs.len())[index.unwrap()]
    }

    /// Runs from the start.
    pub fn run(&self, step: f64, steps: usize, projected: Projected) -> Run {
        let mut run = Run {
            state: self.start(),
            work: 0.0,
        };
        for _ in 0..steps {
            self.step(&mut run, step, projected);
        }
        run
    }

    /// The same with projection, closed to round-off at the end; `None` if it meets a singular position.
    pub fn try_run(&self, step: f64, steps: usize) -> Option<Run> {
        let mut run = Run {
            state: self.start(),
            work: 0.0,
        };
        for _ in 0..steps {
            self.try_step(&mut run, step, Projected::Yes)?;
        }
        for _ in 0..3 {
            self.project(&mut run.state);
        }
        Some(run)
    }

    /// One step of the classical method of Runge and Kutta.
    pub fn step(&self, run: &mut Run, step: f64, projected: Projected) {
        let taken = self.try_step(run, step, projected);
        assert!(taken.is_some(), "singular at {}", run.state.t);
    }

    fn try_step(&self, run: &mut Run, step: f64, projected: Projected) -> Option<()> {
        let mut sum = self.slope(&run.state)?;
        let mut slope = sum.clone();
        for (offset, weight) in [(step / 2.0, 2.0), (step / 2.0, 2.0), (step, 1.0)] {
            slope = self.slope(&along(&run.state, offset, &slope))?;
            sum += weight * &slope;
        }
        run.state = along(&run.state, step / 6.0, &sum);
        run.state.t += step * 5.0 / 6.0;
        run.work += step / 6.0 * sum[sum.len() - 1];
        if projected == Projected::Yes {
            self.project(&mut run.state);
        }
        Some(())
    }

    /// How every body is and moves.
    /// The state without the rotation of rods about their own axes that steps of finite length leave. Absolute
    /// coordinates keep that rotation with the inertia of a sphere, so a rod that turned about its axis would move in
    /// another way than a thin one.
    pub fn without_idle_spin(&self, mut state: State) -> State {
        let motions = self.motions(&state);
        for (i, body) in self.compiled.model.bodies.iter().enumerate() {
            if let Extent::Line(axis) = body.extent {
                let axis = motions[i].rotation * Vector::from(axis);
                let spin = motions[i].spin - axis * axis.dot(&motions[i].spin);
                state.v[6 * i + 3..6 * i + 6].copy_from_slice(spin.as_slice());
            }
        }
        state
    }

    pub fn motions(&self, state: &State) -> Vec<Motion> {
        let a = self.accelerations(state);
        let planar = self.compiled.model.space == Space::Planar;
        (0..self.compiled.model.bodies.len())
            .map(|i| {
                if planar {
                    planar_motion(state, &a, i)
                } else {
                    spatial_motion(state, &a, i)
                }
            })
            .collect()
    }

    /// q̇, v̇ and the power; `None` at a singular position.
    fn slope(&self, state: &State) -> Option<DVector<f64>> {
        let sizes = &self.compiled.kernel.sizes;
        let solved = self.call(Name::Accelerate, state);
        let mut all = solved.array(Array::Rates, sizes.coordinates);
        all.extend(self.accelerations_of(&solved));
        all.push(solved.scalar(Array::Power));
        (solved.scalar(Array::Margin) > 0.0).then(|| DVector::from_vec(all))
    }

    /// Mass-weighted correction of positions and then of velocities, until round-off.
    fn project(&self, state: &mut State) {
        let sizes = self.compiled.kernel.sizes;
        state.q = self
            .call(Name::Normalize, state)
            .array(Array::Coordinates, sizes.coordinates);
        let factor = self
            .call(Name::Accelerate, state)
            .array(Array::Factor, sizes.factor);
        for _ in 0..4 {
            let phi = self.call(Name::Constraints, state);
            let phi = phi.array(Array::Constraints, sizes.constraints);
            let memory = self
                .memory(state)
                .with(Array::Factor, &factor)
                .with(Array::Constraints, &phi);
            let step = self.interpret(Name::PositionCorrection, &memory);
            add(&mut state.q, &step.array(Array::Rates, sizes.coordinates));
            state.q = self
                .call(Name::Normalize, state)
                .array(Array::Coordinates, sizes.coordinates);
        }
        for _ in 0..2 {
            let phi = self.call(Name::VelocityConstraints, state);
            let phi = phi.array(Array::Constraints, sizes.constraints);
            let memory = self
                .memory(state)
                .with(Array::Factor, &factor)
                .with(Array::Constraints, &phi);
            let step = self.interpret(Name::VelocityCorrection, &memory);
            add(
                &mut state.v,
                &step.array(Array::Velocities, sizes.velocities),
            );
        }
    }

    fn memory(&self, state: &State) -> Memory {
        let memory = self.base.clone().with(Array::Time, &[state.t]);
        memory
            .with(Array::Coordinates, &state.q)
            .with(Array::Velocities, &state.v)
    }

    fn interpret(&self, name: Name, memory: &Memory) -> Memory {
        let function = self
            .compiled
            .kernel
            .functions
            .iter()
            .find(|f| f.name == name);
        interpret(function.unwrap(), memory, &self.compiled.model.tables)
    }
}

impl Motion {
    /// A tensor in body axes, in world axes.
    pub fn turned(&self, tensor: &Matrix3<f64>) -> Matrix3<f64> {
        let axes = self.rotation.to_rotation_matrix().into_inner();
        axes * tensor * axes.transpose()
    }

    /// J ω̇ + ω × J ω
    pub fn angular_momentum_rate(&self, inertia: &Matrix3<f64>) -> Vector {
        let inertia = self.turned(inertia);
        inertia * self.spin_rate + self.spin.cross(&(inertia * self.spin))
    }
}

fn add(to: &mut [f64], step: &[f64]) {
    for (to, step) in to.iter_mut().zip(step) {
        *to += step;
    }
}

/// y + h ẏ
fn along(state: &State, h: f64, slope: &DVector<f64>) -> State {
    let n = state.q.len();
    let ahead = |x: &[f64], at: usize| {
        let steps = x.iter().zip(slope.iter().skip(at));
        steps.map(|(x, rate)| x + h * rate).collect()
    };
    State {
        t: state.t + h,
        q: ahead(&state.q, 0),
        v: ahead(&state.v, n),
    }
}

fn planar_motion(state: &State, a: &[f64], i: usize) -> Motion {
    let at = |list: &[f64]| Vector::new(list[3 * i], list[3 * i + 1], 0.0);
    let about_z = |list: &[f64]| Vector::z() * list[3 * i + 2];
    let angle = state.q[3 * i + 2];
    Motion {
        center: at(&state.q),
        rotation: UnitQuaternion::from_axis_angle(&Vector::z_axis(), angle),
        angle,
        velocity: at(&state.v),
        spin: about_z(&state.v),
        acceleration: at(a),
        spin_rate: about_z(a),
    }
}

fn spatial_motion(state: &State, a: &[f64], i: usize) -> Motion {
    let three = |list: &[f64], at: usize| Vector::from_column_slice(&list[at..at + 3]);
    let e = &state.q[7 * i + 3..7 * i + 7];
    Motion {
        center: three(&state.q, 7 * i),
        rotation: UnitQuaternion::from_quaternion(Quaternion::new(e[0], e[1], e[2], e[3])),
        angle: 0.0,
        velocity: three(&state.v, 6 * i),
        spin: three(&state.v, 6 * i + 3),
        acceleration: three(a, 6 * i),
        spin_rate: three(a, 6 * i + 3),
    }
}
