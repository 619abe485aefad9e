//! Deviations of a run from the quantities with which it is compared.

use crate::picture::Record;

/// Two times are the same if they differ by less: runs add steps, references print decimals.
const SAME_TIME: f64 = 1e-9;

/// Largest distance of an output from a column of a reference, at every time of the reference up to `until`.
pub(super) fn distance(
    (run, output): (&Record, &str),
    (reference, column): (&Record, &str),
    until: f64,
) -> Result<f64, String> {
    let values = run.column(output).ok_or_else(|| missing("run", output))?;
    let wanted = reference.column(column);
    let wanted = wanted.ok_or_else(|| missing("reference", column))?;
    let mut rows = run.times().iter().zip(values);
    let (mut largest, mut compared) = (0.0, 0);
    let wanted = reference.times().iter().zip(wanted);
    for (time, expected) in wanted.take_while(|(time, _)| **time <= until) {
        let near = SAME_TIME * (1.0 + time.abs());
        let row = rows.find(|(t, _)| **t > time - near);
        let row = row.filter(|(t, _)| (*t - time).abs() <= near);
        let (_, value) = row.ok_or_else(|| format!("the run has no row at {time} s"))?;
        largest = larger(largest, (value - expected).abs());
        compared += 1;
    }
    match compared {
        0 => Err("the reference has no rows".to_owned()),
        _ => Ok(largest),
    }
}

/// Largest distance of an output from its value at the start.
pub(super) fn drift(run: &Record, output: &str) -> Result<f64, String> {
    let values = run.column(output).ok_or_else(|| missing("run", output))?;
    let (start, rest) = values.split_first().ok_or("the run has no rows")?;
    let gaps = rest.iter().map(|value| (value - start).abs());
    Ok(gaps.fold(0.0, larger))
}

/// The larger one; NaN counts as larger than any number.
fn larger(a: f64, b: f64) -> f64 {
    match b > a || b.is_nan() {
        true => b,
        false => a,
    }
}

fn missing(what: &str, name: &str) -> String {
    format!("the {what} has no column `{name}`")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rows(text: &str) -> Record {
        Record::read(text).unwrap()
    }

    #[test]
    fn every_time_of_the_reference_is_compared() {
        let run = rows("time,x\n0,0\n0.1,1\n0.2,2\n0.30000000000000004,3.5");
        let reference = rows("t,y\n0,0\n0.3,3");
        assert_eq!(distance((&run, "x"), (&reference, "y"), 9.0), Ok(0.5));
        let between = rows("t,y\n0.15,1");
        let why = distance((&run, "x"), (&between, "y"), 9.0).unwrap_err();
        assert_eq!(why, "the run has no row at 0.15 s");
        let early = distance((&run, "x"), (&reference, "y"), 0.1);
        assert_eq!(early, Ok(0.0));
        let later = rows("t,y\n0.4,1");
        assert!(distance((&run, "x"), (&later, "y"), 9.0).is_err());
        assert!(distance((&run, "z"), (&reference, "y"), 9.0).is_err());
    }

    #[test]
    fn what_is_no_number_is_no_agreement() {
        let run = rows("time,x\n0,0\n0.1,nan\n0.2,0");
        assert!(drift(&run, "x").unwrap().is_nan());
        let reference = rows("t,x\n0,0\n0.1,0\n0.2,0");
        assert!(
            distance((&run, "x"), (&reference, "x"), 9.0)
                .unwrap()
                .is_nan()
        );
    }
}
