"""simulate(project) -> Results: what the solver makes of a project, and what is read off it."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import asdict

from ..base.version import VERSION
from ..project.project import Project
from ..project.sampling import channel_rate
from ..project.scenario import Ride
from ..results.results import Results
from ..solver.integration import Log
from ..solver.launch import start_device
from ..solver.march import Progress, Show
from ..solver.motion import Moved, Ready, moved, ready
from ..solver.multirate import names_of
from ..track.build import BuiltTrack
from .channels import derive_channels, joined_channels, sample_times
from .events import located_events, signal_of
from .live_readings import LiveReader, LiveSample


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
