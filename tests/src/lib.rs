//! What the end-to-end tests share: the mechanisms of the gallery as compiled types, and their
//! reference data.

pub use mechanisms::*;

/// Compiled by the macro from the same files that the command line and `build.rs` read.
#[allow(missing_docs, reason = "generated code documents itself")]
mod mechanisms {
    bellcrank::mechanism!("../models/four_bar/model.toml");
    bellcrank::mechanism!("../models/spatial_four_bar/model.toml");
    bellcrank::mechanism!("../models/spatial_slider_crank/model.toml");
    bellcrank::mechanism!("../models/quick_return/model.toml");
    bellcrank::mechanism!("../models/cam_pendulum/model.toml");
}

/// The same mechanisms through the build helper.
#[allow(missing_docs, reason = "generated code documents itself")]
pub mod built {
    bellcrank::include_mechanism!("four_bar");
    bellcrank::include_mechanism!("spatial_four_bar");
    bellcrank::include_mechanism!("spatial_slider_crank");
    bellcrank::include_mechanism!("quick_return");
    bellcrank::include_mechanism!("cam_pendulum");
}

/// In single precision.
#[allow(missing_docs, reason = "generated code documents itself")]
pub mod single {
    bellcrank::include_mechanism!("four_bar_single");
}

/// Rows of a reference file: time first, then the named columns in their order.
pub fn reference(text: &str) -> Vec<Vec<f64>> {
    text.lines()
        .skip(1)
        .map(|line| {
            line.split(',')
                .map(|cell| cell.parse().expect("a number"))
                .collect()
        })
        .collect()
}

/// The angle equal to `angle` up to whole turns that is nearest to `near`.
pub fn same_turn(angle: f64, near: f64) -> f64 {
    use std::f64::consts::TAU;
    angle + TAU * ((near - angle) / TAU).round()
}
