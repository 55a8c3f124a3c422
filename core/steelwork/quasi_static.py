"""What footings bear of a train without inertia, fast enough to be seen while a hill is dragged.

By influence: Y = K^-1 e of a unit force e at a footing; as K is symmetric, that footing gives by Y' f under forces f
anywhere, and presses on the ground with its stiffness times that. One solution a footing and direction, and every
instant of the ride costs a sum over the ends of the beams that the axles stand on.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from ..base.arrays import Array
from ..pointmass.result import PointRide
from ..project.project import Project
from ..track.build import BuiltTrack
from .actions import of_weight
from .frame import SteelFrame
from .framing import steel_frame
from .loads import loads_of_points
from .ride import TrainLoads
from .tables import FootingLoad, footing_loads

WHILE_DRAGGED, SETTLED = 20.0, 100.0  # instants a second
APART = 0.01  # m that the track lies elsewhere
BESIDE = 30.0  # m on both sides of what does
LOOK, FINE = 2.0, 0.2  # m along the tracks that are compared
TURNED = 0.01
SAME = 3.0  # m that the foot of a column is moved and is still that column


class QuasiStatic(NamedTuple):
    """The frame, some of its footings (numbers `which`, in its order), and over time (n,) s what these press on the
    ground with (n, footings, 6) N and N m, weight included."""

    frame: SteelFrame
    which: tuple[int, ...]
    footings: tuple[FootingLoad, ...]
    time: Array
    reactions: Array

    def __repr__(self) -> str:
        return f"QuasiStatic({len(self.footings)} footings, {len(self.time)} instants)"


def influence(frame: SteelFrame, which: Sequence[int]) -> Array:
    """What footings press on the ground with (unknowns, footings, 6) N and N m for 1 N or N m at each unknown."""
    feet = frame.footing_unknowns[list(which)]
    unit = np.zeros((frame.structure.size, feet.size))
    unit[feet.ravel(), np.arange(feet.size)] = 1.0
    out: Array = frame.moves(unit).reshape(-1, *feet.shape) * frame.springs[list(which)]
    return out


def reactions_at_rest(frame: SteelFrame, loads: TrainLoads, which: Sequence[int]) -> Array:
    """What footings press on the ground with (n, footings, 6) N and N m of loads, without the weight of the steel."""
    n, k = loads.s.shape
    beams, ends = frame.loads(
        loads.s.ravel(), loads.point.reshape(-1, 3), loads.force.reshape(-1, 3), loads.moment.reshape(-1, 3)
    )
    Y = influence(frame, which)
    nodes = np.array([piece.ends for piece in frame.pieces[: len(frame.stations) - 1]])
    of_bays = Y[frame.structure.unknowns[nodes].reshape(-1, 12)]  # (bays, 12, footings, 6)
    out = np.zeros((len(beams), *Y.shape[1:]))
    for bay in np.unique(beams):
        here = beams == bay
        out[here] = np.tensordot(ends[here], of_bays[bay], axes=1)
    summed: Array = out.reshape(n, k, *Y.shape[1:]).sum(axis=1)
    return summed


def moved(before: BuiltTrack, now: BuiltTrack) -> Array:
    """Places (n,) m of a track that lie elsewhere than it did before, or banked otherwise, every few metres."""
    from scipy.spatial import cKDTree  # not needed to show the window

    s = np.arange(0.0, now.length, LOOK)
    old = before.centreline.state(np.arange(0.0, before.length, FINE))
    new = now.centreline.state(s)
    near = cKDTree(old.curve[:, 0]).query(new.curve[:, 0])[1]
    away, along = new.curve[:, 0] - old.curve[near, 0], old.tangent[near]
    aside = away - np.sum(away * along, axis=1, keepdims=True) * along
    banked = np.linalg.norm(new.up - old.up[near], axis=1)
    elsewhere = (np.linalg.norm(aside, axis=1) > APART) | (np.abs(away).max(axis=1) > FINE)
    out: Array = s[elsewhere | (banked > TURNED)]
    return out


def quasi_static(
    project: Project,
    built: BuiltTrack,
    ride: PointRide | None = None,
    rate: float = SETTLED,
    since: BuiltTrack | None = None,
) -> QuasiStatic:
    """Footings of a project's track under the axles of its ride as points, at `rate` instants a second (1/s).

    ride: of the project, where it is known. since: the track as it was, to look only at the footings below what lies
    elsewhere now. Raises InputError as `steel_frame` and `loads_of_points`.
    """
    frame = steel_frame(built, project.steelwork)
    which = tuple(range(len(frame.footings)))
    if since is not None:
        places = moved(since, built)
        which = tuple(k for k in which if np.any(np.abs(places - frame.footings[k].s) < BESIDE))
    every = loads_of_points(project, built, ride)
    count = max(2, int(np.ceil(np.ptp(every.time) * rate)) + 1)
    loads = every.at(np.linspace(every.time[0], every.time[-1], count))
    dead = of_weight(frame).reactions[list(which)]
    reactions = dead + reactions_at_rest(frame, loads, which)
    feet = [frame.footings[k] for k in which]
    footings = footing_loads(feet, loads, built, reactions, dead)
    return QuasiStatic(frame, which, footings, loads.time, reactions)


def as_before(before: QuasiStatic | None, now: QuasiStatic) -> tuple[FootingLoad | None, ...]:
    """For each footing the one that it was: of the same name, where there are as many as before, else the nearest one
    within a few metres; None where none was."""
    if before is None:
        return (None,) * len(now.footings)
    if len(before.frame.footings) == len(now.frame.footings):
        names = {one.name: one for one in before.footings}
        return tuple(names.get(one.name) for one in now.footings)
    places = np.array([one.place for one in before.footings]).reshape(-1, 3)
    out: list[FootingLoad | None] = []
    for one in now.footings:
        apart = np.linalg.norm(places[:, :2] - np.array(one.place[:2]), axis=1)
        k = int(np.argmin(apart)) if len(apart) else -1
        out.append(before.footings[k] if k >= 0 and apart[k] < SAME else None)
    return tuple(out)
