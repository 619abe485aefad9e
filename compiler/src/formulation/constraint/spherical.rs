//! Spherical: the points coincide.

use super::Kind;

pub const KIND: Kind = Kind {
    rows: |sides| sides.coincide(),
    coordinate: |_, _| None,
};
