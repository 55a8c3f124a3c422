"""Work on several things at once, in threads: for work that lets go of Python's lock, as kernels and arrays do."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextvars import copy_context
from typing import TypeVar

from .host import processors

A = TypeVar("A")
R = TypeVar("R")


def each(work: Callable[[A], R], asked: Iterable[A]) -> Iterator[R]:
    """What work gives for each thing, in their order, as many at once as there are processors; one thing, or one
    processor, has no thread of its own.

    Every piece of work sees the context variables of who asks. What it raises is raised where its turn comes.
    """
    things = [*asked]
    most = min(processors(), len(things))
    if most < 2:
        yield from map(work, things)
        return
    with ThreadPoolExecutor(most) as threads:
        coming = [threads.submit(copy_context().run, work, one) for one in things]
        try:
            for one in coming:
                yield one.result()
        finally:
            for one in coming:
                one.cancel()
