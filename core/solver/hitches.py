"""What the couplings of a train do in a run: forces, extensions, angles, work, and when gaps close and open.

Force: tension positive; of a bar what it pulls with, of a sprung bar its draft gear, of a coupler its knuckle.
Extension: distance of the two points beyond the free length. Yaw and pitch of an end: of the line from the first point
to the second against the axes the end has on straight track: x towards the second car, yaw about z, pitch upwards.
Work: that of the coupling on both cars since the start.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from ..base.arrays import Array
from ..base.frames import rotation_matrix
from ..model.coupled import coupling_axes, free_length, parts_of_coupler
from ..model.couplings import Bar, CarCoupler, Coupling, SpringBar
from ..model.placement import placed_model
from ..multibody.compile import System
from ..project.project import Project
from ..results.results import States

TOUCHING = 1e-7  # m beyond its slack a gap counts as closed: blocks may stand at the end of their play


class _End(NamedTuple):
    body: int
    point: Array
    axes: (
        Array  # columns: along the cars towards the second car of the coupling, to the left, up; in body axes
    )


@dataclass(frozen=True)
class Hitch:
    """A coupling in a run: its ends, free length (m), and at the stored instants its force (n,) N and work (n,) J.

    internal (n, 4): travel (m) and angle (rad) of block and shank at the first end, then at the second; None for bars.
    """

    coupling: Coupling
    ends: tuple[_End, _End]
    free: float
    force: Array
    work: Array
    internal: Array | None


class Measured(NamedTuple):
    """Extension (n,) m, then yaw and pitch (n,) rad at either end."""

    extension: Array
    yaw_i: Array
    pitch_i: Array
    yaw_j: Array
    pitch_j: Array


def hitches_of(project: Project, system: System, states: States) -> tuple[Hitch, ...]:
    """The couplings whose cars are in a system, with what the states of a run tell of them."""
    train = project.assembly
    if train is None or not train.couplings:
        return ()
    drawn = placed_model(train)
    index = {name: k for k, name in enumerate(system.names)}
    found = []
    for coupling in train.couplings:
        if coupling.body_i not in index:
            continue
        ends = tuple(
            _End(index[body], np.asarray(point), rotation_matrix(np.asarray(axes)))
            for body, point, axes in (
                (coupling.body_i, coupling.point_i, coupling_axes(drawn, coupling, 0)),
                (coupling.body_j, coupling.point_j, coupling_axes(drawn, coupling, 1)),
            )
        )
        first, second = ends
        line = _line(
            (first, second), [(states.position[:, e.body], states.orientation[:, e.body]) for e in ends]
        )
        length = np.linalg.norm(line, axis=1)
        force = _force(system, states, coupling, line, length)
        mean = 0.5 * (force[1:] + force[:-1])
        work = -np.concatenate([[0.0], np.cumsum(mean * np.diff(length))])
        free = free_length(drawn, coupling)
        internal = _internal(system, states, coupling)
        found.append(Hitch(coupling, (first, second), free, force, work, internal))
    return tuple(found)


def measured(hitch: Hitch, poses: list[tuple[Array, Array]]) -> Measured:
    """Extension and angles from positions (n, 3) m and orientations (n, 4) of the bodies of both ends."""
    line = _line(hitch.ends, poses)
    length = np.linalg.norm(line, axis=1)
    angles = []
    for end, (_, orientation) in zip(hitch.ends, poses, strict=True):
        x, y, z = (np.einsum("nji,nj->ni", rotation_matrix(orientation), line) @ end.axes).T
        angles += [np.arctan2(y, x), np.arctan2(z, np.hypot(x, y))]
    return Measured(length - hitch.free, *angles)


def _line(ends: tuple[_End, _End] | tuple[_End, ...], poses: list[tuple[Array, Array]]) -> Array:
    """From the first point of a coupling to the second (n, 3) m, world axes."""
    first, second = (
        position + rotation_matrix(orientation) @ end.point
        for end, (position, orientation) in zip(ends, poses, strict=True)
    )
    return np.asarray(second - first)


def _force(system: System, states: States, coupling: Coupling, line: Array, length: Array) -> Array:
    if isinstance(coupling, Bar):
        row = next(k for k, joint in enumerate(system.joints) if joint.name == coupling.name)
        return np.asarray(np.sum(states.reactions[:, row, :3] * line, axis=1) / length)
    if coupling.name in system.elements:
        return np.asarray(states.spring_force[:, system.elements.index(coupling.name)])
    first = system.elements.index(f"{coupling.name} x")
    pull = states.spring_force[:, first : first + 3]
    return np.asarray(np.copysign(np.linalg.norm(pull, axis=1), pull[:, 0]))


def _internal(system: System, states: States, coupling: Coupling) -> Array | None:
    if not isinstance(coupling, CarCoupler):
        return None
    connectors = {c.name: c for c in system.connectors}
    if not coupling.inertia:
        return np.asarray(states.internal[:, slice(*connectors[coupling.name].internal)])
    out = []
    for names, end in zip(parts_of_coupler(coupling), (coupling.end_i, coupling.end_j), strict=True):
        gear, shank = (connectors[name] for name in names)
        out += [
            states.spring_length[:, gear.first] - gear.origin,
            states.spring_length[:, shank.first] + end.shank_angle,
        ]
    return np.stack(out, axis=1)


def _gap(hitch: Hitch, poses: list[tuple[Array, Array]]) -> Array:
    """How far the heads of a coupler are apart (n,) m beyond the knuckle's length, from positions (n, 3) m and
    orientations (n, 4) of the bodies of both ends."""
    coupling, inner = hitch.coupling, hitch.internal
    assert isinstance(coupling, CarCoupler)
    assert inner is not None
    tips = []
    for k, (end, sign) in enumerate(((coupling.end_i, 1.0), (coupling.end_j, -1.0))):
        travel, angle = inner[:, 2 * k], inner[:, 2 * k + 1]
        position, orientation = poses[k]
        axes = rotation_matrix(orientation) @ hitch.ends[k].axes
        x, y = sign * axes[..., 0], sign * axes[..., 1]
        block = position + rotation_matrix(orientation) @ hitch.ends[k].point
        block = block + (end.rest_length + travel)[:, None] * x
        tips.append(block + end.shank_length * (np.cos(angle)[:, None] * x + np.sin(angle)[:, None] * y))
    return np.asarray(np.linalg.norm(tips[1] - tips[0], axis=1) - coupling.knuckle_length)


def gap_events(hitch: Hitch, states: States) -> list[tuple[float, str, str]]:
    """When the free play of a coupling is used up and when it is free again: time (s), kind, name.

    Where the extension of a sprung bar, the gap between the heads of a coupler, or the travel of a block whose gear has
    slack, passes that, straight between the neighbouring instants.
    """
    found = []
    for slack, travel in _plays(hitch, states):
        beyond = np.abs(travel) - slack
        closed = beyond > TOUCHING
        for k in np.flatnonzero(closed[1:] != closed[:-1]).tolist():
            share = min(1.0, max(0.0, beyond[k] / (beyond[k] - beyond[k + 1])))
            time = states.time[k] + share * (states.time[k + 1] - states.time[k])
            kind = "gap closed" if closed[k + 1] else "gap opened"
            found.append((float(time), kind, hitch.coupling.name))
    return sorted(found)


def _plays(hitch: Hitch, states: States) -> list[tuple[float, Array]]:
    """The slacks (m) of a coupling with the travel (n,) m of each."""
    coupling, inner = hitch.coupling, hitch.internal
    poses = [(states.position[:, e.body], states.orientation[:, e.body]) for e in hitch.ends]
    found: list[tuple[float, Array]] = []
    if isinstance(coupling, SpringBar):
        if coupling.slack > 0.0:
            found.append((coupling.slack, measured(hitch, poses).extension))
    elif isinstance(coupling, CarCoupler):
        assert inner is not None
        if coupling.knuckle_slack > 0.0:
            found.append((coupling.knuckle_slack, _gap(hitch, poses)))
        ends = (coupling.end_i, coupling.end_j)
        found += [(end.slack, inner[:, 2 * k]) for k, end in enumerate(ends) if end.slack > 0.0]
    return found
