"""Some bodies of a run ride again while everything that they are joined to moves as it did: one rider on the seat, in
place of a whole train.

What carries them does not feel them any more: it goes on its course of the run (`multibody.course`) whatever they do.
How far that holds is seen from a ride with nothing changed, which repeats the run.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Collection
from dataclasses import replace

import numpy as np

from ..base.arrays import Array
from ..base.errors import InputError
from ..model.bodies import GROUND
from ..model.connections import CONNECTING
from ..model.placement import placed_model
from ..model.references import LISTS
from ..multibody.compile import State, System, compile_system
from ..multibody.course import Course, course
from ..project.project import Project, parse_project
from ..project.sampling import channel_rate
from ..project.scenario import Ride
from ..results.once import once_a_run
from ..results.results import Channel, Results
from ..results.spilled import taken
from ..solver.assemble import model_size
from ..solver.contacts import stand
from ..solver.engine import Engine
from ..solver.march import End, March, Progress, figures_of, integrate
from ..solver.multirate import names_of
from ..solver.record import record
from .channels import derive_channels, sample_times


def ride_again(
    results: Results,
    bodies: Collection[str],
    project: Project | None = None,
    *,
    on_progress: Progress | None = None,
    should_stop: Callable[[], bool] | None = None,
) -> Results:
    """Let some bodies of a run ride again, from its start to its end.

    Parameters
    ----------
    results
        The run, with its project.
    bodies
        By name; all others that joints or force elements connect with them move as they did.
    project
        That of the run with something changed, the run's own by default. No bodies may come or go.
    on_progress, should_stop
        As of `simulate`.

    Returns
    -------
    Motion, forces and channels of these bodies and of those they are joined to, at instants of their own; no events.

    Raises
    ------
    InputError
        For a run without its project or without motion, and where the bodies follow the track by themselves.
    """
    begun, changed = time.perf_counter(), project is not None
    project = parse_project(results.provenance.get("project"), "run") if project is None else project
    kept = frozenset(bodies)
    missing = sorted(kept - set(results.names.bodies))
    if missing or not kept or len(results.states.time) < 2:
        raise InputError(
            f"The run has no motion of body '{missing[0]}'." if missing else "The run has no motion to go on."
        )
    courses = {name: course_of(results, name) for name in neighbours(project, kept)}
    if kept & set(results.names.flexible):
        raise InputError("Bodies that bend cannot ride again by themselves.")
    settings = project.settings.model_copy(update={"sample_rate": channel_rate(project)})
    there = kept | set(courses)
    system = compile_system(project, only=there, courses=courses)
    if len(system.guides) > len(courses):
        raise InputError("What follows the track rides as a whole: choose bodies that it carries.")
    system = replace(system, start=_start(results, system))
    engine = Engine.prepare(system, settings)
    if isinstance(project.scenario, Ride) and project.scenario.settled:
        _take_over(results, engine)
    end = float(results.states.time[-1])
    march = March.begin(engine, np.full(len(system.guides), np.inf), 0, end)
    engine.restart(march.memory, march.log)  # by the loads of what was taken over
    status, _ = integrate([march], End(end, end), on_progress, should_stop)
    states, ledger, violations = record(system, march.log, march.rows)
    times = sample_times(states, channel_rate(project))
    channels = derive_channels(project, system, states, times) | _of_cars(results, times)
    return Results(
        status=status,
        size=model_size(system, engine.state),
        names=names_of(system),
        states=states,
        energy=ledger,
        violations=violations,
        sample_time=times,
        channels=channels,
        provenance={
            "project": project.model_dump(mode="json"),
            "assembly": {"unsettled": "the start is that of another run"} if changed else {},
            "solver": figures_of([march]) | {"seconds": time.perf_counter() - begun},
        },
    )


def neighbours(project: Project, bodies: Collection[str]) -> tuple[str, ...]:
    """The bodies that joints, drivers or enabled force elements of a project connect with some of its bodies."""
    top, found = project.mechanism, set[str]()
    if top is None:
        return ()
    drawn = placed_model(top)
    for path, assembly in drawn.assemblies.items():
        for kind in CONNECTING:
            for element in getattr(assembly, LISTS[kind]):
                joined = set(drawn.connected(path, element))
                if getattr(element, "enabled", True) and not joined.isdisjoint(bodies):
                    found |= joined
    return tuple(sorted(found - set(bodies) - {GROUND}))


def course_of(results: Results, body: str) -> Course:
    """How a body moved in a run."""
    states, b = results.states, results.names.bodies.index(body)
    known = (states.velocity, states.acceleration, states.angular_velocity, states.angular_acceleration)
    v, a, w, dw = (taken(values, b) for values in known)
    return course(body, states.time, (states.position[0, b], states.orientation[0, b]), (v, a, w, dw))


def _of_cars(results: Results, times: Array) -> dict[str, Channel]:
    """The channels of cars, which go as they did."""
    if not np.array_equal(times, results.sample_time[: len(times)]):
        return {}
    return {
        name: replace(channel, values=channel.values[: len(times)])
        for name, channel in results.channels.items()
        if name.startswith("car/")
    }


def _start(results: Results, system: System) -> State:
    """The state of a part of a run at its start."""
    states, names = results.states, results.names
    own = [names.bodies.index(name) for name in system.names]
    r = np.vstack([states.position[0, own], np.zeros(3)])
    p = np.vstack([states.orientation[0, own], [1.0, 0.0, 0.0, 0.0]])
    u = system.layout.line()
    u[system.layout.rigid[:-1]] = np.hstack([states.velocity[0, own], states.angular_velocity[0, own]])
    u[system.layout.paths] = 1.0  # a second in a second
    return State(float(states.time[0]), r, p, np.zeros(len(system.layout.plain)), u)


def _take_over(results: Results, engine: Engine) -> None:
    """Let what elements remember, and their unknowns, be what they were at the start of a run that began at rest: what
    starts as drawn starts likewise again. Work that contacts have taken is counted anew."""
    states, state, spans = results.states, engine.state, _spans(results)
    memory, internal = engine.work.memory.copy(), engine.work.z[0].copy()
    for made in engine.system.connectors:
        for kind, own in (("memory", memory), ("internal", internal)):
            span, there = getattr(made, kind), spans.get((kind, made.name), (0, 0))
            if made.geometry == "gap":
                continue
            if span[1] - span[0] == there[1] - there[0]:
                own[slice(*span)] = getattr(states, kind)[0, slice(*there)]
    stand(engine.system, memory, results.provenance.get("touching", {}))
    engine.state = replace(state, memory=memory, internal=internal)


@once_a_run
def _spans(results: Results) -> dict[tuple[str, str], tuple[int, int]]:
    """Where what elements remember, and their unknowns, stand in the states of a run, by "memory" or "internal" and the
    element's name."""
    project = parse_project(results.provenance.get("project"), "run")
    system = compile_system(project, speed=results.provenance.get("start_speed"))
    return {
        (kind, made.name): getattr(made, kind)
        for made in system.connectors
        for kind in ("memory", "internal")
    }
