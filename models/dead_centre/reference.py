"""The motion of the slider-crank in one coordinate, the crank's angle q; Python's standard library only.

Every point is a function of q in closed form, with its first two derivatives. With w = dq/dt

    T = A(q) w² / 2,    A = Σ m (x_q² + y_q²) + J a_q²,    A dw/dt = −A_q w² / 2 − V_q,

which is integrated by the extrapolated midpoint rule, order 16 with steps of 5 ms. Energy checks it.
`python3 reference.py > reference.csv`
"""

from math import asin, cos, radians, sin

# The numbers of model.toml.
GRAVITY = 9.81
CRANK, ROD = 0.1, 0.25
SHAFT = (8.0, 0.15, 0.01)  # mass, moment of inertia, way of the centre from the joint
CON_ROD = (1.2, 0.008, 0.09)
SLIDER = 3.0
START = (radians(30), 12.0)
END, ROWS = 10.0, 1000


def lean(q):
    """Angle of the rod past upright with its derivatives: ROD sin a = CRANK cos q."""
    a = asin(CRANK * cos(q) / ROD)
    a_q = -CRANK * sin(q) / (ROD * cos(a))
    a_qq = (-CRANK * cos(q) / ROD + sin(a) * a_q**2) / cos(a)
    return a, a_q, a_qq


def along(q, length):
    """A point of the rod, so far from the pin, with its derivatives."""
    a, a_q, a_qq = lean(q)
    c, s = cos(a), sin(a)
    x = (
        CRANK * cos(q) - length * s,
        -CRANK * sin(q) - length * c * a_q,
        -CRANK * cos(q) - length * (c * a_qq - s * a_q**2),
    )
    y = (
        CRANK * sin(q) + length * c,
        CRANK * cos(q) - length * s * a_q,
        -CRANK * sin(q) - length * (s * a_qq + c * a_q**2),
    )
    return x, y


def sums(q):
    """A, A_q/2, V and V_q."""
    mass, inertia, way = SHAFT
    a, half_a_q = inertia + mass * way**2, 0.0
    v, v_q = mass * way * sin(q), mass * way * cos(q)
    mass, inertia, way = CON_ROD
    _, turn, bend = lean(q)
    a, half_a_q = a + inertia * turn**2, half_a_q + inertia * turn * bend
    for mass, (x, y) in ((mass, along(q, way)), (SLIDER, along(q, ROD))):
        a += mass * (x[1] ** 2 + y[1] ** 2)
        half_a_q += mass * (x[1] * x[2] + y[1] * y[2])
        v, v_q = v + mass * y[0], v_q + mass * y[1]
    return a, half_a_q, GRAVITY * v, GRAVITY * v_q


def rates(state):
    q, w = state
    a, half_a_q, _, v_q = sums(q)
    return w, -(half_a_q * w * w + v_q) / a


def energy(state):
    a, _, v, _ = sums(state[0])
    return a * state[1] ** 2 / 2 + v


def step(state, h):
    """The midpoint rule with 2, 4, … 16 parts, extrapolated to none."""
    table = []
    for j in range(1, 9):
        part = h / (2 * j)
        before, now = state, [x + part * f for x, f in zip(state, rates(state))]
        for _ in range(2 * j - 1):
            before, now = now, [x + 2 * part * f for x, f in zip(before, rates(now))]
        row = [now]
        for k in range(1, j):
            weight = 1 / ((j / (j - k)) ** 2 - 1)
            row.append([x + weight * (x - y) for x, y in zip(row[-1], table[-1][k - 1])])
        table.append(row)
    return table[-1][-1]


def main():
    state, start = START, energy(START)
    print("t,angle,rate,slider,speed")
    for k in range(ROWS + 1):
        _, y = along(state[0], ROD)
        cells = (END * k / ROWS, *state, y[0], y[1] * state[1])
        print(",".join(f"{x:.15g}" for x in cells))
        assert abs(energy(state) - start) < 1e-10
        for _ in range(2):
            state = step(state, END / ROWS / 2)


main()
