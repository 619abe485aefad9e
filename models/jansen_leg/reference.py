"""Jansen's leg in closed form: each corner is where two circles meet.

Values are Taylor polynomials in time up to its square, so that velocities and accelerations come along. The drive's
torque is what d'Alembert's principle leaves for it: its power is that of all m (a - g), a bar p q of mass m having

    m/6 (2 p·p' + p·q' + q·p' + 2 q·q'),  primes for velocities where p and q stand for accelerations less gravity.
"""

import math

A, B, C, D, E, F, G, H, I, J, K, L, M = (
    x / 100 for x in (38, 41.5, 39.3, 40.1, 55.8, 39.4, 36.7, 65.7, 49, 50, 61.9, 7.8, 15)
)
WEIGHT, GRAVITY, RATE = 0.5, 9.81, math.pi
UNTIL, EVERY = 4.0, 0.01


class Taylor:
    """f, f', f'' at one time."""

    def __init__(self, value, rate=0.0, second=0.0):
        self.parts = (value, rate, second)

    def __add__(self, other):
        return Taylor(*(x + y for x, y in zip(self.parts, other.parts)))

    def __sub__(self, other):
        return Taylor(*(x - y for x, y in zip(self.parts, other.parts)))

    def __mul__(self, other):
        (a, b, c), (x, y, z) = self.parts, other.parts
        return Taylor(a * x, a * y + b * x, a * z + 2 * b * y + c * x)

    def root(self):
        a, b, c = self.parts
        value = math.sqrt(a)
        rate = b / (2 * value)
        return Taylor(value, rate, (c - 2 * rate * rate) / (2 * value))

    def inverse(self):
        a, b, c = self.parts
        return Taylor(1 / a, -b / a**2, 2 * b * b / a**3 - c / a**2)


def scaled(factor, point):
    return tuple(factor * x for x in point)


def plus(p, q):
    return (p[0] + q[0], p[1] + q[1])


def minus(p, q):
    return (p[0] - q[0], p[1] - q[1])


def meet(p, to_p, q, to_q):
    """Left of the way from p to q, at these distances from both."""
    way = minus(q, p)
    square = way[0] * way[0] + way[1] * way[1]
    along = (square + Taylor(to_p**2 - to_q**2)) * (Taylor(2) * square).inverse()
    across = (Taylor(to_p**2) * square.inverse() - along * along).root()
    left = (Taylor(-1) * way[1], way[0])
    return plus(p, plus(scaled(along, way), scaled(across, left)))


def corners(t):
    """All joints and the foot."""
    angle = RATE * t
    c, s = math.cos(angle), math.sin(angle)
    axle = (Taylor(0), Taylor(0))
    pivot = (Taylor(-A), Taylor(-L))
    pin = (
        Taylor(M * c, -M * RATE * s, -M * RATE**2 * c),
        Taylor(M * s, M * RATE * c, -M * RATE**2 * s),
    )
    top = meet(pivot, B, pin, J)
    ankle = meet(pin, K, pivot, C)
    knee = meet(pivot, D, top, E)
    heel = meet(ankle, G, knee, F)
    foot = meet(ankle, I, heel, H)
    return axle, pivot, pin, top, ankle, knee, heel, foot


def power(p, q, length):
    """What a bar asks for."""
    pull = [(p[k].parts[2] + GRAVITY * k, q[k].parts[2] + GRAVITY * k) for k in (0, 1)]
    speed = [(p[k].parts[1], q[k].parts[1]) for k in (0, 1)]
    both = zip(pull, speed)
    return WEIGHT * length / 6 * sum(2 * a * x + a * y + b * x + 2 * b * y for (a, b), (x, y) in both)


def torque(axle, pivot, pin, top, ankle, knee, heel, foot):
    bars = [
        (axle, pin, M),
        (pin, top, J),
        (pin, ankle, K),
        (pivot, ankle, C),
        (pivot, top, B),
        (pivot, knee, D),
        (top, knee, E),
        (knee, heel, F),
        (ankle, heel, G),
        (heel, foot, H),
        (ankle, foot, I),
    ]
    return sum(power(*bar) for bar in bars) / RATE


def direction(p, q):
    return math.atan2(q[1].parts[0] - p[1].parts[0], q[0].parts[0] - p[0].parts[0])


def main():
    print("t,foot_x,foot_y,foot_speed,thigh,shank,drive")
    for k in range(round(UNTIL / EVERY) + 1):
        points = corners(k * EVERY)
        axle, pivot, pin, top, ankle, knee, heel, foot = points
        shank = direction(ankle, heel) % (2 * math.pi)
        values = [x.parts[0] for x in foot] + [foot[0].parts[1], direction(pivot, top), shank, torque(*points)]
        print(f"{k * EVERY:.2f}," + ",".join(f"{value:.14f}" for value in values))


main()
