//! An arm with six revolutes whose links are made of many parts, after the KUKA KR 15/2 of Vlasenko and Kasper.
//!
//! Their model has 43 bodies and 95 joints. A rigid connection in it is made of three planes, and three of its nine
//! constraint equations are redundant. With 36 parts there are as many here: base, six links and parts are 43 bodies;
//! six revolutes, the foot, ten welds and 26 connections of three planes each are 95 joints, with 78 redundant
//! constraint equations. The parts of a link do not change its motion: its frame has the rest of its mass, centre and
//! tensor.

use std::fmt::Write;

use super::Family;

/// A base and six links, to which parts are dealt in turn.
pub(super) const FAMILY: Family = Family {
    name: "kuka",
    about: "a robot's arm, parts held by three planes each, over-constrained (Vlasenko and Kasper)",
    counts: "parts",
    sizes: 0..=105,
    write: kuka,
};

/// A link with all its parts.
struct RobotLink {
    name: &'static str,
    /// The next joint outwards, relative to its own joint.
    tip: [f64; 3],
    mass: f64,
    center: [f64; 3],
    /// About the centre.
    inertia: TensorEntries,
    /// The connection of its parts.
    held: Held,
}

/// How a part is connected to its link.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Held {
    /// By three planes.
    Planes,
    /// By one joint.
    Weld,
}

/// The joint of a link and its motor: axis, goal in degrees, stiffness and damping of the controller.
struct JointMotor(&'static str, f64, f64, f64);

/// Entries xx, yy, zz, xy, xz, yz.
type TensorEntries = [f64; 6];

/// The same data as in `models/kuka_kr15`, on a base.
const LINKS: [RobotLink; 7] = [
    RobotLink {
        name: "base",
        tip: [0.0, 0.0, 0.3],
        mass: 60.0,
        center: [0.0, 0.0, 0.12],
        inertia: [1.2, 1.2, 1.6, 0.0, 0.0, 0.0],
        held: Held::Planes,
    },
    RobotLink {
        name: "carousel",
        tip: [0.3, 0.0, 0.375],
        mass: 70.0,
        center: [0.12, 0.01, 0.2],
        inertia: [1.8, 2.4, 2.0, -0.05, -0.3, 0.02],
        held: Held::Planes,
    },
    RobotLink {
        name: "upper_arm",
        tip: [0.0, 0.0, 0.65],
        mass: 40.0,
        center: [0.02, -0.08, 0.3],
        inertia: [2.2, 2.1, 0.35, 0.02, -0.06, 0.04],
        held: Held::Planes,
    },
    RobotLink {
        name: "forearm",
        tip: [0.2, 0.0, 0.155],
        mass: 45.0,
        center: [0.05, 0.02, 0.12],
        inertia: [0.6, 1.3, 1.2, -0.03, 0.08, 0.01],
        held: Held::Weld,
    },
    RobotLink {
        name: "tube",
        tip: [0.4, 0.0, 0.0],
        mass: 14.0,
        center: [0.22, 0.005, 0.0],
        inertia: [0.05, 0.25, 0.25, 0.004, 0.003, 0.001],
        held: Held::Planes,
    },
    RobotLink {
        name: "hand",
        tip: [0.14, 0.0, 0.0],
        mass: 8.0,
        center: [0.03, 0.0, 0.01],
        inertia: [0.02, 0.03, 0.03, 0.0, -0.002, 0.0],
        held: Held::Planes,
    },
    RobotLink {
        name: "tool",
        tip: [0.25, 0.0, 0.0],
        mass: 16.0,
        center: [0.12, 0.03, 0.05],
        inertia: [0.15, 0.18, 0.12, -0.01, -0.02, 0.015],
        held: Held::Weld,
    },
];

const DRIVES: [JointMotor; 6] = [
    JointMotor("z", 60.0, 5e4, 4000.0),
    JointMotor("y", 35.0, 5e4, 4000.0),
    JointMotor("y", -50.0, 2e4, 1200.0),
    JointMotor("x", 90.0, 1000.0, 40.0),
    JointMotor("y", 40.0, 1000.0, 40.0),
    JointMotor("x", -120.0, 400.0, 15.0),
];

/// The share of its link's mass that each part has.
const SHARE: f64 = 0.05;

const HEAD: &str = "\
space = \"spatial\"
gravity = [0, 0, -9.81]

[simulation]
until = \"2 s\"
step = \"1 ms\"

[constants]
# How long the move takes.
duration = \"1.5 s\"

[outputs]
a1 = \"A1.angle\"
a2 = \"A2.angle\"
a3 = \"A3.angle\"
a4 = \"A4.angle\"
a5 = \"A5.angle\"
a6 = \"A6.angle\"
x = \"tool.tip.x\"
y = \"tool.tip.y\"
z = \"tool.tip.z\"

[joints.foot]
type = \"fixed\"
between = [\"ground\", \"base\"]
";

fn kuka(n: usize) -> String {
    let mut text = format!(
        "# An arm with six revolutes of the size of a KUKA KR 15/2, whose links have {n} parts in all. Where a part is held by\n\
         # three planes, three of their nine rows are redundant. It moves as the arm without parts does.\n\
         name = \"Kuka{n}\"\n{HEAD}"
    );
    let mut at = [0.0; 3];
    for (i, link) in LINKS.iter().enumerate() {
        let parts: Vec<usize> = (i..n).step_by(LINKS.len()).collect();
        frame(&mut text, link, at, parts.len());
        for (k, part) in parts.into_iter().enumerate() {
            part_of(&mut text, link, at, k, part);
        }
        at = sum(at, link.tip);
    }
    for (i, drive) in DRIVES.iter().enumerate() {
        motor(&mut text, i, drive);
    }
    text
}

/// The frame of a link without its parts, with the points where the parts are connected.
fn frame(text: &mut String, link: &RobotLink, at: [f64; 3], parts: usize) {
    let (mut mass, mut moment) = (link.mass, scaled(link.mass, link.center));
    let mut inertia = add(link.inertia, 1.0, steiner(link.mass, link.center));
    for k in 0..parts {
        let (part, place) = (link.part(), link.place(k));
        mass -= part;
        moment = sum(moment, scaled(-part, place));
        inertia = add(inertia, -1.0, link.part_inertia());
        inertia = add(inertia, -1.0, steiner(part, place));
    }
    let center = scaled(1.0 / mass, moment);
    let [xx, yy, zz, xy, xz, yz] = add(inertia, -1.0, steiner(mass, center));
    let name = link.name;
    // Writing to a string does not fail.
    let _ = write!(
        text,
        "\n[bodies.{name}]\nmass = {mass:?}\ncenter = {center:?}\n\
         inertia = {{ xx = {xx:?}, yy = {yy:?}, zz = {zz:?}, xy = {xy:?}, xz = {xz:?}, yz = {yz:?} }}\n\
         position = {at:?}\n\n[bodies.{name}.points]\ntip = {:?}\n",
        link.tip
    );
    for k in 0..parts {
        let _ = writeln!(text, "place{k} = {:?}", link.place(k));
    }
}

fn part_of(text: &mut String, link: &RobotLink, at: [f64; 3], k: usize, part: usize) {
    let (name, position) = (link.name, sum(at, link.place(k)));
    let [xx, yy, zz, ..] = link.part_inertia();
    let _ = write!(
        text,
        "\n[bodies.part{part}]\nmass = {:?}\ninertia = [{xx:?}, {yy:?}, {zz:?}]\nposition = {position:?}\n",
        link.part()
    );
    let between = format!("between = [\"{name}.place{k}\", \"part{part}\"]");
    let _ = match link.held {
        Held::Weld => write!(text, "\n[joints.weld{part}]\ntype = \"fixed\"\n{between}\n"),
        // Other cuts are not cheaper, and there are too many to try.
        Held::Planes => [("x", "false"), ("y", "true"), ("z", "true")]
            .iter()
            .try_for_each(|(axis, cut)| {
                write!(
                    text,
                    "\n[joints.face{part}{axis}]\ntype = \"planar\"\n{between}\naxis = \"{axis}\"\ncut = {cut}\n"
                )
            }),
    };
}

/// s − sin(2πs) / 2π goes from 0 to 1 and begins and ends without speed and acceleration.
fn motor(text: &mut String, i: usize, JointMotor(axis, goal, stiffness, damping): &JointMotor) {
    let (inner, outer, number) = (LINKS[i].name, LINKS[i + 1].name, i + 1);
    let _ = write!(
        text,
        "\n[joints.A{number}]\ntype = \"revolute\"\nbetween = [\"{inner}.tip\", \"{outer}\"]\naxis = \"{axis}\"\n\n\
         [forces.M{number}]\ntype = \"actuator\"\njoint = \"A{number}\"\n\
         law = \"{stiffness:?} * ({goal:?} deg * (min(t / duration, 1) - sin(tau * min(t / duration, 1)) / tau) - angle) \
         - {damping:?} * rate\"\n"
    );
}

impl RobotLink {
    /// Mass of each of its parts.
    fn part(&self) -> f64 {
        SHARE * self.mass
    }

    /// Smallest radius of gyration. Parts stay within it, so that the moments of the frame stay positive.
    fn radius(&self) -> f64 {
        let [xx, yy, zz, ..] = self.inertia;
        (xx.min(yy).min(zz) / self.mass).sqrt()
    }

    /// The position of its k-th part: on each side of its centre in turn.
    fn place(&self, k: usize) -> [f64; 3] {
        let side = [1.0, -1.0][k % 2];
        let mut place = self.center;
        place[k / 2 % 3] += side * self.radius();
        place
    }

    /// Inertia of a cube about the centre of the part.
    fn part_inertia(&self) -> TensorEntries {
        let moment = 0.1 * self.part() * self.radius().powi(2);
        [moment, moment, moment, 0.0, 0.0, 0.0]
    }
}

/// m (r·r − r rᵀ)
fn steiner(mass: f64, [x, y, z]: [f64; 3]) -> TensorEntries {
    [
        y * y + z * z,
        x * x + z * z,
        x * x + y * y,
        -x * y,
        -x * z,
        -y * z,
    ]
    .map(|entry| mass * entry)
}

/// a + factor · b
fn add(a: TensorEntries, factor: f64, b: TensorEntries) -> TensorEntries {
    std::array::from_fn(|i| a[i] + factor * b[i])
}

fn sum(a: [f64; 3], b: [f64; 3]) -> [f64; 3] {
    std::array::from_fn(|i| a[i] + b[i])
}

fn scaled(factor: f64, a: [f64; 3]) -> [f64; 3] {
    a.map(|x| factor * x)
}
