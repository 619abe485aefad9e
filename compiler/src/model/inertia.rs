//! Inertia of a body → its tensor about the centre of mass.

use nalgebra::Matrix3;

use super::context::{Context, Resolved, all, did_you_mean, with_hint};
use super::dimension::INERTIA;
use super::number::{constant, count, number};
use super::shape::PlacedShape;
use super::thin::{NO_MOMENT, axis_of_rod};
use super::{Vector, check};
use crate::description::{FullInertia, Inertia, Number};
use crate::diagnostics::{Code, Diagnostic, Path};
use crate::expr::Expr;

/// A tensor in body axes.
pub(super) type Tensor = [[Expr; 3]; 3];

/// The tensor about the centre of mass; in the plane only `[2][2]` counts and the rest is 0.
pub(super) fn inertia(
    cx: &mut Context,
    written: &Inertia,
    mass: Resolved<Expr>,
    shape: &PlacedShape,
    path: &Path,
) -> Resolved<Tensor> {
    let tensor = match written {
        Inertia::Planar(moment) => planar(cx, moment, path),
        Inertia::Principal(list) => principal(cx, list, path),
        Inertia::Full(full) => {
            let about = about(cx, full, shape, path);
            let entries = entries(cx, full, path)?;
            let size = largest(&entries);
            let [x, y, z] = parallel_axis(entries, &mass?, &about?);
            Ok(match cx.planar() {
                true => exact(only_about_z(z), size),
                false => exact([x, y, z], size),
            })
        }
    }?;
    check::inertia(cx, &tensor, path)?;
    Ok(tensor)
}

fn planar(cx: &mut Context, moment: &Number, path: &Path) -> Resolved<Tensor> {
    if !cx.planar() {
        let message = "the inertia of a spatial body is three principal moments or a table";
        let diagnostic = Diagnostic::error(Code::M215, path, message);
        return Err(cx.report(diagnostic.hint("write `[xx, yy, zz]`")));
    }
    let zz = number(cx, moment, path, INERTIA)?;
    Ok(diagonal([Expr::zero(), Expr::zero(), zz]))
}

fn principal(cx: &mut Context, list: &[Number], path: &Path) -> Resolved<Tensor> {
    if cx.planar() {
        let message = "the inertia of a planar body is one number";
        let diagnostic = Diagnostic::error(Code::M215, path, message);
        return Err(cx.report(diagnostic.hint("give the moment about z through its centre")));
    }
    count(cx, list.len(), 3, path)?;
    let moments = [0, 1, 2].map(|k| number(cx, &list[k], &path.index(k), INERTIA));
    Ok(diagonal(all(moments)?))
}

fn entries(cx: &mut Context, full: &FullInertia, path: &Path) -> Resolved<Tensor> {
    let zz = number(cx, &full.zz, &path.key("zz"), INERTIA);
    if cx.planar() {
        only_zz(cx, full, path)?;
        return Ok(diagonal([Expr::zero(), Expr::zero(), zz?]));
    }
    let xx = moment(cx, &full.xx, &path.key("xx"));
    let yy = moment(cx, &full.yy, &path.key("yy"));
    let xy = product(cx, &full.xy, &path.key("xy"));
    let xz = product(cx, &full.xz, &path.key("xz"));
    let yz = product(cx, &full.yz, &path.key("yz"));
    let [xy, xz, yz] = all([xy, xz, yz])?;
    Ok([
        [xx?, xy.clone(), xz.clone()],
        [xy, yy?, yz.clone()],
        [xz, yz, zz?],
    ])
}

fn only_zz(cx: &mut Context, full: &FullInertia, path: &Path) -> Resolved<()> {
    let others = [
        ("xx", &full.xx),
        ("yy", &full.yy),
        ("xy", &full.xy),
        ("xz", &full.xz),
        ("yz", &full.yz),
    ];
    let mut result = Ok(());
    for (key, _) in others.iter().filter(|(_, entry)| entry.is_some()) {
        let message = format!("a planar body has no use for `{key}`");
        let diagnostic = Diagnostic::error(Code::M213, &path.key(key), message);
        result = Err(cx.report(diagnostic.hint("only `zz` counts in the plane")));
    }
    result
}

fn moment(cx: &mut Context, written: &Option<Number>, path: &Path) -> Resolved<Expr> {
    match written {
        Some(moment) => number(cx, moment, path, INERTIA),
        None => {
            let message = format!("`{path}` is needed in space");
            let diagnostic = Diagnostic::error(Code::M214, path, message);
            Err(cx.report(diagnostic.hint("give `xx`, `yy` and `zz`")))
        }
    }
}

fn product(cx: &mut Context, written: &Option<Number>, path: &Path) -> Resolved<Expr> {
    match written {
        Some(product) => constant(cx, product, path, Some(INERTIA)).map(Expr::constant),
        None => Ok(Expr::zero()),
    }
}

/// From the centre of mass to the reference point; `None` is the centre itself.
fn about(
    cx: &mut Context,
    full: &FullInertia,
    shape: &PlacedShape,
    path: &Path,
) -> Resolved<Option<Vector>> {
    let name = match full.about.as_deref() {
        None | Some("center") => return Ok(None),
        Some(name) => name,
    };
    let Some(point) = shape.points.get(name) else {
        let hint = did_you_mean(name, shape.points.keys().map(String::as_str));
        let message = format!("there is no point `{name}` on this body");
        let diagnostic = Diagnostic::error(Code::M201, &path.key("about"), message);
        return Err(cx.report(with_hint(diagnostic, hint)));
    };
    let (point, center) = (point.clone()?, shape.center.clone()?);
    Ok(Some([0, 1, 2].map(|k| &point[k] - &center[k])))
}

/// I_c = I_p − m (|d|² 1 − d dᵀ), with d from the centre of mass to p.
fn parallel_axis(tensor: Tensor, mass: &Expr, about: &Option<Vector>) -> Tensor {
    let Some(d) = about else { return tensor };
    // Without d_i², which would cancel: a rod stays one whatever its length is.
    let across = |i: usize| -> Expr { (0..3).filter(|k| *k != i).map(|k| d[k].square()).sum() };
    let entry = |i: usize, j: usize| match i == j {
        true => &tensor[i][j] - mass * across(i),
        false => &tensor[i][j] + mass * (&d[i] * &d[j]),
    };
    [0, 1, 2].map(|i| [0, 1, 2].map(|j| entry(i, j)))
}

/// A rod and a point mass exactly as such, if the entries are numbers: moments about another point, of
/// the given size, leave rounding where a moment is zero.
pub(super) fn exact(tensor: Tensor, size: f64) -> Tensor {
    let number = |i: usize, j: usize| tensor[i][j].as_constant().unwrap_or(f64::NAN);
    let numbers = Matrix3::from_fn(number);
    if numbers.iter().all(|entry| entry.abs() <= NO_MOMENT * size) {
        return diagonal([Expr::zero(), Expr::zero(), Expr::zero()]);
    }
    let Some((axis, moment)) = axis_of_rod(&numbers) else {
        return tensor;
    };
    let clean = |c: f64| if c.abs() < NO_MOMENT { 0.0 } else { c };
    let axis = axis.map(clean).normalize();
    let entry = |i: usize, j: usize| {
        let one = if i == j { 1.0 } else { 0.0 };
        Expr::constant(moment * (one - axis[i] * axis[j]))
    };
    [0, 1, 2].map(|i| [0, 1, 2].map(|j| entry(i, j)))
}

fn only_about_z([_, _, zz]: Vector) -> Tensor {
    diagonal([Expr::zero(), Expr::zero(), zz])
}

/// The largest entry that is a number.
pub(super) fn largest(tensor: &Tensor) -> f64 {
    let numbers = tensor.iter().flatten().filter_map(Expr::as_constant);
    numbers.fold(0.0, |size, entry| size.max(entry.abs()))
}

fn diagonal([xx, yy, zz]: [Expr; 3]) -> Tensor {
    let zero = Expr::zero;
    [
        [xx, zero(), zero()],
        [zero(), yy, zero()],
        [zero(), zero(), zz],
    ]
}
