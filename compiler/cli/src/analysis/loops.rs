//! The smallest loop that a joint belongs to.

use std::collections::VecDeque;

use crate::front_end::ModelElements;

/// A body in a loop, with its two joints of that loop.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LoopLink {
    /// The body; `None` is ground.
    pub body: Option<usize>,
    /// The joint before it.
    pub before: usize,
    /// The joint after it.
    pub after: usize,
}

/// The loop from the first body of a joint round to its second body, through as few bodies as possible; `None` if the
/// joint is in no loop.
pub fn smallest_loop(elements: &ModelElements, joint: usize) -> Option<Vec<LoopLink>> {
    let [start, end] = elements.joints[joint].bodies;
    let mut reached: Vec<(Option<usize>, usize, usize)> = vec![(start, joint, usize::MAX)];
    let mut waiting = VecDeque::from([0]);
    while let Some(index) = waiting.pop_front() {
        let (body, ..) = reached[index];
        if body == end {
            return Some(traced(&reached, index, joint));
        }
        for (next, part) in elements.joints.iter().enumerate() {
            let other = match part.bodies {
                [a, b] if a == body => b,
                [a, b] if b == body => a,
                _ => continue,
            };
            let known = reached.iter().any(|(body, ..)| *body == other);
            if next != joint && !known {
                reached.push((other, next, index));
                waiting.push_back(reached.len() - 1);
            }
        }
    }
    None
}

fn traced(
    reached: &[(Option<usize>, usize, usize)],
    mut index: usize,
    closing: usize,
) -> Vec<LoopLink> {
    let mut links = Vec::new();
    let mut after = closing;
    while let Some(&(body, before, from)) = reached.get(index) {
        links.push(LoopLink {
            body,
            before,
            after,
        });
        after = before;
        index = from;
    }
    links.reverse();
    links
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::front_end::JointPart;

    #[test]
    fn a_four_bar_is_one_loop_and_a_pendulum_on_it_in_none() {
        let joint = |a, b| JointPart {
            bodies: [a, b],
            ..JointPart::default()
        };
        let elements = ModelElements {
            joints: vec![
                joint(None, Some(0)),
                joint(Some(0), Some(1)),
                joint(Some(1), Some(2)),
                joint(Some(2), None),
                joint(Some(1), Some(3)),
            ],
            ..ModelElements::default()
        };
        let links = smallest_loop(&elements, 0).unwrap();
        let bodies: Vec<_> = links.iter().map(|link| link.body).collect();
        assert_eq!(bodies, [None, Some(2), Some(1), Some(0)]);
        let joints: Vec<_> = links.iter().map(|link| (link.before, link.after)).collect();
        assert_eq!(joints, [(0, 3), (3, 2), (2, 1), (1, 0)]);
        assert_eq!(smallest_loop(&elements, 4), None);
    }
}
