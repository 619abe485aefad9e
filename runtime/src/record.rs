//! CSV: a header, then a row for each recorded frame.

use std::io::{self, Write};
use std::string::String;
use std::vec::Vec;

use crate::{Energy, Frame, Mechanism, Real, Stop, Vector};

/// Columns before and after the outputs.
const BEFORE: [&str; 1] = ["time"];
const AFTER: [&str; 6] = ["kinetic", "potential", "work", "energy", "phi", "phi_dot"];

/// Writes frames as rows of numbers that read back as the same bits. Outputs that are angles are
/// continued beyond whole turns, from row to row.
pub struct Recorder<W, T> {
    writer: W,
    angles: Vec<Angle<T>>,
}

/// Why a row could not be written.
#[derive(Debug)]
pub enum RecordError {
    /// The outputs could not be computed.
    Stop(Stop),
    /// The writer refused.
    Io(io::Error),
}

impl<W: Write, T: Real> Recorder<W, T> {
    /// Writes the header.
    pub fn new<M: Mechanism<Scalar = T>>(mut writer: W) -> io::Result<Self> {
        writeln!(writer, "{}", header(M::OUTPUTS))?;
        let wraps = (0..M::OUTPUTS.len()).map(|i| M::WRAPS.get(i) == Some(&true));
        Ok(Self {
            writer,
            angles: wraps.map(Angle::new).collect(),
        })
    }

    /// Writes a row.
    pub fn record<M: Mechanism<Scalar = T>>(
        &mut self,
        frame: &Frame<M>,
    ) -> Result<(), RecordError> {
        let outputs = frame.outputs().map_err(RecordError::Stop)?;
        self.write(frame, &outputs).map_err(RecordError::Io)
    }

    /// Gives the writer back, with everything written through.
    pub fn finish(mut self) -> io::Result<W> {
        self.writer.flush()?;
        Ok(self.writer)
    }

    fn write<M: Mechanism<Scalar = T>>(
        &mut self,
        frame: &Frame<M>,
        outputs: &M::Outputs,
    ) -> io::Result<()> {
        put(&mut self.writer, "", &frame.time())?;
        for (value, angle) in outputs.as_slice().iter().zip(&mut self.angles) {
            put(&mut self.writer, ",", &angle.continued(*value))?;
        }
        let Energy { kinetic, potential } = frame.energies();
        let report = frame.report();
        let rest = [
            kinetic,
            potential,
            frame.work(),
            kinetic + potential,
            report.phi,
            report.phi_dot,
        ];
        for value in rest {
            put(&mut self.writer, ",", &value)?;
        }
        self.writer.write_all(b"\n")
    }
}

/// A number so that it reads back as the same bits. It knows no mechanism, as the next.
fn put(writer: &mut dyn Write, before: &str, number: &dyn core::fmt::Debug) -> io::Result<()> {
    write!(writer, "{before}{number:?}")
}

/// The names of all columns. It knows no mechanism, so that it is compiled once for all programs.
fn header(outputs: &[&str]) -> String {
    let names = BEFORE.iter().chain(outputs).chain(&AFTER);
    let names: Vec<_> = names.map(|name| quoted(name)).collect();
    names.join(",")
}

/// An output that may jump by whole turns, and how many it has jumped so far.
pub(crate) struct Angle<T> {
    wraps: bool,
    last: Option<T>,
    turns: T,
}

impl<T: Real> Angle<T> {
    pub(crate) fn new(wraps: bool) -> Self {
        Self {
            wraps,
            last: None,
            turns: T::ZERO,
        }
    }

    /// The angle nearest to the last one.
    pub(crate) fn continued(&mut self, value: T) -> T {
        if !self.wraps {
            return value;
        }
        let turn = T::from_f64(core::f64::consts::TAU);
        let jump = value - self.last.unwrap_or(value);
        self.turns -= (jump / turn + T::from_f64(0.5)).floor();
        self.last = Some(value);
        value + self.turns * turn
    }
}

/// A name as a CSV field.
pub(crate) fn quoted(name: &str) -> String {
    if name.contains([',', '"', '\n', '\r']) {
        return std::format!("\"{}\"", name.replace('"', "\"\""));
    }
    name.into()
}

impl core::fmt::Display for RecordError {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        match self {
            RecordError::Stop(stop) => stop.fmt(f),
            RecordError::Io(error) => write!(f, "the row could not be written: {error}"),
        }
    }
}

impl core::error::Error for RecordError {}
