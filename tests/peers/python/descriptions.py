"""A problem in the words of Bellcrank, and in those of MuJoCo."""
from motion import motions
from problems import Problem


def numbers(values):
    return "[" + ", ".join(repr(float(value)) for value in values) + "]"


def bellcrank(problem: Problem):
    """Frames sit at the centres, so that an output of a body's acceleration is that of its centre."""
    size = 2 if problem.planar else 3
    name = "".join(word.capitalize() for word in problem.name.split("_"))
    lines = [
        f'name = "{name}"',
        f'space = "{"planar" if problem.planar else "spatial"}"',
        'formulation = "auto"',
        f"gravity = {numbers(problem.gravity[:size])}",
        f"simulation = {{ until = 10, step = {problem.step!r} }}",
    ]
    points = {k: {} for k in range(-1, len(problem.bodies))}
    elements = joints(problem, points) + forces(problem, points)
    if points[-1]:
        lines += ["[ground.points]"] + [f"{n} = {numbers(at[:size])}" for n, at in points[-1].items()]
    for k, (body, motion) in enumerate(zip(problem.bodies, motions(problem))):
        lines += description_of(problem, k, body, motion, points[k], size)
    lines += elements
    # The joints keep what is written, and assembly has nothing to choose.
    lines += ["[outputs]"] + [f'{n} = "{law}"' for n, law in problem.outputs.items()]
    last = len(problem.bodies) - 1
    lines += [f'a{c} = "b{last}.a{c}"' for c in "xyz"[:size]]
    if problem.name.startswith("ladder"):
        lines += ['tip_x = "b0.p0.x"', 'tip_y = "b0.p0.y"']
    return "\n".join(lines) + "\n"


def description_of(problem, k, body, motion, points, size):
    place, velocity, _ = motion.point(body.centre)
    named = [f"{n} = {numbers([x - c for x, c in zip(at, body.centre)][:size])}" for n, at in points.items()]
    lines = [f"[bodies.b{k}]", f"mass = {body.mass!r}", f"points = {{ {', '.join(named)} }}"]
    lines += [f"position = {numbers(place[:size])}", f"velocity = {numbers(velocity[:size])}"]
    if problem.planar:
        angle, parent = 0.0, k
        while parent >= 0:
            angle += problem.bodies[parent].angle
            parent = problem.bodies[parent].parent
        return lines + [f"inertia = {body.inertia[2]!r}", f"angle = {angle!r}",
                        f"angular_velocity = {motion.omega[2]!r}"]
    names = ("xx", "yy", "zz", "xy", "xz", "yz")
    inertia = ", ".join(f"{n} = {float(value)!r}" for n, value in zip(names, body.inertia))
    return lines + [f"inertia = {{ {inertia} }}", f"orientation = {numbers(motion.orientation)}",
                    f"angular_velocity = {numbers(motion.omega)}"]


def place(points, body, at):
    """The name of a point, which is given one if it has none yet."""
    known = points[body]
    name = next((n for n, other in known.items() if other == tuple(at)), f"p{len(known)}")
    known[name] = tuple(at)
    return f"ground.{name}" if body < 0 else f"b{body}.{name}"


def joints(problem, points):
    lines = []
    for k, body in enumerate(problem.bodies):
        # The tip first, so that it has the same name in every body of a ladder.
        if problem.name.startswith("ladder"):
            place(points, k, (1, 0, 0))
        ends = f'["{place(points, body.parent, body.origin)}", "{place(points, k, (0, 0, 0))}"]'
        lines += [f"[joints.j{k}]", 'type = "revolute"', f"between = {ends}"]
        if not problem.planar:
            lines.append(f"axis = {numbers(body.axis)}")
    for k, (a, p, b, q) in enumerate(problem.loops):
        ends = f'["{place(points, a, p)}", "{place(points, b, q)}"]'
        lines += [f"[joints.l{k}]", 'type = "revolute"', f"between = {ends}"]
    return lines


def forces(problem, points):
    lines = []
    for k, (a, p, b, q, stiffness, length) in enumerate(problem.springs):
        ends = f'["{place(points, a, p)}", "{place(points, b, q)}"]'
        lines += [f"[forces.s{k}]", 'type = "spring"', f"between = {ends}",
                  f"stiffness = {stiffness!r}", f"free = {length!r}"]
    for k, body in enumerate(problem.bodies):
        if body.torque:
            lines += [f"[forces.t{k}]", 'type = "torque"', f'on = "b{k}"', f"torque = {body.torque!r}"]
    return lines


def mjcf(problem: Problem):
    """Loops as stiff as MuJoCo allows at this step."""
    row = lambda values: " ".join(repr(float(value)) for value in values)
    sites = {k: "" for k in range(-1, len(problem.bodies))}
    for kind, links in (("l", problem.loops), ("s", problem.springs)):
        for k, (a, p, b, q, *_) in enumerate(links):
            sites[a] += f'<site name="{kind}{k}a" pos="{row(p)}"/>'
            sites[b] += f'<site name="{kind}{k}b" pos="{row(q)}"/>'
    children = {k: [] for k in sites}
    for k, body in enumerate(problem.bodies):
        children[body.parent].append(k)
    option = (f'<option timestep="{problem.step!r}" integrator="RK4" gravity="{row(problem.gravity)}" '
              'tolerance="1e-14" iterations="100"><flag contact="disable"/></option>')
    text = [f'<mujoco><compiler angle="radian" autolimits="false"/>{option}<worldbody>{sites[-1]}']
    stack = [(k, False) for k in reversed(children[-1])]
    while stack:
        k, closing = stack.pop()
        if closing:
            text.append("</body>")
            continue
        b = problem.bodies[k]
        text.append(f'<body pos="{row(b.origin)}"><inertial pos="{row(b.centre)}" mass="{b.mass!r}" '
                    f'fullinertia="{row(b.inertia)}"/><joint name="j{k}" type="hinge" axis="{row(b.axis)}"/>{sites[k]}')
        stack.append((k, True))
        stack += [(c, False) for c in reversed(children[k])]
    text.append("</worldbody><tendon>")
    text += [f'<spatial stiffness="{s[4]!r}" springlength="{s[5]!r}"><site site="s{k}a"/><site site="s{k}b"/></spatial>'
             for k, s in enumerate(problem.springs)]
    text.append("</tendon><equality>")
    soft = f'solref="{2 * problem.step!r} 1" solimp="0.9999 0.9999 0.001 0.5 2"'
    text += [f'<connect site1="l{k}a" site2="l{k}b" {soft}/>' for k in range(len(problem.loops))]
    return "".join(text) + "</equality></mujoco>"
