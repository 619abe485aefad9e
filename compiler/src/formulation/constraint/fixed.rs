//! Fixed: the points coincide and the bodies do not turn relative to each other.

use super::Kind;

pub const KIND: Kind = Kind {
    rows: |sides| {
        let mut rows = sides.coincide();
        rows.extend(sides.locked());
        rows
    },
    coordinate: |_, _| None,
    freedoms: |_| Some(Vec::new()),
};
