"""DAMAGE: the strain that the rotation of the head puts on the brain."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated

import numpy as np
from numpy.typing import ArrayLike
from pydantic import Field

from ...base.arrays import Array
from ...base.errors import InputError
from ..grid import as_signal, as_time
from ..intervals import above
from ..limits import LimitTable, Positive, ScalarLimits, load_limits
from ..oscillator import oscillator_response
from ..parts import part_note
from ..result import CriterionResult
from .base import Criterion, CriterionTrace, Output, Signals, notes

NotNegative = Annotated[float, Field(ge=0.0)]


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


OUTPUT = Output(
    "damage",
    "DAMAGE",
    "1",
    "CFC60",
    group="rotation",
    definition="largest deflection of a brain model of three coupled masses, scaled to strain",
    applicability="head; made for blows and for one of them at a time",
)


def _answer(signals: Signals) -> tuple[float, float, Array]:
    return damage(signals.history.time, signals.rotation_acceleration, load_limits("damage", DamageTable))


def _evaluate(signals: Signals) -> Iterator[CriterionResult]:
    value, at, strain = _answer(signals)
    limit = load_limits("head_rotation_limits", ScalarLimits).get("damage")
    note = notes(signals.rotation_note, part_note("head", signals.history.body), limit.note)
    over = above(signals.history.time, strain, limit.value)
    yield OUTPUT.result(signals, value, (at, at), limit, note, exceeded=over)


def _trace(signals: Signals, result: CriterionResult) -> CriterionTrace:
    return signals.trace(_answer(signals)[2], "1", "deflection of the brain model", result.limit)


CRITERIA = (Criterion((OUTPUT,), _evaluate, needs=("rotation rates",), parts=("head",), trace=_trace),)
