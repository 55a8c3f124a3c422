"""The frame at rest under what acts on it besides the train: weight, wind, ice, earthquake as forces along its beams,
temperature as strain.

Wind: pressure times force coefficient times the diameters of the tubes, of the part of the wind that is square to the
beam (EN 1991-1-4, 7.9, without shielding of one tube by another). An earthquake pushes every mass along the ground with
its design acceleration (lateral forces of EN 1998-1, 4.3.3.2, uniform over the height), with 0.3 of it square to that.
Warmer or colder, every beam is longer or shorter by alpha dT of its length; held by others it bears up to E A alpha dT.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from ..base.arrays import Array
from ..track.actions import Actions, WindRow
from .frame import GRAVITY, SteelFrame

G = 9.81  # m/s^2
WAYS = 8  # directions that wind and earthquake come from
ASIDE = 0.3  # of the earthquake, square to it


class AtRest(NamedTuple):
    """Moves q (unknowns,), forces inside of the pieces (pieces, 2, 6) as `members.forces_inside`, and what presses on
    the ground (footings, 6) N and N m; with more of them, the same with them along the first axis."""

    q: Array
    inside: Array
    reactions: Array


def at_rest(
    frame: SteelFrame, force: Array, strain: float = 0.0, pull: Sequence[float] = (0.0, 0.0, 0.0)
) -> AtRest:
    """Under forces (pieces, 3) N/m along the pieces, in world axes, and with every piece longer by a strain than it was
    made, without being pulled; exact in the beams' theory. pull (3,) m/s^2: what draws at the bodies of a frame."""
    stiff, at, _ = frame.matrices
    axes = np.array([piece.axes for piece in frame.pieces])
    length = np.array([piece.length for piece in frame.pieces])[:, None]
    own = np.einsum("pij,pi->pj", axes, force)
    ends = np.zeros((len(own), 12))  # what the ends bear of it that do not move
    ends[:, :3] = ends[:, 6:9] = 0.5 * length * own
    moment = length**2 / 12.0 * own
    ends[:, 4], ends[:, 5] = -moment[:, 2], moment[:, 1]
    ends[:, 10], ends[:, 11] = moment[:, 2], -moment[:, 1]
    pushed = strain * np.array([piece.material.E * piece.section.area for piece in frame.pieces])
    ends[:, 0], ends[:, 6] = ends[:, 0] - pushed, ends[:, 6] + pushed
    slides = frame.slides  # all of what is along it at its other end
    ends[slides, 0], ends[slides, 6] = ends[slides, 0] + ends[slides, 6], 0.0
    f = np.zeros(frame.structure.size)
    np.add.at(f, at, np.einsum("pij,pi->pj", np.array([piece.moves for piece in frame.pieces]), ends))
    if any(pull):
        f += frame.of_bodies @ (frame.structure.rigid_motions()[:, :3] @ np.array(pull))
    q = frame.factor.solve(f)
    forces = np.einsum("pij,pj->pi", stiff, q[at]) - ends
    return AtRest(q, np.stack([-forces[:, :6], forces[:, 6:]], axis=1), frame.reactions(q))


def mass_along(frame: SteelFrame) -> Array:
    """kg/m of the pieces (pieces,), fittings included."""
    return np.array([piece.section.area * piece.material.density for piece in frame.pieces])


def weight(frame: SteelFrame) -> Array:
    """N/m (pieces, 3)."""
    out: Array = mass_along(frame)[:, None] * np.array(GRAVITY)
    return out


def of_weight(frame: SteelFrame) -> AtRest:
    """Under the weight of the steel, of beams and bodies."""
    return at_rest(frame, weight(frame), pull=GRAVITY)


def _diameters(frame: SteelFrame) -> Array:
    """Diameters (pieces, tubes) m; a tube that stands there several times has it once."""
    out = 2.0 * frame.tubes[..., 2]
    again = np.all(frame.tubes[:, 1:] == frame.tubes[:, :-1], axis=-1)
    out[:, 1:] = np.where(again, 0.0, out[:, 1:])
    return out


def ice(frame: SteelFrame, actions: Actions) -> Array:
    """N/m (pieces, 3) of a coat around every tube."""
    d, t = _diameters(frame), actions.ice
    area = np.sum(np.where(d > 0.0, np.pi * (d + t) * t, 0.0), axis=1)
    out: Array = (actions.ice_density * area)[:, None] * np.array(GRAVITY)
    return out


def ways() -> Array:
    """Unit vectors (WAYS, 3) along the ground."""
    turn = 2.0 * np.pi * np.arange(WAYS) / WAYS
    return np.stack([np.cos(turn), np.sin(turn), np.zeros(WAYS)], axis=-1)


def wind(frame: SteelFrame, actions: Actions, rows: Sequence[WindRow], way: Array) -> Array:
    """N/m (pieces, 3) of wind along a unit vector (3,)."""
    along = np.array([piece.axes[:, 0] for piece in frame.pieces])
    middle = np.array([(piece.start + 0.5 * piece.length * piece.axes[:, 0])[2] for piece in frame.pieces])
    height = middle - min((foot.place[2] for foot in frame.footings), default=0.0)
    row = np.searchsorted([one.height for one in rows], height)
    pressure = np.array([one.pressure for one in rows])[np.minimum(row, len(rows) - 1)]
    square = way - (along @ way)[:, None] * along
    size = actions.drag * pressure * _diameters(frame).sum(axis=1) * np.linalg.norm(square, axis=1)
    out: Array = size[:, None] * square
    return out


def earthquake(frame: SteelFrame, actions: Actions, way: Array, aside: float) -> AtRest:
    """Along a unit vector (3,) and `aside` of it to its left."""
    push = actions.earthquake * G * (way + aside * np.array([-way[1], way[0], 0.0]))
    return at_rest(frame, mass_along(frame)[:, None] * push, pull=push.tolist())


def temperature(frame: SteelFrame, change: float, expansion: float) -> AtRest:
    """What comes of steel that is warmer by a change (K), of a thermal expansion (1/K)."""
    return at_rest(frame, np.zeros((len(frame.pieces), 3)), expansion * change)


def cases(frame: SteelFrame, actions: Actions) -> dict[str, AtRest]:
    """What the frame bears of each action alone: one of weight and ice, WAYS of wind and 2 WAYS of earthquakes, warmer
    and colder, one of what is not asked for; the arrays have these along their first axis."""
    both = [(way, aside) for way in ways() for aside in (ASIDE, -ASIDE)][: None if actions.earthquake else 1]
    forces = {
        "ice": [ice(frame, actions)],
        "wind_in": [wind(frame, actions, actions.wind_in, way) for way in ways()],
        "wind_out": [wind(frame, actions, actions.wind_out, way) for way in ways()],
    }
    found = {name: [at_rest(frame, one) for one in some] for name, some in forces.items()}
    found["weight"] = [of_weight(frame)]
    found["earthquake"] = [earthquake(frame, actions, way, aside) for way, aside in both]
    found["temperature"] = [
        temperature(frame, change, actions.thermal_expansion)
        for change in (actions.temperature, -actions.temperature)[: None if actions.temperature else 1]
    ]
    return {
        name: AtRest(*(np.array(part) for part in zip(*some, strict=True))) for name, some in found.items()
    }
