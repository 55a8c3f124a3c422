"""Head criteria that join translation and rotation or take rotation alone: HIP, GAMBIT, RIC."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numba import njit
from numpy.typing import ArrayLike

from ...base.arrays import Array
from ...base.errors import InputError
from ..grid import as_signal, as_time, uniform_rate
from ..history import G
from ..limits import LimitTable, Positive, ScalarLimits, load_limits
from ..parts import part_note
from ..result import CriterionResult
from .base import Criterion, CriterionTrace, Signals, head_rotation, notes
from .hic import HicResult, hic

#: Events that HIP is taken over start this far apart (s).
EVENT_STARTS = 0.005
#: The level a blow stands out from is the median over this many lengths of an event around it, so that the blow
#: itself never counts as rest; it is looked for twice in an event.
REST_EVENTS = 5
MEDIANS = 64  # of them found at once


class HeadPowerTable(LimitTable):
    """resources/limits/head_power.json: mass kg and moments of inertia kg m^2 of the head for HIP, the length s of the
    event it is taken over; acceleration (g) and rotation acceleration (rad/s^2) that give GAMBIT = 1; window s
    of RIC."""

    mass: Positive
    inertia: tuple[Positive, Positive, Positive]
    event: Positive
    gambit_acceleration: Positive
    gambit_rotation: Positive
    ric_window: Positive


@dataclass(frozen=True)
class HipResult:
    """Head impact power: value W, start and end s of the event up to the moment of the largest power."""

    value: float
    t1: float
    t2: float


def head_impact_power(
    time: ArrayLike, acceleration: ArrayLike, rotation_acceleration: ArrayLike, table: HeadPowerTable
) -> HipResult:
    """Largest head impact power of any event of a given length.

    HIP(t) = sum over x, y, z of m a_i int a_i dt + I_i alpha_i int alpha_i dt, integrals from the start of the event.

    time (n,) s, uniform; acceleration (n, 3) g; rotation_acceleration (n, 3) rad/s^2, both in rider axes. The
    criterion is made for one blow with instruments set to zero before it. On a ride an event of at most
    `table.event` may start every 5 ms (or at every sample, when they lie wider); what the head feels without a
    blow, gravity included, is the median over the five lengths of an event around its start and is taken off.
    A record shorter than that is one blow: its first sample is the zero. Rotation has no such level.
    Raises InputError for wrong shapes or an uneven grid. Source: Newman, Shewchenko & Welbourne 2000; the events are of
    this program.
    """
    t = as_time(time)
    a = G * as_signal(t, acceleration, "acceleration")
    alpha = as_signal(t, rotation_acceleration, "rotation acceleration")
    if a.shape != (t.size, 3) or alpha.shape != (t.size, 3):
        raise InputError(
            f"HIP needs accelerations and rotation accelerations in three columns, found {a.shape} and {alpha.shape}."
        )
    step = 1.0 / uniform_rate(t)
    weights = np.array([table.mass] * 3 + list(table.inertia))
    six = np.ascontiguousarray(np.hstack([a, alpha]))
    sums = np.zeros_like(six)
    np.cumsum(0.5 * step * (six[1:] + six[:-1]), axis=0, out=sums[1:])
    stride = max(1, round(EVENT_STARTS / step))
    length = max(1, round(table.event / step))
    zeros = np.zeros_like(six)
    zeros[:, :3] = _level(a, length)
    lines, so_far, level = (np.ascontiguousarray(x.T) for x in (six, sums, zeros))
    best = _largest_power(lines, so_far, level, weights, step, length, stride)
    return HipResult(float(best[0]), float(t[int(best[1])]), float(t[int(best[2])]))


def _level(a: Array, length: int) -> Array:
    """What (n, 3) is felt around every sample without a blow; length of an event in samples."""
    width = REST_EVENTS * length
    if len(a) <= width:
        return np.broadcast_to(a[0], a.shape)
    every = max(1, length // 2)
    at = np.arange(0, len(a) + every, every)
    first = np.clip(at - width // 2, 0, len(a) - width)
    # some at a time: all of a long record would take a hundred times its memory
    medians = np.concatenate(
        [
            np.median(np.stack([a[k : k + width] for k in first[begin : begin + MEDIANS]]), axis=1)
            for begin in range(0, len(first), MEDIANS)
        ]
    )
    return np.column_stack([np.interp(np.arange(len(a)), at, column) for column in medians.T])


@njit(cache=True, nogil=True)
def _largest_power(x, sums, zeros, weights, step, length, stride):  # type: ignore[no-untyped-def]
    m, n = x.shape  # one line a component, so that an event is worked through in whole registers
    best, power, lasted = np.zeros(3), np.empty(length), np.arange(1, length + 1) * step
    for start in range(0, n - 1, stride):
        first, count = start + 1, min(length, n - 1 - start)
        for i in range(count):
            power[i] = 0.0
        for c in range(m):
            zero, before, weight = zeros[c, start], sums[c, start], weights[c]
            now, so_far = x[c, first : first + count], sums[c, first : first + count]
            for i in range(count):
                power[i] += weight * (now[i] - zero) * (so_far[i] - before - zero * lasted[i])
        for i in range(count):
            if power[i] > best[0]:
                best[0], best[1], best[2] = power[i], start, first + i
    return best


def gambit(
    time: ArrayLike, resultant: ArrayLike, rotation_acceleration: ArrayLike, table: HeadPowerTable
) -> tuple[float, float]:
    """Generalised acceleration model for brain injury tolerance: the worst sum of both parts.

    GAMBIT = max over t of a(t) / a_c + alpha(t) / alpha_c.

    time (n,) s; resultant (n,) g of the head; rotation_acceleration (n, 3) rad/s^2. Returns value (1) and its time s.
    Raises InputError for wrong shapes. Source: Newman 1986, simplified form as used by later programs.
    """
    t = as_time(time)
    a = as_signal(t, resultant, "resultant acceleration")
    alpha = np.linalg.norm(as_signal(t, rotation_acceleration, "rotation acceleration"), axis=-1)
    if a.shape != alpha.shape:
        raise InputError("GAMBIT needs the resultant in one column and three of rotation acceleration.")
    both = a / table.gambit_acceleration + alpha / table.gambit_rotation
    k = int(np.argmax(both))
    return float(both[k]), float(t[k])


def rotational_injury_criterion(
    time: ArrayLike, rotation_acceleration: ArrayLike, table: HeadPowerTable
) -> HicResult:
    """Rotational injury criterion: the functional of HIC with rotation acceleration in place of acceleration.

    time (n,) s, uniform; rotation_acceleration (n, 3) rad/s^2 of the head. Returns value (rad^2.5/s^4)
    and window.
    Raises InputError as `hic`. Source: Kimpara & Iwamoto 2012.
    """
    t = as_time(time)
    alpha = as_signal(t, rotation_acceleration, "rotation acceleration")
    return hic(t, np.linalg.norm(alpha, axis=-1), table.ric_window)


HIP = head_rotation(
    "hip",
    "head impact power",
    "W",
    "largest power of head acceleration and rotation within events of 0.2 s, above what the head feels without a blow",
)
GAMBIT = head_rotation(
    "gambit", "GAMBIT", "1", "worst sum of acceleration / 250 g and rotation acceleration / 10 000 rad/s^2"
)
RIC = head_rotation(
    "ric",
    "rotational injury criterion",
    "rad^2.5/s^4",
    "the functional of HIC of the rotation acceleration over windows up to 36 ms",
)


def _evaluate(signals: Signals) -> Iterator[CriterionResult]:
    time, turning = signals.history.time, signals.rotation_acceleration
    table = load_limits("head_power", HeadPowerTable)
    limits = load_limits("head_rotation_limits", ScalarLimits)
    note = notes(signals.rotation_note, part_note("head", signals.history.body))
    hip = head_impact_power(time, signals.acceleration("CFC60"), turning, table)
    value, at = gambit(time, signals.resultant("CFC60"), turning, table)
    ric = rotational_injury_criterion(time, turning, table)
    for output, found, window in (
        (HIP, hip.value, (hip.t1, hip.t2)),
        (GAMBIT, value, (at, at)),
        (RIC, ric.value, (ric.t1, ric.t2)),
    ):
        limit = limits.get(output.criterion)
        over = (window,) if found > limit.value else ()
        yield output.result(signals, found, window, limit, note, exceeded=over, rule=table.title)


def _trace(signals: Signals, result: CriterionResult) -> CriterionTrace:
    turning = np.asarray(np.linalg.norm(signals.rotation_acceleration, axis=1))
    return signals.trace(turning, "rad/s^2", "rotation acceleration, CFC60")


CRITERIA = (
    Criterion((HIP, GAMBIT, RIC), _evaluate, needs=("rotation rates",), parts=("head",), trace=_trace),
)
