//! Normalizes coordinates so that they keep their meaning: Euler parameters of unit length, orthonormal axes, counted
//! angles.

use crate::expr::Unary;
use crate::kernel::builder::draft::FunctionDraft;
use crate::kernel::builder::instructions::Builder;
use crate::kernel::builder::translate::Translation;
use crate::kernel::{Array, Name, Slot, Value};
use crate::structure::Rotation;
use crate::symbolic::Equations;

/// p ← p L / √(p · p) for Euler parameters and for axes and arms in the plane. Of three axes the first keeps its
/// direction and the second its side: z = x × y, y = z × x. A coordinate that counts turns stays near its
/// angle, which does not change with lengths. Others stay as they are.
pub fn normalize(equations: &Equations) -> FunctionDraft {
    let mut draft = FunctionDraft::new(Name::Normalize);
    let b = &mut draft.builder;
    let mut q: Vec<Value> = (0..equations.n_coordinates)
        .map(|i| b.load(Slot::new(Array::Coordinates, i)))
        .collect();
    for unit in &equations.unit {
        scale(b, &mut q, &unit.coordinates, 1.0);
    }
    for rotation in &equations.rotations {
        match rotation {
            Rotation::Planar { axis, length, .. } => scale(b, &mut q, axis, *length),
            Rotation::Spatial { axes, .. } => orthonormal(b, &mut q, axes),
        }
    }
    let mut translation = Translation::new(&equations.auxiliaries);
    for counter in &equations.counters {
        q[counter.coordinate as usize] = translation.value(b, &counter.value);
    }
    for (i, value) in q.into_iter().enumerate() {
        draft.write(Array::Coordinates, i, value);
    }
    draft
}

/// p ← p L / √(p · p)
fn scale(b: &mut Builder, q: &mut [Value], group: &[u32], length: f64) {
    let mut square = b.zero();
    for &i in group {
        let p = q[i as usize];
        let product = b.mul(p, p);
        square = b.add(square, product);
    }
    let norm = b.unary(Unary::Sqrt, square);
    let length = b.constant(length);
    let scale = b.div(length, norm);
    for &i in group {
        q[i as usize] = b.mul(q[i as usize], scale);
    }
}

fn orthonormal(b: &mut Builder, q: &mut [Value], [x, y, z]: &[[u32; 3]; 3]) {
    scale(b, q, x, 1.0);
    set_cross(b, q, z, (x, y));
    scale(b, q, z, 1.0);
    set_cross(b, q, y, (z, x));
}

/// The first becomes the product of the other two.
pub fn set_cross(b: &mut Builder, q: &mut [Value], to: &[u32; 3], of: (&[u32; 3], &[u32; 3])) {
    let at = |axis: &[u32; 3]| axis.map(|i| q[i as usize]);
    let product = cross(b, &at(of.0), &at(of.1));
    for (i, value) in to.iter().zip(product) {
        q[*i as usize] = value;
    }
}

/// a × b
pub fn cross(builder: &mut Builder, a: &[Value; 3], b: &[Value; 3]) -> [Value; 3] {
    [(1, 2), (2, 0), (0, 1)].map(|(j, k)| {
        let (one, two) = (builder.mul(a[j], b[k]), builder.mul(a[k], b[j]));
        builder.sub(one, two)
    })
}
