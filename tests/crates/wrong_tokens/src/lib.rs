//! Two faults in tokens: both are reported, each at its token.

bellcrank::mechanism! {
    name = "Wrong"
    space = "planar"

    [bodies.bob]
    mass = 1
    inertia = 0.1
    points = { top = [0, 1] }

    [joints.pivot]
    type = "revolute"
    between = ["ground", "bob.pot"]

    [joints.loop_]
    type = "revolute"
    between = ["bob.top", "bob"]
}
