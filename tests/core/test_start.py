"""What a start may not load: libraries that take long and that a ride does without."""

from __future__ import annotations

import json
import subprocess
import sys

RIDE = """
import json, sys
from core.project.examples import load_example
from core.solver.simulate import simulate
project = load_example("looping_star")
scenario = project.scenario.model_copy(update={"duration": 1e-4})
results = simulate(project.model_copy(update={"scenario": scenario}))
heavy = [name for name in ("scipy.linalg", "scipy.sparse", "scipy.interpolate", "h5py") if name in sys.modules]
print(json.dumps([int(results.provenance["solver"]["accepted"]), heavy]))
"""

# numba's array functions were loaded without scipy's linear algebra; this kernel needs it.
PRODUCT = """
import json
import numpy as np
from numba import njit
import core.jit.locator
@njit
def product(a, b):
    return np.dot(a, b)
a = np.arange(6.0).reshape(2, 3)
print(json.dumps(product(a, a.T.copy()).tolist()))
"""


def _last_line(code: str) -> object:
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    return json.loads(done.stdout.splitlines()[-1])


def test_that_a_ride_of_the_example_starts_without_scipy_and_h5py() -> None:
    accepted, heavy = _last_line(RIDE)
    assert accepted >= 1
    assert heavy == []


def test_that_kernels_can_still_multiply_matrices() -> None:
    assert _last_line(PRODUCT) == [[5.0, 14.0], [14.0, 50.0]]
