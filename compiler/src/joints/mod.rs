//! The kinds of joints, one file for each kind. A file has everything about its kind: its words, the motions that it
//! leaves, its coordinates, its constraint equations, its symbol in pictures.
//!
//! The facts are plain data, which every stage may read. The equations are functions of `Sides`, which each formulation
//! fills in. A new kind needs one file here and one line in the table. No stage names a kind:
//! `compiler/tests/invariants.rs` guards that.

mod kind;
mod sides;
mod words;

pub use kind::{
    AxisRule, Facts, Glyph, GlyphEnd, InPlane, JointCoordinate, JointKind, MotionsLeft, Pushes,
    RelativeTurns, Shares, TriadRule,
};
pub use sides::{
    InOnePlane, JointCoordinateValue, JointEquation, Own, Product, RateTerm, Side, Sides, Thread,
    What, Wound, scaled, shift, turn, whole_turn,
};

use crate::description::Space;
pub use crate::structure::Screw;

/// Makes the modules of the kinds, the enum of their names, and the map from a name to the constant in its file.
macro_rules! kinds {
    ($($name:ident in $file:ident,)*) => {
        $(mod $file;)*

        /// Kinds of joints.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum JointType {
            $(#[doc = concat!("The kind in `joints/", stringify!($file), ".rs`.")] $name,)*
        }

        impl JointType {
            /// All kinds, in the order of the table.
            pub const ALL: &[Self] = &[$(Self::$name),*];

            /// Everything about the kind.
            pub const fn kind(self) -> &'static JointKind {
                match self {
                    $(Self::$name => &$file::KIND,)*
                }
            }
        }
    };
}

kinds! {
    Revolute in revolute,
    Prismatic in prismatic,
    Cylindrical in cylindrical,
    Screw in screw,
    Spherical in spherical,
    Universal in universal,
    ConstantVelocity in constant_velocity,
    Planar in planar,
    Fixed in fixed,
    PinSlot in pin_slot,
    Distance in distance,
    PointInPlane in point_in_plane,
    RevoluteSpherical in revolute_spherical,
}

impl Default for JointType {
    /// The first kind of the table.
    fn default() -> Self {
        Self::ALL[0]
    }
}

impl JointType {
    /// Its word in a description.
    pub const fn word(self) -> &'static str {
        self.kind().word
    }

    /// Its facts in the plane or in space. A kind that the plane lacks has the facts of space there, so that the rest
    /// of the description is still checked.
    pub const fn facts(self, space: Space) -> &'static Facts {
        match (space, &self.kind().plane) {
            (Space::Planar, InPlane::Has(facts)) => facts,
            _ => &self.kind().space,
        }
    }

    /// True for a massless rod, whose length it keeps.
    pub const fn is_rod(self) -> bool {
        self.kind().is_rod
    }

    /// True for a thread: its displacement follows its angle by the `lead`.
    pub const fn has_lead(self) -> bool {
        self.kind().has_lead
    }
}
