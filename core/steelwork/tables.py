"""What the steel of a ride is told by: loads of footings, largest stress of members, where the train was then."""

from __future__ import annotations

import csv
import io
import math
from collections.abc import Callable, Sequence
from functools import partial
from typing import NamedTuple

import numpy as np

from ..base.arrays import Array
from ..base.errors import InputError
from ..outcome.fatigue import check_counting
from ..project.project import Project, parse_project
from ..results.results import Results
from ..track.build import BuiltTrack, build_track
from .actions import of_weight
from .checks import FOOTING_COLUMNS, SteelChecks, checked
from .frame import Footing, SteelFrame
from .framing import steel_frame
from .life import MemberLife, lives, most_changed
from .loads import loads_of_points, loads_of_run
from .members import von_mises
from .rails import RailBending
from .ride import RATE, SteelRide, TrainLoads, ride_over
from .staggered import Staggered, staggered


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

    @property
    def aside(self) -> float:
        """What pushes it aside at most (N): a bound, for the extremes along x and y need not come at once."""
        return self._resultant(0, 1)

    @property
    def moment(self) -> float:
        """What bends it at most (N m), a bound likewise."""
        return self._resultant(3, 4)

    def _resultant(self, *both: int) -> float:
        return math.hypot(*(max(abs(float(row[k])) for row in (self.least, self.most)) for k in both))


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
    """The frame, its loads, what came of them, the track, and of that the tables: footings in the order of the frame,
    members with the largest stress first, and where they were asked for those whose lives are shortest, the checks by
    combinations of actions, and the rounds after which run and steel agree, whose last one the rest is of."""

    frame: SteelFrame
    loads: TrainLoads
    ride: SteelRide
    built: BuiltTrack
    footings: tuple[FootingLoad, ...]
    members: tuple[MemberStress, ...]
    lives: tuple[MemberLife, ...] = ()
    checks: SteelChecks | None = None
    two_way: Staggered | None = None

    def __repr__(self) -> str:
        return f"SteelAnswer({len(self.members)} members, {len(self.footings)} footings)"

    def train_at(self, time: float) -> float:
        """Where the middle of the train is (m) at a time (s)."""
        return _train_at(self.loads, self.built, time)


def steelwork_of(
    what: Project | Results,
    rate: float = RATE,
    *,
    life: bool = False,
    checks: bool = False,
    two_way: bool = False,
    watch: Sequence[str] = (),
    on_block: Callable[[float], None] | None = None,
) -> SteelAnswer:
    """The steel of a project's track under its train.

    Parameters
    ----------
    what
        A run, whose wheels load the track, or a project, with the axles of its ride as points.
    rate
        Instants a second (1/s) at which the loads are taken.
    life
        Ride over it once more for the fatigue of the members whose stress changes most.
    checks
        Combine it with weight, wind, ice, earthquake and temperature: utilisation of members, buckling, deflection,
        footings.
    two_way
        Of a project: ride it on rails that give, run and steel in turn until both agree.
    watch
        With `life`: members that are judged in any case.
    on_block
        Told from time to time which share (0 to 1) of the step under way is done; what it raises ends the ride.

    Returns
    -------
    Frame, loads, what the ride did to it, and the tables of members, footings, lives and combinations.

    Raises
    ------
    InputError
        Without a track, without a train on it, for supports that cannot be placed, for the results of a run that is to
        be ridden two-way, and for a member to watch that is not there.
    """
    if life:
        check_counting()
    if two_way and not isinstance(what, Project):
        raise InputError(
            "A ride on rails that give is ridden anew; give a project, not the results of its run."
        )
    project = what if isinstance(what, Project) else parse_project(what.provenance.get("project"), "the run")
    if project.track is None:
        raise InputError(f"{project.name}: has no track, and so no steelwork; open a ride on a track.")
    built = build_track(project.track)
    both = staggered(project, rate, on_block=on_block) if two_way else None
    if both is not None:
        frame, loads = both.ride.frame, both.loads
    else:
        frame = steel_frame(built, project.steelwork)
        loads = (
            loads_of_points(project, built)
            if isinstance(what, Project)
            else loads_of_run(project, what, built)
        )
    ride = None if both is None or checks else both.ride
    if ride is None:
        ride = ride_over(frame, loads, rate, extremes=checks, on_block=on_block)
    bending = RailBending(frame, loads) if frame.rails and (checks or life) else None
    combined = checked(frame, ride, project.steelwork, bending) if checks else None
    found: tuple[MemberLife, ...] = ()
    if life:
        ride = ride_over(
            frame, loads, rate, watch=most_changed(frame, ride, project.steelwork, bending=bending, watch=watch),
            on_block=on_block,
        )  # fmt: skip
        found = lives(frame, ride, project.steelwork, bending)
    return answer(frame, loads, ride, built)._replace(lives=found, checks=combined, two_way=both)


def answer(frame: SteelFrame, loads: TrainLoads, ride: SteelRide, built: BuiltTrack) -> SteelAnswer:
    """The tables of a ride over a frame."""
    feet = footing_loads(frame.footings, loads, built, ride.reactions, ride.dead, ride.time)
    return SteelAnswer(
        frame, loads, ride, built, feet, _members(frame, ride, partial(_train_at, loads, built))
    )


def footing_loads(
    footings: Sequence[Footing],
    loads: TrainLoads,
    built: BuiltTrack,
    reactions: Array,
    dead: Array,
    time: Array | None = None,
) -> tuple[FootingLoad, ...]:
    """The loads of footings that press on the ground with reactions (n, footings, 6) at times (n,) s - by default those
    of the loads - and with dead (footings, 6) of the weight alone."""
    signs, at = np.array([1.0, 1.0, -1.0, 1.0, 1.0, 1.0]), loads.time if time is None else time
    pressed, feet = reactions * signs, []
    for k, one in enumerate(footings):
        when = float(at[int(np.argmax(pressed[:, k, 2]))])
        feet.append(
            FootingLoad(
                one.name, one.place, dead[k] * signs, pressed[:, k].min(axis=0), pressed[:, k].max(axis=0), when,
                _train_at(loads, built, when),
            )
        )  # fmt: skip
    return tuple(feet)


def _train_at(loads: TrainLoads, built: BuiltTrack, time: float) -> float:
    return float(built.centreline.wrap(float(np.interp(time, loads.time, loads.s.mean(axis=1))))[0])


def _members(
    frame: SteelFrame, ride: SteelRide, train_at: Callable[[float], float]
) -> tuple[MemberStress, ...]:
    """Of every member the end of a beam where the stress is largest; the largest of all first."""
    dead = von_mises(frame, of_weight(frame).inside[..., None])[..., 0]
    at_beam = np.array([piece.beam for piece in frame.pieces])
    found = []
    for beam, name in enumerate(frame.members):
        own = np.flatnonzero(at_beam == beam)
        one, end = np.unravel_index(int(np.argmax(ride.members.stress[own])), (len(own), 2))
        k, piece = own[one], frame.pieces[own[one]]
        point = piece.start + end * piece.length * piece.axes[:, 0]
        s = frame.place(beam, int(end))
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
        ["footing", "x_m", "y_m", "z_m", *(f"{kind}_{name}" for kind in kinds for name in FOOTING_COLUMNS)]
    )
    for one in footings:
        values = (f"{value:.1f}" for row in (one.dead, one.least, one.most) for value in row)
        write.writerow([one.name, *(f"{value:.3f}" for value in one.place), *values])
    return out.getvalue()
