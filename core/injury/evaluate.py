"""One entry: an acceleration history in, the results of all criteria out."""

from __future__ import annotations

from collections.abc import Iterable

from ..base.errors import InputError
from ..base.evaluation import EvaluationOptions
from .criteria import criteria as own_criteria
from .criteria.base import Criterion, Signals
from .history import History
from .limit_files import keep_fault, limit_file, once, tables_as_they_are
from .parts import Part
from .result import CriterionResult
from .standards.criteria import table_criteria
from .standards.files import evaluated_ids, load_table


@once
def criteria_for(options: EvaluationOptions) -> tuple[Criterion, ...]:
    """All criteria, those of the program first, then those of the tables that count (`core.injury.standards`).

    A table of the user's whose results would share ids with others is left out as one that does not fit is. Raises
    InputError for a table that does not exist.
    """
    found = list(own_criteria())
    taken = {ident for criterion in found for ident in criterion.ids}
    for name in evaluated_ids(options):
        table = load_table(name)
        made = table_criteria(table, options)
        ids = {ident for criterion in made for ident in criterion.ids}
        if ids & taken:
            sentence = (
                f"Limit table {name!r} calls a result {min(ids & taken)!r}, as another table or the program does; "
                f"give it another prefix than {table.prefix!r}."
            )
            file = limit_file(name)
            if not file.user:
                raise InputError(sentence)
            keep_fault(file, sentence)
            continue
        taken |= ids
        found += made
    return tuple(found)


def criterion_ids(options: EvaluationOptions | None = None, part: Part | None = None) -> tuple[str, ...]:
    """Ids of all results that `evaluate_history` gives.

    Parameters
    ----------
    options
        As there.
    part
        Whose criteria are meant; None for all parts.

    Returns
    -------
    The ids, in the order of the results.
    """
    chosen = EvaluationOptions() if options is None else options
    applied = (one for one in criteria_for(chosen) if part is None or part in one.parts)
    return tuple(ident for criterion in applied for ident in criterion.ids)


@tables_as_they_are()
def evaluate_history(
    history: History, criteria: Iterable[str] | None = None, options: EvaluationOptions | None = None
) -> tuple[CriterionResult, ...]:
    """Every criterion on one acceleration history.

    Parameters
    ----------
    history
        Acceleration of one point over time, and what else was recorded with it; see `History`.
    criteria
        The ids wanted; by default all of `criterion_ids`.
    options
        The restraint and the tables that count (`core.base.evaluation`); by default those of a new project.

    Returns
    -------
    One result for each id, in the order of `criterion_ids`.

    Raises
    ------
    InputError
        For an unknown id, or a table that does not exist.

    Notes
    -----
    A criterion that the history does not allow (no rotation rates, gravity taken out, too few samples per second, too
    short) gives a result without a value and with the reason in its note. A limit table of the user's that does not
    fit is left out, and `core.injury.standards.files.table_faults` names it.
    """
    options = EvaluationOptions() if options is None else options
    all_criteria = criteria_for(options)
    known = tuple(ident for criterion in all_criteria for ident in criterion.ids)
    wanted = set(known if criteria is None else criteria)
    unknown = sorted(wanted - set(known))
    if unknown:
        raise InputError(f"Unknown criterion {unknown[0]!r}; allowed are {', '.join(known)}.")
    signals = Signals(history, options)
    results: list[CriterionResult] = []
    for criterion in all_criteria:
        if not wanted.intersection(criterion.ids):
            continue
        found: tuple[CriterionResult, ...] = ()
        why = criterion.lacking(history)
        if not why:
            try:
                found = tuple(criterion.evaluate(signals))
            except InputError as error:
                why = str(error)
        results.extend(found or (output.refused(signals, why) for output in criterion.outputs))
    return tuple(result for result in results if result.criterion in wanted)
