"""A full train on the GateKeeper, the whole command: start speed, run, judgement and file, against real time.

Its first seconds here, told stage by stage; the whole lap is `bench_full_lap`.
"""

from __future__ import annotations

import os
import tempfile
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path
from typing import Any, TypeVar

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

T = TypeVar("T")
FIRST = 6.0  # s
WHOLE = 1.0  # times real time
STEPPING = 2.5
#: What rides: title, car, cars, seats.
TRAINS = (
    ("10 cars, nobody on them", "viegas2016", 10, "empty"),
    ("7 cars, 14 riders", "viegas2016", 7, "full"),
    ("7 cars, 28 riders", "helix", 7, "full"),
)
FULL = TRAINS[-1:]


def full_train(car: str, count: int, seats: str, ridden: float) -> Project:
    """A train on the GateKeeper at the default tolerance, whose start speed is to be found; ridden in s."""
    made = make_train(load_example("gatekeeper"), car, count, riders=seats)  # type: ignore[arg-type]
    scenario = made.scenario.model_copy(update={"duration": ridden, "speed": None})
    settings = made.settings.model_copy(update={"tolerance": SolverSettings().tolerance})
    return made.model_copy(update={"scenario": scenario, "settings": settings})


def whole_command(title: str, project: Project) -> dict[str, Any]:
    """Processor seconds in user code of each stage of the command, told as it ends; steps, size of the file (MB) and
    peak memory so far (MB)."""
    cpu: dict[str, float] = {}
    print(f"  {title}:", end="", flush=True)

    def timed(name: str, call: Callable[[], T]) -> T:
        begun = os.times().user
        out = call()
        cpu[name] = os.times().user - begun
        print(f" {name} {cpu[name]:.2f} s,", end="", flush=True)
        return out

    built = timed("track", lambda: build_track(project.track))  # type: ignore[arg-type]
    speed = timed("start speed", lambda: start_speed(project, built))
    given = project.scenario.model_copy(update={"speed": speed})
    told: list[tuple[float, float]] = []
    results = timed(
        "run",
        lambda: simulate(
            project.model_copy(update={"scenario": given}),
            on_progress=lambda _fraction, now, _end: told.append((os.times().user, now)),
        ),
    )
    (c0, t0), (c1, t1) = told[0], told[-1]
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "results.h5"
        timed("file", lambda: write_results(results, path, compact=True))
        size = path.stat().st_size / 1e6
    timed("judgement", lambda: summarise(project, results))
    ridden = float(results.states.time[-1])
    found = {
        "train": title,
        "bodies": len(results.names.bodies),
        "ridden_s": ridden,
        "user_s": cpu,
        "steps": results.provenance["solver"]["accepted"],
        "stepping": (t1 - t0) / (c1 - c0),
        "whole": ridden / sum(cpu.values()),
        "file_MB": size,
        "memory_MB": measure.peak_memory(),
    }
    print(f" whole {found['whole']:.2f} x real time", flush=True)
    return found


def _train(title: str, car: str, count: int, seats: str, ridden: float) -> dict[str, Any]:
    """What a train costs once everything is loaded."""
    whole_command("loads", full_train("viegas2016", 2, "full", 3.0))
    return whole_command(title, full_train(car, count, seats, ridden))


def trains(chosen: tuple[tuple[str, str, int, str], ...], ridden: float) -> list[dict[str, Any]]:
    """What trains cost over some seconds of riding, each in a process of its own, whose memory is its own."""
    rows = []
    for one in chosen:
        with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as alone:
            rows.append(alone.submit(_train, *one, ridden).result())
    parts = tuple(rows[0]["user_s"])
    header = (
        "train",
        "bodies",
        "steps",
        "stepping x",
        "whole x",
        *(f"{part} s" for part in parts),
        "file MB",
    )
    keys = ("train", "bodies", "steps", "stepping", "whole")
    lines = [(*(r[k] for k in keys), *r["user_s"].values(), r["file_MB"], r["memory_MB"]) for r in rows]
    print(measure.table((*header, "memory MB"), lines))
    return rows


def pace(full: dict[str, Any]) -> list[dict[str, Any]]:
    """The goals against real time."""
    return [
        measure.goal(f"28 riders in real time, whole: {full['whole']:.2f} x", full["whole"] >= WHOLE),
        measure.goal(
            f"stepping {STEPPING:g} x real time: {full['stepping']:.2f}", full["stepping"] >= STEPPING
        ),
    ]


def main() -> None:
    """Print and store what the first seconds of the fullest train cost."""
    rows = trains(FULL, FIRST)
    measure.write("full_train", {"rows": rows, "goals": pace(rows[-1])})
