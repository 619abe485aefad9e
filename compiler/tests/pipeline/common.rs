//! Shared by the tests of the pipeline.

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, OnceLock};

use bellcrank_compiler::description::Formulation;
use bellcrank_compiler::stages::assembly::State;
use bellcrank_compiler::stages::kernel::{Array, Memory, Name, interpret};
use bellcrank_compiler::{Compiled, Options, compile, source};

/// Models with more bodies repeat one pattern that a smaller one has too. Differences by each velocity, every exchange
/// of cuts and dense matrices would take minutes for them.
const BODIES: usize = 12;

fn gallery() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../models")
}

/// A model of the gallery.
pub fn model(name: &str) -> PathBuf {
    gallery().join(name).join("model.toml")
}

/// Every model of the gallery that is not too large.
pub fn models() -> Vec<PathBuf> {
    let mut found: Vec<PathBuf> = std::fs::read_dir(gallery())
        .unwrap()
        .map(|entry| entry.unwrap().path().join("model.toml"))
        .filter(|path| path.is_file() && bodies(path) <= BODIES)
        .collect();
    found.sort();
    assert!(found.len() >= 5, "the gallery is where it should be");
    found
}

fn bodies(path: &Path) -> usize {
    let text = std::fs::read_to_string(path).unwrap();
    let model: toml::Table = text.parse().unwrap();
    model["bodies"].as_table().unwrap().len()
}

/// A model that must compile, in absolute coordinates.
pub fn compiled(path: &Path) -> Compiled {
    compiled_in(path, Formulation::Body)
}

/// A model that must compile, in a formulation. Many tests ask for the same one, which is compiled once.
pub fn compiled_in(path: &Path, formulation: Formulation) -> Compiled {
    static COMPILED: Mutex<Vec<(Key, Cell)>> = Mutex::new(Vec::new());
    let key = (path.to_owned(), formulation);
    let mut known = COMPILED.lock().unwrap();
    let found = known.iter().find(|(other, _)| *other == key);
    let cell = match found {
        Some((_, cell)) => cell.clone(),
        None => {
            let cell = Cell::default();
            known.push((key, cell.clone()));
            cell
        }
    };
    drop(known);
    cell.get_or_init(|| compiled_anew(path, formulation))
        .clone()
}

type Key = (PathBuf, Formulation);
type Cell = Arc<OnceLock<Compiled>>;

fn compiled_anew(path: &Path, formulation: Formulation) -> Compiled {
    let source = source::load(path).unwrap_or_else(|found| panic!("{found}"));
    let options = Options {
        formulation: Some(formulation),
        ..Options::default()
    };
    compile(&source, &options).unwrap_or_else(|found| panic!("{path:?}: {found}"))
}

/// A model in absolute coordinates and in points, both with a multiplier for each row.
pub fn in_both(path: &Path) -> [Compiled; 2] {
    [Formulation::Body, Formulation::Multiplier].map(|formulation| compiled_in(path, formulation))
}

/// A small deterministic generator.
pub struct Random(pub u64);

impl Random {
    /// A number in [−1, 1).
    pub fn next(&mut self) -> f64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) as f64 / (1u64 << 52) as f64 - 1.0
    }
}

/// Any state near the start; nothing asks it to satisfy the joints.
pub fn random_state(compiled: &Compiled, random: &mut Random) -> State {
    let mut near = |x: &f64, scale: f64| x + scale * random.next();
    State {
        q: compiled
            .assembly
            .coordinates
            .iter()
            .map(|x| near(x, 0.2))
            .collect(),
        v: compiled
            .assembly
            .velocities
            .iter()
            .map(|x| near(x, 1.0))
            .collect(),
        t: near(&0.5, 0.5),
    }
}

/// A function of the kernel at a state.
pub fn call(compiled: &Compiled, name: Name, state: &State) -> Memory {
    call_with(compiled, name, state, Memory::new())
}

/// The same with further arrays.
pub fn call_with(compiled: &Compiled, name: Name, state: &State, more: Memory) -> Memory {
    let tables = &compiled.model.tables;
    let parameters: Vec<f64> = compiled
        .model
        .parameters
        .iter()
        .map(|p| p.default)
        .collect();
    let inputs: Vec<f64> = compiled.model.inputs.iter().map(|u| u.start).collect();
    let variables: Vec<f64> = compiled.model.variables.iter().map(|x| x.start).collect();
    let function = |name| {
        compiled
            .kernel
            .functions
            .iter()
            .find(|f| f.name == name)
            .unwrap()
    };
    let memory = more.with(Array::Parameters, &parameters);
    let derived = interpret(function(Name::Prepare), &memory, tables);
    let derived = derived.array(Array::Derived, compiled.kernel.sizes.derived);
    let memory = memory
        .with(Array::Derived, &derived)
        .with(Array::Inputs, &inputs)
        .with(Array::Variables, &variables)
        .with(Array::Time, &[state.t])
        .with(Array::Coordinates, &state.q)
        .with(Array::Velocities, &state.v);
    interpret(function(name), &memory, tables)
}
