"""The Stewart platform by Newton and Euler.

The motion is prescribed: p = (0, 0, z), R = Rz(yaw) Rx(roll). With u_i the direction of a leg and r_i from the middle
of the platform to its ball, the thrusts f_i are the solution of

    sum f_i u_i = m (p" + g),        sum f_i r_i x u_i = d/dt (J w)
"""

import math

MASS, BASE, TOP, THICKNESS, GRAVITY = 100.0, 0.8, 0.5, 0.1, 9.81
HEIGHT, HEAVE, RATE = 0.9, 0.1, math.pi
ROLL, YAW = math.radians(12), math.radians(20)
ON_BASE = [math.radians(angle) for angle in (12, 108, 132, 228, 252, 348)]
ON_TOP = [math.radians(angle) for angle in (48, 72, 168, 192, 288, 312)]
ACROSS = MASS * (3 * TOP**2 + THICKNESS**2) / 12
INERTIA = [ACROSS, ACROSS, MASS * TOP**2 / 2]
UNTIL, EVERY = 4.0, 0.01


def cross(a, b):
    return [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]


def wave(size, rate, t):
    """With two derivatives."""
    s, c = math.sin(rate * t), math.cos(rate * t)
    return size * s, size * rate * c, -size * rate**2 * s


def solve(matrix, right):
    """Gauss with the largest pivot of the column."""
    rows = [row + [value] for row, value in zip(matrix, right)]
    size = len(rows)
    for k in range(size):
        pivot = max(range(k, size), key=lambda i: abs(rows[i][k]))
        rows[k], rows[pivot] = rows[pivot], rows[k]
        for i in range(k + 1, size):
            factor = rows[i][k] / rows[k][k]
            rows[i] = [x - factor * y for x, y in zip(rows[i], rows[k])]
    found = [0.0] * size
    for k in reversed(range(size)):
        known = sum(rows[k][i] * found[i] for i in range(k + 1, size))
        found[k] = (rows[k][size] - known) / rows[k][k]
    return found


def attitude(roll, yaw):
    """Axes of the platform in world axes."""
    cr, sr, cy, sy = math.cos(roll), math.sin(roll), math.cos(yaw), math.sin(yaw)
    return [cy, sy, 0.0], [-sy * cr, cy * cr, sr], [sy * sr, -cy * sr, cr]


def torque(axes, roll, yaw):
    """J w' + w x J w in world axes; w = roll' about the platform's x and yaw' about the world's z."""
    up = [0.0, 0.0, 1.0]
    w = [roll[1] * x + yaw[1] * z for x, z in zip(axes[0], up)]
    turning = cross(up, axes[0])
    w_rate = [roll[2] * x + yaw[2] * z + roll[1] * yaw[1] * y for x, y, z in zip(axes[0], turning, up)]

    def times_inertia(v):
        parts = [INERTIA[k] * sum(x * y for x, y in zip(axes[k], v)) for k in range(3)]
        return [sum(parts[k] * axes[k][i] for k in range(3)) for i in range(3)]

    return [x + y for x, y in zip(times_inertia(w_rate), cross(w, times_inertia(w)))]


def thrusts(z, axes, push):
    columns = []
    for low, high in zip(ON_BASE, ON_TOP):
        arm = [TOP * (math.cos(high) * x + math.sin(high) * y) for x, y in zip(axes[0], axes[1])]
        leg = [arm[0] - BASE * math.cos(low), arm[1] - BASE * math.sin(low), arm[2] + z]
        length = math.sqrt(sum(x * x for x in leg))
        along = [x / length for x in leg]
        columns.append(along + cross(arm, along))
    return solve([list(row) for row in zip(*columns)], push)


def row(t):
    z = wave(HEAVE, RATE, t)
    roll, yaw = wave(ROLL, 2 * RATE, t), wave(YAW, RATE, t)
    axes = attitude(roll[0], yaw[0])
    lift = MASS * (z[2] + GRAVITY)
    forces = thrusts(HEIGHT + z[0], axes, [0.0, 0.0, lift] + torque(axes, roll, yaw))
    return [0.0, 0.0, HEIGHT + z[0], roll[0], yaw[0]] + forces + [lift]


def main():
    print("t,x,y,z,roll,yaw," + ",".join(f"thrust_{k}" for k in range(1, 7)) + ",lift")
    for k in range(round(UNTIL / EVERY) + 1):
        print(f"{k * EVERY:.2f}," + ",".join(f"{value:.13f}" for value in row(k * EVERY)))


main()
