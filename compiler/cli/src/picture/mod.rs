//! What there is to see: a mechanism, its motion and its curves.
//!
//! A `Scene` is what the model says: bodies with the places that something holds or pulls, joints, springs,
//! points that can be traced. A `Record` is what a run wrote, and a `Motion` where the bodies are in it.
//! Both together make a `Drawing`, a list of four simple kinds of `Part`, each fixed to a body, so that
//! the page (`page`) and the drawing as SVG (`svg`) paint the same picture with a few lines each.

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
pub use motion::{Motion, Pose};
pub use page::{Page, escaped, page};
pub use panels::{Curve, Panel, Topic, panels};
pub use record::Record;
pub use scene::{Point, Scene};
pub use svg::svg;
pub use traces::traces;
