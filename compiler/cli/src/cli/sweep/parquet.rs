//! All parts as one Parquet file: numbers are doubles, empty where a point has none.

use std::io::Write;
use std::sync::Arc;

use ::parquet::basic::{LogicalType, Repetition, Type as Physical};
use ::parquet::data_type::{ByteArray, ByteArrayType, DoubleType, Int64Type};
use ::parquet::errors::ParquetError;
use ::parquet::file::writer::{SerializedFileWriter, SerializedRowGroupWriter};
use ::parquet::schema::types::{Type, TypePtr};

use super::super::found;
use super::parts::Parts;
use crate::diagnostics::{Code, Diagnostics};

/// Rows in a group, which readers take at once.
const GROUP: usize = 1 << 16;

/// Writes the table.
pub(super) fn write(parts: &Parts, writer: &mut (impl Write + Send)) -> Result<(), Diagnostics> {
    let unwritten = |why: ParquetError| found(Code::C601, format!("the table: {why}"));
    let columns = &parts.manifest.columns;
    let schema = schema(columns).map_err(unwritten)?;
    let mut file = SerializedFileWriter::new(writer, schema, Arc::default()).map_err(unwritten)?;
    let mut rows = String::new();
    let ranges: Vec<_> = parts.ranges().collect();
    for (k, range) in ranges.iter().enumerate() {
        rows += &parts.rows(range)?;
        if rows.lines().count() >= GROUP || k + 1 == ranges.len() {
            group(&mut file, &rows, columns.len()).map_err(unwritten)?;
            rows.clear();
        }
    }
    file.close().map(drop).map_err(unwritten)
}

/// The number of the point, then numbers, then the reason of an early stop.
fn schema(columns: &[String]) -> Result<TypePtr, ParquetError> {
    let last = columns.len() - 1;
    let field = |(k, name): (usize, &String)| {
        let (kind, repetition, text) = match k {
            0 => (Physical::INT64, Repetition::REQUIRED, None),
            _ if k == last => (
                Physical::BYTE_ARRAY,
                Repetition::OPTIONAL,
                Some(LogicalType::String),
            ),
            _ => (Physical::DOUBLE, Repetition::OPTIONAL, None),
        };
        let field = Type::primitive_type_builder(name, kind).with_repetition(repetition);
        field.with_logical_type(text).build().map(Arc::new)
    };
    let fields: Result<_, _> = columns.iter().enumerate().map(field).collect();
    let schema = Type::group_type_builder("sweep").with_fields(fields?);
    schema.build().map(Arc::new)
}

fn group(
    file: &mut SerializedFileWriter<impl Write + Send>,
    rows: &str,
    n_columns: usize,
) -> Result<(), ParquetError> {
    let rows: Vec<Vec<&str>> = rows
        .lines()
        .map(|row| row.splitn(n_columns, ',').collect())
        .collect();
    let mut group = file.next_row_group()?;
    for column in 0..n_columns {
        let cells: Vec<&str> = rows.iter().map(|row| row[column]).collect();
        cells_of(&mut group, &cells, column == 0, column + 1 == n_columns)?;
    }
    group.close().map(drop)
}

fn cells_of(
    group: &mut SerializedRowGroupWriter<impl Write + Send>,
    cells: &[&str],
    is_first: bool,
    is_last: bool,
) -> Result<(), ParquetError> {
    let Some(mut column) = group.next_column()? else {
        return Ok(());
    };
    let present: Vec<i16> = cells
        .iter()
        .map(|cell| i16::from(!cell.is_empty()))
        .collect();
    let filled = cells.iter().filter(|cell| !cell.is_empty());
    if is_first {
        let values: Vec<i64> = filled.filter_map(|cell| cell.parse().ok()).collect();
        column
            .typed::<Int64Type>()
            .write_batch(&values, None, None)?;
    } else if is_last {
        let values: Vec<ByteArray> = filled.map(|cell| ByteArray::from(&*plain(cell))).collect();
        let typed = column.typed::<ByteArrayType>();
        typed.write_batch(&values, Some(&present), None)?;
    } else {
        let values: Vec<f64> = filled.filter_map(|cell| cell.parse().ok()).collect();
        let typed = column.typed::<DoubleType>();
        typed.write_batch(&values, Some(&present), None)?;
    }
    column.close()
}

/// A field of CSV without its quotes.
fn plain(cell: &str) -> String {
    let inner = cell
        .strip_prefix('"')
        .and_then(|cell| cell.strip_suffix('"'));
    inner.map_or_else(|| cell.to_owned(), |inner| inner.replace("\"\"", "\""))
}
