"""Rails as built: how far each lies beside and above where it was drawn, as smooth functions of the arc length.

A random field of four parts that know nothing of each other - profile and alignment, which both rails share, cross-
level and gauge, by which they differ - from the power spectrum of a class; dips where rails are joined; and a survey,
of which what is shorter than a cut-off is smoothed away. All are harmonics of the length of the track, summed once on a
fine grid with their derivatives and quintic between: the same on every run of the same seed.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..base.arrays import Array
from ..base.bundled import figures
from ..base.errors import InputError
from .as_built import RailsAsBuilt
from .path import hermite_coefficients

TABLE = "actions/rail_spectra"
A_WAVE = 16  # intervals of the grid in the shortest wave
MAX_GRID = 2_000_000
PARTS = ("profile", "alignment", "cross_level", "gauge")
LEFT, RIGHT = 0, 1
Harmonics = NDArray[np.complex128]


@dataclass(frozen=True, eq=False)
class Deviation:
    """Displacement of both rails to the left and up (m) as quintics on an even grid over the whole track: coef (k, 4,
    6) of left rail left, left rail up, right rail left, right rail up; step (m)."""

    step: float
    coef: Array

    def of(self, rail: int, s: Array) -> Array:
        """Of a rail (LEFT or RIGHT) at s (m,) of the centreline, (m, 4, 2): axis 1 the value and three derivatives by
        s, axis 2 to the left and up."""
        k = np.clip((s / self.step).astype(np.int64), 0, len(self.coef) - 1)
        h, c = (s - k * self.step)[:, None], self.coef[k, 2 * rail : 2 * rail + 2]
        out = np.zeros((len(s), 4, 2))
        for order in range(4):
            for power in range(5, order - 1, -1):
                times = float(np.prod(np.arange(power, power - order, -1)))
                out[:, order] = out[:, order] * h + times * c[..., power]
        return out


def spectrum(rails: RailsAsBuilt, part: str, w: Array) -> Array:
    """One-sided power spectrum (m^2 / (rad/m)) of a part (one of PARTS) at wave numbers w (k,) rad/m."""
    if rails.quality == "drawn":
        return np.zeros_like(w)
    table = figures(TABLE)
    k, c, one = table["k"], table["corner"] ** 2, table["classes"][rails.quality]
    inside = (w >= 2.0 * np.pi / rails.longest) & (w <= 2.0 * np.pi / rails.shortest)
    square = np.maximum(w, 1e-9) ** 2
    if part in ("profile", "alignment"):
        S = k * one["vertical" if part == "profile" else "lateral"] * c / (square * (square + c))
    else:
        S = 4.0 * k * one["vertical"] * c / ((square + c) * (square + one["difference"] ** 2))
    out: Array = np.where(inside, rails.scale**2 * S, 0.0)
    return out


def deviation(rails: RailsAsBuilt, length: float, closed: bool) -> Deviation | None:
    """The functions of a description on a track of a length (m); None where the rails are as drawn.

    An open track has none at its ends. Raises InputError for waves too short for the length.
    """
    joints = rails.joint_spacing > 0.0 and rails.joint_dip > 0.0
    if not ((rails.quality != "drawn" and rails.scale > 0.0) or joints or rails.survey):
        return None
    finest = min(
        [rails.shortest] * (rails.quality != "drawn")
        + [rails.joint_reach] * joints
        + [rails.cutoff] * bool(rails.survey)
    )
    count = int(2 ** np.ceil(np.log2(A_WAVE * length / finest)))
    if count > MAX_GRID:
        raise InputError("Rails as built: their waves are too short for so long a track; give longer ones.")
    w = 2.0 * np.pi / length * np.arange(count // 2 + 1, dtype=np.float64)
    total: Harmonics = _random(rails, w, length)
    s: Array = np.asarray(length / count * np.arange(count), dtype=np.float64)
    if joints:
        total = total + np.fft.rfft(_joints(rails, s, length), axis=-1) / count
    if rails.survey:
        total = total + _surveyed(rails, s, w, length, closed)
    orders = [np.fft.irfft(total * (1j * w) ** order * count, count, axis=-1) for order in range(3)]
    values = np.stack(orders, axis=0)  # (orders, 4, count)
    if not closed:
        values = _held(values, s, length, min(2.0 * finest, 0.25 * length))
    at = np.concatenate([values, values[..., :1]], axis=-1).transpose(2, 0, 1)
    step = length / count
    return Deviation(step, hermite_coefficients(np.full(count, step), at[:-1], at[1:]))


def _rails_of(
    profile: Harmonics, alignment: Harmonics, cross_level: Harmonics, gauge: Harmonics
) -> Harmonics:
    """Left and up of the left rail, left and up of the right rail, (4, ...), of the four parts."""
    return np.stack([
        alignment + 0.5 * gauge, profile + 0.5 * cross_level, alignment - 0.5 * gauge, profile - 0.5 * cross_level
    ])  # fmt: skip


def _random(rails: RailsAsBuilt, w: Array, length: float) -> Harmonics:
    """Coefficients (4, k) of harmonics, their power that of the spectrum, their phases random."""
    random = np.random.default_rng(rails.seed)
    parts = []
    for part in PARTS:
        amplitude = np.sqrt(2.0 * spectrum(rails, part, w) * 2.0 * np.pi / length)
        parts.append(0.5 * amplitude * np.exp(2j * np.pi * random.random(len(w))))
    return _rails_of(*parts)


def _joints(rails: RailsAsBuilt, s: Array, length: float) -> Array:
    """Displacements (4, n) of joints of random depth, (1 - (x / reach)^2)^3 each: smooth to the second derivative."""
    random, out = np.random.default_rng((rails.seed, 1)), np.zeros((4, len(s)))
    for at in np.arange(0.5 * rails.joint_spacing, length, rails.joint_spacing):
        away = np.abs(s - at)
        near = np.flatnonzero(away < rails.joint_reach)
        shape = (1.0 - (away[near] / rails.joint_reach) ** 2) ** 3
        out[:, near] += rails.joint_dip * random.standard_normal(4)[:, None] * shape
    return out


def _surveyed(rails: RailsAsBuilt, s: Array, w: Array, length: float, closed: bool) -> Harmonics:
    """Harmonics (4, k) of the survey, of which those shorter than the cut-off fade out over an octave around it."""
    rows = np.array(rails.survey)
    period = {"period": length} if closed else {}
    values = np.array([np.interp(s, rows[:, 0], rows[:, k], **period) for k in range(1, 5)])
    cut = 2.0 * np.pi / rails.cutoff
    octaves = np.log2(np.maximum(w, 1e-12) / cut) + 0.5
    kept = 0.5 * (1.0 + np.cos(np.pi * np.clip(octaves, 0.0, 1.0)))
    out: Harmonics = np.fft.rfft(values, axis=-1) / len(s) * kept
    return out


def _held(values: Array, s: Array, length: float, over: float) -> Array:
    """Values and two derivatives (3, 4, n) that grow from nothing at the ends of an open track, over some way (m)."""
    x = np.clip(np.minimum(s, length - s) / over, 0.0, 1.0)
    side = np.where(s < 0.5 * length, 1.0, -1.0) / over
    f = x**3 * (10.0 - 15.0 * x + 6.0 * x**2)
    f1, f2 = 30.0 * x**2 * (1.0 - x) ** 2 * side, 60.0 * x * (1.0 - x) * (1.0 - 2.0 * x) * side**2
    y, y1, y2 = values
    return np.stack([f * y, f1 * y + f * y1, f2 * y + 2.0 * f1 * y1 + f * y2])
