//! Chooses the order of an elimination: greedily the node whose elimination joins the fewest pairs of its neighbours,
//! the lowest index first among equals. Along a chain this goes from the ends inwards. Where not every node may be
//! eliminated at any time, the best rank of those that may goes first.

use std::collections::BTreeSet;

/// The nodes that may be eliminated.
pub trait Pivots {
    /// The lower the sooner; `None` while the node may not be eliminated.
    fn rank(&self, node: usize) -> Option<u8>;
    /// Takes a node out, which may change the ranks of its neighbours.
    fn eliminate(&mut self, node: usize);
    /// Asks for less of the nodes that are left, none of which may be eliminated; false if that is not
    /// possible.
    fn relax(&mut self, _left: &[usize]) -> bool {
        false
    }
}

/// Every node at any time, as in a positive definite matrix.
struct Any;

impl Pivots for Any {
    fn rank(&self, _: usize) -> Option<u8> {
        Some(0)
    }

    fn eliminate(&mut self, _: usize) {}
}

/// The elimination order of a symmetric pattern, given by the neighbours of each node.
pub fn minimum_fill(neighbours: Vec<BTreeSet<usize>>) -> Vec<usize> {
    minimum_fill_of(neighbours, &mut Any).expect("every node is eliminated")
}

/// The same with the pivots that may be taken; `None` if nodes are left that never may.
pub fn minimum_fill_of(
    mut neighbours: Vec<BTreeSet<usize>>,
    pivots: &mut impl Pivots,
) -> Option<Vec<usize>> {
    let n = neighbours.len();
    let key = |neighbours: &[BTreeSet<usize>], pivots: &dyn Pivots, node: usize| {
        let rank = pivots.rank(node)?;
        Some((rank, fill_of(neighbours, node), node))
    };
    let mut keys: Vec<_> = (0..n).map(|k| key(&neighbours, pivots, k)).collect();
    let mut queue: BTreeSet<_> = keys.iter().copied().flatten().collect();
    let mut order = Vec::with_capacity(n);
    let mut done = vec![false; n];
    while order.len() < n {
        let Some((_, _, node)) = queue.pop_first() else {
            let left: Vec<usize> = (0..n).filter(|&k| !done[k]).collect();
            if !pivots.relax(&left) {
                return None;
            }
            for k in left {
                keys[k] = key(&neighbours, pivots, k);
                queue.extend(keys[k]);
            }
            continue;
        };
        order.push(node);
        done[node] = true;
        pivots.eliminate(node);
        for changed in eliminate(&mut neighbours, node) {
            if let Some(old) = keys[changed] {
                queue.remove(&old);
            }
            keys[changed] = key(&neighbours, pivots, changed);
            queue.extend(keys[changed]);
        }
    }
    Some(order)
}

/// Number of pairs of neighbours that are not joined.
fn fill_of(neighbours: &[BTreeSet<usize>], node: usize) -> usize {
    let around: Vec<usize> = neighbours[node].iter().copied().collect();
    let pairs = around.iter().enumerate();
    pairs
        .map(|(n, &a)| {
            around[n + 1..]
                .iter()
                .filter(|&b| !neighbours[a].contains(b))
                .count()
        })
        .sum()
}

/// Joins the neighbours of `node`, takes it out, and says whose fill may have changed: the neighbours,
/// and whoever is next to both ends of a new edge.
fn eliminate(neighbours: &mut [BTreeSet<usize>], node: usize) -> BTreeSet<usize> {
    let around: Vec<usize> = std::mem::take(&mut neighbours[node]).into_iter().collect();
    let mut changed: BTreeSet<usize> = around.iter().copied().collect();
    for &a in &around {
        neighbours[a].remove(&node);
    }
    for (n, &a) in around.iter().enumerate() {
        for &b in &around[n + 1..] {
            if neighbours[a].insert(b) {
                neighbours[b].insert(a);
                changed.extend(neighbours[a].intersection(&neighbours[b]).copied());
            }
        }
    }
    changed
}

#[cfg(test)]
mod tests {
    use super::*;

    fn graph(n: usize, edges: &[(usize, usize)]) -> Vec<BTreeSet<usize>> {
        let mut neighbours = vec![BTreeSet::new(); n];
        for &(a, b) in edges {
            neighbours[a].insert(b);
            neighbours[b].insert(a);
        }
        neighbours
    }

    #[test]
    fn chain_goes_from_the_ends_inwards() {
        let order = minimum_fill(graph(4, &[(0, 2), (2, 1), (1, 3)]));
        assert_eq!(order, [0, 2, 1, 3]);
    }

    #[test]
    fn hub_of_a_star_waits_for_its_leaves() {
        let order = minimum_fill(graph(5, &[(0, 1), (0, 2), (0, 3), (0, 4)]));
        assert_eq!(order, [1, 2, 3, 0, 4]);
    }

    #[test]
    fn ring_fills_one_edge_at_a_time() {
        let order = minimum_fill(graph(4, &[(0, 1), (1, 2), (2, 3), (3, 0)]));
        assert_eq!(order, [0, 1, 2, 3]);
    }
}
