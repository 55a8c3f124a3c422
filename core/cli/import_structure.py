"""`ridewright import-structure PROJECT ... --out PROJECT`: matrices of a finite-element program as a flexible body."""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pydantic import ValidationError

from ridewright.core.base.errors import InputError
from ridewright.core.base.reading import read_file
from ridewright.core.cli.commands import add_command
from ridewright.core.project.project import load_project, save_project, sentence

if TYPE_CHECKING:
    from ridewright.core.structure.ties import Tie

LARGEST = 16 * 10**6  # bytes of a list of interfaces


def add(commands: Any) -> None:
    """Add the command to the program."""
    command = add_command(
        commands, "import-structure", "add a flexible body from matrices of a finite-element program", run
    )
    command.add_argument("project", metavar="PROJECT", help="project file with the bodies it is joined to")
    command.add_argument("--stiffness", metavar="FILE", required=True, help="Matrix Market, also .gz (N/m)")
    command.add_argument("--mass", metavar="FILE", required=True, help="Matrix Market, also .gz (kg)")
    command.add_argument("--nodes", metavar="FILE", required=True, help="CSV: node, x, y, z (m)")
    command.add_argument(
        "--frames", metavar="FILE", required=True, help="JSON: interfaces, each with name, position, nodes"
    )
    command.add_argument(
        "--join", metavar="FRAME=BODY", nargs="+", required=True, help="which body is fixed to which frame"
    )
    command.add_argument("--name", default="Structure", help="name of the flexible body")
    command.add_argument("--modes", metavar="N", type=int, default=8, help="internal modes kept (8)")
    command.add_argument("--out", metavar="PROJECT", required=True, help="project file to write")


def run(arguments: argparse.Namespace) -> int:
    """Read, check, tie and reduce the structure, add it to the project, print its figures."""
    from ridewright.core.edits.elements import add_element
    from ridewright.core.model.flexible import FlexibleBody, Interface, Node
    from ridewright.core.multibody.flexible import imported_of
    from ridewright.core.structure.floating import cloud_of_matrices, floating
    from ridewright.core.structure.matrices import read_structure
    from ridewright.core.structure.reduction import craig_bampton
    from ridewright.core.structure.ties import tie

    if not 0 <= arguments.modes <= 60:
        raise InputError(f"--modes {arguments.modes}: must be from 0 to 60.")
    project = load_project(arguments.project)
    joined = _joined(arguments.join)
    files = [Path(name) for name in (arguments.stiffness, arguments.mass, arguments.nodes)]
    whole = read_structure(*files)
    ties = [one for one in _ties(Path(arguments.frames)) if one.frame in joined]
    missing = next((name for name in joined if name not in [one.frame for one in ties]), None)
    if missing is not None:
        raise InputError(
            f"{arguments.frames}: there is no interface '{missing}' to join; name one that is there."
        )
    tied = tie(whole, ties)
    cloud = cloud_of_matrices(whole, tied.T[: whole.size])
    made = floating(craig_bampton(tied.structure, tuple(joined), arguments.modes), cloud)
    places = {one.frame: tied.structure.nodes[tied.structure.frames[one.frame]] for one in ties}
    source = f"{files[0].name}, {files[1].name}: {whole.size} unknowns, {arguments.modes} internal modes"
    try:
        body = FlexibleBody(
            name=arguments.name,
            nodes=tuple(Node(name=name, position=tuple(places[name].tolist())) for name in joined),
            interfaces=tuple(Interface(node=name, body=at) for name, at in joined.items()),
            imported=imported_of(made, places, source),
        )
    except ValidationError as error:
        raise InputError(sentence(error, "import-structure")) from None
    save_project(add_element(project, "flexible", (), body)[0], Path(arguments.out))
    first = made.speeds[0] / 6.283185307179586
    print(
        f"{body.name}: {made.mass:.6g} kg, {len(made.inertia)} modal coordinates of {whole.size} unknowns, free modes"
        f" from {first:.5g} Hz; written to {arguments.out}"
    )
    return 0


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


def _ties(file: Path) -> list[Tie]:
    """The interfaces of a file. Raises InputError naming what is wrong in it."""
    from ridewright.core.structure.matrices import FARTHEST
    from ridewright.core.structure.ties import Tie

    try:
        data = json.loads(read_file(file, LARGEST, "a list of interfaces").decode("utf-8-sig"))
        rows = data["interfaces"] if isinstance(data, dict) else data
        out = []
        for row in rows:
            x, y, z = (float(value) for value in row["position"])
            kind = "averaging" if str(row.get("tie", "rigid")).startswith("averaging") else "rigid"
            out.append(Tie(str(row["name"]), (x, y, z), tuple(int(node) for node in row["nodes"]), kind))  # type: ignore[arg-type]
    except InputError:
        raise
    except (ValueError, KeyError, TypeError, AttributeError, OverflowError, RecursionError) as error:
        raise InputError(
            f"{file}: no list of interfaces; each needs a name, a position of three numbers and its nodes."
        ) from error
    far = next((one for one in out if not max(map(abs, one.place)) < FARTHEST), None)
    if far is not None:
        raise InputError(
            f"{file}: the position of '{far.frame}' is no place within {FARTHEST:g} m of the origin."
        )
    if len({one.frame for one in out}) < len(out):
        raise InputError(f"{file}: two interfaces have the same name; give each its own.")
    return out
