"""Title, unit and confidence of criteria by their ids, where only the ids were kept."""

from __future__ import annotations

import numpy as np

from ..base.evaluation import EvaluationOptions
from .evaluate import evaluate_history
from .history import History
from .result import CriterionResult

SECONDS, RATE = 10.0, 2000.0


def criteria_by_id(options: EvaluationOptions | None = None) -> dict[str, CriterionResult]:
    """Every criterion by its id, applied to somebody at rest for ten seconds: what it is called, its unit, and whose
    limit it has are those of any record; its value says nothing.

    Raises InputError for a table that does not exist.
    """
    time = np.arange(int(SECONDS * RATE) + 1) / RATE
    none = np.zeros((len(time), 3))
    at_rest = none + np.array([0.0, 0.0, 1.0])
    history = History(
        time, at_rest, body="seat", rotation_rate=none, rotation_acceleration=none, neck_force=none,
        neck_moment=none, nca=none[:, 0], rail_nca=none[:, 0],
    )  # fmt: skip
    return {one.criterion: one for one in evaluate_history(history, None, options)}
