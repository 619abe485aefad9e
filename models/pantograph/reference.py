"""The motion of the pantograph in two coordinates, the angles a and b of its two pairs of bars; standard library only.

With u = (cos a, sin a) and w = (cos b, sin b) every point is p u + r w with constants p and r, so

    T = A ȧ²/2 + B ḃ²/2 + C cos(a − b) ȧ ḃ,
    A ä + C cos(a − b) b̈ = Q_a − C sin(a − b) ḃ²,
    B b̈ + C cos(a − b) ä = Q_b + C sin(a − b) ȧ²,

which is integrated by the extrapolated midpoint rule, order 16 with steps of 5 ms; the work of hand and paper too, so that
energy less work checks it. `python3 reference.py > reference.csv`
"""

from math import cos, pi, radians, sin

# The numbers of model.toml.
SCALE, NEAR, FAR = 3, 0.15, 0.20
DENSITY = 0.4
GRIP, CALM, DRAG = 60.0, 6.0, 0.4
PACE = 2 * pi / 3
START = (radians(110), radians(-10))
END, ROWS = 6.0, 600

# Bars: length, then p and r of the centre, and whether it turns with a.
BARS = [
    (SCALE * NEAR, SCALE * NEAR / 2, 0.0, True),
    (SCALE * FAR, SCALE * NEAR, SCALE * FAR / 2, False),
    (FAR, NEAR, FAR / 2, False),
    ((SCALE - 1) * NEAR, NEAR + (SCALE - 1) * NEAR / 2, FAR, True),
]
A = sum(DENSITY * (s * p * p + with_a * s**3 / 12) for s, p, _, with_a in BARS)
B = sum(DENSITY * (s * r * r + (not with_a) * s**3 / 12) for s, _, r, with_a in BARS)
C = sum(DENSITY * s * p * r for s, p, r, _ in BARS)


def point(state, scale):
    """The tracer, or the pen at its scale: position and velocity."""
    a, b, a_dot, b_dot = state[:4]
    p, r = scale * NEAR, scale * FAR
    x, y = p * cos(a) + r * cos(b), p * sin(a) + r * sin(b)
    return x, y, -p * sin(a) * a_dot - r * sin(b) * b_dot, p * cos(a) * a_dot + r * cos(b) * b_dot


def hand(t, state):
    """A spring-damper between the tracer and the figure of eight."""
    x, y, vx, vy = point(state, 1)
    one, two = PACE * t, 2 * PACE * t
    return (
        GRIP * (0.15 + 0.06 * sin(one) - x) + CALM * (0.06 * PACE * cos(one) - vx),
        GRIP * (0.11 + 0.03 * sin(two) - y) + CALM * (0.06 * PACE * cos(two) - vy),
    )


def rates(t, state):
    a, b, a_dot, b_dot, _ = state
    _, _, pen_vx, pen_vy = point(state, SCALE)
    hand_x, hand_y = hand(t, state)
    # The pen moves as the tracer does, SCALE times as far.
    fx, fy = hand_x - SCALE * DRAG * pen_vx, hand_y - SCALE * DRAG * pen_vy
    q_a, q_b = NEAR * (fy * cos(a) - fx * sin(a)), FAR * (fy * cos(b) - fx * sin(b))
    c, s = C * cos(a - b), C * sin(a - b)
    right_a, right_b = q_a - s * b_dot**2, q_b + s * a_dot**2
    d = A * B - c * c
    return (
        a_dot,
        b_dot,
        (B * right_a - c * right_b) / d,
        (A * right_b - c * right_a) / d,
        q_a * a_dot + q_b * b_dot,
    )


def balance(state):
    """Energy less work."""
    a, b, a_dot, b_dot, work = state
    return A * a_dot**2 / 2 + B * b_dot**2 / 2 + C * cos(a - b) * a_dot * b_dot - work


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
    state, h = (*START, 0.0, 0.0, 0.0), END / ROWS / 2
    print("t,tracer_x,tracer_y,pen_x,pen_y,near,far,near_rate,far_rate,off_x,off_y")
    for k in range(ROWS + 1):
        t = END * k / ROWS
        cells = (t, *point(state, 1)[:2], *point(state, SCALE)[:2], *state[:4], 0, 0)
        print(",".join(f"{x:.15g}" for x in cells))
        assert abs(balance(state)) < 1e-12
        for part in range(2):
            state = step(t + part * h, state, h)


main()
