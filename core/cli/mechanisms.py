"""`ridewright export-mjcf` and `ridewright import-mjcf`: rigs and human bodies as files of MuJoCo, and back."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

from ..base.atomic import replacing
from ..project.project import load_project, save_project
from .commands import add_command


def add(commands: Any) -> None:
    """Add both commands to the program."""
    out = add_command(commands, "export-mjcf", "write a mechanism as a file of MuJoCo (MJCF)", _export)
    out.add_argument("project", metavar="PROJECT", help="project file (*.ridewright)")
    out.add_argument("file", metavar="FILE", help="file to write (*.xml)")
    back = add_command(commands, "import-mjcf", "a mechanism from MJCF or URDF as a test rig", _import)
    back.add_argument("file", metavar="FILE", help="MJCF or URDF file")
    back.add_argument("project", metavar="PROJECT", help="project file to write (*.ridewright)")


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
    from ..project.project import Project

    found = import_mechanism(arguments.file)
    assert isinstance(found.made, Project)
    save_project(found.made, arguments.project)
    _say(arguments.project, found.left_out)
    return 0


def _say(file: str, left_out: tuple[str, ...]) -> None:
    print(f"written: {file}")
    for name in left_out:
        print(f"left out: {name}")
