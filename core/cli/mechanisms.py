"""`ridewright export-mjcf` and `ridewright import-mjcf`: rigs and human bodies as files of MuJoCo, and back."""

from __future__ import annotations

import argparse
import math
from pathlib import Path
from typing import Any

from ..base.atomic import replacing
from ..base.errors import InputError
from ..project.project import Project, load_project, save_project
from .commands import add_command


def add(commands: Any) -> None:
    """Add both commands to the program."""
    out = add_command(commands, "export-mjcf", "write a mechanism as a file of MuJoCo (MJCF)", _export)
    out.add_argument("project", metavar="PROJECT", help="project file (*.ridewright)")
    out.add_argument("file", metavar="FILE", help="file to write (*.xml)")
    back = add_command(commands, "import-mjcf", "a mechanism from MJCF or URDF as a test rig", _import)
    back.add_argument("file", metavar="FILE", help="MJCF or URDF file")
    back.add_argument("project", metavar="PROJECT", help="project file to write (*.ridewright)")
    back.add_argument(
        "--key", metavar="NAME", default="", help="draw it in the pose of a keyframe of the file"
    )
    back.add_argument(
        "--ride",
        metavar="PROJECT",
        default="",
        help="a ride on a seat of which it sits in the written project",
    )
    back.add_argument("--on", metavar="PATH", default="", help='that seat, such as "Car 1/Left seat"')
    back.add_argument("--pelvis", metavar="BODY", default="", help="the body that sits, rigid on the seat")
    back.add_argument(
        "--upper-torso", metavar="BODY", default="", help="at which the loads of a rider are measured"
    )
    back.add_argument("--head", metavar="BODY", default="", help="by which head injury is assessed")
    back.add_argument(
        "--yaw", metavar="DEG", type=float, default=0.0, help="turned about z: where it does not look along x"
    )


def _export(arguments: argparse.Namespace) -> int:
    """Write the file, name what it does not hold."""
    from ..cross_check.engines.mujoco.exchange import export_mjcf

    found = export_mjcf(load_project(arguments.project))
    with replacing(Path(arguments.file)) as part:
        part.write_text(str(found.made) + "\n", encoding="utf-8")
    _say(arguments.file, found.left_out)
    return 0


def _import(arguments: argparse.Namespace) -> int:
    """Write the project, name what it does not hold."""
    from ..cross_check.engines.mujoco.exchange import import_mechanism

    if arguments.ride and not all((arguments.on, arguments.pelvis, arguments.upper_torso, arguments.head)):
        raise InputError(
            "import-mjcf --ride needs --on, the seat, and --pelvis, --upper-torso and --head, bodies."
        )
    found = import_mechanism(arguments.file, arguments.key)
    assert isinstance(found.made, Project)
    made = _seated(found.made, arguments) if arguments.ride else found.made
    save_project(made, arguments.project)
    _say(arguments.project, found.left_out)
    return 0


def _seated(mechanism: Project, arguments: argparse.Namespace) -> Project:
    """The ride with the mechanism on its seat."""
    from ..edits.riders import Segments, seat_mechanism

    *owner, seat = arguments.on.split("/")
    assert mechanism.assembly is not None
    known_by = Segments(arguments.pelvis, arguments.upper_torso, arguments.head)
    ride = load_project(arguments.ride)
    return seat_mechanism(
        ride, tuple(owner), mechanism.assembly, known_by, seat, math.radians(arguments.yaw)
    )[0]


def _say(file: str, left_out: tuple[str, ...]) -> None:
    print(f"written: {file}")
    for name in left_out:
        print(f"left out: {name}")
