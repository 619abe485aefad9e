//! Spherical: the points coincide.

use super::{Kind, any_turn};

pub const KIND: Kind = Kind {
    rows: |sides| sides.coincide(),
    coordinate: |_, _| None,
    freedoms: |_| Some(any_turn()),
};
