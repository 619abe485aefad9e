//! A CSV file of numbers.

use std::path::Path;
use std::{fs, io};

/// Columns by name, rows in time.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Rows {
    names: Vec<String>,
    rows: Vec<Vec<f64>>,
}

impl Rows {
    /// Reads a file whose first line has the names and whose first column is the time.
    pub(super) fn read(file: &Path) -> Result<Self, String> {
        let failed = |why: io::Error| format!("cannot read {}: {why}", file.display());
        let text = fs::read_to_string(file).map_err(failed)?;
        Self::parse(&text).map_err(|why| format!("{}: {why}", file.display()))
    }

    fn parse(text: &str) -> Result<Self, String> {
        let mut lines = text.lines().enumerate();
        let (_, header) = lines.next().ok_or("it is empty")?;
        let names: Vec<String> = header
            .split(',')
            .map(|name| name.trim().to_owned())
            .collect();
        let mut rows = Vec::new();
        for (n, line) in lines.filter(|(_, line)| !line.is_empty()) {
            let row = line.split(',').map(|cell| cell.trim().parse());
            let row: Result<Vec<f64>, _> = row.collect();
            let row = row.map_err(|why| format!("line {}: {why}", n + 1))?;
            if row.len() != names.len() {
                return Err(format!(
                    "line {} has {} cells of {}",
                    n + 1,
                    row.len(),
                    names.len()
                ));
            }
            rows.push(row);
        }
        Ok(Self { names, rows })
    }

    /// Time and value of a column in each row.
    pub(super) fn column(&self, name: &str) -> Option<impl Iterator<Item = (f64, f64)>> {
        let k = self.names.iter().position(|one| one == name)?;
        Some(self.rows.iter().map(move |row| (row[0], row[k])))
    }

    /// The rows up to a time.
    pub(super) fn until(mut self, time: f64) -> Self {
        self.rows.retain(|row| row[0] <= time);
        self
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_are_found_by_name() {
        let rows = Rows::parse("t,x,y\n0,1,2\n0.5,3,4\n").unwrap();
        let y: Vec<_> = rows.column("y").unwrap().collect();
        assert_eq!(y, [(0.0, 2.0), (0.5, 4.0)]);
        assert!(rows.column("z").is_none());
        assert_eq!(rows.until(0.2).rows.len(), 1);
    }

    #[test]
    fn a_short_line_is_told() {
        assert_eq!(
            Rows::parse("t,x\n0\n").unwrap_err(),
            "line 2 has 1 cells of 2"
        );
        assert!(
            Rows::parse("t,x\n0,one\n")
                .unwrap_err()
                .starts_with("line 2: ")
        );
    }
}
