//! The table of the gallery.

use super::verdict::{GalleryFinding, GalleryRow, ReferenceKind};
use crate::columns::{Line, in_markdown};

const TITLES: [&str; 11] = [
    "model",
    "formulation",
    "freedoms",
    "bodies",
    "loops",
    "redundant rows",
    "error",
    "error in `body`",
    "energy",
    "ns a step",
    "real time",
];

/// The table in Markdown. The error that it shows is the one with the largest share of its bound.
pub(super) fn markdown(entries: &[&GalleryRow]) -> String {
    let titles = TITLES.map(str::to_owned).to_vec();
    let lines = entries.iter().copied().map(line);
    let lines: Vec<Line> = std::iter::once(titles).chain(lines).collect();
    in_markdown(&lines, 2)
}

/// All figures, for other programs.
pub(super) fn json(entries: &[&GalleryRow]) -> String {
    let value = serde_json::to_value(entries).unwrap_or_default();
    format!("{value:#}\n")
}

fn line(entry: &GalleryRow) -> Line {
    let own = |one: &&GalleryFinding| {
        one.formulation == entry.formulation && one.kind == ReferenceKind::Reference
    };
    let twin = |one: &&GalleryFinding| one.kind == ReferenceKind::Twin;
    let body =
        |one: &&GalleryFinding| one.formulation == "body" && one.kind == ReferenceKind::Reference;
    let worst = |list: Vec<&GalleryFinding>| {
        let worst = list
            .into_iter()
            .max_by(|a, b| a.share().total_cmp(&b.share()));
        worst.map_or(String::new(), deviation)
    };
    let findings = || entry.findings.iter();
    let error = match findings().any(|one| one.kind == ReferenceKind::Reference) {
        true => worst(findings().filter(own).collect()),
        false => worst(findings().filter(twin).collect()),
    };
    vec![
        entry.model.clone(),
        entry.formulation.clone(),
        entry.size.freedoms.to_string(),
        entry.size.bodies.to_string(),
        entry.size.loops.to_string(),
        entry.size.redundant.to_string(),
        error,
        worst(findings().filter(body).collect()),
        format!("{:.1e}", entry.energy_drift),
        format!("{:.0}", entry.nanoseconds_per_step),
        format!("{:.0} ×", entry.real_time_factor),
    ]
}

/// `9.3e-9 of 1.0e-6, crank`
fn deviation(finding: &GalleryFinding) -> String {
    let what = match finding.kind {
        ReferenceKind::Twin => format!("{}, twin", finding.what),
        _ => finding.what.clone(),
    };
    match finding.off {
        Some(off) => format!("{off:.1e} of {:.0e} ({what})", finding.bound),
        None => format!("not compared ({what})"),
    }
}
