"""Where in time a measured ride lies on a simulated one."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..base.arrays import Array, Integers
from ..base.errors import InputError
from .history import History

#: Rate (Hz) and low-pass corner (Hz) of the signals that are compared, least part of the shorter record that must
#: overlap, and how near (s) another match may lie without counting as a different one.
RATE = 50.0
CORNER = 5.0
MIN_OVERLAP = 0.5
APART = 1.0


@dataclass(frozen=True)
class Alignment:
    """A match in time: simulated time = measured time + offset (s).

    correlation: agreement of the three accelerations in -1..1 where they overlap, 1 for the same shape; axes: the same
    for x, y, z alone (0 where one of both does not change); scale: measured by simulated size; second: the best
    correlation at an offset that is more than 1 s away; overlap s.
    """

    offset: float
    correlation: float
    axes: tuple[float, float, float]
    scale: float
    second: float
    overlap: float

    @property
    def quality(self) -> str:
        """The match in words: "good", "fair" or "poor", or "ambiguous" when another place fits almost as well."""
        if self.correlation < 0.5:
            return "poor"
        if self.correlation - self.second < 0.1 * self.correlation:
            return "ambiguous"
        return "good" if self.correlation >= 0.85 else "fair"


def align(measured: History, simulated: History, rate: float = RATE) -> Alignment:
    """Offset in time that lays a measured ride over a simulated one, by the correlation of the accelerations.

    Both are smoothed below 5 Hz without phase and freed of their mean; every offset at which at least half of the
    shorter one overlaps is tried, the best refined by a parabola. Source: normalised cross-correlation.

    Parameters
    ----------
    measured, simulated
        Histories of the same part in rider axes, gravity in or out of both.
    rate
        Hz, of the comparison.

    Returns
    -------
    The offset (s) and how well they correlate.

    Raises
    ------
    InputError
        When gravity is in one of them only, or a record is shorter than 2 s or does not change.
    """
    if measured.contains_gravity != simulated.contains_gravity:
        raise InputError(
            "One of the two records contains gravity and the other does not; they cannot be aligned."
        )
    m, s = _smooth(measured, rate), _smooth(simulated, rate)
    lags, score, inner = _scores(m, s)
    best = int(np.argmax(score))
    far = np.abs(lags - lags[best]) > APART * rate
    second = float(score[far].max()) if far.any() else -1.0
    shift = float(lags[best])
    if 0 < best < lags.size - 1:
        left, top, right = (float(v) for v in score[best - 1 : best + 2])
        bend = left - 2.0 * top + right
        shift += 0.5 * (left - right) / bend if bend < 0.0 else 0.0
    a, b = _overlapping(m, s, int(lags[best]))
    energy = float(np.sum(b * b))
    return Alignment(
        offset=shift / rate + float(simulated.time[0]) - float(measured.time[0]),
        correlation=float(score[best]),
        axes=tuple(_correlation(a[:, k], b[:, k]) for k in range(3)),  # type: ignore[arg-type]
        scale=float(np.sum(a * b)) / energy if energy > 0.0 else 0.0,
        second=second,
        overlap=float(inner[best]) / rate,
    )


def _smooth(history: History, rate: float) -> Array:
    """Acceleration (k, 3) below 5 Hz on an even grid of the given rate, mean taken off."""
    if history.duration < 2.0:
        raise InputError(f"A record of {history.duration:.3g} s is too short to be aligned; 2 s are needed.")
    from scipy.signal import butter, sosfiltfilt  # takes most of a second to import

    x = history.acceleration
    if history.sample_rate > 2.2 * CORNER:
        x = sosfiltfilt(butter(2, CORNER, fs=history.sample_rate, output="sos"), x, axis=0)
    count = int(np.floor(history.duration * rate + 1e-9)) + 1
    even = history.time[0] + np.arange(count) / rate
    out = np.column_stack([np.interp(even, history.time, column) for column in x.T])
    out -= out.mean(axis=0)
    if float(np.abs(out).max()) < 1e-6:
        raise InputError(f"The record of '{history.body}' does not change; there is nothing to align.")
    return out


def _scores(m: Array, s: Array) -> tuple[Integers, Array, Integers]:
    """Lags (samples of s at which m starts), correlation at each, and samples that overlap."""
    from scipy.signal import fftconvolve

    products = sum(fftconvolve(s[:, k], m[::-1, k]) for k in range(3))
    lags = np.arange(-(len(m) - 1), len(s))
    own = np.concatenate([[0.0], np.cumsum(np.sum(m * m, axis=1))])
    other = np.concatenate([[0.0], np.cumsum(np.sum(s * s, axis=1))])
    first, last = np.maximum(lags, 0), np.minimum(lags + len(m), len(s))
    energy = (other[last] - other[first]) * (own[last - lags] - own[first - lags])
    floor = 1e-9 * own[-1] * other[-1]
    score = np.asarray(products) / np.sqrt(np.maximum(energy, floor))
    inner = last - first
    enough = inner >= MIN_OVERLAP * min(len(m), len(s))
    return lags[enough], score[enough], inner[enough]


def _overlapping(m: Array, s: Array, lag: int) -> tuple[Array, Array]:
    first, last = max(lag, 0), min(lag + len(m), len(s))
    return m[first - lag : last - lag], s[first:last]


def _correlation(a: Array, b: Array) -> float:
    size = float(np.sqrt(np.sum(a * a) * np.sum(b * b)))
    return float(np.sum(a * b)) / size if size > 1e-12 else 0.0
