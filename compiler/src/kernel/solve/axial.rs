//! Twists, wrenches and articulated inertias seen from other axes: turned about one of the axes, shifted along one, or
//! turned any way. A step along one axis leaves most entries as they are, and two of them take one link's axes
//! to those of the next.
//!
//! ```text
//! axes turned by θ about k:      x_i = c x'_i − s x'_j        x_j = s x'_i + c x'_j        (i, j, k) in a circle
//! ```

use crate::kernel::Value;
use crate::kernel::builder::instructions::Builder;
use crate::kernel::solve::screw::{ScrewValues, SpatialInertia, Triple, dot, join, parts};

/// A turn of the axes about one of them.
#[derive(Clone, Copy, Debug)]
pub struct AxisRotation {
    /// k
    pub about: usize,
    /// c
    pub cos: Value,
    /// s
    pub sin: Value,
}

/// A shift of the reference point along one axis.
#[derive(Clone, Copy, Debug)]
pub struct Shift {
    /// k
    pub along: usize,
    /// By how much.
    pub by: Value,
}

/// The two axes across k.
fn across(k: usize) -> (usize, usize) {
    ((k + 1) % 3, (k + 2) % 3)
}

impl AxisRotation {
    /// A twist in the turned axes.
    pub fn outwards(&self, builder: &mut Builder, screw: &ScrewValues) -> ScrewValues {
        let back = Self {
            sin: builder.neg(self.sin),
            ..*self
        };
        back.inwards(builder, screw)
    }

    /// A wrench in the axes before the turn.
    pub fn inwards(&self, builder: &mut Builder, screw: &ScrewValues) -> ScrewValues {
        let (angular, linear) = parts(screw);
        let [angular, linear] = [angular, linear].map(|v| self.vector(builder, v));
        join(angular, linear)
    }

    fn vector(&self, builder: &mut Builder, v: Triple) -> Triple {
        let (i, j) = across(self.about);
        let mut turned = v;
        (turned[i], turned[j]) = self.pair(builder, v[i], v[j]);
        turned
    }

    fn pair(&self, builder: &mut Builder, x: Value, y: Value) -> (Value, Value) {
        let (cx, sy) = (builder.mul(self.cos, x), builder.mul(self.sin, y));
        let (sx, cy) = (builder.mul(self.sin, x), builder.mul(self.cos, y));
        (builder.sub(cx, sy), builder.add(sx, cy))
    }

    /// An inertia in the axes before the turn, block by block.
    pub fn inertia_inwards(
        &self,
        builder: &mut Builder,
        inertia: &SpatialInertia,
    ) -> SpatialInertia {
        let mut turned = *inertia;
        for (row, column) in [(0, 0), (0, 3), (3, 3)] {
            self.block(builder, inertia, &mut turned, (row, column));
        }
        for (i, j) in pairs() {
            turned[3 + j][i] = turned[i][3 + j];
        }
        turned
    }

    /// R B Rᵀ. With p = B_jj − B_ii, e = B_ij + B_ji and t = s p − c e it takes
    ///
    /// ```text
    /// B'_ii = B_ii + s t     B'_jj = B_jj − s t     B'_ij = −c t − B_ji     B'_ji = −c t − B_ij
    /// ```
    fn block(
        &self,
        builder: &mut Builder,
        from: &SpatialInertia,
        to: &mut SpatialInertia,
        (row, column): (usize, usize),
    ) {
        let ((i, j), k) = (across(self.about), self.about);
        let is_symmetric = row == column;
        (to[row + i][column + k], to[row + j][column + k]) = self.pair(
            builder,
            from[row + i][column + k],
            from[row + j][column + k],
        );
        (to[row + k][column + i], to[row + k][column + j]) = self.pair(
            builder,
            from[row + k][column + i],
            from[row + k][column + j],
        );
        if builder.is_zero(self.sin) {
            return;
        }
        let [ii, ij, ji, jj] =
            [(i, i), (i, j), (j, i), (j, j)].map(|(a, b)| from[row + a][column + b]);
        let turned = match builder.is_zero(self.cos) {
            true => [jj, builder.neg(ji), builder.neg(ij), ii],
            false => self.square(builder, [ii, ij, ji, jj], is_symmetric),
        };
        for ((a, b), value) in [(i, i), (i, j), (j, i), (j, j)].into_iter().zip(turned) {
            to[row + a][column + b] = value;
        }
    }

    fn square(
        &self,
        builder: &mut Builder,
        [ii, ij, ji, jj]: [Value; 4],
        is_symmetric: bool,
    ) -> [Value; 4] {
        let p = builder.sub(jj, ii);
        let ce = match is_symmetric {
            // Both symmetric blocks share 2 c.
            true => {
                let twice = builder.add(self.cos, self.cos);
                builder.mul(twice, ij)
            }
            false => {
                let e = builder.add(ij, ji);
                builder.mul(self.cos, e)
            }
        };
        let sp = builder.mul(self.sin, p);
        let t = builder.sub(sp, ce);
        let (st, ct) = (builder.mul(self.sin, t), builder.mul(self.cos, t));
        let minus = builder.neg(ct);
        [
            builder.add(ii, st),
            builder.sub(minus, ji),
            builder.sub(minus, ij),
            builder.sub(jj, st),
        ]
    }
}

impl Shift {
    /// The twist at the point that is reached: a + α × ρ
    pub fn outwards(&self, builder: &mut Builder, twist: &ScrewValues) -> ScrewValues {
        let (i, j) = across(self.along);
        let mut moved = *twist;
        let (plus, minus) = (
            builder.mul(self.by, twist[j]),
            builder.mul(self.by, twist[i]),
        );
        moved[3 + i] = builder.add(twist[3 + i], plus);
        moved[3 + j] = builder.sub(twist[3 + j], minus);
        moved
    }

    /// The wrench about the point before: τ + ρ × F
    pub fn inwards(&self, builder: &mut Builder, wrench: &ScrewValues) -> ScrewValues {
        let (i, j) = across(self.along);
        let mut moved = *wrench;
        let (minus, plus) = (
            builder.mul(self.by, wrench[3 + j]),
            builder.mul(self.by, wrench[3 + i]),
        );
        moved[i] = builder.sub(wrench[i], minus);
        moved[j] = builder.add(wrench[j], plus);
        moved
    }

    /// The inertia about the point before: H' = H + ρ̃ M, J' = J + ρ̃ Hᵀ − H' ρ̃
    pub fn inertia_inwards(
        &self,
        builder: &mut Builder,
        inertia: &SpatialInertia,
    ) -> SpatialInertia {
        let ((i, j), k, by) = (across(self.along), self.along, self.by);
        let mut moved = *inertia;
        let mut set = |a: usize, b: usize, value| (moved[a][b], moved[b][a]) = (value, value);
        let mut lever = *inertia;
        for c in 3..6 {
            let (minus, plus) = (
                builder.mul(by, inertia[3 + j][c]),
                builder.mul(by, inertia[3 + i][c]),
            );
            lever[i][c] = builder.sub(inertia[i][c], minus);
            lever[j][c] = builder.add(inertia[j][c], plus);
            set(i, c, lever[i][c]);
            set(j, c, lever[j][c]);
        }
        let mut scaled = |a: Value| builder.mul(by, a);
        let [side_i, side_j] = [inertia[k][3 + j], inertia[k][3 + i]].map(&mut scaled);
        let sum = builder.add(inertia[i][3 + j], lever[i][3 + j]);
        let square_i = builder.mul(by, sum);
        let sum = builder.add(inertia[j][3 + i], lever[j][3 + i]);
        let square_j = builder.mul(by, sum);
        let difference = builder.sub(lever[i][3 + i], inertia[j][3 + j]);
        let product = builder.mul(by, difference);
        set(i, i, builder.sub(inertia[i][i], square_i));
        set(j, j, builder.add(inertia[j][j], square_j));
        set(i, j, builder.add(inertia[i][j], product));
        set(k, i, builder.sub(inertia[k][i], side_i));
        set(k, j, builder.add(inertia[k][j], side_j));
        moved
    }
}

/// A wrench in these axes as those see it in which they are given: Σ v_k a_k
pub fn out_of(builder: &mut Builder, axes: &[Triple; 3], screw: &ScrewValues) -> ScrewValues {
    let rows = rows(axes);
    let (angular, linear) = parts(screw);
    let [angular, linear] = [angular, linear].map(|v| rows.map(|row| dot(builder, &row, &v)));
    join(angular, linear)
}

/// A twist in these axes: a_k · v
pub fn into(builder: &mut Builder, axes: &[Triple; 3], screw: &ScrewValues) -> ScrewValues {
    let (angular, linear) = parts(screw);
    let [angular, linear] = [angular, linear].map(|v| axes.map(|axis| dot(builder, &axis, &v)));
    join(angular, linear)
}

/// A B Aᵀ, block by block; a block that is the same in all directions stays as it is.
pub fn inertia_out_of(
    builder: &mut Builder,
    axes: &[Triple; 3],
    inertia: &SpatialInertia,
) -> SpatialInertia {
    let rows = rows(axes);
    let mut turned = *inertia;
    for (row, column) in [(0, 0), (0, 3), (3, 3)] {
        if is_round(builder, inertia, (row, column)) {
            continue;
        }
        let block: [Triple; 3] =
            std::array::from_fn(|i| std::array::from_fn(|j| inertia[row + i][column + j]));
        // Row i of B Aᵀ
        let half = block.map(|line| rows.map(|r| dot(builder, &line, &r)));
        for (i, j) in pairs().filter(|(i, j)| row != column || j <= i) {
            let line: Triple = std::array::from_fn(|k| half[k][j]);
            let value = dot(builder, &rows[i], &line);
            turned[row + i][column + j] = value;
            turned[column + j][row + i] = value;
        }
    }
    turned
}

/// The places of a block.
fn pairs() -> impl Iterator<Item = (usize, usize)> {
    (0..9).map(|n| (n / 3, n % 3))
}

/// True for a multiple of the unit matrix.
fn is_round(builder: &Builder, inertia: &SpatialInertia, (row, column): (usize, usize)) -> bool {
    let entry = |i: usize, j: usize| inertia[row + i][column + j];
    let diagonal = entry(0, 0) == entry(1, 1) && entry(1, 1) == entry(2, 2);
    let off = |i: usize| (0..3).all(|j| i == j || builder.is_zero(entry(i, j)));
    diagonal && (0..3).all(off)
}

fn rows(axes: &[Triple; 3]) -> [Triple; 3] {
    std::array::from_fn(|i| std::array::from_fn(|k| axes[k][i]))
}
