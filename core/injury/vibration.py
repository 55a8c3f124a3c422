"""Whole-body vibration after ISO 2631-1: frequency weighting, r.m.s. values, dose values, motion sickness.

The weightings are applied to the spectrum, so they are exact up to the Nyquist frequency and need no redesign for a
sample rate. What the record shows before its first sample is taken as its first value for ever; after its end the
record is led back to it slowly, so that nothing of the end reaches the start.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray
from pydantic import model_validator

from ..base.arrays import Array
from ..base.errors import InputError
from ..base.frozen import Frozen
from .grid import as_signal, as_time, uniform_rate
from .limits import LimitTable, Positive

WeightingName = Literal["Wk", "Wd", "Wf", "Wc", "We"]
#: Seconds over which the end of the record is led back, and which then pass before the start comes round again.
LEAD_BACK = 40.0


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

    lead = int(np.ceil(LEAD_BACK * rate))
    size = next_fast_len(x.size + 2 * lead, real=True)
    padded = np.zeros(size)
    padded[: x.size] = x - x[0]
    back = 0.5 * (1.0 + np.cos(np.pi * (np.arange(lead) + 1.0) / lead))
    padded[x.size : x.size + lead] = (x[-1] - x[0]) * back
    spectrum = rfft(padded)
    spectrum *= weighting.response(np.arange(spectrum.size) * (rate / size))
    return np.asarray(irfft(spectrum, size)[: x.size], dtype=np.float64)


def rms(time: ArrayLike, values: Array) -> float:
    """Root of the mean square over the record, unit of the values: sqrt(1/T int a^2 dt) by the trapezoid."""
    t = np.asarray(time, dtype=np.float64)
    return float(np.sqrt(np.trapezoid(values**2, t) / (t[-1] - t[0])))


def vibration_dose(time: ArrayLike, values: Array) -> float:
    """Vibration dose value (int a^4 dt)^(1/4), in m/s^1.75 for values in m/s^2. Source: ISO 2631-1, 6.3.2."""
    return float(np.trapezoid(values**4, np.asarray(time, dtype=np.float64)) ** 0.25)


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
