//! Groups curves into panels: outputs of one unit, energies, violations.

use serde::Serialize;

use super::record::Record;
use super::scene::Scene;

/// More curves than this in one panel are hard to distinguish.
const MOST: usize = 6;

/// Curves that share their axes.
#[derive(Clone, Debug, PartialEq)]
pub struct Panel {
    /// The title.
    pub title: String,
    /// The topic of the curves.
    pub topic: Topic,
    /// Their unit, if it is known.
    pub unit: String,
    /// The vertical scale.
    pub scale: Scale,
    /// The curves.
    pub curves: Vec<Curve>,
}

/// The topic of a panel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Topic {
    /// Outputs of the description.
    Outputs,
    /// Energies and their drift.
    Energy,
    /// How far the constraints are violated.
    Violation,
}

/// A vertical scale.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Scale {
    /// Evenly.
    Linear,
    /// By powers of ten.
    Logarithmic,
}

/// A column as a curve.
#[derive(Clone, Debug, PartialEq)]
pub struct Curve {
    /// The name of the column.
    pub name: String,
    /// A value for each time.
    pub values: Vec<f64>,
}

impl Panel {
    /// Removes the other curves. If one output remains, it gives the panel its name.
    pub fn keep(&mut self, wanted: impl Fn(&Curve) -> bool) {
        self.curves.retain(wanted);
        if self.topic == Topic::Outputs {
            self.title = title(&self.unit, &self.curves);
        }
    }
}

/// Panels of all outputs, then energies, drift of energy and violations.
pub fn panels(scene: &Scene, record: &Record) -> Vec<Panel> {
    let mut panels = of_outputs(scene, record);
    panels.extend(of_energy(record));
    panels.extend(of_violation(record));
    panels
}

/// Panels of outputs, in their order; those of one known unit together.
fn of_outputs(scene: &Scene, record: &Record) -> Vec<Panel> {
    let mut panels: Vec<Panel> = Vec::new();
    for reading in &scene.outputs {
        let Some(curve) = curve(record, &reading.name) else {
            continue;
        };
        let fits = |panel: &&mut Panel| {
            !reading.unit.is_empty() && panel.unit == reading.unit && panel.curves.len() < MOST
        };
        match panels.iter_mut().find(fits) {
            Some(panel) => panel.curves.push(curve),
            None => panels.push(Panel {
                title: String::new(),
                topic: Topic::Outputs,
                unit: reading.unit.clone(),
                scale: Scale::Linear,
                curves: vec![curve],
            }),
        }
    }
    for panel in &mut panels {
        panel.title = title(&panel.unit, &panel.curves);
    }
    panels
}

/// Kinetic, potential and total energy, work if there is any, and the drift of the balance.
fn of_energy(record: &Record) -> Vec<Panel> {
    let names = ["kinetic", "potential", "energy", "work"];
    let curves = names
        .iter()
        .filter_map(|name| curve(record, &record.own(name)));
    let work = record.own("work");
    let idle = |curve: &Curve| curve.name == *work && curve.values.iter().all(|w| *w == 0.0);
    let energy = Panel {
        title: "energy".to_owned(),
        topic: Topic::Energy,
        unit: "J".to_owned(),
        scale: Scale::Linear,
        curves: curves.filter(|curve| !idle(curve)).collect(),
    };
    let drift = Curve {
        name: "drift".to_owned(),
        values: record.drift(),
    };
    let drift = Panel {
        title: "energy drift".to_owned(),
        topic: Topic::Energy,
        unit: "J".to_owned(),
        scale: Scale::Linear,
        curves: vec![drift],
    };
    vec![energy, drift]
}

/// Violation of the constraints, if there are any.
fn of_violation(record: &Record) -> Option<Panel> {
    let curves = ["phi", "phi_dot"]
        .iter()
        .filter_map(|name| curve(record, &record.own(name)));
    let curves: Vec<Curve> = curves
        .filter(|curve| curve.values.iter().any(|v| *v > 0.0))
        .collect();
    (!curves.is_empty()).then(|| Panel {
        title: "violation".to_owned(),
        topic: Topic::Violation,
        unit: String::new(),
        scale: Scale::Logarithmic,
        curves,
    })
}

fn curve(record: &Record, name: &str) -> Option<Curve> {
    Some(Curve {
        name: name.to_owned(),
        values: record.column(name)?.to_vec(),
    })
}

fn title(unit: &str, curves: &[Curve]) -> String {
    if let [only] = curves {
        return only.name.clone();
    }
    let words = [
        ("m", "positions"),
        ("m/s", "speeds"),
        ("m/s²", "accelerations"),
        ("rad", "angles"),
        ("rad/s", "angular rates"),
        ("N", "forces"),
        ("N m", "torques"),
        ("J", "energies"),
    ];
    let word = words.iter().find(|(known, _)| *known == unit);
    word.map_or("outputs", |(_, word)| word).to_owned()
}
