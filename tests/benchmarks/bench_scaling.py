"""CPU per vehicle when more vehicles with riders run on one track."""

from __future__ import annotations

import time
from typing import Any

import numpy as np
from numpy.typing import NDArray

from core.examples import load_example
from core.model.assembly import Train
from core.model.library import load_occupant, load_vehicle, with_rider
from core.multibody.compile import compile_system
from core.project import Project
from core.scenario import Ride
from core.solver import genalpha
from core.solver.engine import Engine, new_log
from core.track.build import build_track
from tests.benchmarks import measure

COUNTS = (1, 2, 4, 8, 16)
GROWTH = 0.20
SPACING = 4.0  # m from car to car
RIDDEN = 4.0  # s
START = 62.0  # m, leaves room for the last car behind the first
SPEED = 26.0  # m/s
STEP = 2e-3  # s


def project(count: int, fixed_step: float | None) -> Project:
    """A train of so many uncoupled cars, a rider in each, on the Looping Star."""
    base = load_example("looping_star")
    cars = tuple(
        with_rider(load_vehicle(), load_occupant(), "Left seat", "Rider").model_copy(
            update={"name": f"Car {k + 1}", "offset": SPACING * k}
        )
        for k in range(count)
    )
    settings = base.settings.model_copy(update={"fixed_step": fixed_step})
    scenario = Ride(start=START, speed=SPEED, duration=RIDDEN)
    update = {"train": Train(cars=cars), "scenario": scenario, "settings": settings}
    return base.model_copy(update=update)


def march(engine: Engine) -> tuple[float, NDArray[np.int64]]:
    """CPU seconds of one run from the engine's start, and its counts."""
    system = engine.system
    never = np.full(len(system.guides), np.inf)
    Y, P, log = engine.memory(), engine.limits(RIDDEN), new_log(system, 512)
    started = time.process_time()
    while True:
        code = genalpha.advance(system.arrays, engine.work, engine.factor, Y, P, log, never, 0, 1 << 30)
        if code != genalpha.FULL:
            break
        Y.counts[genalpha.LOGGED] = 0
    cpu = time.process_time() - started
    if code != genalpha.FINISHED:
        raise ArithmeticError(f"the ride stopped with code {code} at t = {Y.clock[genalpha.TIME]:.3f} s")
    return cpu, Y.counts.copy()


def main() -> None:
    """Print and store CPU per vehicle and simulated second for 1 to 16 vehicles."""
    built = build_track(load_example("looping_star").track)
    rows: list[dict[str, Any]] = []
    for count in COUNTS:
        row: dict[str, Any] = {"vehicles": count}
        factor = None
        for kind, fixed in (("error controlled", None), ("fixed step", STEP)):
            described = project(count, fixed)
            started = time.process_time()
            system = compile_system(described, built=built)
            engine = Engine.prepare(system, described.settings, factor)
            if factor is None:
                row["prepare_cpu_s"] = time.process_time() - started
            factor = engine.factor
            runs = [march(engine) for _ in range(3 if count <= 4 else 2)]
            cpu = min(r[0] for r in runs)
            counts = runs[-1][1]
            row |= {
                "bodies": system.bodies,
                "unknowns": system.coordinates + system.rows,
                "fill": len(engine.factor.rows),
            }
            row[kind] = {
                "cpu_per_vehicle_second": cpu / count / RIDDEN,
                "steps": int(counts[genalpha.ACCEPTED]),
                "iterations": int(counts[genalpha.ITERATIONS]),
                "factorisations": int(counts[genalpha.FACTORS]),
                "cpu_per_vehicle_iteration_us": 1e6 * cpu / count / int(counts[genalpha.ITERATIONS]),
            }
        rows.append(row)
    report(rows)


def report(rows: list[dict[str, Any]]) -> None:
    """Table, goal and JSON."""
    header = (
        "vehicles",
        "unknowns",
        "fill a vehicle",
        "prepare s",
        "steps",
        "ms a vehicle second",
        "growth %",
    )
    header += ("fixed: ms", "growth %", "us a vehicle iteration")
    first = {k: rows[0][k]["cpu_per_vehicle_second"] for k in ("error controlled", "fixed step")}
    lines = []
    for r in rows:
        free, fixed = r["error controlled"], r["fixed step"]
        for kind in first:
            r[kind]["growth"] = r[kind]["cpu_per_vehicle_second"] / first[kind] - 1.0
        lines.append(
            (
                r["vehicles"], r["unknowns"], r["fill"] / r["vehicles"], r["prepare_cpu_s"], free["steps"],
                1e3 * free["cpu_per_vehicle_second"], 100.0 * free["growth"],
                1e3 * fixed["cpu_per_vehicle_second"], 100.0 * fixed["growth"],
                fixed["cpu_per_vehicle_iteration_us"],
            )
        )  # fmt: skip
    print(measure.table(header, lines))
    goals = [
        measure.goal(
            f"CPU per vehicle grows by less than {100 * GROWTH:g} % from 1 to {COUNTS[-1]} vehicles, {kind}:"
            f" {100 * max(r[kind]['growth'] for r in rows):.1f} % at most",
            max(r[kind]["growth"] for r in rows) < GROWTH,
        )
        for kind in first
    ]
    measure.write("scaling", {"ridden_s": RIDDEN, "fixed_step_s": STEP, "runs": rows, "goals": goals})
