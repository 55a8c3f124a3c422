"""Who renders pictures of moments: a plug-in of the entry point group "ridewright.pictures", or nobody.

The studio brings one. A plug-in is a function (project, results) that gives a `Pictures`, or None where it cannot
render on this machine. What it gives may have a method `close`, which is called when the report has been made, and
`expect`, which is told early of pictures that will be asked for, so that they can be drawn beside the rest, and once of
none: a report has been begun.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from importlib.metadata import entry_points
from queue import SimpleQueue
from typing import NamedTuple, TypeVar

from ..project.project import Project
from ..results.results import Results
from .book import Pictures, PictureWish, Stopped

GROUP = "ridewright.pictures"
R = TypeVar("R")


def find_pictures(project: Project, results: Results) -> Pictures | None:
    """The first renderer that works here; None when there is none, so that moments are drawn as line drawings."""
    if not len(results.states.time):
        return None  # nothing moves
    for entry in sorted(entry_points(group=GROUP), key=lambda one: one.name):
        try:
            pictures: Pictures | None = entry.load()(project, results)
        except ImportError:  # the studio is not installed
            continue
        if pictures is not None:
            return pictures
    return None


@contextmanager
def rendering(project: Project, results: Results) -> Iterator[Pictures | None]:
    """The renderer of `find_pictures` for a while: at the end it lets go of the graphics system.

    Parameters
    ----------
    project
        What is drawn.
    results
        A run of it.

    Returns
    -------
    The renderer, None where nothing can draw.
    """
    pictures = find_pictures(project, results)
    try:
        yield pictures
    finally:
        close = getattr(pictures, "close", None)
        if close is not None:
            close()


class _Asked(NamedTuple):
    """A picture that is wanted, and where it is put."""

    wish: PictureWish
    answer: Future[bytes | None]


class _FromElsewhere:
    """Pictures that another thread draws, one after the other, from when they are told of."""

    def __init__(self) -> None:
        self.asked: SimpleQueue[_Asked | None] = SimpleQueue()
        self._coming: dict[PictureWish, Future[bytes | None]] = {}
        self._over = False

    def expect(self, wishes: tuple[PictureWish, ...]) -> None:
        for wish in wishes:
            if wish not in self._coming:
                self._coming[wish] = Future()
                self.asked.put(_Asked(wish, self._coming[wish]))

    def __call__(self, wish: PictureWish) -> bytes | None:
        self.expect((wish,))
        if self._over:
            raise Stopped
        return self._coming[wish].result()

    def end(self) -> None:
        """Nothing is drawn any more; nobody waits for it."""
        self._over = True
        for coming in [*self._coming.values()]:
            if not coming.done():
                coming.set_exception(Stopped())


def drawn_here(project: Project, results: Results, write: Callable[[Pictures | None], R]) -> R:
    """Write something in a thread of its own, while this thread, the only one that may, draws what it asks for.

    Parameters
    ----------
    project
        What is drawn.
    results
        A run of it.
    write
        Called with who gives pictures, None where nothing can draw.

    Returns
    -------
    What it returned. What it or the drawing raises is raised here.
    """
    with rendering(project, results) as pictures:
        if pictures is None:
            return write(None)
        elsewhere = _FromElsewhere()
        with ThreadPoolExecutor(1) as beside:
            written = beside.submit(write, elsewhere)
            written.add_done_callback(lambda _: elsewhere.asked.put(None))
            try:
                expect = getattr(pictures, "expect", None)
                if expect is not None:
                    expect(())  # there is time to get ready
                while (asked := elsewhere.asked.get()) is not None:
                    asked.answer.set_result(pictures(asked.wish))
            finally:  # whatever goes wrong here, the writer must not wait for ever
                elsewhere.end()
            return written.result()
