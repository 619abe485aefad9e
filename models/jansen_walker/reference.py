"""The walker with rigid joints in one coordinate, the crank angle; prints reference.csv.

All is made of uniform bars, so the corners tell everything: a bar with ends p and q has T = m/6 (ṗ² + ṗ·q̇ + q̇²). Corners by
intersecting circles, their first two derivatives by the angle from five points, J φ̈ + ½ J' φ̇² = torque − V' by RK4.
"""

from math import cos, exp, pi, sin, sqrt

A, B, C, D, E, F, G, H, I, J, K, L, M = (
    x / 100 for x in (38, 41.5, 39.3, 40.1, 55.8, 39.4, 36.7, 65.7, 49, 50, 61.9, 7.8, 15)
)
WEIGHT, GRAVITY, CRANK = 0.5, 9.81, 0.05
TURN_RATE, GAIN, DELAY = 2 * pi, 20.0, 0.2
PAIRS, EPSILON = 3, 2e-3
# Bars between corners, in the order in which `leg` tells them: pivot, pin, top, ankle, knee, heel, foot.
BARS = ((1, 2, J), (1, 3, K), (0, 3, C), (4, 5, F), (0, 2, B), (0, 4, D), (2, 4, E), (3, 5, G), (3, 6, I), (5, 6, H))


def corner(p, q, from_p, from_q, side):
    """At these distances, to the left of the way from p to q if the side is positive."""
    dx, dy = q[0] - p[0], q[1] - p[1]
    base = sqrt(dx * dx + dy * dy)
    x = (base * base + from_p * from_p - from_q * from_q) / (2 * base)
    y = side * sqrt(from_p * from_p - x * x)
    return (p[0] + (x * dx - y * dy) / base, p[1] + (x * dy + y * dx) / base)


def leg(side, angle):
    pivot, pin = (-side * A, -L), (M * cos(angle), M * sin(angle))
    top, ankle = corner(pivot, pin, B, J, side), corner(pivot, pin, C, K, -side)
    knee = corner(pivot, top, D, E, side)
    heel = corner(ankle, knee, G, F, side)
    return pivot, pin, top, ankle, knee, heel, corner(ankle, heel, I, H, side)


def corners(angle):
    """Of all legs, as plain numbers."""
    legs = (leg(side, angle + 2 * pi * k / PAIRS) for k in range(PAIRS) for side in (1, -1))
    return [point for found in legs for point in found]


def derivatives(angle):
    """Corners by the angle, once and twice."""
    a, b, c, d, e = (corners(angle + k * EPSILON) for k in (-2, -1, 0, 1, 2))
    first = [tuple((p - 8 * q + 8 * s - t) / (12 * EPSILON) for p, q, s, t in zip(*points)) for points in zip(a, b, d, e)]
    second = [
        tuple((-p + 16 * q - 30 * r + 16 * s - t) / (12 * EPSILON**2) for p, q, r, s, t in zip(*points))
        for points in zip(a, b, c, d, e)
    ]
    return first, second


def dot(p, q):
    return p[0] * q[0] + p[1] * q[1]


def torque(t, rate):
    return GAIN * (TURN_RATE * (1 - exp(-t / DELAY)) - rate)


def acceleration(t, angle, rate):
    first, second = derivatives(angle)
    inertia, slope, effort = CRANK, 0.0, torque(t, rate)
    for start in range(0, len(first), 7):
        for i, j, length in BARS:
            p, q, pp, qq = first[start + i], first[start + j], second[start + i], second[start + j]
            mass = WEIGHT * length
            inertia += mass / 3 * (dot(p, p) + dot(p, q) + dot(q, q))
            slope += mass / 6 * (2 * dot(p, pp) + dot(p, qq) + dot(pp, q) + 2 * dot(q, qq))
            effort -= mass * GRAVITY * (p[1] + q[1]) / 2
    return (effort - slope * rate * rate) / inertia


def step(t, angle, rate, h):
    a, aa = rate, acceleration(t, angle, rate)
    b, bb = rate + h / 2 * aa, acceleration(t + h / 2, angle + h / 2 * a, rate + h / 2 * aa)
    c, cc = rate + h / 2 * bb, acceleration(t + h / 2, angle + h / 2 * b, rate + h / 2 * bb)
    d, dd = rate + h * cc, acceleration(t + h, angle + h * c, rate + h * cc)
    return angle + h / 6 * (a + 2 * b + 2 * c + d), rate + h / 6 * (aa + 2 * bb + 2 * cc + dd)


def main():
    angle, rate = 0.0, 0.0
    print("t,crank,rate,torque,foot0_x,foot0_y,foot1_x,foot1_y")
    for k in range(601):
        t = k / 500
        if k % 10 == 0:
            feet = leg(1, angle)[6] + leg(-1, angle)[6]
            print(",".join(f"{x:.12g}" for x in (t, angle, rate, torque(t, rate), *feet)))
        angle, rate = step(t, angle, rate, 1 / 500)


if __name__ == "__main__":
    main()
