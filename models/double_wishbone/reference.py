"""The double wishbone in two coordinates: the height z of the chassis and the angle q of the lower arm.

Seen from the chassis, all places depend on q alone. The lower ball is on a circle; the upper ball and the end of the
tie rod are where three spheres meet. Values are Taylor polynomials in q up to its square. With places p of the centres,
axes e_k of the bodies and their second moments Q = tr(J)/2 - J, primes for d/dq,

    sum m z" + sum m p_z' q" = tyre - weight - sum m p_z" q'^2
    sum m p_z' z" + sum (m p'·p' + Q_kl e_k'·e_l') q" = tyre w_z' - pull s' - g sum m p_z' - sum (m p'·p" + ...) q'^2

with w the wheel and s the length of the strut.
"""

import math

GRAVITY = 9.81
LOWER_FRONT, LOWER_REAR, LOWER_BALL = [-0.2, -0.4, 0.15], [0.2, -0.45, 0.155], [0.0, -0.75, 0.1]
UPPER_FRONT, UPPER_REAR, UPPER_BALL = [0.1, -0.45, 0.525], [0.25, -0.49, 0.53], [0.04, -0.675, 0.525]
RACK, TIE, WHEEL = [0.2, -0.4, 0.3], [0.15, -0.75, 0.3], [0.0, -0.76, 0.3]
STRUT_TOP, STRUT_LOW = [0.04, -0.5, 0.65], [0.0, -0.6, 0.15]
CHASSIS_MASS, STIFFNESS, DAMPING, TYRE = 400.0, 80e3, 5000.0, 200e3
FREE, RADIUS = 0.6065, 0.322
WAVE, ROAD_RATE = 0.02, 2 * math.pi * 10.0 / 6.0
ARMS = [(6.0, [0.0, -0.57, 0.13], [0.06, 0.05, 0.1]), (3.0, [0.11, -0.56, 0.526], [0.015, 0.01, 0.02])]
UPRIGHT = (40.0, WHEEL, [1.2, 1.8, 1.2])
UNTIL, STEP, EVERY = 3.0, 1e-4, 100
NODES, SPAN = 32, 0.3


class Taylor:
    """f, f', f'' at one angle."""

    __slots__ = ("f", "g", "h")

    def __init__(self, f, g=0.0, h=0.0):
        self.f, self.g, self.h = f, g, h

    def __add__(self, other):
        return Taylor(self.f + other.f, self.g + other.g, self.h + other.h)

    def __sub__(self, other):
        return Taylor(self.f - other.f, self.g - other.g, self.h - other.h)

    def __mul__(self, other):
        if isinstance(other, float):
            return Taylor(self.f * other, self.g * other, self.h * other)
        a, b = self, other
        return Taylor(a.f * b.f, a.f * b.g + a.g * b.f, a.f * b.h + 2 * a.g * b.g + a.h * b.f)

    def root(self):
        value = math.sqrt(self.f)
        rate = self.g / (2 * value)
        return Taylor(value, rate, (self.h - 2 * rate * rate) / (2 * value))

    def inverse(self):
        f, g, h = self.f, self.g, self.h
        return Taylor(1 / f, -g / f**2, 2 * g * g / f**3 - h / f**2)


def still(point):
    return [Taylor(x) for x in point]


def plus(a, b):
    return [x + y for x, y in zip(a, b)]


def minus(a, b):
    return [x - y for x, y in zip(a, b)]


def times(s, a):
    return [x * s for x in a]


def dot(a, b):
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]


def cross(a, b):
    return [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]


def square_distance(a, b):
    return sum((x - y) ** 2 for x, y in zip(a, b))


def meet(centers, squares, side):
    """Where three spheres meet, on this side of the plane of their centres."""
    a, b, c = centers
    u, v = minus(b, a), minus(c, a)
    normal = cross(u, v)
    inverse = dot(normal, normal).inverse()
    along_u = (dot(u, u) + Taylor(squares[0] - squares[1])) * 0.5
    along_v = (dot(v, v) + Taylor(squares[0] - squares[2])) * 0.5
    foot = times(inverse, plus(times(along_u, cross(v, normal)), times(along_v, cross(normal, u))))
    height = ((Taylor(squares[0]) - dot(foot, foot)) * inverse).root() * side
    return plus(a, plus(foot, times(height, normal)))


def solve(columns, right):
    """Three columns, by Cramer's rule."""
    a, b, c = columns
    volume = dot(a, cross(b, c))
    return [dot(right, cross(b, c)) / volume, dot(right, cross(c, a)) / volume, dot(right, cross(a, b)) / volume]


class Corner:
    """Three design points of a body, from which all its points and axes follow."""

    def __init__(self, points):
        self.origin = points[0]
        u, v = minus(points[1], points[0]), minus(points[2], points[0])
        self.basis = (u, v, cross(u, v))
        self.axes = [solve(self.basis, axis) for axis in ([1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0])]

    def shares(self, point):
        return solve(self.basis, minus(point, self.origin))

    def moved(self, points):
        """The basis now."""
        u, v = minus(points[1], points[0]), minus(points[2], points[0])
        return u, v, cross(u, v)


def combined(shares, basis):
    return plus(times(shares[0], basis[0]), plus(times(shares[1], basis[1]), times(shares[2], basis[2])))


LOWER = Corner([LOWER_FRONT, LOWER_REAR, LOWER_BALL])
UPPER = Corner([UPPER_FRONT, UPPER_REAR, UPPER_BALL])
HUB = Corner([LOWER_BALL, UPPER_BALL, TIE])


def lower_ball(q):
    """On a circle about the hinge, at the angle q from the design position."""
    axis = minus(LOWER_REAR, LOWER_FRONT)
    axis = times(1 / math.sqrt(dot(axis, axis)), axis)
    arm = minus(LOWER_BALL, LOWER_FRONT)
    along = times(dot(arm, axis), axis)
    across = minus(arm, along)
    turned = cross(axis, across)
    c, s = math.cos(q), math.sin(q)
    cosine, sine = Taylor(c, -s, -c), Taylor(s, c, -s)
    circle = plus([cosine * x for x in across], [sine * x for x in turned])
    return plus(still(plus(LOWER_FRONT, along)), circle)


def sphere_side(centers, point):
    """On which side of the plane of three points another one is."""
    normal = cross(minus(centers[1], centers[0]), minus(centers[2], centers[0]))
    return math.copysign(1.0, dot(normal, minus(point, centers[0])))


def fixed_meet(design, point):
    """Squares of the distances, and the side, of a point from three others in the design position."""
    return [square_distance(center, point) for center in design], sphere_side(design, point)


AT_UPPER = fixed_meet([UPPER_FRONT, UPPER_REAR, LOWER_BALL], UPPER_BALL)
AT_TIE = fixed_meet([LOWER_BALL, UPPER_BALL, RACK], TIE)


def places(q):
    """Each body's basis and its origin."""
    low = lower_ball(q)
    front, rear = still(UPPER_FRONT), still(UPPER_REAR)
    high = meet([front, rear, low], *AT_UPPER)
    tie = meet([low, high, still(RACK)], *AT_TIE)
    lower = [still(LOWER_FRONT), still(LOWER_REAR), low]
    return (LOWER, lower), (UPPER, [front, rear, high]), (HUB, [low, high, tie])


def point_of(place, point):
    corner, points = place
    return plus(points[0], combined(corner.shares(point), corner.moved(points)))


def inertia(place, body):
    """m p_z', m p_z", m p'·p' + Q e'·e' and m p'·p" + Q e'·e"."""
    mass, center, moments = body
    corner, points = place
    basis = corner.moved(points)
    p = plus(points[0], combined(corner.shares(center), basis))
    square = mass * sum(x.g * x.g for x in p)
    mixed = mass * sum(x.g * x.h for x in p)
    for axis, moment in zip(corner.axes, moments):
        second = sum(moments) / 2 - moment
        e = combined(axis, basis)
        square += second * sum(x.g * x.g for x in e)
        mixed += second * sum(x.g * x.h for x in e)
    return mass * p[2].g, mass * p[2].h, square, mixed


def configuration(q):
    """What the equations need, and the hub."""
    lower, upper, hub = places(q)
    bodies = zip((lower, upper, hub), (*ARMS, UPRIGHT))
    sums = [sum(parts) for parts in zip(*(inertia(*body) for body in bodies))]
    to_strut = minus(point_of(lower, STRUT_LOW), still(STRUT_TOP))
    strut, wheel = dot(to_strut, to_strut).root(), point_of(hub, WHEEL)
    return sums + [strut.f, strut.g, wheel[2].f, wheel[2].g], hub


def chebyshev():
    """Nodes, weights of the barycentric formula, and what the equations need there."""
    angles = [math.pi * (k + 0.5) / NODES for k in range(NODES)]
    nodes = [SPAN * math.cos(angle) for angle in angles]
    weights = [(-1) ** k * math.sin(angle) for k, angle in enumerate(angles)]
    return nodes, weights, [configuration(node)[0] for node in nodes]


TABLE = chebyshev()


def interpolated(q):
    """The same as `configuration` to rounding, and much faster."""
    shares = [weight / (q - node) for node, weight in zip(TABLE[0], TABLE[1])]
    total = sum(shares)
    return [sum(share * value for share, value in zip(shares, column)) / total for column in zip(*TABLE[2])]


MASS = CHASSIS_MASS + sum(body[0] for body in (*ARMS, UPRIGHT))


def forces(t, z, q_rate, strut, strut_slope, wheel):
    """Of the tyre and of the strut."""
    tyre = TYRE * max(RADIUS - z - wheel + WAVE * (1 - math.cos(ROAD_RATE * t)), 0.0)
    return tyre, STIFFNESS * (strut - FREE) + DAMPING * strut_slope * q_rate


def accelerations(t, z, q, z_rate, q_rate):
    slope, bend, square, mixed, strut, strut_slope, wheel, wheel_slope = interpolated(q)
    tyre, pull = forces(t, z, q_rate, strut, strut_slope, wheel)
    up = tyre - MASS * GRAVITY - bend * q_rate**2
    about = tyre * wheel_slope - pull * strut_slope - GRAVITY * slope - mixed * q_rate**2
    volume = MASS * square - slope**2
    return (square * up - slope * about) / volume, (MASS * about - slope * up) / volume


def rate(t, state):
    z, q, z_rate, q_rate = state
    return (z_rate, q_rate, *accelerations(t, *state))


def step(t, state):
    def at(h, slope):
        return [x + h * y for x, y in zip(state, slope)]

    a = rate(t, state)
    b = rate(t + STEP / 2, at(STEP / 2, a))
    c = rate(t + STEP / 2, at(STEP / 2, b))
    d = rate(t + STEP, at(STEP, c))
    return [x + STEP / 6 * (k + 2 * l + 2 * m + n) for x, k, l, m, n in zip(state, a, b, c, d)]


def row(t, state):
    known, hub = configuration(state[1])
    strut, strut_slope, wheel, _ = known[4:]
    tyre, pull = forces(t, state[0], state[3], strut, strut_slope, wheel)
    corner, points = hub
    inwards = [x.f for x in combined(corner.axes[1], corner.moved(points))]
    camber, toe = math.asin(inwards[2]), math.atan2(inwards[0], inwards[1])
    track = WHEEL[1] - point_of(hub, WHEEL)[1].f
    lift, _ = accelerations(t, *state)
    return [state[0], lift, wheel - WHEEL[2], camber, toe, track, strut, pull, tyre]


def main():
    print("t,body,body_acceleration,travel,camber,toe,track,spring_length,spring_force,tyre_force")
    state = [0.0, 0.0, 0.0, 0.0]
    for k in range(round(UNTIL / STEP) + 1):
        if k % EVERY == 0:
            print(f"{k * STEP:.2f}," + ",".join(f"{value:.12f}" for value in row(k * STEP, state)))
        state = step(k * STEP, state)


main()
