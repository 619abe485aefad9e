"""The motion of the double-action press in one coordinate, the crank's angle q; Python's standard library only.

No joint appears as an equation to be kept. Every point is a function of q in closed form (two circles meet, a circle
meets a line), evaluated in series to second order, so that its derivatives x_q, x_qq come with x. With w = dq/dt

    T = A(q) w^2 / 2,    A = sum m (x_q^2 + y_q^2) + J a_q^2,
    A dw/dt + A_q w^2 / 2 = torque - V_q - sum damping s_q^2 w,

which is integrated by Gauss's collocation of order 12 with steps of 2.5 ms. The balance of energy and work checks it, and
with `--check` twice the step and another method (Gragg's extrapolation). `python3 reference.py > reference.csv`
"""

import math
import sys

# The numbers of model.toml.
GRAVITY = 9.81
D = (0.42, -0.40)
CRANK, COUPLER, ROCKER, RAM_ROD, HOLDER_ROD = 0.12, 0.45, 0.40, 0.55, 0.50
RAM_LINE = 0.20
C = (0.22, -0.20)  # on the coupler, from A, x towards B
F = (0.05, -0.16)  # on the rocker, from D, x towards B
G = (0.37, 0.12)  # on the holder
# Body: mass, moment of inertia about the centre, centre in the body's frame.
MASSES = {
    "crank": (6.0, 0.09, (0.035, 0.008)),
    "coupler": (5.0, 0.12, (0.21, -0.06)),
    "rocker": (4.0, 0.07, (0.17, -0.05)),
    "ram_rod": (2.5, 0.07, (0.24, 0.012)),
    "holder_rod": (2.0, 0.045, (0.27, -0.010)),
    "ram": (12.0, 0.20, (0.015, -0.080)),
    "holder": (9.0, 0.35, (0.060, -0.020)),
}
STALL, NO_LOAD = 30.0, 100 * 2 * math.pi / 60
# The counterbalance pulls the ram up to the frame; the cushion acts along the ram's way in the holder.
HANGER, EYE = (0.26, 0.30), (0.03, 0.05)
BALANCE = (350.0, 25.0, 0.55)  # stiffness, damping, free length
CUSHION = (500.0, 12.0, 0.22)
START = (math.radians(70), 3.0)
END, ROWS = 5.0, 500


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

    def __rsub__(self, other):
        return -self + other

    def __mul__(self, other):
        if isinstance(other, Series):
            return Series(
                self.f * other.f,
                self.d * other.f + self.f * other.d,
                self.dd * other.f + 2 * self.d * other.d + self.f * other.dd,
            )
        return Series(self.f * other, self.d * other, self.dd * other)

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

    def __init__(self, x, y, c, s):
        self.x, self.y, self.c, self.s = x, y, c, s

    def at(self, point):
        u, v = point
        return self.x + u * self.c - v * self.s, self.y + u * self.s + v * self.c

    def turn_rate(self):
        """a_q = c s_q - s c_q, and a_qq."""
        c, s = self.c, self.s
        return c.f * s.d - s.f * c.d, c.f * s.dd - s.f * c.dd


def link(start, end, length):
    (x, y), (u, v) = start, end
    return Link(x, y, (u - x) * (1 / length), (v - y) * (1 / length))


def constant(x):
    return Series(x)


def two_circles(a, ra, b, rb):
    """The point at ra from a and rb from b, to the left of the way from a to b."""
    (ax, ay), (bx, by) = a, b
    dx, dy = bx - ax, by - ay
    square = dx * dx + dy * dy
    inverse = square.inverse()
    along = (square + (ra * ra - rb * rb)) * inverse * 0.5
    across = (ra * ra * inverse - along * along).sqrt()
    return ax + along * dx - across * dy, ay + along * dy + across * dx


def below(point, length, x):
    """The point under `point`, at `length` from it, on the upright line through x."""
    px, py = point
    dx = px - x
    return constant(x), py - (length * length - dx * dx).sqrt()


def mechanism(q):
    """All links at the crank's angle."""
    c, s = math.cos(q), math.sin(q)
    zero, one = constant(0.0), constant(1.0)
    crank = Link(zero, zero, Series(c, -s, -c), Series(s, c, -s))
    a = crank.at((CRANK, 0))
    d = (constant(D[0]), constant(D[1]))
    b = two_circles(a, COUPLER, d, ROCKER)
    coupler, rocker = link(a, b, COUPLER), link(d, b, ROCKER)
    c_, f = coupler.at(C), rocker.at(F)
    e = below(c_, RAM_ROD, RAM_LINE)
    g = below(f, HOLDER_ROD, RAM_LINE + G[0])
    return {
        "crank": crank,
        "coupler": coupler,
        "rocker": rocker,
        "ram_rod": link(c_, e, RAM_ROD),
        "holder_rod": link(f, g, HOLDER_ROD),
        "ram": Link(e[0], e[1], one, zero),
        "holder": Link(constant(RAM_LINE), g[1] - G[1], one, zero),
    }


def state_of_springs(links):
    """Length of the counterbalance and displacement of the cushion."""
    x, y = links["ram"].at(EYE)
    dx, dy = x - HANGER[0], y - HANGER[1]
    return (dx * dx + dy * dy).sqrt(), links["ram"].y - links["holder"].y


def motor(rate):
    return STALL * (1 - rate / NO_LOAD)


def inertia_and_weight(links):
    """A, A_q / 2, and V, V_q of gravity."""
    a = half_slope = height = slope = 0.0
    for name, (mass, moment, centre) in MASSES.items():
        x, y = links[name].at(centre)
        turn, turn_slope = links[name].turn_rate()
        a += mass * (x.d**2 + y.d**2) + moment * turn**2
        half_slope += mass * (x.d * x.dd + y.d * y.dd) + moment * turn * turn_slope
        height += mass * GRAVITY * y.f
        slope += mass * GRAVITY * y.d
    return a, half_slope, height, slope


def rates(state):
    """Rates of q, w and of the work of what is not a potential: motor and dampers."""
    q, rate, _ = state
    links = mechanism(q)
    a, half_slope, _, slope = inertia_and_weight(links)
    power = motor(rate) * rate
    effort = motor(rate) - slope
    for s, (stiffness, damping, free) in zip(state_of_springs(links), (BALANCE, CUSHION)):
        effort -= (stiffness * (s.f - free) + damping * s.d * rate) * s.d
        power -= damping * (s.d * rate) ** 2
    return [rate, (effort - half_slope * rate**2) / a, power]


def energies(state):
    """Kinetic and potential."""
    links = mechanism(state[0])
    a, _, potential, _ = inertia_and_weight(links)
    for s, (stiffness, _, free) in zip(state_of_springs(links), (BALANCE, CUSHION)):
        potential += 0.5 * stiffness * (s.f - free) ** 2
    return 0.5 * a * state[1] ** 2, potential


def extrapolated(state, h, columns=6):
    """One step of Gragg's midpoint rule with 2, 4, ... parts, extrapolated to none."""
    table = []
    for k in range(1, columns + 1):
        n = 2 * k
        part = h / n
        before, now = state, [x + part * r for x, r in zip(state, rates(state))]
        for _ in range(n - 1):
            before, now = now, [x + 2 * part * r for x, r in zip(before, rates(now))]
        row = [[0.5 * (b + x + part * r) for b, x, r in zip(before, now, rates(now))]]
        for j, last in enumerate(table[-1] if table else [], start=1):
            ratio = (n / (n - 2 * j)) ** 2 - 1
            row.append([x + (x - y) / ratio for x, y in zip(row[-1], last)])
        table.append(row)
    return table[-1][-1]


def gauss_nodes(n):
    """Zeros of Legendre's polynomial on [0, 1], and the integrals of Lagrange's polynomials up to each and to 1."""

    def legendre(x):
        before, now = 1.0, x
        for k in range(1, n):
            before, now = now, ((2 * k + 1) * x * now - k * before) / (k + 1)
        return now, n * (x * now - before) / (x * x - 1)

    nodes = []
    for i in range(n):
        x = -math.cos(math.pi * (i + 0.75) / (n + 0.5))
        for _ in range(50):
            value, slope = legendre(x)
            x -= value / slope
        nodes.append(0.5 * (x + 1))
    rows = [[] for _ in range(n + 1)]
    for j, node in enumerate(nodes):
        polynomial = [1.0]
        for other in nodes[:j] + nodes[j + 1 :]:
            raised, lowered = [0.0] + polynomial, polynomial + [0.0]
            polynomial = [(u - other * v) / (node - other) for u, v in zip(raised, lowered)]
        for row, end in zip(rows, nodes + [1.0]):
            row.append(sum(c * end ** (k + 1) / (k + 1) for k, c in enumerate(polynomial)))
    return rows


GAUSS = gauss_nodes(6)


def collocated(state, h):
    """One step of Gauss's method with six stages, by repeated substitution."""
    slopes = [rates(state)] * 6
    for _ in range(60):
        stages = [
            [x + h * sum(w * s[i] for w, s in zip(row, slopes)) for i, x in enumerate(state)] for row in GAUSS
        ]
        change, fresh = 0.0, [rates(stage) for stage in stages[:-1]]
        for new, old in zip(fresh, slopes):
            change = max(change, *(abs(a - b) for a, b in zip(new, old)))
        slopes = fresh
        if change < 1e-11:
            break
    return [x + h * sum(w * s[i] for w, s in zip(GAUSS[-1], slopes)) for i, x in enumerate(state)]


def run(step, parts):
    state = [START[0], START[1], 0.0]
    yield state
    for _ in range(ROWS):
        for _ in range(parts):
            state = step(state, END / ROWS / parts)
        yield state


def row(t, state):
    q, rate, work = state
    links = mechanism(q)
    ram, holder = links["ram"].y, links["holder"].y
    balance, _ = state_of_springs(links)
    pull = BALANCE[0] * (balance.f - BALANCE[2]) + BALANCE[1] * balance.d * rate
    kinetic, potential = energies(state)
    return [t, q, rate, ram.f, ram.d * rate, holder.f, pull, motor(rate), kinetic, potential]


def gap(one, two):
    return max(abs(a - b) for x, y in zip(one, two) for a, b in zip(x, y))


def check(found):
    """The same with twice the step and by another method."""
    gaps = [gap(found, list(run(*how))) for how in ((collocated, 2), (extrapolated, 4))]
    print("twice the step {:.1e}, extrapolation {:.1e}".format(*gaps), file=sys.stderr)
    assert gaps[0] < 1e-11 and gaps[1] < 1e-10


def main():
    found = list(run(collocated, 4))
    start = sum(energies(found[0]))
    balance = max(abs(sum(energies(state)) - state[2] - start) for state in found)
    print(f"energy less work {balance:.1e} J", file=sys.stderr)
    assert balance < 1e-11
    if "--check" in sys.argv:
        check(found)
    print("t,crank,crank_rate,ram,ram_speed,holder,pull,torque,kinetic,potential")
    for k, state in enumerate(found):
        print(",".join(f"{x:.15g}" for x in row(END * k / ROWS, state)))


if __name__ == "__main__":
    main()
