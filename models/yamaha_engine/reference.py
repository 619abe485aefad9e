"""The engine in one coordinate, the crank angle, with exact slider-crank kinematics; prints reference.csv.

T = ½ J(φ) φ̇² and virtual work give J φ̈ + ½ J' φ̇² = torque. RK4 in time; where a step would pass a dead centre or the
speed of the starter, the angle or the speed becomes the independent variable, so that the step ends there exactly.
"""

from math import cos, pi, sin, sqrt

BORE, STROKE, RATIO, GAMMA = 0.074, 0.058, 11.8, 1.4
RADIUS, ROD, BIG_END = STROKE / 2, 0.110, 0.033
ROD_MASS, ROD_INERTIA, PISTON_MASS, FLYWHEEL = 0.30, 5e-4, 0.22, 0.2
AIR, GRAVITY = 101325.0, 9.81
IDLE_SPEED, LARGEST_CHARGE = 1020 * pi / 30, 3.0
STARTER, STARTER_SPEED, STARTER_GAIN = 40.0, 41.89, 20.0
AREA = pi * BORE**2 / 4
DISPLACEMENT = 4 * AREA * STROKE
CRANKS = (0.0, pi, pi, 0.0)
COLD = (0, -1, -3, -2)


def cylinder(angle):
    """Depth of the piston below its top with both derivatives, height of the rod's centre likewise, its y', y'', tilt', tilt''."""
    s, c = sin(angle), cos(angle)
    root = sqrt(ROD**2 - (RADIUS * s) ** 2)
    pin = RADIUS * c + root
    d_root = -(RADIUS**2) * s * c / root
    dd_root = -(RADIUS**2) * (c * c - s * s) / root - d_root**2 / root
    d_pin, dd_pin = -RADIUS * s + d_root, -RADIUS * c + dd_root
    # The rod leans by sin β = r sin φ / l.
    d_tilt = RADIUS * c / root
    dd_tilt = -RADIUS * s / root - RADIUS * c * d_root / root**2
    share = BIG_END / ROD
    z = (RADIUS * c + share * root, -RADIUS * s + share * d_root, -RADIUS * c + share * dd_root)
    y = (-RADIUS * c * (1 - share), RADIUS * s * (1 - share))
    return (RADIUS + ROD - pin, -d_pin, -dd_pin), z, y, (d_tilt, dd_tilt)


def gas(stroke, depth, ignition):
    """Force of the gas on a piston, less that of the air below it."""
    volume = 1 + (RATIO - 1) * depth / STROKE
    if stroke == 1:
        return AREA * AIR * ((RATIO / volume) ** GAMMA - 1)
    if stroke == 2:
        return AREA * (ignition * volume**-GAMMA - AIR)
    return 0.0


def friction(speed):
    """Mean pressure of friction by Heywood."""
    n = speed * 30 / pi / 1000
    return (0.97 + 0.15 * n + 0.05 * n * n) * 1e5


def rise():
    """What ignition adds to the pressure: the work of the cycle is that of friction at idle."""
    return friction(IDLE_SPEED) * (RATIO - 1) * (GAMMA - 1) / (1 - RATIO ** (1 - GAMMA))


class Engine:
    def __init__(self, working=(1, 1, 1, 1), share=1.0):
        self.working, self.rise = working, share * rise()
        self.dead_centres, self.charge = [0.0] * 4, 1.0
        self.strokes, self.half_turns, self.starter = list(COLD), 0, 2

    def acceleration(self, angle, speed):
        inertia, slope, torque = FLYWHEEL, 0.0, -friction(speed) * DISPLACEMENT / (4 * pi)
        ignition = AIR * RATIO**GAMMA + self.rise * self.charge * 4 / sum(self.working)
        for crank, stroke, working in zip(CRANKS, self.strokes, self.working):
            depth, z, y, tilt = cylinder(angle + crank)
            inertia += PISTON_MASS * depth[1] ** 2 + ROD_MASS * (z[1] ** 2 + y[0] ** 2) + ROD_INERTIA * tilt[0] ** 2
            slope += PISTON_MASS * depth[1] * depth[2] + ROD_MASS * (z[1] * z[2] + y[0] * y[1]) + ROD_INERTIA * tilt[0] * tilt[1]
            torque += PISTON_MASS * GRAVITY * depth[1] - ROD_MASS * GRAVITY * z[1]
            torque += working * gas(stroke, depth[0], ignition) * depth[1]
        return (torque + self.starting(speed) - slope * speed**2) / inertia

    def starting(self, speed):
        """Torque of the starter: all of it, what holds the speed, none."""
        if self.starter == 2:
            return STARTER
        return self.starter * max(STARTER_GAIN * (STARTER_SPEED - speed), 0.0)

    def rates(self, state, by):
        """Derivatives of (t, φ, φ̇) by the one of them that `by` names."""
        _, angle, speed = state
        rates = (1.0, speed, self.acceleration(angle, speed))
        return tuple(rate / rates[by] for rate in rates)

    def step(self, state, length, by=0):
        def moved(rates, share):
            return tuple(x + share * length * rate for x, rate in zip(state, rates))

        a = self.rates(state, by)
        b = self.rates(moved(a, 0.5), by)
        c = self.rates(moved(b, 0.5), by)
        d = self.rates(moved(c, 1.0), by)
        mean = tuple((a + 2 * b + 2 * c + d) / 6 for a, b, c, d in zip(a, b, c, d))
        return moved(mean, 1.0)

    def advance(self, state, until, length):
        """To the time `until`, in steps of at most `length`, over all events on the way."""
        while until - state[0] > 1e-13:
            following = self.step(state, min(length, until - state[0]))
            dead_centre = (self.half_turns + 1) * pi
            if following[1] > dead_centre:
                state = self.step(state, dead_centre - state[1], 1)
                self.pass_dead_centre(state[0])
            elif self.starter and (state[2] - STARTER_SPEED) * (following[2] - STARTER_SPEED) < 0:
                state = self.step(state, STARTER_SPEED - state[2], 2)
                self.starter = 1
            else:
                state = following
        return state

    def pass_dead_centre(self, time):
        """The throttle lets the same mass pass in each second, so a charge is what the time of a cycle brings."""
        self.charge = min((time - self.dead_centres.pop(0)) * IDLE_SPEED / (4 * pi), LARGEST_CHARGE)
        self.dead_centres.append(time)
        self.half_turns += 1
        self.strokes = [0 if stroke == 3 else stroke + 1 for stroke in self.strokes]
        if self.half_turns == 10:
            self.starter = 0


def main():
    engine, state = Engine(), (0.0, 0.0, 0.0)
    print("t,crank,speed,piston1,piston2")
    for k in range(101):
        state = engine.advance(state, k / 50, 1e-4)
        _, angle, speed = state
        depths = [cylinder(angle + crank)[0][0] for crank in CRANKS[:2]]
        print(",".join(f"{x:.12g}" for x in (k / 50, angle, speed, *depths)))


if __name__ == "__main__":
    main()
