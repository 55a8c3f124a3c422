"""Where rails bend suddenly, and what that costs: kinks, welds and short waves, as acceleration of a wheel.

The curvature of each rail as it is ridden on, less its mean over BASE, times the square of the speed: what a wheel is
pushed by beyond the bend that the designer drew. Its largest values, no two nearer than APART, are the places to look
at; the turn is that of the rail's direction over a wheel's way across the kink.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ..base.arrays import Array
from ..base.finding import Finding
from ..base.sentence import say
from ..base.where import Where
from ..track.build import BuiltTrack

STEP = 0.02  # m
BASE = 2.0  # m, over which the drawn bend is taken
TURNED = 0.5  # m, over which the turn is taken
APART = 1.0  # m
G = 9.81
NAMED, COSTLY = 1.0, 3.0  # g, from which a kink is named, and is a warning
MOST = 200  # kinks of a rail that are looked at
RAILS = {"left_rail": "left rail", "right_rail": "right rail"}


class RailKink(NamedTuple):
    """A place s (m) of a rail where a wheel at the speed (m/s) of the ride is pushed by cost (g) aside or up, and the
    rail's direction turns by turn (rad) within TURNED beyond the drawn bend."""

    s: float
    rail: str
    way: str
    speed: float
    cost: float
    turn: float
    section: str

    @property
    def said(self) -> str:
        """In one sentence."""
        return say(
            "The {rail} bends {way} by {turn:.2f} mrad within {over:.1f} m beyond its curve: {cost:.1f} of g on a"
            " wheel at {speed:.1f m/s}.",
            rail=self.rail, way=self.way, turn=1e3 * self.turn, over=TURNED, cost=self.cost, speed=self.speed,
        )  # fmt: skip


class RailCosts(NamedTuple):
    """What rails cost along the track: s (n,) m of the centreline; cost (2, n) g of the left and the right rail, aside
    and up together; the kinks, the costliest first, and from which cost (g) on."""

    s: Array
    cost: Array
    kinks: tuple[RailKink, ...]
    least: float


def rail_kinks(built: BuiltTrack, s: Array, speed: Array, least: float = NAMED) -> tuple[RailKink, ...]:
    """The kinks of `rail_costs`."""
    return rail_costs(built, s, speed, least).kinks


def rail_costs(built: BuiltTrack, s: Array, speed: Array, least: float = NAMED) -> RailCosts:
    """What a wheel is pushed by beyond the drawn bend along both rails, and the kinks that cost at least so much (g).

    s (n,) m and speed (n,) m/s of the ride, its way forward; where it does not go there is no cost. On a closed track s
    may count on over the seam.
    """
    further = np.concatenate([[True], np.diff(np.maximum.accumulate(s)) > 0.0])
    s, speed = s[further], np.abs(speed[further])
    found: list[RailKink] = []
    costs: list[Array] = []
    whole = int(np.ceil(built.length / STEP))
    along: Array = built.length / whole * (np.arange(whole, dtype=np.float64) + 0.5)
    v = _fastest(along, s, speed, built.length if built.track.closed else None)
    _, left, up = built.frame_at(along)
    for name, arcs in zip(RAILS, built.rail_of_centreline(along), strict=True):
        bend = built.paths[name].sample(arcs)[:, 2, :3]
        both = np.stack([np.sum(bend * left, axis=1), np.sum(bend * up, axis=1)])
        beyond = both - _mean(both, BASE, built.track.closed)
        turn = _mean(beyond, TURNED, built.track.closed) * TURNED
        cost = v**2 * np.abs(beyond) / G
        costs.append(np.hypot(cost[0], cost[1]))
        for k, ways in enumerate((("to the right", "to the left"), ("down", "up"))):
            for at in _peaks(cost[k], least):
                found.append(
                    RailKink(
                        float(along[at]), RAILS[name], ways[int(beyond[k, at] > 0.0)], float(v[at]),
                        float(cost[k, at]), float(abs(turn[k, at])), built.section_at(float(along[at])),
                    )
                )  # fmt: skip
    kinks = tuple(sorted(found, key=lambda one: -one.cost))
    return RailCosts(along, np.array(costs), kinks, least)


def kink_findings(kinks: tuple[RailKink, ...], count: int = 20) -> tuple[Finding, ...]:
    """The costliest of them as findings."""
    return tuple(
        Finding(
            kind="rail_kink", severity="warning" if one.cost >= COSTLY else "note", message=one.said,
            where=Where(s=one.s, section=one.section), value=one.turn, unit="rad",
        )
        for one in kinks[:count]
    )  # fmt: skip


def _fastest(along: Array, s: Array, speed: Array, period: float | None) -> Array:
    """The largest speed at places; 0 where nothing rides."""
    out = np.zeros_like(along)
    first = 0 if period is None else int(np.floor(s.min() / period))
    last = 0 if period is None else int(np.floor(s.max() / period))
    for lap in range(first, last + 1):
        here = along + (0.0 if period is None else lap * period)
        out = np.maximum(out, np.interp(here, s, speed, left=0.0, right=0.0))
    return out


def _mean(values: Array, over: float, closed: bool) -> Array:
    """Mean (..., n) over a way (m) around each place."""
    half = max(1, round(0.5 * over / STEP))
    padded = np.pad(values, ((0, 0), (half, half)), mode="wrap" if closed else "edge")
    total = np.cumsum(np.pad(padded, ((0, 0), (1, 0))), axis=1)
    out: Array = (total[:, 2 * half + 1 :] - total[:, : -2 * half - 1]) / (2 * half + 1)
    return out


def _peaks(cost: Array, least: float) -> list[int]:
    """Numbers of the highest peaks, no two within APART; ends count as peaks."""
    from scipy.signal import find_peaks  # takes its time to be loaded, for whoever looks for kinks

    found, about = find_peaks(np.pad(cost, 1), height=least, distance=round(APART / STEP) + 1)
    highest = np.argsort(-about["peak_heights"], kind="stable")[:MOST]
    numbers: list[int] = (found[highest] - 1).tolist()
    return numbers
