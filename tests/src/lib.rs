//! Shared by the end-to-end tests: the mechanisms of the gallery as compiled types, and their reference data.

use bellcrank::prelude::*;

pub use mechanisms::*;

/// Compiled by the macro from the same files that the command line and `build.rs` read.
#[allow(missing_docs, reason = "generated code documents itself")]
mod mechanisms {
    bellcrank::mechanism!("../models/four_bar/model.toml");
    bellcrank::mechanism!("../models/spatial_four_bar/model.toml");
    bellcrank::mechanism!("../models/spatial_slider_crank/model.toml");
    bellcrank::mechanism!("../models/quick_return/model.toml");
    bellcrank::mechanism!("../models/cam_pendulum/model.toml");
    bellcrank::mechanism!("../models/rotating_end_pendulum/model.toml");
    bellcrank::mechanism!("../models/double_action_press/model.toml");
    bellcrank::mechanism!("../models/simple_pendulum/model.toml");
    bellcrank::mechanism!("../models/double_four_bar/model.toml");
    bellcrank::mechanism!("../models/flyball_governor/model.toml");
    bellcrank::mechanism!("../models/five_arm_pendulum/model.toml");
    bellcrank::mechanism!("../models/iltis_suspension/model.toml");
}

/// The same mechanisms through the build helper.
#[allow(missing_docs, reason = "generated code documents itself")]
pub mod built {
    bellcrank::include_mechanism!("four_bar");
    bellcrank::include_mechanism!("spatial_four_bar");
    bellcrank::include_mechanism!("spatial_slider_crank");
    bellcrank::include_mechanism!("quick_return");
    bellcrank::include_mechanism!("cam_pendulum");
    bellcrank::include_mechanism!("rotating_end_pendulum");
    bellcrank::include_mechanism!("double_action_press");
    bellcrank::include_mechanism!("simple_pendulum");
    bellcrank::include_mechanism!("double_four_bar");
    bellcrank::include_mechanism!("flyball_governor");
    bellcrank::include_mechanism!("five_arm_pendulum");
    bellcrank::include_mechanism!("iltis_suspension");
    bellcrank::include_mechanism!("yamaha_engine");
}

/// In single precision.
#[allow(missing_docs, reason = "generated code documents itself")]
pub mod single {
    bellcrank::include_mechanism!("four_bar_single");
}

/// With tangents, for implicit integrators.
#[allow(missing_docs, reason = "generated code documents itself")]
pub mod implicit {
    bellcrank::include_mechanism!("four_bar_implicit");
    bellcrank::include_mechanism!("spatial_slider_crank_implicit");
    bellcrank::include_mechanism!("flyball_governor_implicit");
    bellcrank::include_mechanism!("double_four_bar_implicit");

    /// In single precision.
    pub mod single {
        bellcrank::include_mechanism!("four_bar_implicit_single");
    }
}

/// In absolute coordinates, whatever is the default.
#[allow(missing_docs, reason = "generated code documents itself")]
pub mod body {
    bellcrank::include_mechanism!("four_bar_body");
    bellcrank::include_mechanism!("spatial_slider_crank_body");
    bellcrank::include_mechanism!("rotating_end_pendulum_body");
    bellcrank::include_mechanism!("double_action_press_body");
    bellcrank::include_mechanism!("simple_pendulum_body");
    bellcrank::include_mechanism!("double_four_bar_body");
    bellcrank::include_mechanism!("flyball_governor_body");
    bellcrank::include_mechanism!("five_arm_pendulum_body");
    bellcrank::include_mechanism!("iltis_suspension_body");

    /// Cut where everything then hangs on the rocker.
    pub mod on_rocker {
        bellcrank::include_mechanism!("double_action_press_body_on_rocker");
    }

    /// Cut where everything but the crank then hangs on the holder.
    pub mod on_holder {
        bellcrank::include_mechanism!("double_action_press_body_on_holder");
    }
}

/// In points, with a multiplier for each row.
#[allow(missing_docs, reason = "generated code documents itself")]
pub mod multiplier {
    bellcrank::include_mechanism!("four_bar_multiplier");
    bellcrank::include_mechanism!("spatial_slider_crank_multiplier");
    bellcrank::include_mechanism!("rotating_end_pendulum_multiplier");
    bellcrank::include_mechanism!("double_action_press_multiplier");
    bellcrank::include_mechanism!("double_four_bar_multiplier");

    /// Cut where everything then hangs on the rocker.
    pub mod on_rocker {
        bellcrank::include_mechanism!("double_action_press_multiplier_on_rocker");
    }

    /// Cut where everything but the crank then hangs on the holder.
    pub mod on_holder {
        bellcrank::include_mechanism!("double_action_press_multiplier_on_holder");
    }
}

/// In points, by momentum along the tree.
#[allow(missing_docs, reason = "generated code documents itself")]
pub mod momentum {
    bellcrank::include_mechanism!("four_bar_momentum");
    bellcrank::include_mechanism!("spatial_slider_crank_momentum");
    bellcrank::include_mechanism!("rotating_end_pendulum_momentum");
    bellcrank::include_mechanism!("double_action_press_momentum");
    bellcrank::include_mechanism!("double_four_bar_momentum");

    /// Cut where everything then hangs on the rocker.
    pub mod on_rocker {
        bellcrank::include_mechanism!("double_action_press_momentum_on_rocker");
    }

    /// Cut where everything but the crank then hangs on the holder.
    pub mod on_holder {
        bellcrank::include_mechanism!("double_action_press_momentum_on_holder");
    }
}

/// In joint coordinates.
#[allow(missing_docs, reason = "generated code documents itself")]
pub mod joint {
    bellcrank::include_mechanism!("four_bar_joint");
    bellcrank::include_mechanism!("spatial_slider_crank_joint");
    bellcrank::include_mechanism!("rotating_end_pendulum_joint");
    bellcrank::include_mechanism!("double_four_bar_joint");
    bellcrank::include_mechanism!("five_arm_pendulum_joint");
    bellcrank::include_mechanism!("gear_rack_screw_joint");

    /// In single precision.
    pub mod single {
        bellcrank::include_mechanism!("four_bar_joint_single");
    }
}

/// In absolute coordinates, with code for every stabilizer that projects.
#[allow(missing_docs, reason = "generated code documents itself")]
pub mod kept {
    bellcrank::include_mechanism!("four_bar_stabilized_body");
    bellcrank::include_mechanism!("double_four_bar_stabilized_body");
}

/// With springs for joints.
#[allow(missing_docs, reason = "generated code documents itself")]
pub mod discrete {
    bellcrank::include_mechanism!("four_bar_discrete");
    bellcrank::include_mechanism!("spatial_four_bar_discrete");
    bellcrank::include_mechanism!("spatial_slider_crank_discrete");
    bellcrank::include_mechanism!("rotating_end_pendulum_discrete");
    bellcrank::include_mechanism!("simple_pendulum_discrete");

    /// Stiffer, for smaller steps.
    pub mod fine {
        bellcrank::include_mechanism!("four_bar_fine");
        bellcrank::include_mechanism!("spatial_four_bar_fine");
        bellcrank::include_mechanism!("spatial_slider_crank_fine");
        bellcrank::include_mechanism!("rotating_end_pendulum_fine");
        bellcrank::include_mechanism!("simple_pendulum_fine");
    }

    /// With a stiffness that is written.
    pub mod soft {
        bellcrank::include_mechanism!("simple_pendulum_soft");
    }

    /// The same without damping.
    pub mod undamped {
        bellcrank::include_mechanism!("simple_pendulum_undamped");
    }
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

/// How far each output gets from the column of the reference at its place, with RK4 and direct correction.
pub fn gaps<M: Mechanism<Scalar = f64>>(mechanism: M, step: f64, rows: &[Vec<f64>]) -> Vec<f64> {
    let mut sim =
        Simulation::new(mechanism, Rk4::new(step), DirectCorrection::default()).expect("a start");
    let mut gaps = vec![0.0_f64; rows[0].len() - 1];
    for row in rows {
        for frame in sim.until(row[0]) {
            frame.expect("a step");
        }
        let outputs = sim.outputs().expect("outputs");
        for (k, gap) in gaps.iter_mut().enumerate() {
            *gap = gap.max((outputs[k] - row[k + 1]).abs());
        }
    }
    gaps
}

/// The angle equal to `angle` up to whole turns that is nearest to `near`.
pub fn same_turn(angle: f64, near: f64) -> f64 {
    use std::f64::consts::TAU;
    angle + TAU * ((near - angle) / TAU).round()
}
