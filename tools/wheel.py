"""Build wheels of this platform that carry the kernels, compiled for a common processor, in dist/.

    python -m tools.wheel [PYTHON ...] [--kernels preview ride explicit]

One for every Python that is named, by default for the one that runs this. Each is built in an environment of its own
with the libraries that a person gets there today: a wheel is for the Python, the numba and the platform it was built
with, and for the processors that core.jit.cache.BASELINE names. With another numba, or on an older processor, the
program compiles its kernels as usual. On Linux the wheel has the `manylinux` tag that its kernels earn
(tools/kernel_symbols.py). A wheel with all kernels is ridden with at the end (tools/wheel_check.py).
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
import tomllib
import zipfile
from pathlib import Path
from typing import Final

from . import sources

DIST: Final = sources.ROOT / "dist"
ALL: Final = ("preview", "ride", "explicit")
COMPILE: Final = """
import sys
from ridewright.core.warm_up.ahead import compile_missing
if not all(compile_missing(what) for what in sys.argv[1:]):
    raise SystemExit("the kernels could not be compiled")
"""
#: What is done first with a new program, as (example, seconds): riders, a flexible body, swinging seats, a track of
#: elements. What judges, stores and checks is compiled by it, beside the kernels of the ride.
FIRST: Final = (("looping_star", "2"), ("swing_beam", "0.2"), ("frisbee", "0.5"), ("freight_curve", "0.02"))
USE: Final = """
import sys, tempfile
from ridewright.core.base.bundled import example_path
from ridewright.core.cli import main
for told in sys.argv[1:]:
    name, duration = told.split(":")
    with tempfile.TemporaryDirectory() as folder:
        for line in (["check"], ["simulate", "--out", folder, "--duration", duration]):
            if main([line[0], str(example_path(name)), *line[1:]]):
                raise SystemExit(f"{line[0]} {name}: cannot be done")
"""
#: What a second engine asks of a track, and of laws by a joint of a body.
ASK: Final = """
from ridewright.core.cross_check.laws import WideLaw
from ridewright.core.cross_check.model import read_model
from ridewright.core.project.examples import load_example
read_model(load_example("straight"))
elements = read_model(load_example("human_fall")).elements
WideLaw(next(one for one in elements if one.geometry == "turn"))([0.0] * 3, [0.0] * 3, 0.0)
"""


def build(python: str, kernels: tuple[str, ...], target: Path = DIST) -> Path:
    """Build the wheel of one Python and return where it is.

    The kernels are compiled into a copy of the sources, so that a stamp can only be that of what is shipped.
    """
    from ridewright.core.jit.cache import BASELINE

    with tempfile.TemporaryDirectory() as folder:
        tree, own = (
            Path(folder, "tree"),
            environment(python, Path(folder, "environment"), *of_core(), "pyelftools"),
        )
        tree.mkdir()
        sources.copy(tree)
        run(sources.ROOT / "tools" / "names.sh", Path(folder, "names"), tree)
        shipped = tree / "core" / "jit" / "shipped"
        made_for = {"NUMBA_CPU_NAME": BASELINE, "NUMBA_CPU_FEATURES": "", "NUMBA_CACHE_DIR": str(shipped)}
        path = {**os.environ, **made_for, "PYTHONPATH": str(Path(folder, "names"))}
        run(own, "-c", COMPILE, *kernels, cwd=folder, env=path)
        run(own, "-c", USE, *map(":".join, FIRST), cwd=folder, env=path, stdout=subprocess.DEVNULL)
        run(own, "-c", ASK, cwd=folder, env=path)
        for lock in shipped.glob("*.lock"):
            lock.unlink()
        (shipped / BASELINE).write_text(
            "These kernels are for the processors that this file is named after.\n"
        )
        options = []
        if sys.platform == "linux":
            audit = [own, sources.ROOT / "tools" / "kernel_symbols.py", shipped]
            found = subprocess.run(audit, check=True, stdout=subprocess.PIPE, text=True).stdout.strip()
            options = [f"--config-settings=--build-option=--plat-name={found}"]
        run(own, "-m", "pip", "-q", "wheel", "--no-deps", *options, "--wheel-dir", folder, tree)
        (made,) = Path(folder).glob("*.whl")
        expect_kernels(made)
        target.mkdir(exist_ok=True)
        return Path(shutil.copy(made, target / made.name))


def environment(python: str, folder: Path, *packages: str) -> Path:
    """Make an environment with some packages. Returns its Python."""
    run(python, "-m", "venv", folder)
    own = folder / ("Scripts" if os.name == "nt" else "bin") / "python"
    run(own, "-m", "pip", "-q", "install", "--no-compile", *packages)
    return own


def of_core() -> list[str]:
    """What core needs, as pyproject.toml says it."""
    told = tomllib.loads((sources.ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    found: list[str] = told["project"]["dependencies"]
    return found


def expect_kernels(wheel: Path) -> None:
    """Raises SystemExit for a wheel without kernels, or one that says it were for every platform."""
    with zipfile.ZipFile(wheel) as archive:
        names = archive.namelist()
        (about,) = (name for name in names if name.endswith(".dist-info/WHEEL"))
        said = archive.read(about).decode()
    if not any(name.endswith(".nbc") for name in names):
        raise SystemExit(f"{wheel.name} carries no kernels.")
    if "Root-Is-Purelib: false" not in said or "-any" in said:
        raise SystemExit(f"{wheel.name} says that it is for every platform.")


def run(*command: str | Path, **how: object) -> None:
    """Run a command; its failure ends this program with what it said."""
    subprocess.run([str(word) for word in command], check=True, **how)  # type: ignore[call-overload]


def main() -> None:
    """Build one wheel after the other."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("python", nargs="*", default=[sys.executable])
    parser.add_argument("--kernels", nargs="+", choices=ALL, default=ALL)
    wanted = parser.parse_args()
    from .wheel_check import written  # it stands on this

    for python in wanted.python:
        made = build(python, tuple(wanted.kernels))
        print(made)
        if {*wanted.kernels} == {*ALL} and (files := written(made, python)):
            raise SystemExit(f"{made.name} lacks kernels; riding with it wrote {', '.join(map(str, files))}.")


if __name__ == "__main__":
    main()
