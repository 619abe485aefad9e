//! Statistics of the outputs at a point: last, least and greatest value, and mean over time.

use std::fmt::Write as _;
use std::string::String;
use std::vec::Vec;

use super::plan::{SweepPlan, SweepPoint};
use crate::record::quoted;
use crate::{Real, Vector};

/// The outputs of one instance so far.
pub struct Track {
    outputs: Vec<SweepOutput>,
    /// The times of the last and the first sample.
    time: Option<(f64, f64)>,
}

struct SweepOutput {
    index: usize,
    last: f64,
    least: f64,
    most: f64,
    /// ∫ output dt by the trapezoidal rule.
    area: f64,
}

impl Track {
    /// Before the first sample.
    pub fn new(plan: &SweepPlan) -> Self {
        let output = |index: &usize| SweepOutput {
            index: *index,
            last: 0.0,
            least: f64::INFINITY,
            most: f64::NEG_INFINITY,
            area: 0.0,
        };
        Self {
            outputs: plan.outputs.iter().map(output).collect(),
            time: None,
        }
    }

    /// Takes a sample.
    pub fn sample<T: Real, V: Vector<T>>(&mut self, time: T, outputs: &V) {
        let now = time.to_f64();
        let (last, first) = self.time.unwrap_or((now, now));
        for output in &mut self.outputs {
            let value = outputs[output.index].to_f64();
            if self.time.is_some() {
                output.area += 0.5 * (now - last) * (output.last + value);
            }
            output.last = value;
            output.least = output.least.min(value);
            output.most = output.most.max(value);
        }
        self.time = Some((now, first));
    }

    /// The row of the point; outputs without a sample are empty.
    pub fn row(&self, point: &SweepPoint, stop: &str, rows: &mut String) {
        rows.push_str(&point.name);
        for value in &point.values {
            let _ = write!(rows, ",{value:?}");
        }
        for output in &self.outputs {
            let SweepOutput {
                last, least, most, ..
            } = output;
            let _ = match self.time {
                None => write!(rows, ",,,,"),
                Some(time) => write!(rows, ",{last:?},{least:?},{most:?},{:?}", output.mean(time)),
            };
        }
        let time = self.time.map_or(0.0, |(last, _)| last);
        // A row is a line, whatever the reason says.
        let _ = writeln!(rows, ",{time:?},{}", quoted(&stop.replace('\n', " ")));
    }
}

impl SweepOutput {
    fn mean(&self, (last, first): (f64, f64)) -> f64 {
        match last > first {
            true => self.area / (last - first),
            false => self.last,
        }
    }
}
