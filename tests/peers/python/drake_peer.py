"""Drake from Python; its loops run in C++. Trees by its Runge-Kutta of order 3, because it has no RK4; loops as
ball constraints, which only its discrete steps of order 1 take.  usage: drake_peer.py PROBLEM"""
import json
import sys
import time

import numpy as np
from pydrake.all import (FixedOffsetFrame, LinearSpringDamper, MultibodyPlant, ResetIntegratorFromFlags, RevoluteJoint,
                         RigidTransform, RotationalInertia, Simulator, SpatialInertia, UnitInertia)

import problems

STEPS = 100


def plant_of(problem, step):
    plant, bodies = MultibodyPlant(step), []
    body_of = lambda k: plant.world_body() if k < 0 else bodies[k]
    for k, body in enumerate(problem.bodies):
        xx, yy, zz, xy, xz, yz = body.inertia
        centre = np.array(body.centre, float)
        inertia = RotationalInertia(xx, yy, zz, xy, xz, yz).ShiftFromCenterOfMass(body.mass, centre)
        unit = UnitInertia().SetFromRotationalInertia(inertia, body.mass)
        bodies.append(plant.AddRigidBody(f"b{k}", SpatialInertia(body.mass, centre, unit)))
        place = RigidTransform(np.array(body.origin, float))
        frame = plant.AddFrame(FixedOffsetFrame(f"f{k}", body_of(body.parent).body_frame(), place))
        plant.AddJoint(RevoluteJoint(f"j{k}", frame, bodies[k].body_frame(), np.array(body.axis, float)))
    plant.mutable_gravity_field().set_gravity_vector(np.array(problem.gravity, float))
    for a, p, b, q in problem.loops:
        plant.AddBallConstraint(body_of(a), np.array(p, float), body_of(b), np.array(q, float))
    for a, p, b, q, stiffness, length in problem.springs:
        plant.AddForceElement(LinearSpringDamper(body_of(a), np.array(p, float), body_of(b), np.array(q, float),
                                                 length, stiffness, 0.0))
    if any(body.torque for body in problem.bodies):
        raise SystemExit("a constant torque is not written for Drake")
    plant.Finalize()
    return plant


def simulator_of(problem, plant, step):
    simulator = Simulator(plant)
    context = simulator.get_mutable_context()
    for k, body in enumerate(problem.bodies):
        joint = plant.GetJointByName(f"j{k}")
        joint.set_angle(context, body.angle)
        joint.set_angular_rate(context, body.rate)
    if not problem.loops:
        ResetIntegratorFromFlags(simulator, "runge_kutta3", step)
        simulator.get_mutable_integrator().set_fixed_step_mode(True)
    simulator.set_publish_every_time_step(False)
    simulator.Initialize()
    return simulator


def accelerations(problem):
    """Exact for trees; for loops what one very short step changes."""
    short = 1e-6 if problem.loops else 0.0
    plant = plant_of(problem, short)
    simulator = simulator_of(problem, plant, problem.step)
    context, n = simulator.get_mutable_context(), len(problem.bodies)
    order = [plant.GetJointByName(f"j{k}").velocity_start() for k in range(n)]
    if not problem.loops:
        rates = plant.EvalTimeDerivatives(context).CopyToVector()[n:]
        return [rates[k] for k in order]
    before = plant.GetVelocities(context).copy()
    simulator.AdvanceTo(short)
    change = (plant.GetVelocities(context) - before) / short
    return [change[k] for k in order]


def main():
    problem = next(p for p in problems.all_problems() if p.name == sys.argv[1])
    step = problem.step
    plant = plant_of(problem, step if problem.loops else 0.0)
    best = float("inf")
    for _ in range(5):
        simulator = simulator_of(problem, plant, step)
        begin = time.perf_counter()
        simulator.AdvanceTo(STEPS * step)
        best = min(best, (time.perf_counter() - begin) / STEPS)
    print(json.dumps({"step_ns": best * 1e9, "accelerations": [float(a) for a in accelerations(problem)]}))


main()
