//! Pictures of a mechanism, its motion and its curves.
//!
//! A `Scene` comes from the model: bodies with the places of joints and forces, joints, springs, points that can be
//! traced. A `Record` has the rows of a run, and a `RecordedMotion` the poses of the bodies in them. Scene and motion
//! make a `Drawing`, a list of `DrawnPart`s of a few simple kinds, each fixed to a body. The page (`page`) and the SVG
//! (`svg`) paint the same `Drawing`, with a few lines each.

mod camera;
pub(crate) mod chart;
mod curves;
mod drawing;
mod gears;
mod glyphs;
mod motion;
mod outline;
mod page;
mod panels;
mod record;
mod scene;
mod svg;
#[cfg(test)]
mod tests;
mod traces;
mod units;
mod vector;

pub use curves::curves;
pub use motion::{Pose, RecordedMotion};
pub use page::{Page, escaped, page};
pub use panels::{Curve, Panel, Topic, panels};
pub use record::Record;
pub use scene::{Scene, TracePoint};
pub use svg::svg;
pub use traces::traces;
