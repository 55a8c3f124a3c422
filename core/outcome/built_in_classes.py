"""The class of a restraint by standards that say what their classes ask for, compared with what the loads demand."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ..base.evaluation import EvaluationOptions
from ..injury.evaluate import evaluate_history
from ..injury.history import History
from ..injury.result import CriterionResult
from ..injury.standards.files import evaluated_ids, load_table
from ..injury.standards.table import ZoneRule

SUFFIX = "_restraint_class"


def features_of(restraint: Mapping[str, Any]) -> dict[str, bool | int]:
    """What a restraint has of what classes may ask for (`FEATURES`), from its JSON data: it is adjustable unless it
    locks at one tooth alone."""
    return {
        "devices": int(restraint.get("devices") or 1),
        "individual": not restraint.get("shared"),
        "adjustable": restraint.get("teeth") != 1,
        "locks": int(restraint.get("locks") or 1),
        "monitored": bool(restraint.get("monitored")),
    }


def by_their_classes(
    found: tuple[CriterionResult, ...],
    history: History,
    restraint: Mapping[str, Any] | None,
    options: EvaluationOptions,
) -> tuple[CriterionResult, ...]:
    """Results with the class of each standard that says what its classes ask for held against the restraint itself.

    Parameters
    ----------
    found
        Of the history.
    history
        What somebody felt.
    restraint
        At the seat, as JSON data; None leaves the results as they are.
    options
        Which tables count.

    Returns
    -------
    The results; a note says which class the restraint has and what it lacks for the one demanded.
    """
    rules = {} if restraint is None else _rules(options)
    ids = {one.criterion for one in found}
    new = {}
    for id, rule in rules.items():
        if id in ids:
            features = features_of(restraint or {})
            own = options.model_copy(update={"restraint_class": rule.built_in(features)})
            (judged,) = evaluate_history(history, [id], own)
            new[id] = _noted(judged, rule, features)
    return tuple(new.get(one.criterion, one) for one in found)


def _rules(options: EvaluationOptions) -> dict[str, ZoneRule]:
    """The rules that say what their classes ask for, by the ids of their results."""
    tables = [load_table(name) for name in evaluated_ids(options)]
    return {
        f"{table.prefix}{SUFFIX}": table.zones
        for table in tables
        if table.zones is not None and table.zones.classes
    }


def _noted(judged: CriterionResult, rule: ZoneRule, features: Mapping[str, bool | int]) -> CriterionResult:
    wanted = next((one for one in rule.classes if one.restraint_class == round(judged.value or 0.0)), None)
    lacks = () if wanted is None or judged.verdict != "outside" else wanted.lacks(features)
    said = f"the restraint has all of class {rule.built_in(features)}"
    said += f" and lacks of class {round(judged.value or 0.0)}: {', '.join(lacks)}" if lacks else ""
    return judged.model_copy(update={"note": f"{judged.note}; {said}" if judged.note else said})
