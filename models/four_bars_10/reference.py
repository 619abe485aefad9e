"""Ten parallelograms in a row, by the one coordinate that they have while all stay parallelograms.

With φ the angle of the uprights, 11 of them turn and 10 couplers move along with their tops:
T = ½ ((N+1)/3 + N) φ̇², V = g ((N+1)/2 + N) sin φ, so

    φ̈ = −g cos φ · ((N+1)/2 + N) / ((N+1)/3 + N),   φ(0) = π/2, φ̇(0) = −1.

Taylor series of order 24 in steps of 0.01 s, so the error is round-off. Standard library only; prints the reference.
"""

from math import cos, pi, sin

N = 10
STEP, UNTIL, ORDER = 0.01, 10.0, 24
GAIN = 9.81 * ((N + 1) / 2 + N) / ((N + 1) / 3 + N)


def series(phi, rate):
    """Coefficients of φ(t): with c = cos φ and s = sin φ, ċ = −s φ̇ and ṡ = c φ̇."""
    f, c, s = [phi, rate], [cos(phi)], [sin(phi)]
    for k in range(ORDER - 1):
        f.append(-GAIN * c[k] / ((k + 1) * (k + 2)))
        turn = [(i + 1) * f[i + 1] for i in range(k + 1)]
        c.append(-sum(s[k - i] * turn[i] for i in range(k + 1)) / (k + 1))
        s.append(sum(c[k - i] * turn[i] for i in range(k + 1)) / (k + 1))
    return f


def step(phi, rate):
    """φ and φ̇ after a step, by Horner's rule."""
    ahead, ahead_rate = 0.0, 0.0
    for k, f in reversed(list(enumerate(series(phi, rate)))):
        ahead = ahead * STEP + f
        if k > 0:
            ahead_rate = ahead_rate * STEP + k * f
    return ahead, ahead_rate


def main():
    """The top of the first upright and its velocity; the tilt is zero on this branch."""
    print("t,x,y,vx,vy,tilt")
    phi, rate = pi / 2, -1.0
    for i in range(round(UNTIL / STEP) + 1):
        c, s = cos(phi), sin(phi)
        print(f"{i / 100:g},{c:.15g},{s:.15g},{-s * rate:.15g},{c * rate:.15g},0")
        phi, rate = step(phi, rate)


main()
