use super::*;

#[test]
fn planar_model() {
    let text = r#"
name = "Slider"
space = "planar"
gravity = [0, "-g"]
constants.g = 9.81
parameters.k = "2 N/mm"
inputs.u = 0
tables.f = { x = [0, 1], y = [0, 2] }
ground.points.pin = [0, 0]
bodies.block = { mass = "2 * k", inertia = 0.2, position = [1, 0] }
bodies.crank = { mass = 1, inertia = 0.1, center = [0.5, 0], points.tip = [1, 0], angular_velocity = 2 }
joints.A = { type = "revolute", between = ["ground.pin", "crank"], motion.angle = "2 * t" }
joints.B = { type = "pin-slot", between = ["block", "crank.tip"], axis = "y" }
joints.C = { type = "prismatic", between = ["ground", "block"], axis = "x", cut = true }
forces.d = { type = "actuator", between = ["ground.pin", "block"], law = "u - f(rate) * (length - 1)" }
forces.s = { type = "spring", joint = "C", stiffness = "k", free = "10 cm" }
outputs.x = "if crank.tip.x < 0 then -(1 + t) / 2 else C.force.y"
assembly.hold = ["crank.angle"]
"#;
    insta::assert_snapshot!(model(text));
}

#[test]
fn spatial_model() {
    let text = r#"
space = "spatial"
gravity = [0, 0, -9.81]
bodies.ring = { mass = 1, inertia = [1, 1, 1] }
bodies.top = { mass = 1, inertia = { xx = 2, yy = 2, zz = 1, xy = 0.1, about = "origin" }, center = [0, 0, 0.5] }
joints.hinge = { type = "cylindrical", between = ["top", "ring"], axis = "z" }
joints.tip = { type = "universal", between = ["ground", "top"], axis = ["x", "y"] }
forces.push = { type = "force", on = "top", force = [1, "t", 0], frame = "body" }
outputs.spin = "hinge.angle"
assembly.hold = ["top.x"]
"#;
    insta::assert_snapshot!(model(text));
}
