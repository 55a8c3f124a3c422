"""All criteria on a measured ride of 10 minutes at 1 kHz (600,001 samples), by group."""

from __future__ import annotations

from typing import Any

import numpy as np

from ridewright.core.injury.criteria.hic import hic
from ridewright.core.injury.evaluate import criterion_ids, evaluate_history
from ridewright.core.injury.filters import ride_filter
from ridewright.core.injury.history import History
from tests.benchmarks import measure

MINUTES, RATE = 10.0, 1000.0
TARGET = 3.0  # s, issue 6


def record(noise: float) -> History:
    """A ride made of slow loads (up to 0.7 Hz, a few g) and the noise (g) of an accelerometer, with rotation rates."""
    rng = np.random.default_rng(1)
    t = np.arange(round(60.0 * MINUTES * RATE) + 1) / RATE
    slow = ride_filter(t, 12.0 * rng.standard_normal((t.size, 3)), cutoff=0.7)
    rates = ride_filter(t, 20.0 * rng.standard_normal((t.size, 3)), cutoff=1.0)
    a = slow + [0.0, 0.0, 1.0] + noise * rng.standard_normal((t.size, 3))
    return History(t, a, rotation_rate=rates)


def measured(noise: float) -> dict[str, Any]:
    """CPU seconds for all criteria together and for each group of ids alone."""
    history = record(noise)
    first, results = measure.min_cpu(lambda: evaluate_history(history), 1)
    every, results = measure.min_cpu(lambda: evaluate_history(history), 3)
    groups: dict[str, list[str]] = {}
    for result in results:
        groups.setdefault(result.group or "other", []).append(result.criterion)
    alone = {
        group: measure.min_cpu(lambda ids=ids: evaluate_history(history, ids), 2)[0]
        for group, ids in groups.items()
    }
    return {"noise_g": noise, "first": first, "all": every, "groups": alone}


def hic_seconds() -> dict[str, float]:
    """CPU seconds for HIC15 and HIC36 of a 120 s record at 10 kHz with the noise of an accelerometer."""
    t = np.arange(1_200_001) / 10_000.0
    rng = np.random.default_rng(2)
    slow = ride_filter(t, 40.0 * rng.standard_normal((t.size, 3)), cutoff=2.0)
    a = np.linalg.norm(slow + [0.0, 0.0, 1.0] + 0.3 * rng.standard_normal((t.size, 3)), axis=1)
    return {
        f"HIC{window}": measure.min_cpu(lambda w=window: hic(t, a, w / 1000.0), 3)[0] for window in (15, 36)
    }


def main() -> None:
    """Measure a clean and a noisy record and HIC alone; print a table and leave the JSON."""
    found = [measured(noise) for noise in (0.05, 0.3)]
    names = sorted({group for one in found for group in one["groups"]})
    rows: list[tuple[Any, ...]] = [(name, *(one["groups"].get(name, 0.0) for one in found)) for name in names]
    rows.append(("all together", *(one["all"] for one in found)))
    rows.append(("all, the first time in the process", *(one["first"] for one in found)))
    print(measure.table(("CPU s", *(f"noise {one['noise_g']} g" for one in found)), rows))
    goals = [
        measure.goal(f"10 minutes at 1 kHz under {TARGET:g} s, noise {one['noise_g']} g", one["all"] < TARGET)
        for one in found
    ]
    long = hic_seconds()
    goals += [
        measure.goal(f"{name} of 120 s at 10 kHz under 1 s ({cpu:.3f} s)", cpu < 1.0)
        for name, cpu in long.items()
    ]
    samples = round(60.0 * MINUTES * RATE) + 1
    measure.write(
        "criteria",
        {"samples": samples, "criteria": len(criterion_ids()), "records": found, "hic": long, "goals": goals},
    )
