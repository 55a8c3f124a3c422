"""The speed a ride starts with: that of the device it starts on, or what takes the train over its highest point."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np

from ..base.errors import InputError
from ..model.placement import guide_places, middle_of
from ..multibody.compile import compile_system
from ..multibody.connections import parts_of
from ..multibody.device_tables import devices_of
from ..pointmass.launch import start_speed_for_top
from ..project.point_train import FOLLOWING, ridden_settings
from ..project.project import Project
from ..project.scenario import Ride
from ..track.build import BuiltTrack
from ..track.devices import BlockBrake, DeviceSpan, Launch, TrimBrake, first_drive
from . import genalpha, integration
from .engine import Engine, new_log

TRIES = 12
CLOSE = 0.05  # m/s at the top
LEAST_RISE = 0.5  # m; with less ahead the start is the highest place


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
        solved = train_speed_over_top(project, built)
        return speed_over_top(project, built, should_stop=should_stop) if solved is None else solved
    if isinstance(on.device, TrimBrake | BlockBrake):
        raise InputError(
            f"{project.name}: the ride starts on the brake '{on.device.name}', which gives the train no speed; give a"
            " start speed, or start elsewhere."
        )
    return 0.0 if isinstance(on.device, Launch) else on.device.speed


def start_device(project: Project, built: BuiltTrack) -> DeviceSpan | None:
    """The device on which the middle of the first car stands at the start of a ride."""
    scenario = project.scenario
    if not isinstance(scenario, Ride) or project.train is None:
        return None
    place = float(
        built.centreline.wrap(scenario.start + middle_of(guide_places(project.train.children[0])))[0]
    )
    return next((span for span in devices_of(project, built) if span.s0 <= place <= span.s1), None)


def train_speed_over_top(project: Project, built: BuiltTrack) -> float | None:
    """Start speed (m/s) with which a coupled train passes its highest place at the scenario's `top_speed`.

    A train is slowest where the middle of its masses is highest, not where its first car is: it is solved for on the
    train as points, with its own losses, as the preview does; so is the way of any train to the first device that
    takes it on. None where the ride asks for something else: a single car or uncoupled ones on a way without, or an
    end place.
    """
    scenario, train = project.scenario, project.train
    if not isinstance(scenario, Ride) or train is None or scenario.end_place is not None:
        return None
    if not train.couplings and _way_end(project, built, scenario) is None:
        return None
    follows = {"points_from": "vehicle", **FOLLOWING}
    own = project.model_copy(update={"point_ride": project.point_ride.model_copy(update=follows)})
    try:
        return start_speed_for_top(built, scenario.top_speed, ridden_settings(own), gravity=project.gravity)
    except InputError:
        return None


def _way_end(project: Project, built: BuiltTrack, scenario: Ride) -> float | None:
    """Where the way ends that the start speed has to do (m): at the end place, or where a device takes the train on;
    None at the end of the track."""
    start = float(built.centreline.wrap(scenario.start)[0])
    drive = first_drive(devices_of(project, built), start, built.length, built.track.closed)
    if drive is None:
        return scenario.end_place
    taken_on = scenario.start + drive[1]
    return taken_on if scenario.end_place is None else min(taken_on, scenario.end_place)


def highest_place(built: BuiltTrack, start: float, end: float | None) -> tuple[float, float]:
    """Arc length (m) and height (m) of the highest point of the centreline between start and end."""
    last = end if end is not None else (start + built.length if built.track.closed else built.length)
    s = np.linspace(start, last, 4001)
    z = built.centreline.position(s)[:, 2]
    k = int(np.argmax(z))
    return float(s[k]), float(z[k])


def speed_over_top(
    project: Project, built: BuiltTrack, *, should_stop: Callable[[], bool] | None = None
) -> float:
    """Start speed (m/s) with which the first car passes the highest point at the scenario's `top_speed`.

    First guess from the energy of the height gained, then secant steps on runs of the whole model up to the
    top. `top_speed` itself where nothing ahead is LEAST_RISE (m) higher than the start. Raises InputError when the
    highest point cannot be passed.
    """
    scenario, train = project.scenario, project.train
    assert isinstance(scenario, Ride)
    assert train is not None
    s_top, z_top = highest_place(built, scenario.start, _way_end(project, built, scenario))
    rise = z_top - float(built.centreline.position([scenario.start])[0, 2])
    if rise < LEAST_RISE:
        return scenario.top_speed
    if not train.children[0].every("guide"):
        raise InputError(
            f"{project.name}: no start speed can be solved for, '{train.children[0].name}' has no wheels on the track;"
            " give a speed."
        )
    g, target = float(np.linalg.norm(project.gravity)), scenario.top_speed
    speed, vain = math.sqrt(target**2 + 2.0 * g * rise), 1.0
    for _ in range(TRIES):
        if should_stop is not None and should_stop():
            return speed
        reached = _speed_at(project, built, speed, s_top)
        if reached is not None and abs(reached - target) <= CLOSE:
            return speed
        # energy per mass that is missing at the top, given back at the start; twice as much after every try in vain
        if reached is None:
            missing, vain = vain * ((0.5 * target) ** 2 + 0.02 * speed**2), 2.0 * vain
        else:
            missing = (target**2 - reached**2) / 2.0
        speed = math.sqrt(speed**2 + 2.0 * missing)
    for span in devices_of(project, built):
        if span.s1 > scenario.start and span.s0 < s_top:
            raise InputError(
                f"{project.name}: no start speed can be solved for, because '{span.device.name}' acts on the train on"
                " its way to the highest point; give a speed, or start on a station or a lift."
            )
    raise InputError(
        f"{project.name}: no start speed up to {speed:.1f} m/s takes the train over the highest point at"
        f" {s_top:.1f} m; give a speed."
    )


def _speed_at(project: Project, built: BuiltTrack, speed: float, s_top: float) -> float | None:
    """Speed (m/s) of the first car's first guide when it passes s_top; None when it turns back before."""
    # the first car is enough where nothing connects the others with it
    settings = {"method": "generalized_alpha", "initial_velocities": "project"}
    project = project.model_copy(update={"settings": project.settings.model_copy(update=settings)})
    system = compile_system(project, speed=speed, built=built, only=next(iter(parts_of(project)), None))
    engine = Engine.prepare(system, project.settings)
    assert project.train is not None
    path = guide_places(project.train.children[0])[0].path
    ends = np.full(len(system.guides), np.inf)
    ends[0] = s_top if path == "centreline" else built.rails[path].to_rail([s_top])[0]
    Y, P, log = engine.memory(), engine.limits(600.0), new_log(system, 64)
    ng = len(system.guides)
    while True:
        Y.counts[integration.LOGGED] = 0
        code = genalpha.advance(system.arrays, engine.work, engine.factor, Y, P, log, ends, 1, 32)
        along = float(Y.v[integration.U, system.layout.paths.start])
        if code == integration.PATH_END:
            return along
        if code != integration.RUNNING or along < 0.01 or ng == 0:
            return None
