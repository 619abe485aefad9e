//! Two formulas of Marques, Souto and Flores as they are printed, and as the stabilizers have them.

use nalgebra::{Matrix2, Matrix3, Matrix3x4, Matrix4, RowVector2, Vector2, Vector3, Vector4};

/// Three rows, and masses 1 and 50 at two points: what a linear step leaves of D δ = −Φ.
#[test]
fn mass_weights_stand_inverted() {
    let d = Matrix3x4::new(
        1.0, 0.2, -1.0, 0.3, //
        0.1, 1.0, 0.4, -1.0, //
        0.0, 0.3, 1.0, 0.5,
    );
    let mass = Matrix4::from_diagonal(&Vector4::new(1.0, 1.0, 50.0, 50.0));
    let inverse = mass.try_inverse().unwrap();
    let phi = Vector3::new(0.3, -0.2, 0.1);
    let solve = |a: Matrix3<f64>| a.lu().solve(&phi).unwrap();
    let printed = -mass * d.transpose() * solve(d * d.transpose());
    let weighted = -inverse * d.transpose() * solve(d * inverse * d.transpose());
    assert!((d * printed + phi).norm() > phi.norm());
    // A few products of numbers of the order 1.
    assert!((d * weighted + phi).norm() < 1e-14);
}

/// A point of unit mass on the unit circle, Φ = ½ (q · q − 1), from a place off it.
struct Circle {
    given: Vector2<f64>,
}

const ALPHA: f64 = 1e7;

impl Circle {
    fn phi(q: Vector2<f64>) -> f64 {
        0.5 * (q.dot(&q) - 1.0)
    }

    /// (M + α DᵀD) Δq = −[ M (q − q*) + Dᵀ(λ + pull · Φ) ], λ ← λ + α Φ with D as it was at q*; |Φ| after
    /// each pass.
    fn passes(&self, pull: f64, n: usize) -> Vec<f64> {
        let d: RowVector2<f64> = self.given.transpose();
        let matrix = Matrix2::identity() + ALPHA * d.transpose() * d;
        let factor = matrix.lu();
        let (mut q, mut lambda) = (self.given, 0.0);
        let mut left = Vec::new();
        for _ in 0..n {
            let force = d.transpose() * (lambda + pull * Self::phi(q));
            let right = -(q - self.given + force);
            q += factor.solve(&right).unwrap();
            lambda += ALPHA * Self::phi(q);
            left.push(Self::phi(q).abs());
        }
        left
    }
}

/// The bracket needs α Φ: without it the first pass does nothing, and the following ones jump back and forth.
#[test]
fn mass_orthogonal_passes_need_the_violation() {
    let circle = Circle {
        given: Vector2::new(0.6, 0.8) * (1.0 + 6e-5),
    };
    let left = circle.passes(ALPHA, 8);
    assert!(left[7] < 1e-14, "{left:?}");
    let printed = circle.passes(0.0, 40);
    let least = printed.iter().fold(f64::INFINITY, |least, x| least.min(*x));
    assert!(printed[39] > 1e-6, "{printed:?}");
    assert!(least > 1e-12, "{printed:?}");
}
