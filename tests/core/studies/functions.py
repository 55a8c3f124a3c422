"""Functions that stand for rides in tests of the engine; workers load them by name."""

from __future__ import annotations

import math
import os
import time
from collections.abc import Mapping, Sequence
from pathlib import Path


def ishigami(x: Mapping[str, float]) -> dict[str, float]:
    """Ishigami and Homma 1990, a = 7, b = 0.1."""
    a, b, c = x["a"], x["b"], x["c"]
    return {"y": math.sin(a) + 7.0 * math.sin(b) ** 2 + 0.1 * c**4 * math.sin(a)}


def margins(x: Mapping[str, float]) -> dict[str, float]:
    """A least margin of a - 0.25 and something that is no number for some."""
    if x["a"] > 0.9:
        raise ValueError("too much of a")
    return {"margin": x["a"] - 0.25, "y": x["a"] * x["b"]}


def slow(x: Mapping[str, float]) -> dict[str, float]:
    """The same after 30 ms."""
    time.sleep(0.03)
    return {"margin": x["a"] - 0.25, "y": math.sin(40.0 * x["a"]) + x["b"]}


def deadly(x: Mapping[str, float]) -> dict[str, float]:
    """Takes its worker with it, where a is large."""
    if x["a"] > 0.9:
        os._exit(3)
    return {"y": x["a"]}


def counted(x: Mapping[str, float]) -> dict[str, float]:
    """Leaves a line for every time it is made."""
    with Path(os.environ["RIDEWRIGHT_TEST_COUNT"]).open("a") as file:
        file.write(f"{x['a']!r}\n")
    return {"y": x["a"]}


def zdt1(x: Mapping[str, float]) -> dict[str, float]:
    """Zitzler, Deb and Thiele 2000, of any number of variables."""
    values = list(x.values())
    g = 1.0 + 9.0 * sum(values[1:]) / (len(values) - 1)
    return {"f1": values[0], "f2": g * (1.0 - math.sqrt(values[0] / g))}


def bowl(x: Mapping[str, float]) -> dict[str, float]:
    """Square of the distance from (0.3, 0.5), and the sum."""
    return {"distance": (x["a"] - 0.3) ** 2 + (x["b"] - 0.5) ** 2, "sum": x["a"] + x["b"]}


def count_into(path: str) -> None:
    """Say, on a worker, where `counted` leaves its lines."""
    os.environ["RIDEWRIGHT_TEST_COUNT"] = path


def process_settings(names: Sequence[str]) -> tuple[dict[str, object], dict[str, str]]:
    """Of a worker: Dask's settings of these names, and how its allocator is set."""
    import dask

    allocator = [name for name in os.environ if name.startswith("MALLOC_")]
    return {name: dask.config.get(name) for name in names}, {name: os.environ[name] for name in allocator}
