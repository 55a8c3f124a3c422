"""Studies on workers: throughput of two against one, overhead of a task, memory of a worker over many.

Warm: the workers, new ones for every kind of ride, have made runs before anything is counted. Wall time, because that
is what a study takes, of one and of two workers in turns. `RIDEWRIGHT_STUDY_RUNS=<points>,<multibody>` in the
environment takes other numbers than 1,000 and 100; a worker of two makes half of them, one alone all.
"""

from __future__ import annotations

import json
import os
import tempfile
import time
from pathlib import Path
from typing import Any

import numpy as np

from ridewright.core.studies.engine import run_study, workers_of
from ridewright.core.studies.store import Store, Table
from ridewright.core.studies.study import Study, base_project, parse_study
from tests.benchmarks import measure

RUNS = "RIDEWRIGHT_STUDY_RUNS"
WARM = 3  # runs of a worker before anything is counted
ROUNDS = 5  # of the same runs on one worker and on two

EMPTY = {
    "format": "ridewright-study",
    "name": "empty",
    "ride": "function",
    "function": "tests.benchmarks.bench_studies:nothing",
    "parameters": [{"name": "a", "low": 0.0, "high": 1.0}],
}
RIDE = {
    "format": "ridewright-study",
    "name": "rides",
    "project": "example:looping_star",
    "parameters": [
        {"name": "speed", "field": "scenario.speed", "low": 26.0, "high": 28.0},
        {"name": "friction", "edit": "rolling resistance", "low": 0.0, "high": 0.004},
    ],
    "keep": {"criteria": ["f2291_*"]},
}


def nothing(values: dict[str, float]) -> dict[str, float]:
    """A run that takes no time."""
    return dict(values)


def study_of(data: dict[str, Any], runs: int, **more: Any) -> Study:
    """A study of so many runs."""
    return parse_study({**data, **more, "plan": {"kind": "monte_carlo", "runs": runs, "seed": 1}}, "bench")


def memory_of(client: Any) -> list[float]:
    """Memory (MB) each worker holds now."""
    import psutil

    return [psutil.Process(pid).memory_info().rss / 1e6 for pid in client.run(os.getpid).values()]


def timed(client: Any, study: Study) -> tuple[float, Table]:
    """Wall seconds of a study into a new store, and its table."""
    base = base_project(study, Path())
    with tempfile.TemporaryDirectory() as folder:
        store = Store.create(Path(folder) / "s", study, base)
        begin = time.perf_counter()
        table = run_study(store, client)
        return time.perf_counter() - begin, table


def measured(ride: str, runs: int) -> tuple[dict[int, dict[str, float]], list[Table]]:
    """Figures of so many runs of a kind on one and on two workers that are warm, and the tables of the first round.

    Side by side, in `ROUNDS` rounds of the same runs on each: what slows the machine for a while slows both.
    """
    data = EMPTY if ride == "nothing" else {**RIDE, "ride": ride}
    study = study_of(data, runs // ROUNDS)
    seconds: dict[int, list[float]] = {1: [], 2: []}
    with workers_of(workers=1) as one, workers_of(workers=2) as two:
        clients = {1: one, 2: two}
        for count, client in clients.items():
            timed(client, study_of(data, WARM * count))
        before = {count: memory_of(client) for count, client in clients.items()}
        tables: list[Table] = []
        for _ in range(ROUNDS):
            for count, client in clients.items():
                spent, table = timed(client, study)
                seconds[count].append(spent)
                tables = [*tables, table][:2]
        after = {count: memory_of(client) for count, client in clients.items()}
    return {
        count: {
            "seconds": sum(seconds[count]),
            "per_second": ROUNDS * (runs // ROUNDS) / sum(seconds[count]),
            "memory_mb": max(after[count]),
            "grown_mb": max(a - b for a, b in zip(after[count], before[count], strict=True)),
        }
        for count in clients
    }, tables


def main() -> None:
    """Measure, print, and write out/bench/studies.json."""
    points, multibody = (int(x) for x in os.environ.get(RUNS, "1000,100").split(","))
    found: dict[str, Any] = {"points": points, "multibody": multibody, "1": {}, "2": {}}
    same = True
    for ride, runs in (("nothing", points), ("points", points), ("multibody", multibody)):
        if runs < ROUNDS:
            continue
        figures, (first, second) = measured(ride, runs)
        for count, one in figures.items():
            found[str(count)][ride] = one
        same &= all(
            np.array_equal(first.numbers[name], second.numbers[name], equal_nan=True)
            for name in first.numbers
        )
    found["same"] = same
    for ride in ("points", "multibody"):
        if ride in found["1"]:
            ratio = found["2"][ride]["per_second"] / found["1"][ride]["per_second"]
            found[f"{ride}_of_twice"] = 0.5 * ratio
    measure.OUT.mkdir(parents=True, exist_ok=True)
    (measure.OUT / "studies.json").write_text(
        json.dumps({**measure.surroundings(), **found}, indent=1) + "\n"
    )
    for workers in ("1", "2"):
        one = found[workers]
        if "nothing" in one:
            each = 1e3 / one["nothing"]["per_second"]
            print(f"  {workers} worker(s): {each:.2f} ms a task that does nothing")
        for ride in ("points", "multibody"):
            if ride in one:
                r = one[ride]
                print(
                    f"    {ride}: {r['per_second']:.2f} rides a second, a worker holds {r['memory_mb']:.0f} MB,"
                    f" {r['grown_mb']:+.0f} MB over the runs"
                )
    for ride in ("points", "multibody"):
        if f"{ride}_of_twice" in found:
            print(
                f"  {ride}: two workers make {100.0 * found[f'{ride}_of_twice']:.0f} % of twice what one makes"
            )
    print(f"  tables of one and of two workers are {'the same' if found['same'] else 'NOT the same'}")


if __name__ == "__main__":
    main()
