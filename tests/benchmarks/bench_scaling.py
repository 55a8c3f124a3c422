"""CPU per vehicle when more vehicles with riders run on one track, each with a clock of its own: with error control and
at a fixed step. Measured against the same cars, each from its own place, alone."""

from __future__ import annotations

import time
from typing import Any

import numpy as np

from ridewright.core.base.arrays import Integers
from ridewright.core.model.assembly import Assembly
from ridewright.core.model.library import load_occupant, load_vehicle, with_rider
from ridewright.core.multibody.compile import compile_system
from ridewright.core.multibody.connections import parts_of
from ridewright.core.project.examples import load_example
from ridewright.core.project.project import Project
from ridewright.core.project.scenario import Ride
from ridewright.core.solver import integration
from ridewright.core.solver.engine import Engine
from ridewright.core.solver.ldl import Factor
from ridewright.core.solver.march import End, March, integrate
from ridewright.core.track.build import BuiltTrack, build_track
from tests.benchmarks import measure

COUNTS = (1, 2, 4, 8, 16)
GROWTH = 0.20
SPACING = 4.0  # m from car to car
RIDDEN = 4.0  # s
START = 62.0  # m, leaves room for the last car behind the first
SPEED = 26.0  # m/s
STEP = 2e-3  # s


def project(count: int, fixed_step: float | None, first: int = 0) -> Project:
    """So many uncoupled cars on the Looping Star, a rider in each, the first where car number `first` would be."""
    base = load_example("looping_star")
    cars = tuple(
        with_rider(load_vehicle(), load_occupant(), "Left seat", "Rider").model_copy(
            update={"name": f"Car {k + 1}", "offset": SPACING * k}
        )
        for k in range(count)
    )
    settings = base.settings.model_copy(update={"fixed_step": fixed_step})
    scenario = Ride(start=START - SPACING * first, speed=SPEED, duration=RIDDEN)
    update = {
        "train": Assembly(name="Train", role="train", children=cars),
        "scenario": scenario,
        "settings": settings,
    }
    return base.model_copy(update=update)


def engines(described: Project, built: BuiltTrack, factors: list[Factor]) -> list[Engine]:
    """The engines of a run, one for each clock; factors: of an earlier call, to spare their making, else filled."""
    out = []
    for k, only in enumerate(parts_of(described) or (None,)):
        system = compile_system(described, built=built, only=only)
        out.append(Engine.prepare(system, described.settings, factors[k] if k < len(factors) else None))
        if k == len(factors):
            factors.append(out[-1].factor)
    return out


def ride(started: list[Engine]) -> tuple[float, Integers]:
    """CPU seconds of one run from the engines' start, and its counts, all engines together."""
    marches = [March.begin(e, np.full(len(e.system.guides), np.inf), 0, RIDDEN) for e in started]
    began = time.process_time()
    status, _ = integrate(marches, End(RIDDEN, RIDDEN))
    cpu = time.process_time() - began
    if not status.complete:
        raise ArithmeticError(status.message)
    return cpu, np.sum([m.memory.counts for m in marches], axis=0)


def by_itself(k: int, fixed_step: float | None, built: BuiltTrack) -> float:
    """CPU seconds of the ride of car number k without the others, the least of three."""
    described, factors = project(1, fixed_step, k), list[Factor]()
    return min(ride(engines(described, built, factors))[0] for _ in range(3))


def main() -> None:
    """Print and store CPU per vehicle and simulated second for 1 to 16 vehicles."""
    built = build_track(load_example("looping_star").track)
    kinds = (("error controlled", None), ("fixed step", STEP))
    alone = {kind: [by_itself(k, fixed, built) for k in range(COUNTS[-1])] for kind, fixed in kinds}
    rows: list[dict[str, Any]] = []
    for count in COUNTS:
        row: dict[str, Any] = {"vehicles": count}
        for kind, fixed in kinds:
            described, factors = project(count, fixed), list[Factor]()
            began = time.process_time()
            started = engines(described, built, factors)
            row[f"prepare_cpu_s {kind}"] = time.process_time() - began
            runs = [
                ride(started if k == 0 else engines(described, built, factors))
                for k in range(3 if count <= 4 else 2)
            ]
            cpu = min(r[0] for r in runs)
            counts = runs[-1][1]
            row[kind] = {
                "clocks": len(started),
                "bodies": sum(e.system.bodies for e in started),
                "unknowns": sum(e.system.coordinates + e.system.rows for e in started),
                "fill": sum(int(e.factor.col[-1]) for e in started),
                "cpu_per_vehicle_second": cpu / count / RIDDEN,
                "growth": cpu / sum(alone[kind][:count]) - 1.0,
                "steps_per_clock": int(counts[integration.ACCEPTED]) / len(started),
                "iterations": int(counts[integration.ITERATIONS]),
                "factorisations": int(counts[integration.FACTORS]),
                "cpu_per_vehicle_iteration_us": 1e6
                * cpu
                * len(started)
                / count
                / int(counts[integration.ITERATIONS]),
            }
        rows.append(row)
    report(rows)


def report(rows: list[dict[str, Any]]) -> None:
    """Table, goal and JSON."""
    header = ("vehicles", "unknowns", "prepare s", "steps a clock", "ms a vehicle second", "growth %")
    header += ("fixed: prepare s", "fill a vehicle", "ms", "growth %", "us a vehicle iteration")
    lines = []
    for r in rows:
        free, fixed = r["error controlled"], r["fixed step"]
        lines.append(
            (
                r["vehicles"], free["unknowns"], r["prepare_cpu_s error controlled"], free["steps_per_clock"],
                1e3 * free["cpu_per_vehicle_second"], 100.0 * free["growth"],
                r["prepare_cpu_s fixed step"], fixed["fill"] / r["vehicles"],
                1e3 * fixed["cpu_per_vehicle_second"], 100.0 * fixed["growth"],
                fixed["cpu_per_vehicle_iteration_us"],
            )
        )  # fmt: skip
    print(measure.table(header, lines))
    goals = [
        measure.goal(
            f"CPU per vehicle grows by less than {100 * GROWTH:g} % over that of the same vehicles alone,"
            f" up to {COUNTS[-1]}, {kind}: {100 * max(r[kind]['growth'] for r in rows):.1f} % at most",
            max(r[kind]["growth"] for r in rows) < GROWTH,
        )
        for kind in ("error controlled", "fixed step")
    ]
    measure.write("scaling", {"ridden_s": RIDDEN, "fixed_step_s": STEP, "runs": rows, "goals": goals})
