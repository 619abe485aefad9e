//! Rapier in double precision, with impulse joints and its own first-order steps; it has no acceleration to ask for,
//! so that of the last body is what one very short step changes.  usage: rapier PROBLEM STEP

mod problem;

use std::time::{Duration, Instant};

use problem::{Problem, read};
use rapier3d_f64::prelude::*;

const STEPS: usize = 100;
/// Short enough that the motion within it does not matter, and long enough for the digits.
const SHORT: f64 = 1e-6;

#[derive(Default)]
struct World {
    bodies: RigidBodySet,
    colliders: ColliderSet,
    joints: ImpulseJointSet,
    multibodies: MultibodyJointSet,
    islands: IslandManager,
    broad: BroadPhaseBvh,
    narrow: NarrowPhase,
    continuous: CCDSolver,
    soft: SoftBodySet,
    pipeline: PhysicsPipeline,
    parameters: IntegrationParameters,
    gravity: Vector,
    handles: Vec<RigidBodyHandle>,
}

fn main() {
    let arguments: Vec<String> = std::env::args().collect();
    let problem = read(&arguments[1]);
    assert!(problem.springs == 0, "springs are not written for Rapier");
    let step: f64 = arguments[2].parse().expect("the step is a number");
    let mut world = World::new(&problem, SHORT);
    let last = world.handles[world.handles.len() - 1];
    let before = world.bodies[last].linvel();
    world.step();
    let tip = (world.bodies[last].linvel() - before) / SHORT;
    let (begin, mut best) = (Instant::now(), Duration::MAX);
    while begin.elapsed() < Duration::from_millis(200) {
        let mut world = World::new(&problem, step);
        let start = Instant::now();
        (0..STEPS).for_each(|_| world.step());
        best = best.min(start.elapsed());
    }
    let nanoseconds = best.as_secs_f64() * 1e9 / STEPS as f64;
    println!(
        "{{\"step_ns\": {nanoseconds}, \"tip\": [{}, {}, {}]}}",
        tip.x, tip.y, tip.z
    );
}

fn vector(p: [f64; 3]) -> Vector {
    Vector::new(p[0], p[1], p[2])
}

impl World {
    fn new(problem: &Problem, step: f64) -> Self {
        let mut world = World {
            gravity: vector(problem.gravity),
            ..World::default()
        };
        world.parameters.dt = step;
        let ground = world.bodies.insert(RigidBodyBuilder::fixed());
        // Orientation, origin, angular velocity and velocity of each body.
        let mut placed: Vec<(Rotation, Vector, Vector, Vector)> = Vec::new();
        for body in &problem.bodies {
            let at = |k: i64| usize::try_from(k).ok();
            let base = at(body.parent).map(|k| placed[k]);
            let (turn, origin, omega, velocity) =
                base.unwrap_or((Rotation::IDENTITY, Vector::ZERO, Vector::ZERO, Vector::ZERO));
            let axis = vector(body.axis);
            let arm = turn * vector(body.origin);
            let own = turn * Rotation::from_axis_angle(axis, body.angle);
            let moving = (
                own,
                origin + arm,
                omega + turn * axis * body.rate,
                velocity + omega.cross(arm),
            );
            placed.push(moving);
            let (own, origin, omega, velocity) = moving;
            let i = body.inertia;
            let inertia = Matrix::from_cols(
                Vector::new(i[0], i[3], i[4]),
                Vector::new(i[3], i[1], i[5]),
                Vector::new(i[4], i[5], i[2]),
            );
            let mass = MassProperties::with_inertia_matrix(vector(body.centre), body.mass, inertia);
            let builder = RigidBodyBuilder::dynamic()
                .pose(Pose::from_parts(origin, own))
                .linvel(velocity + omega.cross(own * vector(body.centre)))
                .angvel(omega)
                .can_sleep(false)
                .additional_mass_properties(mass);
            let handle = world.bodies.insert(builder);
            let parent = at(body.parent).map_or(ground, |k| world.handles[k]);
            let joint = RevoluteJointBuilder::new(axis).local_anchor1(vector(body.origin));
            world.joints.insert(parent, handle, joint, true);
            world.bodies[handle].add_torque(own * axis * body.torque, true);
            world.handles.push(handle);
        }
        for (a, p, b, q) in &problem.loops {
            let handle = |k: i64| usize::try_from(k).map_or(ground, |k| world.handles[k]);
            let joint = RevoluteJointBuilder::new(Vector::Z)
                .local_anchor1(vector(*p))
                .local_anchor2(vector(*q));
            let (a, b) = (handle(*a), handle(*b));
            world.joints.insert(a, b, joint, true);
        }
        world
    }

    fn step(&mut self) {
        self.pipeline.step(
            self.gravity,
            &self.parameters,
            &mut self.islands,
            &mut self.broad,
            &mut self.narrow,
            &mut self.bodies,
            &mut self.colliders,
            &mut self.joints,
            &mut self.multibodies,
            &mut self.soft,
            &mut self.continuous,
            &(),
            &(),
        );
    }
}
