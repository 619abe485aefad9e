//! Mechanisms with lengths as parameters, so that one compilation serves many of them.

/// A four-bar on links with their weight in the middle.
pub const FOUR_BAR: &str = r#"
space = "planar"
gravity = [0, -9.81]

[parameters]
crank_length = 0.1
coupler_length = 0.3
rocker_length = 0.25
base_length = 0.35
start = 1.5707963267948966

[ground.points]
A = [0, 0]
D = ["base_length", 0]

[bodies.crank]
mass = 1
inertia = 0.01
center = ["crank_length / 2", 0]
points = { tip = ["crank_length", 0] }
angle = "start"

[bodies.coupler]
mass = 2
inertia = 0.02
center = ["coupler_length / 2", 0]
points = { tip = ["coupler_length", 0] }
position = [0, 0.1]
angle = "20 deg"

[bodies.rocker]
mass = 3
inertia = 0.03
center = ["rocker_length / 2", 0]
points = { tip = ["rocker_length", 0] }
position = ["base_length", 0]
angle = "100 deg"

[joints.A]
type = "revolute"
between = ["ground.A", "crank"]

[joints.B]
type = "revolute"
between = ["crank.tip", "coupler"]

[joints.C]
type = "revolute"
between = ["coupler.tip", "rocker.tip"]

[joints.D]
type = "revolute"
between = ["ground.D", "rocker"]

[assembly]
hold = ["crank.angle"]

[outputs]
rocker = "rocker.angle"
x = "coupler.tip.x"
"#;

/// A crank, a rod and a slide.
pub const SLIDER_CRANK: &str = r#"
space = "planar"

[parameters]
r = 0.1
l = 0.3

[bodies.crank]
mass = 1
inertia = 0.01
points = { tip = ["r", 0] }
angle = "40 deg"

[bodies.rod]
mass = 1
inertia = 0.01
points = { end = ["l", 0] }
position = [0.08, 0.06]
angle = "-10 deg"

[bodies.slide]
mass = 1
inertia = 0.01
position = [0.35, 0]

[joints.A]
type = "revolute"
between = ["ground", "crank"]

[joints.B]
type = "revolute"
between = ["crank.tip", "rod"]

[joints.C]
type = "revolute"
between = ["rod.end", "slide"]

[joints.slot]
type = "prismatic"
between = ["ground", "slide"]
axis = "x"

[assembly]
hold = ["crank.angle"]

[outputs]
x = "slide.x"
"#;

/// Two pendulums of point masses at the ends of bars of 1 m, the second on the first.
pub const DOUBLE_PENDULUM: &str = r#"
space = "planar"
gravity = [0, -9.81]

[parameters]
first = -1.2
second = -1.9

[bodies.upper]
mass = 2
inertia = 0
center = [1, 0]
points = { tip = [1, 0] }
angle = "first"

[bodies.lower]
mass = 2
inertia = 0
center = [1, 0]
position = ["cos(first)", "sin(first)"]
angle = "second"

[joints.A]
type = "revolute"
between = ["ground", "upper"]

[joints.B]
type = "revolute"
between = ["upper.tip", "lower"]

[outputs]
upper = "upper.angle"
"#;

/// A mass on a slide between a spring and a damper, pushed by an input.
pub const OSCILLATOR: &str = r#"
space = "planar"
gravity = [0, -9.81]

[parameters]
k = 200
c = 4

[inputs]
push = 0

[bodies.mass]
mass = 2
inertia = 1
position = [0, 0.1]

[joints.guide]
type = "prismatic"
between = ["ground", "mass"]
axis = "y"

[forces.spring]
type = "spring"
joint = "guide"
stiffness = "k"
damping = "c"

[forces.hand]
type = "force"
on = "mass"
force = [0, "push"]

[outputs]
height = "mass.y"
spring = "spring.force"
"#;

/// Two wheels in mesh; a weight of 3 kg, 0.2 m from the axle of the second one.
pub const GEARS: &str = r#"
space = "planar"
gravity = [0, -9.81]

[ground.points]
left = [0, 0]
right = [0.3, 0]

[bodies.small]
mass = 1
inertia = 0.01

[bodies.large]
mass = 3
inertia = 0.04
center = [0.2, 0]
position = [0.3, 0]

[joints.A]
type = "revolute"
between = ["ground.left", "small"]

[joints.B]
type = "revolute"
between = ["ground.right", "large"]

[couplings.mesh]
type = "gear"
between = ["A", "B"]
ratio = -0.5

[outputs]
large = "large.angle"
"#;
