"""The rider on a moving seat against exudyn and MuJoCo: work and precision."""

from __future__ import annotations

from itertools import combinations
from typing import Any

import numpy as np

from ridewright.core.base.arrays import Array
from ridewright.core.project.scenario import SolverSettings
from tests.benchmarks import measure, seat_exudyn, seat_mujoco, seat_ridewright
from tests.benchmarks.seat_case import (
    DURATION,
    REST,
    WATCHED,
    SeatedRider,
    driven_seat,
    resting_seat,
    seated_rider,
)
from tests.benchmarks.seat_ridewright import Run

WATCH = 0.005  # s between the instants at which errors are taken
HAND_ERROR = 1e-3  # m
SHARE = 1.0 / 3.0
NAMED = ("exudyn", "MuJoCo discrete", "MuJoCo implicitfast", "MuJoCo Euler")  # the peers the goal speaks of
TOLERANCES = (1e-3, 1e-4, 3e-5, 1e-5, 3e-6, 1e-6, 3e-7, 1e-7, 3e-8)
MUJOCO = {
    "discrete": (2.5e-3, 1e-3, 5e-4, 2.5e-4, 1.25e-4, 5e-5),
    "implicitfast": (2.5e-3, 1e-3, 5e-4, 2.5e-4, 1.25e-4, 5e-5),
    "Euler": (1.25e-4, 5e-5, 2.5e-5),
    "RK4": (WATCH / 23, 2e-4, 1e-4),  # 0.217 ms is about the longest stable step
}
FIXED = (2e-3, 1e-3, 5e-4)
EXUDYN = (2.5e-3, 1e-3, 5e-4, 2.5e-4)
REFERENCE_STEP = 5e-5
FIRST = 1.0  # s
SAME = 1e-5  # m, what the codes may differ by after a second of gravity alone


def _times() -> Array:
    return WATCH * np.arange(round(DURATION / WATCH) + 1)


def difference(run: Run, reference: Run, end: float = DURATION) -> dict[str, float]:
    """Largest distances (m) from the reference up to `end` (s): head and hands."""
    k = np.rint(run.time / WATCH).astype(int)
    keep = run.time <= end + 1e-9
    gap = np.linalg.norm(run.watched - reference.watched[k], axis=2)[keep].max(axis=0)
    return {"head": float(gap[0]), "hand": float(gap[1:].max())}


def reference_run(rider: SeatedRider) -> tuple[Run, dict[str, Any]]:
    """The converged motion, and how far independent codes at their finest are from it.

    It is a fourth-order Runge-Kutta run in minimal coordinates (MuJoCo), because that is the only one whose own
    convergence reaches a micrometre in 10 s; the step halved tells its error, ours and exudyn's tell that the
    models are one.
    """
    reference = seat_mujoco.reference(rider, REFERENCE_STEP, round(WATCH / REFERENCE_STEP))
    coarse = seat_mujoco.reference(rider, 2 * REFERENCE_STEP, round(WATCH / (2 * REFERENCE_STEP)))
    fine = SolverSettings(fixed_step=2.5e-4)
    ours = seat_ridewright.run(driven_seat(fine), "Ridewright, driven seat", _times(), 1)
    theirs = seat_exudyn.run(rider, 1.25e-4, WATCH, 1)
    checks: dict[str, Any] = {
        "reference": f"MuJoCo RK4, step {REFERENCE_STEP:g} s, gravity at every stage",
        "step doubled": difference(coarse, reference),
    }
    for run in (ours, theirs):
        if run is not None:
            checks[f"{run.code}, {run.setting}"] = {
                "first second": difference(run, reference, FIRST),
                "all": difference(run, reference),
            }
    return reference, checks


def sweep(rider: SeatedRider) -> list[Run]:
    """Runs of all codes over their tolerances and steps; those that explode are left out."""
    runs: list[Run | None] = []
    for tolerance in TOLERANCES:
        # hands are what is compared, so they count in full; no other code has a tolerance for them
        settings = SolverSettings(tolerance=tolerance, limb_tolerance=1.0)
        repeats = 3 if tolerance > 5e-7 else 2
        runs.append(seat_ridewright.run(driven_seat(settings), "Ridewright, driven seat", _times(), repeats))
        runs.append(
            seat_ridewright.run(resting_seat(settings), "Ridewright, resting seat", _times(), repeats)
        )
        second = settings.model_copy(update={"fourth_order": False})
        label = "Ridewright, driven seat, order 2"
        runs.append(seat_ridewright.run(driven_seat(second), label, _times(), repeats))
    for step in FIXED:
        settings = SolverSettings(fixed_step=step)
        label = "Ridewright, driven seat, fixed step"
        runs.append(seat_ridewright.run(driven_seat(settings), label, _times(), 2))
    for integrator, steps in MUJOCO.items():
        for step in steps:
            runs.append(seat_mujoco.run(rider, integrator, step, round(WATCH / step), 2))
    for step in EXUDYN:
        runs.append(seat_exudyn.run(rider, step, WATCH, 2 if step > 7e-4 else 1))
    return [run for run in runs if run is not None]


def agreement_at_rest(rider: SeatedRider) -> dict[str, Any]:
    """Head and hands (m) of all codes after a second of gravity alone, and their largest distance."""
    places = {
        "Ridewright": seat_ridewright.at_rest(),
        "MuJoCo": seat_mujoco.at_rest(rider),
        "exudyn": seat_exudyn.at_rest(rider),
    }
    gap = max(float(np.abs(a - b).max()) for a, b in combinations(places.values(), 2))
    if gap > SAME:
        raise ArithmeticError(f"the codes disagree by {gap:.2g} m under gravity alone; their models differ")
    drawn = np.stack([rider.segments[name].position for name in WATCHED])
    return {
        "seconds": REST,
        "largest distance between codes": gap,
        "moved since the start": dict(zip(WATCHED, (places["Ridewright"] - drawn).tolist(), strict=True)),
    }


def _plot(rows: list[dict[str, Any]]) -> None:
    import matplotlib

    matplotlib.use("Agg")
    import matplotlib.pyplot as plt

    figure, axes = plt.subplots(1, 2, figsize=(11, 4.6), sharey=True, layout="constrained")
    for part, ax in zip(("hand", "head"), axes, strict=True):
        for k, code in enumerate(dict.fromkeys(row["code"] for row in rows)):
            own = sorted((r["steps"], r["error"][part], r["cpu_s"]) for r in rows if r["code"] == code)
            _, x, y = np.array(own).T
            ax.loglog(x, y, marker="osD^v*xP"[k % 8], lw=1.2, ms=5, label=code)
        ax.set_xlabel(f"largest error of the {part} in {DURATION:g} s, m")
        ax.grid(True, which="both", lw=0.3)
    axes[0].axvline(HAND_ERROR, color="0.4", lw=0.8, ls="--")
    axes[0].set_ylabel("CPU time of the stepping, s")
    axes[1].legend(fontsize=8)
    figure.suptitle(
        "Rider of Viegas 2016 on a seat with prescribed acceleration: work and precision, one thread"
    )
    for suffix in ("png", "svg"):
        figure.savefig(measure.OUT / f"occupant_on_seat.{suffix}", dpi=140)
    plt.close(figure)


def _cheapest(rows: list[dict[str, Any]], code: str) -> dict[str, Any] | None:
    """The cheapest run of a code that is precise enough and has no dearer run that is not: no lucky hits."""
    best = None
    for row in sorted((r for r in rows if r["code"] == code), key=lambda r: -r["steps"]):
        if row["error"]["hand"] > HAND_ERROR:
            break
        best = row
    return best


def _compare(best: dict[str, dict[str, Any] | None]) -> list[dict[str, Any]]:
    """The goal against the peers it names, and against every integrator that was tried."""
    own = [r for c, r in best.items() if c == "Ridewright, driven seat" and r is not None]
    peers = {c: r["cpu_s"] for c, r in best.items() if r is not None and not c.startswith("Ridewright")}
    groups = {
        "exudyn and MuJoCo's Euler, discrete, implicitfast": {
            c: x for c, x in peers.items() if c.startswith(NAMED)
        },
        "these and MuJoCo's RK4": peers,
    }
    goals = []
    for name, group in groups.items():
        text = f"at hand error {HAND_ERROR:g} m at most a third of the CPU of the faster of {name}"
        if not own or not group:
            goals.append(measure.goal(f"{text}: not comparable, nobody reached the error", False))
            continue
        peer = min(group, key=lambda c: group[c])
        ratio = own[0]["cpu_s"] / group[peer]
        figures = f"{own[0]['cpu_s']:.3g} s against {group[peer]:.3g} s ({peer}), ratio {ratio:.3f}"
        goals.append(measure.goal(f"{text}: {figures}", ratio <= SHARE))
    return goals


def main() -> None:
    """Print and store the comparison."""
    rider = seated_rider()
    agreement = agreement_at_rest(rider)
    print(f"  under gravity alone the codes agree to {agreement['largest distance between codes']:.2g} m")
    reference, checks = reference_run(rider)
    rows = [
        {
            "code": run.code,
            "setting": run.setting,
            "steps": run.steps,
            "cpu_s": run.cpu,
            "error": difference(run, reference),
            "error_first_second": difference(run, reference, FIRST),
        }
        for run in sweep(rider)
    ]
    header = ("code", "setting", "steps", "CPU s", "head m", "hand m", "hand m, first 1 s")
    lines = [
        (
            r["code"],
            r["setting"],
            r["steps"],
            r["cpu_s"],
            r["error"]["head"],
            r["error"]["hand"],
            r["error_first_second"]["hand"],
        )
        for r in rows
    ]
    print(measure.table(header, lines))
    for name, value in checks.items():
        print(f"  check of the reference: {name}: {value}")
    codes = list(dict.fromkeys(r["code"] for r in rows))
    best = {code: _cheapest(rows, code) for code in codes}
    for code, r in best.items():
        closest = min(x["error"]["hand"] for x in rows if x["code"] == code)
        state = "not reached, closest" if r is None else f"{r['cpu_s']:.3g} s with {r['setting']}, closest"
        print(f"  hand error <= {HAND_ERROR:g} m: {code}: {state} {closest:.2g} m")
    goals = _compare(best)
    measure.write(
        "occupant_on_seat",
        {"at_rest": agreement, "checks": checks, "runs": rows, "cheapest": best, "goals": goals},
    )
    _plot(rows)
