//! The points that are traced by default.

use super::motion::RecordedMotion;
use super::scene::Scene;
use super::vector::{norm, sub};

/// More traces than this hide each other.
const MOST: usize = 3;

/// The points that outputs give; if there are none, or too many, the point that moves farthest.
pub fn traces(scene: &Scene, motion: &RecordedMotion) -> Vec<usize> {
    let travels = |index: &usize| travelled(scene, motion, *index) > 0.0;
    let read = (0..scene.points.len()).filter(|index| scene.points[*index].is_output);
    let read: Vec<usize> = read.filter(travels).collect();
    if (1..=MOST).contains(&read.len()) {
        return read;
    }
    let lengths = (0..scene.points.len()).map(|index| (index, travelled(scene, motion, index)));
    let farthest = lengths.max_by(|a, b| a.1.total_cmp(&b.1));
    farthest
        .iter()
        .filter(|(_, length)| *length > 0.0)
        .map(|(index, _)| *index)
        .collect()
}

fn travelled(scene: &Scene, motion: &RecordedMotion, index: usize) -> f64 {
    let path = motion.path(scene.points[index].place);
    let steps = path.windows(2).map(|pair| norm(sub(pair[1], pair[0])));
    steps.filter(|length| length.is_finite()).sum()
}
