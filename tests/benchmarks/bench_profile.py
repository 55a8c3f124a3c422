"""Where the time of a ride goes, by kernel: time of one call on a captured state times the calls of a ride."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ridewright.core.project.examples import load_example
from ridewright.core.run.simulate import simulate
from tests.benchmarks import measure
from tests.benchmarks.bench_ride_looping_star import ride
from tests.benchmarks.captured import (
    CapturedRide,
    captured_ride,
    constraints_times,
    forces_times,
    move_times,
    tangent_times,
)

LOOP = 200


def kernel_times(captured: CapturedRide) -> dict[str, float]:
    """CPU seconds of one call of each kernel."""
    system, W, Y = captured.engine.system, captured.engine.work, captured.memory
    S = system.arrays
    b = np.random.default_rng(5).standard_normal(captured.unknowns)
    dx = 1e-3 * np.ones(system.coordinates)

    def each(call: Callable[[], Any]) -> float:
        return measure.cpu_each(call) / LOOP

    times = {
        "constraints": each(lambda: constraints_times(LOOP, S, W, Y)),
        "forces": each(lambda: forces_times(LOOP, S, W, Y)),
        "tangent": each(lambda: tangent_times(LOOP, S, W, Y, *captured.coefficients())),
        "scatter": each(lambda: captured.load_matrix(LOOP)),
        "move": each(lambda: move_times(LOOP, S, Y, dx)),
    }
    times["factorise"] = each(lambda: captured.load_and_factorise(LOOP)) - times["scatter"]
    times["solve two"] = each(lambda: captured.solve_pairs(b, LOOP))
    return times


def calls(solver: dict[str, Any]) -> dict[str, int]:
    """How often a ride calls each kernel: a residual at the start of a step and after each iteration, two
    right-hand sides an iteration."""
    steps, iterations = solver["accepted"] + solver["rejected"], solver["iterations"]
    renewed = solver["factorisations"]
    return {
        "constraints": steps + iterations,
        "forces": steps + iterations,
        "move": steps + iterations,
        "tangent": renewed,
        "scatter": renewed,
        "factorise": renewed,
        "solve two": iterations,
    }


def main() -> None:
    """Print and store the profile."""
    project = load_example("looping_star")
    simulate(project)  # compiles
    whole = ride(project, project.settings.tolerance, 3)
    captured = captured_ride()
    each, often = kernel_times(captured), calls(whole.solver)
    rows = [
        {
            "kernel": k,
            "us": 1e6 * each[k],
            "calls": n,
            "s": each[k] * n,
            "share": each[k] * n / whole.cpu_stepping,
        }
        for k, n in often.items()
    ]
    rest = whole.cpu_stepping - sum(float(r["s"]) for r in rows)
    rows.append(
        {
            "kernel": "rest (prediction, updates, error, log, polling)",
            "us": 1e6 * rest / whole.solver["accepted"],
            "calls": whole.solver["accepted"],
            "s": rest,
            "share": rest / whole.cpu_stepping,
        }
    )
    rows.sort(key=lambda r: -r["s"])
    flops = captured.flops()
    rate = flops / each["factorise"] / 1e9
    solve_rate = 8 * captured.fill / each["solve two"] / 1e9
    print(measure.table(("kernel", "us a call", "calls", "s", "share"), [list(r.values()) for r in rows]))
    print(
        f"  stepping {whole.cpu_stepping:.3f} s for {whole.ridden:.1f} s of riding; around it"
        f" {whole.cpu_all - whole.cpu_stepping:.3f} s (track, assembly, channels)"
    )
    print(f"  factorise: {flops} operations, {rate:.2f} Gflop/s; solve: {solve_rate:.2f} Gflop/s")
    measure.write(
        "profile",
        {
            "stepping_s": whole.cpu_stepping,
            "simulate_s": whole.cpu_all,
            "ridden_s": whole.ridden,
            "solver": whole.solver,
            "kernels": rows,
            "factorise_flops": flops,
            "factorise_gflops": rate,
            "solve_gflops": solve_rate,
            "fill": captured.fill,
        },
    )
