"""Who renders pictures of moments: a plug-in of the entry point group "ridewright.pictures", or nobody.

The studio brings one. A plug-in is a function (project, results) that gives a `Pictures`, or None where it cannot
render on this machine. What it gives may have a method `close`, which is called when the report has been made, and
`expect`, which is told early of all pictures that will be asked for, so that they can be drawn beside the rest.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from importlib.metadata import entry_points

from ..project.project import Project
from ..results.results import Results
from .book import Pictures

GROUP = "ridewright.pictures"


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
