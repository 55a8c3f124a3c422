"""A full train on the GateKeeper, the whole command: start speed, run, judgement and file, against real time."""

from __future__ import annotations

import tempfile
import time
from pathlib import Path
from typing import Any

from ridewright.core.edits.couplings import make_train
from ridewright.core.outcome.summary import summarise
from ridewright.core.project.examples import load_example
from ridewright.core.project.project import Project
from ridewright.core.project.scenario import SolverSettings
from ridewright.core.results.file import write_results
from ridewright.core.run.simulate import simulate
from ridewright.core.solver.launch import start_speed
from ridewright.core.track.build import build_track
from tests.benchmarks import measure

RIDDEN = 60.0  # s
STEPPING = 2.5  # times real time
SIZE, MEMORY = 250.0, 700.0  # MB, of 28 riders
#: What rides: title, car, cars, seats.
TRAINS = (
    ("10 cars, nobody on them", "viegas2016", 10, "empty"),
    ("7 cars, 14 riders", "viegas2016", 7, "full"),
    ("7 cars, 28 riders", "helix", 7, "full"),
)


def _project(car: str, count: int, seats: str, ridden: float) -> Project:
    made = make_train(load_example("gatekeeper"), car, count, riders=seats)  # type: ignore[arg-type]
    scenario = made.scenario.model_copy(update={"duration": ridden, "speed": None})
    settings = made.settings.model_copy(update={"tolerance": SolverSettings().tolerance})
    return made.model_copy(update={"scenario": scenario, "settings": settings})


def _whole(title: str, project: Project) -> dict[str, Any]:
    """CPU seconds of each part of the command, size of the file (MB) and peak memory so far (MB)."""
    cpu: dict[str, float] = {}

    def timed(name: str, call: Any) -> Any:
        begun = time.process_time()
        out = call()
        cpu[name] = time.process_time() - begun
        return out

    built = timed("track", lambda: build_track(project.track))  # type: ignore[arg-type]
    speed = timed("start speed", lambda: start_speed(project, built))
    given = project.scenario.model_copy(update={"speed": speed})
    begun: list[tuple[float, float]] = []
    results = timed(
        "run",
        lambda: simulate(
            project.model_copy(update={"scenario": given}),
            on_progress=lambda _fraction, now, _end: begun.append((time.process_time(), now)),
        ),
    )
    (c0, t0), (c1, t1) = begun[0], begun[-1]
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "results.h5"
        timed("file", lambda: write_results(results, path, compact=True))
        size = path.stat().st_size / 1e6
    timed("judgement", lambda: summarise(project, results))
    ridden = float(results.states.time[-1])
    return {
        "train": title,
        "bodies": len(results.names.bodies),
        "ridden_s": ridden,
        "cpu_s": cpu,
        "stepping": (t1 - t0) / (c1 - c0),
        "whole": ridden / sum(cpu.values()),
        "file_MB": size,
        "memory_MB": measure.peak_memory(),
    }


def main() -> None:
    """Print and store what each train costs, the largest last: memory is the most that was used so far."""
    _whole("compiles", _project("viegas2016", 2, "full", 3.0))
    rows = []
    for title, car, count, seats in TRAINS:
        rows.append(_whole(title, _project(car, count, seats, RIDDEN)))
        print(f"  {title}: {rows[-1]['whole']:.2f} x real time", flush=True)  # the next one takes minutes
    parts = tuple(rows[0]["cpu_s"])
    print(
        measure.table(
            ("train", "bodies", "stepping x", "whole x", *(f"{part} s" for part in parts), "file MB", "memory MB"),
            [
                (
                    r["train"], r["bodies"], r["stepping"], r["whole"], *r["cpu_s"].values(), r["file_MB"],
                    r["memory_MB"],
                )
                for r in rows
            ],
        )
    )  # fmt: skip
    full = rows[-1]
    goals = [
        measure.goal(f"28 riders in real time, whole: {full['whole']:.2f} x", full["whole"] >= 1.0),
        measure.goal(
            f"stepping {STEPPING:g} x real time: {full['stepping']:.2f}", full["stepping"] >= STEPPING
        ),
        measure.goal(f"file of {SIZE:g} MB at most: {full['file_MB']:.0f}", full["file_MB"] <= SIZE),
        measure.goal(
            f"memory of {MEMORY:g} MB at most: {full['memory_MB']:.0f}", full["memory_MB"] <= MEMORY
        ),
        measure.goal(
            f"start speed a tenth of the run at most: {full['cpu_s']['start speed'] / full['cpu_s']['run']:.3f}",
            full["cpu_s"]["start speed"] <= 0.1 * full["cpu_s"]["run"],
        ),
    ]
    measure.write("full_train", {"rows": rows, "goals": goals})
