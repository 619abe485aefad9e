//! Euler parameters of bodies that have other coordinates.
//!
//! The axes A determine Euler parameters p up to their sign: N = 4 p pᵀ is linear in A. For any c near p,
//!
//! ```text
//! N c = 4 (p · c) p        p = N c / |N c|
//! ```
//!
//! has the sign of c, in every pose. If the model uses p, four coordinates c continue it. They may be off by anything
//! less than half a turn. Coordinates that assembly holds stay near the guess, so the guess is their c.

use super::Counter;
use super::absolute::euler_rates;
use super::kinematics::BodyKinematics;
use crate::expr::{Expr, Symbol};
use crate::model::{BodyId, Vector};

/// Euler parameters of a body from its axes.
pub fn from_axes(kinematics: &mut BodyKinematics, body: BodyId) -> [Expr; 4] {
    let model = kinematics.model;
    let guess = model.bodies[body.0 as usize]
        .orientation
        .map(Expr::constant);
    if !model.oriented.contains(&body) {
        let value = beside(&kinematics.axes(body), &guess);
        return named(kinematics, body, value);
    }
    let name = &model.bodies[body.0 as usize].name;
    let names = ["e0", "e1", "e2", "e3"].map(|part| format!("{name}.{part}"));
    let first = kinematics.system.coordinates.len() as u32;
    let near = kinematics.coordinates(names, guess.each_ref());
    let near = std::array::from_fn(|k| near[k].clone());
    let spin = kinematics.angular_velocity(Some(body));
    let rates = euler_rates(&near, &spin);
    kinematics.system.rates.extend(rates);
    let value = beside(&kinematics.axes(body), &near);
    let counters = (first..).zip(value.clone());
    let counters = counters.map(|(coordinate, value)| Counter { coordinate, value });
    kinematics.system.counters.extend(counters);
    named(kinematics, body, value)
}

/// Auxiliaries with ṗ = ½ (0, ω) ∘ p.
fn named(kinematics: &mut BodyKinematics, body: BodyId, value: [Expr; 4]) -> [Expr; 4] {
    let first = kinematics.system.auxiliaries.len() as u32;
    let names = [0, 1, 2, 3].map(|k| Expr::symbol(Symbol::Auxiliary(first + k)));
    let rates = euler_rates(&names, &kinematics.angular_velocity(Some(body)));
    for (value, rate) in value.into_iter().zip(rates) {
        kinematics.auxiliary(value, rate);
    }
    names
}

/// N c / |N c|
fn beside(axes: &[Vector; 3], near: &[Expr; 4]) -> [Expr; 4] {
    let along = outer(axes).map(|row| -> Expr { row.iter().zip(near).map(|(n, c)| n * c).sum() });
    let square: Expr = along.iter().map(Expr::square).sum();
    let length = square.sqrt();
    along.map(|one| one / &length)
}

/// N, with 4 e0² = 1 + A11 + A22 + A33, 4 e0 e1 = A32 − A23, 4 e1 e2 = A12 + A21, and so on.
fn outer(axes: &[Vector; 3]) -> [[Expr; 4]; 4] {
    let a = |i: usize, j: usize| &axes[j][i];
    let one = Expr::one;
    let (xx, yy, zz) = (a(0, 0), a(1, 1), a(2, 2));
    let [x, y, z] = [(2, 1), (0, 2), (1, 0)].map(|(i, j)| a(i, j) - a(j, i));
    let [xy, xz, yz] = [(0, 1), (0, 2), (1, 2)].map(|(i, j)| a(i, j) + a(j, i));
    [
        [one() + xx + yy + zz, x.clone(), y.clone(), z.clone()],
        [x, one() + xx - yy - zz, xy.clone(), xz.clone()],
        [y, xy, one() - xx + yy - zz, yz.clone()],
        [z, xz, yz, one() - xx - yy + zz],
    ]
}
