//! Orders rows so that their elimination causes little fill. The order follows a minimum-fill order of the velocities
//! on which the rows act. Along a chain it goes from one end to the other.

use std::collections::BTreeSet;

use super::sparse::SparseRowValues;
use crate::ordering::minimum_fill;

/// Number of successive velocities that are one node of the graph. Those of a planar body, of a centre of mass, of a
/// rotation or of a point occur together. Other group sizes would only cost time or fill.
const TOGETHER: u32 = 3;

/// The order: first the constraint equations of the node that is eliminated first in a minimum-fill order of the nodes
/// that constraint equations join.
pub fn elimination_order(rows: &[SparseRowValues]) -> Vec<usize> {
    let nodes_of = |row: &SparseRowValues| -> BTreeSet<usize> {
        let nodes = row.iter().map(|(j, _)| (j / TOGETHER) as usize);
        nodes.collect()
    };
    let touched: Vec<BTreeSet<usize>> = rows.iter().map(nodes_of).collect();
    let n_nodes = touched.iter().flatten().max().map_or(0, |last| last + 1);
    let mut neighbours = vec![BTreeSet::new(); n_nodes];
    for nodes in &touched {
        for &node in nodes {
            neighbours[node].extend(nodes.iter().copied().filter(|&other| other != node));
        }
    }
    let mut position = vec![0; n_nodes];
    for (k, node) in minimum_fill(neighbours).into_iter().enumerate() {
        position[node] = k;
    }
    let first = |i: &usize| touched[*i].iter().map(|&node| position[node]).min();
    let mut order: Vec<usize> = (0..rows.len()).collect();
    order.sort_by_key(first);
    order
}
