"""Vehicle and rider on the Looping Star: speed against real time, and what the tolerance does to the criteria."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import Any

from ridewright.core.injury.evaluate import evaluate_history
from ridewright.core.outcome.rider_view import rider_history
from ridewright.core.project.examples import load_example
from ridewright.core.project.project import Project
from ridewright.core.project.scenario import SolverSettings
from ridewright.core.results.results import Results
from ridewright.core.run.simulate import simulate
from tests.benchmarks import measure

SPEED, AROUND = 60.0, 38.0  # times faster than real time: stepping, with everything around it
CHANGE = 0.01
# each a tenth of the one three places before, so that every run but the last three has its judge
TOLERANCES = (1e-3, 5e-4, 2e-4, 1e-4, 5e-5, 2e-5, 1e-5, 5e-6, 2e-6, 1e-6, 5e-7, 2e-7)
TENTH = 3
WANTED = ("hic36", "clip_3ms", "peak_resultant")
PARTS = ("head", "upper_torso", "pelvis")
REPEATS = 2


@dataclass(frozen=True)
class Ride:
    """One tolerance: CPU seconds of simulate() and of its stepping, ridden seconds, criteria by name."""

    tolerance: float
    cpu_all: float
    cpu_stepping: float
    ridden: float
    solver: dict[str, Any]
    values: dict[str, float]


def with_tolerance(project: Project, tolerance: float) -> Project:
    """The project with another tolerance."""
    settings = project.settings.model_copy(update={"tolerance": tolerance})
    return project.model_copy(update={"settings": settings})


def criteria(results: Results) -> dict[str, float]:
    """HIC36, 3 ms clip and peak g of every rider's parts, by name."""
    out: dict[str, float] = {}
    for rider in results.names.riders:
        for part in PARTS:
            for result in evaluate_history(rider_history(results, rider, part)):
                if part != "head" and result.criterion.startswith("hic"):
                    continue  # a criterion of the head
                if result.value is not None and result.criterion in WANTED:
                    out[f"{rider}/{part}/{result.criterion}"] = float(result.value)
    return out


def _timed(project: Project) -> tuple[float, float, Results]:
    """CPU of simulate() and of the stepping in it: the latter from the first report of progress to the last,
    scaled to the whole ride by the ridden time between them."""
    reports: list[tuple[float, float]] = []
    started = time.process_time()
    results = simulate(
        project, on_progress=lambda _fraction, now, _end: reports.append((time.process_time(), now))
    )
    cpu = time.process_time() - started
    (c0, t0), (c1, t1) = reports[0], reports[-1]
    return cpu, (c1 - c0) / (t1 - t0) * float(results.states.time[-1]), results


def ride(project: Project, tolerance: float, repeats: int = REPEATS) -> Ride:
    """The least CPU of some repeats at one tolerance."""
    runs = [_timed(with_tolerance(project, tolerance)) for _ in range(repeats)]
    results = runs[-1][2]
    if not results.status.complete:
        raise ArithmeticError(f"the ride ended early at tolerance {tolerance:g}: {results.status.message}")
    return Ride(
        tolerance=tolerance,
        cpu_all=min(r[0] for r in runs),
        cpu_stepping=min(r[1] for r in runs),
        ridden=float(results.states.time[-1]),
        solver=results.provenance["solver"],
        values=criteria(results),
    )


def deviations(run: Ride, judge: Ride) -> dict[str, float]:
    """Relative change of every criterion against another run."""
    return {name: abs(run.values[name] / judge.values[name] - 1.0) for name in judge.values}


def judged(runs: list[Ride]) -> list[dict[str, Any]]:
    """A row of figures for each run, with its changes against the run at a tenth of its tolerance."""
    rows: list[dict[str, Any]] = []
    for k, run in enumerate(runs):
        row: dict[str, Any] = {
            "tolerance": run.tolerance,
            "cpu_stepping_s": run.cpu_stepping,
            "cpu_simulate_s": run.cpu_all,
            "ridden_s": run.ridden,
            "speed_stepping": run.ridden / run.cpu_stepping,
            "speed_simulate": run.ridden / run.cpu_all,
            "solver": run.solver,
            "criteria": run.values,
        }
        if k + TENTH < len(runs):
            change = deviations(run, runs[k + TENTH])
            worst = max(change, key=lambda name: change[name])
            row |= {"deviation": change, "worst": worst, "worst_deviation": change[worst]}
            row |= {"worst_head_deviation": max(v for n, v in change.items() if "/head/" in n)}
        rows.append(row)
    return rows


def _show(rows: list[dict[str, Any]]) -> None:
    header = (
        "tolerance",
        "steps",
        "stepping x real time",
        "simulate() x real time",
        "head %",
        "all %",
        "worst of all",
    )
    print(
        measure.table(
            header,
            [
                (
                    r["tolerance"],
                    r["solver"]["accepted"],
                    r["speed_stepping"],
                    r["speed_simulate"],
                    100.0 * r["worst_head_deviation"],
                    100.0 * r["worst_deviation"],
                    r["worst"],
                )
                for r in rows
                if "worst" in r
            ],
        )
    )


def _goals(rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Both goals at the default tolerance."""
    default = SolverSettings().tolerance
    own = next((r for r in rows if r["tolerance"] == default), None)
    goals = []
    if own is None or "worst" not in own:
        raise ValueError(f"the default tolerance {default:g} is not in the sweep; add it to TOLERANCES")
    goals.append(
        measure.goal(
            f"{SPEED:g} x real time at the default tolerance {default:g}: {own['speed_stepping']:.1f} stepping,"
            f" {AROUND:g} with everything around it: {own['speed_simulate']:.1f}",
            own["speed_stepping"] >= SPEED and own["speed_simulate"] >= AROUND,
        )
    )
    goals.append(
        measure.goal(
            f"criteria within {100 * CHANGE:g} % of a tenth of the tolerance: {100 * own['worst_deviation']:.3f} %"
            f" ({own['worst']})",
            own["worst_deviation"] <= CHANGE,
        )
    )
    return goals


def main() -> None:
    """Print and store speed and deviations over the tolerances."""
    project = load_example("looping_star")
    simulate(with_tolerance(project, 1e-3))  # compiles
    rows = judged([ride(project, tol, REPEATS if tol >= 1e-6 else 1) for tol in TOLERANCES])
    _show(rows)
    good = [r for r in rows if r.get("worst_deviation", 1.0) <= CHANGE and r["speed_stepping"] >= SPEED]
    both = [r["tolerance"] for r in good]
    print(f"  tolerances that meet both goals: {', '.join(f'{t:g}' for t in both) or 'none'}")
    goals = _goals(rows)
    measure.write("ride_looping_star", {"runs": rows, "both_goals_met_at": both, "goals": goals})
