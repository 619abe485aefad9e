//! A mechanism from a file, and one inline: `models/cam_pendulum` word for word, but for its comments.

bellcrank::mechanism!("../../../models/four_bar/model.toml");

bellcrank::mechanism! {
    name = "CamPendulum"
    space = "planar"
    gravity = [0, -9.81]

    [simulation]
    until = "5 s"
    step = "0.1 ms"

    [parameters]
    arm = "0.8 m"
    softness = "40 N/m"

    [inputs]
    effort = "0 Nm"

    [tables.profile]
    x = [-2, -1, 0, 1, 2]
    y = [0, 0.4, 0, -0.4, 0]
    interpolation = "cubic"

    [ground.points]
    pivot = [0, 0]
    anchor = [1, 0]

    [bodies.bob]
    mass = 2
    inertia = 0.05
    points = { top = [0, "arm"] }
    position = [0, "-arm"]
    angular_velocity = 1.5
    velocity = ["1.5 * arm", 0]

    [joints.pivot]
    type = "revolute"
    between = ["ground.pivot", "bob.top"]

    [forces.spring]
    type = "spring"
    between = ["ground.anchor", "bob"]
    stiffness = "softness"
    free = 1.2

    [forces.damper]
    type = "damper"
    joint = "pivot"
    law = "if abs(rate) < 0.5 then -0.1 * rate else -0.05 * sign(rate)"

    [forces.cam]
    type = "actuator"
    joint = "pivot"
    law = "profile(angle)"

    [forces.motor]
    type = "torque"
    on = "bob"
    torque = "effort"

    [outputs]
    angle = "pivot.angle"
    spring = "spring.force"
    pin = "sqrt(pivot.force.x^2 + pivot.force.y^2)"
}
