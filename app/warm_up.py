"""Compile the solver before anybody waits for it."""

from __future__ import annotations

from threading import Event

from core.examples import load_example
from core.scenario import Ride

SHORT = 0.02  # s of the ride: every kernel is called, little is computed


def warm_up(stop: Event) -> None:
    """Run the first moments of a bundled ride, which loads and compiles every kernel a ride uses."""
    from core.solver.simulate import simulate

    project = load_example("straight")
    assert isinstance(project.scenario, Ride)
    ride = project.scenario.model_copy(update={"duration": SHORT, "end_place": None})
    simulate(project.model_copy(update={"scenario": ride}), should_stop=stop.is_set)
