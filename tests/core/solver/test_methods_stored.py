"""What explicit methods store does not depend on how coarse a time grid is asked for."""

from __future__ import annotations

import numpy as np
import pytest

from ridewright.core.project.examples import load_example
from ridewright.core.project.scenario import SolverSettings
from ridewright.core.results.results import Results
from ridewright.core.run.simulate import simulate


def _run(rate: float, **settings: object) -> Results:
    project = load_example("stopped_pendulum")
    scenario = project.scenario.model_copy(update={"duration": 2.0})
    new = SolverSettings.model_validate({**dict(project.settings), "sample_rate": rate, **settings})
    results = simulate(project.model_copy(update={"scenario": scenario, "settings": new}))
    assert results.status.complete
    return results


@pytest.mark.parametrize(
    "settings",
    [
        {"method": "rk4", "fixed_step": 5e-4},
        {"method": "rk4", "fixed_step": 5e-4, "formulation": "partitioning"},
        {"method": "adaptive_adams", "relative_tolerance": 1e-9},
    ],
    ids=["fixed", "partitioning", "adaptive"],
)
def test_that_a_coarse_time_grid_spoils_neither_energies_nor_events(settings: dict[str, object]) -> None:
    fine, coarse = _run(1000.0, **settings), _run(2.0, **settings)
    assert len(coarse.sample_time) == 5
    swing = np.ptp(fine.energy.kinetic)
    assert np.max(np.abs(coarse.energy.residual)) < 1e-4 * swing
    assert coarse.energy.dissipated[-1] == pytest.approx(fine.energy.dissipated[-1], rel=1e-4)
    met = [[e.time for e in r.events if e.kind == "stop met"] for r in (fine, coarse)]
    assert len(met[0]) >= 1
    assert met[1] == pytest.approx(met[0], abs=1e-5)
