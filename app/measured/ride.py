"""A measured ride as a run of the document: the loads on one part of one rider, and nothing of the motion."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from ...core.injury.history import History
from ...core.project.project import Project
from ...core.results.results import (
    Channel,
    Ledger,
    ModelSize,
    Names,
    Results,
    States,
    Status,
    Violations,
)
from ..document.runs import Measured, Run


def measured_run(name: str, ride: Measured, project: Project) -> Run:
    """A run that holds a measured ride. name: what it is called in the list; project: whose limits it is judged by."""
    none = np.zeros(0)
    vector, pairs = np.zeros((0, 0, 3)), np.zeros((0, 0))
    return Run(
        name,
        Results(
            status=Status("done", f"Measured ride of {ride.file}.", " ".join(ride.history.notes)),
            size=ModelSize(0, 0, 0, 0, 0),
            names=Names((), (), (), (), {ride.rider: {ride.part: ride.part}}),
            states=States(
                time=none,
                position=vector,
                orientation=np.zeros((0, 0, 4)),
                velocity=vector,
                angular_velocity=vector,
                acceleration=vector,
                angular_acceleration=vector,
                path_coordinate=pairs,
                path_speed=pairs,
                path_acceleration=pairs,
                reactions=np.zeros((0, 0, 6)),
                spring_force=pairs,
                spring_length=pairs,
            ),
            energy=Ledger(none, none, none, none, none, none),
            violations=Violations(none, none, none),
            sample_time=ride.history.time + ride.offset,
            channels=_channels(ride),
            provenance={"file": ride.file},
        ),
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
