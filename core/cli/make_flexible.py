"""`ridewright make-flexible PROJECT --body PATH --out PROJECT`: a rigid body becomes a beam between its joints, or the
structure of a mesh."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..base.errors import InputError
from ..project.project import Project, load_project, save_project
from .commands import add_command

if TYPE_CHECKING:
    from ..edits.make_flexible import MadeFlexible

#: What a section is given by, by its shape: the fields of `BeamSection` in order, and their names for the program.
SECTIONS = {
    "tube": (("diameter", "wall"), ("DIAMETER", "WALL")),
    "box": (("width", "height", "wall"), ("WIDTH", "HEIGHT", "WALL")),
    "i": (("width", "height", "flange", "web"), ("WIDTH", "HEIGHT", "FLANGE", "WEB")),
}


def add(commands: Any) -> None:
    """Add the command to the program."""
    command = add_command(
        commands, "make-flexible", "make a rigid body a beam between its joints, or of a mesh", run
    )
    command.add_argument("project", metavar="PROJECT", help="project file (*.ridewright)")
    command.add_argument("--body", metavar="PATH", required=True, help='such as Arm or "Car 1/Frame"')
    shape = command.add_mutually_exclusive_group()
    for name, (fields, words) in SECTIONS.items():
        shape.add_argument(
            f"--{name}", metavar=words, nargs=len(fields), type=float,
            help="section of steel, m; without any section, a square tube as heavy as the body",
        )  # fmt: skip
    shape.add_argument("--mesh", metavar="FILE", help="solids of second order in place of a section (m)")
    command.add_argument(
        "--frames",
        metavar="FILE",
        help="of a mesh, JSON: its interfaces; without it its ties, or the nodes around",
    )
    command.add_argument(
        "--reach",
        metavar="M",
        type=float,
        help="of a mesh without ties: nodes so near to a joint are held there",
    )
    for name, metavar, of in (("E", "PA", "Young's modulus"), ("poisson", "NU", "Poisson's ratio"),
                              ("density", "KG/M3", "density")):  # fmt: skip
        command.add_argument(
            f"--{name}", metavar=metavar, type=float, help=f"{of} where the mesh names none (steel)"
        )
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
    of_mesh = ("frames", "reach", "E", "poisson", "density")
    alone = next((name for name in of_mesh if getattr(arguments, name) is not None), None)
    if arguments.mesh is None and alone is not None:
        raise InputError(f"--{alone} belongs to --mesh FILE; give a mesh, or leave it out.")
    if arguments.modes < 0 or arguments.damping < 0.0:
        raise InputError("--modes and --damping are 0 or more.")
    project, path = load_project(arguments.project), tuple(arguments.body.split("/"))
    if arguments.mesh is None:
        made = make_flexible(project, path, section, modes=arguments.modes, ratio=arguments.damping)
    else:
        made = _of_mesh(project, path, arguments)
    save_project(made.project, arguments.out)
    for sentence in made.said:
        print(sentence)
    return 0


def _of_mesh(project: Project, path: tuple[str, ...], arguments: argparse.Namespace) -> MadeFlexible:
    from ..design.flexible_mesh import MeshWanted, make_flexible_of_mesh
    from ..structure.solids import Material

    given = {name: getattr(arguments, name) for name in ("E", "poisson", "density")}
    material = Material(**{name: value for name, value in given.items() if value is not None})
    frames = None if arguments.frames is None else Path(arguments.frames)
    return make_flexible_of_mesh(
        MeshWanted(
            project,
            path,
            Path(arguments.mesh),
            material,
            frames,
            arguments.reach,
            arguments.modes,
            arguments.damping,
        )
    )
