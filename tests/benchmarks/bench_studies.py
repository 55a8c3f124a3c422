"""Studies on workers: throughput of two against one, overhead of a task, memory of a worker over many.

Warm: the workers, new ones for every kind of ride, have made runs before anything is counted. Wall time, because that
is what a study takes. What the machine itself gives is measured beside it: two processors of a rented machine are
seldom twice one, so the same rides are made by one and by two plain processes too.
`RIDEWRIGHT_STUDY_RUNS=<points>,<multibody>` in the environment takes other numbers than 1,000 and 100.
"""

from __future__ import annotations

import json
import multiprocessing
import os
import tempfile
import time
from pathlib import Path
from typing import Any

import numpy as np

from ridewright.core.studies.cluster import workers_of
from ridewright.core.studies.engine import run_study
from ridewright.core.studies.one_run import Runner
from ridewright.core.studies.plan import planned
from ridewright.core.studies.store import Store, Table
from ridewright.core.studies.study import Study, base_project, parse_study
from tests.benchmarks import measure

RUNS = "RIDEWRIGHT_STUDY_RUNS"
WARM = 3  # runs of a worker before anything is counted
PLAIN = 5  # plain processes make one in so many of the runs, each

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
        table = run_study(store, client, allow_function=store.study.function)
        return time.perf_counter() - begin, table


def measured(ride: str, runs: int) -> tuple[dict[int, dict[str, float]], list[Table]]:
    """Figures of so many runs of a kind on one and on two workers that are warm, and their tables.

    One worker makes the first half of its runs before two make theirs and the other half after them, for the machine
    is not equally fast all the time; two get all in one go, or a run that has no partner at the end weighs much.
    """
    data = EMPTY if ride == "nothing" else {**RIDE, "ride": ride}
    halves = [runs // 2, runs - runs // 2]
    spent, held, grown = {1: 0.0, 2: 0.0}, {1: 0.0, 2: 0.0}, {1: 0.0, 2: 0.0}
    tables: list[Table] = []
    for count, number in ((1, halves[0]), (2, runs), (1, halves[1])):
        with workers_of(workers=count) as client:
            timed(client, study_of(data, WARM * count))
            before = memory_of(client)
            seconds, table = timed(client, study_of(data, number))
            after = memory_of(client)
        spent[count] += seconds
        held[count] = max(held[count], *after)
        grown[count] = max(grown[count], *(a - b for a, b in zip(after, before, strict=True)))
        tables.append(table)
    return {
        count: {
            "seconds": spent[count],
            "per_second": runs / spent[count],
            "memory_mb": held[count],
            "grown_mb": grown[count],
        }
        for count in spent
    }, tables[:2]


def ridden(ready: Any, times: Any, ride: str, runs: int) -> None:
    """Body of a process that has nothing to do with Dask: so many runs once all are `ready`, their seconds put out."""
    study = study_of({**RIDE, "ride": ride}, runs)
    runner = Runner(study, base_project(study, Path()))
    rows = [tuple(row) for row in planned(study, yes=False).tolist()]
    for row in rows[:WARM]:
        runner.run_with_results(row)
    ready.wait()
    begin = time.perf_counter()
    for row in rows:
        runner.run_with_results(row)
    times.put(time.perf_counter() - begin)


def machine(ride: str, runs: int) -> float:
    """What two processes at once, that know nothing of each other, make of twice one's throughput on this machine."""
    spawn = multiprocessing.get_context("spawn")
    spent = {1: 0.0, 2: 0.0}
    os.environ.update({"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"})  # as Dask's workers have
    for count, number in ((1, runs // 2), (2, runs), (1, runs - runs // 2)):
        ready, times = spawn.Barrier(count), spawn.Queue()
        processes = [spawn.Process(target=ridden, args=(ready, times, ride, number)) for _ in range(count)]
        for process in processes:
            process.start()
        spent[count] += max(times.get() for _ in processes)
        for process in processes:
            process.join()
    return spent[1] / spent[2]


def main() -> None:
    """Measure, print, and write out/bench/studies.json."""
    points, multibody = (int(x) for x in os.environ.get(RUNS, "1000,100").split(","))
    found: dict[str, Any] = {"points": points, "multibody": multibody, "1": {}, "2": {}}
    same = True
    for ride, runs in (("nothing", points), ("points", points), ("multibody", multibody)):
        if runs < 2:
            continue
        figures, (first, second) = measured(ride, runs)
        for count, one in figures.items():
            found[str(count)][ride] = one
        same &= all(
            np.array_equal(alone, second.numbers[name][: len(alone)], equal_nan=True)
            for name, alone in first.numbers.items()
        )
        if ride != "nothing":
            found[f"{ride}_of_machine"] = machine(ride, max(2, runs // PLAIN))
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
                f"  {ride}: two workers make {100.0 * found[f'{ride}_of_twice']:.0f} % of twice what one makes,"
                f" two plain processes {100.0 * found[f'{ride}_of_machine']:.0f} %"
            )
    print(f"  tables of one and of two workers are {'the same' if found['same'] else 'NOT the same'}")


if __name__ == "__main__":
    main()
