//! One coordinate, the crank angle θ: m(θ) θ̈ + h(θ) θ̇² = Q(θ). The dyad of coupler and follower is solved in
//! closed form, so nothing drifts and nothing is projected.

use crate::{ANGLES, CRANK_RATE, Equations, G, GROUND, I, L, M, R};

#[derive(Clone, Copy)]
pub struct One;

impl Equations for One {
    type Vector = f64;

    fn start(self) -> (f64, f64) {
        (ANGLES[0], CRANK_RATE)
    }

    #[inline(always)]
    fn accelerate(self, q: &f64, v: &f64) -> f64 {
        let (s1, c1) = q.sin_cos();
        let (u2, u3) = dyad(c1, s1);
        let cross = |a: [f64; 2], b: [f64; 2]| a[0] * b[1] - a[1] * b[0];
        let dot = |a: [f64; 2], b: [f64; 2]| a[0] * b[0] + a[1] * b[1];
        let u1 = [c1, s1];
        // n · u with n the direction turned by a right angle is the negative of the cross product.
        let inverse = -1.0 / cross(u2, u3);
        let k2 = L[0] / L[1] * cross(u1, u3) * inverse;
        let k3 = L[0] / L[2] * cross(u1, u2) * inverse;
        let (c12, c13, c23) = (dot(u1, u2), dot(u1, u3), dot(u2, u3));
        let (k22, k33) = (k2 * k2, k3 * k3);
        let b2 = -(L[0] * c13 + L[1] * k22 * c23 - L[2] * k33) / L[1] * inverse;
        let b3 = (-L[0] * c12 - L[1] * k22 + L[2] * k33 * c23) / L[2] * inverse;
        let moment = |i: usize| I[i] + M[i] * R[i] * R[i];
        let mass = moment(0)
            + M[1] * L[0] * L[0]
            + 2.0 * M[1] * L[0] * R[1] * k2 * c12
            + moment(1) * k22
            + moment(2) * k33;
        let u12 = -cross(u1, u2);
        let h = M[1] * R[1] * (b2 * (L[0] * c12 + R[1] * k2) + (k22 - k2) * L[0] * u12)
            + I[1] * b2 * k2
            + moment(2) * b3 * k3;
        let weight =
            (M[0] * R[0] + M[1] * L[0]) * c1 + M[1] * R[1] * k2 * u2[0] + M[2] * R[2] * k3 * u3[0];
        (-G * weight - h * v * v) / mass
    }

    fn crank(a: &f64) -> f64 {
        *a
    }
}

/// Directions of coupler and follower.
#[inline(always)]
fn dyad(c1: f64, s1: f64) -> ([f64; 2], [f64; 2]) {
    let (dx, dy) = (GROUND - L[0] * c1, -L[0] * s1);
    let inverse = 1.0 / (dx * dx + dy * dy);
    let along = 0.5 + 0.5 * (L[1] * L[1] - L[2] * L[2]) * inverse;
    let aside = (L[1] * L[1] * inverse - along * along).sqrt();
    let (px, py) = (along * dx - aside * dy, along * dy + aside * dx);
    ([px / L[1], py / L[1]], [(px - dx) / L[2], (py - dy) / L[2]])
}
