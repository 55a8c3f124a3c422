"""The solver benchmarks are no part of the tests; that they can be loaded and pose the problem they say, is."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]

# Blocked modules fail on import as if they were not installed.
LOAD = """
import json, sys
for name in ("PySide6", "vtk", "pyvista", "matplotlib", "exudyn", "mujoco"):
    sys.modules[name] = None
import numpy as np
from tests.benchmarks import __main__ as program
from tests.benchmarks import bench_ldl, bench_profile, bench_ride_looping_star, bench_scaling, bench_startup
from tests.benchmarks import seat_case
t, h = np.linspace(0.1, 9.9, 50), 1e-4
second = sum(w * seat_case.seat_position(t + k * h) for k, w in ((-1, 1), (0, -2), (1, 1))) / h**2
print(json.dumps({
    "names": program.NAMES,
    "start": seat_case.seat_position(np.zeros(1)).tolist()[0],
    "after a moment": (seat_case.seat_position(np.array([h])) / h).tolist()[0],
    "acceleration": float(np.abs(second - seat_case.seat_acceleration(t)).max()),
}))
"""


def _loaded() -> dict[str, object]:
    done = subprocess.run([sys.executable, "-c", LOAD], cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    found: dict[str, object] = json.loads(done.stdout.splitlines()[-1])
    return found


def test_that_the_benchmarks_load_without_peers_and_without_a_screen_and_the_seat_moves_as_told() -> None:
    found = _loaded()
    folder = ROOT / "tests" / "benchmarks"
    assert all((folder / f"bench_{name}.py").is_file() for name in found["names"])  # type: ignore[attr-defined]
    assert found["start"] == [0.0, 0.0, 0.0]
    assert all(abs(v) < 1e-6 for v in found["after a moment"]), "the seat does not start at rest"  # type: ignore[attr-defined]
    # second differences of positions up to 50 m with steps of 0.1 ms carry rounding of 1e-6
    assert found["acceleration"] < 1e-5  # type: ignore[operator]
