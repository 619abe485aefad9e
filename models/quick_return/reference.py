"""The quick-return mechanism in closed form, for a crank that turns evenly; Python's standard library only.

With the crank at the angle q its pin is at 0.1 (cos q, sin q). The lever from (0, −0.3) points at it and leans by a; its tip
is 0.7 m away, and the ram on y = 0.4 is 0.3 m from the tip, on the near side. As the crank turns evenly, the drive is the
derivative of the energy by q, and the rod pulls the ram as its acceleration asks; both follow from a_q and a_qq.
`python3 reference.py > reference.csv`
"""

from math import atan2, cos, pi, sin, sqrt

# The numbers of model.toml.
GRAVITY = 9.81
CRANK, DEPTH, LEVER, RAIL, ROD = 0.1, 0.3, 0.7, 0.4, 0.3
LEVER_MASS, LEVER_INERTIA, LEVER_CENTER = 2.0, 0.15, 0.35
RAM = 5.0
RATE = 2 * pi
END, ROWS = 2.0, 200


def lever(q):
    """The lean a to the left and its derivatives: tan a = −x/y, with the pin at (x, y) from the lever's pivot."""
    x, y = CRANK * cos(q), CRANK * sin(q) + DEPTH
    r2 = x * x + y * y
    # x_q = −CRANK sin q and y_q = x, so a_q = (x y_q − y x_q)/r² with the derivative of x² − y x_q = x² + y CRANK sin q.
    top = x * x + y * CRANK * sin(q)
    top_q = -2 * x * CRANK * sin(q) + x * CRANK * sin(q) + y * x
    r2_q = 2 * (-x * CRANK * sin(q) + y * x)
    return atan2(-x, y), top / r2, (top_q - top * r2_q / r2) / r2


def ram(a, a_q, a_qq):
    """Place of the ram and its derivatives by q: the tip, less the rod's share along the rail."""
    down = RAIL + DEPTH - LEVER * cos(a)
    down_a, down_aa = LEVER * sin(a), LEVER * cos(a)
    along = sqrt(ROD**2 - down**2)
    along_a = -down * down_a / along
    along_aa = -(down_a**2 + down * down_aa + along_a**2) / along
    x_a, x_aa = -LEVER * cos(a) - along_a, LEVER * sin(a) - along_aa
    return -LEVER * sin(a) - along, x_a * a_q, x_aa * a_q**2 + x_a * a_qq


def row(t):
    a, a_q, a_qq = lever(RATE * t)
    x, x_q, x_qq = ram(a, a_q, a_qq)
    inertia = LEVER_INERTIA + LEVER_MASS * LEVER_CENTER**2
    drive = RATE**2 * (inertia * a_q * a_qq + RAM * x_q * x_qq) - LEVER_MASS * GRAVITY * LEVER_CENTER * sin(a) * a_q
    return t, x, x_q * RATE, a, drive, RAM * x_qq * RATE**2


def main():
    print("t,ram,ram_speed,lever,drive,rod_force")
    for k in range(ROWS + 1):
        print(",".join(f"{x:.15g}" for x in row(END * k / ROWS)))


main()
