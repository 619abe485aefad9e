//! The table, for people and for other programs.

use super::TableFormat;
use super::outcome::{ContestOutcome, Spread};
use crate::columns::{Line, spaced};

/// All contestants, a line each.
pub(super) fn table(outcomes: &[ContestOutcome], format: TableFormat) -> String {
    match format {
        TableFormat::Text => aligned(outcomes),
        TableFormat::Csv => csv(outcomes),
        TableFormat::Json => serde_json::to_string_pretty(outcomes).unwrap_or_default() + "\n",
    }
}

const TITLES: [&str; 12] = [
    "formulation",
    "integrator",
    "stabilizer",
    "mean ΦᵀΦ",
    "max ΦᵀΦ",
    "mean Φ̇ᵀΦ̇",
    "max Φ̇ᵀΦ̇",
    "energy drift",
    "evaluations",
    "factorisations",
    "passes",
    "time",
];

/// Columns with spaces between them. Columns with the same word in all lines are left out.
fn aligned(outcomes: &[ContestOutcome]) -> String {
    let mut lines: Vec<Line> = vec![TITLES.map(str::to_owned).to_vec()];
    lines.extend(outcomes.iter().map(cells));
    for column in [1, 0] {
        let first = lines.get(1).map(|line| line[column].clone());
        if lines[1..]
            .iter()
            .all(|line| Some(&line[column]) == first.as_ref())
        {
            lines.iter_mut().for_each(|line| drop(line.remove(column)));
        }
    }
    let n_words = lines[0]
        .iter()
        .position(|title| title == TITLES[3])
        .unwrap_or(0);
    let mut text = spaced(&lines, n_words);
    let stopped = outcomes
        .iter()
        .filter_map(|one| Some((one, one.stop.as_ref()?)));
    for (one, why) in stopped {
        text += &format!(
            "{} with {} in {} stopped: {why}\n",
            one.integrator, one.stabilizer, one.formulation
        );
    }
    let instead = match outcomes
        .iter()
        .any(|one| one.stabilizer == "none" && one.stop.is_some())
    {
        true => ", where that stopped against the first that did not",
        false => "",
    };
    text + "time: of a step against one of `none` in the same round"
        + instead
        + ", median and quartiles\n"
}

fn cells(one: &ContestOutcome) -> Line {
    vec![
        one.formulation.clone(),
        one.integrator.clone(),
        one.stabilizer.clone(),
        small(one.phi_mean),
        small(one.phi_max),
        small(one.phi_dot_mean),
        small(one.phi_dot_max),
        small(one.energy_drift),
        one.evaluations.to_string(),
        one.factorizations.to_string(),
        passes(one),
        one.ratio.map_or("–".to_owned(), spread),
    ]
}

/// Passes of a step: position + velocity, or Newton iterations.
fn passes(one: &ContestOutcome) -> String {
    let steps = one.steps.max(1) as f64;
    match one.iterations {
        0 => format!(
            "{:.1} + {:.1}",
            one.position_passes as f64 / steps,
            one.velocity_passes as f64 / steps
        ),
        iterations => format!("{:.1}", iterations as f64 / steps),
    }
}

fn spread(ratio: Spread) -> String {
    format!("{:.2} ({:.2}–{:.2})", ratio.median, ratio.low, ratio.high)
}

fn small(number: Option<f64>) -> String {
    number.map_or("–".to_owned(), |number| format!("{number:.1e}"))
}

fn csv(outcomes: &[ContestOutcome]) -> String {
    let mut text = "formulation,integrator,stabilizer,steps,evaluations,factorizations,iterations,rejections,\
                    position_passes,velocity_passes,phi_mean,phi_max,phi_dot_mean,phi_dot_max,energy_drift,\
                    seconds_per_step,ratio,ratio_low,ratio_high,stop\n"
        .to_owned();
    for one in outcomes {
        let number = |value: Option<f64>| value.map_or(String::new(), |value| format!("{value:?}"));
        let quoted = |text: &str| match text.contains([',', '"']) {
            true => format!("\"{}\"", text.replace('"', "\"\"")),
            false => text.to_owned(),
        };
        let cells = [
            quoted(&one.formulation),
            quoted(&one.integrator),
            quoted(&one.stabilizer),
            one.steps.to_string(),
            one.evaluations.to_string(),
            one.factorizations.to_string(),
            one.iterations.to_string(),
            one.rejections.to_string(),
            one.position_passes.to_string(),
            one.velocity_passes.to_string(),
            number(one.phi_mean),
            number(one.phi_max),
            number(one.phi_dot_mean),
            number(one.phi_dot_max),
            number(one.energy_drift),
            number(one.seconds_per_step()),
            number(one.ratio.map(|ratio| ratio.median)),
            number(one.ratio.map(|ratio| ratio.low)),
            number(one.ratio.map(|ratio| ratio.high)),
            quoted(one.stop.as_deref().unwrap_or_default()),
        ];
        text += &(cells.join(",") + "\n");
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    fn outcome(stabilizer: &str, mean: f64) -> ContestOutcome {
        ContestOutcome {
            formulation: "body".to_owned(),
            integrator: "rk4".to_owned(),
            stabilizer: stabilizer.to_owned(),
            steps: 10,
            evaluations: 40,
            factorizations: 40,
            position_passes: 20,
            velocity_passes: 10,
            phi_mean: Some(mean),
            phi_max: Some(mean),
            energy_drift: Some(1e-3),
            ratio: Some(Spread {
                low: 1.0,
                median: 1.25,
                high: 1.5,
            }),
            ..ContestOutcome::default()
        }
    }

    #[test]
    fn columns_that_say_nothing_are_left_out() {
        let list = [outcome("none", 1e-5), outcome("direct-correction", 2e-31)];
        insta::assert_snapshot!(table(&list, TableFormat::Text), @"
        stabilizer         mean ΦᵀΦ  max ΦᵀΦ  mean Φ̇ᵀΦ̇  max Φ̇ᵀΦ̇  energy drift  evaluations  factorisations     passes              time
        none                 1.0e-5   1.0e-5         –        –        1.0e-3           40              40  2.0 + 1.0  1.25 (1.00–1.50)
        direct-correction   2.0e-31  2.0e-31         –        –        1.0e-3           40              40  2.0 + 1.0  1.25 (1.00–1.50)
        time: of a step against one of `none` in the same round, median and quartiles
        ");
    }

    #[test]
    fn lines_for_programs_have_every_column() {
        let text = table(
            &[outcome("baumgarte:alpha=1,beta=2", 1e-5)],
            TableFormat::Csv,
        );
        let mut lines = text.lines();
        let n_columns = lines.next().unwrap().split(',').count();
        let line = lines.next().unwrap();
        assert!(line.starts_with("body,rk4,\"baumgarte:alpha=1,beta=2\",10,40,40,"));
        assert_eq!(
            line.replace("alpha=1,beta", "").split(',').count(),
            n_columns
        );
    }
}
