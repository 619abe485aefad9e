//! Mass properties of shapes against closed forms.

use nalgebra::{Matrix3, Rotation3, UnitQuaternion, Vector3};

use super::*;
use crate::model::Solid;

const PI: f64 = std::f64::consts::PI;

/// Mass, centre from the frame's origin, and inertia about the centre, at the default parameters.
struct Found {
    mass: f64,
    center: Vector3<f64>,
    inertia: Matrix3<f64>,
}

fn found(text: &str) -> Found {
    let model = model(text);
    let body = &model.bodies[0];
    let value = |e: &crate::expr::Expr| model.at_defaults(e);
    Found {
        mass: value(&body.mass),
        center: -Vector3::from(body.origin.each_ref().map(value)),
        inertia: Matrix3::from_fn(|i, j| value(&body.inertia[i][j])),
    }
}

fn planar(shape: &str) -> Found {
    found(&format!(
        "space = \"planar\"\n[bodies.a]\nfree = true\n{shape}"
    ))
}

fn spatial(shape: &str) -> Found {
    found(&format!(
        "space = \"spatial\"\n[bodies.a]\nfree = true\n{shape}"
    ))
}

/// A few roundings of numbers of this size: closed forms add the same terms in another order.
const ROUNDING: f64 = 4.0 * f64::EPSILON;

#[track_caller]
fn same(found: &Found, mass: f64, center: [f64; 3], inertia: Matrix3<f64>) {
    let off = (found.mass - mass).abs() / mass;
    assert!(off <= ROUNDING, "mass {} is not {mass}", found.mass);
    let center = Vector3::from(center);
    let off = (found.center - center).amax();
    assert!(
        off <= ROUNDING * center.amax().max(1.0),
        "centre {} is not {center}",
        found.center
    );
    let off = (found.inertia - inertia).amax();
    assert!(
        off <= ROUNDING * inertia.amax(),
        "inertia {} is not {inertia}, off by {off:e}",
        found.inertia
    );
}

fn about_z(moment: f64) -> Matrix3<f64> {
    Matrix3::from_diagonal(&Vector3::new(0.0, 0.0, moment))
}

fn diagonal(xx: f64, yy: f64, zz: f64) -> Matrix3<f64> {
    Matrix3::from_diagonal(&Vector3::new(xx, yy, zz))
}

/// m (|d|² 1 − d dᵀ)
fn steiner(mass: f64, d: Vector3<f64>) -> Matrix3<f64> {
    (Matrix3::identity() * d.norm_squared() - d * d.transpose()) * mass
}

#[test]
fn single_shapes_in_the_plane() {
    let rod = planar(
        "shape = { type = \"rod\", length = 2, radius = \"10 mm\", material = \"steel\", at = [1, 0] }",
    );
    let mass = 7850.0 * PI * 1e-4 * 2.0;
    same(&rod, mass, [1.0, 0.0, 0.0], about_z(mass * 4.0 / 12.0));
    let disc = planar(
        "shape = { type = \"disc\", radius = 0.3, thickness = 0.02, density = \"2.7 g/cm^3\" }",
    );
    let mass = 2700.0 * PI * 0.09 * 0.02;
    same(&disc, mass, [0.0; 3], about_z(mass * 0.09 / 2.0));
    let rectangle = planar(
        "shape = { type = \"box\", size = [0.4, 0.3], thickness = 0.01, density = 1000, angle = \"20 deg\" }",
    );
    let mass = 1.2;
    same(&rectangle, mass, [0.0; 3], about_z(mass * 0.25 / 12.0));
    let ball = planar("shape = { type = \"sphere\", radius = 0.5, mass = 3 }");
    same(&ball, 3.0, [0.0; 3], about_z(3.0 * 0.4 * 0.25));
}

#[test]
fn single_shapes_in_space() {
    let rod = spatial("shape = { type = \"rod\", length = 3, mass = 2, axis = \"y\" }");
    same(&rod, 2.0, [0.0; 3], diagonal(1.5, 0.0, 1.5));
    let cylinder = spatial(
        "shape = { type = \"cylinder\", length = 3, radius = 0.5, density = 1200, axis = \"x\" }",
    );
    let m = 1200.0 * PI * 0.25 * 3.0;
    let across = m * (3.0 * 0.25 + 9.0) / 12.0;
    same(&cylinder, m, [0.0; 3], diagonal(m * 0.125, across, across));
    let disc = spatial("shape = { type = \"disc\", radius = 0.5, mass = 8 }");
    same(&disc, 8.0, [0.0; 3], diagonal(0.5, 0.5, 1.0));
    let sphere = spatial(
        "shape = { type = \"sphere\", radius = 0.1, material = \"brass\", at = [1, 2, 3] }",
    );
    let m = 8440.0 * 4.0 / 3.0 * PI * 1e-3;
    same(
        &sphere,
        m,
        [1.0, 2.0, 3.0],
        Matrix3::identity() * (0.4 * m * 0.01),
    );
    let cuboid = spatial("shape = { type = \"box\", size = [0.2, 0.4, 0.6], density = 500 }");
    let m = 500.0 * 0.048;
    let expected = diagonal(0.16 + 0.36, 0.04 + 0.36, 0.04 + 0.16) * (m / 12.0);
    same(&cuboid, m, [0.0; 3], expected);
}

/// A turned and displaced shape has R J Rᵀ about its own centre.
#[test]
fn turned_shapes_have_a_turned_tensor() {
    let turn = "orientation = { axis = [2, 1, 2], angle = \"40 deg\" }"
        .replace("[2, 1, 2]", "[\"2/3\", \"1/3\", \"2/3\"]");
    let cuboid = spatial(&format!(
        "shape = {{ type = \"box\", size = [0.2, 0.4, 0.6], mass = 12, at = [1, 0, 2], {turn} }}"
    ));
    let axis = Vector3::new(2.0, 1.0, 2.0) / 3.0;
    let r = Rotation3::from(UnitQuaternion::from_scaled_axis(axis * 40f64.to_radians()));
    let own = diagonal(0.52, 0.40, 0.20);
    let expected = r.matrix() * own * r.matrix().transpose();
    same(&cuboid, 12.0, [1.0, 0.0, 2.0], expected);
    let cylinder = spatial(
        "shape = { type = \"cylinder\", length = 3, radius = 0.5, mass = 2, axis = [0.6, 0, 0.8] }",
    );
    let u = Vector3::new(0.6, 0.0, 0.8);
    let (along, across) = (2.0 * 0.125, 2.0 * (0.75 + 9.0) / 12.0);
    let expected = Matrix3::identity() * across + u * u.transpose() * (along - across);
    same(&cylinder, 2.0, [0.0; 3], expected);
}

/// A polygon is the sum of triangles, each with its closed form about its own centre: for a mass of one
/// the second moments are (Σ p pᵀ of the corners from the centre) / 12.
#[test]
fn polygons_are_sums_of_triangles() {
    let corners = [
        [0.0, 0.0],
        [3.0, 0.0],
        [3.0, 1.0],
        [1.0, 1.0],
        [1.0, 2.0],
        [0.0, 2.0],
    ];
    // A decomposition by hand, which shares no corner order with the fan of the code.
    let triangles = [[1, 2, 3], [0, 1, 3], [0, 3, 4], [0, 4, 5]];
    let (mut mass, mut moment) = (0.0, Vector3::zeros());
    let mut parts = Vec::new();
    for t in triangles {
        let [a, b, c] = t.map(|i: usize| Vector3::new(corners[i][0], corners[i][1], 0.0));
        let area = (b - a).cross(&(c - a)).z / 2.0;
        assert!(area > 0.0);
        let center = (a + b + c) / 3.0;
        let second: Matrix3<f64> = [a, b, c]
            .iter()
            .map(|p| (p - center) * (p - center).transpose())
            .sum();
        let m = area * 0.5 * 8.0;
        parts.push((m, center, second * (m / 12.0)));
        mass += m;
        moment += center * m;
    }
    let center = moment / mass;
    let mut second = Matrix3::zeros();
    for (m, c, own) in parts {
        second += own + (c - center) * (c - center).transpose() * m;
    }
    second[(2, 2)] = mass * 0.25 / 12.0;
    let inertia = Matrix3::identity() * second.trace() - second;
    let text = "shape = { type = \"polygon\", corners = [[0, 0], [3, 0], [3, 1], [1, 1], [1, 2], [0, 2]], thickness = 0.5, density = 8 }";
    same(&spatial(text), mass, center.into(), inertia);
    same(
        &planar(text),
        mass,
        center.into(),
        about_z(second[(0, 0)] + second[(1, 1)]),
    );
    let backwards = text.replace(
        "[[0, 0], [3, 0], [3, 1], [1, 1], [1, 2], [0, 2]]",
        "[[0, 2], [1, 2], [1, 1], [3, 1], [3, 0], [0, 0]]",
    );
    same(&spatial(&backwards), mass, center.into(), inertia);
}

/// A rectangle as polygon, far from the origin, is the box.
#[test]
fn a_rectangular_polygon_is_a_box() {
    let polygon = planar(
        "shape = { type = \"polygon\", corners = [[0, 0], [4, 0], [4, 2], [0, 2]], at = [100, 7], thickness = 1, density = 1 }",
    );
    same(&polygon, 8.0, [102.0, 8.0, 0.0], about_z(8.0 * 20.0 / 12.0));
}

#[test]
fn several_shapes_by_the_parallel_axis_theorem() {
    let hammer = spatial(
        "points.grip = [0, 0, 0]\npoints.head = [0.3, 0, 0]\nshape = [
        { type = \"rod\", between = [\"grip\", \"head\"], radius = 0.01, material = \"oak\" },
        { type = \"cylinder\", length = 0.1, radius = 0.02, axis = \"y\", at = [0.3, 0, 0], material = \"steel\" },
        { type = \"sphere\", radius = 0.02, at = [0.3, 0.05, 0.01], mass = 0.2 } ]"
            .replace("[\n", "[").replace(",\n", ",").as_str(),
    );
    let rod = 710.0 * PI * 1e-4 * 0.3;
    let head = 7850.0 * PI * 4e-4 * 0.1;
    let across = head * (3.0 * 4e-4 + 0.01) / 12.0;
    let parts = [
        (
            rod,
            Vector3::new(0.15, 0.0, 0.0),
            diagonal(0.0, 1.0, 1.0) * (rod * 0.09 / 12.0),
        ),
        (
            head,
            Vector3::new(0.3, 0.0, 0.0),
            diagonal(across, head * 2e-4, across),
        ),
        (
            0.2,
            Vector3::new(0.3, 0.05, 0.01),
            Matrix3::identity() * (0.4 * 0.2 * 4e-4),
        ),
    ];
    let mass: f64 = parts.iter().map(|(m, ..)| m).sum();
    let center = parts.iter().map(|(m, c, _)| c * *m).sum::<Vector3<f64>>() / mass;
    let inertia = parts
        .iter()
        .map(|(m, c, j)| j + steiner(*m, c - center))
        .sum();
    same(&hammer, mass, center.into(), inertia);
}

/// With a mass of the body, shapes share it by volume.
#[test]
fn a_mass_beside_shapes_is_shared_by_volume() {
    let one = planar("mass = \"500 g\"\nshape = { type = \"rod\", length = 2 }");
    same(&one, 0.5, [0.0; 3], about_z(0.5 / 3.0));
    let two = spatial(
        "mass = 3\nshape = [{ type = \"box\", size = [1, 1, 1] }, { type = \"box\", size = [1, 1, 2], at = [3, 0, 0] }]",
    );
    let center = Vector3::new(2.0, 0.0, 0.0);
    let inertia = diagonal(2.0, 2.0, 2.0) / 12.0
        + steiner(1.0, -center)
        + diagonal(5.0, 5.0, 2.0) * (2.0 / 12.0)
        + steiner(2.0, Vector3::new(3.0, 0.0, 0.0) - center);
    same(&two, 3.0, center.into(), inertia);
}

/// Lengths that are parameters make mass, centre and inertia functions of them.
#[test]
fn lengths_may_be_parameters() {
    let text = "space = \"planar\"\nparameters.l = \"2 m\"\nparameters.r = \"10 mm\"\n[bodies.a]\nfree = true\npoints.tip = [\"l\", 0]\nshape = [{ type = \"rod\", between = [\"origin\", \"tip\"], radius = \"r\", density = 8000 }, { type = \"polygon\", corners = [[0, 0], [\"l\", 0], [0, 1]], thickness = \"r\", density = 100 }]";
    let moved = text
        .replace("\"2 m\"", "\"3 m\"")
        .replace("\"10 mm\"", "\"20 mm\"");
    let (model, expected) = (model(text), found(&moved));
    let symbols = |symbol| match symbol {
        crate::expr::Symbol::Parameter(0) => 3.0,
        crate::expr::Symbol::Parameter(1) => 0.02,
        _ => f64::NAN,
    };
    let value = |e: &crate::expr::Expr| crate::evaluate::Evaluator::new(&[], &symbols).value(e);
    let body = &model.bodies[0];
    assert!(body.mass.as_constant().is_none());
    assert_eq!(value(&body.mass), expected.mass);
    let center = -Vector3::from(body.origin.each_ref().map(value));
    assert!((center - expected.center).amax() <= ROUNDING);
    assert_eq!(value(&body.inertia[2][2]), expected.inertia[(2, 2)]);
}

/// A parameter may turn a polygon over, so that its corners go round the other way.
#[test]
fn a_polygon_that_a_parameter_mirrors_keeps_its_mass() {
    let text = "space = \"planar\"\nparameters.w = \"100 mm\"\nbodies.a = { free = true, shape = { type = \"polygon\", corners = [[0, 0], [0.2, 0], [0, \"w\"]], thickness = 0.01, density = 1000 } }";
    let mirrored = found(&text.replace("100 mm", "-100 mm"));
    let model = model(text);
    let symbols = |symbol| match symbol {
        crate::expr::Symbol::Parameter(0) => -0.1,
        _ => f64::NAN,
    };
    let value = |e: &crate::expr::Expr| crate::evaluate::Evaluator::new(&[], &symbols).value(e);
    let body = &model.bodies[0];
    assert!((value(&body.mass) - 0.1).abs() <= ROUNDING);
    assert!((value(&body.mass) - mirrored.mass).abs() <= ROUNDING);
    let center = -Vector3::from(body.origin.each_ref().map(value));
    assert!((center - mirrored.center).amax() <= ROUNDING);
    let inertia = value(&body.inertia[2][2]);
    assert!((inertia - mirrored.inertia[(2, 2)]).abs() <= ROUNDING);
}

/// A rod whose length is a parameter has no spin between spherical joints, as one of given moments.
#[test]
fn a_rod_of_a_parameter_is_a_line() {
    let text = "space = \"spatial\"\nparameters.l = 1\nbodies.a = { points.tip = [0, \"l\", 0], shape = { type = \"rod\", between = [\"origin\", \"tip\"], mass = 1 } }\njoints.hinge = { type = \"spherical\", between = [\"ground\", \"a\"] }";
    assert!(matches!(
        model(text).bodies[0].extent,
        crate::model::Extent::Line([0.0, 1.0, 0.0])
    ));
    let turned = text.replace("[0, \"l\", 0]", "[0.1, 0.2, 0.3]");
    assert!(matches!(
        model(&turned).bodies[0].extent,
        crate::model::Extent::Line(_)
    ));
}

/// Solids are kept for pictures, from the centre of mass.
#[test]
fn solids_stay_in_the_model() {
    let model = model(
        "space = \"planar\"\n[bodies.a]\nfree = true\nshape = { type = \"rod\", length = 2, at = [1, 0], mass = 1, angle = \"90 deg\" }",
    );
    let [Solid::Rod { ends, radius: None }] = model.bodies[0].solids.as_slice() else {
        panic!("{:?}", model.bodies[0].solids);
    };
    let ends = ends
        .each_ref()
        .map(|end| end.each_ref().map(|c| model.at_defaults(c)));
    assert_eq!(ends, [[0.0, -1.0, 0.0], [0.0, 1.0, 0.0]]);
}

/// An axis through the centre follows the shapes, and shapes may lie along named axes.
#[test]
fn axes_and_shapes_know_each_other() {
    let text = "space = \"spatial\"\n[bodies.a]\nfree = true\npoints.p = [0, 0, 0]\naxes.up = [0, 0, 1]\naxes.arm = { through = [\"p\", \"center\"] }\nshape = { type = \"cylinder\", length = 1, radius = 0.1, axis = \"up\", at = [0, 2, 0], mass = 1 }\n[joints.hinge]\ntype = \"revolute\"\nbetween = [\"ground\", \"a.p\"]\naxis = \"a.arm\"";
    assert_eq!(model(text).joints[0].second_frame[2], [0.0, 1.0, 0.0]);
    check(
        &text.replace("\"up\", at", "\"arm\", at"),
        &["M201 bodies.a.shape.axis"],
    );
}

fn check_planar(rest: &str, expected: &[&str]) {
    check(
        &format!("space = \"planar\"\n[bodies.a]\nfree = true\n{rest}"),
        expected,
    );
}

fn check_spatial(rest: &str, expected: &[&str]) {
    check(
        &format!("space = \"spatial\"\n[bodies.a]\nfree = true\n{rest}"),
        expected,
    );
}

#[test]
fn contradictions_are_refused() {
    let rod = "shape = { type = \"rod\", length = 1, mass = 1 }";
    check_planar(&format!("inertia = 1\n{rod}"), &["M219 bodies.a.inertia"]);
    check_planar(
        &format!("center = [1, 0]\n{rod}"),
        &["M219 bodies.a.center"],
    );
    check_planar(&format!("mass = 1\n{rod}"), &["M219 bodies.a.shape.mass"]);
    check_planar(
        "mass = 1\nshape = [{ type = \"rod\", length = 1, radius = 1, density = 1 }]",
        &["M219 bodies.a.shape[0].density"],
    );
    check_planar(
        "shape = { type = \"rod\", length = 1, radius = 1, density = 1, material = \"steel\" }",
        &["M219 bodies.a.shape.material"],
    );
    check_planar(
        "points.p = [1, 0]\nshape = { type = \"rod\", between = [\"origin\", \"p\"], length = 1, mass = 1 }",
        &["M219 bodies.a.shape.length"],
    );
    let message = first_message(&format!(
        "space = \"planar\"\n[bodies.a]\ninertia = 1\n{rod}"
    ));
    assert!(message.contains("both `shape` and `inertia`"), "{message}");
}

#[test]
fn lengths_and_densities_are_needed() {
    check_planar(
        "shape = { type = \"rod\", mass = 1 }",
        &["M214 bodies.a.shape"],
    );
    check_planar(
        "shape = { type = \"rod\", length = 1 }",
        &["M214 bodies.a.shape"],
    );
    check_planar(
        "shape = { type = \"rod\", length = 1, density = 1 }",
        &["M214 bodies.a.shape"],
    );
    check_planar(
        "shape = { type = \"disc\", radius = 1, density = 1 }",
        &["M214 bodies.a.shape"],
    );
    check_planar(
        "shape = { type = \"sphere\", mass = 1 }",
        &["M214 bodies.a.shape"],
    );
    check_spatial(
        "shape = { type = \"box\", mass = 1 }",
        &["M214 bodies.a.shape"],
    );
    check_spatial(
        "shape = { type = \"polygon\", mass = 1 }",
        &["M214 bodies.a.shape"],
    );
    check_spatial(
        "mass = 1\nshape = [{ type = \"rod\", length = 1 }, { type = \"sphere\", radius = 1 }]",
        &["M214 bodies.a.shape[0]"],
    );
}

#[test]
fn keys_belong_to_types() {
    check_planar(
        "shape = { type = \"cylinder\", length = 1, radius = 1, mass = 1 }",
        &["M213 bodies.a.shape.type"],
    );
    check_planar(
        "shape = { type = \"sphere\", length = 1, radius = 1, mass = 1, axis = \"x\" }",
        &["M213 bodies.a.shape.length", "M213 bodies.a.shape.axis"],
    );
    check_spatial(
        "shape = { type = \"box\", size = [1, 1, 1], mass = 1, angle = 1 }",
        &["M213 bodies.a.shape.angle"],
    );
    check_spatial(
        "shape = { type = \"box\", size = [1, 1, 1], mass = 1, thickness = 1 }",
        &["M213 bodies.a.shape.thickness"],
    );
    check_spatial(
        "shape = { type = \"box\", size = [1, 1], mass = 1 }",
        &["M215 bodies.a.shape.size"],
    );
}

#[test]
fn numbers_of_shapes_are_checked() {
    check_planar(
        "shape = { type = \"rod\", length = \"1 kg\", mass = 1 }",
        &["D109 bodies.a.shape.length"],
    );
    check_planar(
        "shape = { type = \"rod\", length = 0, mass = 1 }",
        &["M212 bodies.a.shape.length"],
    );
    check_planar(
        "shape = { type = \"rod\", length = 1, mass = 0 }",
        &["M212 bodies.a.shape.mass"],
    );
    check_planar(
        "shape = { type = \"disc\", radius = 1, thickness = 1, density = \"1 kg/m^2\" }",
        &["D109 bodies.a.shape.density"],
    );
    check_planar(
        "shape = { type = \"disc\", radius = -1, thickness = 1, density = -1 }",
        &["M212 bodies.a.shape.radius", "M212 bodies.a.shape.density"],
    );
    check_spatial(
        "shape = { type = \"box\", size = [1, 0, 1], mass = 1 }",
        &["M212 bodies.a.shape.size[1]"],
    );
    check_planar(
        "points.p = [0, 0]\nshape = { type = \"rod\", between = [\"origin\", \"p\"], mass = 1 }",
        &["M210 bodies.a.shape.between"],
    );
    check_planar(
        "points.p = [1, 0]\nshape = { type = \"rod\", between = [\"p\", \"q\"], mass = 1 }",
        &["M201 bodies.a.shape.between[1]"],
    );
    check_planar(
        "points.p = [1, 0]\nshape = { type = \"rod\", between = [\"p\", \"center\"], mass = 1 }",
        &["M201 bodies.a.shape.between[1]"],
    );
    check_spatial(
        "shape = { type = \"box\", size = [1, 1, 1], mass = 1, orientation = { axis = \"w\", angle = 1 } }",
        &["M201 bodies.a.shape.orientation.axis"],
    );
}

#[test]
fn polygons_are_checked() {
    let polygon =
        |corners: &str| format!("shape = {{ type = \"polygon\", corners = {corners}, mass = 1 }}");
    check_planar(
        &polygon("[[0, 0], [1, 0]]"),
        &["M215 bodies.a.shape.corners"],
    );
    check_planar(
        &polygon("[[0, 0], [1, 0], [2]]"),
        &["M215 bodies.a.shape.corners[2]"],
    );
    check_planar(
        &polygon("[[0, 0], [1, 1], [2, 2]]"),
        &["M212 bodies.a.shape.corners"],
    );
    check_planar(
        &polygon("[[0, 0], [2, 1], [2, 0], [0, 2]]"),
        &["M231 bodies.a.shape.corners"],
    );
    check_planar(
        &polygon("[[0, 0], [1, 0], [1, 1], [0, 1], [0, 0]]"),
        &["M231 bodies.a.shape.corners"],
    );
    check_planar(
        &polygon("[[0, 0], [2, 0], [1, 0], [1, 1]]"),
        &["M231 bodies.a.shape.corners"],
    );
    check_planar(&polygon("[[0, 0], [1, 0], [2, 0], [2, 2], [0, 2]]"), &[]);
}
