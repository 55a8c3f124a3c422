"""`ridewright report` of a whole ride with rendered pictures: wall and CPU seconds of the process.

The rides are GateKeeper's, one lap of about a minute, and a minute of it with a full train of 28 riders. Each report is
a process of its own, as a person starts it, with Python's compiled files and the kernels there from a report before,
which is not counted; the least of several. How long the studio takes for that of the full train: `bench_stalls`.
"""

from __future__ import annotations

import os
import re
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from ridewright.core.project.examples import load_example
from ridewright.core.results.file import write_results
from ridewright.core.run.simulate import simulate
from tests.benchmarks import measure
from tests.benchmarks.bench_full_lap import RIDDEN
from tests.benchmarks.bench_full_train import TRAINS, full_train

EXAMPLE = "gatekeeper"
WANTED = 8.0  # s, wall and CPU
WANTED_FULL = 8.0  # s, wall, of the full train
REPORTS = 3
WITHOUT = ["--drawings"]


def reported(results: Path, folder: Path, options: list[str]) -> dict[str, Any]:
    """One report in a process of its own: seconds, pages, bytes, pictures."""
    pdf = folder / "report.pdf"
    environment = {key: value for key, value in os.environ.items() if key != "PYTHONDONTWRITEBYTECODE"}
    environment["PYTHONPYCACHEPREFIX"] = str(folder / "compiled")
    before, started = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
    subprocess.run(
        [sys.executable, "-m", "ridewright.core.cli", "report", str(results), "-o", str(pdf), *options],
        cwd=measure.ROOT, env=environment, check=True, capture_output=True,
    )  # fmt: skip
    wall, after = time.perf_counter() - started, resource.getrusage(resource.RUSAGE_CHILDREN)
    data = pdf.read_bytes()
    return {
        "wall_s": wall,
        "cpu_s": after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime,
        "pdf_mb": len(data) / 1e6,
        "rendered": len(re.findall(rb"/Subtype\s*/Image", data)),
    }


def main() -> None:
    """Ride once, report several times with pictures and once with line drawings; write out/bench/report.json."""
    ride = simulate(load_example(EXAMPLE))
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        write_results(ride, folder / "results.h5")
        found = [reported(folder / "results.h5", folder, []) for _ in range(REPORTS + 1)][1:]
        drawn = reported(folder / "results.h5", folder, WITHOUT)
        write_results(simulate(full_train(*TRAINS[-1][1:], RIDDEN)), folder / "full.h5", compact=True)
        full = [reported(folder / "full.h5", folder, []) for _ in range(REPORTS)]
    ridden = float(ride.states.time[-1])
    cpu, wall = (min(one[key] for one in found) for key in ("cpu_s", "wall_s"))
    print(
        f"  {EXAMPLE}, {ridden:.0f} s of riding: {cpu:.2f} s CPU, {wall:.2f} s wall, {found[0]['rendered']} rendered"
        f" pictures, {found[0]['pdf_mb']:.1f} MB; with line drawings {drawn['cpu_s']:.2f} s CPU"
    )
    lap = min(full, key=lambda one: float(one["wall_s"]))
    print(
        f"  full train, {RIDDEN:.0f} s of riding: {lap['cpu_s']:.2f} s CPU, {lap['wall_s']:.2f} s wall, "
        f"{lap['rendered']} rendered pictures, {lap['pdf_mb']:.1f} MB"
    )
    goals = [
        measure.goal(f"report <= {WANTED:g} s CPU: {cpu:.2f} s", cpu <= WANTED),
        measure.goal(f"report <= {WANTED:g} s wall: {wall:.2f} s", wall <= WANTED),
        measure.goal(
            f"report of the full train <= {WANTED_FULL:g} s wall: {lap['wall_s']:.2f} s",
            lap["wall_s"] <= WANTED_FULL,
        ),
    ]
    measure.write(
        "report",
        {
            "example": EXAMPLE,
            "ridden_s": ridden,
            "reports": found,
            "with_drawings": drawn,
            "full_train": full,
            "goals": goals,
        },
    )
