//! CSV: a header, then a row for each recorded frame.

use std::io::{self, Write};
use std::string::String;
use std::vec::Vec;

use crate::{Energy, Frame, Mechanism, Stop, Vector};

/// Columns before and after the outputs.
const BEFORE: [&str; 1] = ["time"];
const AFTER: [&str; 6] = ["kinetic", "potential", "work", "energy", "phi", "phi_dot"];

/// Writes frames as rows of numbers that read back as the same bits.
pub struct Recorder<W> {
    writer: W,
}

/// Reason why a row could not be written.
#[derive(Debug)]
pub enum RecordError {
    /// The outputs could not be computed.
    Stop(Stop),
    /// The writer failed.
    Io(io::Error),
}

impl<W: Write> Recorder<W> {
    /// Writes the header.
    pub fn new<M: Mechanism>(mut writer: W) -> io::Result<Self> {
        writeln!(writer, "{}", header(M::OUTPUTS))?;
        Ok(Self { writer })
    }

    /// Writes a row.
    pub fn record<M: Mechanism>(&mut self, frame: &Frame<M>) -> Result<(), RecordError> {
        let outputs = frame.outputs().map_err(RecordError::Stop)?;
        self.write(frame, &outputs).map_err(RecordError::Io)
    }

    /// Returns the writer, after flushing it.
    pub fn finish(mut self) -> io::Result<W> {
        self.writer.flush()?;
        Ok(self.writer)
    }

    fn write<M: Mechanism>(&mut self, frame: &Frame<M>, outputs: &M::Outputs) -> io::Result<()> {
        put(&mut self.writer, "", &frame.time())?;
        for value in outputs.as_slice() {
            put(&mut self.writer, ",", value)?;
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

/// Writes a number so that it reads back as the same bits. The function does not depend on a mechanism, like the next
/// one.
fn put(writer: &mut dyn Write, before: &str, number: &dyn core::fmt::Debug) -> io::Result<()> {
    write!(writer, "{before}{number:?}")
}

/// The names of all columns. The function does not depend on a mechanism, so it is compiled once for all programs.
fn header(outputs: &[&str]) -> String {
    let before = BEFORE.iter().chain(outputs).map(|name| quoted(name));
    let after = AFTER.iter().map(|name| own(name, outputs));
    before.chain(after).collect::<Vec<_>>().join(",")
}

/// The name of a column that every run has. If an output has that name, the column gets another one.
fn own(name: &str, outputs: &[&str]) -> String {
    match outputs.contains(&name) {
        true => std::format!("run.{name}"),
        false => name.into(),
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

#[cfg(test)]
mod tests {
    use super::header;

    #[test]
    fn no_two_columns_have_one_name() {
        assert_eq!(
            header(&["phi", "x", "energy"]),
            "time,phi,x,energy,kinetic,potential,work,run.energy,run.phi,phi_dot"
        );
    }
}
