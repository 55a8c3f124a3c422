"""What a start may not load: libraries that take long and that a ride does without."""

from __future__ import annotations

import json
import subprocess
import sys

RIDE = """
import json, sys
from ridewright.core.project.examples import load_example
from ridewright.core.run.simulate import simulate
project = load_example("looping_star")
scenario = project.scenario.model_copy(update={"duration": 1e-4})
results = simulate(project.model_copy(update={"scenario": scenario}))
heavy = [name for name in ("scipy.signal", "h5py", "meshio", "dask") if name in sys.modules]
print(json.dumps([int(results.provenance["solver"]["accepted"]), heavy]))
"""


def _last_line(code: str) -> object:
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    return json.loads(done.stdout.splitlines()[-1])


def test_that_a_ride_of_the_example_starts_without_what_it_does_not_use() -> None:
    accepted, heavy = _last_line(RIDE)
    assert accepted >= 1
    assert heavy == []
