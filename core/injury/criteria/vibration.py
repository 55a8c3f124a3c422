"""Whole-body vibration at the seat after ISO 2631-1: comfort, health, motion sickness."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray
from pydantic import model_validator

from ...base.arrays import Array
from ...base.errors import InputError
from ...base.frozen import Frozen
from ..grid import as_signal, as_time, uniform_rate
from ..history import G
from ..limit_files import once
from ..limits import LimitTable, Positive, ScalarLimit, load_limits
from ..parts import part_note
from ..result import CriterionResult
from .base import Criterion, CriterionTrace, Output, Signals

WeightingName = Literal["Wk", "Wd", "Wf", "Wc", "We"]
#: Periods of a weighting's lower band limit over which the end of the record is led back, and which then pass before
#: the start comes round again: what still rings there is 1e-6 of it.
LEAD_BACK = 3.2


class Weighting(Frozen):
    """Corner frequencies (Hz) and resonance factors of a frequency weighting; f3 None leaves the lead term out, f5, f6
    None the upward step."""

    f1: Positive
    f2: Positive
    f3: Positive | None = None
    f4: Positive
    Q4: Positive
    f5: Positive | None = None
    Q5: Positive | None = None
    f6: Positive | None = None
    Q6: Positive | None = None

    def response(self, frequency: ArrayLike) -> NDArray[np.complex128]:
        """Complex gain at frequencies in Hz (0 at 0 Hz).

        Band limits of two poles at f1 and f2, transition from acceleration to velocity at f3 and f4, upward step
        from f5 to f6. Source: ISO 2631-1:1997, annex A, as transcribed in two independent tables.
        """
        s = 2j * np.pi * np.asarray(frequency, dtype=np.float64)
        w1, w2, w4 = (2.0 * np.pi * f for f in (self.f1, self.f2, self.f4))
        high = s**2 / (s**2 + np.sqrt(2.0) * w1 * s + w1**2)
        low = 1.0 / (1.0 + np.sqrt(2.0) * s / w2 + (s / w2) ** 2)
        lead = 1.0 if self.f3 is None else 1.0 + s / (2.0 * np.pi * self.f3)
        gain = high * low * lead / (1.0 + s / (self.Q4 * w4) + (s / w4) ** 2)
        if self.f5 is None or self.f6 is None or self.Q5 is None or self.Q6 is None:
            return np.asarray(gain)
        w5, w6 = 2.0 * np.pi * self.f5, 2.0 * np.pi * self.f6
        step = (1.0 + s / (self.Q5 * w5) + (s / w5) ** 2) / (1.0 + s / (self.Q6 * w6) + (s / w6) ** 2)
        return np.asarray(gain * step * (w5 / w6) ** 2)


class ComfortBand(Frozen):
    """What people say of a vibration total value in m/s^2; bands overlap."""

    from_ms2: float
    to_ms2: float | None
    reaction: str


class VibrationTable(LimitTable):
    """resources/limits/iso2631.json: weightings, comfort bands, factors for health, bounds of the caution zone for 8
    hours (m/s^2) and for the dose value (m/s^1.75), and the part of people sick per motion sickness dose."""

    weightings: dict[WeightingName, Weighting]
    comfort: tuple[ComfortBand, ...]
    health_factors: tuple[Positive, Positive, Positive]
    caution_8h: tuple[Positive, Positive]
    caution_dose: tuple[Positive, Positive]
    sick_per_dose: Positive
    bounds_confidence: Literal["high", "medium", "low"]
    bounds_source: str
    bounds_unconfirmed: str = ""

    @model_validator(mode="after")
    def _has_the_weightings_used(self) -> Self:
        missing = [name for name in ("Wk", "Wd", "Wf") if name not in self.weightings]
        if missing:
            raise ValueError(f"weightings: {missing[0]} is missing")
        return self

    def reactions(self, total: float) -> str:
        """The reactions whose bands hold a vibration total value in m/s^2, mildest first; says so when none does."""
        held = [b.reaction for b in self.comfort if b.from_ms2 <= total <= (b.to_ms2 or np.inf)]
        if not held:
            return "in none of the comfort bands"
        return " to ".join(dict.fromkeys((held[0], held[-1])))


@once
def _response(weighting: Weighting, count: int, step: float) -> NDArray[np.complex128]:
    """Of so many frequencies, a step (Hz) apart: the same for all riders of a run."""
    return weighting.response(np.arange(count) * step)


@lru_cache(maxsize=8)  # one for all riders of a run
def _way_back(count: int) -> Array:
    """From 1 to 0 in so many samples, without a corner."""
    return 0.5 * (1.0 + np.cos(np.pi * (np.arange(count) + 1.0) / count))


def weighted(time: ArrayLike, signal: ArrayLike, weighting: Weighting) -> Array:
    """A record through a frequency weighting.

    time (n,) s, uniform; signal (n,), any unit. Returns (n,) in the same unit, started at rest under the first value.
    Raises InputError for an uneven grid or more than one column. Source: ISO 2631-1:1997, annex A.
    """
    t = as_time(time)
    x = as_signal(t, signal)
    if x.ndim != 1:
        raise InputError(f"A frequency weighting takes one column, found shape {x.shape}.")
    rate = uniform_rate(t)
    from scipy.fft import irfft, next_fast_len, rfft  # takes a while to import

    lead = int(np.ceil(LEAD_BACK / weighting.f1 * rate))
    size = next_fast_len(x.size + 2 * lead, real=True)
    padded = np.zeros(size)
    padded[: x.size] = x - x[0]
    padded[x.size : x.size + lead] = (x[-1] - x[0]) * _way_back(lead)
    spectrum = rfft(padded)
    spectrum *= _response(weighting, spectrum.size, rate / size)
    return np.asarray(irfft(spectrum, size)[: x.size], dtype=np.float64)


def rms(time: ArrayLike, values: Array) -> float:
    """Root of the mean square over the record, unit of the values: sqrt(1/T int a^2 dt) by the trapezoid."""
    t = np.asarray(time, dtype=np.float64)
    return float(np.sqrt(np.trapezoid(values**2, t) / (t[-1] - t[0])))


def vibration_dose(time: ArrayLike, values: Array) -> float:
    """Vibration dose value (int a^4 dt)^(1/4), in m/s^1.75 for values in m/s^2. Source: ISO 2631-1, 6.3.2."""
    fourth = np.square(np.square(values))  # a hundred times as fast as a power
    return float(np.trapezoid(fourth, np.asarray(time, dtype=np.float64)) ** 0.25)


def motion_sickness_dose(time: ArrayLike, values: Array) -> float:
    """Motion sickness dose value (int a^2 dt)^(1/2) in m/s^1.5, values in m/s^2 through Wf. Source: ISO 2631-1, 9."""
    return float(np.sqrt(np.trapezoid(values**2, np.asarray(time, dtype=np.float64))))


@dataclass(frozen=True)
class RunningRms:
    """Largest running r.m.s. value: level, and start and end (s) of the window."""

    level: float
    start: float
    end: float


def running_rms(time: ArrayLike, values: Array, window: float = 1.0) -> RunningRms:
    """Largest r.m.s. value over any window of a length in s.

    With 1 s it is the maximum transient vibration value (ISO 2631-1, 6.3.1).
    time (n,) s, uniform; values (n,). A record shorter than the window is its own window.
    """
    t = np.asarray(time, dtype=np.float64)
    squares = values**2
    total = np.concatenate([[0.0], np.cumsum(0.5 * (squares[1:] + squares[:-1]) * np.diff(t))])
    width = min(t.size - 1, max(1, round(window * uniform_rate(t))))
    mean = (total[width:] - total[:-width]) / (t[width:] - t[:-width])
    k = int(np.argmax(mean))
    return RunningRms(float(np.sqrt(max(mean[k], 0.0))), float(t[k]), float(t[k + width]))


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


def _along(signals: Signals, axis: int, name: WeightingName) -> Array:
    """Acceleration (n,) in m/s^2 along an axis through a weighting."""
    h, table = signals.history, load_limits("iso2631", VibrationTable)
    return weighted(h.time, G * h.acceleration[:, axis], table.weightings[name])


def _evaluate(signals: Signals) -> Iterator[CriterionResult]:
    h = signals.history
    table = load_limits("iso2631", VibrationTable)
    whole = (float(h.time[0]), float(h.time[-1]))
    about = part_note("pelvis", h.body)
    columns = [_along(signals, k, name) for k, name in enumerate(AXIS_WEIGHTINGS)]
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
    sick = motion_sickness_dose(h.time, _along(signals, 2, "Wf"))
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


def _trace(signals: Signals, result: CriterionResult) -> CriterionTrace:
    for axis, (output, name) in enumerate(zip(AXES, AXIS_WEIGHTINGS, strict=True)):
        if result.criterion == output.criterion:
            values = _along(signals, axis, name)
            return signals.trace(values, "m/s^2", f"acceleration along {'xyz'[axis]}, {name}")
    every = np.column_stack([_along(signals, axis, name) for axis, name in enumerate(AXIS_WEIGHTINGS)])
    values = np.asarray(np.linalg.norm(every, axis=1))
    return signals.trace(values, "m/s^2", "weighted acceleration, all axes")


def _vertical(signals: Signals, result: CriterionResult) -> CriterionTrace:
    return signals.trace(_along(signals, 2, "Wf"), "m/s^2", "vertical acceleration, Wf")


CRITERIA = (
    Criterion((*AXES, TOTAL, TRANSIENT, HEALTH, DOSE), _evaluate, rate=RATE, parts=("pelvis",), trace=_trace),
    Criterion((SICKNESS,), _sickness, rate=SICKNESS_RATE, parts=("pelvis",), trace=_vertical),
)
