//! Theo Jansen's legs in pairs on one crankshaft: many bodies, many loops, one degree of freedom.
//!
//! ```text
//!        T              M  pin of the crank, the same for both legs of a pair
//!       /|\             P  pivot of the leg on the chassis
//!      / | \ j          P T K and A H F are triangles, all else are bars
//!   K /  |b  M
//!    | \d|  /
//!   f|   P / k
//!    |   | /
//!    H---A              c from P to A, g from A to H
//!     \ /
//!      F
//! ```

use std::f64::consts::{PI, TAU};
use std::fmt::Write;

use super::Family;

/// Two legs a pin, the second one mirrored; pins are spread over a turn.
pub(super) const FAMILY: Family = Family {
    name: "walker",
    about: "pairs of Jansen's legs on one crankshaft, with springs for joints",
    counts: "pairs of legs",
    sizes: 1..=100,
    write: walker,
};

/// Jansen's numbers, in centimetres.
const A: f64 = 38.0;
const B: f64 = 41.5;
const C: f64 = 39.3;
const D: f64 = 40.1;
const E: f64 = 55.8;
const F: f64 = 39.4;
const G: f64 = 36.7;
const H: f64 = 65.7;
const I: f64 = 49.0;
const J: f64 = 50.0;
const K: f64 = 61.9;
const L: f64 = 7.8;
const M: f64 = 15.0;

/// In centimetres.
type Centimetres = [f64; 2];

const HEAD: &str = "\
formulation = \"discrete\"
space = \"planar\"
gravity = [0, -9.81]

[simulation]
until = \"1.2 s\"
step = \"10 us\"

[parameters]
turn_rate = \"60 rpm\"

[constants]
weight = \"0.5 kg/m\"

[forces.motor]
type = \"actuator\"
joint = \"axle\"
# A motor with a regulator, which is told to speed up gently.
law = \"20 * (turn_rate * (1 - exp(-t / 0.2)) - rate)\"

[outputs]
crank = \"crank.angle\"
rate = \"crank.rate\"
torque = \"motor.force\"
foot0_x = \"shank0.foot.x\"
foot0_y = \"shank0.foot.y\"
foot1_x = \"shank1.foot.x\"
foot1_y = \"shank1.foot.y\"

[ground.points]
left = [-0.38, -0.078]
right = [0.38, -0.078]

[joints.axle]
type = \"revolute\"
between = [\"ground\", \"crank\"]
";

fn walker(n: usize) -> String {
    let mut text = format!(
        "# {} of Theo Jansen's legs on one crankshaft, with springs for joints and steps of 10 µs: {} bodies, {} loops, one\n\
         # freedom. The chassis stands still and the feet go through the air.\n\
         name = \"Walker{n}\"\n{HEAD}",
        2 * n,
        1 + 12 * n,
        6 * n
    );
    let pins: Vec<Centimetres> = (0..n)
        .map(|i| point_at([0.0; 2], TAU * i as f64 / n as f64, M))
        .collect();
    crankshaft(&mut text, &pins);
    for (i, pin) in pins.into_iter().enumerate() {
        for side in [LegSide::Left, LegSide::Right] {
            Leg::new(side, pin).write(&mut text, 2 * i + side as usize, i);
        }
    }
    text
}

/// A throw for each pin, heavy enough to turn smoothly.
fn crankshaft(text: &mut String, pins: &[Centimetres]) {
    // Writing to a string does not fail.
    let _ = write!(
        text,
        "\n[bodies.crank]\nmass = \"2 kg\"\ninertia = \"0.05 kg*m^2\"\n\n[bodies.crank.points]\n"
    );
    for (i, pin) in pins.iter().enumerate() {
        let _ = writeln!(text, "pin{i} = {:.9?}", metres(*pin));
    }
}

/// The side on which a leg stands.
#[derive(Clone, Copy, PartialEq, Eq)]
enum LegSide {
    /// As Jansen draws it.
    Left,
    /// Its mirror image.
    Right,
}

impl LegSide {
    fn sign(self) -> f64 {
        match self {
            LegSide::Left => 1.0,
            LegSide::Right => -1.0,
        }
    }
}

/// The corners of a leg.
struct Leg {
    side: LegSide,
    pivot: Centimetres,
    pin: Centimetres,
    top: Centimetres,
    ankle: Centimetres,
    knee: Centimetres,
    heel: Centimetres,
    foot: Centimetres,
}

impl Leg {
    fn new(side: LegSide, pin: Centimetres) -> Self {
        let (sign, pivot) = (side.sign(), [-side.sign() * A, -L]);
        let top = corner(pivot, pin, [B, J], sign);
        let ankle = corner(pivot, pin, [C, K], -sign);
        let knee = corner(pivot, top, [D, E], sign);
        let heel = corner(ankle, knee, [G, F], sign);
        let foot = corner(ankle, heel, [I, H], sign);
        Self {
            side,
            pivot,
            pin,
            top,
            ankle,
            knee,
            heel,
            foot,
        }
    }

    fn write(&self, text: &mut String, leg: usize, pin: usize) {
        let ground = match self.side {
            LegSide::Left => "ground.left",
            LegSide::Right => "ground.right",
        };
        bar(text, &format!("upper_rod{leg}"), self.pin, self.top);
        bar(text, &format!("lower_rod{leg}"), self.pin, self.ankle);
        bar(text, &format!("hip{leg}"), self.pivot, self.ankle);
        bar(text, &format!("back_rod{leg}"), self.knee, self.heel);
        let thigh = [self.pivot, self.top, self.knee];
        triangle(text, &format!("thigh{leg}"), thigh, "knee");
        let shank = [self.ankle, self.heel, self.foot];
        triangle(text, &format!("shank{leg}"), shank, "foot");
        let numbered = |name: &str| name.replace('#', &leg.to_string());
        for (name, inner, outer) in [
            ("upper_pin", format!("crank.pin{pin}"), "upper_rod#"),
            ("lower_pin", format!("crank.pin{pin}"), "lower_rod#"),
            ("thigh_pivot", ground.to_owned(), "thigh#"),
            ("hip_pivot", ground.to_owned(), "hip#"),
            ("top", numbered("upper_rod#.end"), "thigh#.end"),
            ("ankle", numbered("lower_rod#.end"), "hip#.end"),
            ("shank_ankle", numbered("hip#.end"), "shank#"),
            ("knee", numbered("thigh#.knee"), "back_rod#"),
            ("heel", numbered("back_rod#.end"), "shank#.end"),
        ] {
            let outer = numbered(outer);
            let _ = write!(
                text,
                "\n[joints.{name}{leg}]\ntype = \"revolute\"\nbetween = [\"{inner}\", \"{outer}\"]\n"
            );
        }
    }
}

/// A bar whose frame sits at its first end, x along it.
fn bar(text: &mut String, name: &str, from: Centimetres, to: Centimetres) {
    let length = distance(from, to) / 100.0;
    let _ = write!(
        text,
        "\n[bodies.{name}]\nmass = \"weight * {length:.9}\"\ninertia = \"weight * {length:.9}^3 / 12\"\n\
         center = [{:.9}, 0]\npoints = {{ end = [{length:.9}, 0] }}\n",
        length / 2.0
    );
    pose(text, from, to);
}

/// Three bars whose frame sits at the first corner, x along the first bar.
fn triangle(text: &mut String, name: &str, corners: [Centimetres; 3], third: &str) {
    let turn = -direction(corners[0], corners[1]);
    let [p, q, r] = corners.map(|corner| metres(turned(less(corner, corners[0]), turn)));
    let bars = [[p, q], [q, r], [r, p]];
    let length: f64 = bars.iter().map(|[a, b]| distance(*a, *b)).sum();
    let center = [0, 1].map(|i| {
        let moment = |[a, b]: &[Centimetres; 2]| distance(*a, *b) * (a[i] + b[i]) / 2.0;
        bars.iter().map(moment).sum::<f64>() / length
    });
    // A bar from a to b has a third of its mass times a·a + a·b + b·b about the first corner.
    let second = |[a, b]: &[Centimetres; 2]| {
        distance(*a, *b) / 3.0 * (dot(*a, *a) + dot(*a, *b) + dot(*b, *b))
    };
    let about = bars.iter().map(second).sum::<f64>() - length * dot(center, center);
    let _ = write!(
        text,
        "\n[bodies.{name}]\nmass = \"weight * {length:.9}\"\ninertia = \"weight * {about:.9}\"\ncenter = {center:.9?}\n\
         points = {{ end = {q:.9?}, {third} = {r:.9?} }}\n"
    );
    pose(text, corners[0], corners[1]);
}

fn pose(text: &mut String, from: Centimetres, to: Centimetres) {
    let (position, angle) = (metres(from), direction(from, to));
    let _ = writeln!(text, "position = {position:.9?}\nangle = {angle:.9}");
}

/// The point at these distances from `p` and `q`. It is to the left of the line from `p` to `q` if `side` is
/// positive.
fn corner(p: Centimetres, q: Centimetres, [from_p, from_q]: [f64; 2], side: f64) -> Centimetres {
    let base = distance(p, q);
    let x = (base * base + from_p * from_p - from_q * from_q) / (2.0 * base);
    let y = side * (from_p * from_p - x * x).sqrt();
    let to = direction(p, q);
    point_at(point_at(p, to, x), to + PI / 2.0, y)
}

fn point_at(p: Centimetres, angle: f64, length: f64) -> Centimetres {
    [p[0] + length * angle.cos(), p[1] + length * angle.sin()]
}

fn turned([x, y]: Centimetres, angle: f64) -> Centimetres {
    let (sin, cos) = angle.sin_cos();
    [cos * x - sin * y, sin * x + cos * y]
}

fn less(p: Centimetres, q: Centimetres) -> Centimetres {
    [p[0] - q[0], p[1] - q[1]]
}

fn dot(p: Centimetres, q: Centimetres) -> f64 {
    p[0] * q[0] + p[1] * q[1]
}

fn distance(p: Centimetres, q: Centimetres) -> f64 {
    dot(less(p, q), less(p, q)).sqrt()
}

fn direction(p: Centimetres, q: Centimetres) -> f64 {
    let [x, y] = less(q, p);
    y.atan2(x)
}

fn metres(p: Centimetres) -> Centimetres {
    p.map(|x| x / 100.0)
}
