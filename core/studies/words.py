"""Words for the states of runs, and what the criteria of a study are called."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from ..injury.result import CriterionResult
    from .store import Store

WORDS: Final = {
    "done": "finished",
    "early": "ended early",
    "screened": "screened out",
    "failed": "failed",
}


def criteria_of(store: Store) -> dict[str, CriterionResult]:
    """The criteria of a study by their ids: title, unit, confidence; nothing for one without a base project, and
    nothing of a table that is gone."""
    if store.base is None:
        return {}
    from ..injury.named import criteria_by_id
    from ..outcome.rider_view import existing_tables

    return criteria_by_id(existing_tables(store.base.evaluation)[0])
