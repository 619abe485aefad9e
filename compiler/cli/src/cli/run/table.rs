//! A short table from a CSV file: time, outputs, energy and violation of the constraints.

use std::borrow::Cow;
use std::fs::File;
use std::io::{self, BufRead, BufReader};
use std::path::Path;

use super::super::found;
use crate::diagnostics::{Code, Diagnostics};
use crate::interpreted::own;

/// Rows of the table.
const ROWS: usize = 11;
/// More outputs than this do not fit on a line; the CSV file has all of them.
const OUTPUTS: usize = 6;

/// Evenly spaced rows of those that will be in `file`, aligned.
pub(super) fn table(rows: &Path, file: &Path, outputs: &[String]) -> Result<String, Diagnostics> {
    let read = || -> io::Result<String> {
        let total = lines(rows)?.count().saturating_sub(1);
        let mut lines = lines(rows)?;
        let header = lines.next().transpose()?.unwrap_or_default();
        let picked = picked(total);
        let few = lines.enumerate().filter(|(i, _)| picked.contains(i));
        let few = few.map(|(_, row)| row).collect::<io::Result<Vec<_>>>()?;
        let table = aligned(&header, &few, outputs);
        Ok(table + left_out(outputs, file).as_str())
    };
    read().map_err(|why| found(Code::C604, format!("cannot read {}: {why}", file.display())))
}

fn lines(file: &Path) -> io::Result<io::Lines<BufReader<File>>> {
    Ok(BufReader::new(File::open(file)?).lines())
}

/// The first row, the last one, and evenly spaced rows between them.
fn picked(total: usize) -> Vec<usize> {
    let last = total.saturating_sub(1);
    let n = ROWS.min(total);
    (0..n).map(|k| k * last / (n - 1).max(1)).collect()
}

fn aligned(header: &str, rows: &[String], outputs: &[String]) -> String {
    let names: Vec<_> = header.split(',').collect();
    let wanted = wanted(outputs);
    let place = |name: &Cow<str>| names.iter().position(|known| known == name);
    let columns = wanted.filter_map(|name| Some((place(&name)?, name)));
    let columns = columns.map(|(index, name)| column(&name, index, rows));
    let columns: Vec<_> = columns.collect();
    let mut out = String::new();
    for line in 0..=rows.len() {
        let cells: Vec<_> = columns.iter().map(|column| column[line].as_str()).collect();
        out += &format!("{}\n", cells.join("  "));
    }
    out
}

/// Names the outputs that the table has no room for, and the file that has them.
fn left_out(outputs: &[String], file: &Path) -> String {
    match outputs.get(OUTPUTS..) {
        Some(rest @ [_, ..]) => {
            let (n, names) = (rest.len(), rest.join(", "));
            let file = file.display();
            format!("{n} more of the outputs, only in {file}: {names}\n")
        }
        _ => String::new(),
    }
}

fn wanted(outputs: &[String]) -> impl Iterator<Item = Cow<'_, str>> {
    let first = outputs.iter().take(OUTPUTS).map(String::as_str);
    let before = std::iter::once("time").chain(first).map(Cow::from);
    before.chain(["energy", "phi", "phi_dot"].map(|name| own(name, outputs)))
}

/// The name and the cells of a column, all of one width.
fn column(name: &str, index: usize, rows: &[String]) -> Vec<String> {
    let cell = |row: &String| number(row.split(',').nth(index).unwrap_or_default());
    let cells: Vec<_> = std::iter::once(name.to_owned())
        .chain(rows.iter().map(cell))
        .collect();
    let width = cells
        .iter()
        .map(|cell| cell.chars().count())
        .max()
        .unwrap_or(0);
    cells.iter().map(|cell| format!("{cell:>width$}")).collect()
}

fn number(text: &str) -> String {
    match text.parse::<f64>() {
        Ok(0.0) => "0".to_owned(),
        Ok(value) if (1e-3..1e5).contains(&value.abs()) => format!("{value:.4}"),
        Ok(value) if value.is_finite() => format!("{value:.2e}"),
        _ => text.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_are_aligned() {
        let rows = ["0.0,1.5,9,-12.25,1e-12,0.0", "10.0,-0.25,9,3e7,0.0,2e-13"];
        let rows = rows.map(str::to_owned);
        let text = aligned(
            "time,angle,work,energy,phi,phi_dot",
            &rows,
            &["angle".to_owned()],
        );
        let expect = [
            "   time    angle    energy       phi   phi_dot",
            "      0   1.5000  -12.2500  1.00e-12         0",
            "10.0000  -0.2500    3.00e7         0  2.00e-13",
        ];
        assert_eq!(text.lines().collect::<Vec<_>>(), expect);
    }

    #[test]
    fn outputs_without_room_are_told() {
        let names: Vec<String> = ('a'..='h').map(String::from).collect();
        let text = left_out(&names, Path::new("x.csv"));
        assert_eq!(text, "2 more of the outputs, only in x.csv: g, h\n");
        assert_eq!(left_out(&names[..6], Path::new("x.csv")), "");
    }

    #[test]
    fn a_column_of_the_run_gives_way_to_an_output() {
        let rows = ["0.0,1.5,7,8,9".to_owned()];
        let text = aligned(
            "time,phi,energy,run.phi,phi_dot",
            &rows,
            &["phi".to_owned()],
        );
        let expect =
            "time     phi  energy  run.phi  phi_dot\n   0  1.5000  7.0000   8.0000   9.0000\n";
        assert_eq!(text, expect);
    }

    #[test]
    fn rows_are_evenly_spaced_with_both_ends() {
        assert_eq!(picked(101), [0, 10, 20, 30, 40, 50, 60, 70, 80, 90, 100]);
        assert_eq!(picked(3), [0, 1, 2]);
        assert_eq!(picked(1), [0]);
        assert!(picked(0).is_empty());
    }
}
