//! Shapes of a body → its mass, centre and inertia.
//!
//! Each solid has a mass m, a centre c and second moments P = ∫ (x − c)(x − c)ᵀ dm in body axes. Together
//!
//! ```text
//! m = Σ mᵢ        c = Σ mᵢ cᵢ / m        P = Σ Pᵢ + mᵢ (cᵢ − c)(cᵢ − c)ᵀ        J = tr(P) 1 − P
//! ```
//!
//! Written as J_xx = P_yy + P_zz nothing cancels, so a thin rod has no moment about its own axis to the last bit.

use std::f64::consts::PI;

use nalgebra::{UnitQuaternion, Vector3};

use super::axis::direction;
use super::context::{Context, Reported, Resolved, all, did_you_mean, with_hint};
use super::dimension::{ANGLE, DENSITY, LENGTH, MASS};
use super::inertia::{Tensor, exact};
use super::number::{evaluate, number, vector, warn_of_bare_angle};
use super::orientation::orientation;
use super::polygon::{self, Polygon};
use super::shape::PlacedShape as Frame;
use super::{Solid, Vector, check};
use crate::description::{self, AxisRef, Number, Shape, ShapeType, Shapes};
use crate::diagnostics::{Code, Diagnostic, Path};
use crate::expr::Expr;

/// Mass and inertia of the shapes of a body.
#[derive(Clone, Debug)]
pub(super) struct Matter {
    /// Mass of all of them.
    pub mass: Expr,
    /// Centre of mass, from the origin of the body's frame.
    pub center: Vector,
    /// Inertia about the centre of mass, in body axes; in the plane only `[2][2]` counts.
    pub inertia: Tensor,
    /// The solids, with points from the origin of the body's frame.
    pub solids: Vec<Solid>,
}

/// Mass and inertia of the shapes of a body; `frame` has its points and axes.
pub(super) fn matter(
    cx: &mut Context,
    body: &description::Body,
    frame: &Frame,
    path: &Path,
) -> Resolved<Matter> {
    let contradictions = exclusive(cx, body, path);
    let whole = body.mass.as_ref().map(|mass| {
        let path = path.key("mass");
        let mass = number(cx, mass, &path, MASS)?;
        check::mass(cx, &mass, &path)?;
        // Shapes without mass would have no centre in common.
        check::positive(cx, evaluate(cx, &mass), &path)?;
        Ok(mass)
    });
    let mut pieces = Vec::new();
    for (shape, path) in listed(&body.shape, &path.key("shape")) {
        let piece = Sight { frame, path: &path }.piece(cx, shape, body.mass.is_some());
        pieces.push(piece);
    }
    let mut pieces: Vec<Piece> = pieces.into_iter().collect::<Resolved<_>>()?;
    contradictions?;
    if let Some(whole) = whole {
        share(cx, &mut pieces, &whole?, path)?;
    }
    let matter = together(cx.planar(), &pieces);
    check::inertia(cx, &matter.inertia, &path.key("shape"))?;
    Ok(matter)
}

/// Keys for quantities that shapes already determine.
fn exclusive(cx: &mut Context, body: &description::Body, path: &Path) -> Resolved<()> {
    let mut result = Ok(());
    let keys = [
        ("inertia", body.inertia.is_some()),
        ("center", body.center.is_some()),
    ];
    for (key, _) in keys.into_iter().filter(|(_, written)| *written) {
        let message =
            format!("`{path}` has both `shape` and `{key}`, but its {key} follows from the shape");
        let hint =
            format!("leave `{key}` out, or give `mass`, `inertia` and `center` without a `shape`");
        let diagnostic = Diagnostic::error(Code::M219, &path.key(key), message);
        result = Err(cx.report(diagnostic.hint(hint)));
    }
    result
}

/// Each shape with its place in the description.
fn listed<'s>(shapes: &'s Shapes, path: &Path) -> Vec<(&'s Shape, Path)> {
    match shapes {
        Shapes::One(shape) => vec![(shape, path.clone())],
        Shapes::Many(list) => {
            let numbered = list.iter().enumerate();
            numbered.map(|(i, shape)| (shape, path.index(i))).collect()
        }
    }
}

/// A solid with its mass, which may be that of a density of one.
struct Piece {
    solid: Solid,
    /// Its mass, once it is known.
    mass: Expr,
    /// Its volume, if all its lengths are written.
    volume: Option<Expr>,
    /// Its centre.
    center: Vector,
    /// Its second moments about its centre, for a mass of one.
    spread: Tensor,
    /// The path at which it was written.
    path: Path,
}

/// Gives a mass to pieces that have no density, by their volumes.
fn share(cx: &mut Context, pieces: &mut [Piece], whole: &Expr, path: &Path) -> Resolved<()> {
    if let [piece] = pieces {
        piece.mass = whole.clone();
        return Ok(());
    }
    let mut volumes = Vec::new();
    for piece in pieces.iter() {
        volumes.push(piece.volume.clone().ok_or_else(|| {
            let at = &piece.path;
            let missing = piece.solid.missing();
            let message =
                format!("`{path}` has one mass for several shapes, but `{at}` has no volume");
            let diagnostic = Diagnostic::error(Code::M214, at, message);
            let hint =
                format!("give it a `{missing}`, or give each shape a `mass` and the body none");
            cx.report(diagnostic.hint(hint))
        }));
    }
    let volumes: Vec<Expr> = volumes.into_iter().collect::<Resolved<_>>()?;
    let density = whole / volumes.iter().cloned().sum::<Expr>();
    for (piece, volume) in pieces.iter_mut().zip(volumes) {
        piece.mass = &density * volume;
    }
    Ok(())
}

fn together(planar: bool, pieces: &[Piece]) -> Matter {
    let mass: Expr = pieces.iter().map(|piece| piece.mass.clone()).sum();
    let center = match pieces {
        // Without a division, which would round.
        [piece] => piece.center.clone(),
        _ => [0, 1, 2].map(|k| {
            let moment: Expr = pieces.iter().map(|p| &p.mass * &p.center[k]).sum();
            moment / &mass
        }),
    };
    let spread = |i: usize, j: usize| -> Expr {
        let arm = |piece: &Piece, k: usize| &piece.center[k] - &center[k];
        let own = pieces.iter().map(|p| &p.mass * &p.spread[i][j]);
        let away = pieces.iter().filter(|_| pieces.len() > 1);
        let away = away.map(|p| &p.mass * (arm(p, i) * arm(p, j)));
        own.chain(away).sum()
    };
    let across = |i: usize| spread((i + 1) % 3, (i + 1) % 3) + spread((i + 2) % 3, (i + 2) % 3);
    let inertia = [0, 1, 2].map(|i| {
        [0, 1, 2].map(|j| match (i == j, planar) {
            (true, false) => across(i),
            (true, true) if i == 2 => spread(0, 0) + spread(1, 1),
            (_, true) => Expr::zero(),
            (false, false) => -spread(i, j),
        })
    });
    let size = super::inertia::largest(&inertia);
    Matter {
        mass,
        center,
        inertia: exact(inertia, size),
        solids: pieces.iter().map(|piece| piece.solid.clone()).collect(),
    }
}

/// One shape of a body while it is resolved.
struct Sight<'s> {
    /// Points and axes of the body.
    frame: &'s Frame,
    /// The path at which the shape was written.
    path: &'s Path,
}

impl Sight<'_> {
    fn piece(&self, cx: &mut Context, shape: &Shape, shared: bool) -> Resolved<Piece> {
        let keys = self.keys(cx, shape);
        let geometry = self.geometry(cx, shape);
        let density = self.density(cx, shape, shared);
        keys?;
        let (solid, volume, center, spread) = geometry?;
        let mass = match density? {
            Substance::Mass(mass) => mass,
            Substance::Shared => Expr::one(),
            Substance::Density(density) => match &volume {
                Some(volume) => density * volume,
                None => return Err(self.no_volume(cx, shape.kind, solid.missing())),
            },
        };
        Ok(Piece {
            solid,
            mass,
            volume,
            center,
            spread,
            path: self.path.clone(),
        })
    }

    fn no_volume(&self, cx: &mut Context, kind: ShapeType, missing: &str) -> Reported {
        let message = format!(
            "a `{}` without a `{missing}` has no volume, so a density gives it no mass",
            kind.word()
        );
        let diagnostic = Diagnostic::error(Code::M214, self.path, message);
        cx.report(diagnostic.hint(format!(
            "give a `{missing}`, or a `mass` instead of the density"
        )))
    }

    /// Refuses keys that a shape of this type has no use for.
    fn keys(&self, cx: &mut Context, shape: &Shape) -> Resolved<()> {
        use ShapeType::{Box, Cylinder, Disc, Polygon, Rod, Sphere};
        let planar = cx.planar();
        let kind = shape.kind;
        if planar && kind == Cylinder {
            let message = "a planar body has no `cylinder`: its turns are about z";
            let diagnostic = Diagnostic::error(Code::M213, &self.path.key("type"), message);
            return Err(
                cx.report(diagnostic.hint("write `disc` for one that stands along z, else `rod`"))
            );
        }
        let long = matches!(kind, Rod | Cylinder);
        let turned = matches!(kind, Box | Polygon);
        let written = [
            ("length", shape.length.is_some(), long),
            ("radius", shape.radius.is_some(), !turned),
            ("size", shape.size.is_some(), kind == Box),
            ("corners", shape.corners.is_some(), kind == Polygon),
            (
                "thickness",
                shape.thickness.is_some(),
                matches!(kind, Disc | Polygon) || (planar && kind == Box),
            ),
            ("between", shape.between.is_some(), long),
            (
                "axis",
                shape.axis.is_some(),
                long || (kind == Disc && !planar),
            ),
            (
                "angle",
                shape.angle.is_some(),
                planar && (turned || kind == Rod),
            ),
            (
                "orientation",
                shape.orientation.is_some(),
                !planar && turned,
            ),
            ("at", shape.at.is_some(), true),
        ];
        let mut result = Ok(());
        for (key, _, _) in written.into_iter().filter(|(_, is, may)| *is && !*may) {
            let where_ = if planar { "the plane" } else { "space" };
            let message = format!("a `{}` in {where_} has no use for `{key}`", kind.word());
            let hint = match (kind, key) {
                (Sphere, _) => "a sphere has a `radius` and `at`",
                (Rod | Cylinder, "orientation") => "give its direction as `axis`",
                (Box, "length") => "the edges of a box are its `size`",
                (_, "angle") if !planar => "in space give an `orientation`, or an `axis`",
                (_, "orientation") => "in the plane give an `angle`",
                _ => "leave it out",
            };
            let diagnostic = Diagnostic::error(Code::M213, &self.path.key(key), message);
            result = Err(cx.report(diagnostic.hint(hint)));
        }
        if shape.between.is_some() {
            let others = [
                ("length", shape.length.is_some()),
                ("at", shape.at.is_some()),
                ("axis", shape.axis.is_some()),
                ("angle", shape.angle.is_some()),
            ];
            for (key, _) in others.into_iter().filter(|(_, written)| *written) {
                result = Err(self.excluded(cx, "between", key));
            }
        } else if shape.axis.is_some() && shape.angle.is_some() {
            result = Err(self.excluded(cx, "axis", "angle"));
        }
        result
    }

    fn excluded(&self, cx: &mut Context, first: &str, second: &str) -> Reported {
        let message = format!("`{}` has both `{first}` and `{second}`", self.path);
        let diagnostic = Diagnostic::error(Code::M219, &self.path.key(second), message);
        cx.report(diagnostic.hint(format!("leave `{first}` or `{second}` out")))
    }

    /// The one key that says how much it weighs.
    fn density(&self, cx: &mut Context, shape: &Shape, shared: bool) -> Resolved<Substance> {
        let written: Vec<&str> = [
            ("density", shape.density.is_some()),
            ("material", shape.material.is_some()),
            ("mass", shape.mass.is_some()),
        ]
        .into_iter()
        .filter_map(|(key, written)| written.then_some(key))
        .collect();
        match written.as_slice() {
            [first, second, ..] => return Err(self.excluded(cx, first, second)),
            [key] if shared => {
                let message = format!(
                    "the body has a `mass` and its shape a `{key}`: one of them follows from the other"
                );
                let diagnostic = Diagnostic::error(Code::M219, &self.path.key(key), message);
                return Err(
                    cx.report(diagnostic.hint(format!("leave the body's `mass` or `{key}` out")))
                );
            }
            [] if shared => return Ok(Substance::Shared),
            _ => {}
        }
        if let Some(mass) = &shape.mass {
            let path = self.path.key("mass");
            let mass = number(cx, mass, &path, MASS)?;
            check::mass(cx, &mass, &path)?;
            check::positive(cx, evaluate(cx, &mass), &path)?;
            return Ok(Substance::Mass(mass));
        }
        if let Some(density) = &shape.density {
            return self
                .positive(cx, density, "density", DENSITY)
                .map(Substance::Density);
        }
        match shape.material {
            Some(material) => Ok(Substance::Density(Expr::constant(material.density()))),
            None => {
                let message = format!("`{}` has no `density`, `material` or `mass`", self.path);
                let diagnostic = Diagnostic::error(Code::M214, self.path, message);
                let hint = "write `material = \"steel\"`, `density = \"7850 kg/m^3\"`, or give the body a `mass`";
                Err(cx.report(diagnostic.hint(hint)))
            }
        }
    }

    fn geometry(&self, cx: &mut Context, shape: &Shape) -> Resolved<Geometry> {
        match shape.kind {
            ShapeType::Rod => self.rod(cx, shape),
            ShapeType::Cylinder => self.cylinder(cx, shape),
            ShapeType::Disc => self.disc(cx, shape),
            ShapeType::Sphere => self.sphere(cx, shape),
            ShapeType::Box => self.cuboid(cx, shape),
            ShapeType::Polygon => self.plate(cx, shape),
        }
    }

    /// P = m/12 e eᵀ with e from end to end.
    fn rod(&self, cx: &mut Context, shape: &Shape) -> Resolved<Geometry> {
        let long = self.long(cx, shape, Vector3::x());
        let radius = self.optional(cx, &shape.radius, "radius");
        let (long, radius) = (long?, radius?);
        let Long {
            ends,
            center,
            length,
            e,
        } = long;
        let volume = radius
            .as_ref()
            .map(|r| Expr::constant(PI) * r.square() * length);
        let spread = outer(&e, &e, &Expr::constant(1.0 / 12.0));
        Ok((Solid::Rod { ends, radius }, volume, center, spread))
    }

    /// P = m/12 e eᵀ + m r²/4 (1 − u uᵀ) with u along e.
    fn cylinder(&self, cx: &mut Context, shape: &Shape) -> Resolved<Geometry> {
        let long = self.long(cx, shape, Vector3::z());
        let radius = self.needed(cx, &shape.radius, "radius");
        let (long, radius) = (long?, radius?);
        let Long {
            ends,
            center,
            length,
            e,
        } = long;
        let volume = Expr::constant(PI) * radius.square() * length;
        let spread = round(&radius, &e, &e);
        Ok((
            Solid::Cylinder { ends, radius },
            Some(volume),
            center,
            spread,
        ))
    }

    /// A cylinder of the length `thickness`, which may be zero.
    fn disc(&self, cx: &mut Context, shape: &Shape) -> Resolved<Geometry> {
        let center = self.at(cx, shape);
        let axis = match &shape.axis {
            Some(axis) => self.axis(cx, axis),
            None => Ok(Vector3::z()),
        };
        let radius = self.needed(cx, &shape.radius, "radius");
        let thickness = self.optional(cx, &shape.thickness, "thickness");
        let (center, axis, radius, thickness) = (center?, axis?, radius?, thickness?);
        let area = Expr::constant(PI) * radius.square();
        let volume = thickness.as_ref().map(|t| t * &area);
        let u: Vector = axis.data.0[0].map(Expr::constant);
        let e = u
            .each_ref()
            .map(|c| c * thickness.clone().unwrap_or_default());
        let spread = round(&radius, &u, &e);
        let solid = Solid::Disc {
            center: center.clone(),
            axis: axis.into(),
            radius,
            thickness,
        };
        Ok((solid, volume, center, spread))
    }

    /// P = m r²/5 1
    fn sphere(&self, cx: &mut Context, shape: &Shape) -> Resolved<Geometry> {
        let center = self.at(cx, shape);
        let radius = self.needed(cx, &shape.radius, "radius");
        let (center, radius) = (center?, radius?);
        let volume = Expr::constant(4.0 / 3.0 * PI) * radius.power(3);
        let moment = Expr::constant(0.2) * radius.square();
        let spread = [0, 1, 2]
            .map(|i| [0, 1, 2].map(|j| if i == j { moment.clone() } else { Expr::zero() }));
        let solid = Solid::Sphere {
            center: center.clone(),
            radius,
        };
        Ok((solid, Some(volume), center, spread))
    }

    /// P = m/12 Σ sₖ² aₖ aₖᵀ with edges sₖ along aₖ.
    fn cuboid(&self, cx: &mut Context, shape: &Shape) -> Resolved<Geometry> {
        let center = self.at(cx, shape);
        let turn = self.turn(cx, shape);
        let size = match &shape.size {
            Some(size) => vector(cx, size, &self.path.key("size"), LENGTH),
            None => Err(self.missing(cx, ShapeType::Box, "size")),
        };
        let thickness = self.optional(cx, &shape.thickness, "thickness");
        let (center, turn, mut size, thickness) = (center?, turn?, size?, thickness?);
        for (k, edge) in size.iter().enumerate().take(cx.n_components()) {
            check::positive(cx, evaluate(cx, edge), &self.path.key("size").index(k))?;
        }
        let planar = cx.planar();
        if planar {
            size[2] = thickness.clone().unwrap_or_default();
        }
        let volume = &size[0] * &size[1] * &size[2];
        let volume = (!planar || thickness.is_some()).then_some(volume);
        let twelfth = Expr::constant(1.0 / 12.0);
        let spread =
            summed([0, 1, 2].map(|k| outer(&turn[k], &turn[k], &(&twelfth * size[k].square()))));
        let solid = Solid::Box {
            center: center.clone(),
            axes: turn,
            size,
        };
        Ok((solid, volume, center, spread))
    }

    /// Moments of the area along the axes of its plane, and m t²/12 n nᵀ across it.
    fn plate(&self, cx: &mut Context, shape: &Shape) -> Resolved<Geometry> {
        let at = self.at(cx, shape);
        let turn = self.turn(cx, shape);
        let corners = match &shape.corners {
            Some(corners) => polygon::corners(cx, corners, &self.path.key("corners")),
            None => Err(self.missing(cx, ShapeType::Polygon, "corners")),
        };
        let thickness = self.optional(cx, &shape.thickness, "thickness");
        let (at, turn, corners, thickness) = (at?, turn?, corners?, thickness?);
        let Polygon {
            area,
            center,
            spread: [xx, xy, yy],
        } = polygon::moments(cx, &corners, &self.path.key("corners"))?;
        let place = |[x, y]: &[Expr; 2]| -> Vector {
            [0, 1, 2].map(|k| &at[k] + x * &turn[0][k] + y * &turn[1][k])
        };
        let twelfth = Expr::constant(1.0 / 12.0);
        let across = thickness
            .as_ref()
            .map_or_else(Expr::zero, |t| twelfth * t.square());
        let [x, y, z] = &turn;
        let terms = [
            outer(x, x, &xx),
            outer(x, y, &xy),
            outer(y, x, &xy),
            outer(y, y, &yy),
            outer(z, z, &across),
        ];
        let volume = thickness.as_ref().map(|t| t * &area);
        let center = place(&center);
        let solid = Solid::Polygon {
            corners: corners.iter().map(place).collect(),
            normal: z.clone(),
            thickness,
        };
        Ok((solid, volume, center, summed(terms)))
    }

    /// The ends of a rod or a cylinder.
    fn long(&self, cx: &mut Context, shape: &Shape, default: Vector3<f64>) -> Resolved<Long> {
        if let Some(names) = &shape.between {
            return self.points(cx, names);
        }
        let center = self.at(cx, shape);
        let length = match &shape.length {
            Some(length) => self.positive(cx, length, "length", LENGTH),
            None => {
                let message = format!(
                    "a `{}` needs a `length`, or `between` with two points",
                    shape.kind.word()
                );
                let diagnostic = Diagnostic::error(Code::M214, self.path, message);
                Err(cx.report(
                    diagnostic
                        .hint("write `between = [\"origin\", \"tip\"]`, or `length = \"100 mm\"`"),
                ))
            }
        };
        let along = match (&shape.axis, &shape.angle) {
            (Some(axis), _) => self.axis(cx, axis).map(|a| a.data.0[0].map(Expr::constant)),
            (None, Some(_)) if cx.planar() => self.turn(cx, shape).map(|[x, ..]| x),
            _ => Ok(default.data.0[0].map(Expr::constant)),
        };
        let (center, length, along) = (center?, length?, along?);
        let half = Expr::constant(0.5) * &length;
        Ok(Long {
            ends: [
                [0, 1, 2].map(|k| &center[k] - &half * &along[k]),
                [0, 1, 2].map(|k| &center[k] + &half * &along[k]),
            ],
            center,
            e: along.each_ref().map(|c| &length * c),
            length,
        })
    }

    /// The two named points, which differ at the default parameters.
    fn points(&self, cx: &mut Context, names: &[String; 2]) -> Resolved<Long> {
        let path = self.path.key("between");
        let mut point = |k: usize| {
            let name = names[k].as_str();
            if let Some(point) = self.frame.points.get(name).filter(|_| name != "center") {
                return point.clone();
            }
            let known = self.frame.points.keys().map(String::as_str);
            let hint = did_you_mean(name, known.filter(|name| *name != "center"));
            let message = match name {
                "center" => "the centre of mass follows from the shape, so no shape can end there"
                    .to_owned(),
                _ => format!("there is no point `{name}` on this body"),
            };
            let diagnostic = Diagnostic::error(Code::M201, &path.index(k), message);
            Err(cx.report(with_hint(diagnostic, hint)))
        };
        let ends = all([point(0), point(1)])?;
        let e = [0, 1, 2].map(|k| &ends[1][k] - &ends[0][k]);
        let length = norm(&e);
        if evaluate(cx, &length) > 0.0 {
            let center = [0, 1, 2].map(|k| Expr::constant(0.5) * (&ends[0][k] + &ends[1][k]));
            return Ok(Long {
                ends,
                center,
                length,
                e,
            });
        }
        let message = format!("`{}` and `{}` are the same point", names[0], names[1]);
        let diagnostic = Diagnostic::error(Code::M210, &path, message);
        Err(cx.report(diagnostic.hint("a shape reaches from one point to another")))
    }

    fn at(&self, cx: &mut Context, shape: &Shape) -> Resolved<Vector> {
        match &shape.at {
            Some(at) => vector(cx, at, &self.path.key("at"), LENGTH),
            None => Ok(Vector::default()),
        }
    }

    /// A direction in the body's frame.
    fn axis(&self, cx: &mut Context, axis: &AxisRef) -> Resolved<Vector3<f64>> {
        let path = self.path.key("axis");
        let name = match axis {
            AxisRef::Components(list) => return direction(cx, list, &path),
            AxisRef::Name(name) => name,
        };
        if let Some(axis) = self.frame.axes.get(name) {
            return *axis;
        }
        let hint = did_you_mean(name, self.frame.axes.keys().map(String::as_str));
        let message =
            format!("this body has no axis `{name}` that is known without its centre of mass");
        let diagnostic = Diagnostic::error(Code::M201, &path, message);
        Err(cx.report(with_hint(diagnostic, hint)))
    }

    /// The axes of the shape in the body's frame.
    fn turn(&self, cx: &mut Context, shape: &Shape) -> Resolved<[Vector; 3]> {
        if cx.planar() {
            let Some(angle) = &shape.angle else {
                return Ok(constants(UnitQuaternion::identity()));
            };
            let path = self.path.key("angle");
            warn_of_bare_angle(cx, angle, &path);
            let angle = number(cx, angle, &path, ANGLE)?;
            let clean = |e: Expr| e.as_constant().map_or(e, |c| Expr::constant(clean(c)));
            let (sin, cos) = (clean(angle.sin()), clean(angle.cos()));
            let (zero, one) = (Expr::zero, Expr::one);
            return Ok([
                [cos.clone(), sin.clone(), zero()],
                [-sin, cos, zero()],
                [zero(), zero(), one()],
            ]);
        }
        match &shape.orientation {
            Some(written) => {
                orientation(cx, written, self.frame, &self.path.key("orientation")).map(constants)
            }
            None => Ok(constants(UnitQuaternion::identity())),
        }
    }

    fn needed(&self, cx: &mut Context, written: &Option<Number>, key: &str) -> Resolved<Expr> {
        match written {
            Some(written) => self.positive(cx, written, key, LENGTH),
            None => {
                let message = format!("`{}` has no `{key}`", self.path);
                let diagnostic = Diagnostic::error(Code::M214, self.path, message);
                Err(cx.report(diagnostic.hint(format!("write `{key} = \"10 mm\"`"))))
            }
        }
    }

    fn missing(&self, cx: &mut Context, kind: ShapeType, key: &str) -> Reported {
        let message = format!("a `{}` needs `{key}`", kind.word());
        let hint = match (kind, cx.planar()) {
            (ShapeType::Polygon, _) => "write `corners = [[0, 0], [0.2, 0], [0, 0.1]]`",
            (_, true) => "write `size = [\"100 mm\", \"20 mm\"]`",
            (_, false) => "write `size = [\"100 mm\", \"20 mm\", \"10 mm\"]`",
        };
        cx.report(Diagnostic::error(Code::M214, self.path, message).hint(hint))
    }

    fn optional(
        &self,
        cx: &mut Context,
        written: &Option<Number>,
        key: &str,
    ) -> Resolved<Option<Expr>> {
        let written = written.as_ref();
        written
            .map(|number| self.positive(cx, number, key, LENGTH))
            .transpose()
    }

    fn positive(
        &self,
        cx: &mut Context,
        written: &Number,
        key: &str,
        dimension: description::expression::Dimension,
    ) -> Resolved<Expr> {
        let path = self.path.key(key);
        let value = number(cx, written, &path, dimension)?;
        check::positive(cx, evaluate(cx, &value), &path)?;
        Ok(value)
    }
}

/// A solid, its volume if it is known, its centre, and its second moments about that for a mass of one.
type Geometry = (Solid, Option<Expr>, Vector, Tensor);

/// A rod or a cylinder.
struct Long {
    ends: [Vector; 2],
    center: Vector,
    length: Expr,
    /// From end to end.
    e: Vector,
}

/// The mass of a shape, as it was written.
enum Substance {
    Mass(Expr),
    Density(Expr),
    /// A share of the body's mass.
    Shared,
}

/// Second moments of a solid that is round about `u`, with the length e: 1/12 e eᵀ + r²/4 (1 − u uᵀ/|u|²).
fn round(radius: &Expr, u: &Vector, e: &Vector) -> Tensor {
    let quarter = Expr::constant(0.25) * radius.square();
    let along = outer(e, e, &Expr::constant(1.0 / 12.0));
    let square = dot(u, u);
    let only: Vec<usize> = (0..3).filter(|&k| !u[k].is_zero()).collect();
    let entry = |i: usize, j: usize| match (only.as_slice(), i == j) {
        // Along an axis of the frame nothing has to cancel.
        ([k], true) if i == *k => Expr::zero(),
        ([_], true) => quarter.clone(),
        ([_], false) => Expr::zero(),
        // 1 − u_i²/|u|² = (u_j² + u_k²)/|u|²
        (_, true) => {
            let others: Expr = (0..3).filter(|&k| k != i).map(|k| u[k].square()).sum();
            &quarter * (others / &square)
        }
        (_, false) => -(&quarter * (&u[i] * &u[j] / &square)),
    };
    let across = [0, 1, 2].map(|i| [0, 1, 2].map(|j| entry(i, j)));
    summed([along, across])
}

/// s a bᵀ
fn outer(a: &Vector, b: &Vector, s: &Expr) -> Tensor {
    [0, 1, 2].map(|i| [0, 1, 2].map(|j| s * (&a[i] * &b[j])))
}

fn summed<const N: usize>(terms: [Tensor; N]) -> Tensor {
    [0, 1, 2].map(|i| [0, 1, 2].map(|j| terms.iter().map(|term| term[i][j].clone()).sum()))
}

fn dot(a: &Vector, b: &Vector) -> Expr {
    (0..3).map(|k| &a[k] * &b[k]).sum()
}

fn norm(e: &Vector) -> Expr {
    dot(e, e).sqrt()
}

/// Columns of a rotation, with rounding cleared away where a component is zero.
fn constants(turn: UnitQuaternion<f64>) -> [Vector; 3] {
    let matrix = turn.to_rotation_matrix();
    [0, 1, 2].map(|k| [0, 1, 2].map(|i| Expr::constant(clean(matrix[(i, k)]))))
}

/// A sine or cosine of a right angle exactly.
fn clean(c: f64) -> f64 {
    match c.abs() {
        small if small < 1e-15 => 0.0,
        one if (one - 1.0).abs() < 1e-15 => c.signum(),
        _ => c,
    }
}

impl Solid {
    /// The length whose absence leaves it without a volume.
    fn missing(&self) -> &'static str {
        match self {
            Self::Rod { .. } => "radius",
            _ => "thickness",
        }
    }

    /// The same solid with its points measured from another origin.
    pub(super) fn seen_from(&self, center: &Vector) -> Self {
        let from = |p: &Vector| [0, 1, 2].map(|k| &p[k] - &center[k]);
        let mut solid = self.clone();
        match &mut solid {
            Self::Rod { ends, .. } | Self::Cylinder { ends, .. } => {
                *ends = ends.each_ref().map(from)
            }
            Self::Disc { center, .. } | Self::Sphere { center, .. } | Self::Box { center, .. } => {
                *center = from(center);
            }
            Self::Polygon { corners, .. } => {
                corners.iter_mut().for_each(|corner| *corner = from(corner))
            }
        }
        solid
    }
}
