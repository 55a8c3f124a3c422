"""How exact a run is, by computing it again less exactly."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from ..base.errors import InputError
from ..base.frames import conjugate, multiply, rotation_vector
from ..project.project import Project
from ..results.results import Results
from ..results.sampler import Sampler
from ..run.simulate import simulate
from .stress import stress_of
from .uncertainty import COARSER, coarser

HOTTEST = 8  # spots of a body whose stress is compared


@dataclass(frozen=True)
class StressDifference:
    """Of two runs at the hot spot of a body where they differ most: the body, where there, the largest von Mises stress
    (Pa) of the run and by how much that of the other one differs."""

    body: str
    where: str
    largest: float
    off: float

    @property
    def words(self) -> str:
        """In words."""
        return (
            f"the largest stress of '{self.body}' at its hot spots by up to {self.off / 1e6:.2g} of"
            f" {self.largest / 1e6:.4g} MPa ({self.where})"
        )


@dataclass(frozen=True)
class Accuracy:
    """Largest differences of two runs: place (m), turn (rad) and speed (m/s), each with its body and time (s), and for
    each flexible body whose stress is known that of its stress."""

    place: tuple[float, str, float]
    turn: tuple[float, str, float]
    speed: tuple[float, str, float]
    stress: tuple[StressDifference, ...] = ()

    def sentence(self) -> str:
        """In words."""
        apart = (
            f"{what} differ by up to {size:.2g} {unit} ('{body}' at {time:.2f} s)"
            for what, unit, (size, body, time) in (
                ("places", "m", self.place), ("turns", "rad", self.turn), ("speeds", "m/s", self.speed),
            )
        )  # fmt: skip
        parts = (*apart, *(one.words for one in self.stress))
        return f"At {COARSER:g} times the tolerance {', '.join(parts)}; this run is closer by about four times or more."


def accuracy(
    project: Project, results: Results, *, should_stop: Callable[[], bool] | None = None
) -> Accuracy | None:
    """How far a run (with `project`) and one at ten times its tolerance come apart, at the instants of the run.

    Of second order a step goes with the third root of the tolerance, so the coarser run is off by 10^(2/3) = 4.6 times
    as much, with steps of order 4 by up to 10^(4/5) = 6.3 times: the difference is four times what the run itself is
    off, or more, where nothing is chaotic or beyond rounding. None for a run without states to compare, or one that
    cannot be computed so coarsely.
    """
    end = float(results.states.time[-1])
    scenario = project.scenario.model_copy(update={"duration": max(end, 1e-9)})
    try:
        second = simulate(
            project.model_copy(update={"settings": coarser(project.settings), "scenario": scenario}),
            should_stop=should_stop,
        )
    except InputError:
        return None
    times = results.states.time[results.states.time <= second.states.time[-1]]
    if len(times) < 2 or not results.names.bodies:
        return None
    one, other = Sampler(results.states, times), Sampler(second.states, times)
    found: list[list[tuple[float, str, float]]] = [[], [], []]
    for b, name in enumerate(results.names.bodies):
        x, y = one.body(b), other.body(b)
        gaps = (
            x.position - y.position,
            rotation_vector(multiply(conjugate(x.orientation), y.orientation)),
            x.velocity - y.velocity,
        )
        for values, gap in zip(found, gaps, strict=True):
            size = np.linalg.norm(gap, axis=1)
            worst = int(np.argmax(size))
            values.append((float(size[worst]), name, float(times[worst])))
    position, turn, speed = (max(values) for values in found)
    return Accuracy(position, turn, speed, _stress(results, second, times[-1]))


def _stress(results: Results, second: Results, end: float) -> tuple[StressDifference, ...]:
    """What the hot spots of flexible bodies differ by until an instant (s)."""
    if not results.names.flexible:
        return ()
    out = []
    for one, other in zip(stress_of(results), stress_of(second), strict=True):
        if not one.known:
            continue
        here, there = (run.superposition.envelope(run.modal[run.time <= end]).worst for run in (one, other))
        hottest = np.argsort(-here, kind="stable")[:HOTTEST]
        worst = int(hottest[np.argmax(np.abs(here - there)[hottest])])
        spot = one.spot(worst)
        where = f"{spot.part}, {spot.there}"
        off = abs(float(here[worst] - there[worst]))
        out.append(StressDifference(one.flexible.name, where, float(here[worst]), off))
    return tuple(out)
