"""What the steel of a ride is told by: loads of footings, largest stress of members, where the train was then."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from ..base.arrays import Array
from ..base.errors import InputError
from ..project.project import Project, parse_project
from ..results.results import Results
from ..track.build import BuiltTrack, build_track
from .frame import SteelFrame, steel_frame
from .life import MemberLife, lives, most_changed
from .loads import loads_of_points, loads_of_run
from .members import forces_inside, von_mises
from .ride import RATE, SteelRide, TrainLoads, ride_over

COLUMNS = ("x_N", "y_N", "down_N", "about_x_Nm", "about_y_Nm", "about_z_Nm")


class FootingLoad(NamedTuple):
    """What a footing bears: its name, place (3,) m; dead, least and most (6,) over the ride with the weight: N along
    the world's x and y and downwards, N m about x, y, z; time (s) of the largest force down, and where the middle of
    the train was then (m)."""

    name: str
    place: tuple[float, float, float]
    dead: Array
    least: Array
    most: Array
    time: float
    train: float


class MemberStress(NamedTuple):
    """Largest von Mises stress (Pa) of a member, weight included, what of it the weight alone makes (Pa) at that end;
    where it is: place on the track (m) and point (3,) m; when (s), and where the middle of the train was then (m)."""

    name: str
    stress: float
    dead: float
    s: float
    point: tuple[float, float, float]
    time: float
    train: float


class SteelAnswer(NamedTuple):
    """The frame, its loads, what came of them, and of that the tables: footings in the order of the frame, members with
    the largest stress first, and where they were asked for those whose lives are shortest."""

    frame: SteelFrame
    loads: TrainLoads
    ride: SteelRide
    footings: tuple[FootingLoad, ...]
    members: tuple[MemberStress, ...]
    lives: tuple[MemberLife, ...] = ()

    def __repr__(self) -> str:
        return f"SteelAnswer({len(self.members)} members, {len(self.footings)} footings)"


def steelwork_of(
    what: Project | Results,
    rate: float = RATE,
    *,
    life: bool = False,
    on_block: Callable[[float], None] | None = None,
) -> SteelAnswer:
    """The steel of a project's track under its train: of a run under the forces of its wheels, of a project under the
    axles of its ride as points.

    life: ride over it once more for the fatigue of the members whose stress changes most. on_block: as of `ride_over`.
    Raises InputError without a track, without a train on it, and for supports that cannot be placed.
    """
    project = what if isinstance(what, Project) else parse_project(what.provenance.get("project"), "the run")
    if project.track is None:
        raise InputError(f"{project.name}: has no track, and so no steelwork; open a ride on a track.")
    built = build_track(project.track)
    frame = steel_frame(built, project.steelwork)
    loads = (
        loads_of_points(project, built) if isinstance(what, Project) else loads_of_run(project, what, built)
    )
    ride = ride_over(frame, loads, rate, on_block=on_block)
    found: tuple[MemberLife, ...] = ()
    if life:
        ride = ride_over(
            frame, loads, rate, watch=most_changed(frame, ride, project.steelwork), on_block=on_block
        )
        found = lives(frame, ride, project.steelwork)
    return answer(frame, loads, ride, built)._replace(lives=found)


def answer(frame: SteelFrame, loads: TrainLoads, ride: SteelRide, built: BuiltTrack) -> SteelAnswer:
    """The tables of a ride over a frame."""
    middle = loads.s.mean(axis=1)

    def train_at(time: float) -> float:
        return float(built.centreline.wrap(float(np.interp(time, loads.time, middle)))[0])

    signs = np.array([1.0, 1.0, -1.0, 1.0, 1.0, 1.0])
    pressed, feet = ride.reactions * signs, []
    for k, one in enumerate(frame.footings):
        time = float(ride.time[int(np.argmax(pressed[:, k, 2]))])
        feet.append(
            FootingLoad(
                one.name, one.place, ride.dead[k] * signs, pressed[:, k].min(axis=0), pressed[:, k].max(axis=0),
                time, train_at(time),
            )
        )  # fmt: skip
    return SteelAnswer(frame, loads, ride, tuple(feet), _members(frame, ride, train_at))


def _members(
    frame: SteelFrame, ride: SteelRide, train_at: Callable[[float], float]
) -> tuple[MemberStress, ...]:
    """Of every member the end of a beam where the stress is largest; the largest of all first."""
    none, ends = np.zeros((1, 0), dtype=np.int64), np.zeros((1, 0, 12))
    dead = von_mises(frame, forces_inside(frame, frame.factor.solve(frame.weight())[:, None], none, ends))[
        ..., 0
    ]
    at_beam = np.array([piece.beam for piece in frame.pieces])
    places = {foot.name: foot.s for foot in frame.footings}
    found = []
    for beam, name in enumerate(frame.members):
        own = np.flatnonzero(at_beam == beam)
        one, end = np.unravel_index(int(np.argmax(ride.members.stress[own])), (len(own), 2))
        k, piece = own[one], frame.pieces[own[one]]
        point = piece.start + end * piece.length * piece.axes[:, 0]
        s = places[name] if name in places else float(frame.stations[beam + end])
        time = float(ride.members.time[k, end])
        stress = float(ride.members.stress[k, end])
        found.append(
            MemberStress(name, stress, float(dead[k, end]), s, tuple(point.tolist()), time, train_at(time))
        )
    return tuple(sorted(found, key=lambda one: -one.stress))


def footings_csv(footings: tuple[FootingLoad, ...]) -> str:
    """Footings as a table for other programs: place, then dead, least and most of each force and moment."""
    out = io.StringIO()
    write = csv.writer(out, lineterminator="\n")
    kinds = ("dead", "least", "most")
    write.writerow(
        ["footing", "x_m", "y_m", "z_m", *(f"{kind}_{name}" for kind in kinds for name in COLUMNS)]
    )
    for one in footings:
        values = (f"{value:.1f}" for row in (one.dead, one.least, one.most) for value in row)
        write.writerow([one.name, *(f"{value:.3f}" for value in one.place), *values])
    return out.getvalue()
