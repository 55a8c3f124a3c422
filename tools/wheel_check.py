"""Whether a wheel rides every kind of force with the kernels it carries: `python -m tools.wheel_check WHEEL [PYTHON]`.

The wheel goes into an environment of its own, without a compiler on its path. There a train gets one force of each kind
after the other and rides, and what a second engine asks of the laws is asked. No file may be written meanwhile, neither
beside the program nor in the home of the user: a kernel that the wheel lacks would be compiled and kept.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Final

from .wheel import environment

RIDE: Final = """
import numpy as np
from ridewright.core.cross_check.acting import Acting, Moving, acting_element, why_not
from ridewright.core.cross_check.model import read_model
from ridewright.core.edits.changes import set_scenario
from ridewright.core.edits.elements import add_element, assembly_at
from ridewright.core.edits.new_elements import new_force
from ridewright.core.model.forces import TYPES
from ridewright.core.project.examples import load_example
from ridewright.core.run.simulate import simulate

def short(example):
    return set_scenario(load_example(example), {"duration": 0.02})

train = short("straight")
examples = {"contact": "ball_laws", "coupler": "freight_curve"}  # of what needs surfaces, and two cars
for kind in TYPES:
    if kind in examples:
        made = short(examples[kind])
    else:
        made, _ = add_element(train, "force", ("Car",), new_force(assembly_at(train, ("Car",)), kind))
    simulate(made)
    model = read_model(made)
    bodies = model.bodies
    n = len(bodies) + 1
    at = Moving(
        np.array([*(b.position for b in bodies), np.zeros(3)]), np.array([*(b.axes for b in bodies), np.eye(3)]),
        np.zeros((n, 3)), np.zeros((n, 3)),
    )
    for element in model.elements:
        if not why_not(element):
            acting_element(element)(at, Acting(np.zeros((n, 3)), np.zeros((n, 3))), 0.0)
    print(kind, flush=True)
"""


def files(*folders: Path) -> dict[Path, int]:
    """All files below some folders, with the instant (ns) at which each was written."""
    return {
        path: path.stat().st_mtime_ns for folder in folders for path in folder.rglob("*") if path.is_file()
    }


def written(wheel: Path, python: str = sys.executable) -> list[Path]:
    """The files that riding with a wheel writes; none is wanted. Raises SystemExit where a ride cannot be made."""
    with tempfile.TemporaryDirectory() as folder:
        place, home, work = (Path(folder, name) for name in ("environment", "home", "work"))
        own = environment(python, place, str(wheel.absolute()))
        home.mkdir()
        work.mkdir()
        before = files(place, home, work)
        # what numba is told of processors would be another kernel; bytecode is the interpreter's own (-B)
        told = {
            key: value
            for key, value in os.environ.items()
            if not key.startswith(("NUMBA_", "XDG_", "PYTHON")) and key != "CC"
        }
        told |= {"PATH": str(own.parent), "HOME": str(home)}
        done = subprocess.run([own, "-I", "-B", "-c", RIDE], cwd=work, env=told, check=False)
        if done.returncode:
            raise SystemExit(f"{wheel.name}: the rides cannot be made.")
        return sorted(
            path.relative_to(folder)
            for path, at in files(place, home, work).items()
            if before.get(path) != at
        )


def main() -> None:
    """Check one wheel; the exit code is 1 where something was written."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("wheel", type=Path)
    parser.add_argument("python", nargs="?", default=sys.executable)
    wanted = parser.parse_args()
    found = written(wanted.wheel, wanted.python)
    print(*(found or ["Nothing was written."]), sep="\n")
    sys.exit(bool(found))


if __name__ == "__main__":
    main()
