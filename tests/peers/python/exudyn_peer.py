"""Exudyn from Python; its loops run in C++. Trees as a kinematic tree with its RK4, loops in the plane as rigid bodies
with pins and generalised-alpha.  usage: exudyn_peer.py PROBLEM"""
import json
import os
import sys
import time

import exudyn as exu
import numpy as np
from exudyn.utilities import (LoadMassProportional, LoadTorqueVector, MarkerBodyMass, MarkerBodyPosition,
                              MarkerBodyRigid, NodeGenericODE2, NodeRigidBody2D, ObjectConnectorSpringDamper,
                              ObjectGround, ObjectJointRevolute2D, ObjectKinematicTree, ObjectRigidBody2D)

import problems
from motion import motions

# Setting up a run costs as much as many steps, so two lengths are run and their difference counts.
SHORT, LONG = 20, 220
TINY = 1e-6


def settings(span, step):
    s = exu.SimulationSettings()
    s.timeIntegration.endTime = span
    s.timeIntegration.numberOfSteps = max(1, round(span / step))
    s.timeIntegration.verboseMode = 0
    s.solutionSettings.writeSolutionToFile = False
    s.solutionSettings.sensorsWritePeriod = 1e9
    s.displayStatistics = s.displayComputationTime = False
    s.parallel.numberOfThreads = 1
    return s


def plane(problem):
    system = exu.SystemContainer().AddSystem()
    ground = system.AddObject(ObjectGround())
    numbers = []
    for body, motion in zip(problem.bodies, motions(problem)):
        place, velocity, _ = motion.point(body.centre)
        angle = 2 * np.arctan2(motion.orientation[3], motion.orientation[0])
        node = system.AddNode(NodeRigidBody2D(referenceCoordinates=[*place[:2], angle],
                                              initialVelocities=[*velocity[:2], motion.omega[2]]))
        number = system.AddObject(ObjectRigidBody2D(nodeNumber=node, physicsMass=body.mass,
                                                    physicsInertia=body.inertia[2]))
        numbers.append(number)
        weight = system.AddMarker(MarkerBodyMass(bodyNumber=number))
        system.AddLoad(LoadMassProportional(markerNumber=weight, loadVector=list(problem.gravity)))
        if body.torque:
            rigid = system.AddMarker(MarkerBodyRigid(bodyNumber=number))
            system.AddLoad(LoadTorqueVector(markerNumber=rigid, loadVector=[0, 0, body.torque]))

    def marker(k, at):
        if k < 0:
            return system.AddMarker(MarkerBodyPosition(bodyNumber=ground, localPosition=list(at)))
        local = [x - c for x, c in zip(at, problem.bodies[k].centre)]
        return system.AddMarker(MarkerBodyPosition(bodyNumber=numbers[k], localPosition=local))

    pins = [(body.parent, body.origin, k, (0, 0, 0)) for k, body in enumerate(problem.bodies)]
    for a, p, b, q in pins + problem.loops:
        system.AddObject(ObjectJointRevolute2D(markerNumbers=[marker(a, p), marker(b, q)]))
    for a, p, b, q, stiffness, length in problem.springs:
        system.AddObject(ObjectConnectorSpringDamper(markerNumbers=[marker(a, p), marker(b, q)],
                                                     stiffness=stiffness, referenceLength=length))
    system.Assemble()
    centre = lambda: system.GetObjectOutputBody(numbers[-1], exu.OutputVariableType.Velocity, [0, 0, 0])
    return system, centre


def tree(problem):
    system = exu.SystemContainer().AddSystem()
    n, bodies = len(problem.bodies), problem.bodies
    kinds = {(1, 0, 0): exu.JointType.RevoluteX, (0, 1, 0): exu.JointType.RevoluteY, (0, 0, 1): exu.JointType.RevoluteZ}
    tensor = lambda i: np.array([[i[0], i[3], i[4]], [i[3], i[1], i[5]], [i[4], i[5], i[2]]], float)
    vectors = lambda values: exu.Vector3DList([[float(x) for x in value] for value in values])
    node = system.AddNode(NodeGenericODE2(referenceCoordinates=[0.0] * n,
                                          initialCoordinates=[b.angle for b in bodies],
                                          initialCoordinates_t=[b.rate for b in bodies], numberOfODE2Coordinates=n))
    system.AddObject(ObjectKinematicTree(
        nodeNumber=node, jointTypes=[kinds[b.axis] for b in bodies], linkParents=[b.parent for b in bodies],
        jointTransformations=exu.Matrix3DList([np.eye(3)] * n), jointOffsets=vectors(b.origin for b in bodies),
        linkInertiasCOM=exu.Matrix3DList([tensor(b.inertia) for b in bodies]),
        linkCOMs=vectors(b.centre for b in bodies), linkMasses=[b.mass for b in bodies],
        baseOffset=[0, 0, 0], gravity=list(problem.gravity)))
    system.Assemble()
    return system, lambda: np.atleast_1d(system.GetNodeOutput(node, exu.OutputVariableType.Coordinates_t))


def solve(problem, span, step):
    system, read = plane(problem) if problem.planar else tree(problem)
    solver = exu.DynamicSolverType.GeneralizedAlpha if problem.planar else exu.DynamicSolverType.RK44
    s = settings(span, step)
    if problem.planar and len(problem.bodies) > 10:
        s.linearSolverType = exu.LinearSolverType.EigenSparse
    begin = time.perf_counter()
    system.SolveDynamic(s, solverType=solver)
    return time.perf_counter() - begin, np.array(read(), float)


def main():
    problem = next(p for p in problems.all_problems() if p.name == sys.argv[1])
    step = problem.step
    short = min(solve(problem, SHORT * step, step)[0] for _ in range(4))
    long = min(solve(problem, LONG * step, step)[0] for _ in range(4))
    found = {"step_ns": (long - short) / (LONG - SHORT) * 1e9}
    change = (solve(problem, 2 * TINY, TINY)[1] - solve(problem, TINY, TINY)[1]) / TINY
    found["tip" if problem.planar else "accelerations"] = change.tolist()
    return found


# Exudyn talks on stdout, from C++ too, and the answer has to stand there alone.
answer, talk = os.dup(1), os.open(os.devnull, os.O_WRONLY)
os.dup2(talk, 1)
found = main()
os.dup2(answer, 1)
print(json.dumps(found))
