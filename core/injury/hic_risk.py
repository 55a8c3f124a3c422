"""From the head injury criterion to the probability of an injury of some severity (abbreviated injury scale)."""

from __future__ import annotations

from typing import Literal

import numpy as np
from numpy.typing import ArrayLike

from ..base.arrays import Array
from ..base.errors import InputError, LimitTableError
from ..base.frozen import Frozen
from .limits import Confidence, LimitTable, Positive


class RiskCurve(Frozen):
    """Probability of an injury of at least one severity.

    form "expanded_prasad_mertz": 1 / (1 + exp(c1 + 200 / HIC36 - c2 HIC36)); "lognormal": Phi((ln HIC15 - c1) / c2).
    window: the HIC it is for, in ms.
    """

    id: str
    severity: str
    form: Literal["expanded_prasad_mertz", "lognormal"]
    window: Literal[15, 36]
    c1: float
    c2: Positive
    confidence: Confidence

    def probability(self, hic: ArrayLike) -> Array:
        """Probability in 0..1 at values of the head injury criterion; 0 at HIC 0. Shape of hic."""
        value = np.asarray(hic, dtype=np.float64)
        if (value < 0.0).any():
            raise InputError(f"A head injury criterion cannot be negative, found {float(value.min()):.6g}.")
        known = np.maximum(value, 1e-12)
        if self.form == "lognormal":
            from scipy.special import ndtr  # not needed to show the window

            return np.asarray(ndtr((np.log(known) - self.c1) / self.c2))
        return np.asarray(1.0 / (1.0 + np.exp(np.minimum(self.c1 + 200.0 / known - self.c2 * known, 700.0))))


class HicRisk(LimitTable):
    """resources/limits/hic_risk.json."""

    curves: tuple[RiskCurve, ...]

    def curve(self, curve_id: str) -> RiskCurve:
        """The curve of that id; InputError naming those there are."""
        for curve in self.curves:
            if curve.id == curve_id:
                return curve
        raise LimitTableError(
            f"'{self.title}' has no curve {curve_id!r}; it has {', '.join(c.id for c in self.curves)}."
        )
