"""What the couplings of a train do in a run: forces, extensions, angles, work, and when gaps close and open.

Force: tension positive; what it is, and what moves inside, the kind of a coupling says (`core.model.couplings`).
Extension: distance of the two points beyond the free length. Yaw and pitch of an end: of the line from the first point
to the second against the axes the end has on straight track: x towards the second car, yaw about z, pitch upwards.
Work: that of the coupling on both cars since the start.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from ..base.arrays import Array
from ..base.frames import rotation_matrix
from ..model.coupled import drawn_ends, free_length
from ..model.couplings import Coupling, coupling_type
from ..model.couplings.base import SIDES, EndPose
from ..model.placement import placed_model
from ..multibody.compile import System
from ..project.project import Project
from ..results.results import Channel, States
from ..results.spilled import taken

FOLDS = "folds"  # the kind of event
TOUCHING = 1e-7  # m beyond its slack a gap counts as closed: blocks may stand at the end of their play
Poses = Sequence[tuple[Array, Array]]


class _End(NamedTuple):
    body: int
    point: Array
    axes: (
        Array  # columns: along the cars towards the second car of the coupling, to the left, up; in body axes
    )

    def at(self, position: Array, orientation: Array) -> EndPose:
        """Where it is with its body at positions (n, 3) m and orientations (n, 4)."""
        turn = rotation_matrix(orientation)
        return EndPose(position + turn @ self.point, turn @ self.axes)


@dataclass(frozen=True)
class CouplingForces:
    """A coupling in a run: its ends, free length (m), and at the stored instants its force (n,) N and work (n,) J.

    inner (n, k): what moves inside, as its type names it; None when nothing does.
    """

    coupling: Coupling
    ends: tuple[_End, _End]
    free: float
    force: Array
    work: Array
    inner: Array | None


class Measured(NamedTuple):
    """Extension (n,) m, then yaw and pitch (n,) rad at either end."""

    extension: Array
    yaw_i: Array
    pitch_i: Array
    yaw_j: Array
    pitch_j: Array


class _Readings:
    """The stored states of a run by the names of joints and force elements (`couplings.base.Readings`)."""

    def __init__(self, system: System, states: States) -> None:
        self._system, self._states = system, states
        self._connectors = {c.name: c for c in system.connectors}

    def reaction(self, joint: str) -> Array:
        row = next(k for k, one in enumerate(self._system.joints) if one.name == joint)
        return taken(self._states.reactions, row)[:, :3]

    def has(self, row: str) -> bool:
        return row in self._system.elements

    def load(self, row: str) -> Array:
        return taken(self._states.spring_force, self._system.elements.index(row))

    def coordinate(self, element: str) -> Array:
        one = self._connectors[element]
        return taken(self._states.spring_length, one.first) - one.origin

    def internal(self, element: str) -> Array:
        return np.asarray(self._states.internal[:, slice(*self._connectors[element].internal)])


def coupling_forces(project: Project, system: System, states: States) -> tuple[CouplingForces, ...]:
    """The couplings whose cars are in a system, with what the states of a run tell of them."""
    train = project.assembly
    if train is None or not train.couplings:
        return ()
    drawn, run = placed_model(train), _Readings(system, states)
    index = {name: k for k, name in enumerate(system.names)}
    found = []
    for coupling in train.couplings:
        ends = {coupling.body_i, coupling.body_j}
        if not ends.issubset(index) or ends.issubset(system.told):
            continue
        first, second = (
            _End(index[end.body], np.asarray(end.point), rotation_matrix(np.asarray(end.axes)))
            for end in drawn_ends(drawn, coupling)
        )
        line = _line((first, second), _poses((first, second), states))
        length = np.linalg.norm(line, axis=1)
        force = coupling.force(run, line)
        mean = 0.5 * (force[1:] + force[:-1])
        work = -np.concatenate([[0.0], np.cumsum(mean * np.diff(length))])
        free, inner = free_length(drawn, coupling), coupling.inner(run)
        found.append(CouplingForces(coupling, (first, second), free, force, work, inner))
    return tuple(found)


def measured(one: CouplingForces, poses: Poses) -> Measured:
    """Extension and angles from positions (n, 3) m and orientations (n, 4) of the bodies of both ends."""
    line = _line(one.ends, poses)
    length = np.linalg.norm(line, axis=1)
    angles = []
    for end, (_, orientation) in zip(one.ends, poses, strict=True):
        x, y, z = (np.einsum("nji,nj->ni", rotation_matrix(orientation), line) @ end.axes).T
        angles += [np.arctan2(y, x), np.arctan2(z, np.hypot(x, y))]
    return Measured(length - one.free, *angles)


def coupling_channels(one: CouplingForces, poses: Poses, stored: Array) -> dict[str, Channel]:
    """Force, extension, angles, work and what moves inside of a coupling.

    poses: positions (m, 3) m and orientations (m, 4) of the bodies of both ends; stored (m, 2 + k): force, work and
    what moves inside, at the same instants.
    """
    found = measured(one, poses)
    out = {
        "force": Channel(stored[:, 0], "N", "along the coupling", "force of the coupling, tension positive"),
        "work": Channel(stored[:, 1], "J", "-", "work of the coupling on its two cars since the start"),
        "extension": Channel(
            found.extension, "m", "along the coupling", "distance of its points beyond the free length"
        ),
    }
    for side, which in zip(SIDES, ("first", "second"), strict=True):
        for angle, how in (("yaw", "about the vertical"), ("pitch", "upwards")):
            values = getattr(found, f"{angle}_{side}")
            out[f"{angle}_{side}"] = Channel(
                values, "rad", "car", f"of the coupling against its {which} car, {how}"
            )
    if one.inner is not None:
        for k, inner in enumerate(coupling_type(one.coupling).inner):
            out[inner.name] = Channel(stored[:, 2 + k], inner.unit, "car", inner.said)
    return {f"coupling/{one.coupling.name}/{name}": channel for name, channel in out.items()}


def stored_values(one: CouplingForces) -> Array:
    """Force, work and what moves inside of a coupling (n, 2 + k) at the stored instants."""
    both = np.stack([one.force, one.work], axis=1)
    return both if one.inner is None else np.hstack([both, one.inner])


def _line(ends: tuple[_End, _End], poses: Poses) -> Array:
    """From the first point of a coupling to the second (n, 3) m, world axes."""
    first, second = (end.at(*pose).point for end, pose in zip(ends, poses, strict=True))
    return np.asarray(second - first)


def _poses(ends: tuple[_End, _End], states: States) -> Poses:
    return [(taken(states.position, end.body), taken(states.orientation, end.body)) for end in ends]


def coupling_events(one: CouplingForces, states: States) -> list[tuple[float, str, str]]:
    """When the free play of a coupling is used up and when it is free again, when it folds and when it is straight
    again: time (s), kind, name.

    Where the travel in a play, such as the extension of a sprung bar or the gap between the heads of a coupler, passes
    it, and where ends pass one another, straight between the neighbouring instants.
    """
    poses = _poses(one.ends, states)
    first, second = (end.at(*pose) for end, pose in zip(one.ends, poses, strict=True))
    plays = one.coupling.plays(measured(one, poses).extension, (first, second), one.inner)
    watched = [(np.abs(play.travel) - play.slack, "gap closed", "gap opened") for play in plays]
    folded = one.coupling.folded((first, second), one.inner)
    if folded is not None:
        watched.append((folded, FOLDS, "unfolds"))
    found = []
    for beyond, there, back in watched:
        is_there = beyond > TOUCHING
        for k in np.flatnonzero(is_there[1:] != is_there[:-1]).tolist():
            share = min(1.0, max(0.0, beyond[k] / (beyond[k] - beyond[k + 1])))
            time = states.time[k] + share * (states.time[k + 1] - states.time[k])
            found.append((float(time), there if is_there[k + 1] else back, one.coupling.name))
    return sorted(found)
