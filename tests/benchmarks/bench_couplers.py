"""Couplers with and without the mass of their parts: CPU at the same error, per car of long trains, of a coaster train.

Error: largest difference of the first block's travel, in mm, of the middle coupling (on the curved track: of the end of
its shank across) from a converged run with mass, at 100 instants. Both models run at the longest step, or loosest
tolerance, of one list that keeps the error below the same bound: half a percent of the largest value, or the massless
model's own error and a fifth if that is more. Beside it: CPU of one step of the default integrator, all of 1 ms.
"""

from __future__ import annotations

import time
from typing import Any, NamedTuple

import numpy as np

from ridewright.core.base.arrays import Array, Integers
from ridewright.core.edits.changes import changed
from ridewright.core.model.assembly import Assembly
from ridewright.core.model.couplings.bar import Bar
from ridewright.core.model.library import load_occupant, load_vehicle, with_rider
from ridewright.core.multibody.compile import compile_system, track_of
from ridewright.core.multibody.connections import parts_of
from ridewright.core.project.examples import load_example
from ridewright.core.project.project import Project
from ridewright.core.project.scenario import Ride
from ridewright.core.results.results import Results
from ridewright.core.run.simulate import simulate
from ridewright.core.solver import integration
from ridewright.core.solver.engine import Engine
from ridewright.core.solver.march import End, March, integrate
from tests.benchmarks import measure

# from too long and too loose to more than enough, one like the other: an end of a list must not decide
STEPS = tuple(5e-2 * 0.93**k for k in range(100))
TOLERANCES = tuple(10.0 ** (1.0 - 0.1 * k) for k in range(100))
COUNTS = (1, 2, 5, 10, 40)
GROWTH = 0.20


class Case(NamedTuple):
    """Example, simulated seconds, number of its middle coupling, what of it is compared, goals explicit, implicit."""

    name: str
    duration: float
    coupling: int
    column: int
    scale: float
    goals: tuple[float, float]


CASES = (
    Case("two_cars_loaded", 3.0, 1, 0, 1e3, (85.0, 2.5)),
    Case("ten_cars", 4.0, 5, 0, 1e3, (300.0, 4.0)),
    Case("freight_curve", 12.0, 1, 1, 8e2, (200.0, 2.5)),
)


def project(case: Case, inertia: bool, rates: str, **settings: object) -> Project:
    """The example of a case with one model of its couplings and some settings."""
    base = load_example(case.name)
    train = base.train
    assert train is not None
    update = {"inertia": inertia, "rates": rates}
    couplings = tuple(c.model_copy(update=update) for c in train.couplings)
    made = base.settings.model_copy(update={"sample_rate": 100.0, "max_step": 1.0, **settings})
    scenario = base.scenario.model_copy(update={"duration": case.duration})
    train = train.model_copy(update={"couplings": couplings})
    return base.model_copy(update={"train": train, "settings": made, "scenario": scenario})


def compared(case: Case, run: Results) -> Array:
    """What is compared, at 100 instants (mm)."""
    which = ("travel_i", "shank_i")[case.column]
    values = run.channels[f"coupling/Coupling {case.coupling}/{which}"].values
    grid = np.linspace(0.0, case.duration, 101)
    return case.scale * np.interp(grid, run.sample_time, values)


def stepping(described: Project, end: float) -> tuple[float, Integers]:
    """Least CPU seconds of three runs of the integration alone, and its counts."""
    built, best = track_of(described), np.inf
    counts = np.zeros(7, dtype=np.int64)
    for _ in range(3):
        started = [
            Engine.prepare(compile_system(described, built=built, only=only), described.settings)
            for only in parts_of(described) or (None,)
        ]
        marches = [March.begin(e, np.full(len(e.system.guides), np.inf), 0, end) for e in started]
        began = time.process_time()
        status, _ = integrate(marches, End(end, end))
        best = min(best, time.process_time() - began)
        counts = np.sum([m.memory.counts for m in marches], axis=0)
        if not status.complete:
            raise ArithmeticError(status.message)
    return best, counts


def cheapest(case: Case, answer: Array, bound: float, inertia: bool, explicit: bool) -> dict[str, Any]:
    """The longest step or loosest tolerance with an error below a bound (mm), and what it costs."""
    rates = "differentiated" if explicit else "equilibrium"
    for value in STEPS if explicit else TOLERANCES:
        settings: dict[str, object] = (
            {"method": "rk4", "fixed_step": value} if explicit else {"tolerance": value}
        )
        described = project(case, inertia, rates, **settings)
        try:
            run = simulate(described)
        except (ArithmeticError, FloatingPointError):
            continue
        if not run.status.complete:
            continue
        error = float(np.abs(compared(case, run) - answer).max())
        if error < bound:
            cpu, counts = stepping(described, case.duration)
            whole, _ = measure.min_cpu(lambda: simulate(described), 2)  # noqa: B023
            return {
                "setting": value, "error_mm": error, "stepping_cpu_s": cpu, "simulate_cpu_s": whole,
                "steps": int(counts[integration.ACCEPTED]),
            }  # fmt: skip
    return {
        "setting": None,
        "error_mm": np.inf,
        "stepping_cpu_s": np.inf,
        "simulate_cpu_s": np.inf,
        "steps": 0,
    }


def speed_up(case: Case) -> list[dict[str, Any]]:
    """Both integrators, both models of a case."""
    answer = compared(case, simulate(project(case, True, "equilibrium", tolerance=1e-9)))
    rows = []
    for explicit in (True, False):
        rates = "differentiated" if explicit else "equilibrium"
        own = float(
            np.abs(compared(case, simulate(project(case, False, rates, tolerance=1e-8))) - answer).max()
        )
        bound = max(1.2 * own, 5e-3 * float(np.abs(answer).max()))
        heavy, light = (cheapest(case, answer, bound, inertia, explicit) for inertia in (True, False))
        rows.append(
            {
                "case": case.name, "method": "RK4" if explicit else "default", "bound_mm": bound,
                "with mass": heavy, "without": light, "ratio": heavy["stepping_cpu_s"] / light["stepping_cpu_s"],
                "ratio simulate": heavy["simulate_cpu_s"] / light["simulate_cpu_s"],
                "ratio of a step": np.nan if explicit else equal_steps(case),
                "goal": case.goals[0 if explicit else 1],
            }
        )  # fmt: skip
    return rows


def equal_steps(case: Case) -> float:
    """CPU of the default integrator with mass over that without, both at steps of 1 ms."""
    short = case._replace(duration=1.0)
    heavy, light = (
        stepping(project(short, inertia, "equilibrium", fixed_step=1e-3), 1.0)[0] for inertia in (True, False)
    )
    return heavy / light


def fill(described: Project) -> int:
    """Entries of the factors of all consists."""
    systems = [compile_system(described, only=only) for only in parts_of(described) or (None,)]
    return sum(int(Engine.prepare(system, described.settings).factor.col[-1]) for system in systems)


def long_trains() -> list[dict[str, Any]]:
    """CPU per car and step of coupled cars, massless couplers, at a fixed step."""
    base = load_example("ten_cars")
    train = base.train
    assert train is not None
    rows = []
    for count in COUNTS:
        cars = tuple(
            train.children[0].model_copy(update={"name": f"Car {k + 1}", "offset": 13.976 * k})
            for k in range(count)
        )
        links = tuple(
            train.couplings[0].model_copy(
                update={
                    "name": f"C {k}",
                    "body_i": f"Car {k + 2}/Car body",
                    "body_j": f"Car {k + 1}/Car body",
                }
            )
            for k in range(count - 1)
        )
        push = train.forces[0].model_copy(update={"body": f"Car {count}/Car body"})
        made = Assembly(name="Train", role="train", children=cars, couplings=links, forces=(push,))
        settings = base.settings.model_copy(update={"fixed_step": 2e-3})
        scenario = Ride(start=cars[-1].offset + 20.0, speed=1.0, duration=2.0)
        described = changed(base, "train", {"train": made, "settings": settings, "scenario": scenario})
        cpu, counts = stepping(described, 2.0)
        steps = int(counts[integration.ACCEPTED])
        rows.append(
            {
                "cars": count, "us_a_car_step": 1e6 * cpu / count / steps,
                "iterations_a_step": int(counts[integration.ITERATIONS]) / steps,
                "fill_a_car": fill(described) / count,
            }
        )  # fmt: skip
    return rows


def coaster_train(seconds: float = 6.0) -> dict[str, Any]:
    """Seven of the library's vehicles with two riders each, joined by bars, on the Looping Star."""
    base = load_example("looping_star")
    car = load_vehicle()
    for seat in car.seats[:2]:
        car = with_rider(car, load_occupant(), seat.name, f"Rider {seat.name}")
    apart = 3.4
    cars = tuple(car.model_copy(update={"name": f"Car {k + 1}", "offset": apart * k}) for k in range(7))
    body = max(car.own("body"), key=lambda name: car.own("body")[name].mass)
    links = tuple(
        Bar(name=f"Bar {k + 1}", body_i=f"Car {k + 2}/{body}", body_j=f"Car {k + 1}/{body}") for k in range(6)
    )
    train = Assembly(name="Train", role="train", children=cars, couplings=links)
    described = base.model_copy(
        update={"train": train, "scenario": Ride(start=62.0, speed=26.0, duration=seconds)}
    )
    cpu, counts = stepping(described, seconds)
    return {
        "simulated_s": seconds,
        "cpu_s": cpu,
        "steps": int(counts[integration.ACCEPTED]),
        "bodies": 7 * 24,
    }


def main() -> None:
    """Print tables and goals, store everything."""
    rows = [row for case in CASES for row in speed_up(case)]
    header = (
        "case",
        "method",
        "error bound mm",
        "with mass: setting",
        "error",
        "steps",
        "stepping s",
        "simulate s",
    )
    header += (
        "without: setting",
        "error",
        "steps",
        "stepping s",
        "simulate s",
        "ratio",
        "ratio simulate",
        "of a step",
    )
    figures = ("setting", "error_mm", "steps", "stepping_cpu_s", "simulate_cpu_s")
    print(
        measure.table(
            header,
            [
                (
                    r["case"], r["method"], r["bound_mm"], *(r["with mass"][f] for f in figures),
                    *(r["without"][f] for f in figures), r["ratio"], r["ratio simulate"],
                    r["ratio of a step"],
                )
                for r in rows
            ],
        )
    )  # fmt: skip
    goals = [
        measure.goal(
            f"{r['case']}, {r['method']}: {r['goal']:g} times as fast, measured {r['ratio']:.3g}",
            np.isfinite(r["ratio"]) and r["ratio"] >= r["goal"],
        )
        for r in rows
    ]
    trains = long_trains()
    print(
        measure.table(
            ("cars", "us a car and step", "iterations a step", "fill a car"),
            [tuple(r.values()) for r in trains],
        )
    )
    # two cars have half a coupling each, forty nearly one
    each = [r["us_a_car_step"] * r["cars"] / (2 * r["cars"] - 1) for r in trains]
    growth = max(each[1:]) / each[1] - 1.0
    goals.append(
        measure.goal(
            f"CPU per car or coupling and step grows by less than 20 % from 2 to 40 cars: {100 * growth:.0f} %",
            growth < GROWTH,
        )
    )
    cars = trains[-1]["us_a_car_step"] / trains[1]["us_a_car_step"] - 1.0
    goals.append(
        measure.goal(
            f"CPU per car and step grows by less than 20 % from 2 to 40 cars: {100 * cars:.0f} %",
            cars < GROWTH,
        )
    )
    coaster = coaster_train()
    goals.append(
        measure.goal(
            f"7 cars with 14 riders faster than real time: {coaster['cpu_s']:.2f} s for {coaster['simulated_s']:g} s",
            coaster["cpu_s"] < coaster["simulated_s"],
        )
    )
    measure.write(
        "couplers", {"speed_up": rows, "long_trains": trains, "coaster_train": coaster, "goals": goals}
    )
