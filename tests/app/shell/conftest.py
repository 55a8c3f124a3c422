"""A short run to work with, computed once."""

from __future__ import annotations

import pytest

from ridewright.app.document.document import Run
from ridewright.core.project.examples import load_example
from ridewright.core.run.simulate import simulate


@pytest.fixture(scope="session")
def short_run() -> Run:
    """Two seconds of the level straight."""
    project = load_example("straight")
    ride = project.scenario.model_copy(update={"duration": 2.0, "end_place": None})
    project = project.model_copy(update={"scenario": ride})
    return Run("Run", simulate(project), project)
