"""Stand-ins shared by the tests: results that no solver made, so that files and summaries are tested on their own."""

from __future__ import annotations

import ast
import signal
from collections import Counter
from collections.abc import Callable
from functools import cache
from pathlib import Path

import numpy as np
import pytest

from ridewright.core.results.results import (
    Channel,
    Ledger,
    ModelSize,
    Names,
    Results,
    States,
    Status,
    Violations,
)

RIDER = "car 1/rider"


SLOW = Path(__file__).parent / "nightly.txt"

# Who is started in the background of a script inherits that Ctrl+C is ignored, and so would what is tested here.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Tests whose names begin as a line of `nightly.txt` take long and are left to `make nightly`.

    A line "... but 3" leaves the first three of them. A line that fits no test of its file is a fault, and said. What a
    test needs beside `core` is marked as well: no list of files has to say which tests run in the environment that has
    it.
    """
    for item in items:
        if item.path.is_relative_to(Path(__file__).parent / "app"):
            item.add_marker(pytest.mark.screen)
        elif _needs_extra(item):
            item.add_marker(pytest.mark.extra)
    lines = (line.partition("#")[0].strip() for line in SLOW.read_text(encoding="utf-8").splitlines())
    slow = {name: int(left or 0) for name, _, left in (line.partition(" but ") for line in lines if line)}
    begins, met = tuple(slow), Counter[str]()
    for item in items:
        if item.nodeid.startswith(begins):
            for name in (name for name in begins if item.nodeid.startswith(name)):
                met[name] += 1
                if met[name] > slow[name]:
                    item.add_marker(pytest.mark.nightly)
    files = {item.nodeid.partition("::")[0] for item in items}
    dead = [name for name in slow if name.partition("::")[0] in files and met[name] <= slow[name]]
    if dead and not any("::" in str(arg) for arg in config.args):
        raise pytest.UsageError(f"{SLOW.name} names tests that do not exist: {'; '.join(dead)}")


def _needs_extra(item: pytest.Item) -> bool:
    """Whether a test is passed over where a package is missing: it, a fixture of it, or its file says so."""
    whole, names = _passed_over(item.path)
    names = names | _fixtures(item.path.parent)
    used = {getattr(item, "originalname", item.name), *getattr(item, "fixturenames", ())}
    return whole or not names.isdisjoint(used)


@cache
def _fixtures(folder: Path) -> frozenset[str]:
    """Names of fixtures that tests in a folder have from files above them, and that ask for a package."""
    above = _fixtures(folder.parent) if folder.name != "tests" else frozenset()
    own = folder / "conftest.py"
    return above | (_passed_over(own)[1] if own.exists() else frozenset())


@cache
def _passed_over(path: Path) -> tuple[bool, frozenset[str]]:
    """Whether all tests of a file ask for a package, or which of its tests and fixtures do."""
    text, names = path.read_text(encoding="utf-8"), set()
    if "importorskip(" not in text:
        return False, frozenset()
    for node in ast.parse(text).body:
        if "importorskip(" in ast.unparse(node):
            known = isinstance(node, ast.FunctionDef) and (
                node.name.startswith("test") or "fixture" in " ".join(map(ast.unparse, node.decorator_list))
            )
            if not known:  # asked when the file is read, or in a function that any of its tests may call
                return True, frozenset()
            names.add(node.name)
    return False, frozenset(names)


def _results(instants: int = 400, rate: float = 1000.0, duration: float = 2.0, seed: int = 7) -> Results:
    """Smooth but arbitrary signals of two bodies, one guide, one joint and two springs, with a rider and a car."""
    random = np.random.default_rng(seed)
    time = np.sort(np.concatenate([[0.0, duration], random.uniform(0.0, duration, instants - 2)]))
    grid = np.arange(round(duration * rate) + 1) / rate

    def signal(on: np.ndarray, *shape: int) -> np.ndarray:
        amplitude, pace, phase = random.uniform(0.2, 2.0, (3, *shape))
        return amplitude * np.sin(pace * on.reshape(-1, *(1 for _ in shape)) + phase)

    states = States(
        time=time,
        position=signal(time, 2, 3),
        orientation=signal(time, 2, 4),
        velocity=signal(time, 2, 3),
        angular_velocity=signal(time, 2, 3),
        acceleration=signal(time, 2, 3),
        angular_acceleration=signal(time, 2, 3),
        path_coordinate=signal(time, 1),
        path_speed=signal(time, 1),
        path_acceleration=signal(time, 1),
        reactions=signal(time, 2, 6),
        spring_force=signal(time, 2),
        spring_length=signal(time, 2),
    )
    kinetic = 5000.0 + 1000.0 * np.cos(time)
    channels = {
        f"rider/{RIDER}/{part}/acceleration": Channel(
            signal(grid, 3) + np.array([0.0, 0.0, 1.0]), "g", "rider axes", f"specific force of the {part}"
        )
        for part in ("head", "upper_torso", "pelvis")
    }
    channels[f"rider/{RIDER}/head/angular_velocity"] = Channel(
        signal(grid, 3), "rad/s", "body", "rotation rate"
    )
    channels["car/car 1/speed"] = Channel(12.0 - 2.0 * grid + grid**2, "m/s", "-", "speed of the car")
    channels["car/car 1/arc_length"] = Channel(5.0 + 11.0 * grid, "m", "centreline", "place of the car")
    channels["car/car 1/nca"] = Channel(signal(grid), "m/s^2", "track", "non-compensated acceleration")
    channels["car/car 1/roll"] = Channel(0.1 * signal(grid), "rad", "chassis", "roll of the carbody")
    return Results(
        status=Status("done", "the end time was reached"),
        size=ModelSize(2, 13, 11, 10, 3, ("roll: spare row",)),
        names=Names(
            bodies=("car 1/chassis", "car 1/körper"),
            guides=("car 1/guide",),
            joints=("car 1/roll",),
            springs=("car 1/left", "car 1/right"),
            riders={RIDER: {"head": "car 1/rider/head", "upper_torso": "car 1/rider/torso", "pelvis": "p"}},
        ),
        states=states,
        energy=Ledger(
            kinetic=kinetic,
            potential=-1000.0 * np.cos(time),
            elastic=np.zeros_like(time),
            dissipated=0.25 * time,
            drag=0.5 * time,
            driven=np.zeros_like(time),
        ),
        violations=Violations(joints=1e-9 * time, guides=1e-8 * (duration - time), velocity=signal(time)),
        sample_time=grid,
        channels=channels,
        provenance={
            "program": "ridewright test",
            "project": {"name": "Small ride"},
            "steps": 812,
            "none": None,
        },
    )


@pytest.fixture(scope="session")
def make_results() -> Callable[..., Results]:
    """A function that makes results: make_results(instants, rate, duration, seed)."""
    return _results
