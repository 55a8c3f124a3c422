"""How exact a run is, by computing it again less exactly."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from ..base.errors import InputError
from ..base.frames import conjugate, multiply, rotation_vector
from ..project.project import Project
from ..results.results import Results
from ..solver.channels import Sampler
from ..solver.simulate import simulate
from .uncertainty import COARSER, coarser


@dataclass(frozen=True)
class Accuracy:
    """Largest differences of two runs: place (m), turn (rad) and speed (m/s), each with its body and time (s)."""

    place: tuple[float, str, float]
    turn: tuple[float, str, float]
    speed: tuple[float, str, float]

    def sentence(self) -> str:
        """In words."""
        parts = (
            f"{what} differ by up to {size:.2g} {unit} ('{body}' at {time:.2f} s)"
            for what, unit, (size, body, time) in (
                ("places", "m", self.place), ("turns", "rad", self.turn), ("speeds", "m/s", self.speed),
            )
        )  # fmt: skip
        return (
            f"At {COARSER:g} times the tolerance {', '.join(parts)}; this run is closer by about four times."
        )


def accuracy(
    project: Project, results: Results, *, should_stop: Callable[[], bool] | None = None
) -> Accuracy | None:
    """How far a run (with `project`) and one at ten times its tolerance come apart, at the instants of the run.

    The method is of second order and a step goes with the third root of the tolerance, so the coarser run is off by
    10^(2/3) = 4.6 times as much: the difference is four times what the run itself is off, where nothing is chaotic or
    beyond rounding. None for a run without states to compare, or one that cannot be computed so coarsely.
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
    return Accuracy(*(max(values) for values in found))
