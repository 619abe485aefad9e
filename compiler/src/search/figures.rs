//! Figures of the candidates, as numbers and as a table.

use crate::columns::{Line, in_markdown, spaced};
use serde::{Deserialize, Serialize};

use crate::kernel::Solve;

/// Sizes and weighted operations of a candidate.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct CandidateFigures {
    /// Formulation and form: `body`, `particle/multiplier`.
    pub formulation: String,
    /// Names of the joints where loops are opened; none if the equations do not depend on the cuts.
    pub cuts: Vec<String>,
    /// Coordinates q.
    pub coordinates: usize,
    /// Velocities v.
    pub velocities: usize,
    /// Constraint equations.
    pub rows: usize,
    /// The solve of the linear system.
    pub solve: Solve,
    /// Weighted operations of an acceleration, with those of the runtime where it has to solve.
    pub acceleration: usize,
    /// Weighted operations of a step with its corrections.
    pub step: usize,
    /// Whether it was kept.
    pub kept: bool,
}

/// Number of cuts that a table names.
const SHOWN: usize = 4;

/// The table in columns of spaces, for people.
pub fn aligned(list: &[CandidateFigures]) -> String {
    spaced(&lines("kept", list.iter().map(CandidateFigures::cells)), 2)
}

/// The table in Markdown.
pub fn markdown(list: &[CandidateFigures]) -> String {
    in_markdown(&lines("kept", list.iter().map(CandidateFigures::cells)), 2)
}

/// The table of several models in Markdown, with the formulation that `auto` keeps of each.
pub fn by_model(models: &[(String, Vec<CandidateFigures>)]) -> String {
    let cells = models.iter().flat_map(|(_, list)| list);
    let mut lines = lines("`auto`", cells.map(CandidateFigures::cells));
    let names = models
        .iter()
        .flat_map(|(name, list)| list.iter().map(move |_| name.as_str()));
    for (line, name) in lines.iter_mut().zip(["model"].into_iter().chain(names)) {
        line.insert(0, name.to_owned());
    }
    in_markdown(&lines, 3)
}

/// The titles, then the lines.
fn lines(mark: &str, cells: impl Iterator<Item = Line>) -> Vec<Line> {
    let titles = [
        "formulation",
        "cuts",
        "coordinates",
        "velocities",
        "rows",
        "acceleration",
        "step",
        mark,
    ];
    let titles = titles.map(str::to_owned).to_vec();
    std::iter::once(titles).chain(cells).collect()
}

impl CandidateFigures {
    fn cells(&self) -> Line {
        let cuts = match self.cuts.len() {
            0 => "–".to_owned(),
            1..=SHOWN => self.cuts.join(", "),
            n => format!("{}, … {n} in all", self.cuts[..SHOWN].join(", ")),
        };
        let kept = if self.kept { "✓" } else { "" };
        vec![
            self.formulation.clone(),
            cuts,
            self.coordinates.to_string(),
            self.velocities.to_string(),
            self.rows.to_string(),
            self.work(self.acceleration),
            self.work(self.step),
            kept.to_owned(),
        ]
    }

    /// The operations, with a note if the runtime does most of them because no solve is unrolled.
    pub(super) fn work(&self, operations: usize) -> String {
        match self.solve {
            Solve::Dense => format!("{operations} (dense)"),
            Solve::Schur | Solve::Bordered | Solve::Ballasted | Solve::Momentum => {
                operations.to_string()
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn list() -> [CandidateFigures; 2] {
        let points = CandidateFigures {
            formulation: "particle/multiplier".to_owned(),
            cuts: vec!["C".to_owned(), "slide".to_owned()],
            coordinates: 5,
            velocities: 4,
            rows: 3,
            solve: Solve::Bordered,
            acceleration: 186,
            step: 930,
            kept: true,
        };
        let body = CandidateFigures {
            formulation: "body".to_owned(),
            coordinates: 12,
            ..CandidateFigures::default()
        };
        [points, body]
    }

    #[test]
    fn columns_are_aligned() {
        let expect = "\
formulation          cuts      coordinates  velocities  rows  acceleration  step  kept
particle/multiplier  C, slide            5           4     3           186   930     ✓
body                 –                  12           0     0             0     0
";
        assert_eq!(aligned(&list()), expect);
    }

    #[test]
    fn markdown_is_aligned_too() {
        let expect = "\
| formulation         | cuts     | coordinates | velocities | rows | acceleration | step | kept |
| ------------------- | -------- | ----------: | ---------: | ---: | -----------: | ---: | ---: |
| particle/multiplier | C, slide |           5 |          4 |    3 |          186 |  930 |    ✓ |
| body                | –        |          12 |          0 |    0 |            0 |    0 |      |
";
        assert_eq!(markdown(&list()), expect);
    }

    #[test]
    fn each_line_names_its_model() {
        let text = by_model(&[
            ("a".to_owned(), list().to_vec()),
            ("b".to_owned(), list()[..1].to_vec()),
        ]);
        let names = text
            .lines()
            .map(|line| line.split('|').nth(1).unwrap().trim());
        assert_eq!(names.collect::<Vec<_>>(), ["model", "-----", "a", "a", "b"]);
    }

    #[test]
    fn many_cuts_are_counted() {
        let cuts = ["a", "b", "c", "d", "e"].map(str::to_owned).to_vec();
        let figures = CandidateFigures {
            cuts,
            ..CandidateFigures::default()
        };
        assert_eq!(figures.cells()[1], "a, b, c, d, … 5 in all");
    }
}
