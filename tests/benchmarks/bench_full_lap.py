"""The whole lap of full trains on the GateKeeper against real time: minutes, told stage by stage."""

from __future__ import annotations

from tests.benchmarks import measure
from tests.benchmarks.bench_full_train import TRAINS, pace, trains

RIDDEN = 60.0  # s
SIZE, MEMORY = 250.0, 700.0  # MB, of 28 riders
START = 0.1  # of the run, for its start speed


def main() -> None:
    """Print and store what each train costs."""
    rows = trains(TRAINS, RIDDEN)
    full = rows[-1]
    share = full["user_s"]["start speed"] / full["user_s"]["run"]
    goals = [
        *pace(full),
        measure.goal(f"file of {SIZE:g} MB at most: {full['file_MB']:.0f}", full["file_MB"] <= SIZE),
        measure.goal(
            f"memory of {MEMORY:g} MB at most: {full['memory_MB']:.0f}", full["memory_MB"] <= MEMORY
        ),
        measure.goal(f"start speed {START:g} of the run at most: {share:.3f}", share <= START),
    ]
    measure.write("full_lap", {"rows": rows, "goals": goals})
