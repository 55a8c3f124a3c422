"""Work of a task in a process of its own: it holds up nothing of the window, and is killed when it is not wanted."""

from __future__ import annotations

from collections.abc import Callable
from multiprocessing import get_context
from multiprocessing.connection import Connection
from typing import TypeVar

from ...core.base.errors import InputError
from .task import ProgressReporter

A = TypeVar("A")
R = TypeVar("R")
LOOK = 0.05  # s between two looks at whether it is still wanted


def in_own_process(work: Callable[[A], R], asked: A, reporter: ProgressReporter) -> R:
    """What `work(asked)` returns; work: a function of a module without Qt, asked and its result can be pickled.

    Raises InputError for what the work refuses, and when its process ends without a result, as it does when it is no
    longer wanted.
    """
    context = get_context("spawn")
    here, there = context.Pipe(duplex=False)
    process = context.Process(target=_answer, args=(there, work, asked), daemon=True)
    process.start()
    there.close()
    try:
        while not here.poll(LOOK):
            if reporter.stopped():
                raise InputError("Stopped.")
        refused, found = here.recv()
    except EOFError:
        raise InputError(
            "Its process was ended from outside, perhaps because memory was short; close what takes it, or ask less."
        ) from None
    finally:
        process.kill()
        process.join()
        here.close()
    if refused:
        raise InputError(refused)
    result: R = found
    return result


def _answer(there: Connection, work: Callable[[A], R], asked: A) -> None:
    """In the process: the sentence of what is refused, or nothing, and the result."""
    try:
        there.send(("", work(asked)))
    except InputError as error:
        there.send((error.said, None))
