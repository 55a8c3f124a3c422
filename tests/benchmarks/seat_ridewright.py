"""The seated rider in Ridewright: the work of the time stepping alone, and what came out."""

from __future__ import annotations

import time
from dataclasses import dataclass

import numpy as np

from ridewright.core.base.arrays import Array, Integers
from ridewright.core.multibody.compile import compile_system
from ridewright.core.project.project import Project
from ridewright.core.project.scenario import SolverSettings
from ridewright.core.results.sampler import Sampler
from ridewright.core.solver import genalpha, integration
from ridewright.core.solver.engine import Engine
from ridewright.core.solver.record import record
from ridewright.core.solver.written_step import new_log, write_log
from tests.benchmarks.seat_case import DURATION, REST, WATCHED, resting_seat, seat_position


@dataclass(frozen=True)
class Run:
    """One run of one code: CPU seconds of the stepping, steps, and the watched bodies (n, 3 bodies, 3) m
    relative to the seat at times (n,) s."""

    code: str
    setting: str
    cpu: float
    steps: int
    time: Array
    watched: Array


class Stepper:
    """A prepared run that can be repeated from its start."""

    def __init__(self, project: Project, rows: int = 4096) -> None:
        self.project = project
        self.system = compile_system(project)
        self.engine = Engine.prepare(self.system, project.settings)
        self.log = new_log(self.system, rows)

    def step_through(self, end: float = DURATION) -> tuple[int, float, Integers]:
        """Integrate to `end` (s); returns logged rows, CPU seconds and the counts of `integration.Memory`."""
        engine, system = self.engine, self.system
        never = np.full(len(system.guides), np.inf)
        started = time.process_time()
        Y, P = engine.memory(), engine.limits(end)
        write_log(system.arrays, engine.work, Y, self.log, True)
        while True:
            code = genalpha.advance(
                system.arrays, engine.work, engine.factor, Y, P, self.log, never, 0, 1 << 30
            )
            if code != integration.FULL:
                break
            self.log = new_log(system, 2 * len(self.log.t))  # the coming repeat then has the room
            Y.counts[integration.LOGGED] = 0
            return self.step_through(end)
        cpu = time.process_time() - started
        if code != integration.FINISHED:
            raise ArithmeticError(
                f"Ridewright stopped with code {code} at t = {Y.clock[integration.TIME]:.4f} s"
            )
        return int(Y.counts[integration.LOGGED]), cpu, Y.counts.copy()

    def watched(self, rows: int, times: Array) -> Array:
        """The watched bodies (n, 3, 3) m relative to the seat at any times (n,)."""
        states, _, _ = record(self.system, self.log, rows)
        sampler = Sampler(states, times)
        index = {name.rpartition("/")[2]: k for k, name in enumerate(self.system.names)}
        places = np.stack([sampler.body(index[name]).position for name in WATCHED], axis=1)
        seat = seat_position(times)[:, None] if "Seat" in index else 0.0
        return np.asarray(places - seat)


def run(project: Project, label: str, times: Array, repeats: int) -> Run:
    """Least CPU of some repeats of one run, and the watched bodies at `times`."""
    stepper = Stepper(project)
    done = [stepper.step_through() for _ in range(repeats)]
    rows, _, counts = done[-1]
    s = project.settings
    setting = f"h {s.fixed_step:g}" if s.fixed_step else f"tol {s.tolerance:g}"
    cpu = min(d[1] for d in done)
    return Run(label, setting, cpu, int(counts[integration.ACCEPTED]), times, stepper.watched(rows, times))


def at_rest() -> Array:
    """The watched bodies (3, 3) m after REST seconds of gravity alone, with small steps."""
    stepper = Stepper(resting_seat(SolverSettings(fixed_step=2.5e-4), moving=False))
    rows, _, _ = stepper.step_through(REST)
    return stepper.watched(rows, np.array([REST]))[0]
