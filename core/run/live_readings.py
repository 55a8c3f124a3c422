"""What a run shows while it is going on: place, speed and the riders' loads at newly accepted instants."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from ..base.arrays import Array
from ..base.specific_force import specific_force
from ..model.placement import joined
from ..multibody.compile import System
from ..multibody.layout import TURN
from ..project.project import Project
from ..solver.first_car import FirstCar
from ..solver.integration import Log

INTERVAL = 0.005  # s, least time between two samples


@dataclass(frozen=True)
class LiveSample:
    """One instant of a run in progress: time (s); arc length (m) of the first car's origin on the centreline and
    speed (m/s) of that car, both nan without a train; rider_g maps each rider's name to the specific force (3,)
    of the head in rider axes (g, gravity in)."""

    time: float
    arc_length: float
    speed: float
    rider_g: dict[str, Array]


class LiveReader:
    """Reads samples from the logs of a run, each accepted instant of the first car at most once and `INTERVAL` apart.

    systems: what has a log of its own, the first car's first.
    """

    def __init__(self, project: Project, systems: Sequence[System]) -> None:
        system = systems[0]
        index = {name: k for k, name in enumerate(system.names)}
        self._gravity = np.array(project.gravity)
        self._unit = float(np.linalg.norm(self._gravity)) or 9.81
        # which log, body, slots of its velocity
        self._heads = {
            rider: (k, b, one.layout.rigid[b, :TURN])
            for k, one in enumerate(systems)
            for rider, roles in one.riders.items()
            for b in [one.names.index(roles["head"])]
        }
        self._slots = np.zeros((0, TURN), dtype=np.int64)
        self._mass = np.zeros(0)
        self._place = FirstCar(system).place
        self._row = 0
        self._last = -math.inf
        if not system.cars:
            return
        car = system.cars[0]
        own = car.description.own("body")
        self._slots = system.layout.rigid[[index[joined(car.name, path)] for path in own], :TURN]
        self._mass = np.array([body.mass for body in own.values()])

    def new(self, logs: Sequence[tuple[Log, int]]) -> Iterator[LiveSample]:
        """Samples of the first log's rows that were not read before, as far as every log has come; logs: with how many
        rows are written of each."""
        first, rows = logs[0]
        until = min(float(log.t[written - 1]) for log, written in logs)
        row = self._row
        while row < rows and first.t[row] <= until:
            if first.t[row] - self._last >= INTERVAL * (1.0 - 1e-9):
                self._last = float(first.t[row])
                yield self._sample(logs, row)
            row += 1
        self._row = row

    def _sample(self, logs: Sequence[tuple[Log, int]], row: int) -> LiveSample:
        log, _ = logs[0]
        time, riders = float(log.t[row]), {}
        at = [int(np.searchsorted(other.t[:written], time)) for other, written in logs]
        for rider, (k, b, slots) in self._heads.items():
            of = logs[k][0]
            acceleration = of.udot[at[k], slots]
            riders[rider] = specific_force(acceleration, of.p[at[k], b], self._gravity, g=self._unit)[0]
        speed = math.nan
        if len(self._slots):
            speed = float(np.linalg.norm(self._mass @ log.u[row, self._slots]) / self._mass.sum())
        return LiveSample(time, self._place(log.L[row]), speed, riders)
