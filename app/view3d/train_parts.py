"""What a train is drawn from: its bodies placed in the world, and their meshes. Neither needs the window; both are kept
for whoever draws the same train next, so that they can be made beside it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import suppress
from functools import lru_cache
from typing import TYPE_CHECKING, Final

import numpy as np

from ...core.base.errors import InputError
from ...core.human.closing import closed_shares
from ...core.model.assembly import Assembly
from ...core.model.placement import joined, placed_model
from ...core.model.webbing import belt_name
from ...core.multibody.flatten import Flat, flatten
from ...core.project.project import Project
from ...core.track.build import BuiltTrack
from ..widgets.theme import Colours
from .human import rider_meshes
from .mesh import COLOUR, mixed, rgb
from .vehicle import car_meshes

if TYPE_CHECKING:
    import pyvista as pv

Meshes = Mapping[str, "pv.PolyData"]
PLACED: Final = 4  # trains that are kept
MADE: Final = 128  # cars and riders that are kept, each as different as they are drawn
#: What says nothing about how a car or a rider looks in its own axes.
NOT_SEEN: Final = {
    "name": "", "description": "", "offset": 0.0, "seat": None, "children": (),
    "position": (0.0, 0.0, 0.0), "orientation": (1.0, 0.0, 0.0, 0.0),
}  # fmt: skip
UNDYED: Final = (
    "#010203"  # the shirt of riders whose meshes are made for all shirts; no other part has this colour
)

_placed: list[tuple[Project, BuiltTrack | None, Flat | None]] = []


def placed_train(project: Project, built: BuiltTrack | None) -> Flat | None:
    """All bodies and elements of a project by their full names; None where they cannot be placed."""
    for one in tuple(_placed):
        if one[0] is project and one[1] is built:
            return one[2]
    flat = None
    with suppress(InputError):
        flat = flatten(project, built, 0.0)
    _placed[:] = [(project, built, flat), *_placed[: PLACED - 1]]
    return flat


def train_meshes(top: Assembly, flat: Flat, colours: Colours) -> dict[str, pv.PolyData]:
    """A mesh for every body by its full name, in the frame of the body (m); cars and riders that are alike share
    theirs."""
    found: dict[str, pv.PolyData] = {}
    worn = _worn(flat, top)
    shirts = _shirts(colours)
    for path, assembly in placed_model(top).assemblies.items():
        bare = assembly.model_copy(update=NOT_SEEN)
        if assembly.role == "rider":
            meshes = _rider(bare, colours, next(shirts))
        else:
            closed = {**closed_shares(assembly), **dict.fromkeys(worn.get(path, ()))}
            meshes = _car(bare, colours, tuple(closed.items()))
        found.update({joined(path, name): mesh for name, mesh in meshes.items()})
    return found


def prepare_train(project: Project, tracks: tuple[BuiltTrack | None, ...], colours: Colours) -> None:
    """Make what drawing a project's train on one of some tracks needs; in any thread."""
    flat = next((flat for built in tracks if (flat := placed_train(project, built)) is not None), None)
    if flat is not None and project.assembly is not None:
        train_meshes(project.assembly, flat, colours)


def _shirts(colours: Colours) -> Iterator[str]:
    """The colours of shirts, rider by rider."""
    while True:
        for cloth in (colours.cloth, *colours.series[1:]):
            yield mixed(cloth, "#808890", 0.15)


@lru_cache(maxsize=MADE)
def _car(bare: Assembly, colours: Colours, closed: tuple[tuple[str, float | None], ...]) -> Meshes:
    return car_meshes(bare, colours, dict(closed))


@lru_cache(maxsize=MADE)
def _undyed(bare: Assembly, colours: Colours) -> Meshes:
    return rider_meshes(bare, colours, UNDYED)


@lru_cache(maxsize=MADE)
def _rider(bare: Assembly, colours: Colours, shirt: str) -> Meshes:
    """The meshes of a rider in a shirt; points and normals are those of all riders alike."""
    return {name: _dyed(mesh, shirt) for name, mesh in _undyed(bare, colours).items()}


def _dyed(mesh: pv.PolyData, shirt: str) -> pv.PolyData:
    """A mesh with the shirt in its colour; the same where no shirt shows."""
    shades = np.asarray(mesh.point_data[COLOUR])
    undyed = (shades == rgb(UNDYED)).all(axis=1)
    if not undyed.any():
        return mesh
    dyed = mesh.copy(deep=False)
    dyed.point_data[COLOUR] = np.where(undyed[:, None], np.array(rgb(shirt), dtype=np.uint8), shades)
    return dyed


def _worn(flat: Flat, top: Assembly) -> dict[str, tuple[str, ...]]:
    """By the paths of assemblies, their seats whose webbing lies on somebody as a force element."""
    forces, found = {placed.name for placed in flat.forces}, {}
    for path, assembly in placed_model(top).assemblies.items():
        riders = {rider.seat: rider.name for rider in assembly.riders}
        found[path] = tuple(
            seat.name
            for seat in assembly.seats
            if seat.restraint is not None
            and seat.name in riders
            and joined(path, belt_name(seat.name, seat.restraint.word, riders[seat.name])) in forces
        )
    return found
