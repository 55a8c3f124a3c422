"""A measured ride as a run of the document: the loads on one part of one rider, and nothing of the motion."""

from __future__ import annotations

from dataclasses import replace

from ...core.injury.history import History
from ...core.project.project import Project
from ...core.results.results import Channel, Results
from .runs import Measured, Run


def measured_run(name: str, ride: Measured, project: Project) -> Run:
    """A run that holds a measured ride. name: what it is called in the list; project: whose limits it is judged by."""
    made = Results.of_signals(
        ride.history.time + ride.offset,
        _channels(ride),
        message=f"Measured ride of {ride.file}.",
        provenance={"file": ride.file},
    )
    status = replace(made.status, advice=" ".join(ride.history.notes))
    return Run(
        name,
        replace(made, status=status),
        project,
        measured=ride,
    )


def shifted(run: Run, offset: float) -> Run:
    """The same measured ride at another place in time: simulated time = measured time + offset (s)."""
    ride = run.measured
    assert ride is not None
    moved = replace(ride, offset=offset)
    return replace(
        run,
        measured=moved,
        results=replace(run.results, sample_time=ride.history.time + offset),
    )


def _channels(ride: Measured) -> dict[str, Channel]:
    history: History = ride.history
    where, about = f"rider/{ride.rider}/{ride.part}", f"measured, {ride.file}"
    found = {f"{where}/acceleration": Channel(history.acceleration, "g", "rider axes", about)}
    if history.rotation_rate is not None:
        found[f"{where}/angular_velocity"] = Channel(history.rotation_rate, "rad/s", "rider axes", about)
    return found
