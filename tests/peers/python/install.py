"""Sets the peers up in a folder of its own: Python packages from PyPI, Simbody from Debian's archive without
installing it, crates by cargo, programs by the compilers at hand. What does not work out is told, peer by peer."""
import os
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent.parent
NATIVE = ["-O3", "-march=native", "-std=c++17"]
# Pinocchio's joints are a variant of more types than Boost's lists hold by default.
VARIANT = ["-DNDEBUG", "-DBOOST_MPL_LIMIT_LIST_SIZE=30", "-DBOOST_MPL_LIMIT_VECTOR_SIZE=30",
           "-DBOOST_MPL_CFG_NO_PREPROCESSED_HEADERS"]
DEBIAN = ["libsimbody-dev", "libsimbody3.7", "libblas3", "liblapack3", "libgfortran5", "libquadmath0"]


class Failed(Exception):
    """Why a peer is not there, in its own last words."""


class Workshop:
    """The folder with everything in it."""

    def __init__(self, folder: Path):
        self.folder = folder
        folder.mkdir(parents=True, exist_ok=True)
        self.python = folder / "venv/bin/python"
        # Bellcrank's own program, if it need not be built.
        self.bellcrank = None

    def call(self, *command, environment=None, folder=None, limit=3600):
        command = [str(word) for word in command]
        shown = os.environ | (environment or {})
        try:
            done = subprocess.run(command, cwd=folder or self.folder, env=shown, capture_output=True, text=True,
                                  timeout=limit)
        except (OSError, subprocess.TimeoutExpired) as why:
            raise Failed(str(why)) from why
        if done.returncode != 0:
            words = (done.stderr or done.stdout).strip().splitlines()
            raise Failed(f"`{Path(command[0]).name}` ended with {done.returncode}: {' '.join(words[-3:])[:400]}")
        return done.stdout

    def pip(self, *packages):
        if not self.python.exists():
            self.call(sys.executable, "-m", "venv", "venv")
        self.call(self.python, "-m", "pip", "install", "-q", *packages)

    def package(self, name):
        """The folder that a package of Python lies in."""
        return next((self.folder / "venv/lib").glob("python*")) / "site-packages" / name

    def compile(self, name, *flags, source=None):
        """A C++ program, if it is older than its sources."""
        program, cpp = self.folder / name, HERE / "cpp"
        newest = max(file.stat().st_mtime for file in cpp.iterdir())
        if not program.exists() or program.stat().st_mtime < newest:
            self.call("g++", *NATIVE, cpp / (source or f"{name}.cpp"), "-o", program, *flags)
        return program

    def cargo(self, crate):
        target = self.folder / "target"
        flags = {"RUSTFLAGS": "-C target-cpu=native", "CARGO_TARGET_DIR": str(target)}
        self.call("cargo", "build", "--release", "--quiet", folder=HERE / crate, environment=flags)
        return target / "release" / crate


def pinocchio(shop: Workshop):
    shop.pip("pin==4.1.0", "cmeel-eigen==3.4.1", "cmeel-cppad==20250000.2", "cmeel-cppadcodegen==2.4.3")
    prefix = shop.package("cmeel.prefix")
    return [*VARIANT, f"-I{prefix}/include", f"-I{prefix}/include/eigen3", f"-L{prefix}/lib",
            f"-Wl,-rpath,{prefix}/lib", "-lpinocchio_default", "-lcppad_lib", "-ldl"]


def mujoco(shop: Workshop):
    shop.pip("mujoco==4.0.0")
    package = shop.package("mujoco")
    library = next(package.glob("libmujoco.so.*"), None)
    if library is None:
        raise Failed("the package has no libmujoco.so")
    return shop.compile("mujoco", f"-I{package}/include", f"-L{package}", f"-l:{library.name}",
                        f"-Wl,-rpath,{package}")


def simbody(shop: Workshop):
    """Without -DNDEBUG, with which Debian's library was not built and its classes have another layout."""
    root = shop.folder / "simbody-root"
    if not root.exists():
        archive = shop.folder / "debian"
        archive.mkdir(exist_ok=True)
        for package in DEBIAN:
            shop.call("apt-get", "download", package, folder=archive)
        for file in archive.glob("*.deb"):
            shop.call("dpkg", "-x", file, root)
    library = next(root.glob("usr/lib/*/libSimTKsimbody.so")).parent
    folders = [library, library / "blas", library / "lapack"]
    # The older kind of run path, which also holds for what the libraries need in turn.
    paths = ["-Wl,--disable-new-dtags", "-Wl,--allow-shlib-undefined", *(f"-Wl,-rpath,{f}" for f in folders)]
    names = ["-lSimTKsimbody", "-lSimTKmath", "-lSimTKcommon"]
    return shop.compile("simbody", f"-I{root}/usr/include/simbody", f"-L{library}", *names, *paths)
