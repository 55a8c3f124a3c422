"""`ridewright make-flexible PROJECT --body PATH --out PROJECT`: a rigid body becomes a beam between its joints."""

from __future__ import annotations

import argparse
from typing import Any

from ..base.errors import InputError
from ..project.project import load_project, save_project
from .commands import add_command

#: What a section is given by, by its shape: the fields of `BeamSection` in order, and their names for the program.
SECTIONS = {
    "tube": (("diameter", "wall"), ("DIAMETER", "WALL")),
    "box": (("width", "height", "wall"), ("WIDTH", "HEIGHT", "WALL")),
    "i": (("width", "height", "flange", "web"), ("WIDTH", "HEIGHT", "FLANGE", "WEB")),
}


def add(commands: Any) -> None:
    """Add the command to the program."""
    command = add_command(commands, "make-flexible", "make a rigid body a beam between its joints", run)
    command.add_argument("project", metavar="PROJECT", help="project file (*.ridewright)")
    command.add_argument("--body", metavar="PATH", required=True, help='such as Arm or "Car 1/Frame"')
    shape = command.add_mutually_exclusive_group()
    for name, (fields, words) in SECTIONS.items():
        shape.add_argument(
            f"--{name}", metavar=words, nargs=len(fields), type=float,
            help="section of steel, m; without any section, a square tube as heavy as the body",
        )  # fmt: skip
    command.add_argument("--modes", metavar="N", type=int, default=6, help="internal modes kept (6)")
    command.add_argument("--damping", metavar="RATIO", type=float, default=0.05, help="of critical (0.05)")
    command.add_argument("--out", metavar="PROJECT", required=True, help="project file to write")


def run(arguments: argparse.Namespace) -> int:
    """Make the beam, write the project, say what was carried over."""
    from ..edits.changes import changed
    from ..edits.make_flexible import make_flexible
    from ..model.flexible import BeamSection

    section = None
    for name, (fields, _) in SECTIONS.items():
        values = getattr(arguments, name)
        if values is not None:
            given = dict(zip(fields, values, strict=True))
            section = changed(BeamSection(shape=name), f"--{name}", given)  # type: ignore[arg-type]
    if arguments.modes < 0 or arguments.damping < 0.0:
        raise InputError("--modes and --damping are 0 or more.")
    made = make_flexible(
        load_project(arguments.project), tuple(arguments.body.split("/")), section, modes=arguments.modes,
        ratio=arguments.damping,
    )  # fmt: skip
    save_project(made.project, arguments.out)
    for sentence in made.said:
        print(sentence)
    return 0
