//! A press that no physics stands behind: every kind of instruction, slot and name once.

use proc_macro2::TokenStream;

use crate::assembly::Assembly;
use crate::description::{Direction, Integrator, Interpolation, JointType, Space, Stabilizer};
use crate::diagnostics::Path;
use crate::emit::{Header, Names};
use crate::expr::{Expr, Unary};
use crate::kernel::{Array, Function, Instruction, Kernel, Name, Sizes, Slot, Solve, Value};
use crate::model::{
    Event, Input, Joint, Marker, Model, Output, Parameter, Simulation, Table, Variable,
};
use crate::options::Options;

/// Clippy would propose π itself.
const NEAR_PI: f64 = 314.0 / 100.0;

pub fn module(name: &str, options: &Options) -> TokenStream {
    super::tokens(
        &model(name),
        &names(),
        &assembly(),
        &kernel(),
        &header(),
        options,
    )
}

pub fn header() -> Header {
    Header {
        version: "0.1.0".to_owned(),
        hash: "1f2e3d".to_owned(),
        formulation: "particle/multiplier".to_owned(),
        cuts: vec!["B".to_owned()],
        freedoms: 1,
        notes: vec!["Kept as the cheapest\nof 2.".to_owned()],
        candidates: "| formulation |\n| --- |\n| body |\n".to_owned(),
    }
}

pub fn names() -> Names {
    let list = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect();
    Names {
        coordinates: list(&["A.x", "A.y"]),
        velocities: list(&["A.x", "A.y"]),
        constraints: list(&["A length", "A again"]),
        couplings: Vec::new(),
        holds: list(&["A.x"]),
        n_compliant: 0,
    }
}

pub fn assembly() -> Assembly {
    Assembly {
        parameters: Vec::new(),
        states: Vec::new(),
        coordinates: vec![0.25, -0.1],
        velocities: vec![0.0, std::f64::consts::PI],
        redundant: vec![1],
        rounded: false,
        freedoms: 1,
        shares: Vec::new(),
        size: 0.5,
        samples: Vec::new(),
    }
}

pub fn model(name: &str) -> Model {
    let parameter = |name: &str, default| Parameter {
        name: name.to_owned(),
        default,
        dimension: None,
        path: Path::root(),
    };
    let input = |name: &str| Input {
        name: name.to_owned(),
        start: 0.0,
        dimension: None,
        path: Path::root(),
    };
    let output = |name: &str| Output {
        name: name.to_owned(),
        path: Path::root(),
        value: Expr::zero(),
    };
    Model {
        formulation: Default::default(),
        parameters: vec![
            parameter("crank length", 0.25),
            parameter("energy", NEAR_PI),
        ],
        inputs: vec![input("torque"), input("from left")],
        variables: vec![variable("engaged"), variable("cycles")],
        events: vec![
            event("release", Direction::Rising, true),
            event("top", Direction::Both, false),
        ],
        tables: vec![table("cam"), table("not used")],
        joints: vec![joint("A"), joint("B")],
        outputs: vec![output("φ"), output("load")],
        ..empty(name)
    }
}

/// Names that want to be something else in Rust.
pub fn hostile() -> Model {
    let names = [
        "new",
        "set_x",
        "x",
        "type",
        "clone",
        "accelerate_2",
        "a b",
        "a_b",
        "into y",
        "parameters",
        "4",
        "µ",
        "energy",
        "self",
        "t0",
        "p",
        "prepare",
        "default",
        "`]\n<b>",
    ];
    let parameter = |name: &&str| Parameter {
        name: (*name).to_owned(),
        default: 1.0,
        dimension: None,
        path: Path::root(),
    };
    let input = |name: &&str| Input {
        name: (*name).to_owned(),
        start: 0.0,
        dimension: None,
        path: Path::root(),
    };
    let output = |name: &&str| Output {
        name: (*name).to_owned(),
        path: Path::root(),
        value: Expr::zero(),
    };
    Model {
        parameters: names.iter().map(parameter).collect(),
        inputs: names.iter().map(input).collect(),
        outputs: names.iter().map(output).collect(),
        variables: names.iter().map(|name| variable(name)).collect(),
        events: names
            .iter()
            .map(|name| event(name, Direction::Falling, false))
            .collect(),
        joints: names.iter().map(|name| joint(name)).collect(),
        ..empty("self")
    }
}

/// A mechanism in which everything has the size zero.
pub fn empty(name: &str) -> Model {
    Model {
        formulation: Default::default(),
        name: name.to_owned(),
        space: Space::Planar,
        gravity: Default::default(),
        parameters: Vec::new(),
        inputs: Vec::new(),
        variables: Vec::new(),
        tables: Vec::new(),
        bodies: Vec::new(),
        joints: Vec::new(),
        couplings: Vec::new(),
        turns: Vec::new(),
        oriented: Vec::new(),
        elements: Vec::new(),
        measures: Vec::new(),
        outputs: Vec::new(),
        events: Vec::new(),
        holds: Vec::new(),
        simulation: Simulation {
            until: 10.0,
            step: 1e-3,
            integrator: Integrator::Rk4,
            stabilizer: Stabilizer::DirectCorrection,
            tolerance: 1e-6,
            methods: Vec::new(),
        },
    }
}

pub fn kernel() -> Kernel {
    let functions = Name::asked(&[]).map(function).collect();
    let sizes = Sizes {
        coordinates: 2,
        velocities: 2,
        constraints: 2,
        parameters: 2,
        inputs: 2,
        derived: 1,
        factor: 1,
        holds: 1,
        outputs: 2,
        reactions: 12,
        variables: 2,
        events: 2,
        transitions: 2,
        ..Sizes::default()
    };
    Kernel {
        functions,
        extras: Vec::new(),
        sizes,
        solve: Solve::default(),
    }
}

fn table(name: &str) -> Table {
    Table {
        name: name.to_owned(),
        x: vec![0.0, 1.0, 2.0],
        y: vec![0.0, 0.5, 1.0],
        coefficients: vec![[0.0, 0.5, 0.0, 0.0], [0.5, 0.5, 0.0, 0.0]],
        interpolation: Interpolation::default(),
    }
}

fn variable(name: &str) -> Variable {
    Variable {
        name: name.to_owned(),
        start: 1.0,
        path: Path::root(),
    }
}

/// Sets the second variable.
fn event(name: &str, direction: Direction, stop: bool) -> Event {
    Event {
        name: name.to_owned(),
        path: Path::root(),
        when: Expr::zero(),
        direction,
        sets: vec![(1, Expr::zero())],
        stop,
    }
}

fn joint(name: &str) -> Joint {
    let marker = Marker {
        body: None,
        point: Default::default(),
    };
    Joint {
        name: name.to_owned(),
        path: Path::root(),
        kind: JointType::Revolute,
        first: marker.clone(),
        second: marker,
        first_frame: Default::default(),
        second_frame: Default::default(),
        length: Expr::zero(),
        pitch: Expr::zero(),
        motions: Vec::new(),
        cut: false,
        compliance: Default::default(),
    }
}

fn function(name: Name) -> Function {
    let mut f = Builder(Function {
        name,
        instructions: Vec::new(),
        outputs: Vec::new(),
    });
    match name {
        Name::Prepare => prepare(&mut f),
        Name::Guess => guess(&mut f),
        Name::Rates => rates(&mut f),
        Name::Accelerate => accelerate(&mut f),
        Name::Constraints | Name::VelocityConstraints => constraints(&mut f),
        Name::PositionCorrection => correction(&mut f, Array::Rates),
        Name::VelocityCorrection => correction(&mut f, Array::Velocities),
        Name::Normalize | Name::Advance => normalize(&mut f),
        Name::Dense => dense(&mut f),
        Name::Holds => holds(&mut f),
        Name::Energy => energy(&mut f),
        Name::Outputs => outputs(&mut f),
        Name::Events => events(&mut f),
        Name::Transitions => transitions(&mut f),
        _ => {}
    }
    f.0
}

fn prepare(f: &mut Builder) {
    let length = f.load(Array::Parameters, 0);
    let square = f.push(Instruction::Mul(length, length));
    f.write(Array::Derived, 0, square);
}

fn guess(f: &mut Builder) {
    let length = f.load(Array::Parameters, 0);
    f.write(Array::Coordinates, 0, length);
    let near_pi = f.push(Instruction::Constant(NEAR_PI));
    f.write(Array::Velocities, 1, near_pi);
}

fn rates(f: &mut Builder) {
    for index in 0..2 {
        let v = f.load(Array::Velocities, index);
        f.write(Array::Rates, index, v);
    }
}

/// Sine and cosine together, a choice, a table, near and exact π, negative numbers, a dead value.
fn accelerate(f: &mut Builder) {
    use Instruction::*;
    let (x, y, t) = (
        f.load(Array::Coordinates, 0),
        f.load(Array::Coordinates, 1),
        f.load(Array::Time, 0),
    );
    let (p, u, d) = (
        f.load(Array::Parameters, 1),
        f.load(Array::Inputs, 0),
        f.load(Array::Derived, 0),
    );
    let (near, exact, minus) = (
        f.push(Constant(NEAR_PI)),
        f.push(Constant(std::f64::consts::PI)),
        f.push(Constant(-2.5)),
    );
    let angle = f.push(Mul(x, near));
    let (cos, sin) = (
        f.push(Unary(crate::expr::Unary::Cos, angle)),
        f.push(Unary(crate::expr::Unary::Sin, angle)),
    );
    let sum = f.push(Add(sin, minus));
    let wide = f.push(Sub(y, sum));
    let _dead = f.push(Div(wide, exact));
    let product = f.push(Mul(wide, exact));
    let opposite = f.push(Neg(cos));
    let mixed = f.push(Add(opposite, product));
    let half = f.push(Less(mixed, u));
    let late = f.push(LessEqual(p, t));
    let both = f.push(And(half, late));
    let cam = f.push(Table(0, 1, t));
    let chosen = f.push(Select(both, cam, d));
    let ratio = f.push(Div(chosen, chosen));
    f.write(Array::Rates, 0, x);
    f.write(Array::Rates, 1, minus);
    f.write(Array::Accelerations, 0, chosen);
    f.write(Array::Accelerations, 1, mixed);
    f.write(Array::Multipliers, 0, ratio);
    f.write(Array::Factor, 0, sin);
    f.write(Array::Margin, 0, cos);
}

fn constraints(f: &mut Builder) {
    use Instruction::*;
    let (x, y, d) = (
        f.load(Array::Coordinates, 0),
        f.load(Array::Coordinates, 1),
        f.load(Array::Derived, 0),
    );
    let (xx, yy) = (f.push(Mul(x, x)), f.push(Mul(y, y)));
    let sum = f.push(Add(xx, yy));
    let phi = f.push(Sub(sum, d));
    f.write(Array::Constraints, 0, phi);
    f.write(Array::Constraints, 1, phi);
}

fn correction(f: &mut Builder, array: Array) {
    let (phi, factor) = (f.load(Array::Constraints, 0), f.load(Array::Factor, 0));
    let step = f.push(Instruction::Div(phi, factor));
    let back = f.push(Instruction::Neg(step));
    f.write(array, 0, back);
}

fn normalize(f: &mut Builder) {
    let (x, y) = (f.load(Array::Coordinates, 0), f.load(Array::Coordinates, 1));
    let norm = f.push(Instruction::Unary(Unary::Abs, x));
    let unit = f.push(Instruction::Div(x, norm));
    f.write(Array::Coordinates, 0, unit);
    f.write(Array::Coordinates, 1, y);
}

fn dense(f: &mut Builder) {
    let (x, one) = (
        f.load(Array::Coordinates, 0),
        f.push(Instruction::Constant(1.0)),
    );
    let twice = f.push(Instruction::Add(x, x));
    f.write(Array::Mass, 3, one);
    f.write(Array::Rows, 2, twice);
    f.write(Array::Forces, 1, twice);
    f.write(Array::Gamma, 1, one);
}

fn holds(f: &mut Builder) {
    let (x, v) = (f.load(Array::Coordinates, 0), f.load(Array::Velocities, 0));
    f.write(Array::HoldValues, 0, x);
    f.write(Array::HoldRates, 0, v);
}

fn energy(f: &mut Builder) {
    let (v, half) = (
        f.load(Array::Velocities, 0),
        f.push(Instruction::Constant(0.5)),
    );
    let square = f.push(Instruction::Mul(v, v));
    let kinetic = f.push(Instruction::Mul(half, square));
    f.write(Array::Kinetic, 0, kinetic);
}

/// Reads all that an output may read, and asks every kind of question.
fn outputs(f: &mut Builder) {
    use Instruction::*;
    let read = [
        Array::Time,
        Array::Coordinates,
        Array::Velocities,
        Array::Accelerations,
        Array::Multipliers,
        Array::Parameters,
    ];
    let [t, q, v, a, l, p] = read.map(|array| f.load(array, 0));
    let angle = f.push(Binary(crate::expr::Binary::Atan2, q, v));
    let power = f.push(Binary(crate::expr::Binary::Pow, angle, p));
    let (equal, less) = (f.push(Equal(a, l)), f.push(Less(t, t)));
    let (differ, not_less) = (f.push(Not(equal)), f.push(Not(less)));
    let any = f.push(Or(differ, not_less));
    let load = f.push(Select(any, power, l));
    let (again, twice) = (f.push(Select(any, load, angle)), f.push(Sub(load, load)));
    let total = f.push(Binary(crate::expr::Binary::Max, again, twice));
    let sum = (0..6).fold(total, |sum, n| {
        let term = f.push(if n % 2 == 0 { Mul(q, v) } else { Add(a, l) });
        f.push(Sub(term, sum))
    });
    let all = f.push(Add(sum, p));
    let all = f.push(Add(all, t));
    f.write(Array::Outputs, 0, angle);
    f.write(Array::Outputs, 1, all);
}

fn events(f: &mut Builder) {
    let (x, engaged) = (f.load(Array::Coordinates, 0), f.load(Array::Variables, 0));
    let difference = f.push(Instruction::Sub(x, engaged));
    let force = f.load(Array::Multipliers, 1);
    f.write(Array::Events, 0, difference);
    f.write(Array::Events, 1, force);
}

fn transitions(f: &mut Builder) {
    let (cycles, one) = (
        f.load(Array::Variables, 1),
        f.push(Instruction::Constant(1.0)),
    );
    let next = f.push(Instruction::Add(cycles, one));
    f.write(Array::Transitions, 0, next);
}

struct Builder(Function);

impl Builder {
    fn push(&mut self, instruction: Instruction) -> Value {
        self.0.instructions.push(instruction);
        Value(self.0.instructions.len() as u32 - 1)
    }

    fn load(&mut self, array: Array, index: u32) -> Value {
        self.push(Instruction::Load(Slot { array, index }))
    }

    fn write(&mut self, array: Array, index: u32, value: Value) {
        self.0.outputs.push((Slot { array, index }, value));
    }
}
