//! The table, for people and for other programs.

use super::super::compare::TableFormat;
use super::result::{BenchResult, median, smallest};
use crate::columns::{Line, spaced};

/// All formulations, a line each.
pub(super) fn table(outcomes: &[BenchResult], format: TableFormat) -> String {
    match format {
        TableFormat::Text => aligned(outcomes),
        TableFormat::Csv => csv(outcomes),
        TableFormat::Json => serde_json::to_string_pretty(outcomes).unwrap_or_default() + "\n",
    }
}

const TITLES: [&str; 9] = [
    "formulation",
    "acceleration ns",
    "step ns",
    "worst / median",
    "× real time",
    "operations",
    "code bytes",
    "instructions",
    "auto",
];

const LEGEND: &str = "\
ns: smallest (median) of the rounds; worst / median: of single steps, each at its smallest
operations and bytes: of an acceleration / of a step; instructions: of a step, without AVX-512
";

fn aligned(outcomes: &[BenchResult]) -> String {
    let mut lines: Vec<Line> = vec![TITLES.map(str::to_owned).to_vec()];
    lines.extend(outcomes.iter().map(cells));
    let mut text = spaced(&lines, 1);
    for one in outcomes {
        if let Some(why) = &one.stop {
            let (name, steps) = (&one.formulation, one.steps);
            text += &format!("{name} stopped after {steps} steps: {why}\n");
        }
    }
    text + LEGEND
}

fn cells(one: &BenchResult) -> Line {
    let none = || "–".to_owned();
    let operations = one.operations;
    vec![
        one.formulation.clone(),
        nanoseconds(&one.acceleration),
        nanoseconds(&one.step),
        format!("{:.2}", one.unevenness()),
        format!("{:.0}", one.real_time()),
        format!("{} / {}", operations.acceleration, operations.step),
        one.code.map_or_else(none, |code| {
            format!("{} / {}", code.acceleration, code.step)
        }),
        one.instructions
            .map_or_else(none, |count| format!("{count:.0}")),
        if one.auto { "✓" } else { "" }.to_owned(),
    ]
}

fn nanoseconds(seconds: &[f64]) -> String {
    format!(
        "{:.0} ({:.0})",
        1e9 * smallest(seconds),
        1e9 * median(seconds)
    )
}

fn csv(outcomes: &[BenchResult]) -> String {
    let mut text =
        "formulation,steps,acceleration_ns,acceleration_ns_median,step_ns,step_ns_median,\
                    median_step_ns,worst_step_ns,worst_at,real_time_factor,acceleration_operations,\
                    step_operations,acceleration_bytes,step_bytes,instructions,auto,stop\n"
            .to_owned();
    for one in outcomes {
        let bytes = |of: fn(&super::code::CodeSizes) -> u64| {
            one.code
                .as_ref()
                .map_or(String::new(), |code| of(code).to_string())
        };
        let stop = one.stop.as_deref().unwrap_or_default();
        let cells = [
            one.formulation.clone(),
            one.steps.to_string(),
            format!("{:.2}", 1e9 * smallest(&one.acceleration)),
            format!("{:.2}", 1e9 * median(&one.acceleration)),
            format!("{:.2}", 1e9 * smallest(&one.step)),
            format!("{:.2}", 1e9 * median(&one.step)),
            format!("{:.2}", 1e9 * one.median_step),
            format!("{:.2}", 1e9 * one.worst_step),
            format!("{:?}", one.worst_at),
            format!("{:.2}", one.real_time()),
            one.operations.acceleration.to_string(),
            one.operations.step.to_string(),
            bytes(|code| code.acceleration),
            bytes(|code| code.step),
            one.instructions
                .map_or(String::new(), |count| format!("{count:.1}")),
            one.auto.to_string(),
            format!("\"{}\"", stop.replace('"', "\"\"")),
        ];
        text += &(cells.join(",") + "\n");
    }
    text
}

#[cfg(test)]
mod tests {
    use super::super::code::CodeSizes;
    use super::super::result::CountedOperations;
    use super::*;

    fn outcome() -> BenchResult {
        BenchResult {
            formulation: "particle/momentum".to_owned(),
            steps: 1000,
            span: 1.0,
            acceleration: vec![60e-9, 50e-9, 70e-9],
            step: vec![250e-9, 260e-9, 300e-9],
            median_step: 250e-9,
            worst_step: 500e-9,
            worst_at: 0.25,
            operations: CountedOperations {
                acceleration: 100,
                step: 500,
            },
            code: Some(CodeSizes {
                acceleration: 1000,
                step: 2000,
            }),
            auto: true,
            ..BenchResult::default()
        }
    }

    #[test]
    fn a_line_says_what_a_formulation_costs() {
        let text = table(&[outcome()], TableFormat::Text);
        insta::assert_snapshot!(text, @"
        formulation        acceleration ns    step ns  worst / median  × real time  operations   code bytes  instructions  auto
        particle/momentum          50 (60)  250 (260)            2.00         4000   100 / 500  1000 / 2000             –     ✓
        ns: smallest (median) of the rounds; worst / median: of single steps, each at its smallest
        operations and bytes: of an acceleration / of a step; instructions: of a step, without AVX-512
        ");
    }

    #[test]
    fn lines_for_programs_have_every_column() {
        let text = table(&[outcome()], TableFormat::Csv);
        let counts: Vec<usize> = text.lines().map(|line| line.split(',').count()).collect();
        assert_eq!(counts, [17, 17]);
    }
}
