//! A number of a kernel by its bits: a branch that is never taken may hold an infinity, which JSON has no
//! word for.

use serde::{Deserialize, Deserializer, Serializer};

/// For `#[serde(with = "bits")]`.
pub fn serialize<S: Serializer>(number: &f64, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_u64(number.to_bits())
}

/// For `#[serde(with = "bits")]`.
pub fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<f64, D::Error> {
    u64::deserialize(deserializer).map(f64::from_bits)
}
