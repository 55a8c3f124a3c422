"""How far hands, feet and head of somebody who sits on a seat get: within the limits of the joints, as seat and closed
restraint let them.

Hips stay where the fit puts them; all joints from there on are turned within their limits (`reaching` searches). A
posture counts that lies nowhere deeper in seat or pads than flesh and padding give. What was reached is kept as balls
at the outer ends of the segments, which count as capsules there, and seen from the limb's resting joint it is filled
up: a place counts as within reach when something beyond it is. Sides of the car are not known and hold nobody back.

Of random postures of a man of the 95th percentile behind a lap bar, and behind pads over the shoulders, none lies
outside. It is no larger than what some posture reaches within `BESIDE` of the same direction, and `MISSED` more.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Final

import numpy as np

from ..base.arrays import Array
from ..model.assembly import Seat
from ..model.person import Person
from ..model.seats import SeatShape
from ..model.surfaces import Surface
from .closing import closing, held_bodies, skins_of
from .make import rider
from .reaching import CELL, COLUMNS, ROWS, Reaching, cells_of

BESIDE: Final = 0.75 * CELL  # rad, so that the middle of a cell counts what is reached anywhere in it
MISSED: Final = 0.01  # m, that is added for what a search does not find


@dataclass(frozen=True, eq=False)
class LimbReach:
    """What a limb reaches, in the frame of the seat: its resting joint (3,) m, and balls around centres (n, 3) m with
    radii (n,) m that lie farthest out."""

    name: str
    origin: Array
    centres: Array
    radii: Array

    def profile(self, margin: float = 0.0) -> Array:
        """How far (ROWS, COLUMNS) m it gets from its joint in each of `directions`, with a margin (m) around it; 0
        where it never is. What is reached within `BESIDE` of a direction counts as reached there."""
        if not len(self.radii):
            return np.zeros((ROWS, COLUMNS))
        ways, out = directions().reshape(-1, 3), np.zeros(ROWS * COLUMNS)
        away, radii = self.centres - self.origin, self.radii + margin
        far = np.linalg.norm(away, axis=1)
        for k in range(0, len(away), 512):
            q, r, d = away[k : k + 512], radii[k : k + 512], far[k : k + 512]
            ahead = q @ ways.T
            chord = r[:, None] ** 2 - d[:, None] ** 2 + ahead**2
            exits = np.where(chord >= 0.0, ahead + np.sqrt(np.maximum(chord, 0.0)), 0.0)
            beside = ahead >= d[:, None] * math.cos(BESIDE)
            out = np.maximum(out, np.where(beside, (d + r)[:, None], exits).max(axis=0))
        return out.reshape(ROWS, COLUMNS)

    def farthest(self) -> float:
        """The largest distance (m) from its resting joint."""
        return float(np.max(np.linalg.norm(self.centres - self.origin, axis=1) + self.radii, initial=0.0))


@dataclass(frozen=True, eq=False)
class Reach:
    """What all limbs of somebody reach from a seat."""

    limbs: tuple[LimbReach, ...]

    def room(self, margins: dict[str, float] | None = None) -> ReachRoom:
        """The space that is to be kept free: with a margin (m) for each limb by its name without side, 0 for others."""
        wide = margins or {}
        return ReachRoom(
            tuple(one.name for one in self.limbs),
            np.array([one.origin for one in self.limbs]),
            np.array([one.profile(wide.get(one.name.split()[-1], 0.0)) for one in self.limbs]),
        )


@dataclass(frozen=True, eq=False)
class ReachRoom:
    """Profiles (k, ROWS, COLUMNS) m of limbs about their joints (k, 3) m: a space in the frame of the seat."""

    names: tuple[str, ...]
    origins: Array
    profiles: Array

    @cached_property
    def centre(self) -> Array:
        """Middle (3,) m of a ball that holds it."""
        middle: Array = self.origins.mean(axis=0)
        return middle

    @cached_property
    def radius(self) -> float:
        """Of that ball (m)."""
        apart = np.linalg.norm(self.origins - self.centre, axis=1)
        return float(np.max(apart + self.profiles.max(axis=(1, 2))))

    def depth(self, places: Array) -> Array:
        """How deep (k, n) m places (n, 3) m of the seat's frame lie in the space of each limb, along the line from the
        limb's joint; negative outside."""
        found = np.empty((len(self.names), len(places)))
        for k, (origin, profile) in enumerate(zip(self.origins, self.profiles, strict=True)):
            away = places - origin
            far = np.linalg.norm(away, axis=1)
            row, column = cells_of(away, far)
            found[k] = profile[row, column] - far
        return found

    def outline(self, count: int = 48) -> Array:
        """The space seen along xi: a ring (count, 2) m of eta and zeta around its middle, in each direction the
        farthest that anything reaches there."""
        places = np.concatenate([self.surface(k)[self.profiles[k] > 0.0] for k in range(len(self.names))])
        away = places[:, 1:] - self.centre[1:]
        sector = ((np.arctan2(away[:, 1], away[:, 0]) / (2.0 * math.pi)) % 1.0 * count).astype(
            np.int64
        ) % count
        far = np.zeros(count)
        np.maximum.at(far, sector, np.linalg.norm(away, axis=1))
        known = np.flatnonzero(far)
        if not len(known):
            return np.tile(self.centre[1:], (count, 1))
        far = np.interp(np.arange(count), known, far[known], period=count)
        angle = (np.arange(count) + 0.5) * 2.0 * math.pi / count
        ring: Array = self.centre[1:] + far[:, None] * np.stack([np.cos(angle), np.sin(angle)], axis=-1)
        return ring

    def surface(self, limb: int) -> Array:
        """Places (ROWS, COLUMNS, 3) m on the boundary of a limb's space."""
        places: Array = self.origins[limb] + self.profiles[limb][..., None] * directions()
        return places


@lru_cache(maxsize=1)
def directions() -> Array:
    """Unit vectors (ROWS, COLUMNS, 3) in the middle of cells of even angles, from the pole above downwards."""
    polar = (np.arange(ROWS) + 0.5) * CELL
    around = (np.arange(COLUMNS) + 0.5) * 2.0 * math.pi / COLUMNS
    a, b = np.meshgrid(polar, around, indexing="ij")
    return np.stack([np.sin(a) * np.cos(b), np.sin(a) * np.sin(b), np.cos(a)], axis=-1)


@lru_cache(maxsize=32)
def reach(
    person: Person,
    shape: SeatShape | None = None,
    pads: tuple[Surface, ...] = (),
    slack: float = 0.0,
    fineness: float = 1.0,
) -> Reach:
    """What somebody reaches from a seat.

    Parameters
    ----------
    person
        Who sits there.
    shape
        What the seat is made of; None: pan and back as the library's vehicles have them.
    pads
        Of the closed restraint, in the frame of the seat.
    slack
        What the restraint leaves between pads and body (m): by so much more is reached.
    fineness
        How many times as many postures as usual are tried.

    Returns
    -------
    The reach of head, arms and legs, in the frame of the seat.

    Raises
    ------
    InputError
        For sizes of which no body can be made.
    """
    return Reach(
        tuple(
            LimbReach(one.name, one.origin, one.centres, one.radii + slack + MISSED)
            for one in Reaching(person, shape, pads).limbs(fineness)
        )
    )


def reach_from(person: Person, seat: Seat, fineness: float = 1.0) -> Reach:
    """What somebody reaches from a place to sit, whose restraint is closed onto that body; see `reach`."""
    if seat.restraint is None:
        return reach(person, seat.shape, fineness=fineness)
    body = rider(person, seat.name, shape=seat.shape)
    closed = closing(((seat.restraint, skins_of(held_bodies(seat.restraint, body))),))
    slack = max(0.0, closed.gaps[0] or 0.0)
    return reach(person, seat.shape, seat.restraint.closed(closed.locked), slack, fineness)
