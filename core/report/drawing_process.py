"""Drawings of a report made beside it. matplotlib keeps Python's lock, so it works in a process of its own."""

from __future__ import annotations

import os
import signal
from concurrent.futures import CancelledError, Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import suppress
from importlib.util import find_spec
from multiprocessing import get_context, parent_process
from threading import Thread
from typing import NamedTuple

from ..base.errors import InputError
from ..base.own_process import set_up
from .figures.canvas import Drawing


class BegunDrawing(NamedTuple):
    """A drawing that is made beside; called, it gives the SVG as soon as that is there."""

    draw: Drawing
    coming: Future[bytes]

    def __call__(self) -> bytes:
        try:
            return self.coming.result()
        except (BrokenProcessPool, CancelledError):
            return self.draw()

    def take_back(self) -> bool:
        """Whether it has not been begun and will not be: who has nothing else to do makes it."""
        return self.coming.cancel()


class DrawingProcess:
    """Draws what it is given, one after the other; its process begins with the first and ends with `close`.

    To be had by programs that are Ridewright: a process that is spawned loads the main module once more.
    """

    def __init__(self) -> None:
        self._pool: ProcessPoolExecutor | None = None
        if find_spec("matplotlib"):  # else what is drawn says so
            with suppress(OSError, NotImplementedError):  # where there is no memory that processes share
                self._pool = ProcessPoolExecutor(1, get_context("spawn"), _begin)

    def make_ready(self) -> None:
        """Start, and load what drawing takes."""
        if self._pool is not None:
            self._pool.submit(_nothing)

    def begin(self, draw: Drawing) -> BegunDrawing:
        """Have a drawing made; it is made where it is called for when the process has ended before."""
        if self._pool is not None:
            with suppress(RuntimeError):  # closed, or its process is gone
                return BegunDrawing(draw, self._pool.submit(draw))
        return BegunDrawing(draw, _never())

    def close(self) -> None:
        """End the process as soon as it has made what it draws; what waits is not made in it any more."""
        if self._pool is not None:
            self._pool.shutdown(wait=False, cancel_futures=True)


def _never() -> Future[bytes]:
    coming = Future[bytes]()
    coming.cancel()
    return coming


def load_drawing() -> None:
    """Load what drawings take, in any thread; what is missing is said by what is drawn."""
    with suppress(InputError):
        from .figures import coupling_figure, structure_figures, track_figures  # noqa: F401 - loaded for later
        from .figures.diagram import Side, diagram

        diagram([Side((), 0.0, "Nothing")], 4.0)


def _begin() -> None:
    """In the process: it is stopped by who has it, and does not outlive that."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    Thread(target=_end_with_parent, daemon=True).start()
    set_up()
    load_drawing()


def _end_with_parent() -> None:
    parent = parent_process()
    if parent is not None:
        parent.join()
        os._exit(0)


def _nothing() -> None:
    pass
