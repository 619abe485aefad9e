//! Nine absolute coordinates and eight rows: D M⁻¹ Dᵀ λ = γ − D M⁻¹ Q by Cholesky, with Baumgarte's terms.

use nalgebra::{SMatrix, SVector};

use crate::{ANGLES, CRANK_RATE, Equations, G, GROUND, I, L, M, R};

#[derive(Clone, Copy)]
pub struct Absolute;

type Coordinates = SVector<f64, 9>;
type Rows = SVector<f64, 8>;

/// Both roots of Baumgarte's terms, 1/s.
const ROOT: f64 = 100.0;
/// Pins: body and distance from its centre, twice; ground has no number.
const PINS: [[Option<(usize, f64)>; 2]; 4] = [
    [Some((0, -R[0])), None],
    [Some((0, L[0] - R[0])), Some((1, -R[1]))],
    [Some((1, L[1] - R[1])), Some((2, L[2] - R[2]))],
    [Some((2, -R[2])), None],
];

impl Equations for Absolute {
    type Vector = Coordinates;

    fn start(self) -> (Coordinates, Coordinates) {
        let [a, b, c] = ANGLES;
        // L1 ω1 n1 + L2 ω2 n2 = L3 ω3 n3
        let factor = L[0] * CRANK_RATE / (b - c).sin();
        let (wb, wc) = (factor / L[1] * (c - a).sin(), factor / L[2] * (b - a).sin());
        let q = [
            R[0] * a.cos(),
            R[0] * a.sin(),
            a,
            L[0] * a.cos() + R[1] * b.cos(),
            L[0] * a.sin() + R[1] * b.sin(),
            b,
            GROUND + R[2] * c.cos(),
            R[2] * c.sin(),
            c,
        ];
        let v = [
            -R[0] * a.sin() * CRANK_RATE,
            R[0] * a.cos() * CRANK_RATE,
            CRANK_RATE,
            -L[0] * a.sin() * CRANK_RATE - R[1] * b.sin() * wb,
            L[0] * a.cos() * CRANK_RATE + R[1] * b.cos() * wb,
            wb,
            -R[2] * c.sin() * wc,
            R[2] * c.cos() * wc,
            wc,
        ];
        (Coordinates::from(q), Coordinates::from(v))
    }

    fn accelerate(self, q: &Coordinates, v: &Coordinates) -> Coordinates {
        let (mut phi, mut gamma) = (Rows::zeros(), Rows::zeros());
        let mut d = SMatrix::<f64, 8, 9>::zeros();
        phi[6] = -GROUND;
        for (pin, ends) in PINS.iter().enumerate() {
            for (end, sign) in ends.iter().zip([1.0, -1.0]) {
                let Some((body, s)) = *end else { continue };
                let (r, c) = (2 * pin, 3 * body);
                let (sin, cos) = q[c + 2].sin_cos();
                let square = v[c + 2] * v[c + 2];
                for (k, (along, across)) in [(cos, -sin), (sin, cos)].into_iter().enumerate() {
                    phi[r + k] += sign * (q[c + k] + s * along);
                    gamma[r + k] += sign * s * along * square;
                    d[(r + k, c + k)] = sign;
                    d[(r + k, c + 2)] = sign * s * across;
                }
            }
        }
        let gamma = gamma - d * v * (2.0 * ROOT) - phi * (ROOT * ROOT);
        let mut weighted = d;
        let mut free = Coordinates::zeros();
        for body in 0..3 {
            free[3 * body + 1] = -G;
            for (k, mass) in [M[body], M[body], I[body]].into_iter().enumerate() {
                weighted.column_mut(3 * body + k).scale_mut(1.0 / mass);
            }
        }
        let factor = (weighted * d.transpose())
            .cholesky()
            .expect("the rows are independent");
        free + weighted.transpose() * factor.solve(&(gamma - d * free))
    }

    fn crank(a: &Coordinates) -> f64 {
        a[2]
    }
}
