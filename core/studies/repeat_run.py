"""A run of a study made again: its project, to be opened, and its results."""

from __future__ import annotations

from ..base.errors import InputError
from ..project.project import Project
from .plan import planned
from .store import Store
from .vary import with_values


def project_of(store: Store, run: int) -> Project:
    """The project of a run of a study: the base with its values.

    Parameters
    ----------
    store
        Of the study.
    run
        Its number.

    Returns
    -------
    The project.

    Raises
    ------
    InputError
        For a run that there is not, and for a study of a function.
    """
    study, base = store.study, store.base
    if base is None:
        raise InputError(f"{study.name}: its runs are of a function and have no project.")
    rows = store.done()
    if run in rows:
        values = rows[run].values
    elif study.optimise is not None:
        raise InputError(f"{study.name}: there is no run {run}; {len(rows)} have been made.")
    else:
        plan = planned(study, yes=True)
        if not 0 <= run < len(plan):
            raise InputError(f"{study.name}: there is no run {run}; the plan has 0 to {len(plan) - 1}.")
        values = tuple(plan[run])
    words = ", ".join(
        f"{p.name} = {p.shown(v)}{' ' + p.unit if p.unit else ''}"
        for p, v in zip(study.parameters, values, strict=True)
    )
    made = with_values(study, base, values)
    note = f"Run {run} of the study '{study.name}': {words}."
    return made.model_copy(update={"notes": f"{made.notes}\n{note}".strip()})
