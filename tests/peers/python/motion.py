"""Where the bodies of a problem are, how they move, and how their centres accelerate: what tells whether
engines with different coordinates agree."""
from problems import Problem


def cross(a, b):
    return (a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0])


def plus(*vectors):
    return tuple(map(sum, zip(*vectors)))


def times(factor, a):
    return tuple(factor * x for x in a)


def product(p, q):
    """Of two quaternions, the scalar first."""
    scalar = p[0] * q[0] - sum(x * y for x, y in zip(p[1:], q[1:]))
    return (scalar, *plus(times(p[0], q[1:]), times(q[0], p[1:]), cross(p[1:], q[1:])))


def turned(q, a):
    conjugate = (q[0], *times(-1, q[1:]))
    return product(product(q, (0, *a)), conjugate)[1:]


class Motion:
    """One body: orientation, origin, angular velocity, velocity, and their rates; all in world axes."""

    def __init__(self, orientation, origin, omega, velocity, alpha, acceleration):
        self.orientation, self.origin = orientation, origin
        self.omega, self.velocity = omega, velocity
        self.alpha, self.acceleration = alpha, acceleration

    def point(self, at):
        r = turned(self.orientation, at)
        velocity = plus(self.velocity, cross(self.omega, r))
        swing = cross(self.omega, cross(self.omega, r))
        return plus(self.origin, r), velocity, plus(self.acceleration, cross(self.alpha, r), swing)


def motions(problem: Problem, accelerations=None):
    """All bodies at the start, with these joint accelerations."""
    import math

    accelerations = accelerations or [0.0] * len(problem.bodies)
    zero, found = (0.0, 0.0, 0.0), []
    ground = Motion((1.0, 0.0, 0.0, 0.0), zero, zero, zero, zero, zero)
    for body, second in zip(problem.bodies, accelerations):
        base = found[body.parent] if body.parent >= 0 else ground
        axis = turned(base.orientation, body.axis)
        origin, velocity, acceleration = base.point(body.origin)
        turn = (math.cos(body.angle / 2), *times(math.sin(body.angle / 2), body.axis))
        omega = plus(base.omega, times(body.rate, axis))
        alpha = plus(base.alpha, times(second, axis), cross(base.omega, times(body.rate, axis)))
        orientation = product(base.orientation, turn)
        found.append(Motion(orientation, origin, omega, velocity, alpha, acceleration))
    return found


def tip_acceleration(problem: Problem, accelerations):
    """Of the centre of the last body, on which all joint accelerations have their effect."""
    last = problem.bodies[-1]
    return motions(problem, accelerations)[-1].point(last.centre)[2]
