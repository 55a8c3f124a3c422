"""Filters for acceleration records: SAE J211 channel frequency classes and the ASTM F2137 ride filter.

Both want a uniform time grid and enough samples per cycle; both leave a constant record exactly constant.
"""

from __future__ import annotations

from typing import Literal, get_args

import numpy as np
from numba import njit
from numpy.typing import ArrayLike

from ..base.arrays import Array
from ..base.errors import InputError
from .grid import as_signal, as_time, uniform_rate

FilterName = Literal["none", "5 Hz", "CFC60", "CFC180", "CFC600", "CFC1000"]
FILTER_NAMES: tuple[FilterName, ...] = get_args(FilterName)
CFC_CLASSES = (60, 180, 600, 1000)

#: The design frequency of one pass over the class: two passes of 2 poles at 2.0775 CFC are 3 dB down at CFC / 0.6.
CFC_DESIGN_RATIO = 2.0775
#: Least sample rate over the class (SAE J211-1) and over the cut-off of the ride filter (own choice, same margin).
CFC_RATE_RATIO = 10.0
RIDE_RATE_RATIO = 10.0
RIDE_CUTOFF = 5.0  # Hz, for sustained loads
#: Quality factors of the two sections of a 4-pole Butterworth filter, 1 / (2 cos(pi/8)) and 1 / (2 cos(3pi/8)).
RIDE_SECTION_Q = (0.5411961001461969, 1.3065629648763764)


def cfc_coefficients(cfc_class: int, sample_rate: float) -> tuple[float, float, float, float, float]:
    """Coefficients (a0, a1, a2, b1, b2) of one pass of an SAE J211 filter.

    y[n] = a0 x[n] + a1 x[n-1] + a2 x[n-2] + b1 y[n-1] + b2 y[n-2].

    cfc_class 60, 180, 600 or 1000 (Hz); sample_rate Hz, at least 10 times the class.
    Raises InputError for another class or a rate that is too low.
    Source: SAE J211-1, appendix C, with wd = 2 pi CFC 2.0775.
    """
    if cfc_class not in CFC_CLASSES:
        raise InputError(f"There is no filter class CFC{cfc_class}; allowed are 60, 180, 600 and 1000.")
    if not sample_rate * (1.0 + 1e-9) >= CFC_RATE_RATIO * cfc_class:
        raise InputError(
            f"CFC{cfc_class} needs at least {CFC_RATE_RATIO * cfc_class:.0f} samples per second "
            f"(10 times the class, SAE J211), the record has {sample_rate:.6g}; record faster or choose a lower class."
        )
    wa = float(np.tan(np.pi * cfc_class * CFC_DESIGN_RATIO / sample_rate))
    root2 = float(np.sqrt(2.0))
    scale = 1.0 + root2 * wa + wa * wa
    a0 = wa * wa / scale
    return a0, 2.0 * a0, a0, -2.0 * (wa * wa - 1.0) / scale, (-1.0 + root2 * wa - wa * wa) / scale


def cfc_filter(time: ArrayLike, signal: ArrayLike, cfc_class: int) -> Array:
    """SAE J211 channel filter: a 2-pole Butterworth pass forward and one backward, without phase.

    time (n,) s, uniform; signal (n,) or (n, m), any unit, columns filtered separately; cfc_class 60, 180, 600 or 1000.
    Returns an array like signal. The record is extended at both ends by point reflection (2 x[0] - x[k]) over at least
    10 ms and 100 samples, or the whole record when that is shorter, and each pass starts at the steady state of its
    first sample, so a constant or a straight line keeps its ends. 3 dB down at CFC / 0.6.
    Raises InputError when the grid is not uniform, the rate is under 10 CFC, or a value is not finite.
    Source: SAE J211-1, appendix C; ISO 6487, annex A.
    """
    t = as_time(time)
    x = as_signal(t, signal)
    rate = uniform_rate(t)
    a0, a1, a2, b1, b2 = cfc_coefficients(cfc_class, rate)
    numerator = np.array([a0, a1, a2])
    denominator = np.array([1.0, -b1, -b2])
    pad = min(t.size - 1, max(100, int(np.ceil(0.010 * rate))))
    before = 2.0 * x[0] - x[pad:0:-1]
    after = 2.0 * x[-1] - x[-2 : -pad - 2 : -1]
    y = np.concatenate([before, x, after], axis=0)
    for _ in range(2):
        # Filtering the reversed record and reversing again is the backward pass.
        y = _pass(numerator, denominator, y)[::-1]
    return y[pad : pad + t.size].copy(order="K")


def ride_filter(time: ArrayLike, signal: ArrayLike, cutoff: float = RIDE_CUTOFF) -> Array:
    """ASTM F2137 ride filter: 4-pole Butterworth low pass, one causal pass, 3 dB down at the cut-off.

    Parameters
    ----------
    time
        (n,) s, uniform.
    signal
        (n,) or (n, m), in any unit.
    cutoff
        Hz; 5 for sustained loads.

    Returns
    -------
    An array like signal, for slow signals delayed by 2.6131 / (2 pi cutoff) s (83 ms at 5 Hz).

    Raises
    ------
    InputError
        When the grid is not uniform, the rate is under 10 times the cut-off, or a value is not finite.

    Notes
    -----
    Two cascaded second-order sections with a prewarped bilinear transform, started at the steady state of the first
    sample. Source: ASTM F2137 as transcribed in two implementations (the standard itself was not read; confidence
    medium).
    """
    t = as_time(time)
    x = as_signal(t, signal)
    rate = uniform_rate(t)
    sections = ride_sections(rate, cutoff)
    for section in sections:
        x = _pass(section[:3], section[3:], x)
    return x


def ride_sections(sample_rate: float, cutoff: float = RIDE_CUTOFF) -> Array:
    """Second-order sections (2, 6) of the ride filter: b0, b1, b2, 1, a1, a2 per row.

    sample_rate, cutoff Hz. Raises InputError when the rate is under 10 times the cut-off.
    """
    if not cutoff > 0.0:
        raise InputError(f"The cut-off of the ride filter must be a positive number of Hz, found {cutoff}.")
    if not sample_rate * (1.0 + 1e-9) >= RIDE_RATE_RATIO * cutoff:
        raise InputError(
            f"The {cutoff:g} Hz ride filter needs at least {RIDE_RATE_RATIO * cutoff:g} samples per second "
            f"(10 times the cut-off), the record has {sample_rate:.6g}; record faster."
        )
    k = float(np.tan(np.pi * cutoff / sample_rate))
    rows = []
    for q in RIDE_SECTION_Q:
        scale = 1.0 + k / q + k * k
        b0 = k * k / scale
        rows.append([b0, 2.0 * b0, b0, 1.0, 2.0 * (k * k - 1.0) / scale, (1.0 - k / q + k * k) / scale])
    return np.array(rows)


def apply_filter(
    time: ArrayLike, signal: ArrayLike, name: FilterName, recorded_rate: float | None = None
) -> Array:
    """Signal through a filter known by name ("none", "5 Hz", "CFC60" ... "CFC1000").

    time (n,) s; signal (n,) or (n, m); recorded_rate Hz at which it was measured, by default that of the grid.
    Returns an array like signal. Raises InputError as the filter does, and for a record that was too slow before it
    was laid on a finer grid.
    """
    if name not in FILTER_NAMES:
        raise InputError(f"Unknown filter {name!r}; allowed are {', '.join(FILTER_NAMES)}.")
    if name == "none":
        return as_signal(as_time(time), signal)
    if recorded_rate is not None:
        # The guards of both filters, for a grid that is finer than the record.
        if name == "5 Hz":
            ride_sections(recorded_rate)
        else:
            cfc_coefficients(int(name[3:]), recorded_rate)
    if name == "5 Hz":
        return ride_filter(time, signal)
    return cfc_filter(time, signal, int(name[3:]))


def _pass(numerator: Array, denominator: Array, x: Array) -> Array:
    """One pass that begins at the steady state of the first sample."""
    level = numerator.sum() / denominator.sum()
    held = numerator[1:] - level * denominator[1:]
    return recursion(
        numerator, denominator, x, np.multiply.outer(np.array([held[0] + held[1], held[1]]), x[0])
    )


def recursion(numerator: Array, denominator: Array, x: Array, state: Array) -> Array:
    """Outputs y (n, ...) of y_k = b0 x_k + b1 x_(k-1) + b2 x_(k-2) - a1 y_(k-1) - a2 y_(k-2).

    numerator b, denominator a (3,) with a0 = 1; x (n, ...); state (2, ...): what the time before adds to the first two
    samples.
    """
    if not len(x):
        return x
    columns = np.asfortranarray(x.reshape(len(x), -1))
    y = np.empty_like(columns)
    _recursion(numerator, denominator, columns.T, np.ascontiguousarray(state.reshape(2, -1).T), y.T)
    return y.reshape(x.shape)


@njit(cache=True, nogil=True)
def _recursion(b, a, x, state, y):  # type: ignore[no-untyped-def]
    for line in range(x.shape[0]):
        first, second = state[line, 0], state[line, 1]
        for k in range(x.shape[1]):
            now = x[line, k]
            out = b[0] * now + first
            first = second + b[1] * now - a[1] * out
            second = b[2] * now - a[2] * out
            y[line, k] = out
