"""The problems, once for all engines: bodies on revolute joints, loops closed by points, springs.

At zero angle every joint frame is parallel to the world. SI units. Bodies are listed depth first.
"""
import math
from dataclasses import dataclass, field
from pathlib import Path

GRAVITY = 9.81


@dataclass
class Body:
    parent: int
    axis: tuple
    origin: tuple  # of the joint, in the frame of the parent
    centre: tuple
    mass: float
    inertia: tuple  # xx yy zz xy xz yz about the centre
    angle: float = 0.0
    rate: float = 0.0
    torque: float = 0.0


@dataclass
class Problem:
    name: str
    title: str
    gravity: tuple
    bodies: list
    loops: list = field(default_factory=list)  # (body, point, body, point)
    springs: list = field(default_factory=list)  # (body, point, body, point, stiffness, length)
    step: float = 1e-3
    outputs: dict = field(default_factory=dict)

    @property
    def planar(self):
        return all(body.axis == (0, 0, 1) for body in self.bodies)

    def write(self, folder: Path):
        (folder / f"{self.name}.mdl").write_text(self.plain())

    def plain(self):
        """The file that the C++ and Rust programs read."""
        row = lambda *values: " ".join(repr(float(value)) for value in values)
        lines = [f"gravity {row(*self.gravity)}", f"bodies {len(self.bodies)}"]
        for b in self.bodies:
            numbers = row(*b.axis, *b.origin, *b.centre, b.mass, *b.inertia, b.angle, b.rate, b.torque)
            lines.append(f"{b.parent} {numbers}")
        lines.append(f"loops {len(self.loops)}")
        lines += [f"{a} {row(*p)} {b} {row(*q)}" for a, p, b, q in self.loops]
        lines.append(f"springs {len(self.springs)}")
        lines += [f"{a} {row(*p)} {b} {row(*q)} {row(k, l)}" for a, p, b, q, k, l in self.springs]
        return "\n".join(lines) + "\n"


def round_inertia(moment):
    return (moment,) * 3 + (0.0,) * 3


def four_bar():
    """Marques, Souto and Flores (2017), with the crank turning at the start."""
    crank = math.pi / 3
    coupler, follower = 0.423245598298523, 1.004203159591008
    z = (0, 0, 1)
    bodies = [
        Body(-1, z, (0, 0, 0), (1, 0, 0), 1.00, round_inertia(0.30), crank),
        Body(0, z, (2, 0, 0), (2, 0, 0), 2.25, round_inertia(2.00), coupler - crank),
        Body(-1, z, (2.5, 0, 0), (2, 0, 0), 2.20, round_inertia(1.35), follower),
    ]
    problem = Problem("four_bar", "four-bar", (0, -GRAVITY, 0), bodies, [(1, (4, 0, 0), 2, (4, 0, 0))])
    # The last two say what the crank's angle accelerates by, for those who compute nothing else.
    problem.outputs |= {"crank": "b0.angle", "crank_ax": "b0.ax", "crank_ay": "b0.ay"}
    return moving(problem, 1.0)


def andrews():
    """Andrews' squeezer, data of the test set for initial value problems."""
    m = [0.04325, 0.00365, 0.02373, 0.00706, 0.07050, 0.00706, 0.05498]
    moment = [2.194e-6, 4.410e-7, 5.255e-6, 5.667e-7, 1.169e-5, 5.667e-7, 1.912e-5]
    a, b, c = (-0.06934, -0.00227, 0), (-0.03635, 0.03273, 0), (0.014, 0.072, 0)
    d, da, e, ea, zf, fa, rr, ra = 28e-3, 115e-4, 2e-2, 1421e-5, 2e-2, 1421e-5, 7e-3, 92e-5
    ss, sa, sb, sc, sd, ta, tb = 35e-3, 1874e-5, 1043e-5, 18e-3, 2e-2, 2308e-5, 916e-5
    u, ua, ub, zt = 4e-2, 1228e-5, 449e-5, 4e-2
    z = (0, 0, 1)
    body = lambda k, parent, origin, centre, angle: Body(
        parent, z, origin, centre, m[k], round_inertia(moment[k]), angle)
    bodies = [
        body(0, -1, (0, 0, 0), (ra, 0, 0), -0.0617138900142764496358948458001),
        body(1, 0, (rr, 0, 0), (-da, 0, 0), 0.0),
        body(2, -1, b, (sb, -sa, 0), 0.455279819163070380255912382449),
        body(4, -1, a, (ta, tb, 0), 0.487364979543842550225598953530),
        body(3, 3, (zt, 0, 0), (0, ea - e, 0), 0.222668390165885884674473185609),
        body(6, -1, a, (-ub, -ua, 0), 1.23054744454982119249735015568),
        body(5, 5, (0, -u, 0), (zf - fa, 0, 0), -0.222668390165885884674473185609),
    ]
    bodies[0].torque = 0.033
    end = (-d, 0, 0)
    loops = [(1, end, 2, (0, -ss, 0)), (1, end, 4, (0, -e, 0)), (1, end, 6, (zf, 0, 0))]
    springs = [(2, (sd, -sc, 0), -1, c, 4530.0, 0.07785)]
    problem = Problem("andrews", "Andrews' squeezer", (0, 0, 0), bodies, loops, springs, step=1e-5)
    return moving(problem, 10.0)


def ladder(n):
    """Problem A02 of the IFToMM library: n four-bars in a row of rods of 1 m and 1 kg."""
    z, centre, inertia = (0, 0, 1), (0.5, 0, 0), round_inertia(1 / 12)
    bodies, loops = [], []
    for k in range(n + 1):
        bodies.append(Body(-1, z, (k, 0, 0), centre, 1.0, inertia, math.pi / 2, -1.0))
        if k < n:
            bodies.append(Body(2 * k, z, (1, 0, 0), centre, 1.0, inertia, -math.pi / 2, 1.0))
            loops.append((2 * k + 1, (1, 0, 0), 2 * k + 2, (1, 0, 0)))
    return Problem(f"ladder_{n}", f"ladder of {n} four-bars", (0, -GRAVITY, 0), bodies, loops)


def chain(n, title=None):
    """Bars of 1 m with hinges about x and y in turn, level at the start and turning a little."""
    across, along = (1 + 0.01) / 12, 0.02 / 12
    bodies = []
    for i in range(n):
        about_x = i % 2 == 0
        sign = 1 if n <= 5 or (i // 2) % 2 == 0 else -1
        angle = math.pi / 2 if i == 0 else 0.0 if about_x else sign * math.pi / 4
        origin = (0, 0, 0) if i == 0 else (0, 0, -1)
        axis = (1, 0, 0) if about_x else (0, 1, 0)
        inertia = (across, across, along, 0, 0, 0)
        bodies.append(Body(i - 1, axis, origin, (0, 0, -0.5), 1.0, inertia, angle, 0.1 * (1 + i % 3)))
    return Problem(f"chain_{n}", title or f"chain of {n} bodies in space", (0, 0, -GRAVITY), bodies)


def five_arm():
    problem = chain(5, "five-arm pendulum")
    problem.name = "five_arm"
    return problem


def arm():
    """A robot of six revolutes with plausible numbers of our own."""
    x, y, z = (1, 0, 0), (0, 1, 0), (0, 0, 1)
    bodies = [
        Body(-1, z, (0, 0, 0.2), (0.05, 0, 0.15), 60.0, (1.2, 1.1, 0.9, 0.02, -0.05, 0.01), 0.3, 0.2),
        Body(0, y, (0.18, 0, 0.3), (0.02, -0.08, 0.28), 40.0, (2.1, 2.0, 0.35, 0.01, 0.04, -0.02), -0.6, -0.4),
        Body(1, y, (0, 0, 0.6), (0.1, 0.03, 0.04), 25.0, (0.3, 0.55, 0.5, 0.01, -0.02, 0.005), 0.9, 0.5),
        Body(2, x, (0.35, 0, 0.12), (0.12, 0, 0), 12.0, (0.06, 0.15, 0.15, 0, 0.003, 0), 0.4, -0.7),
        Body(3, y, (0.27, 0, 0), (0.03, 0.01, 0), 4.0, (0.01, 0.012, 0.011, 0.0003, 0, 0.0002), -0.8, 0.9),
        Body(4, x, (0.115, 0, 0), (0.02, 0, 0), 1.0, (0.0015, 0.0012, 0.0013, 0, 0, 0), 0.2, 1.1),
    ]
    return Problem("arm", "arm of six revolutes", (0, 0, -GRAVITY), bodies)


def moving(problem, rate):
    """Gives joint 0 a rate, and the others those that keep the loops closed, so that the start has
    velocities and the check sees all terms. The loops must leave one freedom."""
    bodies, rest = problem.bodies, range(1, len(problem.bodies))
    places = planar_places(problem)
    bodies[0].rate = rate

    def row(body, point, sign, into):
        p = planar_point(places, body, point)
        while body >= 0:
            o = places[body][:2]
            into[0][body] += -sign * (p[1] - o[1])
            into[1][body] += sign * (p[0] - o[0])
            body = bodies[body].parent

    rows = []
    for a, p, b, q in problem.loops:
        pair = [[0.0] * len(bodies), [0.0] * len(bodies)]
        row(a, p, 1, pair)
        row(b, q, -1, pair)
        rows += pair
    rates = solved([[r[j] for j in rest] for r in rows], [-r[0] * rate for r in rows])
    for j, value in zip(rest, rates):
        bodies[j].rate = value
    return problem


def planar_places(problem):
    """Origin and angle of each body."""
    places = []
    for body in problem.bodies:
        x, y = planar_point(places, body.parent, body.origin)
        places.append((x, y, (places[body.parent][2] if body.parent >= 0 else 0.0) + body.angle))
    return places


def planar_point(places, body, point):
    if body < 0:
        return point[0], point[1]
    x, y, angle = places[body]
    c, s = math.cos(angle), math.sin(angle)
    return x + c * point[0] - s * point[1], y + s * point[0] + c * point[1]


def solved(matrix, right):
    """Gauss with pivots."""
    n = len(right)
    rows = [row + [value] for row, value in zip(matrix, right)]
    for k in range(n):
        best = max(range(k, n), key=lambda i: abs(rows[i][k]))
        rows[k], rows[best] = rows[best], rows[k]
        for i in range(k + 1, n):
            f = rows[i][k] / rows[k][k]
            rows[i] = [x - f * y for x, y in zip(rows[i], rows[k])]
    x = [0.0] * n
    for k in reversed(range(n)):
        x[k] = (rows[k][n] - sum(rows[k][j] * x[j] for j in range(k + 1, n))) / rows[k][k]
    return x


def all_problems():
    tree = [five_arm(), arm(), chain(20), chain(50), chain(100)]
    return [four_bar(), andrews(), ladder(10), ladder(20), ladder(40), *tree]
