"""Pictures of a ride in a notebook or a script, by the studio's own scene where it is installed."""

from __future__ import annotations

from importlib.metadata import entry_points
from typing import Any

from ..base.errors import InputError
from ..project.project import Project, parse_project
from ..results.results import Results
from .door import door

GROUP = "ridewright.scenes"


@door
def plot(
    what: Project | Results,
    *,
    time: float | None = None,
    view: str = "orbit",
    colour: str = "plain",
    size: tuple[int, int] = (1280, 720),
    off_screen: bool | None = None,
) -> Any:
    """Draw a project, or a run at a time, into a `pyvista.Plotter` that is returned filled.

    Parameters
    ----------
    what
        A project as drawn, or the results of a run, with the project that was run.
    time
        s of the run; by default its middle.
    view
        Camera "orbit", "follow", "side", "ride" or "top".
    colour
        What the track is coloured by, as in the studio: "plain", "speed", "gx", "gy", "gz", ...; speed and loads
        are those of the run.
    size
        Width and height in px.
    off_screen
        True draws into memory, for `.screenshot(file)`; None does so where there is no display.

    Returns
    -------
    The plotter; `.show()` draws into a notebook, too.

    Raises
    ------
    InputError
        Where the studio is not installed, for a time outside the run, for a view, colour or size that there is
        not, and for a track that cannot be built.
    """
    run = None if isinstance(what, Project) else what
    at = _time(run, time)
    project = what if isinstance(what, Project) else _project_of(what)
    for entry in sorted(entry_points(group=GROUP), key=lambda one: one.name):
        try:
            fill = entry.load()
        except ImportError:  # the studio is not installed
            continue
        return fill(project, run, at, view, colour, size, off_screen)
    raise InputError('plot: the studio\'s scene is not installed: pip install "ridewright[studio]".')


def _project_of(run: Results) -> Project:
    return parse_project(run.provenance.get("project"), "the run")


def _time(run: Results | None, time: float | None) -> float:
    if run is None:
        if time is not None:
            raise InputError("plot: a project has no times; give the results of a run.")
        return 0.0
    first, last = float(run.states.time[0]), float(run.states.time[-1])
    if time is None:
        return 0.5 * (first + last)
    if not first <= time <= last:
        raise InputError(f"plot: the run has times from {first:g} to {last:g} s, found {time:g}.")
    return time
