//! Parallelograms in a row, problem A02 of the IFToMM library of benchmarks.

use std::fmt::Write;

use super::Family;

/// N + 1 uprights of 1 m and 1 kg, 1 m apart, connected at their tops by N couplers with the same data.
pub(super) const FAMILY: Family = Family {
    name: "four-bars",
    about: "parallelograms in a row that go round (IFToMM A02)",
    counts: "parallelograms",
    sizes: 1..=1000,
    write: four_bars,
};

const HEAD: &str = "\
space = \"planar\"
gravity = [0, -9.81]

[simulation]
until = \"10 s\"
step = \"1 ms\"

[constants]
rod = \"1/12 * 1 kg * 1 m^2\"

[assembly]
hold = [\"upright0.angle\"]

[outputs]
x = \"upright0.B.x\"
y = \"upright0.B.y\"
vx = \"upright0.B.vx\"
vy = \"upright0.B.vy\"
# Zero as long as all are parallelograms.
tilt = \"upright{n}.B.y - upright0.B.y\"
";

fn four_bars(n: usize) -> String {
    let mut text = format!(
        "# {n} parallelograms in a row, problem A02 of the IFToMM library of benchmarks with N = {n}. Whenever the\n\
         # uprights are level, the mechanism has {} freedoms instead of one.\n\
         name = \"FourBars{n}\"\n{}",
        n + 1,
        HEAD.replace("{n}", &n.to_string())
    );
    text += "\n[ground.points]\n";
    text.extend((0..=n).map(|i| format!("A{i} = [{i}, 0]\n")));
    (0..=n).for_each(|i| upright(&mut text, i));
    (1..=n).for_each(|i| coupler(&mut text, i));
    text
}

fn upright(text: &mut String, i: usize) {
    // Writing to a string does not fail.
    let _ = write!(
        text,
        "\n[bodies.upright{i}]\nmass = \"1 kg\"\ninertia = \"rod\"\ncenter = [0.5, 0]\npoints = {{ B = [1, 0] }}\n\
         position = [{i}, 0]\nangle = \"90 deg\"\nangular_velocity = -1\n\n\
         [joints.A{i}]\ntype = \"revolute\"\nbetween = [\"ground.A{i}\", \"upright{i}\"]\n"
    );
}

fn coupler(text: &mut String, i: usize) {
    let before = i - 1;
    let _ = write!(
        text,
        "\n[bodies.coupler{i}]\nmass = \"1 kg\"\ninertia = \"rod\"\ncenter = [0.5, 0]\npoints = {{ end = [1, 0] }}\n\
         position = [{before}, 1]\nvelocity = [1, 0]\n\n\
         [joints.B{i}]\ntype = \"revolute\"\nbetween = [\"upright{before}.B\", \"coupler{i}\"]\n\n\
         [joints.C{i}]\ntype = \"revolute\"\nbetween = [\"coupler{i}.end\", \"upright{i}.B\"]\n"
    );
}
