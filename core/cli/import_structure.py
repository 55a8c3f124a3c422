"""`ridewright import-structure PROJECT ... --out PROJECT`: a mesh or matrices of another program as a flexible body."""

from __future__ import annotations

import argparse
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..base.errors import InputError
from ..base.text_table import text_table
from ..project.project import load_project, save_project
from .commands import add_command

if TYPE_CHECKING:
    from ..multibody.import_structure import Wanted
    from ..structure.reduction_error import FoundMode, ModeError

FOUND = ("of the file Hz", "with the matrices Hz", "off %", "in the reduction %")
HEAD = ("mode", "reduced Hz", "whole Hz", "off %", "MAC", "mass x %", "y %", "z %")


def add(commands: Any) -> None:
    """Add the command to the program."""
    command = add_command(
        commands,
        "import-structure",
        "add a flexible body from a mesh, or from matrices of another program",
        run,
    )
    command.add_argument("project", metavar="PROJECT", help="project file with the bodies it is joined to")
    command.add_argument("--mesh", metavar="FILE", help="solids of second order: .inp, .msh, .bdf, .vtu (m)")
    command.add_argument(
        "--E", metavar="PA", type=float, help="Young's modulus where the mesh names none (steel)"
    )
    command.add_argument(
        "--poisson", metavar="NU", type=float, help="Poisson's ratio where the mesh names none (0.3)"
    )
    command.add_argument(
        "--density", metavar="KG/M3", type=float, help="density where the mesh names none (steel)"
    )
    command.add_argument(
        "--stiffness", metavar="FILE", help="without a mesh: .mtx, .mtx.gz, .op4, .sti or .full (N/m)"
    )
    command.add_argument("--mass", metavar="FILE", help="the same of the mass (kg)")
    command.add_argument("--nodes", metavar="FILE", help="CSV: node, x, y, z (m); or .rst, .cdb or .op2")
    command.add_argument("--results", metavar="FILE", help=".op2: its modes are compared with the matrices")
    command.add_argument(
        "--frames", metavar="FILE", help="JSON: interfaces, each with name, position, and nodes, set or within (m);"
        " without it, the ties of the mesh (RBE2, RBE3, couplings) by their names",
    )  # fmt: skip
    command.add_argument(
        "--join", metavar="FRAME=BODY", nargs="+", required=True, help="which body is fixed to which frame"
    )
    command.add_argument("--name", default="Structure", help="name of the flexible body")
    command.add_argument("--modes", metavar="N", type=int, default=8, help="internal modes kept (8)")
    command.add_argument(
        "--check",
        action="store_true",
        help="compare the modes with the first interface held with those of the whole",
    )
    command.add_argument("--out", metavar="PROJECT", required=True, help="project file to write")


def run(arguments: argparse.Namespace) -> int:
    """Read, check, tie and reduce the structure, add it to the project, print its figures."""
    from ..edits.elements import add_element
    from ..multibody.import_structure import MAX_MODES, bodies_of, imported

    if not 0 <= arguments.modes <= MAX_MODES:
        raise InputError(f"--modes {arguments.modes}: must be from 0 to {MAX_MODES}.")
    project = load_project(arguments.project)
    made = imported(replace(_wanted(arguments, _joined(arguments.join)), bodies=bodies_of(project.assembly)))
    save_project(add_element(project, "flexible", (), made.body)[0], Path(arguments.out))
    print(f"{made.words}; written to {arguments.out}")
    if made.errors:
        print("\n" + text_table((HEAD, *(_row(k, mode) for k, mode in enumerate(made.errors, 1)))))
    if made.found:
        print("\n" + text_table((FOUND, *map(_found, made.found))))
    return 0


def _found(mode: FoundMode) -> tuple[str, ...]:
    off = 100.0 * (mode.here / mode.there - 1.0)
    return f"{mode.there:.6g}", f"{mode.here:.6g}", f"{off:.2g}", f"{100.0 * mode.share:.4g}"


def _row(number: int, mode: ModeError) -> tuple[str, ...]:
    shares = (f"{100.0 * share:.1f}" for share in mode.mass)
    return (
        str(number), f"{mode.reduced:.6g}", f"{mode.whole:.6g}", f"{100.0 * mode.error:.2g}",
        f"{mode.assurance:.5f}", *shares,
    )  # fmt: skip


def _wanted(arguments: argparse.Namespace, joined: dict[str, str]) -> Wanted:
    """What is asked for: a mesh, or matrices. Raises InputError for both, neither, or a material of matrices."""
    from ..multibody.import_structure import Wanted
    from ..structure.solids import Material

    matrices = [arguments.stiffness, arguments.mass, arguments.nodes]
    figures = {name: getattr(arguments, name) for name in ("E", "poisson", "density")}
    given = {name: value for name, value in figures.items() if value is not None}
    if arguments.mesh is None:
        if None in matrices:
            raise InputError("Give --mesh FILE, or all of --stiffness, --mass and --nodes.")
        if given:
            raise InputError(
                f"--{next(iter(given))} belongs to --mesh; matrices have their material in them, leave it out."
            )
    elif any(name is not None for name in matrices):
        raise InputError("Give --mesh, or --stiffness, --mass and --nodes, but not both.")
    material = None if arguments.mesh is None else Material(**given)
    if arguments.frames is None and arguments.mesh is None:
        raise InputError("Give --frames FILE: matrices have no ties that could be their interfaces.")
    frames = None if arguments.frames is None else Path(arguments.frames)
    file, mass, nodes = (Path(name or "") for name in (arguments.mesh or matrices[0], *matrices[1:]))
    results = None if arguments.results is None else Path(arguments.results)
    return Wanted(
        file,
        material,
        mass,
        nodes,
        frames,
        joined,
        arguments.modes,
        arguments.name,
        arguments.check,
        results,
        asked=bool(given),
    )


def _joined(texts: list[str]) -> dict[str, str]:
    """Bodies by frame. Raises InputError for two bodies at one frame."""
    out: dict[str, str] = {}
    for frame, body in map(_pair, texts):
        if frame in out:
            raise InputError(
                f"--join {frame}={body}: '{frame}' is joined to '{out[frame]}' already; keep one."
            )
        out[frame] = body
    return out


def _pair(text: str) -> tuple[str, str]:
    frame, sign, body = text.partition("=")
    if not (frame and sign and body):
        raise InputError(f"--join {text}: write FRAME=BODY, such as tip=Seats.")
    return frame, body
