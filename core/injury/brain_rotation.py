"""What the rotation of the head does to the brain: BrIC and DAMAGE."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Self

import numpy as np
from numpy.typing import ArrayLike
from pydantic import Field, model_validator

from ..base.arrays import Array
from ..base.errors import InputError
from .grid import as_signal, as_time
from .limits import LimitTable, Positive
from .oscillator import oscillator_response

NotNegative = Annotated[float, Field(ge=0.0)]


class BricTable(LimitTable):
    """resources/limits/bric.json: critical rotation rates (rad/s) about x, y, z, exponent and scale of the risk
    1 - exp(-(BrIC / scale)^exponent) per severity."""

    critical: dict[str, tuple[Positive, Positive, Positive]]
    exponent: Positive
    scale: dict[str, Positive]

    @model_validator(mode="after")
    def _has_what_is_used(self) -> Self:
        if "average" not in self.critical:
            raise ValueError("critical: the rates called 'average' are missing")
        if not {"AIS2+", "AIS3+"} <= self.scale.keys():
            raise ValueError("scale: AIS2+ and AIS3+ are needed")
        return self

    def probability(self, bric: float, severity: str) -> float:
        """Probability of an injury of at least a severity ("AIS2+") at a value of BrIC."""
        if severity not in self.scale:
            raise InputError(f"BrIC has no risk for {severity!r}; there are {', '.join(self.scale)}.")
        return float(-np.expm1(-((max(bric, 0.0) / self.scale[severity]) ** self.exponent)))


class DamageTable(LimitTable):
    """resources/limits/damage.json: mass kg, springs N/m between brain and skull (own) and between the axes
    (cross), damping time s (damping = time x stiffness), factor 1/m, and the bounds of good and adequate in Euro
    NCAP."""

    mass: Positive
    own: tuple[Positive, Positive, Positive]
    cross_xy: NotNegative
    cross_yz: NotNegative
    cross_xz: NotNegative
    damping_time: NotNegative
    factor: Positive
    good: Positive
    adequate: Positive

    def stiffness(self) -> Array:
        """Stiffness matrix (3, 3) N/m: own springs and cross springs on the diagonal."""
        xy, yz, xz = self.cross_xy, self.cross_yz, self.cross_xz
        x, y, z = self.own
        return np.array([[x + xy + xz, -xy, -xz], [-xy, xy + y + yz, -yz], [-xz, -yz, xz + yz + z]])


@dataclass(frozen=True)
class BricResult:
    """Brain injury criterion: value (1), and per axis the largest rate (rad/s) and its time (s)."""

    value: float
    rates: tuple[float, float, float]
    times: tuple[float, float, float]


def bric(time: ArrayLike, rotation_rate: ArrayLike, critical: tuple[float, float, float]) -> BricResult:
    """Brain injury criterion: the largest rates about the three axes against critical ones.

    BrIC = sqrt(sum over x, y, z of (max |omega_i| / critical_i)^2); the maxima need not be at one instant.

    time (n,) s; rotation_rate (n, 3) rad/s of the head, through CFC60; critical (3,) rad/s. Raises InputError
    for a wrong shape.
    Source: Takhounts et al. 2013.
    """
    t = as_time(time)
    w = np.abs(as_signal(t, rotation_rate, "rotation rate"))
    if w.shape != (t.size, 3):
        raise InputError(f"BrIC needs rotation rates about three axes, found shape {w.shape}.")
    at = np.argmax(w, axis=0)
    peaks = w[at, np.arange(3)]
    value = float(np.linalg.norm(peaks / np.asarray(critical)))
    rates = (float(peaks[0]), float(peaks[1]), float(peaks[2]))
    return BricResult(value, rates, (float(t[at[0]]), float(t[at[1]]), float(t[at[2]])))


def damage(
    time: ArrayLike, rotation_acceleration: ArrayLike, table: DamageTable
) -> tuple[float, float, Array]:
    """DAMAGE: strain of the brain as the deflection of three coupled masses driven by the head's rotation.

    m x'' + a1 K x' + K x = m alpha, DAMAGE = factor max |x|.

    time (n,) s, uniform; rotation_acceleration (n, 3) rad/s^2 of the head in rider axes (forward, left, up). Starts at
    rest. Damping in proportion to stiffness uncouples the three modes, each of which is answered exactly for a
    record that is straight between samples. Returns value (1), time s, and the deflection times the factor (n,).
    Raises InputError for a wrong shape or an uneven grid.
    Source: Gabler et al. 2019; sign of the third axis as in the published Matlab program (head axes forward, right,
    down; its third drive is reversed), which in rider axes is (x, -y, z).
    """
    t = as_time(time)
    alpha = as_signal(t, rotation_acceleration, "rotation acceleration")
    if alpha.shape != (t.size, 3):
        raise InputError(f"DAMAGE needs rotation accelerations about three axes, found shape {alpha.shape}.")
    squares, modes = np.linalg.eigh(table.stiffness() / table.mass)
    drive = (alpha * np.array([1.0, -1.0, 1.0])) @ modes
    answer = np.column_stack(
        [
            oscillator_response(
                t,
                np.ascontiguousarray(drive[:, k]),
                float(w2),
                table.damping_time * float(w2),
                steady_start=False,
            )
            for k, w2 in enumerate(squares)
        ]
    )
    # The modes are orthonormal, so the length in modes is the length in axes.
    strain = table.factor * np.linalg.norm(answer, axis=1)
    k = int(np.argmax(strain))
    return float(strain[k]), float(t[k]), strain
