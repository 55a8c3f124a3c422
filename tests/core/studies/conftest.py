"""What tests of studies share: studies of functions, and workers."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import pytest

from ridewright.core.studies.front import Front
from ridewright.core.studies.store import Store, Table
from ridewright.core.studies.study import Study, parse_study

FUNCTIONS = "tests.core.studies.functions"


def study_of_function(name: str, parameters: Sequence[Any] = ("a", "b"), **fields: Any) -> Study:
    """A study of a function of numbers between 0 and 1, or with bounds of its own in `fields`; a parameter is a name,
    or all that is said of it."""
    low, high = fields.pop("bounds", (0.0, 1.0))
    data = {
        "format": "ridewright-study",
        "name": name,
        "ride": "function",
        "function": f"{FUNCTIONS}:{name}",
        "parameters": [
            p if isinstance(p, dict) else {"name": p, "low": low, "high": high} for p in parameters
        ],
        **fields,
    }
    return parse_study(data, name)


def run_allowed(store: Store, client: Any, **more: Any) -> Table:
    """`run_study` with the consent of the tests to their own functions."""
    from ridewright.core.studies.engine import run_study

    return run_study(store, client, allow_function=store.study.function, **more)


def search_allowed(store: Store, client: Any, **more: Any) -> Front:
    """`optimise` with the consent of the tests to their own functions."""
    from ridewright.core.studies.optimise import optimise

    return optimise(store, client, allow_function=store.study.function, **more)


@pytest.fixture(scope="session")
def two_workers() -> Iterator[Any]:
    """A client on two worker processes."""
    pytest.importorskip("distributed")
    from ridewright.core.studies.cluster import workers_of

    with workers_of(workers=2) as client:
        yield client
