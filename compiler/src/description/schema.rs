//! The JSON Schema of a description, for editors and for `bellcrank schema`.

use super::Description;

/// All keys with their documentation, as a JSON Schema that fits the JSON and the TOML form.
pub fn schema() -> serde_json::Value {
    let mut schema = schemars::schema_for!(Description);
    schema.insert("title".into(), "Bellcrank mechanism".into());
    schema.to_value()
}
