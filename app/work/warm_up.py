"""Compile the solver and the ride of the preview before anybody waits for them."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from ...core.pointmass.ride import preview_ride
from ...core.pointmass.sections import section_figures
from ...core.project.examples import load_example
from ...core.project.point_train import ridden_settings
from ...core.project.scenario import Ride
from ...core.track.build import build_track
from ...core.warm_up.ahead import compile_missing

SHORT = 0.02  # s of the ride: every kernel is called, little is computed


def warm_up(stopped: Callable[[], bool]) -> None:
    """Run the first moments of a bundled ride, which loads and compiles every kernel a ride and its readings use."""
    compile_missing("ride", should_stop=stopped)
    if stopped():
        return
    from ...core.injury.filters import ride_filter
    from ...core.run.simulate import simulate

    project = load_example("straight")
    assert isinstance(project.scenario, Ride)
    ride = project.scenario.model_copy(update={"duration": SHORT, "end_place": None})
    simulate(project.model_copy(update={"scenario": ride}), should_stop=stopped)
    time = np.linspace(0.0, 1.0, 101)
    ride_filter(time, np.zeros((len(time), 3)))  # the window's thread shows loads through it


def warm_up_preview() -> None:
    """Ride a short bundled track as a point, which loads or compiles every kernel of the preview."""
    compile_missing("preview")
    project = load_example("straight")
    assert project.track is not None
    built = build_track(project.track, ride=False)
    section_figures(built, preview_ride(built, ridden_settings(project), gravity=project.gravity))
