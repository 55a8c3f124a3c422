"""simulate(project) -> Results: what the solver makes of a project, and what is read off it."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass

import numpy as np

from ..base.arrays import Array
from ..base.specific_force import specific_force
from ..base.version import VERSION
from ..model.placement import joined
from ..multibody.compile import System
from ..multibody.layout import TURN
from ..project.project import Project
from ..project.sampling import channel_rate
from ..project.scenario import Ride
from ..results.results import Results
from ..solver.first_car import FirstCar
from ..solver.integration import Log
from ..solver.launch import start_device
from ..solver.march import Progress, Show
from ..solver.motion import Moved, Ready, moved, ready
from ..solver.multirate import names_of
from ..track.build import BuiltTrack
from .channels import derive_channels, joined_channels, sample_times
from .events import located_events, signal_of

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


def simulate(
    project: Project,
    *,
    on_progress: Progress | None = None,
    should_stop: Callable[[], bool] | None = None,
    on_sample: Callable[[LiveSample], None] | None = None,
) -> Results:
    """Run the scenario of a project.

    Parameters
    ----------
    project
        A ride or a rig.
    on_progress
        Called with (fraction, time, end_time) every few dozen accepted steps: the done fraction in [0, 1], the reached
        time and the end time (s, None when a place ends the ride).
    should_stop
        Polled as often; the run then ends with status "stopped" and keeps what it has.
    on_sample
        Called as often with a `LiveSample`, once for every newly accepted instant at least 5 ms after the one before,
        the start included.

    Returns
    -------
    Motion, forces, energies and channels. Numerical trouble during the run ends it with status "failed" and advice.

    Raises
    ------
    InputError
        When the project cannot be compiled or assembled.
    """
    begun = ready(project, should_stop=should_stop)
    _check_watched(begun)
    show = None if on_sample is None else _shown(LiveReader(project, begun.systems), on_sample)
    return _results(moved(begun, on_progress=on_progress, should_stop=should_stop, show=show))


def _check_watched(begun: Ready) -> None:
    """Refuse signals there are none of before the run and not after it."""
    project = begun.project
    if not project.evaluation.watch:
        return
    states, _, _ = begun.start()
    for name, _ in project.evaluation.watch:
        signal_of(project, begun.whole, states, name)


def _shown(reader: LiveReader, on_sample: Callable[[LiveSample], None]) -> Show:
    def show(logs: Sequence[tuple[Log, int]]) -> None:
        for sample in reader.new(logs):
            on_sample(sample)

    return show


def _started_on(project: Project, built: BuiltTrack | None) -> str | None:
    """The name of the device that a ride has its start speed from."""
    scenario = project.scenario
    if built is None or not isinstance(scenario, Ride) or scenario.speed is not None:
        return None
    on = start_device(project, built)
    return None if on is None else on.device.name


def _results(run: Moved) -> Results:
    """The results of a run: its motion, and what is read off it."""
    project, system = run.ready.project, run.ready.whole
    states, ledger, violations = run.record
    times = sample_times(states, channel_rate(project))
    each = [(part, own) for part, (own, _, _) in run.parts]
    channels = joined_channels([derive_channels(project, *part, times) for part in each])
    assembly = asdict(run.report)
    for name in ("slid", "unsettled"):
        if not assembly[name]:
            del assembly[name]
    provenance = {
        "program": "ridewright",
        "version": VERSION,
        "created": time.strftime("%Y-%m-%dT%H:%M:%S%z"),
        "project": project.model_dump(mode="json"),
        "solver": run.figures,
        "assembly": assembly,
        "start_speed": run.ready.speed,
        "start_device": _started_on(project, system.built),
    }
    if run.touching:
        provenance["touching"] = run.touching
    return Results(
        status=run.status,
        size=run.ready.size,
        names=names_of(system),
        states=states,
        energy=ledger,
        violations=violations,
        sample_time=times,
        channels=channels,
        provenance=provenance,
        events=located_events(project, system, states, run.status, channels, times, each),
    )
