"""Rotation of the head through CFC60: peaks, BrIC, DAMAGE, HIP, GAMBIT, RIC."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from ...base.arrays import Array
from ..brain_rotation import BricTable, DamageTable, bric, damage
from ..head_power import (
    HeadPowerTable,
    gambit,
    head_impact_power,
    rotational_injury_criterion,
)
from ..intervals import above
from ..limits import ScalarLimit, ScalarLimits, load_limits
from ..parts import part_note
from ..registry import Criterion, Output, Signals
from ..result import CriterionResult

HEAD = "head; made for blows and for one of them at a time"
BRIC_RISKS = ("AIS2+", "AIS3+")


def _output(ident: str, title: str, unit: str, definition: str, applicability: str = HEAD) -> Output:
    return Output(
        ident, title, unit, "CFC60", group="rotation", definition=definition, applicability=applicability
    )


RATE = _output(
    "peak_rotation_rate_cfc60",
    "peak rotation rate, CFC60",
    "rad/s",
    "largest length of the rotation rate",
    "any part",
)
ACCELERATION = _output(
    "peak_rotation_acceleration_cfc60",
    "peak rotation acceleration, CFC60",
    "rad/s^2",
    "largest length of the rotation acceleration",
    "any part",
)
BRIC = _output(
    "bric", "BrIC", "1", "largest rotation rates about x, y, z against critical rates, root of squares"
)
BRIC_RISK = tuple(
    _output(
        f"bric_{severity[:-1].lower()}_risk",
        f"probability of an injury {severity} from BrIC",
        "%",
        "probability of a brain injury of at least this severity",
    )
    for severity in BRIC_RISKS
)
DAMAGE = _output(
    "damage", "DAMAGE", "1", "largest deflection of a brain model of three coupled masses, scaled to strain"
)
HIP = _output(
    "hip",
    "head impact power",
    "W",
    "largest power of head acceleration and rotation within events of 0.2 s, above what the head feels without a blow",
)
GAMBIT = _output(
    "gambit", "GAMBIT", "1", "worst sum of acceleration / 250 g and rotation acceleration / 10 000 rad/s^2"
)
RIC = _output(
    "ric",
    "rotational injury criterion",
    "rad^2.5/s^4",
    "the functional of HIC of the rotation acceleration over windows up to 36 ms",
)


@dataclass(frozen=True)
class _Turning:
    """Rotation rate and rotation acceleration (n, 3) through CFC60, how the latter was got, and whose it is."""

    rate: Array
    acceleration: Array
    how: str
    whose: str


def _turning(signals: Signals) -> _Turning:
    h = signals.history
    assert h.rotation_rate is not None
    rate = h.filtered(h.rotation_rate, "CFC60")
    whose = part_note("head", h.body)
    if h.rotation_acceleration is not None:
        return _Turning(rate, h.filtered(h.rotation_acceleration, "CFC60"), "", whose)
    slope = np.asarray(np.gradient(rate, h.time, axis=0), dtype=np.float64)
    return _Turning(rate, slope, "rotation acceleration is the slope of the filtered rotation rate", whose)


def _note(*sentences: str) -> str:
    return "; ".join(filter(None, sentences))


def _evaluate(signals: Signals) -> Iterator[CriterionResult]:
    turning = _turning(signals)
    yield from _peaks(signals, turning)
    yield from _bric(signals, turning)
    yield _damage(signals, turning)
    yield from _power(signals, turning)


def _peaks(signals: Signals, turning: _Turning) -> Iterator[CriterionResult]:
    time = signals.history.time
    for output, values, note in ((RATE, turning.rate, ""), (ACCELERATION, turning.acceleration, turning.how)):
        length = np.linalg.norm(values, axis=1)
        k = int(np.argmax(length))
        yield output.result(signals, float(length[k]), (float(time[k]), float(time[k])), note=note)


def _bric(signals: Signals, turning: _Turning) -> Iterator[CriterionResult]:
    table = load_limits("bric", BricTable)
    found = bric(signals.history.time, turning.rate, table.critical["average"])
    span = (min(found.times), max(found.times))
    rates = ", ".join(f"{axis} {w:.3g}" for axis, w in zip("xyz", found.rates, strict=True))
    note = f"largest rates {rates} rad/s, not at one instant; turning with the ride counts too"
    yield BRIC.result(signals, found.value, span, note=_note(note, turning.whose), rule=table.title)
    for severity, output in zip(BRIC_RISKS, BRIC_RISK, strict=True):
        percent = 100.0 * table.probability(found.value, severity)
        note = f"from BrIC {found.value:.3g}; confidence {table.confidence}"
        yield output.result(signals, percent, span, note=_note(note, turning.whose))


def _limit(name: str) -> ScalarLimit:
    return load_limits("head_rotation_limits", ScalarLimits).get(name)


def _damage(signals: Signals, turning: _Turning) -> CriterionResult:
    time = signals.history.time
    value, at, strain = damage(time, turning.acceleration, load_limits("damage", DamageTable))
    limit = _limit("damage")
    note = _note(turning.how, turning.whose, limit.note)
    return DAMAGE.result(signals, value, (at, at), limit, note, exceeded=above(time, strain, limit.value))


def _power(signals: Signals, turning: _Turning) -> Iterator[CriterionResult]:
    time = signals.history.time
    table = load_limits("head_power", HeadPowerTable)
    note = _note(turning.how, turning.whose)
    hip = head_impact_power(time, signals.acceleration("CFC60"), turning.acceleration, table)
    value, at = gambit(time, signals.resultant("CFC60"), turning.acceleration, table)
    ric = rotational_injury_criterion(time, turning.acceleration, table)
    for output, found, window in (
        (HIP, hip.value, (hip.t1, hip.t2)),
        (GAMBIT, value, (at, at)),
        (RIC, ric.value, (ric.t1, ric.t2)),
    ):
        limit = _limit(output.criterion)
        over = (window,) if found > limit.value else ()
        yield output.result(signals, found, window, limit, note, exceeded=over, rule=table.title)


OUTPUTS = (RATE, ACCELERATION, BRIC, *BRIC_RISK, DAMAGE, HIP, GAMBIT, RIC)
CRITERIA = (Criterion(OUTPUTS, _evaluate, needs=("rotation rates",)),)
