"""Curvature programs: turn, climb and bank along a line, followed from an entry frame to a leg of the track.

With a pole (a fixed unit vector e) the tangent is described by its longitude about the pole and its latitude
towards it: t = cos(lat) m(lon) + sin(lat) e. `turn` is the rate of the longitude (rad/m), `climb` the latitude (rad)
and `bank` the angle (rad) about t from the vector e x t to the left of the track. With the world's up as the pole
these are heading rate, pitch and cant; with the axis of a loop as the pole they describe the loop and how far it
leans out of its plane. Without a pole `turn` and `climb` are the curvatures towards left and up of the track (1/m)
and `bank` is the roll rate (rad/m).

In the canted frame, with l0 = e x t / |e x t|, u0 = t x l0: t' = turn cos(lat) l0 + lat' u0 and
k_left = turn cos(lat) cos(bank) + lat' sin(bank), k_up = lat' cos(bank) - turn cos(lat) sin(bank),
roll rate = bank' + turn sin(lat).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ...base.arrays import Array
from ...base.errors import InputError
from ...base.sentence import say
from . import kernels
from .channel import Channel, channel
from .entry import Entry
from .leg import NODES, ElementLeg, Samples, make_leg, offset_samples

LONGEST_PIECE = 1.0  # m
PIECE_TURN = 0.15  # rad a piece may turn or roll; keeps the quintic within 1e-9 m of the line
CHANGING = 2  # times as many pieces where curvature or roll rate change
SHORTEST, LONGEST = 1e-3, 5000.0  # m, of one element
EASE = (
    6.0  # m over which an element that starts straight brings curvature and roll rate of the track to nothing
)
FLATTEST = 1e-4  # sine of the smallest angle between the tangent and a pole
UP = np.array([0.0, 0.0, 1.0])


@dataclass(frozen=True)
class Program:
    """What a line does over its length; see above. height (m): of the line above the rail plane."""

    turn: Channel
    climb: Channel
    bank: Channel
    pole: Array | None = None
    height: float = 0.0

    @property
    def length(self) -> float:
        return self.turn.end

    def rates(self, s: Array) -> Array:
        """Curvature left, curvature up and roll rate (n, 3) at s (n,)."""
        turn, climb, bank = self.turn.at(s), self.climb.at(s), self.bank.at(s)
        if self.pole is None:
            return np.stack([turn[:, 0], climb[:, 0], bank[:, 0]], axis=1)
        across = turn[:, 0] * np.cos(climb[:, 0])
        c, d = np.cos(bank[:, 0]), np.sin(bank[:, 0])
        roll = bank[:, 1] + turn[:, 0] * np.sin(climb[:, 0])
        return np.stack([across * c + climb[:, 1] * d, climb[:, 1] * c - across * d, roll], axis=1)


@dataclass(frozen=True)
class PoleView:
    """An entry seen from a pole: longitude rate (rad/m), latitude and its rate, bank and its rate (rad, rad/m)."""

    turn: float
    latitude: float
    climb: float
    bank: float
    roll: float


def seen_from(entry: Entry, pole: Array) -> PoleView:
    """The start values of a program with a pole.

    Raises InputError when the track points along the pole: there is no longitude then.
    """
    t = entry.tangent
    side = np.cross(pole, t)
    flat = float(np.linalg.norm(side))
    if flat < FLATTEST:
        raise InputError(
            f"{entry.where}: the track is vertical here, which has no heading; use another element."
        )
    l0 = side / flat
    u0 = np.cross(t, l0)
    bend = entry.left_bend * entry.left + entry.up_bend * entry.up
    turn = float(bend @ l0) / flat
    latitude = float(np.arctan2(t @ pole, flat))
    bank = float(np.arctan2(entry.left @ u0, entry.left @ l0))
    return PoleView(turn, latitude, float(bend @ u0), bank, entry.roll_rate - turn * np.sin(latitude))


def _borders(program: Program) -> Array:
    """Borders of the pieces: those of the channels and as many in between as the bend asks for."""
    edges = np.unique(np.concatenate([c.edges for c in (program.turn, program.climb, program.bank)]))
    edges = edges[np.concatenate([[True], np.diff(edges) > 1e-9])]
    edges[-1] = program.length
    inside = edges[:-1, None] + np.diff(edges)[:, None] * np.linspace(0.001, 0.999, 9)
    rates = program.rates(inside.ravel()).reshape(len(edges) - 1, 9, 3)
    bend = (np.hypot(rates[..., 0], rates[..., 1]) + np.abs(rates[..., 2])).max(axis=1)
    parts = np.ceil(np.diff(edges) * np.maximum(1.0 / LONGEST_PIECE, bend / PIECE_TURN) - 1e-9)
    changing = np.ptp(rates, axis=1).max(axis=1) > 1e-12
    parts *= np.where(changing, CHANGING, 1)
    parts = parts.astype(np.int64).clip(1)
    first = np.repeat(edges[:-1], parts)
    width = np.repeat(np.diff(edges) / parts, parts)
    order = np.arange(len(first)) - np.repeat(np.cumsum(parts) - parts, parts)
    return np.append(first + order * width, edges[-1])


def follow(program: Program, entry: Entry) -> Samples:
    """Samples of a program's own line from an entry given on that line.

    Raises InputError for programs without or with too much length.
    """
    if not SHORTEST < program.length <= LONGEST:
        length = f"{program.length:.0f}" if program.length > LONGEST else f"{program.length:.2g}"
        raise InputError(
            say(
                "{where}: it would be {length:.6g m} long; {shortest:g (m)} to {longest:.0f m} are possible.",
                where=entry.where,
                length=length,
                shortest=SHORTEST,
                longest=LONGEST,
            )
        )
    borders = _borders(program)
    h = np.diff(borders)
    if len(h) > 20 * LONGEST:
        raise InputError(f"{entry.where}: it bends far too tightly; use larger radii or lengths.")
    positions = borders[:-1, None] + h[:, None] * NODES
    steps = h[:, None] * np.diff(NODES)
    gauss = positions[:, :-1, None] + steps[..., None] * kernels.STAGE
    rates = program.rates(gauss.ravel()).reshape(-1, 3, 3)
    frames = np.empty((len(rates) + 1, 3, 3))
    position = np.empty((len(rates) + 1, 3))
    frames[0] = np.stack([entry.tangent, entry.left, entry.up], axis=1)
    position[0] = entry.position
    kernels.follow_curvature(steps.ravel(), rates, frames, position)
    pick = 5 * np.arange(len(h))[:, None] + np.arange(6)
    inside = borders[:-1, None] + h[:, None] * np.clip(NODES, 1e-12, 1.0 - 1e-12)
    k = program.rates(inside.ravel()).reshape(len(h), 6, 3)
    return Samples(
        h,
        np.ones((len(h), 6)),
        position[pick],
        frames[pick, :, 0],
        frames[pick, :, 2],
        k[..., 0],
        k[..., 1],
        k[..., 2],
    )


def run_program(program: Program, entry: Entry) -> ElementLeg:
    """Lay a program from an entry given on the rail."""
    line = follow(program, entry.offset(program.height))
    return make_leg(offset_samples(line, program.height), entry)


def end_of(program: Program, entry: Entry) -> Entry:
    """Where a program leads, on its own line."""
    line = follow(program, entry)
    return Entry(line.position[-1, -1], line.tangent[-1, -1], line.up[-1, -1], gravity=entry.gravity)


def ease(entry: Entry) -> Program:
    """Bring curvature and roll rate of the track to nothing within EASE metres."""
    parts = [
        channel(value, [(EASE, 0.0, "quintic")], slope=slope)
        for value, slope in (
            (entry.left_bend, entry.left_slope),
            (entry.up_bend, entry.up_slope),
            (entry.roll_rate, entry.roll_slope),
        )
    ]
    return Program(parts[0], parts[1], parts[2])
