"""The motion of the screw jack in closed form; Python's standard library only.

With q the pinion's angle the spindle turns by i q, climbs by p i q and the rack moves by r q, so that

    J q'' + c q' + k q = stall - m g p i,    J = Jp + (Js + m p^2) i^2 + mr r^2,
    c = slope + b r^2,                       k = s r^2,

a damped oscillation about its rest. What the couplings carry follows from the spindle and from the rack alone.
`python3 reference.py > reference.csv`
"""

import math

# The numbers of model.toml.
GRAVITY = 9.81
STALL, SLOPE = 1.2, 0.01
PINION = 0.002
LOAD, SPINDLE = 40.0, 0.02
RACK = 3.0
STIFFNESS, DAMPING = 200.0, 8.0
RATIO = -20 / 50
PITCH = -0.008 / (2 * math.pi)
RADIUS = -0.025
END, ROWS = 4.0, 400

INERTIA = PINION + (SPINDLE + LOAD * PITCH**2) * RATIO**2 + RACK * RADIUS**2
DAMPED = SLOPE + DAMPING * RADIUS**2
SPRING = STIFFNESS * RADIUS**2
REST = (STALL - LOAD * GRAVITY * PITCH * RATIO) / SPRING
DECAY = DAMPED / (2 * INERTIA)
FREQUENCY = math.sqrt(SPRING / INERTIA - DECAY**2)


def motion(t):
    """q, q' and q'' from rest at q = 0."""
    fade = math.exp(-DECAY * t)
    c, s = math.cos(FREQUENCY * t), math.sin(FREQUENCY * t)
    q = REST * (1 - fade * (c + DECAY / FREQUENCY * s))
    rate = REST * fade * s * (DECAY**2 + FREQUENCY**2) / FREQUENCY
    return q, rate, (SPRING * (REST - q) - DAMPED * rate) / INERTIA


def row(t):
    q, rate, speeding = motion(t)
    spindle, height, rack = RATIO * q, PITCH * RATIO * q, RADIUS * q
    nut_force = LOAD * (GRAVITY + PITCH * RATIO * speeding)
    mesh_torque = SPINDLE * RATIO * speeding + PITCH * nut_force
    rack_force = RACK * RADIUS * speeding + STIFFNESS * rack + DAMPING * RADIUS * rate
    return [t, q, rate, spindle, height, rack, mesh_torque, rack_force, nut_force]


def main():
    print("t,pinion,pinion_rate,spindle,height,rack,mesh_torque,rack_force,nut_force")
    for k in range(ROWS + 1):
        values = row(END * k / ROWS)
        print(",".join([f"{values[0]:.2f}"] + [f"{x:.15g}" for x in values[1:]]))


main()
