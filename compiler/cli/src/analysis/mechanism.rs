//! The equations as numbers at a state, for given parameters and inputs.

use nalgebra::{DMatrix, DVector};

use super::jet::{Jet, Jets, MotionDependence, along, levels};
use crate::description::Space;
use crate::diagnostics::{Code, Diagnostic, Diagnostics, Path, no_such};
use crate::front_end::{CoordinatePart, ModelElements, Output, Role, RowPart};
use crate::kernel::{Array, Function, Memory, Name, interpret};
use crate::numeric::State;

/// A compiled mechanism with its parameters and inputs.
pub struct Mechanism<'o> {
    /// The result of the compilation.
    pub output: &'o Output,
    /// Names of the rows, coordinates and outputs, and their elements.
    pub elements: &'o ModelElements,
    constants: Memory,
    inputs: Vec<f64>,
}

/// The equations at a state.
#[derive(Clone, Debug)]
pub struct DenseEquations {
    /// M
    pub mass: DMatrix<f64>,
    /// D of all rows, and below it the rows of the description's holds.
    pub rows: DMatrix<f64>,
    /// Q
    pub forces: DVector<f64>,
    /// γ of all rows
    pub gamma: DVector<f64>,
    /// Φ_t of all rows
    pub phi_t: DVector<f64>,
}

/// Change of the equations along a direction.
pub type Change = DenseEquations;

/// A coordinate of a joint.
#[derive(Clone, Debug, PartialEq)]
pub struct WatchedCoordinate {
    /// `joint.coordinate`
    pub name: String,
    /// True for angles, false for lengths.
    pub is_angle: bool,
    /// Its joint.
    pub joint: usize,
    /// The row whose Φ is the coordinate.
    pub row: usize,
}

/// Values by name that replace defaults.
pub type NamedNumbers = [(String, f64)];

impl<'o> Mechanism<'o> {
    /// Sets parameters and inputs; C605 for names that the description does not have.
    pub fn new(
        output: &'o Output,
        set: &NamedNumbers,
        input: &NamedNumbers,
    ) -> Result<Self, Diagnostics> {
        known("parameter", set, &output.parameters)?;
        known("input", input, &output.inputs)?;
        let program = &output.interpretable;
        let parameters = replaced(&output.parameters, &program.parameters, set);
        let inputs = replaced(&output.inputs, &program.inputs, input);
        let constants = Memory::new()
            .with(Array::Parameters, &parameters)
            .with(Array::Inputs, &inputs)
            .with(Array::Variables, &program.variables);
        let mut this = Self {
            output,
            elements: &output.elements,
            constants,
            inputs,
        };
        let derived = this.call(Name::Prepare, &[], Array::Derived);
        this.constants = this.constants.with(Array::Derived, &derived);
        Ok(this)
    }

    /// The guess at these parameters.
    pub fn guess(&self) -> State {
        State {
            t: 0.0,
            q: self.call(Name::Guess, &[], Array::Coordinates),
            v: self.call(Name::Guess, &[], Array::Velocities),
        }
    }

    /// Length that makes Φ comparable to 1.
    pub fn size(&self) -> f64 {
        self.output.interpretable.assembly.size
    }

    /// Number of velocities.
    pub fn n_velocities(&self) -> usize {
        self.output.interpretable.kernel.sizes.velocities
    }

    /// Values of the inputs.
    pub fn inputs(&self) -> &[f64] {
        &self.inputs
    }

    /// True if it moves in the plane.
    pub fn is_planar(&self) -> bool {
        self.elements.space == Space::Planar
    }

    /// True if this entry of a list with the parts of every body is an angle, false for a length.
    pub fn is_turn(&self, index: usize) -> bool {
        let (lengths, all) = if self.is_planar() { (2, 3) } else { (3, 6) };
        index % all >= lengths
    }

    /// True if events change the mechanism.
    pub fn has_events(&self) -> bool {
        self.output.interpretable.kernel.sizes.events > 0
    }

    /// Φ of all rows.
    pub fn phi(&self, state: &State) -> DVector<f64> {
        self.at(Name::Constraints, state, Array::Constraints).into()
    }

    /// Values of the description's holds.
    pub fn held(&self, state: &State) -> DVector<f64> {
        self.at(Name::Holds, state, Array::HoldValues).into()
    }

    /// M, D, Q, γ and Φ_t.
    pub fn local(&self, state: &State) -> DenseEquations {
        let arrays = arrays(state);
        let memory = self.run(Name::Dense, &arrays);
        self.assembled(|array, length| memory.array(array, length))
    }

    /// Changes of M, D, Q, γ and Φ_t with coordinates, velocities and inputs.
    pub fn change(
        &self,
        state: &State,
        along_q: &DVector<f64>,
        along_v: &DVector<f64>,
        along_u: &[f64],
    ) -> Change {
        let inputs = Jets::default()
            .with(Array::Time, vec![Jet::constant(state.t)])
            .with(Array::Coordinates, self.moving(state, along_q))
            .with(
                Array::Velocities,
                Jet::list(&state.v, along_v.as_slice(), &[]),
            )
            .with(Array::Inputs, Jet::list(&self.inputs, along_u, &[]));
        let jets = self.evaluate_jets(Name::Dense, inputs);
        self.assembled(|array, length| rates(jets.get(array), length))
    }

    /// Change of the coordinates along a direction of velocities.
    pub fn moving(&self, state: &State, along: &DVector<f64>) -> Vec<Jet> {
        Jet::list(&state.q, &self.rates(&state.q, along), &[])
    }

    /// T s
    pub fn rates(&self, q: &[f64], along: &DVector<f64>) -> Vec<f64> {
        let arrays = [
            (Array::Coordinates, q),
            (Array::Velocities, along.as_slice()),
        ];
        self.call(Name::Rates, &arrays, Array::Rates)
    }

    /// q + T s, with Euler parameters back at unit length.
    pub fn moved(&self, state: &State, step: &DVector<f64>) -> State {
        let rates = self.rates(&state.q, step);
        let moved: Vec<f64> = state.q.iter().zip(rates).map(|(q, dq)| q + dq).collect();
        let q = self.call(
            Name::Normalize,
            &[(Array::Coordinates, &moved)],
            Array::Coordinates,
        );
        State { q, ..state.clone() }
    }

    /// All outputs, those of the description first.
    pub fn outputs(&self, state: &State, a: &DVector<f64>, lambda: &DVector<f64>) -> Vec<f64> {
        self.dynamic(Name::Outputs, state, a, lambda, Array::Outputs)
    }

    /// Force and torque on the second body of each joint, about its point.
    pub fn reactions(&self, state: &State, lambda: &DVector<f64>) -> Vec<f64> {
        let rest = DVector::zeros(self.n_velocities());
        self.dynamic(Name::Reactions, state, &rest, lambda, Array::Reactions)
    }

    /// Positions of the origins of all bodies and of the ends of all joints.
    pub fn places(&self, state: &State) -> Vec<[f64; 3]> {
        let none = DVector::zeros(0);
        let outputs = self.outputs(state, &none, &none);
        let n_places = self.elements.bodies.len() + 2 * self.elements.joints.len();
        let watched = outputs[self.elements.n_outputs..].chunks_exact(3);
        let places = watched.take(n_places);
        places.map(|place| [place[0], place[1], place[2]]).collect()
    }

    /// Both ends of a joint among the places.
    pub fn ends(&self, joint: usize) -> [usize; 2] {
        let first = self.elements.bodies.len() + 2 * joint;
        [first, first + 1]
    }

    /// A function on jets.
    pub fn evaluate_jets(&self, name: Name, mut inputs: Jets) -> Jets {
        for array in Array::EVERYWHERE {
            if inputs.get(array).is_empty() {
                let length = self.output.interpretable.kernel.sizes.length(array);
                let values = self.constants.array(array, length);
                inputs = inputs.with(array, Jet::list(&values, &[], &[]));
            }
        }
        let function = self.function(name);
        let tables = &self.output.interpretable.tables;
        function.map_or_else(Jets::default, |function| along(function, &inputs, tables))
    }

    /// The level of each output of the description.
    pub fn levels(&self) -> Vec<MotionDependence> {
        let n = self.elements.n_outputs;
        let function = self.function(Name::Outputs);
        function.map_or(Vec::new(), |function| levels(function, n))
    }

    /// Rows that hold: those of joints, and prescribed motions.
    pub fn held_rows(&self) -> Vec<usize> {
        let rows = self.elements.rows.iter().enumerate();
        let held = rows.filter(|(_, row)| row.role != Role::Watched);
        held.map(|(index, _)| index).collect()
    }

    /// All joint coordinates.
    pub fn coordinates(&self) -> Vec<WatchedCoordinate> {
        let joints = self.elements.joints.iter().enumerate();
        let named = |joint: usize, part: &CoordinatePart| WatchedCoordinate {
            name: format!("{}.{}", self.elements.joints[joint].name, part.name),
            is_angle: part.is_angle,
            joint,
            row: part.row,
        };
        joints
            .flat_map(|(index, joint)| joint.coordinates.iter().map(move |part| named(index, part)))
            .collect()
    }

    /// The row of the prescribed motion of a coordinate, by the row of the coordinate.
    pub fn driver(&self, watched: usize) -> Option<usize> {
        let rows = &self.elements.rows;
        let drives = |row: &RowPart| {
            row.role == Role::Driven
                && row.joint == rows[watched].joint
                && row.keeps == rows[watched].keeps
        };
        rows.iter().position(drives)
    }

    /// `joint.coordinate`, or `joint` if it has only one; C605, M217.
    pub fn coordinate(&self, text: &str) -> Result<WatchedCoordinate, Diagnostics> {
        let (joint, wanted) = match text.split_once('.') {
            Some((joint, coordinate)) => (joint, Some(coordinate)),
            None => (text, None),
        };
        let index = self.joint(joint)?;
        let mut own = self.coordinates();
        own.retain(|coordinate| coordinate.joint == index);
        let matches = |coordinate: &WatchedCoordinate| {
            wanted.is_none_or(|wanted| coordinate.name.ends_with(&format!(".{wanted}")))
        };
        let mut fitting = own.iter().filter(|coordinate| matches(coordinate));
        match (fitting.next(), fitting.next()) {
            (Some(only), None) => Ok(only.clone()),
            _ => Err(self.no_coordinate(index, wanted, &own)),
        }
    }

    /// The joint with this name; C605.
    pub fn joint(&self, name: &str) -> Result<usize, Diagnostics> {
        let names = self.elements.joints.iter().map(|joint| joint.name.as_str());
        let found = names.clone().position(|known| known == name);
        found.ok_or_else(|| no_such("joint", name, &names.collect::<Vec<_>>()).into())
    }

    fn no_coordinate(
        &self,
        joint: usize,
        wanted: Option<&str>,
        own: &[WatchedCoordinate],
    ) -> Diagnostics {
        let part = &self.elements.joints[joint];
        let message = match wanted {
            Some(wanted) => format!(
                "the {} joint `{}` has no coordinate `{wanted}`",
                part.kind, part.name
            ),
            None if own.is_empty() => {
                format!("the {} joint `{}` has no coordinate", part.kind, part.name)
            }
            None => format!(
                "the {} joint `{}` has several coordinates",
                part.kind, part.name
            ),
        };
        let names: Vec<&str> = own.iter().map(|one| one.name.as_str()).collect();
        let hint = match names.is_empty() {
            true => "name another joint".to_owned(),
            false => format!("name `{}`", names.join("` or `")),
        };
        let path = Path::new("joints").key(&part.name);
        Diagnostic::error(Code::M217, &path, message)
            .hint(hint)
            .into()
    }

    fn function(&self, name: Name) -> Option<&Function> {
        let mut functions = self.output.interpretable.kernel.functions.iter();
        functions.find(|function| function.name == name)
    }

    fn run(&self, name: Name, arrays: &[(Array, &[f64])]) -> Memory {
        let memory = arrays
            .iter()
            .fold(self.constants.clone(), |memory, (array, values)| {
                memory.with(*array, values)
            });
        let tables = &self.output.interpretable.tables;
        let function = self.function(name);
        function.map_or_else(Memory::new, |function| interpret(function, &memory, tables))
    }

    fn call(&self, name: Name, arrays: &[(Array, &[f64])], result: Array) -> Vec<f64> {
        let length = self.output.interpretable.kernel.sizes.length(result);
        self.run(name, arrays).array(result, length)
    }

    fn at(&self, name: Name, state: &State, result: Array) -> Vec<f64> {
        self.call(name, &arrays(state), result)
    }

    fn dynamic(
        &self,
        name: Name,
        state: &State,
        a: &DVector<f64>,
        lambda: &DVector<f64>,
        result: Array,
    ) -> Vec<f64> {
        let dynamic = [
            (Array::Accelerations, a.as_slice()),
            (Array::Multipliers, lambda.as_slice()),
        ];
        let arrays = [&arrays(state)[..], &dynamic].concat();
        self.call(name, &arrays, result)
    }

    fn assembled(&self, array: impl Fn(Array, usize) -> Vec<f64>) -> DenseEquations {
        let sizes = &self.output.interpretable.kernel.sizes;
        let n = sizes.velocities;
        let matrix = |which, n_rows| DMatrix::from_row_slice(n_rows, n, &array(which, n_rows * n));
        let vector = |which, length| DVector::from_vec(array(which, length));
        DenseEquations {
            mass: matrix(Array::Mass, n),
            rows: matrix(Array::Rows, sizes.constraints + sizes.holds),
            forces: vector(Array::Forces, n),
            gamma: vector(Array::Gamma, sizes.constraints),
            phi_t: vector(Array::PhiT, sizes.constraints),
        }
    }
}

/// The arrays of a state.
fn arrays(state: &State) -> [(Array, &[f64]); 3] {
    [
        (Array::Time, std::slice::from_ref(&state.t)),
        (Array::Coordinates, &state.q),
        (Array::Velocities, &state.v),
    ]
}

fn rates(jets: &[Jet], length: usize) -> Vec<f64> {
    let mut rates: Vec<f64> = jets.iter().map(|jet| jet.rate).collect();
    rates.resize(length, 0.0);
    rates
}

fn replaced(names: &[String], defaults: &[f64], set: &NamedNumbers) -> Vec<f64> {
    let value = |(name, default): (&String, &f64)| {
        let last = set.iter().rev().find(|(other, _)| other == name);
        last.map_or(*default, |(_, value)| *value)
    };
    names.iter().zip(defaults).map(value).collect()
}

fn known(kind: &str, set: &NamedNumbers, names: &[String]) -> Result<(), Diagnostics> {
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    let unknown = set
        .iter()
        .filter(|(name, _)| !names.contains(&name.as_str()));
    let found: Diagnostics = unknown
        .map(|(name, _)| no_such(kind, name, &names))
        .collect();
    found.finish(()).map(drop)
}
