//! A run without rustc, in which the kernel is interpreted. It is slow, but needs nothing but this program. It gives
//! the same columns, counts and summary as the native program.

use std::borrow::Cow;
use std::io::{self, Write};
use std::time::Instant;

use crate::description::{Integrator, Stabilizer};
use crate::front_end::Output;
use crate::kernel::{Array, Kernel, Memory, Name, interpret};
use crate::model::Table;
use crate::numeric::State;

pub(crate) mod machine;
mod project;
mod solve;
mod step;

use machine::{Machine, Moment};

/// Runs one function of a mechanism: reads its inputs from the memory and writes its outputs there.
pub(crate) trait Evaluate {
    /// Runs the function `name`.
    fn call(&self, name: Name, memory: &mut Memory);
}

/// Evaluates by interpreting.
struct Interpreter<'c> {
    kernel: &'c Kernel,
    tables: &'c [Table],
}

impl Evaluate for Interpreter<'_> {
    fn call(&self, name: Name, memory: &mut Memory) {
        let Some(function) = self.kernel.functions.iter().find(|f| f.name == name) else {
            return;
        };
        let outputs = interpret(function, memory, self.tables);
        for array in name.writes() {
            let length = self.kernel.sizes.length(array);
            memory.put(array, outputs.array(array, length));
        }
        if name == Name::Dense {
            self.fill_mass(memory);
        }
    }
}

impl Interpreter<'_> {
    /// Computes M from its products with unit vectors, if the kernel does not write it out.
    fn fill_mass(&self, memory: &mut Memory) {
        let mut functions = self.kernel.functions.iter();
        let product = functions.find(|function| function.name == Name::MassTimes);
        let Some(product) = product.filter(|function| !function.outputs.is_empty()) else {
            return;
        };
        let n = self.kernel.sizes.velocities;
        let column = |j: usize| {
            let unit: Vec<f64> = (0..n).map(|i| f64::from(u8::from(i == j))).collect();
            let known = memory.clone().with(Array::Accelerations, &unit);
            interpret(product, &known, self.tables).array(Array::Forces, n)
        };
        // M is symmetric, so its columns are its rows.
        let mass: Vec<f64> = (0..n).flat_map(column).collect();
        memory.put(Array::Mass, mass);
    }
}

/// The settings of a run.
#[derive(Clone, Debug)]
pub(crate) struct InterpretedRun {
    pub(crate) until: f64,
    pub(crate) step: f64,
    pub(crate) every: usize,
    pub(crate) integrator: Integrator,
    pub(crate) stabilizer: Stabilizer,
    parameters: Vec<(String, f64)>,
    inputs: Vec<(String, f64)>,
}

impl InterpretedRun {
    /// The defaults of the description.
    pub(crate) fn new(compiled: &Output) -> Self {
        let simulation = &compiled.interpretable.simulation;
        Self {
            until: simulation.until,
            step: simulation.step,
            every: 1,
            integrator: simulation.integrator,
            stabilizer: simulation.stabilizer,
            parameters: Vec::new(),
            inputs: Vec::new(),
        }
    }

    /// Chooses other methods, by name.
    pub(crate) fn choose(
        &mut self,
        integrator: Option<&str>,
        stabilizer: Option<&str>,
    ) -> Result<(), String> {
        let settings = [integrator, stabilizer]
            .into_iter()
            .flatten()
            .find(|one| one.contains(':'));
        if let Some(settings) = settings {
            return Err(format!(
                "settings such as `{settings}` are for native code only"
            ));
        }
        if let Some(integrator) = integrator.and_then(Integrator::of) {
            self.integrator = integrator;
        }
        if let Some(stabilizer) = stabilizer.and_then(Stabilizer::of) {
            self.stabilizer = stabilizer;
        }
        let (integrator, stabilizer) = (self.integrator, self.stabilizer);
        let interpreted = matches!(integrator, Integrator::Rk4 | Integrator::SemiImplicitEuler)
            && matches!(stabilizer, Stabilizer::DirectCorrection | Stabilizer::None);
        if interpreted {
            return Ok(());
        }
        Err(format!(
            "`{}` with `{}` runs as native code only; interpreted are `rk4` and `semi-implicit-euler` with `direct-correction` or `none`",
            integrator.word(),
            stabilizer.word()
        ))
    }

    /// Sets other parameters and inputs, by name.
    pub(crate) fn set(&mut self, parameters: &[(String, f64)], inputs: &[(String, f64)]) {
        self.parameters = parameters.to_vec();
        self.inputs = inputs.to_vec();
    }
}

/// Reason why a run ended early.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum InterpretedEnd {
    /// The simulation stopped.
    Stopped(String),
    /// Its rows could not be written.
    Unwritten(String),
    /// The reader of the rows closed the pipe.
    Unread,
}

impl From<String> for InterpretedEnd {
    fn from(reason: String) -> Self {
        Self::Stopped(reason)
    }
}

impl From<io::Error> for InterpretedEnd {
    fn from(why: io::Error) -> Self {
        match why.kind() {
            io::ErrorKind::BrokenPipe => Self::Unread,
            _ => Self::Unwritten(why.to_string()),
        }
    }
}

/// Runs the plan, writes its rows and reports progress. Returns the summary as a line of JSON.
pub(crate) fn run(
    compiled: &Output,
    plan: &InterpretedRun,
    rows: &mut dyn Write,
    progress: &mut dyn FnMut(f64),
) -> Result<String, InterpretedEnd> {
    let program = &compiled.interpretable;
    if program.kernel.sizes.events > 0 {
        let why = "events run as native code only: leave out `--interpret`";
        return Err(InterpretedEnd::Stopped(why.to_owned()));
    }
    let interpreter = Interpreter {
        kernel: &program.kernel,
        tables: &program.tables,
    };
    let meaning = machine::ConstraintRows {
        names: program.rows.clone(),
        redundant: program.assembly.redundant_rows(),
        couplings: program.couplings.clone(),
    };
    let mut machine = Machine::new(
        &interpreter,
        program.kernel.sizes,
        program.assembly.size,
        meaning,
    );
    let moment = Moment::from(start(&mut machine, compiled, plan)?);
    let names = compiled.outputs.iter().chain(&compiled.poses);
    let columns: Vec<&str> = names.map(String::as_str).collect();
    record(&mut machine, moment, plan, &columns, rows, progress)
}

/// The compiled start, or a new assembly from the guess if a parameter or input was changed.
fn start<E: Evaluate>(
    machine: &mut Machine<E>,
    compiled: &Output,
    plan: &InterpretedRun,
) -> Result<State, String> {
    let values = |names: &[String], defaults: &[f64], set: &[(String, f64)]| {
        let value = |(name, default): (&String, &f64)| {
            let last = set.iter().rev().find(|(other, _)| other == name);
            last.map_or(*default, |(_, value)| *value)
        };
        names.iter().zip(defaults).map(value).collect()
    };
    let program = &compiled.interpretable;
    machine.prepare(
        values(&compiled.parameters, &program.parameters, &plan.parameters),
        values(&compiled.inputs, &program.inputs, &plan.inputs),
        program.variables.clone(),
    );
    if plan.parameters.is_empty() && plan.inputs.is_empty() {
        let assembly = &program.assembly;
        return Ok(State {
            t: 0.0,
            q: assembly.coordinates.clone(),
            v: assembly.velocities.clone(),
        });
    }
    let guess = machine.guess();
    machine.assemble(guess)
}

/// Makes steps and writes rows.
pub(crate) fn record<E: Evaluate>(
    machine: &mut Machine<E>,
    mut moment: Moment,
    plan: &InterpretedRun,
    columns: &[&str],
    writer: &mut dyn Write,
    progress: &mut dyn FnMut(f64),
) -> Result<String, InterpretedEnd> {
    let mut rows = RowWriter::new(columns, writer)?;
    rows.write(machine, &moment)?;
    let (mut steps, mut seconds) = (0_u64, 0.0);
    while moment.state.t < plan.until - 1e-9 * plan.step {
        let begin = Instant::now();
        let next = ((steps + 1) as f64 * plan.step).min(plan.until);
        machine.advance(&mut moment, next, plan.integrator)?;
        if plan.stabilizer == Stabilizer::DirectCorrection {
            machine.project(&mut moment.state)?;
        }
        steps += 1;
        seconds += begin.elapsed().as_secs_f64();
        if steps.is_multiple_of(plan.every as u64) || next >= plan.until {
            rows.write(machine, &moment)?;
        }
        if steps.is_multiple_of(progress_interval(plan)) || next >= plan.until {
            progress(moment.state.t);
        }
    }
    rows.writer.flush()?;
    Ok(rows.summary(machine, steps, seconds))
}

fn progress_interval(plan: &InterpretedRun) -> u64 {
    ((plan.until / plan.step / 200.0) as u64).max(1)
}

/// The name of a column that every run has. If an output has that name, the column gets another one.
pub(crate) fn own<'n>(name: &'n str, outputs: &[impl AsRef<str>]) -> Cow<'n, str> {
    match outputs.iter().any(|output| output.as_ref() == name) {
        true => format!("run.{name}").into(),
        false => name.into(),
    }
}

/// Writes rows of numbers, and records the largest violations among them.
struct RowWriter<'w> {
    writer: &'w mut dyn Write,
    start: Option<f64>,
    phi: f64,
    phi_dot: f64,
    drift: f64,
}

impl<'w> RowWriter<'w> {
    fn new(columns: &[&str], writer: &'w mut dyn Write) -> io::Result<Self> {
        let after = ["kinetic", "potential", "work", "energy", "phi", "phi_dot"];
        let after = after.map(|name| own(name, columns));
        let mut header = vec!["time"];
        header.extend(columns);
        header.extend(after.iter().map(|name| &**name));
        writeln!(writer, "{}", header.join(","))?;
        Ok(Self {
            writer,
            start: None,
            phi: 0.0,
            phi_dot: 0.0,
            drift: 0.0,
        })
    }

    fn write<E: Evaluate>(
        &mut self,
        machine: &mut Machine<E>,
        moment: &Moment,
    ) -> Result<(), InterpretedEnd> {
        let state = &moment.state;
        let outputs = machine.outputs(state)?;
        let (kinetic, potential) = machine.energy(state);
        let energy = kinetic + potential;
        let (phi, phi_dot) = machine.violation(state);
        let balance = energy - moment.work;
        let start = *self.start.get_or_insert(balance);
        self.phi = self.phi.max(phi);
        self.phi_dot = self.phi_dot.max(phi_dot);
        self.drift = self.drift.max((balance - start).abs());
        write!(self.writer, "{:?}", state.t)?;
        let rest = [kinetic, potential, moment.work, energy, phi, phi_dot];
        for value in outputs.iter().chain(&rest) {
            write!(self.writer, ",{value:?}")?;
        }
        writeln!(self.writer)?;
        Ok(())
    }

    fn summary<E: Evaluate>(&self, machine: &Machine<E>, steps: u64, seconds: f64) -> String {
        serde_json::json!({
            "steps": steps,
            "evaluations": machine.evaluations,
            "dense_evaluations": machine.dense_evaluations,
            "phi": self.phi,
            "phi_dot": self.phi_dot,
            "energy_drift": self.drift,
            "seconds": seconds,
            "seconds_per_step": seconds / steps.max(1) as f64,
        })
        .to_string()
    }
}

#[cfg(test)]
mod tests;
