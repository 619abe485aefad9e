//! The table of a run: columns of numbers by name.

use std::borrow::Cow;

use indexmap::IndexMap;

/// The rows of a run, column by column: `time`, the outputs, energies and violations.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Record {
    columns: IndexMap<String, Vec<f64>>,
}

impl Record {
    /// Reads the table of a run; the error is the number of the line that has no numbers.
    pub fn read(csv: &str) -> Result<Self, usize> {
        let mut lines = csv.lines();
        let names = lines
            .next()
            .unwrap_or_default()
            .split(',')
            .map(str::to_owned);
        let mut columns: IndexMap<String, Vec<f64>> =
            names.map(|name| (name, Vec::new())).collect();
        for (index, line) in lines.enumerate() {
            let broken = || index + 2;
            let mut cells = line.split(',');
            for column in columns.values_mut() {
                let cell = cells.next().and_then(|cell| cell.trim().parse().ok());
                column.push(cell.ok_or_else(broken)?);
            }
        }
        Ok(Self { columns })
    }

    /// A column by its name.
    pub fn column(&self, name: &str) -> Option<&[f64]> {
        self.columns.get(name).map(Vec::as_slice)
    }

    /// The name of a column that every run has. If an output has that name, the column has another one.
    pub fn own<'n>(&self, name: &'n str) -> Cow<'n, str> {
        let beside = format!("run.{name}");
        match self.columns.contains_key(&beside) {
            true => beside.into(),
            false => name.into(),
        }
    }

    /// The times of the rows, which come first.
    pub fn times(&self) -> &[f64] {
        let first = self.columns.values().next();
        first.map(Vec::as_slice).unwrap_or_default()
    }

    /// Gain of kinetic and potential energy beyond the work done, since the first row.
    pub fn drift(&self) -> Vec<f64> {
        let [energy, work] =
            ["energy", "work"].map(|name| self.column(&self.own(name)).unwrap_or_default());
        let balance = energy.iter().zip(work).map(|(energy, work)| energy - work);
        let mut first = None;
        balance.map(|now| now - *first.get_or_insert(now)).collect()
    }

    /// The first row, the last one and evenly spaced rows between them, at most `most`.
    pub fn thinned(&self, most: usize) -> Self {
        let n_rows = self.times().len();
        if n_rows <= most {
            return self.clone();
        }
        let last = most.max(2) - 1;
        let kept = |k: usize| (k * (n_rows - 1) + last / 2) / last;
        let pick = |values: &Vec<f64>| (0..=last).map(|k| values[kept(k)]).collect();
        let columns = self.columns.iter();
        Self {
            columns: columns
                .map(|(name, values)| (name.clone(), pick(values)))
                .collect(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_are_read_by_name_and_thinned_with_both_ends() {
        let rows: String = (0..=100).map(|k| format!("{k}.0,{}\n", -k)).collect();
        let record = Record::read(&format!("time,x\n{rows}")).unwrap();
        assert_eq!(record.column("x").unwrap()[7], -7.0);
        assert_eq!(
            record.thinned(6).times(),
            [0.0, 20.0, 40.0, 60.0, 80.0, 100.0]
        );
        assert_eq!(record.thinned(101), record);
        assert_eq!(Record::read("time,x\n0.0,1.0\n1.0\n"), Err(3));
    }

    #[test]
    fn columns_of_the_run_are_told_from_outputs_of_their_name() {
        let record = Record::read("time,energy,work,run.energy\n0,9,0,5\n1,7,0,5.5\n").unwrap();
        assert_eq!(record.drift(), [0.0, 0.5]);
        assert_eq!(
            (&*record.own("energy"), &*record.own("work")),
            ("run.energy", "work")
        );
    }

    #[test]
    fn drift_is_what_no_work_accounts_for() {
        let record = Record::read("time,work,energy\n0,0,5\n1,2,7.5\n2,4,8\n").unwrap();
        assert_eq!(record.drift(), [0.0, 0.5, -1.0]);
    }
}
