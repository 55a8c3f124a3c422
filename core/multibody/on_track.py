"""Where the cars of a train stand on their track when a ride begins, and how they move there.

A car is put on the track as one rigid piece, its riders with it: where the points of its guides lie nearest to the
curves that these follow, found with Newton steps on the six coordinates of the car and the arc lengths of its guides.
On straight track that is the car as drawn. What a car is free to do besides (one axle lets it pitch) stays as drawn.
Cars that are coupled stand as far behind one another as leaves their couplings as long as on straight level track, bars
as long as they are.

How a car moves is what becomes of its place when the whole train goes on: two derivatives by the way of the first car,
from places a little ahead and a little behind.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from ..base.arrays import Array
from ..base.errors import InputError
from ..base.frame import Frame
from ..base.frames import from_matrix, from_rotation_vector, rotation_matrix, rotation_vector, skew
from ..base.sentence import say
from ..base.where import Where
from ..model.assembly import Assembly
from ..model.coupled import drawn_ends, standing_length
from ..model.placement import PlacedModel, placed_model
from ..project.project import Project
from ..project.scenario import Ride
from ..track.build import BuiltTrack

STEPS = 12  # Newton steps of a car onto its paths
CLOSE = 1e-11  # m or rad a step
ARM = 3.0  # m, at which turning a car counts like moving it, where the paths leave a choice
LOOSE = 1e-6  # of the stiffest direction; what is held less than that is free
SLIDES, SLID = 20, 1e-9  # steps; m, a coupling that is as near to its length as drawn is left alone
NEARER = 1e-12  # m, how well others are brought to it
APART, AROUND = 0.01, (-2, -1, 1, 2)  # m, between the places from which the motion is taken; which these are


@dataclass(frozen=True)
class Riding:
    """A car on the track as a rigid piece.

    place (m): of its origin along the centreline; frame: its own, in the world; arcs (m): of its guides, in their
    order, each along its own curve; open (ng,) m: how far its guides' points lie beside these curves where the track is
    straight; way (2, 6): how far frame and axes go and turn (world axes) per metre of the way of
    the first car, and the derivative of that by the way; consist: number of the row of coupled cars it belongs to.
    """

    place: float
    frame: Frame
    arcs: Array
    open: Array
    way: Array
    consist: int = 0


class _Guided(NamedTuple):
    """A guide of a car: its curve, its point (m) in the axes of the car; which directions of the track's frame (along,
    left, up) the car may not turn about there."""

    path: str
    point: Array
    held: tuple[bool, bool, bool]


class _Link(NamedTuple):
    """A coupling from the car ahead to the one behind it: its ends (m) in the axes of these, its length (m)."""

    behind: str
    ends: tuple[Array, Array]
    length: float


HELD = {"point": (False, False, False), "cylindrical": (False, True, True), "full": (True, True, True)}


def cars_on_track(
    project: Project, built: BuiltTrack, only: Collection[str] | None = None
) -> dict[str, Riding]:
    """How the cars of a train stand on its track when a ride starts, by name.

    only: names of bodies; cars without any of these, but for the first one, are left out. Raises InputError when a car
    would stand off an open track.
    """
    train, ride = project.train, project.scenario
    assert isinstance(ride, Ride)
    assert train is not None
    cars = [
        car
        for k, car in enumerate(train.children)
        if only is None or k == 0 or any(name.startswith(f"{car.name}/") for name in only)
    ]
    row = _Row(train, cars, built)
    here = row.at(ride.start)
    for car in cars:
        position = here[car.name][0]
        if not built.track.closed and not 0.0 <= position <= built.length:
            raise InputError(
                say(
                    "Car '{car}' would start at {place:.2f m}, off the track (0 to {length:.2f m}); change the start"
                    " position or the car's offset.",
                    car=car.name,
                    place=position,
                    length=built.length,
                ),
                Where(("scenario",)),
            )
    around = [row.at(ride.start + k * APART) for k in AROUND]
    return {
        car.name: Riding(
            *here[car.name],
            row.beside(car.name),
            _way(here[car.name][1], [there[car.name][1] for there in around]),
            row.consist[car.name],
        )
        for car in cars
    }


def _way(here: Frame, around: Sequence[Frame]) -> Array:
    """First and second derivative (2, 6) of place and turn of a frame, from the same at AROUND; of fourth order: on a
    curve of 2 m the speed is right to 1e-11 of itself."""
    moves = [
        np.concatenate(
            [
                there.position - here.position,
                here.rotation @ rotation_vector(from_matrix(here.rotation.T @ there.rotation)),
            ]
        )
        for there in around
    ]
    first = np.array([1.0, -8.0, 8.0, -1.0]) / (12.0 * APART)
    second = np.array([-1.0, 16.0, 16.0, -1.0]) / (12.0 * APART**2)
    return np.stack([first @ moves, second @ moves])


def frames_along(
    train: Assembly, car: Assembly, built: BuiltTrack, positions: Sequence[float]
) -> list[Frame]:
    """A car's own frame, in the world, wherever its origin is along the track (m): as a rigid piece on its guides."""
    row = _Row(train, [car], built)
    return [row.fitted(car.name, position)[0] for position in positions]


class _Row:
    """The cars of a train on a track, wherever the first one is."""

    def __init__(self, train: Assembly, cars: list[Assembly], built: BuiltTrack) -> None:
        self.built, self.cars = built, cars
        drawn = placed_model(train)
        self.guided = {car.name: _guided(drawn, car) for car in cars}
        names = [car.name for car in train.children]
        self.links: dict[str, _Link] = {}
        for coupling in train.couplings:
            ahead, behind = sorted(coupling.cars, key=names.index)
            k = coupling.cars.index(ahead)
            ends = [end.in_car for end in drawn_ends(drawn, coupling)]
            self.links[behind] = _Link(behind, (ends[k], ends[1 - k]), standing_length(drawn, coupling))
        self.back: dict[
            str, float
        ] = {}  # m, how far each car stood further back than drawn at the last place
        self.consist: dict[str, int] = {}
        for name in names:
            self.consist[name] = max(self.consist.values(), default=-1) + (name not in self.links)

    def at(self, position: float) -> dict[str, tuple[float, Frame, Array]]:
        """Place (m), frame and arc lengths of the guides (m) of every car, the first one's origin at a position (m)."""
        out: dict[str, tuple[float, Frame, Array]] = {}
        back, before = 0.0, None
        for car in self.cars:
            at, link = position - car.offset - back, self.links.get(car.name)
            if link is not None and before is not None:
                back += self._slid(link, out[before][1], at)
                at = position - car.offset - back
            out[car.name] = (at, *self.fitted(car.name, at))
            before = car.name
        return out

    def beside(self, car: str) -> Array:
        """How far the points of a car's guides (ng,) lie beside their curves (m) on straight track."""
        half = 0.5 * self.built.track.gauge
        across = {"left_rail": half, "right_rail": -half, "centreline": 0.0}
        off = [one.point[1:] - (across[one.path], 0.0) for one in self.guided[car]]
        return np.asarray(np.linalg.norm(np.array(off).reshape(-1, 2), axis=1))

    def _slid(self, link: _Link, ahead: Frame, position: float) -> float:
        """How far back from a position (m) a car has to be for a coupling to be as long as it is; 0 where it cannot."""
        end, built = ahead.point(link.ends[0]), self.built

        def over(shift: float) -> float:
            if not built.track.closed and not -1.0 <= position - shift <= built.length + 1.0:
                return 0.0  # told by what places the car
            return (
                float(np.linalg.norm(self.fitted(link.behind, position - shift)[0].point(link.ends[1]) - end))
                - link.length
            )

        shift, slope, last = 0.0, 1.0, over(0.0)
        if abs(last) <= SLID:
            return 0.0
        for _ in range(SLIDES):
            step = float(np.clip(-last / slope, -0.2, 0.2))
            now = over(shift + step)
            slope = (now - last) / step if abs(now - last) > 0.1 * abs(step) else slope
            shift, last = shift + step, now
            if abs(last) <= NEARER:
                return shift
        return shift if abs(last) <= SLID else 0.0

    def fitted(self, car: str, position: float) -> tuple[Frame, Array]:
        """Frame of a car whose origin is at a position (m) along the track, on its guides' curves, and their arc
        lengths (m). The plane across the track at that place goes through the origin."""
        built, guided = self.built, self.guided[car]
        inside = built.centreline.wrap(position)[0]
        t, left, up = (axis[0] for axis in built.frame_at([inside]))
        origin = built.centreline.position([inside])[0]
        if not built.track.closed:
            origin = origin + (position - inside) * t
        frame = Frame(origin, np.column_stack([t, left, up]))
        if not guided:
            return frame, np.zeros(0)
        arcs = np.array([_along(built, one.path, position + one.point[0]) for one in guided])
        return _onto(built, frame, guided, arcs)


def _guided(drawn: PlacedModel, car: Assembly) -> list[_Guided]:
    """The guides of a car."""
    frame, found = drawn.origin(car.name), []
    for name, guide in car.every("guide").items():
        holder = "/".join((car.name, *name.split("/")[:-1]))
        at = drawn.at(holder, guide.body).point(guide.point)
        found.append(_Guided(guide.path, frame.rotation.T @ (at - frame.position), HELD[guide.kind]))
    return found


def _along(built: BuiltTrack, path: str, position: float) -> float:
    """Arc length (m) of a curve at a position (m) of the centreline."""
    return position if path == "centreline" else float(built.rails[path].to_rail([position])[0])


def _onto(built: BuiltTrack, drawn: Frame, guided: list[_Guided], arcs: Array) -> tuple[Frame, Array]:
    """Newton steps of a frame onto the curves of its guides: least squares of the gaps, of the frames that do it
    equally well the one nearest to the drawn one."""
    n, frame, arcs = len(guided), drawn, arcs.copy()
    turning = sum(sum(one.held) for one in guided)
    J, gap = np.zeros((3 * n + turning + 1, 6 + n)), np.zeros(3 * n + turning + 1)
    for _ in range(STEPS):
        J[:], row = 0.0, 3 * n
        for k, one in enumerate(guided):
            curve = built.paths[one.path].sample(arcs[k])[0]
            arm = frame.rotation @ one.point
            gap[3 * k : 3 * k + 3] = curve[0, :3] - frame.position - arm
            J[3 * k : 3 * k + 3, :3] = np.eye(3)
            J[3 * k : 3 * k + 3, 3:6] = -skew(arm) / ARM
            J[3 * k : 3 * k + 3, 6 + k] = -curve[1, :3]
            if any(one.held):
                axes = _track_axes(built, one.path, arcs[k])
                turn = axes @ rotation_vector(from_matrix(axes.T @ frame.rotation))
                for c in np.flatnonzero(one.held):
                    J[row, 3:6], gap[row] = axes[:, c] / ARM, -axes[:, c] @ turn
                    row += 1
        J[-1, :3] = drawn.rotation[:, 0]
        gap[-1] = drawn.rotation[:, 0] @ (drawn.position - frame.position)
        step = np.linalg.lstsq(J, gap, rcond=LOOSE)[0]
        turn = rotation_matrix(from_rotation_vector(step[3:6] / ARM))
        frame = Frame(frame.position + step[:3], turn @ frame.rotation)
        arcs += step[6:]
        if np.max(np.abs(step)) <= CLOSE:
            break
    return frame, arcs


def _track_axes(built: BuiltTrack, path: str, arc: float) -> Array:
    """The canted frame of the track, columns along, left, up, where a curve has an arc length (m)."""
    s = arc if path == "centreline" else float(built.rails[path].to_centreline([arc])[0])
    return np.column_stack([axis[0] for axis in built.frame_at([s])])
