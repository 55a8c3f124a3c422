"""Make flexible from a mesh: a rigid body becomes the reduced structure of a mesh, held where the body is held.

The interfaces are those of a list, or the ties of the mesh: each place where something holds the body takes the
nearest. A mesh without ties is tied rigidly at these places to the nodes around them. Each interface gets a hub, a
small body whose mass is taken out of the mesh, and all that acts on the body acts on the hubs from then on.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

import numpy as np

from ..base.arrays import Array
from ..base.errors import InputError
from ..base.sentence import say
from ..edits.changes import free_name
from ..edits.elements import element_at
from ..edits.make_flexible import HUB, MadeFlexible, carried_by, places_held
from ..multibody.import_structure import Source, flexible_of, listed_ties, source_of_mesh
from ..project.project import Project
from ..structure.meshes import within
from ..structure.solids import Material
from ..structure.ties import Tie

FAR: Final = 0.1  # of the diagonal of the mesh, between a place and its interface: chosen
AROUND: Final = 0.05  # of it, within which nodes are tied to a place unless it is given: chosen
TOGETHER: Final = 0.02  # of it: places nearer to one another are one
FEWEST: Final = 3  # nodes that hold an interface
LIGHT: Final = 0.01  # of the mass: what mesh and body differ by without a remark


@dataclass(frozen=True)
class MeshWanted:
    """A body (path) to be made of a mesh. material: where the mesh names none; frames: list of interfaces (JSON), None:
    the ties of the mesh, or where it has none the nodes within `reach` (m; None: a share of its size) of where the body
    is held; modes: internal ones that are kept; ratio: share of critical damping."""

    project: Project
    path: tuple[str, ...]
    file: Path
    material: Material = field(default_factory=Material)
    frames: Path | None = None
    reach: float | None = None
    modes: int = 8
    ratio: float = 0.05


def make_flexible_of_mesh(wanted: MeshWanted) -> MadeFlexible:
    """Read, tie, reduce and put in the place of the body. The mesh is in m, in the axes of the assembly that holds the
    body. Raises InputError for a body that cannot be flexible, and for a mesh as `ridewright import-structure` does."""
    body = element_at(wanted.project, "body", wanted.path)
    places = places_held(wanted.project, wanted.path)
    source = source_of_mesh(wanted.file, wanted.material)
    size = float(np.linalg.norm(np.ptp(source.whole.nodes, axis=0)))
    ties, nodes = _interfaces(source, wanted, places, size)
    joined = {tie.frame: tie.frame for tie in ties}
    made = flexible_of(source, ties, joined, wanted.modes, body.name, hub=min(HUB, 0.5 / len(joined)))
    flexible = made.body.model_copy(update={"modes": wanted.modes, "ratio": wanted.ratio})
    out = carried_by(wanted.project, wanted.path, flexible, made.hubs)
    at = {tie.frame: np.array(tie.place) for tie in ties}
    off = max(float(np.linalg.norm(place - at[nodes[name]])) for name, place in places.items())
    said = [made.words + ".", _held_at(nodes), *_compared(out)]
    if off > 0.001 * size:
        said.append(
            say("Places where it is held are up to {off:.3g m} from the interfaces that take them.", off=off)
        )
    return out._replace(said=(*said, *out.said))


def _interfaces(
    source: Source, wanted: MeshWanted, places: Mapping[str, Array], size: float
) -> tuple[list[Tie], dict[str, str]]:
    """The interfaces that are needed, and which of them takes each place."""
    listed = listed_ties(source, wanted.frames)
    if not listed:
        listed = list(_around(source, wanted, places, size))
    nodes = {}
    for name, place in places.items():
        tie = min(listed, key=lambda one: float(np.linalg.norm(place - one.place)))
        away = float(np.linalg.norm(place - tie.place))
        if away > FAR * size:
            raise InputError(
                say(
                    "{file}: '{name}' holds the body {away:.3g m} from the nearest interface of the mesh, '{frame}';"
                    " the mesh must lie as the body does, in metres and in the axes of the assembly that has it.",
                    file=wanted.file.name, name=name, away=away, frame=tie.frame,
                )
            )  # fmt: skip
        nodes[name] = tie.frame
    return [one for one in listed if one.frame in nodes.values()], nodes


def _around(source: Source, wanted: MeshWanted, places: Mapping[str, Array], size: float) -> list[Tie]:
    """A rigid tie at each place to the nodes around it, one for those that are together."""
    reach = AROUND * size if wanted.reach is None else wanted.reach
    out: list[Tie] = []
    for name, place in places.items():
        if any(np.linalg.norm(place - one.place) <= TOGETHER * size for one in out):
            continue
        nodes = within(source.whole.nodes, tuple(place), reach)
        if len(nodes) < FEWEST:
            raise InputError(
                say(
                    "{file}: fewer than {fewest} nodes are within {reach:.3g m} of '{name}', where the body is held;"
                    " give a wider reach, or a mesh that lies as the body does, in metres.",
                    file=wanted.file.name, fewest=FEWEST, reach=reach, name=name,
                )
            )  # fmt: skip
        x, y, z = (float(v) for v in place)
        frame = free_name(name, [one.frame for one in out])
        out.append(Tie(frame, (x, y, z), tuple(nodes.tolist())))
    return out


def _held_at(nodes: Mapping[str, str]) -> str:
    """Which interface takes what."""
    taken: dict[str, list[str]] = {}
    for name, node in nodes.items():
        taken.setdefault(node, []).append(name)
    return (
        "; ".join(
            f"'{node}' takes {' and '.join(names)}" if names != [node] else f"hub at '{node}'"
            for node, names in taken.items()
        )
        + "."
    )


def _compared(made: MadeFlexible) -> list[str]:
    """How mass, centre and moments differ from those of the body."""
    old, new = made.before, made.after
    words: list[str] = [
        say(
            "The mesh weighs {new:.6g kg}, the body {old:.6g kg}; its centre of mass is {off:.3g m} from the body's,"
            " its moments of inertia differ by at most {moments:.2g %} of the largest.",
            new=new.mass, old=old.mass, off=float(np.linalg.norm(new.centre - old.centre)), moments=made.moments_off,
        )
    ]  # fmt: skip
    if abs(new.mass / old.mass - 1.0) > LIGHT:
        words.append(
            "It has the mass of the mesh from now on; add what else the body carried as bodies of their own."
        )
    return words
