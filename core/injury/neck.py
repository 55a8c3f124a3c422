"""Neck injury criterion Nij: tension or compression together with flexion or extension, by dummy size."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, get_args

import numpy as np
from numpy.typing import ArrayLike

from ..base.arrays import Array
from ..base.errors import InputError, LimitTableError
from ..base.frozen import Frozen
from .grid import as_signal, as_time
from .limits import Confidence, LimitTable, Positive

NeckMode = Literal["tension-extension", "tension-flexion", "compression-extension", "compression-flexion"]
NECK_MODES: tuple[NeckMode, ...] = get_args(NeckMode)


class NeckIntercepts(Frozen):
    """Loads that give Nij = 1 on their own, for one dummy: N and N m; offset (m) of the load cell above the
    occipital condyle, by which a measured moment is corrected."""

    id: str
    title: str
    tension: Positive
    compression: Positive
    flexion: Positive
    extension: Positive
    offset: float
    confidence: Confidence


class NeckTable(LimitTable):
    """resources/limits/neck_nij.json: intercepts, the limit, and the risk 1 / (1 + exp(b0 - b1 Nij)).

    unconfirmed as in `ScalarLimit`.
    """

    limit: Positive
    risk: tuple[float, float]
    dummies: tuple[NeckIntercepts, ...]
    unconfirmed: str = ""

    def dummy(self, dummy_id: str) -> NeckIntercepts:
        """The intercepts of that dummy; InputError naming those there are."""
        for dummy in self.dummies:
            if dummy.id == dummy_id:
                return dummy
        raise LimitTableError(
            f"No neck of a {dummy_id!r}; there are {', '.join(d.id for d in self.dummies)}."
        )

    def probability(self, nij: float) -> float:
        """Probability of an injury of AIS 3 or more at a value of Nij."""
        return float(1.0 / (1.0 + np.exp(self.risk[0] - self.risk[1] * nij)))


@dataclass(frozen=True)
class NijResult:
    """Nij: value (1), mode and time s of it, the largest value of each mode, and the sum (n,) over time."""

    value: float
    mode: NeckMode
    time: float
    modes: dict[NeckMode, float]
    history: Array


def nij(
    time: ArrayLike,
    force: ArrayLike,
    moment: ArrayLike,
    dummy: NeckIntercepts,
    *,
    at_condyle: bool = True,
) -> NijResult:
    """Neck injury criterion: the worst sum of the part of the axial and the part of the bending intercept.

    Nij = |Fz| / Fz of the direction + |My| / My of the direction, at every instant.

    time (n,) s; force (n, 3) N and moment (n, 3) N m of the neck on the head in the signs of SAE J211 (Fz positive in
    tension, My positive in flexion); at_condyle False takes the moment as measured by the load cell of the dummy and
    moves it to the occipital condyle, My - offset Fx. Raises InputError for wrong shapes.
    Source: Eppinger et al. 1999 (NHTSA); 49 CFR 571.208 S6.6.
    """
    t = as_time(time)
    f, m = as_signal(t, force, "neck force"), as_signal(t, moment, "neck moment")
    if f.shape != (t.size, 3) or m.shape != (t.size, 3):
        raise InputError(f"Neck force and moment need three columns each, found {f.shape} and {m.shape}.")
    axial = f[:, 2]
    bending = m[:, 1] if at_condyle else m[:, 1] - dummy.offset * f[:, 0]
    along = np.where(axial >= 0.0, axial / dummy.tension, -axial / dummy.compression)
    about = np.where(bending >= 0.0, bending / dummy.flexion, -bending / dummy.extension)
    both = along + about
    kind = 2 * (axial < 0.0) + (bending >= 0.0)
    modes = {mode: float(both[kind == k].max(initial=0.0)) for k, mode in enumerate(NECK_MODES)}
    k = int(np.argmax(both))
    return NijResult(float(both[k]), NECK_MODES[int(kind[k])], float(t[k]), modes, both)
