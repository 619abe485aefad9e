//! The runtime under another name.

use bc::prelude::*;

bc::mechanism! {
    name = "Pendulum"
    space = "planar"
    gravity = [0, -9.81]

    [bodies.bob]
    mass = 1
    inertia = 0.1
    position = [0.5, 0]
    points = { top = [-0.5, 0] }

    [joints.pivot]
    type = "revolute"
    between = ["ground", "bob.top"]
}

fn main() -> Result<(), Stop> {
    let mut sim = Simulation::new(
        Pendulum::default(),
        Rk4::new(1e-3),
        DirectCorrection::default(),
    )?;
    let start = sim.frame().energy();
    for frame in sim.until(0.5) {
        frame?;
    }
    println!("{} {:e}", sim.frame().time(), sim.frame().energy() - start);
    Ok(())
}
