"""Force over travel of draft gears, end-of-car devices, sprung bars and knuckles: description and law.

Tables, preload, slack and end stops become one curve of straight pieces, two branches become its mean and half their
difference, a dashpot becomes a curve over speed; the kernel knows only these three curves.
Sources: tables and branches as Cole & Sun 2006; slack, preload, stops and how they are smoothed are this program's.
"""
# mypy: disable-error-code="no-untyped-def"

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from pydantic import field_validator, model_validator

from ...base.arrays import Array
from ...base.fields import NonNegative, Positive, described
from ...base.frozen import Frozen
from ...base.sentence import say
from ...jit.decorators import inner, shared
from ..laws import OF_COORDINATE, OF_RATE, Law, on_curve, pieces
from .spring import Points, rising

TRAVEL = (("Travel", "m"), ("Force", "N"))
SKIN = 1e-4  # m, over which a preload builds up, and a dashpot behind a slack
BEYOND = 0.01  # m, where the slope of an end stop is read
STRAIGHT = 1e-6  # of the largest slope: slopes on both sides of a row that differ by less make no corner


class Gear(Frozen):
    """Force over travel x and its rate, both positive in tension (buff, or compression, is negative).

    stiffness N/m, or `curve`: loading force (N) over travel (m), straight between its rows; rows from 0 upwards hold
    for both directions. unloading: force at the same travels while the travel goes back towards zero; the change goes
    with tanh(rate / transition_rate), so that a wedge that stands still creeps below transition_rate (m/s). preload N:
    force at which it begins to give, either way, reached within 0.1 mm. slack m: free play either way, without force
    and damping. stop_out and stop_in m: travel at which end stops of stop_stiffness N/m add their force. damping
    N s/m, or `dashpot`: force (N) over speed (m/s), rows from 0 upwards for both directions.
    """

    stiffness: NonNegative = described(3e7, "Stiffness", "Force for each metre of travel.", unit="N/m")
    damping: NonNegative = described(
        2.5e5,
        "Damping",
        "Force for each metre a second; none within the slack, all of it 0.1 mm behind.",
        unit="N s/m",
    )
    curve: Points = described(
        (), "Loading curve", "Replaces the stiffness: force over travel, both positive in tension, straight between the"
        " rows; steps end at its corners. Rows from 0 upwards hold for both directions.", entry="rows", columns=TRAVEL,
    )  # fmt: skip
    unloading: Points = described(
        (), "Unloading curve", "Force on the way back, at the same travels; empty for the loading curve.",
        entry="rows", columns=TRAVEL,
    )  # fmt: skip
    transition_rate: Positive = described(
        0.01,
        "Transition rate",
        "Rate at which three quarters of the change between the curves are made.",
        unit="m/s",
    )
    preload: NonNegative = described(
        0.0, "Preload", "Force at which it begins to give, in tension and in compression.", unit="N"
    )
    slack: NonNegative = described(
        0.0, "Slack", "Free play to either side, without force. Behind it the dashpot comes in over 0.1 mm, so that its"
        " force does not jump where the play ends.", unit="m",
    )  # fmt: skip
    stop_out: Positive | None = described(
        None, "End stop, pulled out", "Travel at which it goes solid in tension.", unit="m", empty="none"
    )
    stop_in: Positive | None = described(
        None, "End stop, pushed in", "Travel at which it goes solid in compression.", unit="m", empty="none"
    )
    stop_stiffness: NonNegative = described(5e8, "Stop stiffness", "Of the end stops.", unit="N/m")
    dashpot: Points = described(
        (), "Dashpot curve", "Replaces the damping: force over speed, straight between the rows; rows from 0 upwards"
        " hold for both directions. None within the slack, all of it 0.1 mm behind.",
        entry="rows", columns=(("Speed", "m/s"), ("Force", "N")),
    )  # fmt: skip

    _rising = field_validator("curve", "unloading", "dashpot")(rising)

    @model_validator(mode="after")
    def _possible(self) -> Gear:
        if self.unloading and [x for x, _ in self.unloading] != [x for x, _ in self.curve]:
            raise ValueError(
                "loading and unloading curve need the same travels, so that they can be compared"
            )
        for (x, up), (_, back) in zip(self.curve, self.unloading, strict=False):
            if abs(back) > abs(up) or back * up < 0.0:
                raise ValueError(
                    say(
                        "at {x:g m} the unloading force ({back:g N}) is above the loading force ({up:g"
                        " N}): it would give energy away; exchange them",
                        x=x,
                        back=back,
                        up=up,
                    )
                )
        if any(v * f < 0.0 for v, f in self.dashpot):
            raise ValueError("the dashpot curve gives energy away: force and speed need the same sign")
        for what, limit in (("stop_out", self.stop_out), ("stop_in", self.stop_in)):
            if limit is not None and limit <= self.slack:
                raise ValueError(
                    say(
                        "{what} ({limit:g m}) must lie beyond the slack ({slack:g m})",
                        what=what,
                        limit=limit,
                        slack=self.slack,
                    )
                )
        return self

    @property
    def linear(self) -> bool:
        """Whether it is a plain spring with a plain dashpot."""
        shaped = self.curve or self.dashpot or self.preload or self.slack
        return not (shaped or self.stop_in is not None or self.stop_out is not None)

    @property
    def yields(self) -> bool:
        """Whether any travel is met by a force."""
        return bool(
            (self.stiffness if not self.curve else any(f for _, f in self.curve))
            or self.preload
            or (self.stop_stiffness and (self.stop_in is not None or self.stop_out is not None))
        )


def _both_ways(rows: Points) -> list[tuple[float, float]]:
    """Rows for both directions from rows that begin at or above zero."""
    if rows[0][0] < 0.0:
        return list(rows)
    upwards = [row for row in rows if row[0] > 0.0]
    return [*((-x, -f) for x, f in reversed(upwards)), (0.0, 0.0), *upwards]


def _read(rows: Sequence[tuple[float, float]], x: Array) -> Array:
    """The straight curve through rows at x, going on with its end slopes."""
    p = np.array(pieces(tuple(rows), smooth=False))
    return np.array([on_curve(p, 0, len(p), float(at))[0] for at in x])


def force_curves(gear: Gear) -> tuple[list[tuple[float, float]], list[tuple[float, float]]]:
    """Mean of loading and unloading force (N) over travel (m), and half their difference (none without branches)."""
    k = gear.stiffness
    # rows near zero: what is read counts from the row before, and so does its rounding
    up = _both_ways(gear.curve) if gear.curve else [(-SKIN, -k * SKIN), (0.0, 0.0), (SKIN, k * SKIN)]
    down = _both_ways(gear.unloading) if gear.unloading else up
    split = gear.slack > 0.0 or gear.preload > 0.0
    near = (-2.0, -1.0, 0.0, 1.0, 2.0) if gear.preload else (0.0,) if split else ()
    e = np.array(sorted({x for x, _ in up} | {SKIN * share for share in near}))
    first, second = _read(up, e), _read(down, e)
    x = e
    if split:  # the two directions move apart by the slack and up by the preload
        low, high = e <= 0.0, e >= 0.0
        first, second = (np.where(e == 0.0, 0.0, f + np.sign(e) * gear.preload) for f in (first, second))
        again = slice(None) if gear.slack > 0.0 else slice(1, None)
        x = np.concatenate([e[low] - gear.slack, (e[high] + gear.slack)[again]])
        first, second = (np.concatenate([f[low], f[high][again]]) for f in (first, second))
    mean, half = 0.5 * (first + second), 0.5 * np.abs(first - second)
    made = list(zip(x.tolist(), mean.tolist(), strict=True))
    stops = [(s, at) for s, at in ((1.0, gear.stop_out), (-1.0, gear.stop_in)) if at is not None]
    if stops:
        positions = sorted({*x.tolist(), *(s * (at + d) for s, at in stops for d in (0.0, BEYOND))})
        values = _read(made, np.array(positions))
        for k, position in enumerate(positions):
            values[k] += sum(s * gear.stop_stiffness * max(0.0, s * position - at) for s, at in stops)
        made = list(zip(positions, values.tolist(), strict=True))
    return made, list(zip(x.tolist(), half.tolist(), strict=True)) if gear.unloading else []


def gear_borders(gear: Gear) -> list[tuple[float, int]]:
    """Where steps should end, each with what it is a value of (see core.model.laws): travels (m) at which a force turns
    or a dashpot begins to act, and rates (m/s) below which wedges creep, that is stick."""
    positions: set[float] = set()
    for rows in force_curves(gear):
        if len(rows) > 2:
            x, f = np.array(rows).T
            slopes = np.diff(f) / np.diff(x)
            positions.update(x[1:-1][np.abs(np.diff(slopes)) > STRAIGHT * np.abs(slopes).max()].tolist())
    if gear.slack > 0.0 and (gear.damping or gear.dashpot):
        positions.update((-gear.slack - SKIN, gear.slack + SKIN))
    stick = (-gear.transition_rate, gear.transition_rate) if gear.unloading else ()
    return [*((x, OF_COORDINATE) for x in sorted(positions)), *((v, OF_RATE) for v in stick)]


# header of a gear in the parameters of a law: transition rate, slack, first and end place of each curve
RATE, SLACK, MEAN, MEAN_END, HALF, HALF_END, DASH, DASH_END = range(8)
HEADER = 8


def gear_numbers(gear: Gear, index: int) -> tuple[list[float], list[float]]:
    """Header (8,) of a gear and its curves, which are to stand from `index` on in the parameters."""
    mean, half = force_curves(gear)
    c = gear.damping
    dash = _both_ways(gear.dashpot) if gear.dashpot else [(0.0, 0.0), (1.0, c)]
    return spans(gear.transition_rate, gear.slack, (mean, half, dash), index)


def spans(
    rate: float, slack: float, curves: Sequence[Sequence[tuple[float, float]]], index: int
) -> tuple[list[float], list[float]]:
    """Header and pieces of curves through rows; see `gear_numbers`."""
    header, made = [rate, slack], list[float]()
    for rows in curves:
        first = index + len(made)
        made += pieces(tuple(rows), smooth=False) if rows else ()
        header += [first, index + len(made)]
    return header, made


@shared
def gear_force(p, at, x, v):
    """Elastic force and that of dashpot and wedges (N), slopes with x and v, stored energy (J) of the gear whose header
    begins at p[at]."""
    force, k, stored = on_curve(p, int(p[at + MEAN]), int(p[at + MEAN_END]), x)
    lost = c = 0.0
    if p[at + DASH_END] > p[at + DASH]:
        lost, c, _ = on_curve(p, int(p[at + DASH]), int(p[at + DASH_END]), v)
    if p[at + SLACK] > 0.0:
        share = min(1.0, max(0.0, (abs(x) - p[at + SLACK]) / SKIN))
        if 0.0 < share < 1.0:
            k += math.copysign(lost / SKIN, x * lost)
        lost, c = share * lost, share * c
    if p[at + HALF_END] > p[at + HALF]:
        half, width, _ = on_curve(p, int(p[at + HALF]), int(p[at + HALF_END]), x)
        if half > 0.0:
            share = math.tanh(v / p[at + RATE])
            lost += half * share
            k += width * share
            c += half / p[at + RATE] * (1.0 - share * share)
    return force, lost, k, c, stored


@inner
def _gear(p, x, v, m, s):
    force, lost, k, c, stored = gear_force(p, 0, x, v)
    return force + lost, k, c, stored, lost * v


@inner
def _border(p, m, k):
    at = int(p[DASH_END]) + 2 * k
    return p[at], int(p[at + 1])


GEAR = Law("gear", _gear, level=_border)  # header, curves, borders
