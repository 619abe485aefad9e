"""The Geneva drive while its pin is in a slot, in one coordinate; Python's standard library only.

With a the crank's angle, r its length, d the distance of the pivots and f = atan2(r sin a, d - r cos a) the wheel turns
as pi - f and the pin is s = r sin a / sin f from its hub. Nothing but inertia acts, so

    A(a) a'^2 / 2 = E,    A = Jc + Jw f_a^2,    t = integral of sqrt(A / 2E) da,

which is found by Gauss's quadrature with ten points from row to row, and inverted by Newton's method.
`python3 reference.py > reference.csv`
"""

import math

# The numbers of model.toml.
DISTANCE = 0.06
ARM = DISTANCE * math.sin(math.radians(45))
CRANK, WHEEL = 0.4e-3, 0.25e-3
START, SPEED = math.radians(-45), 10.0
STEP, ROWS = 2e-3, 106

# Half of the points of Gauss's quadrature on [-1, 1], and their weights.
POINTS = (
    (0.14887433898163122, 0.29552422471475287),
    (0.4333953941292472, 0.26926671930999635),
    (0.6794095682990244, 0.21908636251598204),
    (0.8650633666889845, 0.1494513491505806),
    (0.9739065285171717, 0.06667134430868814),
)


def slot(a):
    """f_a and f_aa: f_a = N / D with N = r d cos a - r^2 and D = d^2 + r^2 - 2 d r cos a."""
    top = ARM * DISTANCE * math.cos(a) - ARM**2
    square = DISTANCE**2 + ARM**2 - 2 * DISTANCE * ARM * math.cos(a)
    bend = -ARM * DISTANCE * math.sin(a) * (square + 2 * top) / square**2
    return top / square, bend


def inertia(a):
    return CRANK + WHEEL * slot(a)[0] ** 2


def rate(a):
    return SPEED * math.sqrt(inertia(START) / inertia(a))


def duration(a, b):
    """The time from a to b."""
    middle, half = (a + b) / 2, (b - a) / 2
    return half * sum(w * (1 / rate(middle - x * half) + 1 / rate(middle + x * half)) for x, w in POINTS)


def after(a, time):
    b = a + rate(a) * time
    for _ in range(50):
        step = (duration(a, b) - time) * rate(b)
        b -= step
        if abs(step) < 1e-16:
            break
    return b


def row(t, a):
    first, second = slot(a)
    speed = rate(a)
    speeding = -WHEEL * first * second * speed**2 / inertia(a)
    wheel = math.pi - math.atan2(ARM * math.sin(a), DISTANCE - ARM * math.cos(a))
    pin = math.hypot(ARM * math.sin(a), DISTANCE - ARM * math.cos(a))
    turning = -(first * speeding + second * speed**2)
    # The slot pushes the pin back across itself with what turns the wheel.
    force = -WHEEL * turning / pin * math.cos(wheel)
    return [t, a, speed, wheel, -first * speed, pin, force]


def main():
    print("t,crank,crank_rate,wheel,wheel_rate,pin,pin_force")
    a = START
    for k in range(ROWS + 1):
        values = row(STEP * k, a)
        print(",".join([f"{values[0]:.3f}"] + [f"{x:.15g}" for x in values[1:]]))
        a = after(a, STEP)


main()
