//! Mechanisms that fit into the lanes of a batch.

/// A four-bar in the plane with lengths, damping and a torque.
#[allow(missing_docs, reason = "generated code documents itself")]
pub mod planar {
    bellcrank::include_mechanism!("planar");
}

/// The four-bar of the gallery in coordinates in which bodies that are hinged to ground have no rows.
#[allow(missing_docs, reason = "generated code documents itself")]
pub mod swing {
    bellcrank::include_mechanism!("swing");
}

/// A slider-crank in space, in absolute coordinates with Euler parameters.
#[allow(missing_docs, reason = "generated code documents itself")]
pub mod spatial {
    bellcrank::include_mechanism!("spatial");
}

/// A pendulum with a table and laws that branch.
#[allow(missing_docs, reason = "generated code documents itself")]
pub mod cam {
    bellcrank::include_mechanism!("cam");
}

/// A linkage that goes through positions where its rows depend on each other.
#[allow(missing_docs, reason = "generated code documents itself")]
pub mod singular {
    bellcrank::include_mechanism!("singular");
}

/// The four-bar in single precision.
#[allow(missing_docs, reason = "generated code documents itself")]
pub mod single {
    bellcrank::include_mechanism!("single");
}
