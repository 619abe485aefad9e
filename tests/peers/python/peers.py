"""Who takes part: how each is set up, and what is asked of it for a problem."""
import csv
import io
import json
import math
import os
import time
from pathlib import Path

import install
from install import HERE, Failed, Workshop
from motion import tip_acceleration
from problems import Problem


class Peer:
    """`ready` sets it up, `prepare` does what is needed once for a problem, `command` runs it."""

    name = ""
    # How far its accelerations may be off, relative to the largest: by what makes them inexact.
    tolerance = 1e-9

    def __init__(self, shop: Workshop):
        self.shop = shop

    def ready(self):
        raise NotImplementedError

    def prepare(self, problem: Problem):
        """Nothing, for most."""

    def command(self, problem: Problem):
        raise NotImplementedError

    def measure(self, problem: Problem):
        """Times in nanoseconds, and the acceleration of the last body's centre."""
        found = json.loads(self.shop.call(*self.command(problem), limit=600).strip().splitlines()[-1])
        if "accelerations" in found:
            found["tip"] = tip_acceleration(problem, found.pop("accelerations"))
        return found

    def file(self, problem, suffix):
        return self.shop.folder / "problems" / f"{problem.name}.{suffix}"


class Bellcrank(Peer):
    name = "Bellcrank"

    def ready(self):
        self.checked = {}
        self.environment = {"BELLCRANK_CACHE": str(self.shop.folder / "cache")}
        self.program = self.shop.bellcrank
        if self.program is None:
            root = HERE.parent.parent
            self.shop.call("cargo", "build", "--release", "--quiet", "-p", "bellcrank-cli", folder=root)
            target = Path(os.environ.get("CARGO_TARGET_DIR", root / "target"))
            self.program = target / "release/bellcrank"

    def call(self, *words, limit=3600):
        return self.shop.call(self.program, *words, environment=self.environment, limit=limit)

    def prepare(self, problem):
        out = self.file(problem, "csv")
        model = self.file(problem, "toml")
        # The interpreter's numbers are those of compiled code, to which tests hold them, and there at once.
        self.call("run", model, "--interpret", "--until", problem.step, "--out", out, "--quiet")
        row = next(csv.DictReader(io.StringIO(out.read_text())))
        number = lambda name: float(row.get(name, 0.0))
        self.checked[problem.name] = {"tip": [number(name) for name in ("ax", "ay", "az")]}
        if "crank_ax" in row:
            # The crank's centre is 1 m from its pin, so what it accelerates by along its path is the angle's.
            angle = problem.bodies[0].angle
            crank = number("crank_ay") * math.cos(angle) - number("crank_ax") * math.sin(angle)
            self.checked[problem.name]["crank"] = crank

    def measure(self, problem):
        told = self.call("bench", self.file(problem, "toml"), "--formulation=auto", "--steps=100", "--rounds=15",
                         "--count=never", "--json", "--quiet")
        found = json.loads(told)[0]
        return {"acceleration_ns": 1e9 * min(found["acceleration"]), "step_ns": 1e9 * min(found["step"]),
                "formulation": found["formulation"], **self.checked[problem.name]}


    def text_to_native(self, problem):
        """Seconds from a text that was never seen before to a program that has run, the runtime being built."""
        text = self.file(problem, "toml").read_text()
        fresh = self.file(problem, "fresh.toml")
        fresh.write_text(text.replace('name = "', f'name = "Fresh{time.time_ns()}', 1))
        begin = time.perf_counter()
        self.call("run", fresh, "--until", problem.step, "--out", self.file(problem, "fresh.csv"), "--quiet")
        return time.perf_counter() - begin

    def long_run(self, problem, span):
        """Seconds that the steps of a whole run take, and where the tip of body 0 is in the end."""
        steps, out, model = round(span / problem.step), self.file(problem, "long.csv"), self.file(problem, "toml")
        told = self.call("bench", model, "--formulation=auto", f"--steps={steps}", "--rounds=1", "--count=never",
                         "--json", "--quiet")
        self.call("run", model, "--until", span, "--every", steps, "--out", out, "--quiet")
        row = list(csv.DictReader(io.StringIO(out.read_text())))[-1]
        return steps * min(json.loads(told)[0]["step"]), [float(row["tip_x"]), float(row["tip_y"])]


class Generated(Peer):
    """Accelerations that Pinocchio taped and gcc compiled, with RK4 around them and nothing else."""

    name = "Pinocchio, generated"
    # The proximal term of 1e-8 in the loops; nothing but rounding in trees.
    tolerance = 1e-6

    def ready(self):
        flags = install.pinocchio(self.shop)
        # The generator itself is not timed; with more optimisation it takes four times as long to compile.
        self.generator = self.shop.compile("pinocchio_generate", "-O1", *flags)
        self.program = self.shop.compile("generated", "-ldl")
        self.flags = self.shop.folder / "flags"
        # Pinocchio passes its flags as one word, so several of them stand in a file.
        self.flags.write_text("-O3 -march=native")
        self.seconds = {}

    def prepare(self, problem):
        self.seconds[problem.name] = self.generate(problem, "generated")

    def generate(self, problem, library, *more):
        """Seconds until there is a library."""
        told = json.loads(self.shop.call(self.generator, self.file(problem, "mdl"), self.file(problem, library),
                                         f"@{self.flags}", *more, limit=900))
        return told["generate_s"] + told["compile_s"]

    def text_to_native(self, problem):
        """The same in the axes of each body, and in world axes as Pinocchio's own class has it."""
        return self.generate(problem, "generated"), self.generate(problem, "world", "world")

    def command(self, problem):
        library = f"{self.file(problem, 'generated')}_.so"
        return self.program, self.file(problem, "mdl"), problem.step, library


class Library(Peer):
    name = "Pinocchio, library"
    tolerance = 1e-6

    def ready(self):
        self.program = self.shop.compile("pinocchio_library", *install.pinocchio(self.shop))

    def command(self, problem):
        return self.program, self.file(problem, "mdl"), problem.step


class MuJoCo(Peer):
    name = "MuJoCo"
    # Loops are soft: 1e-4 of what pushes against them gets through.
    tolerance = 1e-2

    def ready(self):
        self.program = install.mujoco(self.shop)

    def command(self, problem):
        return self.program, self.file(problem, "mdl"), self.file(problem, "xml")


    def long_run(self, problem, span):
        told = json.loads(self.shop.call(*self.command(problem), span))
        return told["seconds"], told["tip"]


class Simbody(Peer):
    name = "Simbody"

    def ready(self):
        self.program = install.simbody(self.shop)

    def command(self, problem):
        return self.program, self.file(problem, "mdl"), problem.step


class InPython(Peer):
    """One that is driven from Python."""

    script = package = ""
    # Of what is not exact an acceleration is a difference over 1e-6 s.
    tolerance = 1e-2

    def ready(self):
        self.shop.pip(self.package)

    def command(self, problem):
        return self.shop.python, HERE / "python" / self.script, problem.name


class Drake(InPython):
    name, package, script = "Drake", "drake==1.51.1", "drake_peer.py"


class Exudyn(InPython):
    name, package, script = "Exudyn", "exudyn==1.13.6", "exudyn_peer.py"


class Rapier(Peer):
    name = "Rapier"
    tolerance = 1e-2

    def ready(self):
        self.program = self.shop.cargo("rapier")

    def command(self, problem):
        return self.program, self.file(problem, "mdl"), problem.step


class Hand(Peer):
    """The four-bar, written by hand."""

    form = ""

    def ready(self):
        self.program = self.shop.cargo("hand")

    def command(self, problem):
        if problem.name != "four_bar":
            raise Failed("only the four-bar is written by hand")
        return self.program, self.form


class One(Hand):
    name, form = "by hand, one coordinate", "one"


class Absolute(Hand):
    name, form = "by hand, nalgebra", "absolute"


ALL = [Bellcrank, Generated, Library, MuJoCo, Exudyn, Drake, Simbody, Rapier, One, Absolute]
