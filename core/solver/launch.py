"""The speed a ride starts with: that of the device it starts on, or what takes the train over its highest point."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np

from ..base.errors import InputError
from ..base.sentence import say
from ..base.where import Where
from ..model.placement import guide_places, middle_of
from ..model.rigid_riders import with_rigid_riders
from ..multibody.arrays import BODY, reals
from ..multibody.compile import compile_system
from ..multibody.connections import parts_of
from ..multibody.device_tables import devices_of
from ..pointmass.launch import start_speed_for_top
from ..pointmass.table_ride import MIN_RISE
from ..project.point_train import FOLLOWING, ridden_settings
from ..project.project import Project
from ..project.scenario import Ride
from ..track.build import BuiltTrack
from ..track.device_spans import DeviceSpan, first_drive
from ..track.devices import kind_of
from . import genalpha, integration
from .engine import Engine
from .written_step import new_log

RIDES = 2  # of the whole train, to correct what its ride as points says
TRIES = 8  # where it does not get over the top
CLOSE = 0.05  # m/s at the top
ROUGHER = 10.0  # times the tolerance of the run: a speed needs less than loads
OVER = 5.0  # m, that the whole train goes on behind its highest place


def start_speed(
    project: Project, built: BuiltTrack, *, should_stop: Callable[[], bool] | None = None
) -> float:
    """Start speed (m/s) of a ride: as given, else that of the station, lift or tyres the first car starts on (0 on a
    launch), else that of `speed_over_top`.

    Raises InputError when the ride starts on a brake without a speed, and as `speed_over_top`.
    """
    scenario = project.scenario
    assert isinstance(scenario, Ride)
    if scenario.speed is not None:
        return scenario.speed
    on = start_device(project, built)
    if on is None:
        return speed_over_top(project, built, should_stop=should_stop)
    given = kind_of(on.device).gives(on.device)
    if given is None:
        raise InputError(
            f"{project.name}: the ride starts on the brake '{on.device.name}', which gives the train no speed; give a"
            " start speed, or start elsewhere."
        )
    return given


def start_device(project: Project, built: BuiltTrack) -> DeviceSpan | None:
    """The device on which the middle of the first car stands at the start of a ride."""
    scenario = project.scenario
    if not isinstance(scenario, Ride) or project.train is None:
        return None
    place = float(
        built.centreline.wrap(scenario.start + middle_of(guide_places(project.train.children[0])))[0]
    )
    return next((span for span in devices_of(project, built) if span.s0 <= place <= span.s1), None)


def points_speed_over_top(project: Project, built: BuiltTrack) -> float:
    """Start speed (m/s) with which the train as points, as the preview rides it, passes its highest place at the
    scenario's `top_speed`.

    A train is slowest where the middle of its masses is highest, not where its first car is. Raises InputError where no
    speed does it, because of a device on the way for instance.
    """
    assert isinstance(project.scenario, Ride)
    follows = {"points_from": "vehicle", **FOLLOWING}
    own = project.model_copy(update={"point_ride": project.point_ride.model_copy(update=follows)})
    try:
        return start_speed_for_top(
            built, project.scenario.top_speed, ridden_settings(own), gravity=project.gravity
        )
    except InputError as error:
        raise InputError(
            say(
                "{project}: {fault} Or give a start speed, or start on a station or a lift.",
                project=project.name,
                fault=error.said,
            ),
            error.where,
        ) from None


def highest_place(built: BuiltTrack, start: float) -> tuple[float, float]:
    """Arc length (m) and height (m) of the highest point of the centreline ahead of the start."""
    s = np.linspace(start, start + built.length if built.track.closed else built.length, 4001)
    z = built.centreline.position(s)[:, 2]
    k = int(np.argmax(z))
    return float(s[k]), float(z[k])


def speed_over_top(
    project: Project, built: BuiltTrack, *, should_stop: Callable[[], bool] | None = None
) -> float:
    """Start speed (m/s) with which the train passes its highest place, that of the middle of its masses, at the
    scenario's `top_speed`.

    That of the train as points, corrected by what at most RIDES rides of the train up to there, its riders as one rigid
    body each, miss of it (more only while it does not get there). What riders' joints take of the energy on the way is
    some 1e-4 of it; how near the ride itself comes is told by `outcome.over_top`. Cars that nothing couples have no
    common speed: theirs is that of the points; so is that of a train which a lift, a launch, tyres or a block brake
    take on before: it only has to come there.
    Raises InputError when the highest place cannot be passed.
    """
    scenario, train = project.scenario, project.train
    assert isinstance(scenario, Ride)
    assert train is not None
    if not train.children[0].every("guide"):
        raise InputError(
            f"{project.name}: no start speed can be solved for, '{train.children[0].name}' has no wheels on the track;"
            " give a speed."
        )
    speed, target = points_speed_over_top(project, built), scenario.top_speed
    place, height = highest_place(built, scenario.start)
    rises = height - float(built.centreline.position([scenario.start])[0, 2]) > MIN_RISE
    together = next(iter(parts_of(project)), None)
    start = float(built.centreline.wrap(scenario.start)[0])
    taken_on = first_drive(devices_of(project, built), start, built.length, built.track.closed) is not None
    if not rises or taken_on or (together is not None and len(train.children) > 1):
        return speed
    project = project.model_copy(update={"train": with_rigid_riders(train)})
    vain = 1.0
    for ride in range(TRIES):
        if should_stop is not None and should_stop():
            return speed
        reached = _speed_over(project, built, speed, place)
        if reached is not None and abs(reached - target) <= CLOSE:
            return speed
        # energy per mass that is missing at the top, given back at the start; twice as much after every try in vain
        if reached is None:
            missing, vain = vain * ((0.5 * target) ** 2 + 0.005 * speed**2), 2.0 * vain
        else:
            missing = (target**2 - reached**2) / 2.0
        speed = math.sqrt(max(speed**2 + 2.0 * missing, 0.0))
        if reached is not None and ride + 1 >= RIDES:
            return speed
    raise InputError(
        say(
            "{project}: no start speed up to {speed:.1f m/s} takes the train over the highest point at {s:.1f m}; give"
            " a speed.",
            project=project.name,
            speed=speed,
            s=place,
        ),
        Where(("scenario",), s=place),
    )


def _speed_over(project: Project, built: BuiltTrack, speed: float, place: float) -> float | None:
    """Speed (m/s) of a train where the middle of its masses is highest, once all of it is over a place (m) of the
    centreline; None when it turns back before."""
    settings = {
        "method": "generalized_alpha",
        "initial_velocities": "project",
        "tolerance": min(ROUGHER * project.settings.tolerance, 0.1),
    }
    project = project.model_copy(update={"settings": project.settings.model_copy(update=settings)})
    train, scenario = project.train, project.scenario
    assert train is not None
    assert isinstance(scenario, Ride)
    system = compile_system(project, speed=speed, built=built)
    engine = Engine.prepare(system, project.settings, settled=scenario.settled)
    first = guide_places(train.children[0])[0]
    over = place + train.children[-1].offset + OVER
    if not built.track.closed:
        over = min(over, built.length)
    ends = np.full(len(system.guides), np.inf)
    ends[0] = over if first.path == "centreline" else built.rails[first.path].to_rail([over])[0]
    mass = reals(system.arrays, BODY)[:, 0]
    up = -np.asarray(project.gravity)
    Y, P, log = engine.memory(), engine.limits(600.0), new_log(system, 64)
    highest, fast = -math.inf, 0.0
    while True:
        Y.counts[integration.LOGGED] = 0
        code = genalpha.advance(system.arrays, engine.work, engine.factor, Y, P, log, ends, 1, 32)
        rows = int(Y.counts[integration.LOGGED])
        energy = (log.r[:rows, :-1] @ up) @ mass
        if rows and float(energy.max()) > highest:
            k = int(np.argmax(energy))
            u = log.u[k, : system.coordinates]
            highest, fast = float(energy[k]), float(u @ system.mass_times(u) / mass.sum())
        if code == integration.PATH_END:
            return math.sqrt(fast)
        if code != integration.RUNNING or float(Y.v[integration.U, system.layout.paths.start]) < 0.01:
            return None
