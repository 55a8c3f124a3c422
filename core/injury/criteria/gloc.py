"""Loss of consciousness under +Gz (fit in the manner of Stoll; Whinnery & Forster 2013) and red-out under -Gz."""

from __future__ import annotations

from collections.abc import Iterator

from ...base.errors import InputError
from ..clip import exceedance
from ..gloc import GlocTable, exposures, stoll_curve
from ..held_limit import worst_held
from ..intervals import above
from ..limits import ScalarLimit, load_limits
from ..registry import Criterion, Output, Signals
from ..result import CriterionResult

TABLE = "gloc"
RATE = 10.0  # Hz: loads of a second and more
RELAXED = "relaxed people without anti-g suit or straining; signal as recorded, gravity in"
STOLL = Output(
    "gloc_stoll",
    "loss of consciousness by level, +Gz",
    "g",
    group="physiology",
    definition="level of +Gz held without a break against the level at which consciousness is lost after that time",
    applicability=RELAXED,
    rule="t = a / (G - 4.7)^b, fit in the manner of Stoll",
)
ONSET = Output(
    "gloc_onset",
    "loss of consciousness by onset, +Gz",
    "s",
    group="physiology",
    definition="time from the beginning of a load that goes above 4.7 g to its end, against the time to the loss of "
    "consciousness for its rate of onset",
    applicability=RELAXED,
    rule="Whinnery & Forster 2013: 9.1 s from 1 g/s, 74.4 s up to 0.2 g/s, none below 4.7 g",
)
RED_OUT = Output(
    "red_out_-Gz",
    "red-out, -Gz",
    "g",
    group="physiology",
    definition="level of -Gz held without a break for 1 s",
    applicability="observation at which red-out is reported, not a limit of injury; signal as recorded, gravity in",
    rule="Viegas 2016, table 4.8: red-out from 2 g",
)


def _limit(table: GlocTable, value: float, unit: str, source: str, unconfirmed: str) -> ScalarLimit:
    return ScalarLimit(
        id=TABLE, value=value, unit=unit, source=source, confidence=table.confidence, unconfirmed=unconfirmed
    )


def _stoll(signals: Signals) -> Iterator[CriterionResult]:
    table = load_limits(TABLE, GlocTable)
    if signals.history.duration < table.stoll.earliest:
        raise InputError(
            f"the record lasts {signals.history.duration:.4g} s; consciousness is not lost before "
            f"{table.stoll.earliest:g} s."
        )
    held = worst_held(signals.history.time, signals.directional("+Gz"), *stoll_curve(table))
    note = f"held for {held.duration:.3g} s, the duration with the least margin"
    limit = _limit(table, held.limit, "g", table.stoll.source, table.unconfirmed)
    yield STOLL.result(signals, held.level, (held.start, held.end), limit, note, exceeded=held.exceeded)


def _onset(signals: Signals) -> Iterator[CriterionResult]:
    table = load_limits(TABLE, GlocTable)
    time = signals.history.time
    found = exposures(table, time, signals.directional("+Gz"))
    if not found:
        limit = _limit(table, table.onset.rapid_time, "s", table.onset.source, table.unconfirmed)
        note = f"never above {table.threshold:g} g"
        yield ONSET.result(signals, 0.0, (float(time[0]), float(time[-1])), limit, note)
        return
    worst = max(found, key=lambda exposure: exposure.duration / exposure.allowed)
    note = f"onset {worst.rate:.3g} g/s, {len(found)} loads above {table.threshold:g} g"
    out = [exposure.beyond for exposure in found if exposure.beyond is not None]
    if out:
        out_for = table.recovery
        note += (
            f"; unconscious for about {out_for.absolute:g} s, unfit to act for {out_for.relative:g} s more"
        )
    limit = _limit(table, worst.allowed, "s", table.onset.source, table.unconfirmed)
    yield ONSET.result(signals, worst.duration, (worst.start, worst.end), limit, note, exceeded=out)


def _red_out(signals: Signals) -> Iterator[CriterionResult]:
    table = load_limits(TABLE, GlocTable)
    time, load = signals.history.time, signals.directional("-Gz")
    held = exceedance(time, load, table.red_out.hold)
    out = [
        (start, end)
        for start, end in above(time, load, table.red_out.level)
        if end - start >= table.red_out.hold
    ]
    limit = _limit(table, table.red_out.level, "g", table.red_out.source, "")
    note = f"held for {table.red_out.hold:g} s, a choice of this program"
    yield RED_OUT.result(signals, held.level, held.intervals[0], limit, note, exceeded=out)


CRITERIA = (
    Criterion((STOLL,), _stoll, needs=("gravity",), rate=RATE),
    Criterion((ONSET,), _onset, needs=("gravity",), rate=RATE),
    Criterion((RED_OUT,), _red_out, needs=("gravity",), rate=RATE),
)
