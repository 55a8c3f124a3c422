"""28 riders whom only seats and restraints hold, against the same train with pelvises fixed: run, judgement and file.

Seven cars of four on the GateKeeper from 32 m/s over its first hill, everybody braced, once on seats with lap bars and
once on those with shoulder restraints.
"""

from __future__ import annotations

from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from typing import Any

from ridewright.core.edits.elements import delete_element
from ridewright.core.edits.riders import make_rider
from ridewright.core.edits.seats import put_seat
from ridewright.core.model.person import Person
from ridewright.core.project.project import Project
from tests.benchmarks import measure
from tests.benchmarks.bench_full_train import full_train, whole_command

MOST = 2.0  # times the train with fixed pelvises
CASES = (("sit_down", 8.0), ("viegas2016", 20.0))  # seat, s
SPEED = 32.0  # m/s
STAGES = ("run", "file", "judgement")


def train(seat: str, ridden: float, *, held: bool) -> Project:
    """The train with an average man on every seat."""
    made = full_train("helix", 7, "full", ridden)
    made = made.model_copy(update={"scenario": made.scenario.model_copy(update={"speed": SPEED})})
    man = Person(stature_percentile="50", mass_percentile="50", neck="braced", held=held)
    for car in made.train.children:  # type: ignore[union-attr]
        for rider in car.riders:
            made = delete_element(made, "assembly", (car.name, rider.name))
        for place in car.seats:
            made = put_seat(made, (car.name,), place.name, seat)
            made, _ = make_rider(made, (car.name,), man, place.name)
    return made


def cost(seat: str, ridden: float, held: bool) -> dict[str, Any]:
    """What such a train costs once everything is loaded."""
    whole_command("loads", train(seat, 1.0, held=held))
    return whole_command(f"{seat}, {'fixed' if held else 'free'}", train(seat, ridden, held=held))


def main() -> None:
    """Print and store what free riders cost over fixed ones, in processes of their own, in turn."""
    rows, goals = [], []
    for seat, ridden in CASES:
        both = []
        for held in (True, False):
            with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as alone:
                both.append(alone.submit(cost, seat, ridden, held).result())
        fixed, free = (sum(one["user_s"][stage] for stage in STAGES) for one in both)
        steps = both[1]["steps"] / both[0]["steps"]
        stepping = both[0]["stepping"] / both[1]["stepping"]
        rows.append((seat, ridden, steps, stepping, fixed, free, free / fixed))
        goals.append(
            measure.goal(
                f"28 free riders on {seat} at most {MOST:g} times fixed ones: {free / fixed:.2f}",
                free <= MOST * fixed,
            )
        )
    header = ("seat", "ridden s", "steps x", "stepping x", "fixed s", "free s", "all x")
    print(measure.table(header, rows))
    measure.write(
        "free_riders", {"rows": [dict(zip(header, row, strict=True)) for row in rows], "goals": goals}
    )
