//! Twists, wrenches and articulated inertias of values: the angular part first.

use crate::kernel::Value;
use crate::kernel::builder::instructions::Builder;

/// Three components.
pub type Triple = [Value; 3];

/// Angular part and linear part.
pub type ScrewValues = [Value; 6];

/// f = I t, all entries of the symmetric matrix.
pub type SpatialInertia = [ScrewValues; 6];

/// a + b
pub fn add<const N: usize>(builder: &mut Builder, a: &[Value; N], b: &[Value; N]) -> [Value; N] {
    std::array::from_fn(|i| builder.add(a[i], b[i]))
}

/// a + s b
pub fn add_scaled(
    builder: &mut Builder,
    a: &ScrewValues,
    s: Value,
    b: &ScrewValues,
) -> ScrewValues {
    std::array::from_fn(|i| {
        let term = builder.mul(s, b[i]);
        builder.add(a[i], term)
    })
}

/// a − s b
pub fn sub_scaled(
    builder: &mut Builder,
    a: &ScrewValues,
    s: Value,
    b: &ScrewValues,
) -> ScrewValues {
    std::array::from_fn(|i| {
        let term = builder.mul(s, b[i]);
        builder.sub(a[i], term)
    })
}

/// a · b
pub fn dot<const N: usize>(builder: &mut Builder, a: &[Value; N], b: &[Value; N]) -> Value {
    let mut sum = builder.zero();
    for (&a, &b) in a.iter().zip(b) {
        let term = builder.mul(a, b);
        sum = builder.add(sum, term);
    }
    sum
}

/// a × b
pub fn cross(builder: &mut Builder, a: &Triple, b: &Triple) -> Triple {
    [(1, 2), (2, 0), (0, 1)].map(|(i, j)| {
        let (plus, minus) = (builder.mul(a[i], b[j]), builder.mul(a[j], b[i]));
        builder.sub(plus, minus)
    })
}

/// I t
pub fn apply(builder: &mut Builder, inertia: &SpatialInertia, twist: &ScrewValues) -> ScrewValues {
    std::array::from_fn(|i| dot(builder, &inertia[i], twist))
}

/// I + s a aᵀ
pub fn add_square(
    builder: &mut Builder,
    inertia: &SpatialInertia,
    s: Value,
    a: &ScrewValues,
) -> SpatialInertia {
    let mut sum = *inertia;
    for i in 0..6 {
        let scaled = builder.mul(s, a[i]);
        for j in 0..=i {
            let term = builder.mul(scaled, a[j]);
            let entry = builder.add(inertia[i][j], term);
            (sum[i][j], sum[j][i]) = (entry, entry);
        }
    }
    sum
}

/// The twist at the end of an arm: (α, a + α × ρ)
pub fn outwards(builder: &mut Builder, twist: &ScrewValues, arm: &Triple) -> ScrewValues {
    let (angular, linear) = parts(twist);
    let swing = cross(builder, &angular, arm);
    join(angular, add(builder, &linear, &swing))
}

/// The wrench about the start of an arm: (τ + ρ × F, F)
pub fn inwards(builder: &mut Builder, wrench: &ScrewValues, arm: &Triple) -> ScrewValues {
    let (torque, force) = parts(wrench);
    let lever = cross(builder, arm, &force);
    join(add(builder, &torque, &lever), force)
}

/// The inertia about the start of an arm, column by column: the wrench of each unit twist there.
///
/// ```text
/// I = [ J  H ; Hᵀ M ]        H' = H + ρ̃ M        J' = J + ρ̃ Hᵀ − H' ρ̃
/// ```
pub fn inertia_inwards(
    builder: &mut Builder,
    inertia: &SpatialInertia,
    arm: &Triple,
) -> SpatialInertia {
    let mut shifted = *inertia;
    let row = |k: usize, from: usize| -> Triple { std::array::from_fn(|j| inertia[k][from + j]) };
    // Column j of H' = H_j + ρ × M_j
    for j in 0..3 {
        let lever = cross(builder, arm, &row(3 + j, 3));
        for i in 0..3 {
            let entry = builder.add(inertia[i][3 + j], lever[i]);
            (shifted[i][3 + j], shifted[3 + j][i]) = (entry, entry);
        }
    }
    // Row i of −H' ρ̃ is ρ × (row i of H'); column j of ρ̃ Hᵀ is ρ × (row j of H).
    let of_new: [Triple; 3] = std::array::from_fn(|i| {
        let row: Triple = std::array::from_fn(|j| shifted[i][3 + j]);
        cross(builder, arm, &row)
    });
    let of_old: [Triple; 3] = std::array::from_fn(|j| cross(builder, arm, &row(j, 3)));
    for i in 0..3 {
        for j in 0..=i {
            let sum = builder.add(of_new[i][j], of_old[j][i]);
            let entry = builder.add(inertia[i][j], sum);
            (shifted[i][j], shifted[j][i]) = (entry, entry);
        }
    }
    shifted
}

/// Angular and linear part.
pub fn parts(screw: &ScrewValues) -> (Triple, Triple) {
    let [a, b, c, d, e, f] = *screw;
    ([a, b, c], [d, e, f])
}

/// Both parts together.
pub fn join(angular: Triple, linear: Triple) -> ScrewValues {
    let ([a, b, c], [d, e, f]) = (angular, linear);
    [a, b, c, d, e, f]
}
