//! Joins all parts into one table.

use std::io::{self, Write};
use std::path::Path;

use super::super::found;
use super::failed;
#[cfg(feature = "parquet")]
use super::parquet;
use super::parts::Parts;
use crate::diagnostics::{Code, Diagnostics};
#[cfg(not(feature = "parquet"))]
use crate::diagnostics::{Diagnostic, Path as Element};
use crate::output_file::{Draft, Durability};

/// Writes the table, which appears when it is complete. C607 if parts are missing or belong to another sweep.
pub(super) fn merge(parts: &Parts, file: &Path) -> Result<(), Diagnostics> {
    let format = known(file)?;
    parts.check()?;
    let failed = |why: io::Error| failed(file, &why);
    let draft = Draft::create(file).map_err(failed)?;
    let mut writer = draft.writer();
    match format {
        Format::Csv => csv(parts, &mut writer)?,
        #[cfg(feature = "parquet")]
        Format::Parquet => parquet::write(parts, &mut writer)?,
    }
    writer.flush().map_err(failed)?;
    drop(writer);
    draft.finish(Durability::Synced).map_err(failed)
}

/// Format of a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Format {
    Csv,
    #[cfg(feature = "parquet")]
    Parquet,
}

/// The format that the file name selects; C605 for any other name.
pub(super) fn known(file: &Path) -> Result<Format, Diagnostics> {
    let extension = file.extension().unwrap_or_default().to_string_lossy();
    match &*extension.to_ascii_lowercase() {
        "csv" => Ok(Format::Csv),
        #[cfg(feature = "parquet")]
        "parquet" => Ok(Format::Parquet),
        #[cfg(not(feature = "parquet"))]
        "parquet" => Err(Diagnostic::error(
            Code::C605,
            &Element::root(),
            "this program was built without Parquet",
        )
        .hint("write a .csv file, or build it with `--features parquet`")
        .into()),
        other => Err(found(
            Code::C605,
            format!("a sweep writes .csv and .parquet, not `.{other}`"),
        )),
    }
}

/// The first line of a table.
pub(super) fn header(columns: &[String]) -> String {
    let quoted = |name: &String| match name.contains([',', '"', '\n', '\r']) {
        true => format!("\"{}\"", name.replace('"', "\"\"")),
        false => name.clone(),
    };
    let names: Vec<String> = columns.iter().map(quoted).collect();
    names.join(",") + "\n"
}

fn csv(parts: &Parts, writer: &mut impl Write) -> Result<(), Diagnostics> {
    let unwritten = |why: io::Error| found(Code::C601, format!("the table: {why}"));
    let header = header(&parts.manifest.columns);
    writer.write_all(header.as_bytes()).map_err(unwritten)?;
    for range in parts.ranges() {
        let rows = parts.rows(&range)?;
        writer.write_all(rows.as_bytes()).map_err(unwritten)?;
    }
    Ok(())
}
