//! Three upright links of 1 m and 1 kg whose tops are joined by two couplers, in the coordinates of the
//! tops. Where all of it is flat the rows lose rank and the mobility is three.

use bellcrank::Energy;
use nalgebra::{Matrix6, SMatrix, SVector, Vector2, Vector5, Vector6};

use super::{Twin, Twinned};

pub type DoubleFourBar = Twinned<Links, 6, 5, 1, 6, 30>;

const GRAVITY: f64 = 9.81;
/// Rods as pairs of tops; the link to ground has only one.
const RODS: [(Option<usize>, usize); 5] =
    [(None, 0), (None, 1), (None, 2), (Some(0), 1), (Some(1), 2)];

#[derive(Clone, Copy, Debug)]
pub struct Links {
    pub lengths: [f64; 5],
    pub guess: Vector6<f64>,
    /// Velocity of the tops at the start.
    pub speed: f64,
}

impl Default for Links {
    fn default() -> Self {
        Self {
            lengths: [1.0; 5],
            guess: Vector6::new(0.2, 1.1, 1.3, 0.8, 2.1, 1.0),
            speed: 1.0,
        }
    }
}

impl Links {
    /// From the first end of a rod to its second.
    fn along(q: &Vector6<f64>, rod: usize) -> Vector2<f64> {
        match RODS[rod] {
            (None, top) => Self::top(q, top) - Vector2::new(top as f64, 0.0),
            (Some(first), second) => Self::top(q, second) - Self::top(q, first),
        }
    }

    fn top(q: &Vector6<f64>, top: usize) -> Vector2<f64> {
        Vector2::new(q[2 * top], q[2 * top + 1])
    }

    /// The velocity of one end against the other.
    fn turning(v: &Vector6<f64>, rod: usize) -> Vector2<f64> {
        let (first, second) = RODS[rod];
        Self::top(v, second) - first.map_or(Vector2::zeros(), |first| Self::top(v, first))
    }

    /// A uniform rod is (m/3, m/6; m/6, m/3) in the coordinates of its ends.
    fn mass() -> Matrix6<f64> {
        let mut mass = Matrix6::zeros();
        for (first, second) in RODS {
            for axis in 0..2 {
                let j = 2 * second + axis;
                mass[(j, j)] += 1.0 / 3.0;
                let Some(i) = first.map(|first| 2 * first + axis) else {
                    continue;
                };
                mass[(i, i)] += 1.0 / 3.0;
                mass[(i, j)] += 1.0 / 6.0;
                mass[(j, i)] += 1.0 / 6.0;
            }
        }
        mass
    }

    /// Half of the mass of each rod that ends at a top.
    fn weights() -> Vector6<f64> {
        let ends = |top: usize| {
            RODS.iter()
                .map(|rod| f64::from(u8::from(rod.0 == Some(top)) + u8::from(rod.1 == top)))
                .sum::<f64>()
        };
        Vector6::from_fn(|i, _| {
            if i % 2 == 1 {
                0.5 * GRAVITY * ends(i / 2)
            } else {
                0.0
            }
        })
    }
}

impl Twin<6, 5, 1> for Links {
    const NAME: &'static str = "double four-bar";
    const COORDINATES: &'static [&'static str] = &["x0", "y0", "x1", "y1", "x2", "y2"];
    const CONSTRAINTS: &'static [&'static str] =
        &["link 0", "link 1", "link 2", "coupler 0", "coupler 1"];
    const PARAMETERS: &'static [&'static str] = Self::CONSTRAINTS;
    const HOLDS: &'static [&'static str] = &["x0"];

    fn start(&self) -> (Vector6<f64>, Vector6<f64>) {
        let upright = Vector6::new(0.0, 1.0, 1.0, 1.0, 2.0, 1.0);
        (
            upright,
            Vector6::new(1.0, 0.0, 1.0, 0.0, 1.0, 0.0) * self.speed,
        )
    }
    fn guess(&self) -> (Vector6<f64>, Vector6<f64>) {
        (self.guess, self.start().1)
    }
    fn parameters(&self) -> &[f64] {
        &self.lengths
    }
    fn parameters_mut(&mut self) -> &mut [f64] {
        &mut self.lengths
    }
    fn inverse_mass(&self) -> Matrix6<f64> {
        Self::mass()
            .try_inverse()
            .expect("every top carries a link")
    }
    fn force(&self, _: f64, _: &Vector6<f64>, _: &Vector6<f64>) -> Vector6<f64> {
        -Self::weights()
    }
    fn phi(&self, _: f64, q: &Vector6<f64>) -> Vector5<f64> {
        let square = |rod| Self::along(q, rod).norm_squared() - self.lengths[rod].powi(2);
        Vector5::from_fn(|rod, _| 0.5 * square(rod))
    }
    fn jacobian(&self, q: &Vector6<f64>) -> SMatrix<f64, 5, 6> {
        let mut d = SMatrix::zeros();
        for (rod, (first, second)) in RODS.into_iter().enumerate() {
            let along = Self::along(q, rod);
            for axis in 0..2 {
                d[(rod, 2 * second + axis)] = along[axis];
                if let Some(first) = first {
                    d[(rod, 2 * first + axis)] = -along[axis];
                }
            }
        }
        d
    }
    fn gamma(&self, _: &Vector6<f64>, v: &Vector6<f64>) -> Vector5<f64> {
        Vector5::from_fn(|rod, _| -Self::turning(v, rod).norm_squared())
    }
    fn holds(&self, q: &Vector6<f64>) -> SVector<f64, 1> {
        SVector::from([q[0]])
    }
    fn hold_rows(&self) -> SMatrix<f64, 1, 6> {
        SMatrix::from_fn(|_, j| f64::from(u8::from(j == 0)))
    }
    fn energy(&self, q: &Vector6<f64>, v: &Vector6<f64>) -> Energy<f64> {
        let kinetic = 0.5 * v.dot(&(Self::mass() * v));
        Energy {
            kinetic,
            potential: Self::weights().dot(q),
        }
    }
}
