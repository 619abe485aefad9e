"""The motion of the windscreen wiper in closed form; Python's standard library only.

Every point is a function of the crank's angle q, by circles that meet, evaluated in series to second order, so that its
derivatives x_q, x_qq come with x. The crank turns with a constant speed w, so the motor's torque is

    A_q w^2 / 2 + friction w (l_q^2 + r_q^2),    A = sum m (x_q^2 + y_q^2) + J a_q^2,

with l and r the angles of the arms. `python3 reference.py > reference.csv`
"""

import math

# The numbers of model.toml.
SPEED, FRICTION = 2 * math.pi, 0.4
MOTOR, LEFT, RIGHT = (0.30, -0.10), (0.0, 0.0), (0.62, 0.02)
CRANK, ROD, TIE = 0.05, 0.30, 0.62
DRIVE, LEFT_LINK, RIGHT_LINK = (-0.046, -0.06), (-0.05, -0.063), (-0.045, -0.06)
LEFT_TIP, RIGHT_TIP = (0.0, 0.55), (0.0, 0.50)
# Body: mass, moment of inertia about the centre, centre in the body's frame.
MASSES = {
    "crank": (0.3, 0.1e-3, (0.01, 0.0)),
    "rod": (0.4, 3e-3, (0.15, 0.0)),
    "left": (0.7, 25e-3, (0.01, 0.22)),
    "tie": (0.5, 20e-3, (0.3, 0.004)),
    "right": (0.65, 22e-3, (0.008, 0.21)),
}
END, ROWS = 2.0, 200


class Series:
    """f, f_q and f_qq."""

    __slots__ = ("f", "d", "dd")

    def __init__(self, f, d=0.0, dd=0.0):
        self.f, self.d, self.dd = f, d, dd

    def __add__(self, other):
        if isinstance(other, Series):
            return Series(self.f + other.f, self.d + other.d, self.dd + other.dd)
        return Series(self.f + other, self.d, self.dd)

    def __neg__(self):
        return Series(-self.f, -self.d, -self.dd)

    def __sub__(self, other):
        return self + -other

    def __mul__(self, other):
        if isinstance(other, Series):
            return Series(
                self.f * other.f,
                self.d * other.f + self.f * other.d,
                self.dd * other.f + 2 * self.d * other.d + self.f * other.dd,
            )
        return Series(self.f * other, self.d * other, self.dd * other)

    def __rsub__(self, other):
        return -self + other

    __radd__, __rmul__ = __add__, __mul__

    def through(self, f, d, dd):
        """A function of self, given its value and derivatives there."""
        return Series(f, d * self.d, dd * self.d**2 + d * self.dd)

    def sqrt(self):
        root = math.sqrt(self.f)
        return self.through(root, 0.5 / root, -0.25 / root**3)

    def inverse(self):
        return self.through(1 / self.f, -1 / self.f**2, 2 / self.f**3)


class Link:
    """A frame at a point, whose x axis has the direction (c, s)."""

    def __init__(self, origin, c, s):
        (self.x, self.y), self.c, self.s = origin, c, s

    def at(self, point):
        u, v = point
        return self.x + u * self.c - v * self.s, self.y + u * self.s + v * self.c

    def angle(self):
        """a, a_q = c s_q - s c_q, and a_qq."""
        c, s = self.c, self.s
        return math.atan2(s.f, c.f), c.f * s.d - s.f * c.d, c.f * s.dd - s.f * c.dd


def fixed(point):
    return Series(point[0]), Series(point[1])


def through(origin, point, there):
    """The frame at `origin` in which `point` is where `there` is."""
    u, v = point
    dx, dy = there[0] - origin[0], there[1] - origin[1]
    square = 1 / (u * u + v * v)
    return Link(origin, (u * dx + v * dy) * square, (u * dy - v * dx) * square)


def circles(a, ra, b, rb):
    """The point at ra from a and rb from b, to the left of the way from a to b."""
    (ax, ay), (bx, by) = a, b
    dx, dy = bx - ax, by - ay
    square = dx * dx + dy * dy
    inverse = square.inverse()
    along = (square + (ra * ra - rb * rb)) * inverse * 0.5
    across = (ra * ra * inverse - along * along).sqrt()
    return ax + along * dx - across * dy, ay + along * dy + across * dx


def mechanism(q):
    """All bodies at the crank's angle."""
    c, s = math.cos(q), math.sin(q)
    crank = Link(fixed(MOTOR), Series(c, -s, -c), Series(s, c, -s))
    pin, left, right = crank.at((CRANK, 0.0)), fixed(LEFT), fixed(RIGHT)
    drive = circles(pin, ROD, left, math.hypot(*DRIVE))
    left_arm = through(left, DRIVE, drive)
    link = left_arm.at(LEFT_LINK)
    end = circles(right, math.hypot(*RIGHT_LINK), link, TIE)
    return {
        "crank": crank,
        "rod": through(pin, (ROD, 0.0), drive),
        "left": left_arm,
        "tie": through(link, (TIE, 0.0), end),
        "right": through(right, RIGHT_LINK, end),
    }


def torque(bodies):
    """A_q w^2 / 2 and friction."""
    slope = 0.0
    for name, (mass, moment, center) in MASSES.items():
        x, y = bodies[name].at(center)
        _, a_q, a_qq = bodies[name].angle()
        slope += mass * (x.d * x.dd + y.d * y.dd) + moment * a_q * a_qq
    rates = [bodies[name].angle()[1] for name in ("left", "right")]
    return slope * SPEED**2 + FRICTION * SPEED * sum(rate**2 for rate in rates)


def row(t):
    bodies = mechanism(SPEED * t)
    left, right = bodies["left"], bodies["right"]
    (l, l_q, _), (r, r_q, _) = left.angle(), right.angle()
    tips = [c.f for c in left.at(LEFT_TIP) + right.at(RIGHT_TIP)]
    return [t, l, r, l_q * SPEED, r_q * SPEED, *tips, torque(bodies)]


def main():
    print("t,left_arm,right_arm,left_rate,right_rate,left_x,left_y,right_x,right_y,torque")
    for k in range(ROWS + 1):
        values = row(END * k / ROWS)
        print(",".join([f"{values[0]:.2f}"] + [f"{x:.15g}" for x in values[1:]]))


main()
