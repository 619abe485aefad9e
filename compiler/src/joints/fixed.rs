//! Fixed: the points coincide, and the bodies do not turn relative to each other.

use super::{Facts, Glyph, InPlane, JointKind, MotionsLeft, RelativeTurns, Shares, TriadRule};

pub const KIND: JointKind = JointKind {
    word: "fixed",
    elsewhere: &[(
        "a rigid connection",
        &["weld", "welded", "rigid", "lock", "locked"],
    )],
    about: "Does not move.",
    space: Facts {
        triads: TriadRule::AsGuessed,
        motions: Some(MotionsLeft {
            shifts: &[],
            turns: RelativeTurns::None,
        }),
        shares: Shares::Body,
        symbol: &[Glyph::Weld],
        ..Facts::PLAIN
    },
    plane: InPlane::Has(Facts {
        triads: TriadRule::AsGuessed,
        motions: Some(MotionsLeft {
            shifts: &[],
            turns: RelativeTurns::None,
        }),
        shares: Shares::Body,
        symbol: &[Glyph::Weld],
        ..Facts::PLAIN
    }),
    rows: |sides| {
        let mut rows = sides.coincide();
        rows.extend(sides.locked());
        rows
    },
    freedoms: |_| Some(Vec::new()),
    ..JointKind::PLAIN
};
