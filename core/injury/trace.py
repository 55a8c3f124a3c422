"""The signal behind a result, to be drawn beside its limit and the stretches in which it is exceeded."""

from __future__ import annotations

from ..base.evaluation import EvaluationOptions
from .criteria.base import CriterionTrace, Signals
from .evaluate import criteria_for
from .history import History
from .result import CriterionResult


def criterion_trace(
    history: History, result: CriterionResult, options: EvaluationOptions | None = None
) -> CriterionTrace | None:
    """The signal that a result was taken from, as its criterion says (`core.injury.criteria.base`).

    history: the record that was evaluated; result: one of its results, with a value; options as for
    `evaluate_history`. Directions and resultants in g, onsets in g/s, combined axes as the part of the limit that is
    used, restraints as the class demanded; rotation, neck, spine, vibration and tilting in their own units; a
    probability by what it comes from. None where the record has no such signal, or no table that counts gives such a
    result. Raises InputError for a table that does not exist any more.
    """
    signals = Signals(history, options)
    for criterion in criteria_for(signals.options):
        if result.criterion in criterion.ids:
            return criterion.trace(signals, result)
    return None
