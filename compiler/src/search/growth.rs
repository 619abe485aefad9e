//! Figures of chains, in an order that shows how the cost of each formulation grows.

use super::figures::CandidateFigures;
use crate::columns::in_markdown;

/// One chain and its candidates.
pub struct Grown {
    /// The kind of chain.
    pub kind: String,
    /// Number of bodies.
    pub bodies: usize,
    /// Figures of its candidates.
    pub candidates: Vec<CandidateFigures>,
}

/// The formulations, in the order of the table.
const ORDER: [&str; 5] = [
    "joint",
    "particle/swing",
    "particle/momentum",
    "particle/multiplier",
    "body",
];

/// The table of chains in Markdown. Chains of one kind are next to each other, in growing order.
pub fn by_chain(chains: &[Grown]) -> String {
    let titles = [
        "chain",
        "formulation",
        "bodies",
        "velocities",
        "rows",
        "acceleration",
        "a further body",
    ];
    let mut lines = vec![titles.map(str::to_owned).to_vec()];
    for chains in chains.chunk_by(|a, b| a.kind == b.kind) {
        lines.extend(ORDER.iter().flat_map(|name| grown(chains, name)));
    }
    in_markdown(&lines, 2)
}

/// The lines of one kind in one formulation, each with its increase per body over the previous line.
fn grown(chains: &[Grown], name: &str) -> Vec<Vec<String>> {
    let mut before: Option<(usize, &CandidateFigures)> = None;
    let mut lines = Vec::new();
    for chain in chains {
        let mut candidates = chain.candidates.iter();
        let Some(figures) = candidates.find(|one| one.formulation == name) else {
            continue;
        };
        let further = before.map_or("–".to_owned(), |(bodies, shorter)| {
            let added = figures.acceleration as f64 - shorter.acceleration as f64;
            format!("{:.0}", added / (chain.bodies as f64 - bodies as f64))
        });
        lines.push(vec![
            chain.kind.clone(),
            name.to_owned(),
            chain.bodies.to_string(),
            figures.velocities.to_string(),
            figures.rows.to_string(),
            figures.work(figures.acceleration),
            further,
        ]);
        before = Some((chain.bodies, figures));
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kernel::Solve;

    fn figures(formulation: &str, solve: Solve, acceleration: usize) -> CandidateFigures {
        CandidateFigures {
            formulation: formulation.to_owned(),
            solve,
            acceleration,
            ..CandidateFigures::default()
        }
    }

    #[test]
    fn forms_grow_in_their_lines_and_a_dense_solve_is_told() {
        let chain = |bodies: usize, candidates: Vec<CandidateFigures>| Grown {
            kind: "rods".to_owned(),
            bodies,
            candidates,
        };
        let text = by_chain(&[
            chain(
                1,
                vec![
                    figures("body", Solve::Schur, 10),
                    figures("particle/momentum", Solve::Momentum, 7),
                ],
            ),
            chain(3, vec![figures("body", Solve::Dense, 1000)]),
        ]);
        let expect = "\
| chain | formulation       | bodies | velocities | rows | acceleration | a further body |
| ----- | ----------------- | -----: | ---------: | ---: | -----------: | -------------: |
| rods  | particle/momentum |      1 |          0 |    0 |            7 |              – |
| rods  | body              |      1 |          0 |    0 |           10 |              – |
| rods  | body              |      3 |          0 |    0 | 1000 (dense) |            495 |
";
        assert_eq!(text, expect);
    }
}
