"""Whole-body vibration at the seat after ISO 2631-1: comfort, health, motion sickness."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from ..history import G
from ..limits import ScalarLimit, load_limits
from ..parts import part_note
from ..registry import Criterion, Output, Signals
from ..result import CriterionResult
from ..vibration import (
    VibrationTable,
    WeightingName,
    motion_sickness_dose,
    rms,
    running_rms,
    vibration_dose,
    weighted,
)

AXIS_WEIGHTINGS: tuple[WeightingName, ...] = ("Wd", "Wd", "Wk")
SEATED = "seat or pelvis of a seated rider"
WORKING_DAY = 8.0 * 3600.0
#: Hz; below them a record misses a part of what the weightings let through: Wd and Wk up to 100 Hz, Wf to 0.63 Hz.
RATE = 250.0
SICKNESS_RATE = 10.0


def _output(ident: str, title: str, unit: str, definition: str) -> Output:
    return Output(
        f"iso2631_{ident}", title, unit, group="vibration", definition=definition, applicability=SEATED
    )


AXES = tuple(
    _output(
        f"aw{axis}",
        f"weighted r.m.s. acceleration {axis}, {name}",
        "m/s^2",
        f"r.m.s. of the acceleration along {axis} through {name} over the whole record",
    )
    for axis, name in zip("xyz", AXIS_WEIGHTINGS, strict=True)
)
TOTAL = _output(
    "av",
    "vibration total value",
    "m/s^2",
    "root of the sum of squares of the three weighted values",
)
TRANSIENT = _output(
    "mtvv",
    "transient vibration value",
    "m/s^2",
    "largest 1 s running r.m.s. of the three weighted accelerations together",
)
HEALTH = _output(
    "a8",
    "vibration A(8) of one ride",
    "m/s^2",
    "weighted r.m.s. of the worst axis, times 1.4 along x and y, spread over a working day",
)
DOSE = _output(
    "vdv",
    "vibration dose value",
    "m/s^1.75",
    "fourth root of the integral of the fourth power, worst axis, times 1.4 along x and y",
)
SICKNESS = _output(
    "msdv",
    "motion sickness dose value",
    "m/s^1.5",
    "root of the integral of the square of the vertical acceleration through Wf",
)


def _evaluate(signals: Signals) -> Iterator[CriterionResult]:
    h = signals.history
    table = load_limits("iso2631", VibrationTable)
    whole = (float(h.time[0]), float(h.time[-1]))
    about = part_note("pelvis", h.body)
    columns = [
        weighted(h.time, G * h.acceleration[:, k], table.weightings[name])
        for k, name in enumerate(AXIS_WEIGHTINGS)
    ]
    levels = [rms(h.time, column) for column in columns]
    for output, level, column in zip(AXES, levels, columns, strict=True):
        crest = float(np.abs(column).max()) / level if level > 0.0 else 0.0
        note = f"crest factor {crest:.1f}" + (", above 9: the dose value says more" if crest > 9.0 else "")
        yield output.result(signals, level, whole, note="; ".join(filter(None, (note, about))))
    total = float(np.linalg.norm(levels))
    note = f"{table.reactions(total)} (bands as recalled, not confirmed)"
    yield TOTAL.result(signals, total, whole, note="; ".join(filter(None, (note, about))))
    squares = np.linalg.norm(np.column_stack(columns), axis=1)
    worst = running_rms(h.time, np.asarray(squares))
    yield TRANSIENT.result(signals, worst.level, (worst.start, worst.end), note=about)
    by_health = [f * level for f, level in zip(table.health_factors, levels, strict=True)]
    exposure = max(by_health) * float(np.sqrt(h.duration / WORKING_DAY))
    note = f"{WORKING_DAY / h.duration:.0f} such rides fill the day; {_zone(exposure, table.caution_8h)}"
    limit = _bound(table, "a8", table.caution_8h[1], "m/s^2")
    yield HEALTH.result(signals, exposure, whole, limit, "; ".join(filter(None, (note, about))))
    doses = [f * vibration_dose(h.time, c) for f, c in zip(table.health_factors, columns, strict=True)]
    limit = _bound(table, "vdv", table.caution_dose[1], "m/s^1.75")
    note = f"axis {'xyz'[int(np.argmax(doses))]}; {_zone(max(doses), table.caution_dose)}; all rides of a day count"
    yield DOSE.result(signals, max(doses), whole, limit, "; ".join(filter(None, (note, about))))


def _sickness(signals: Signals) -> Iterator[CriterionResult]:
    h = signals.history
    table = load_limits("iso2631", VibrationTable)
    whole = (float(h.time[0]), float(h.time[-1]))
    sick = motion_sickness_dose(h.time, weighted(h.time, G * h.acceleration[:, 2], table.weightings["Wf"]))
    note = f"about {sick * table.sick_per_dose:.2g} % of adults would vomit (factor as recalled)"
    about = part_note("pelvis", h.body)
    yield SICKNESS.result(signals, sick, whole, note="; ".join(filter(None, (note, about))))


def _zone(value: float, zone: tuple[float, float]) -> str:
    where = "below" if value < zone[0] else "in" if value <= zone[1] else "above"
    return f"{where} the caution zone of {zone[0]:g} to {zone[1]:g}"


def _bound(table: VibrationTable, ident: str, value: float, unit: str) -> ScalarLimit:
    return ScalarLimit(
        id=ident,
        value=value,
        unit=unit,
        source=f"upper bound of the health guidance caution zone; {table.bounds_source}",
        confidence=table.bounds_confidence,
        unconfirmed=table.bounds_unconfirmed,
    )


CRITERIA = (
    Criterion((*AXES, TOTAL, TRANSIENT, HEALTH, DOSE), _evaluate, rate=RATE),
    Criterion((SICKNESS,), _sickness, rate=SICKNESS_RATE),
)
