"""The arm in its six joint angles; prints reference.csv.

The recursion of Newton and Euler gives the torques of a motion. At rest with gravity off, one acceleration at a time, it
gives the columns of the mass matrix; without accelerations, what is left. RK4 does the rest.
"""

from math import cos, pi, radians, sin

GRAVITY = 9.81
DURATION = 1.5
# Of each link: inner joint seen from the one before, axis, mass, centre, tensor (xx, yy, zz, xy, xz, yz), goal, gain, damping.
LINKS = (
    ((0, 0, 0.3), (0, 0, 1), 70, (0.12, 0.01, 0.2), (1.8, 2.4, 2.0, -0.05, -0.3, 0.02), 60, 5e4, 4000),
    ((0.3, 0, 0.375), (0, 1, 0), 40, (0.02, -0.08, 0.3), (2.2, 2.1, 0.35, 0.02, -0.06, 0.04), 35, 5e4, 4000),
    ((0, 0, 0.65), (0, 1, 0), 45, (0.05, 0.02, 0.12), (0.6, 1.3, 1.2, -0.03, 0.08, 0.01), -50, 2e4, 1200),
    ((0.2, 0, 0.155), (1, 0, 0), 14, (0.22, 0.005, 0), (0.05, 0.25, 0.25, 0.004, 0.003, 0.001), 90, 1000, 40),
    ((0.4, 0, 0), (0, 1, 0), 8, (0.03, 0, 0.01), (0.02, 0.03, 0.03, 0, -0.002, 0), 40, 1000, 40),
    ((0.14, 0, 0), (1, 0, 0), 16, (0.12, 0.03, 0.05), (0.15, 0.18, 0.12, -0.01, -0.02, 0.015), -120, 400, 15),
)
TIP = (0.25, 0, 0)


def plus(*vectors):
    return tuple(map(sum, zip(*vectors)))


def times(factor, vector):
    return tuple(factor * x for x in vector)


def cross(a, b):
    return (a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0])


def dot(a, b):
    return sum(x * y for x, y in zip(a, b))


def apply(matrix, vector):
    return tuple(dot(row, vector) for row in matrix)


def transposed(matrix):
    return tuple(zip(*matrix))


def rotation(axis, angle):
    """About a coordinate axis."""
    s, c = sin(angle), cos(angle)
    columns = [plus(times(c, e), times(s, cross(axis, e)), times((1 - c) * dot(axis, e), axis)) for e in ((1, 0, 0), (0, 1, 0), (0, 0, 1))]
    return transposed(columns)


def frames(angles):
    """Orientation and inner joint of each link, in the room."""
    turned, joint, found = ((1, 0, 0), (0, 1, 0), (0, 0, 1)), (0, 0, 0), []
    for link, angle in zip(LINKS, angles):
        joint = plus(joint, apply(turned, link[0]))
        columns = [apply(turned, column) for column in transposed(rotation(link[1], angle))]
        turned = transposed(columns)
        found.append((turned, joint))
    return found


def torques(frames, rates, accelerations, gravity):
    """What the joints have to do for this motion."""
    omega = alpha = (0, 0, 0)
    linear, before, loads = (0, 0, gravity), (0, 0, 0), []
    for (turned, joint), link, rate, acceleration in zip(frames, LINKS, rates, accelerations):
        arm, axis = plus(joint, times(-1, before)), apply(turned, link[1])
        linear = plus(linear, cross(alpha, arm), cross(omega, cross(omega, arm)))
        alpha = plus(alpha, times(acceleration, axis), times(rate, cross(omega, axis)))
        omega = plus(omega, times(rate, axis))
        xx, yy, zz, xy, xz, yz = link[4]
        tensor, back = ((xx, xy, xz), (xy, yy, yz), (xz, yz, zz)), transposed(turned)
        centre = apply(turned, link[3])
        force = times(link[2], plus(linear, cross(alpha, centre), cross(omega, cross(omega, centre))))
        spin = apply(turned, apply(tensor, apply(back, omega)))
        moment = plus(apply(turned, apply(tensor, apply(back, alpha))), cross(omega, spin))
        loads.append((joint, axis, force, plus(moment, cross(centre, force))))
        before = joint
    force = moment = (0, 0, 0)
    outer, found = before, []
    for joint, axis, own_force, own_moment in reversed(loads):
        moment = plus(own_moment, moment, cross(plus(outer, times(-1, joint)), force))
        force, outer = plus(own_force, force), joint
        found.append(dot(axis, moment))
    return found[::-1]


def solved(matrix, right):
    """By elimination; the matrix is positive definite, so no pivot is zero."""
    rows, n = [list(row) + [x] for row, x in zip(matrix, right)], len(right)
    for k in range(n):
        for row in rows[k + 1 :]:
            factor = row[k] / rows[k][k]
            for j in range(k, n + 1):
                row[j] -= factor * rows[k][j]
    found = [0.0] * n
    for k in reversed(range(n)):
        found[k] = (rows[k][n] - sum(rows[k][j] * found[j] for j in range(k + 1, n))) / rows[k][k]
    return found


def motors(t, angles, rates):
    s = min(t / DURATION, 1)
    share = s - sin(2 * pi * s) / (2 * pi)
    return [link[6] * (radians(link[5]) * share - angle) - link[7] * rate for link, angle, rate in zip(LINKS, angles, rates)]


def accelerations(t, angles, rates):
    at, rest = frames(angles), [0] * 6
    columns = [torques(at, rest, [float(i == j) for j in range(6)], 0) for i in range(6)]
    left = torques(at, rates, rest, GRAVITY)
    return solved(columns, [motor - x for motor, x in zip(motors(t, angles, rates), left)])


def step(t, state, h):
    def rates(t, state):
        return state[6:] + accelerations(t, state[:6], state[6:])

    def moved(rates, h):
        return [x + h * rate for x, rate in zip(state, rates)]

    a = rates(t, state)
    b = rates(t + h / 2, moved(a, h / 2))
    c = rates(t + h / 2, moved(b, h / 2))
    d = rates(t + h, moved(c, h))
    return [x + h / 6 * (a + 2 * b + 2 * c + d) for x, a, b, c, d in zip(state, a, b, c, d)]


def main():
    state = [0.0] * 12
    print("t,a1,a2,a3,a4,a5,a6,x,y,z,torque1,torque2,torque3")
    for k in range(1001):
        t = k / 500
        if k % 25 == 0:
            turned, joint = frames(state[:6])[-1]
            tip = plus(joint, apply(turned, TIP))
            row = (t, *state[:6], *tip, *motors(t, state[:6], state[6:])[:3])
            print(",".join(f"{x:.12g}" for x in row))
        state = step(t, state, 1 / 500)


if __name__ == "__main__":
    main()
