//! Finds safe pivots of the bordered matrix. The elimination is carried along as numbers at all samples.
//!
//! The indices are the velocities and then the rows,
//!
//! ```text
//! K = [ M  Dᵀ ]        after some eliminations        K = [ A   Bᵀ ]
//!     [ D  0  ]                                           [ B  −C  ]
//! ```
//!
//! A and C are positive semi-definite, whatever was eliminated. A velocity k adds b bᵀ / δ_k to C and subtracts a aᵀ /
//! δ_k from A, which remains the Schur complement of a semi-definite matrix. A row does the same with A and C
//! exchanged. A pivot that is not zero therefore has a known sign: plus for a velocity, minus for a row. It is sound if
//! its terms have not cancelled.

use std::collections::{BTreeMap, BTreeSet};

use crate::assembly::Sample;
use crate::ordering::{Pivots, minimum_fill_of};

/// Smallest pivot against the terms that it is summed from, at every sample. It is far from round-off, and far below
/// the pivots of unequal masses.
pub const SOUND: f64 = 1e-6;

/// Largest variation over the samples of the part of a row's gradient that was eliminated. A part that vanishes in some
/// direction varies without bound, one that does not only with the masses.
const STEADY: f64 = 10.0;

/// One of this many scattered samples may be ignored.
const IGNORABLE: usize = 4;

/// An order of safe pivots, and for each index how large its pivot typically is.
#[derive(Clone, Debug)]
pub struct PivotOrder {
    /// The index that is eliminated k-th.
    pub order: Vec<usize>,
    /// The terms of each pivot without cancellation, at the largest of the reached states.
    pub sizes: Vec<f64>,
    /// The magnitude of each pivot, at the reached state where it is largest.
    pub usual: Vec<f64>,
}

impl PivotOrder {
    /// The least share of its terms that a pivot keeps at the reached states where it keeps most.
    pub fn least_share(&self) -> f64 {
        let shares = self.usual.iter().zip(&self.sizes);
        shares.fold(1.0, |least, (usual, size)| least.min(usual / size))
    }
}

/// The order for a pattern with these rows of D; `None` if at some point no pivot is safe, or if there is no sample. A
/// state where the rows depend on each other, as in a dead point, has no safe order of its own and is left out if it
/// spoils that of the others. In a long chain some scattered state has two gradients in line by chance, the sooner the
/// longer it is: then a few of these are ignored from the pivot on that they spoil.
///
/// `sound` is the smallest pivot against the terms that it is summed from, at every sample.
pub fn pivot_order(
    sound: f64,
    pattern: &[BTreeSet<usize>],
    samples: &[Sample],
    rows: &[usize],
) -> Option<PivotOrder> {
    if !samples.iter().any(|sample| sample.reached) {
        return None;
    }
    let trial = |samples: &[Sample]| PivotTrial {
        sound,
        ..PivotTrial::new(samples, rows)
    };
    safe_order(pattern, trial(samples))
        .or_else(|| {
            let of = |sample: &Sample| trial(std::slice::from_ref(sample));
            let is_regular = |sample: &&Sample| safe_order(pattern, of(sample)).is_some();
            let regular: Vec<Sample> = samples.iter().filter(is_regular).cloned().collect();
            let some = regular.iter().any(|sample| sample.reached);
            some.then(|| safe_order(pattern, trial(&regular)))?
        })
        .or_else(|| {
            let scattered = samples.iter().filter(|sample| !sample.reached).count();
            let trial = PivotTrial {
                n_ignorable: scattered / IGNORABLE,
                ..trial(samples)
            };
            safe_order(pattern, trial)
        })
}

/// The least share of its terms that S = D M⁻¹ Dᵀ leaves of a pivot, each taken at the reached state where it has most:
/// what one state has little of may be a singular position, but where a pivot has little everywhere, a light body
/// carries forces that are far above its own, and digits are lost. M is positive definite.
pub fn least_share(samples: &[Sample], rows: &[usize]) -> f64 {
    let reached: Vec<Sample> = samples.iter().filter(|s| s.reached).cloned().collect();
    let mut trial = PivotTrial::new(&reached, rows);
    let n = trial.n_velocities;
    (0..n).for_each(|velocity| trial.eliminate(velocity));
    let mut least = f64::INFINITY;
    for row in n..n + rows.len() {
        let shares = trial.diagonal[row].iter().zip(&trial.terms[row]);
        let most = shares.map(|(pivot, terms)| pivot.abs() / terms);
        least = least.min(most.fold(0.0, f64::max));
        trial.eliminate(row);
    }
    least
}

/// True if M is positive definite at all samples.
pub fn is_definite(samples: &[Sample]) -> bool {
    let trial = PivotTrial::new(samples, &[]);
    let pattern = trial.entries.iter();
    let pattern: Vec<BTreeSet<usize>> = pattern.map(|row| row.keys().copied().collect()).collect();
    safe_order(&pattern, trial).is_some()
}

fn safe_order(pattern: &[BTreeSet<usize>], mut trial: PivotTrial) -> Option<PivotOrder> {
    let pattern = pattern.to_vec();
    let order = minimum_fill_of(pattern, &mut trial)?;
    let sizes = trial.terms.iter().map(|terms| {
        let reached = terms
            .iter()
            .zip(&trial.reached)
            .filter(|(_, reached)| **reached);
        reached.fold(0.0, |size: f64, (terms, _)| size.max(*terms))
    });
    let usual = trial.diagonal.iter().map(|pivots| {
        let reached = pivots.iter().zip(&trial.reached);
        let reached = reached.filter(|(_, reached)| **reached);
        reached.fold(0.0, |most: f64, (pivot, _)| most.max(pivot.abs()))
    });
    Some(PivotOrder {
        sizes: sizes.collect(),
        usual: usual.collect(),
        order,
    })
}

/// One number for each sample.
type SampleValues = Vec<f64>;

/// The partly eliminated matrix at all samples.
#[derive(Clone, Debug)]
struct PivotTrial {
    n_velocities: usize,
    /// Smallest pivot against its terms.
    sound: f64,
    reached: Vec<bool>,
    /// Samples that are ignored.
    ignored: Vec<bool>,
    /// Number of further samples that may be ignored.
    n_ignorable: usize,
    /// Off the diagonal, in both triangles.
    entries: Vec<BTreeMap<usize, SampleValues>>,
    diagonal: Vec<SampleValues>,
    /// The terms of the diagonal as they would be without cancellation.
    terms: Vec<SampleValues>,
    /// D_kj² / M_jj by row and velocity, for the velocities with mass.
    squares: Vec<BTreeMap<usize, SampleValues>>,
    /// The part of their sum that was eliminated.
    eliminated: Vec<SampleValues>,
}

impl PivotTrial {
    /// Nothing eliminated yet; `rows` are those of D that take part.
    fn new(samples: &[Sample], rows: &[usize]) -> Self {
        let n_velocities = samples.first().map_or(0, |sample| sample.mass.len());
        let (n, zero) = (n_velocities + rows.len(), vec![0.0; samples.len()]);
        let mut trial = Self {
            n_velocities,
            sound: SOUND,
            reached: samples.iter().map(|sample| sample.reached).collect(),
            ignored: vec![false; samples.len()],
            n_ignorable: 0,
            entries: vec![BTreeMap::new(); n],
            diagonal: vec![zero.clone(); n],
            terms: vec![zero.clone(); n],
            squares: vec![BTreeMap::new(); n],
            eliminated: vec![zero; n],
        };
        for (s, sample) in samples.iter().enumerate() {
            trial.fill(s, sample, rows);
        }
        trial
    }

    fn fill(&mut self, s: usize, sample: &Sample, rows: &[usize]) {
        for (i, row) in sample.mass.iter().enumerate() {
            for &(j, value) in row {
                if j as usize == i {
                    self.diagonal[i][s] = value;
                    self.terms[i][s] = value.abs();
                } else {
                    self.entry(i, j as usize)[s] = value;
                }
            }
        }
        for (n, &k) in rows.iter().enumerate() {
            let i = self.n_velocities + n;
            for &(j, value) in &sample.jacobian[k] {
                let j = j as usize;
                self.entry(i, j)[s] = value;
                self.entry(j, i)[s] = value;
                let mass = self.diagonal[j][s];
                if mass > 0.0 {
                    let n_samples = self.reached.len();
                    let squares = self.squares[i].entry(j);
                    squares.or_insert_with(|| vec![0.0; n_samples])[s] = value * value / mass;
                }
            }
        }
    }

    fn entry(&mut self, i: usize, j: usize) -> &mut SampleValues {
        let n_samples = self.reached.len();
        let entry = self.entries[i].entry(j);
        entry.or_insert_with(|| vec![0.0; n_samples])
    }

    /// |δ| ≥ `sound` · (the sum of its terms without cancellation), everywhere.
    fn is_sound(&self, node: usize) -> bool {
        (0..self.reached.len()).all(|s| self.is_sound_at(node, s))
    }

    /// The same at one sample, unless it is ignored.
    fn is_sound_at(&self, node: usize, s: usize) -> bool {
        let (pivot, terms) = (self.diagonal[node][s], self.terms[node][s]);
        self.ignored[s] || terms > 0.0 && pivot.abs() >= self.sound * terms
    }

    /// The samples at which a pivot is not sound, if all of them are scattered and few enough.
    fn spoilers(&self, node: usize) -> Option<Vec<usize>> {
        let spoils = |s: &usize| !self.is_sound_at(node, *s);
        let spoilers: Vec<usize> = (0..self.reached.len()).filter(spoils).collect();
        let may = spoilers.len() <= self.n_ignorable && !spoilers.iter().any(|&s| self.reached[s]);
        may.then_some(spoilers)
    }

    /// Whether the eliminated share of Σ_j D_kj² / M_jj is about the same everywhere. A velocity, and
    /// a row without any of this, has no such share.
    fn is_steady(&self, node: usize) -> bool {
        let (mut least, mut most) = (f64::INFINITY, 0.0_f64);
        let asked = self.eliminated[node].iter().enumerate();
        for (s, eliminated) in asked.filter(|(s, _)| !self.ignored[*s]) {
            let total: f64 = self.squares[node].values().map(|squares| squares[s]).sum();
            if total > 0.0 {
                least = least.min(eliminated / total);
                most = most.max(eliminated / total);
            }
        }
        most <= STEADY * least
    }
}

impl Pivots for PivotTrial {
    fn rank(&self, node: usize) -> Option<u8> {
        let sound = self.is_sound(node);
        sound.then(|| u8::from(!self.is_steady(node)))
    }

    /// Ignores the samples that spoil the pivot which the fewest spoil.
    fn relax(&mut self, left: &[usize]) -> bool {
        let spoilers = left.iter().filter_map(|&node| self.spoilers(node));
        let Some(fewest) = spoilers.min_by_key(Vec::len) else {
            return false;
        };
        self.n_ignorable -= fewest.len();
        fewest.iter().for_each(|&s| self.ignored[s] = true);
        !fewest.is_empty()
    }

    /// a_ij ← a_ij − a_ik a_jk / δ_k
    fn eliminate(&mut self, node: usize) {
        let column: Vec<(usize, SampleValues)> = std::mem::take(&mut self.entries[node])
            .into_iter()
            .collect();
        let pivot = self.diagonal[node].clone();
        let is_velocity = |i: usize| i < self.n_velocities;
        for (i, a) in &column {
            let own = is_velocity(*i) != is_velocity(node);
            for s in 0..pivot.len() {
                let term = a[s] * a[s] / pivot[s];
                self.diagonal[*i][s] -= term;
                if own {
                    self.terms[*i][s] += term.abs();
                }
            }
            if let Some(squares) = self.squares[*i].get(&node) {
                let shares = self.eliminated[*i].iter_mut().zip(squares);
                shares.for_each(|(share, square)| *share += square);
            }
        }
        for (i, a) in &column {
            self.entries[*i].remove(&node);
            for (j, b) in column.iter().filter(|(j, _)| j != i) {
                let entry = self.entry(*i, *j);
                for s in 0..pivot.len() {
                    entry[s] -= a[s] * b[s] / pivot[s];
                }
            }
        }
    }
}
