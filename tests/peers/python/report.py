"""What was measured, as a table with ratios against the goals."""
import math
import os
import platform
from pathlib import Path

from problems import GRAVITY, Problem

OURS = "Bellcrank"
GENERATED, LIBRARY = "Pinocchio, generated", "Pinocchio, library"
ONE = "by hand, one coordinate"
ENGINES = ("MuJoCo", "Exudyn", "Drake", "Simbody", "Rapier")

# Problem, what is timed, against whom, and how much of their time ours may take.
GOALS = [
    ("four_bar", "acceleration", GENERATED, 0.30),
    ("four_bar", "step", GENERATED, 0.50),
    ("four_bar", "step", ONE, 0.70),
    ("andrews", "step", GENERATED, 0.50),
    ("ladder_10", "step", GENERATED, 0.40),
    ("ladder_20", "step", GENERATED, 0.40),
    ("five_arm", "step", GENERATED, 0.80),
    ("arm", "step", GENERATED, 0.85),
    ("chain_20", "step", GENERATED, 0.70),
    ("chain_100", "acceleration", LIBRARY, 0.25),
]
EVERY_ENGINE, NATIVE, LONG = 0.10, 0.50, 0.03


class Results:
    """Smallest times, differences, and who could not do what."""

    def __init__(self):
        self.best, self.off, self.failures, self.absent = {}, {}, {}, {}
        self.checked, self.forms, self.native, self.long = {}, {}, {}, {}

    def take(self, problem: Problem, peer, found):
        best = self.best.setdefault((problem.name, peer.name), {})
        for kind in ("acceleration", "step"):
            if f"{kind}_ns" in found:
                best[kind] = min(best.get(kind, math.inf), found[f"{kind}_ns"])
        if peer.name == OURS:
            self.checked[problem.name], self.forms[problem.name] = found, found["formulation"]
        elif problem.name in self.checked:
            difference = off(found, self.checked[problem.name])
            self.off[problem.name, peer.name] = (difference, difference <= peer.tolerance)

    def fail(self, problem, peer, why):
        self.failures[problem.name, peer.name] = str(why)

    def failed(self, problem, peer):
        return (problem.name, peer.name) in self.failures

    @property
    def different(self):
        return [key for key, (_, same) in self.off.items() if not same]

    def time(self, problem, peer, kind):
        return self.best.get((problem, peer), {}).get(kind)

    def ratio(self, problem, peer, kind):
        ours, theirs = self.time(problem, OURS, kind), self.time(problem, peer, kind)
        return ours / theirs if ours and theirs else None


def off(found, ours):
    """How far two accelerations are apart, relative to the larger one."""
    if "crank" in found:
        one, other = [found["crank"]], [ours["crank"]]
    else:
        one, other = (list(found["tip"]) + [0.0])[:3], ours["tip"]
    size = max(max(map(abs, one)), max(map(abs, other)), 1e-300)
    difference = max(abs(a - b) for a, b in zip(one, other)) / size
    return difference if math.isfinite(difference) else math.inf


def ladder_error(n, tip):
    """Of the tip after 10 s. On the branch of parallelograms φ̈ = −g cos φ ((n+1)/2 + n) / ((n+1)/3 + n); RK4 with steps of
    1e-4 s is good for 1e-11."""
    factor = -GRAVITY * ((n + 1) / 2 + n) / ((n + 1) / 3 + n)
    q, v, h = math.pi / 2, -1.0, 1e-4
    a = lambda q: factor * math.cos(q)
    for _ in range(100_000):
        a1 = a(q)
        a2, v2 = a(q + h / 2 * v), v + h / 2 * a1
        a3, v3 = a(q + h / 2 * v2), v + h / 2 * a2
        a4, v4 = a(q + h * v3), v + h * a3
        q, v = q + h / 6 * (v + 2 * v2 + 2 * v3 + v4), v + h / 6 * (a1 + 2 * a2 + 2 * a3 + a4)
    return math.hypot(tip[0] - math.cos(q), tip[1] - math.sin(q))


def markdown(results: Results, problems, rounds):
    titles = {problem.name: problem.title for problem in problems}
    parts = [
        "# Bellcrank and other engines\n",
        f"What [`tests/peers/run`](run) wrote on {machine()}: smallest of {rounds} rounds, all engines in turn.",
        "What is unequal is told in [README.md](README.md).\n",
        "## Goals\n", goals(results, titles),
        "## Nanoseconds of a step\n", times(results, titles, "step"),
        "## Nanoseconds of an acceleration\n", times(results, titles, "acceleration"),
        "## Same accelerations\n", checks(results, titles),
    ]
    missing = [f"- {name}: {why}" for name, why in results.absent.items()]
    missing += [f"- {peer}, {titles[name]}: {why}" for (name, peer), why in results.failures.items()
                if not peer.startswith("by hand")]
    if missing:
        parts += ["## Left out\n", "\n".join(missing) + "\n"]
    return "\n".join(parts)


def machine():
    names = [line.split(":")[1].strip() for line in Path("/proc/cpuinfo").read_text().splitlines()
             if line.startswith("model name")]
    # Ratios to engines whose steps are long are only good where nobody else was at work.
    load = f"{os.cpu_count()} processors under a load of {os.getloadavg()[2]:.0f}"
    return f"{names[0] if names else platform.processor()}, {platform.system()}, {load}"


def goals(results, titles):
    lines = ["| problem | what | against | ratio | goal | |", "| --- | --- | --- | ---: | ---: | --- |"]
    line = lambda title, kind, peer, ratio, goal: lines.append(
        f"| {title} | {kind} | {peer} | {ratio:.3f} | {goal:.2f} | {'✓' if ratio <= goal else 'missed'} |")
    for name, kind, peer, goal in GOALS:
        ratio = results.ratio(name, peer, kind)
        if ratio:
            line(titles[name], kind, peer, ratio, goal)
    for name, (ours, *theirs) in results.native.items():
        ways = (f"{GENERATED} by what is fastest", f"{GENERATED} by its own class")
        for way, seconds in zip(ways, theirs):
            line(titles[name], f"text to native code, {ours:.1f} s", f"{way}, {seconds:.1f} s", ours / seconds, NATIVE)
    if OURS in results.long and "MuJoCo" in results.long:
        (ours, error), (theirs, their_error) = results.long[OURS], results.long["MuJoCo"]
        kind = f"10 s, {ours:.2f} s; tip off by {error:.1e} m, MuJoCo's by {their_error:.1e} m"
        line(titles["ladder_40"], kind, "MuJoCo", ours / theirs, LONG)
    for name in titles:
        found = [(results.ratio(name, peer, "step"), peer) for peer in ENGINES]
        found = [(ratio, peer) for ratio, peer in found if ratio]
        if found:
            ratio, peer = max(found)
            line(titles[name], "step", f"the fastest engine, {peer}", ratio, EVERY_ENGINE)
    return "\n".join(lines) + "\n"


def times(results, titles, kind):
    peers = [peer for peer in (OURS, GENERATED, LIBRARY, *ENGINES, ONE, "by hand, nalgebra")
             if any(results.time(name, peer, kind) for name in titles)]
    lines = [f"| problem | formulation | {' | '.join(peers)} |", "| --- | --- |" + " ---: |" * len(peers)]
    for name, title in titles.items():
        cells = [results.time(name, peer, kind) for peer in peers]
        cells = [f"{cell:.0f}" if cell else "–" for cell in cells]
        lines.append(f"| {title} | {results.forms.get(name, '–')} | {' | '.join(cells)} |")
    return "\n".join(lines) + "\n"


def checks(results, titles):
    lines = ["| problem | peer | off by | |", "| --- | --- | ---: | --- |"]
    for (name, peer), (difference, same) in results.off.items():
        lines.append(f"| {titles[name]} | {peer} | {difference:.1e} | {'✓' if same else 'not the same'} |")
    return "\n".join(lines) + "\n"
