"""One entry: an acceleration history in, the results of all criteria out."""

from __future__ import annotations

from collections.abc import Iterable

from core.errors import InputError
from core.injury.criteria import CRITERIA
from core.injury.history import History
from core.injury.registry import Signals
from core.injury.result import CriterionResult


def criterion_ids() -> tuple[str, ...]:
    """Ids of all results that `evaluate_history` gives, in order."""
    return tuple(output.criterion for criterion in CRITERIA for output in criterion.outputs)


def evaluate_history(history: History, criteria: Iterable[str] | None = None) -> tuple[CriterionResult, ...]:
    """Every criterion on one acceleration history.

    history as `History` describes; criteria the ids wanted, by default all of `criterion_ids`. Returns one result
    per id in the order of `criterion_ids`. A criterion that the history does not allow (no rotation rates, gravity
    taken out, too few samples per second, too short) gives a result without a value and with the reason in its
    note.
    Raises InputError for an unknown id.
    """
    known = criterion_ids()
    wanted = set(known if criteria is None else criteria)
    unknown = sorted(wanted - set(known))
    if unknown:
        raise InputError(f"Unknown criterion {unknown[0]!r}; allowed are {', '.join(known)}.")
    signals = Signals(history)
    results: list[CriterionResult] = []
    for criterion in CRITERIA:
        if not any(output.criterion in wanted for output in criterion.outputs):
            continue
        missing = criterion.missing(history)
        found: tuple[CriterionResult, ...] = ()
        why = f"needs {' and '.join(missing)} in the record"
        if not missing:
            try:
                found = tuple(criterion.evaluate(signals))
            except InputError as error:
                why = str(error)
        results.extend(found or (output.refused(signals, why) for output in criterion.outputs))
    return tuple(result for result in results if result.criterion in wanted)
