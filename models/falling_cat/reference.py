"""The falling cat by its angular momentum alone, which is zero about the centre of mass.

Both halves have the mass m, so with d from the centre of the front to that of the rear and the reduced mass m/2

    J1 w + J2 (w + r) + m/2 d x (w x d + d') = 0        r, d': how the rear moves as the front sees it

is linear in the angular velocity w of the front. Its attitude follows by RK4. All vectors are in axes of the front.
"""

import math

MASS, ALONG, ACROSS, REACH = 2.0, 0.0035, 0.014, 0.12
FALL, HEIGHT, GRAVITY = 0.6, 2.0, 9.81
MIDDLE, SWING, SIDE = (math.radians(a) for a in (20.0, 60.0, 70.3377))
STEP, EVERY = 1e-4, 100
INERTIA = [ACROSS, ACROSS, ALONG]


def cross(a, b):
    return [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]


def times(matrix, v):
    return [sum(x * y for x, y in zip(row, v)) for row in matrix]


def product(a, b):
    return [[sum(a[i][k] * b[k][j] for k in range(3)) for j in range(3)] for i in range(3)]


def about_x(angle):
    c, s = math.cos(angle), math.sin(angle)
    return [[1, 0, 0], [0, c, -s], [0, s, c]]


def about_y(angle):
    c, s = math.cos(angle), math.sin(angle)
    return [[c, 0, s], [0, 1, 0], [-s, 0, c]]


def spine(t):
    """Both angles of the spine and their rates."""
    phase = 2 * math.pi * t / FALL
    way = phase - math.sin(phase)
    speed = 2 * math.pi / FALL * (1 - math.cos(phase))
    angles = (-MIDDLE - SWING * math.cos(way), SIDE * math.sin(way))
    return angles, (SWING * math.sin(way) * speed, SIDE * math.cos(way) * speed)


def solve(matrix, right):
    """Cramer's rule for a symmetric matrix of three rows."""
    a, b, c = matrix
    volume = sum(x * y for x, y in zip(a, cross(b, c)))
    return [sum(x * y for x, y in zip(right, column)) / volume for column in (cross(b, c), cross(c, a), cross(a, b))]


def spin(t):
    """Angular velocity of the front."""
    (bend, aside), (bend_rate, aside_rate) = spine(t)
    turned = product(about_x(bend), about_y(aside))
    second_axis = times(about_x(bend), [0, 1, 0])
    relative = [bend_rate * (k == 0) + aside_rate * second_axis[k] for k in range(3)]
    to_rear = times(turned, [0, 0, -REACH])
    apart = [to_rear[0], to_rear[1], to_rear[2] - REACH]
    moving = cross(apart, cross(relative, to_rear))
    rear = [[sum(turned[i][k] * INERTIA[k] * turned[j][k] for k in range(3)) for j in range(3)] for i in range(3)]
    square = sum(x * x for x in apart)
    whole = [
        [rear[i][j] - MASS / 2 * apart[i] * apart[j] + (INERTIA[i] + MASS / 2 * square) * (i == j) for j in range(3)]
        for i in range(3)
    ]
    return solve(whole, [-x - MASS / 2 * y for x, y in zip(times(rear, relative), moving)])


def rate(t, attitude):
    """Of the columns of the rotation matrix A, A' = A w~; by rows here."""
    w = spin(t)
    return [cross(row, w) for row in attitude]


def moved(attitude, h, slope):
    return [[x + h * y for x, y in zip(*rows)] for rows in zip(attitude, slope)]


def step(t, attitude):
    a = rate(t, attitude)
    b = rate(t + STEP / 2, moved(attitude, STEP / 2, a))
    c = rate(t + STEP / 2, moved(attitude, STEP / 2, b))
    d = rate(t + STEP, moved(attitude, STEP, c))
    for share, slope in ((1, a), (2, b), (2, c), (1, d)):
        attitude = moved(attitude, STEP * share / 6, slope)
    return attitude


def row(t, attitude, center):
    """Turn, the halves' backs and the height of the centre of mass."""
    (bend, aside), _ = spine(t)
    front = times(attitude, [0, 1, 0])
    rear = times(product(attitude, product(about_x(bend), about_y(aside))), [0, 1, 0])
    turn = math.pi / 2 + math.atan2(front[2] + rear[2], front[1] + rear[1])
    return turn, front[2], rear[2], center - GRAVITY * t * t / 2


def main():
    half = (MIDDLE + SWING) / 2
    # Upside down, head along x of the world.
    attitude = product([[0, 0, 1], [-1, 0, 0], [0, -1, 0]], about_x(half))
    center = HEIGHT + REACH * math.sin(half)
    print("t,turn,front_back_up,rear_back_up,height")
    for k in range(round(FALL / STEP) + 1):
        if k % EVERY == 0:
            values = row(k * STEP, attitude, center)
            print(f"{k * STEP:.2f}," + ",".join(f"{value:.12f}" for value in values))
        attitude = step(k * STEP, attitude)


main()
