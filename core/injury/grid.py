"""Time grids of recorded signals: checks, sample rate, resampling."""

from __future__ import annotations

import weakref

import numpy as np
from numpy.typing import ArrayLike

from ..base.arrays import Array
from ..base.errors import InputError

#: A grid counts as uniform when no sample lies further than this part of a step from the even grid.
#: Times printed with six decimals at 3 kHz are 0.15 % off, a logger that drops a sample is 100 % off.
UNIFORM_TOLERANCE = 0.01

#: More samples than this after resampling means that the times, not the data, are at fault.
MAX_SAMPLES = 2_000_000

#: Time grids that nobody can write to and that were found in order, each with how far off the even grid it is: forty
#: criteria ask for the same one.
_checked: dict[int, tuple[weakref.ref[Array], float]] = {}
#: The grid of the latest record.
_latest: list[weakref.ref[Array]] = []


def as_time(time: ArrayLike) -> Array:
    """Time grid as a checked array.

    time (n,) s, n >= 2, finite, strictly increasing. Returns (n,) float64, contiguous.
    Raises InputError naming the first sample that breaks a rule.
    """
    known = _checked.get(id(time))
    if known is not None and (same := known[0]()) is time:
        return same
    t = np.ascontiguousarray(time, dtype=np.float64)
    if t.ndim != 1 or t.size < 2:
        raise InputError(f"A record needs at least 2 samples in one column, found {t.size}.")
    bad = ~np.isfinite(t)
    if bad.any():
        raise InputError(
            f"Time sample {int(np.argmax(bad)) + 1} is not a finite number; remove or repair that row."
        )
    steps = np.diff(t)
    if not (steps > 0.0).all():
        k = int(np.argmax(steps <= 0.0))
        raise InputError(
            f"Time must increase from sample to sample, but sample {k + 2} ({t[k + 1]:.9g} s) does not come after "
            f"sample {k + 1} ({t[k]:.9g} s); sort the rows or remove doubles."
        )
    if t is time and t.base is None and not t.flags.writeable:
        number = id(t)
        _checked[number] = (weakref.ref(t, lambda _: _checked.pop(number, None)), _off(t))
    return t


def sealed(x: Array, given: ArrayLike) -> Array:
    """A checked array, read-only, that shares nothing with what was given and may still be written to."""
    own = x.copy(order="K") if np.shares_memory(x, np.asarray(given)) else x
    own.setflags(write=False)
    return own


def sealed_time(time: ArrayLike) -> Array:
    """A time grid (n,) s as `as_time` gives it, read-only: the very one of the record before where it is the same, as
    it is for all riders of a run. Raises InputError as `as_time`."""
    before = _latest[0]() if _latest else None
    if before is not None and np.array_equal(before, np.asarray(time)):
        return before
    made = as_time(sealed(as_time(time), time))
    _latest[:] = [weakref.ref(made)]
    return made


def as_signal(time: Array, signal: ArrayLike, name: str = "signal") -> Array:
    """Signal on a time grid as a checked array.

    time (n,) s; signal (n,) or (n, m), any unit, finite. Returns float64, each column contiguous: what is asked of a
    record is asked of its columns. Raises InputError when lengths differ or a value is not finite.
    """
    x = np.asarray(signal, dtype=np.float64)
    x = np.ascontiguousarray(x) if x.ndim < 2 else np.asfortranarray(x)
    if x.ndim not in (1, 2) or x.shape[0] != time.size:
        raise InputError(
            f"The {name} must have one row per time sample ({time.size}), found shape {x.shape}."
        )
    finite = np.isfinite(x)
    if not finite.all():
        row = int(np.argwhere(~finite)[0][0])
        raise InputError(
            f"The {name} holds a value that is not finite at sample {row + 1} (t = {time[row]:.9g} s)."
        )
    return x


def is_uniform(time: ArrayLike) -> bool:
    """Whether every sample lies within 1 % of a step of the even grid. time (n,) s."""
    t = as_time(time)
    return bool(_largest_offset(t) <= UNIFORM_TOLERANCE)


def uniform_rate(time: ArrayLike) -> float:
    """Sample rate of a uniform grid in Hz.

    time (n,) s. The rate is (n - 1) / (t[-1] - t[0]).
    Raises InputError when a sample is more than 1 % of a step off the even grid.
    """
    t = as_time(time)
    offset = _largest_offset(t)
    if offset > UNIFORM_TOLERANCE:
        raise InputError(
            f"The time grid is not uniform (a sample is {100.0 * offset:.3g} % of a step off the even grid, allowed is "
            f"{100.0 * UNIFORM_TOLERANCE:.0f} %); resample it first with resample_uniform."
        )
    return (t.size - 1) / float(t[-1] - t[0])


def resample_uniform(time: ArrayLike, values: ArrayLike, rate: float | None = None) -> tuple[Array, Array]:
    """Linear interpolation of a record onto an even grid.

    time (n,) s; values (n,) or (n, m), any unit; rate in Hz, by default 1 / median step, slightly raised so that the
    grid ends on the last sample. Returns (time (k,), values (k,) or (k, m)). Linear, because every criterion here takes
    the record as linear between samples. Raises InputError for bad grids, rates, or more than 2 million samples.
    """
    t = as_time(time)
    x = as_signal(t, values, "record")
    wanted = 1.0 / float(np.median(np.diff(t))) if rate is None else float(rate)
    if not np.isfinite(wanted) or wanted <= 0.0:
        raise InputError(f"The sample rate to resample to must be a positive number of Hz, found {rate}.")
    span = float(t[-1] - t[0])
    steps = max(1.0, np.ceil(span * wanted * (1.0 - 1e-9)))
    if steps > MAX_SAMPLES:
        raise InputError(
            f"Resampling {span:.6g} s at {wanted:.6g} Hz would give {steps:.3g} samples (allowed {MAX_SAMPLES:.3g}); "
            "check the unit of the time column or ask for a lower rate."
        )
    even = t[0] + span * (np.arange(int(steps) + 1) / steps)
    even[-1] = t[-1]
    if x.ndim == 1:
        return even, np.interp(even, t, x)
    return even, np.column_stack([np.interp(even, t, column) for column in x.T])


def _largest_offset(t: Array) -> float:
    """Of a checked grid, in steps."""
    known = _checked.get(id(t))
    return known[1] if known is not None and known[0]() is t else _off(t)


def _off(t: Array) -> float:
    step = float(t[-1] - t[0]) / (t.size - 1)
    even = t[0] + step * np.arange(t.size)
    return float(np.abs(t - even).max()) / step
