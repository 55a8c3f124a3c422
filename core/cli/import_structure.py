"""`ridewright import-structure PROJECT ... --out PROJECT`: a mesh or matrices of another program as a flexible body."""

from __future__ import annotations

import argparse
import json
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pydantic import ValidationError

from ridewright.core.base.errors import InputError
from ridewright.core.base.reading import read_file
from ridewright.core.cli.commands import add_command
from ridewright.core.project.project import load_project, save_project, sentence

if TYPE_CHECKING:
    from ridewright.core.model.flexible import FlexibleBody
    from ridewright.core.structure.meshes import Mesh
    from ridewright.core.structure.model import Structure
    from ridewright.core.structure.ties import Tie, Tied

LARGEST = 16 * 10**6  # bytes of a list of interfaces


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
    command.add_argument("--E", metavar="PA", type=float, help="Young's modulus of the mesh (steel)")
    command.add_argument("--poisson", metavar="NU", type=float, help="Poisson's ratio of the mesh (0.3)")
    command.add_argument("--density", metavar="KG/M3", type=float, help="density of the mesh (steel)")
    command.add_argument("--stiffness", metavar="FILE", help="without a mesh: Matrix Market, also .gz (N/m)")
    command.add_argument("--mass", metavar="FILE", help="Matrix Market, also .gz (kg)")
    command.add_argument("--nodes", metavar="FILE", help="CSV: node, x, y, z (m)")
    command.add_argument(
        "--frames", metavar="FILE", required=True, help="JSON: interfaces, each with name, position, and nodes, set or"
        " within (m)",
    )  # fmt: skip
    command.add_argument(
        "--join", metavar="FRAME=BODY", nargs="+", required=True, help="which body is fixed to which frame"
    )
    command.add_argument("--name", default="Structure", help="name of the flexible body")
    command.add_argument("--modes", metavar="N", type=int, default=8, help="internal modes kept (8)")
    command.add_argument("--out", metavar="PROJECT", required=True, help="project file to write")


def run(arguments: argparse.Namespace) -> int:
    """Read, check, tie and reduce the structure, add it to the project, print its figures."""
    from ridewright.core.edits.elements import add_element
    from ridewright.core.structure.reduction import check_frames
    from ridewright.core.structure.ties import tie

    if not 0 <= arguments.modes <= 60:
        raise InputError(f"--modes {arguments.modes}: must be from 0 to 60.")
    project = load_project(arguments.project)
    joined = _joined(arguments.join)
    read = _read(arguments)
    ties = [one for one in _ties(Path(arguments.frames), read) if one.frame in joined]
    missing = next((name for name in joined if name not in [one.frame for one in ties]), None)
    if missing is not None:
        raise InputError(
            f"{arguments.frames}: there is no interface '{missing}' to join; name one that is there."
        )
    try:
        tied = tie(read.whole, ties)
        check_frames(tied.structure, tuple(joined))
    except InputError as error:
        raise InputError(f"{arguments.frames}: {error}") from None
    body, first = _body(arguments, read, tied, joined)
    save_project(add_element(project, "flexible", (), body)[0], Path(arguments.out))
    surface = body.imported.surface  # type: ignore[union-attr]
    print(
        f"{body.name}: {body.mass():.6g} kg, {len(body.imported.modal_mass)} modal coordinates of {read.whole.size}"  # type: ignore[union-attr]
        f" unknowns, free modes from {first:.5g} Hz; {surface.points} nodes are drawn"  # type: ignore[union-attr]
        f" {'with their stress' if surface.stressed else 'without stress, for which a mesh is needed'}; written to"  # type: ignore[union-attr]
        f" {arguments.out}"
    )
    return 0


@dataclass(frozen=True)
class _Source:
    """A structure that was read: by which files (words), its mesh where one is known."""

    whole: Structure
    words: str
    mesh: Mesh | None = None


def _read(arguments: argparse.Namespace) -> _Source:
    """The structure of a mesh, or of matrices. Raises InputError for both, neither, or what cannot be read."""
    matrices = [arguments.stiffness, arguments.mass, arguments.nodes]
    material = {name: getattr(arguments, name) for name in ("E", "poisson", "density")}
    if arguments.mesh is None:
        if None in matrices:
            raise InputError("Give --mesh FILE, or all of --stiffness, --mass and --nodes.")
        given = next((name for name, value in material.items() if value is not None), None)
        if given is not None:
            raise InputError(f"--{given} belongs to --mesh; matrices have their material in them.")
        from ridewright.core.structure.matrices import read_structure

        files = [Path(name) for name in matrices]
        return _Source(read_structure(*files), f"{files[0].name}, {files[1].name}")
    if any(name is not None for name in matrices):
        raise InputError("Give --mesh, or --stiffness, --mass and --nodes, but not both.")
    from ridewright.core.structure.meshes import read_mesh
    from ridewright.core.structure.model import check_structure
    from ridewright.core.structure.solids import Material, structure_of

    file = Path(arguments.mesh)
    mesh = read_mesh(file, Material(**{name: x for name, x in material.items() if x is not None}))
    try:
        whole = structure_of(mesh.solid)
        for sentence in check_structure(whole):
            raise InputError(sentence)
    except InputError as error:
        raise InputError(f"{file}: {error}") from None
    return _Source(whole, file.name, mesh)


def _body(
    arguments: argparse.Namespace, read: _Source, tied: Tied, joined: dict[str, str]
) -> tuple[FlexibleBody, float]:
    """The flexible body, and its first free frequency (Hz). Raises InputError for what cannot be reduced."""
    from ridewright.core.model.flexible import FlexibleBody, Interface, Node
    from ridewright.core.multibody.flexible import imported_of
    from ridewright.core.structure.floating import cloud_of_matrices, floating
    from ridewright.core.structure.reduction import craig_bampton
    from ridewright.core.structure.surface import points_of_nodes, surface_of_solid

    whole, s = read.whole, tied.structure
    try:
        cloud = cloud_of_matrices(whole, tied.T[: whole.size])
        made = floating(craig_bampton(s, tuple(joined), arguments.modes, centrifugal=True), cloud)
    except InputError as error:
        raise InputError(f"{read.words}: {error}") from None
    moves = (tied.T[: whole.size] @ made.shapes)[whole.unknowns[:, :3]]
    surface = (
        points_of_nodes(whole.nodes, moves) if read.mesh is None else surface_of_solid(read.mesh.solid, moves)
    )
    places = {name: s.nodes[s.frames[name]] for name in joined}
    source = f"{read.words}: {whole.size} unknowns, {arguments.modes} internal modes"
    try:
        body = FlexibleBody(
            name=arguments.name,
            nodes=tuple(Node(name=name, position=tuple(places[name].tolist())) for name in joined),
            interfaces=tuple(Interface(node=name, body=at) for name, at in joined.items()),
            imported=imported_of(made, places, source, surface),
        )
    except ValidationError as error:
        raise InputError(sentence(error, "import-structure")) from None
    return body, float(made.speeds[0]) / 6.283185307179586


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


def _ties(file: Path, read: _Source) -> list[Tie]:
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
            nodes = _tied_nodes(file, row, (x, y, z), read)
            out.append(Tie(str(row["name"]), (x, y, z), nodes, kind))  # type: ignore[arg-type]
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


def _tied_nodes(file: Path, row: Any, place: tuple[float, float, float], read: _Source) -> tuple[int, ...]:
    """The nodes of an interface: by number, by the name of a set of the mesh, or within so many metres of its place."""
    name, mesh = str(row["name"]), read.mesh
    ways = [way for way in ("nodes", "set", "within") if way in row]
    if len(ways) != 1:
        raise InputError(
            f"{file}: interface '{name}' needs one of 'nodes', 'set' and 'within' to say what it holds."
        )
    if ways == ["within"]:
        from ridewright.core.structure.meshes import within

        return tuple(within(read.whole.nodes, place, float(row["within"])).tolist())
    if ways == ["set"]:
        sets = {} if mesh is None else mesh.sets
        if row["set"] not in sets:
            known = ", ".join(f"'{one}'" for one in sets) or "none"
            raise InputError(
                f"{file}: interface '{name}' is tied to set '{row['set']}', and the sets of the mesh are: {known}."
            )
        return tuple(sets[row["set"]].tolist())
    numbers = tuple(int(node) for node in row["nodes"])
    if mesh is None:
        return numbers
    lost = next((n for n in numbers if not 0 <= n < len(mesh.from_file) or mesh.from_file[n] < 0), None)
    if lost is not None:
        raise InputError(
            f"{file}: interface '{name}' is tied to node {lost}, which no element of the mesh has; nodes are counted"
            f" from 0, in the order of the file, to {len(mesh.from_file) - 1}."
        )
    return tuple(int(mesh.from_file[n]) for n in numbers)
