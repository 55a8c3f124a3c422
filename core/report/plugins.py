"""Who renders pictures of moments: a plug-in of the entry point group "ridewright.pictures", or nobody.

The studio brings one. A plug-in is a function (project, results) that gives a `Pictures`, or None where it cannot
render on this machine. What it gives may have methods `make_ready`, called early, and `close`, called when the report
has been made.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from importlib.metadata import entry_points
from queue import SimpleQueue
from threading import Event
from typing import TypeVar

from ..project.project import Project
from ..results.results import Results
from .book import Pictures, PictureWish
from .coming_pictures import Coming, ComingPictures

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


def drawn_here(project: Project, results: Results, write: Callable[[Pictures | None], R]) -> R:
    """Write something in a thread of its own, while this thread, the only one that may, draws what it asks for.

    Parameters
    ----------
    project, results
        See `rendering`.
    write
        Called with who gives pictures, None where nothing can draw.

    Returns
    -------
    What it returned. What it or the drawing raises is raised here.
    """
    with rendering(project, results) as pictures:
        if pictures is None:
            return write(None)
        asked, over = SimpleQueue[tuple[PictureWish, Coming] | None](), Event()
        coming = ComingPictures(lambda *one: asked.put(one), over.is_set)
        with ThreadPoolExecutor(1) as beside:
            written = beside.submit(write, coming)
            written.add_done_callback(lambda _: asked.put(None))
            try:
                getattr(pictures, "make_ready", lambda: None)()
                for wish, answer in iter(asked.get, None):
                    answer.set_result(pictures(wish))
            finally:  # whatever goes wrong here, the writer must not wait for ever
                over.set()
            return written.result()
