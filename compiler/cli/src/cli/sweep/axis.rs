//! Values of a parameter: `a=0.1:0.5:100`, `a=1 mm,2 mm`, `a=10 deg:90 deg`, in the units that `--set` takes.

use super::super::quantity::{WrittenQuantity, quantity};

/// A parameter or an input that varies.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Axis {
    /// Its name.
    pub(super) name: String,
    /// The values that it takes.
    pub(super) values: Values,
    /// The numbers as they were written, with their units.
    pub(super) written: Vec<WrittenQuantity>,
}

/// The values of a parameter or input.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Values {
    /// From the first to the second, both included, and how many.
    Grid(f64, f64, u64),
    /// A list of values.
    List(Vec<f64>),
    /// Any value between these two.
    Range(f64, f64),
}

/// Reads `NAME=VALUES`.
pub(super) fn axis(text: &str) -> Result<Axis, String> {
    let (name, values) = text
        .split_once('=')
        .ok_or("expected NAME=from:to:count, NAME=from:to or NAME=a,b,c")?;
    let mut written = Vec::new();
    Ok(Axis {
        name: name.trim().to_owned(),
        values: read(values, &mut written)?,
        written,
    })
}

fn read(text: &str, written: &mut Vec<WrittenQuantity>) -> Result<Values, String> {
    let mut number = |text: &str| {
        let quantity = quantity(text)?;
        written.push(quantity);
        Ok::<f64, String>(quantity.value())
    };
    let parts: Vec<&str> = text.split(':').collect();
    match *parts.as_slice() {
        [list] => {
            let values: Result<_, _> = list.split(',').map(&mut number).collect();
            Ok(Values::List(values?))
        }
        [from, to] => Ok(Values::Range(number(from)?, number(to)?)),
        [from, to, count] => {
            let n = count.trim().parse().ok().filter(|n| *n > 0);
            let n = n.ok_or_else(|| format!("`{count}` is no count from 1 on"))?;
            Ok(Values::Grid(number(from)?, number(to)?, n))
        }
        _ => Err(format!("`{text}` has more than from, to and count")),
    }
}

impl Values {
    /// The number of values; `None` for a range.
    pub(super) fn count(&self) -> Option<u64> {
        match self {
            Self::Grid(_, _, n) => Some(*n),
            Self::List(values) => Some(values.len() as u64),
            Self::Range(..) => None,
        }
    }

    /// The value at an index; for a range, its beginning.
    pub(super) fn at(&self, index: u64) -> f64 {
        match self {
            Self::Grid(_, to, n) if index + 1 == *n && *n > 1 => *to,
            Self::Grid(from, to, n) => from + (to - from) * (index as f64 / (n - 1).max(1) as f64),
            Self::List(values) => values[index as usize],
            Self::Range(from, _) => *from,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_read_in_three_ways() {
        let values = |text: &str| axis(text).map(|axis| axis.values);
        assert_eq!(values("a=0.1:0.5:3"), Ok(Values::Grid(0.1, 0.5, 3)));
        assert_eq!(values("a=0.1:0.5"), Ok(Values::Range(0.1, 0.5)));
        assert_eq!(values("a=1,2,5"), Ok(Values::List(vec![1.0, 2.0, 5.0])));
        assert_eq!(values("a=1 mm:2 cm"), Ok(Values::Range(0.001, 0.02)));
        for (wrong, why) in [
            ("a", "expected NAME="),
            ("a=1:x", "`x` is no finite number"),
            ("a=1:2:0", "`0` is no count"),
            ("a=1:2:3:4", "more than from, to and count"),
        ] {
            let error = axis(wrong).unwrap_err();
            assert!(error.contains(why), "{error}");
        }
    }

    #[test]
    fn a_grid_has_both_ends() {
        let grid = Values::Grid(0.1, 0.7, 7);
        assert_eq!((grid.at(0), grid.at(6)), (0.1, 0.7));
        assert_eq!(Values::Grid(3.0, 4.0, 1).at(0), 3.0);
    }
}
