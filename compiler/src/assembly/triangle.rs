//! Finds independent rows and solutions of least norm, by the triangle R of a sparse orthogonal factorisation.
//!
//! For rows A in some order, Aᵀ = Q R with an upper triangle R. A column of R expresses a row by the earlier ones, and
//! its diagonal is the size of the new part. Q is not kept: the columns of A come one by one and are turned by Givens
//! rotations against the lines so far (George and Heath 1980). So R is as sparse as the Cholesky factor of A Aᵀ and
//! does not lose half of the digits as that would.

use std::collections::BTreeMap;

use nalgebra::DVector;

use super::sparse::{SparseRowValues, norm};

/// Largest entry that counts as noise in the line of a row without a new part, when its diagonal was taken out. Rows
/// have unit length.
const NOISE: f64 = 1e-14;

/// R for rows in some order.
pub struct Triangle {
    /// The row that stands at a position.
    order: Vec<usize>,
    /// The line of R whose diagonal is at a position; none where a row depends on the earlier ones.
    lines: Vec<Option<SparseRowValues>>,
}

impl Triangle {
    /// The triangle of rows of unit length. A row of which no more than `new` is new depends on those
    /// before it.
    pub fn new(rows: &[SparseRowValues], order: &[usize], new: f64) -> Self {
        let mut triangle = Self {
            order: order.to_vec(),
            lines: vec![None; order.len()],
        };
        for line in columns(rows, order) {
            triangle.insert(line);
        }
        for position in 0..order.len() {
            triangle.keep_if_new(position, new);
        }
        triangle
    }

    /// The rows that do not depend on earlier ones, in order.
    pub fn independent(&self) -> Vec<usize> {
        let kept = self.kept();
        kept.map(|(position, _)| self.order[position]).collect()
    }

    /// True if no row depends on others.
    pub fn is_full(&self) -> bool {
        self.lines.iter().all(Option::is_some)
    }

    /// Number of entries of R.
    #[cfg(test)]
    pub fn n_entries(&self) -> usize {
        self.kept().map(|(_, line)| line.len()).sum()
    }

    /// The weights, by row, with which the independent rows make the one that stands last.
    pub fn composition_of_last(&self) -> Vec<(usize, f64)> {
        let last = self.order.len() - 1;
        let mut column = DVector::zeros(self.order.len());
        for (position, line) in self.kept().filter(|(position, _)| *position < last) {
            let entry = line.iter().find(|(i, _)| *i as usize == last);
            column[position] = entry.map_or(0.0, |(_, value)| *value);
        }
        let weights = self.solve(column);
        let kept = self.kept().filter(|(position, _)| *position < last);
        kept.map(|(position, _)| (self.order[position], weights[position]))
            .collect()
    }

    fn kept(&self) -> impl DoubleEndedIterator<Item = (usize, &SparseRowValues)> {
        let lines = self.lines.iter().enumerate();
        lines.filter_map(|(position, line)| Some((position, line.as_ref()?)))
    }

    /// Turns a line against those that begin where it begins, until it begins where none does.
    fn insert(&mut self, mut line: SparseRowValues) {
        while let Some(&(position, _)) = line.first() {
            let place = &mut self.lines[position as usize];
            let Some(other) = place.take() else {
                *place = Some(line);
                return;
            };
            let (turned, rest) = rotated(&other, &line);
            *place = Some(turned);
            line = rest;
        }
    }

    /// Takes out a diagonal that is noise; the rest of its line goes on to later positions.
    fn keep_if_new(&mut self, position: usize, new: f64) {
        let place = &mut self.lines[position];
        let is_new = |line: &mut SparseRowValues| line[0].1.abs() > new;
        if place.as_mut().is_some_and(is_new) {
            return;
        }
        if let Some(mut line) = place.take() {
            line.remove(0);
            if norm(&line) > NOISE {
                self.insert(line);
            }
        }
    }

    /// x with R x = z by positions, zero where there is no line.
    fn solve(&self, z: DVector<f64>) -> DVector<f64> {
        let mut x = DVector::zeros(z.len());
        for (position, line) in self.kept().rev() {
            let known: f64 = line[1..].iter().map(|&(i, r)| r * x[i as usize]).sum();
            x[position] = (z[position] - known) / line[0].1;
        }
        x
    }

    /// z with Rᵀ z = b at the positions that have a line, zero elsewhere.
    fn solve_transposed(&self, mut b: DVector<f64>) -> DVector<f64> {
        let mut z = DVector::zeros(b.len());
        for (position, line) in self.kept() {
            z[position] = b[position] / line[0].1;
            for &(i, r) in &line[1..] {
                b[i as usize] -= r * z[position];
            }
        }
        z
    }
}

/// (A Aᵀ)⁺ in so far as A s = r needs it: the s of least norm among those that leave the least is Aᵀ y.
///
/// With Aᵀ = Q R it is s = Q z with Rᵀ z = r, and Q = Aᵀ R⁻¹ over the independent rows. If there are
/// others, Rᵀ has more rows than columns, and z is what comes nearest: R Rᵀ z = R r, by the triangle T
/// with Tᵀ T = R Rᵀ.
pub struct Inverse {
    triangle: Triangle,
    nearest: Option<Triangle>,
}

impl Inverse {
    /// For rows of unit length.
    pub fn new(rows: &[SparseRowValues], order: &[usize], new: f64) -> Self {
        let triangle = Triangle::new(rows, order, new);
        let nearest = (!triangle.is_full()).then(|| {
            let lines: Vec<SparseRowValues> = triangle.lines.iter().flatten().cloned().collect();
            let order: Vec<usize> = (0..lines.len()).collect();
            Triangle::new(&lines, &order, 0.0)
        });
        Self { triangle, nearest }
    }

    /// y for the rows as they were given; zero for those that depend on others.
    pub fn apply(&self, right: &DVector<f64>) -> DVector<f64> {
        let order = &self.triangle.order;
        let right = DVector::from_iterator(order.len(), order.iter().map(|&i| right[i]));
        let z = match &self.nearest {
            None => self.triangle.solve_transposed(right),
            Some(nearest) => self.nearest(nearest, &right),
        };
        let weights = self.triangle.solve(z);
        let mut y = DVector::zeros(order.len());
        for (&row, &weight) in order.iter().zip(weights.iter()) {
            y[row] = weight;
        }
        y
    }

    fn nearest(&self, nearest: &Triangle, right: &DVector<f64>) -> DVector<f64> {
        let dot = |line: &SparseRowValues| line.iter().map(|&(i, r)| r * right[i as usize]).sum();
        let projected: Vec<f64> = self.triangle.kept().map(|(_, line)| dot(line)).collect();
        let solved = nearest.solve(nearest.solve_transposed(DVector::from_vec(projected)));
        let mut z = DVector::zeros(right.len());
        for ((position, _), value) in self.triangle.kept().zip(solved.iter()) {
            z[position] = *value;
        }
        z
    }
}

/// The columns of A over the positions of its rows, first those that end first: then a line meets no
/// others than those it has to.
fn columns(rows: &[SparseRowValues], order: &[usize]) -> Vec<SparseRowValues> {
    let mut columns: BTreeMap<u32, SparseRowValues> = BTreeMap::new();
    for (position, &i) in order.iter().enumerate() {
        for &(j, x) in rows[i].iter().filter(|(_, x)| *x != 0.0) {
            columns.entry(j).or_default().push((position as u32, x));
        }
    }
    let mut columns: Vec<SparseRowValues> = columns.into_values().collect();
    columns.sort_by_key(|column| column.last().map(|(position, _)| *position));
    columns
}

/// (c a + s b, c b − s a) with the c and s that take the first entry of the second away.
fn rotated(a: &SparseRowValues, b: &SparseRowValues) -> (SparseRowValues, SparseRowValues) {
    let length = a[0].1.hypot(b[0].1);
    let (c, s) = (a[0].1 / length, b[0].1 / length);
    let mut turned = SparseRowValues::with_capacity(a.len() + b.len());
    let mut rest = SparseRowValues::with_capacity(a.len() + b.len());
    turned.push((a[0].0, length));
    let (mut a, mut b) = (a[1..].iter().peekable(), b[1..].iter().peekable());
    loop {
        let next = |entry: Option<&&(u32, f64)>| entry.map_or(u32::MAX, |(i, _)| *i);
        let i = next(a.peek()).min(next(b.peek()));
        if i == u32::MAX {
            return (turned, rest);
        }
        let x = a.next_if(|entry| entry.0 == i).map_or(0.0, |entry| entry.1);
        let y = b.next_if(|entry| entry.0 == i).map_or(0.0, |entry| entry.1);
        turned.push((i, c * x + s * y));
        // A line never begins with a zero, which no rotation could take away.
        if c * y != s * x {
            rest.push((i, c * y - s * x));
        }
    }
}

#[cfg(test)]
mod tests {
    use nalgebra::DMatrix;

    use super::super::order::elimination_order;
    use super::super::probes::Random;
    use super::super::sparse::{scaled, to_unit, transposed_times};
    use super::*;

    /// Five rows a joint between bodies of six velocities, which are numbered by `name`.
    fn chain(n: usize, name: impl Fn(usize) -> usize) -> Vec<SparseRowValues> {
        let mut random = Random::new();
        let mut rows = Vec::new();
        for joint in 0..n {
            let bodies = joint.saturating_sub(1)..=joint;
            let mut columns: Vec<u32> = bodies
                .flat_map(|body| (0..6).map(move |k| (body, k)))
                .map(|(body, k)| (6 * name(body) + k) as u32)
                .collect();
            columns.sort_unstable();
            for _ in 0..5 {
                rows.push(columns.iter().map(|&j| (j, random.next())).collect());
            }
        }
        units(&rows)
    }

    fn units(rows: &[SparseRowValues]) -> Vec<SparseRowValues> {
        rows.iter().map(|row| scaled(row, to_unit(row))).collect()
    }

    fn full(rows: &[SparseRowValues], n: usize) -> DMatrix<f64> {
        let mut full = DMatrix::zeros(rows.len(), n);
        for (i, row) in rows.iter().enumerate() {
            row.iter().for_each(|&(j, x)| full[(i, j as usize)] = x);
        }
        full
    }

    /// A link more is as much work as the one before, whatever the bodies are called: a row of R has no
    /// entries beyond the joints next to its own, which are 15 rows at most.
    #[test]
    fn a_chain_fills_by_the_link() {
        let entries = |n: usize, name: &dyn Fn(usize) -> usize| {
            let rows = chain(n, name);
            Triangle::new(&rows, &elimination_order(&rows), 1e-7).n_entries()
        };
        for n in [10, 40, 160] {
            assert!(entries(n, &|body| body) <= 15 * 5 * n);
            assert!(entries(n, &|body| n - 1 - body) <= 15 * 5 * n);
            // 7 has no divisor in common with n, so every number is given once.
            assert!(entries(n, &|body| 7 * body % n) <= 15 * 5 * n);
        }
    }

    /// A row that is the sum of two others is found where it stands last, and composed of these.
    #[test]
    fn a_repeated_row_is_composed_of_others() {
        let mut rows = chain(4, |body| body);
        let sum: BTreeMap<u32, f64> =
            rows[0]
                .iter()
                .chain(&rows[7])
                .fold(BTreeMap::new(), |mut sum, &(j, x)| {
                    *sum.entry(j).or_default() += x;
                    sum
                });
        let sum: SparseRowValues = sum.into_iter().collect();
        let length = norm(&sum);
        rows.push(scaled(&sum, 1.0 / length));
        let order: Vec<usize> = (0..rows.len()).collect();
        let triangle = Triangle::new(&rows, &order, 1e-7);
        assert_eq!(triangle.independent(), order[..20]);
        for (row, weight) in triangle.composition_of_last() {
            let wanted = if row == 0 || row == 7 {
                1.0 / length
            } else {
                0.0
            };
            // Round-off times the condition of twenty random rows.
            assert!((weight - wanted).abs() < 1e-12, "{row}: {weight}");
        }
        let last_first: Vec<usize> = order.iter().rev().copied().collect();
        let independent = Triangle::new(&rows, &last_first, 1e-7).independent();
        assert_eq!(independent.len(), 20);
        assert!(!independent.contains(&0));
    }

    /// Against the pseudo-inverse of full matrices, with rows that repeat and contradict others.
    #[test]
    fn the_solution_is_that_of_the_pseudo_inverse() {
        let rows = chain(3, |body| body);
        let repeated: Vec<SparseRowValues> = rows.iter().chain(&rows[3..6]).cloned().collect();
        for rows in [rows, repeated] {
            let mut random = Random::new();
            let right = DVector::from_fn(rows.len(), |_, _| random.next());
            let inverse = Inverse::new(&rows, &elimination_order(&rows), 1e-7);
            let found = transposed_times(&rows, &inverse.apply(&right), 18);
            let pseudo = full(&rows, 18)
                .pseudo_inverse(1e-7)
                .expect("a finite inverse");
            let wanted = pseudo * right;
            // Round-off times the square of the condition, which the reference has too.
            assert!(
                (&found - &wanted).amax() < 1e-9 * wanted.amax(),
                "{found} {wanted}"
            );
        }
    }
}
