"""The delta robot in closed form.

The platform does not turn, so each parallelogram is one rod, from the elbow e, moved inwards by the radius of the
platform, to its middle p: where three spheres meet. With d = p - e

    d·(p' - e') = 0,        d·(p" - e") + |p' - e'|^2 = 0,

and the torque of a motor is what arm and platform ask for along the motion that its angle makes alone.
"""

import math

BASE, PLATFORM = (side / (2 * math.sqrt(3)) for side in (0.4573, 0.115))
ARM, ROD, ARM_MASS, PLATFORM_MASS, GRAVITY = 0.112, 0.232, 0.12, 0.2, 9.81
MIDDLE, SWING, RATE = math.radians(45), math.radians(20), 2 * math.pi
WAYS = [math.radians(angle) for angle in (0, 120, 240)]
UNTIL, EVERY = 2.0, 0.01


def dot(a, b):
    return sum(x * y for x, y in zip(a, b))


def cross(a, b):
    return [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]


def minus(a, b):
    return [x - y for x, y in zip(a, b)]


def scaled(factor, a):
    return [factor * x for x in a]


def solve(rows, right):
    """Three rows, by Cramer's rule."""
    a, b, c = rows
    columns = (cross(b, c), cross(c, a), cross(a, b))
    return [sum(right[k] * columns[k][i] for k in range(3)) / dot(a, columns[0]) for i in range(3)]


def angle(way, t):
    """Of an arm, with two derivatives."""
    phase = RATE * t + way
    wave = SWING * math.sin(phase)
    return MIDDLE + wave, SWING * RATE * math.cos(phase), -RATE**2 * wave


def out_and_down(way, out, down):
    return [out * math.cos(way), out * math.sin(way), -down]


def meet(a, b, c):
    """The lower of the two points that have the distance ROD from all three: below the middle of their circle."""
    u, v = minus(b, a), minus(c, a)
    normal = cross(u, v)
    square = dot(normal, normal)
    to_middle = scaled(1 / (2 * square), cross(minus(scaled(dot(u, u), v), scaled(dot(v, v), u)), normal))
    height = math.sqrt((ROD**2 - dot(to_middle, to_middle)) / square)
    down = -math.copysign(height, normal[2])
    return [a[k] + to_middle[k] + down * normal[k] for k in range(3)]


def row(t):
    angles = [angle(way, t) for way in WAYS]
    arms = list(zip(WAYS, angles))
    elbows = [out_and_down(way, BASE - PLATFORM + ARM * math.cos(q), ARM * math.sin(q)) for way, (q, _, _) in arms]
    ways = [out_and_down(way, -ARM * math.sin(q), ARM * math.cos(q)) for way, (q, _, _) in arms]
    inwards = [out_and_down(way, -ARM * math.cos(q), -ARM * math.sin(q)) for way, (q, _, _) in arms]
    place = meet(*elbows)
    rods = [minus(place, elbow) for elbow in elbows]
    reach = [dot(rod, way) for rod, way in zip(rods, ways)]
    speed = solve(rods, [reach[k] * angles[k][1] for k in range(3)])
    pull = []
    for k, (_, rate, second) in enumerate(angles):
        elbow_speed = scaled(rate, ways[k])
        elbow_pull = [second * x + rate**2 * y for x, y in zip(ways[k], inwards[k])]
        apart = minus(speed, elbow_speed)
        pull.append(dot(rods[k], elbow_pull) - dot(apart, apart))
    acceleration = solve(rods, pull)
    weight = [acceleration[0], acceleration[1], acceleration[2] + GRAVITY]
    torques = []
    for k, (q, _, second) in enumerate(angles):
        alone = solve(rods, [reach[k] * (i == k) for i in range(3)])
        arm = ARM_MASS * (ARM**2 / 3 * second - GRAVITY * ARM / 2 * math.cos(q))
        torques.append(arm + PLATFORM_MASS * dot(weight, alone))
    return place + [q for q, _, _ in angles] + torques


def main():
    print("t,x,y,z,arm_1,arm_2,arm_3,drive_1,drive_2,drive_3")
    for k in range(round(UNTIL / EVERY) + 1):
        print(f"{k * EVERY:.2f}," + ",".join(f"{value:.14f}" for value in row(k * EVERY)))


main()
