"""The motion of the scissor lift in one coordinate, the angle q of its bars; Python's standard library only.

With N stages the middle of stage i is at (L cos q / 2, (i − ½) L sin q), the platform at N L sin q, and the cylinder is
x = L cos q long. With w = dq/dt

    T = A(q) w² / 2,   A = 2N (J + m L² sin² q / 4) + B cos² q,   B = L² (2m Σ (i − ½)² + M N²),
    A dw/dt = −A_q w² / 2 − g L (m N² + M N) cos q + F L sin q,

which is integrated by the extrapolated midpoint rule, order 16 with steps of 5 ms; the work of the cylinder too, so that
energy less work checks it. `python3 reference.py > reference.csv`
"""

from math import cos, pi, radians, sin

# The numbers of model.toml.
GRAVITY = 9.81
N, L, M_BAR, LOAD = 3, 1.2, 12.0, 300.0
STIFFNESS, DAMPING = N * 4e6, N * 2e5
STROKE, LIFTING = 0.4, 4.0
START = radians(15)
END, ROWS = 5.0, 500

TURN = 2 * N * M_BAR * L**2 / 12
ACROSS = 2 * N * M_BAR * L**2 / 4
UP = L**2 * (2 * M_BAR * sum((i + 0.5) ** 2 for i in range(N)) + LOAD * N**2)
WEIGHT = GRAVITY * L * (M_BAR * N**2 + LOAD * N)


def force(t, q, w):
    """How the cylinder pulls; it follows a length that changes for four seconds."""
    wanted = L * cos(START) - STROKE / 2 * (1 - cos(pi * min(t / LIFTING, 1)))
    return STIFFNESS * (L * cos(q) - wanted) - DAMPING * L * sin(q) * w


def rates(t, state):
    q, w, _ = state
    a = TURN + ACROSS * sin(q) ** 2 + UP * cos(q) ** 2
    half_a_q = (ACROSS - UP) * sin(q) * cos(q)
    push = force(t, q, w) * L * sin(q)
    return w, (push - WEIGHT * cos(q) - half_a_q * w * w) / a, push * w


def balance(state):
    """Energy less work."""
    q, w, work = state
    return (TURN + ACROSS * sin(q) ** 2 + UP * cos(q) ** 2) * w * w / 2 + WEIGHT * sin(q) - work


def step(t, state, h):
    """The midpoint rule with 2, 4, … 16 parts, extrapolated to none."""
    table = []
    for j in range(1, 9):
        part = h / (2 * j)
        before, now = state, [x + part * f for x, f in zip(state, rates(t, state))]
        for i in range(1, 2 * j):
            slope = rates(t + i * part, now)
            before, now = now, [x + 2 * part * f for x, f in zip(before, slope)]
        row = [now]
        for k in range(1, j):
            weight = 1 / ((j / (j - k)) ** 2 - 1)
            row.append([x + weight * (x - y) for x, y in zip(row[-1], table[-1][k - 1])])
        table.append(row)
    return table[-1][-1]


def main():
    state, h = (START, 0.0, 0.0), END / ROWS / 2
    start = balance(state)
    print("t,height,speed,tilt,sway,angle,length,force")
    for k in range(ROWS + 1):
        t, (q, w, _) = END * k / ROWS, state
        cells = t, N * L * sin(q), N * L * cos(q) * w, 0, 0, q, L * cos(q), force(t, q, w)
        print(",".join(f"{x:.15g}" for x in cells))
        assert abs(balance(state) - start) < 1e-8
        for part in range(2):
            state = step(t + part * h, state, h)


main()
