//! `check.toml` of a model: the comparisons of a run, the largest deviation allowed in each, and the reason for it.

use std::fs;
use std::io::ErrorKind;
use std::path::Path;

use indexmap::IndexMap;
use serde::Deserialize;

use super::super::found;
use crate::diagnostics::{Code, Diagnostics};

/// All checks of a model.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(super) struct GalleryCheck {
    /// The reference is compared up to this time; to its end if absent.
    pub(super) until: Option<f64>,
    /// Outputs that are compared with a column of `reference.csv`.
    pub(super) columns: IndexMap<String, Column>,
    /// Largest change of kinetic and potential energy less the work done.
    pub(super) energy: Option<Bound>,
    /// Outputs that keep their value at the start.
    pub(super) outputs: IndexMap<String, Bound>,
    /// A second run by other methods, which must have the same outputs.
    pub(super) twin: Option<Twin>,
}

/// An output and its column of the reference.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Column {
    /// Name of the column, if it differs from that of the output.
    pub(super) reference: Option<String>,
    pub(super) bound: f64,
    /// For the reader of the file.
    #[serde(rename = "why")]
    _why: String,
}

/// A largest allowed deviation.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Bound {
    pub(super) bound: f64,
    #[serde(rename = "why")]
    _why: String,
}

/// Other methods for the same motion.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Twin {
    pub(super) formulation: String,
    pub(super) integrator: String,
    pub(super) tolerance: Option<f64>,
    pub(super) bound: f64,
    #[serde(rename = "why")]
    _why: String,
}

/// Reads the file beside a description; a model without one is only run.
pub(super) fn load(folder: &Path) -> Result<GalleryCheck, Diagnostics> {
    let file = folder.join("check.toml");
    let text = match fs::read_to_string(&file) {
        Ok(text) => text,
        Err(why) if why.kind() == ErrorKind::NotFound => return Ok(GalleryCheck::default()),
        Err(why) => return Err(unreadable(&file, &why)),
    };
    toml::from_str(&text).map_err(|why| unreadable(&file, &why))
}

fn unreadable(file: &Path, why: &dyn std::fmt::Display) -> Diagnostics {
    found(Code::C605, format!("cannot read {}: {why}", file.display()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bound_comes_with_its_reason() {
        let complete = "[columns.crank]\nbound = 1e-6\nwhy = 'RK4'";
        let check: GalleryCheck = toml::from_str(complete).unwrap();
        assert_eq!(check.columns["crank"].bound, 1e-6);
        assert!(toml::from_str::<GalleryCheck>("[energy]\nbound = 1e-6").is_err());
        assert!(toml::from_str::<GalleryCheck>("[energi]\nbound = 1e-6\nwhy = 'x'").is_err());
    }
}
