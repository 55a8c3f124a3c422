"""Runs of the bundled rigs and rides, and measures on them."""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from ridewright.core.project.examples import load_example
from ridewright.core.project.project import Project
from ridewright.core.project.scenario import Ride, Rig, SolverSettings
from ridewright.core.results.results import Results
from ridewright.core.run.simulate import simulate

GRAVITY = 9.81


def changed(project: Project, *, duration: float | None = None, **settings: object) -> Project:
    """The project with another duration (s) and other solver settings."""
    scenario = project.scenario
    if duration is not None:
        kind = Rig if isinstance(scenario, Rig) else Ride
        scenario = kind.model_validate({**dict(scenario), "duration": duration})
    new = SolverSettings.model_validate({**dict(project.settings), **settings})
    return project.model_copy(update={"scenario": scenario, "settings": new})


@lru_cache(maxsize=32)
def _run(name: str, options: tuple[tuple[str, object], ...]) -> Results:
    return complete(simulate(changed(load_example(name), **dict(options))))


def run(name: str, **options: object) -> Results:
    """The results of a bundled example run to its end; options as for `changed`. Runs are remembered."""
    return _run(name, tuple(sorted(options.items())))


def complete(results: Results) -> Results:
    """The results, after making sure that the run was not cut short."""
    assert results.status.complete, results.status
    return results


def accurate(name: str, step: float = 1e-3, **options: object) -> Results:
    """A run whose integration error is far below the digits compared: fifth order with a fixed step."""
    return run(name, method="dopri5", fixed_step=step, baumgarte_alpha=20.0, baumgarte_beta=20.0, **options)


def second_order(name: str, step: float, **options: object) -> Results:
    """A run of the implicit method with a fixed step, its iterations so tight that only the step counts."""
    return run(name, fixed_step=step, position_tolerance=1e-12, velocity_tolerance=1e-11, **options)


def body(results: Results, name: str) -> int:
    """The place of a body along the axes of the states."""
    return results.names.bodies.index(name)


def reaction(results: Results, name: str) -> np.ndarray:
    """Force (N) and moment (N m) over time (n, 6) of a joint or guide by its name."""
    names = (*results.names.joints, *results.names.guides)
    return results.states.reactions[:, names.index(name)]


def observed_orders(errors: list[float]) -> np.ndarray:
    """Orders of convergence seen between runs whose step was halved each time."""
    e = np.asarray(errors)
    return np.log2(e[:-1] / e[1:])


def largest(values: np.ndarray) -> float:
    """The largest absolute value."""
    return float(np.max(np.abs(values)))
