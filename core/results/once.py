"""What is found once of a run, however many charts, tables and colours ask for it."""

from __future__ import annotations

import weakref
from collections import deque
from collections.abc import Callable
from functools import wraps
from typing import TypeVar

from .results import Results

T = TypeVar("T")
RUNS = 8  # the last ones that were asked for


def once_a_run(find: Callable[[Results], T]) -> Callable[[Results], T]:
    """What `find` finds of a run, found once for the last few; nobody may change it."""
    kept: deque[tuple[weakref.ref[Results], T]] = deque(maxlen=RUNS)

    @wraps(find)
    def found(results: Results) -> T:
        for of, known in tuple(kept):
            if of() is results:
                return known
        kept.append((weakref.ref(results), made := find(results)))
        return made

    return found
