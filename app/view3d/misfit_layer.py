"""What does not fit of riders on their seats, in red at its place: limbs, parts of seats, pads, and what is missing."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Final

import numpy as np

from ...core.base.frames import rotation_matrix
from ...core.human.closing import closed_on
from ...core.human.findings import SeatFit, seat_fits
from ...core.human.misfit import Misfit
from ...core.model.assembly import Assembly, Seat
from ...core.model.placement import joined, placed_model
from ...core.project.project import Project
from ..widgets.theme import Colours
from .actors import add, make_actor, remove
from .mesh import Part, merged, rod, solid
from .skin import skin_part, surface_part
from .train_layer import TrainLayer

if TYPE_CHECKING:
    import pyvista as pv

LARGER: Final = 1.05  # than what is drawn red, so that it is seen around it
LINE: Final = 0.012  # m, radius of the line to what is not reached
SHORTEST: Final = 1e-4  # m


class MisfitLayer:
    """Red skins and parts on the bodies that have them; they move with these."""

    def __init__(self, plotter: pv.BasePlotter) -> None:
        self._plotter = plotter
        self._actors: list[pv.Actor] = []
        self.fits: tuple[SeatFit, ...] = ()  # those that are drawn

    def rebuild(self, project: Project, train: TrainLayer, colours: Colours) -> None:
        """Draw the misfits of a project on its train as it is drawn."""
        top = project.assembly
        self._clear()
        if top is None or train.poses is None:
            return
        self.fits = tuple(one for one in seat_fits(top) if one.misfits)
        for body, part in _marks(top, self.fits, colours.bad):
            actor = make_actor(solid(part), lit=False, cull=False, opacity=0.7)
            matrix = train.matrix_of(body)
            if matrix is not None:
                actor.SetUserMatrix(matrix)
            self._actors.append(actor)
        add(self._plotter, *self._actors)

    def _clear(self) -> None:
        remove(self._plotter, *self._actors)
        self._actors, self.fits = [], ()

    def keys(self, colours: Colours) -> list[tuple[str, str]]:
        """What the red means."""
        return [(colours.bad, "Does not fit its rider")] if self._actors else []


def _marks(top: Assembly, fits: tuple[SeatFit, ...], colour: str) -> Iterator[tuple[str, Part]]:
    """What is drawn red, each with the full name of the body that it moves with, in the frame of that."""
    assemblies = placed_model(top).assemblies
    for fit in fits:
        rider = assemblies[fit.rider]
        bodies = {body.name: body for body in rider.bodies}
        named = {name for misfit in fit.misfits for name in misfit.segments}
        for name in sorted(named & bodies.keys()):
            if bodies[name].surfaces:
                yield joined(fit.rider, name), _larger(skin_part(bodies[name].surfaces, colour))
        for misfit in fit.misfits:
            yield from _on_seats(assemblies, fit.seat, misfit, colour)


def _on_seats(
    assemblies: dict[str, Assembly], own: str, misfit: Misfit, colour: str
) -> Iterator[tuple[str, Part]]:
    """Parts of the seat that a misfit is about, and its lines, which stand in the rider's own seat."""
    for path, drawn in (
        (misfit.of or own, _parts(assemblies, misfit.of or own, misfit, colour)),
        (own, _lines(misfit, colour)),
    ):
        holder, _, _ = path.rpartition("/")
        seat = _seat(assemblies, path)
        if drawn:
            moved = merged(drawn).moved(rotation_matrix(seat.orientation), seat.position)
            yield joined(holder, seat.body), moved


def _parts(assemblies: dict[str, Assembly], path: str, misfit: Misfit, colour: str) -> list[Part]:
    seat = _seat(assemblies, path)
    surfaces = [part.placed for part in seat.shape.parts] if seat.shape is not None else []
    if seat.restraint is not None:
        holder = assemblies[path.rpartition("/")[0]]
        surfaces += seat.restraint.closed(closed_on(holder, seat).locked)
    return [_larger(surface_part(one, colour)) for one in surfaces if one.name in misfit.parts]


def _lines(misfit: Misfit, colour: str) -> list[Part]:
    found = []
    for start, end in misfit.lines:
        if float(np.linalg.norm(np.subtract(end, start))) > SHORTEST:
            found.append(rod(np.array(start), np.array(end), LINE, colour, sides=10))
    return found


def _seat(assemblies: dict[str, Assembly], path: str) -> Seat:
    holder, _, name = path.rpartition("/")
    return next(seat for seat in assemblies[holder].seats if seat.name == name)


def _larger(part: Part) -> Part:
    """The same about its middle, a little larger."""
    middle = 0.5 * (part.points.min(axis=0) + part.points.max(axis=0))
    return part._replace(points=middle + LARGER * (part.points - middle))
