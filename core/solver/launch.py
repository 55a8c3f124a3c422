"""The start speed that takes a train just over its highest point."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np

from core.errors import InputError
from core.multibody.compile import compile_system
from core.project import Project
from core.scenario import Ride
from core.solver import genalpha
from core.solver.engine import Engine, new_log
from core.track.build import BuiltTrack

TRIES = 8
CLOSE = 0.05  # m/s at the top


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
    top. Raises InputError when the highest point lies at the start or cannot be passed.
    """
    scenario, train = project.scenario, project.train
    assert isinstance(scenario, Ride)
    assert train is not None
    s_top, z_top = highest_place(built, scenario.start, scenario.end_place)
    rise = z_top - float(built.centreline.position([scenario.start])[0, 2])
    if rise < 0.5 or not train.cars[0].guides:
        raise InputError(
            f"{project.name}: no start speed can be solved for, the start is at the highest point; give a speed."
        )
    g, target = float(np.linalg.norm(project.gravity)), scenario.top_speed
    speed = math.sqrt(target**2 + 2.0 * g * rise)
    for _ in range(TRIES):
        if should_stop is not None and should_stop():
            return speed
        reached = _speed_at(project, built, speed, s_top)
        if reached is not None and abs(reached - target) <= CLOSE:
            return speed
        # energy per mass that is missing at the top, given back at the start
        missing = (
            (target**2 - reached**2) / 2.0 if reached is not None else (0.5 * target) ** 2 + 0.02 * speed**2
        )
        speed = math.sqrt(speed**2 + 2.0 * missing)
    raise InputError(
        f"{project.name}: no start speed up to {speed:.1f} m/s takes the train over the highest point at"
        f" {s_top:.1f} m; give a speed."
    )


def _speed_at(project: Project, built: BuiltTrack, speed: float, s_top: float) -> float | None:
    """Speed (m/s) of the first car's first guide when it passes s_top; None when it turns back before."""
    system = compile_system(project, speed=speed, built=built)
    settings = {"method": "generalized_alpha", "initial_velocities": "project"}
    engine = Engine.prepare(system, project.settings.model_copy(update=settings))
    assert project.train is not None
    path = project.train.cars[0].guides[0].path
    ends = np.full(len(system.guides), np.inf)
    ends[0] = s_top if path == "centreline" else built.rails[path].to_rail([s_top])[0]
    Y, P, log = engine.memory(), engine.limits(600.0), new_log(system, 64)
    nb, ng = system.bodies, len(system.guides)
    while True:
        Y.counts[genalpha.LOGGED] = 0
        code = genalpha.advance(system.arrays, engine.work, engine.factor, Y, P, log, ends, 1, 32)
        along = float(Y.v[genalpha.U, 6 * nb])
        if code == genalpha.PATH_END:
            return along
        if code != genalpha.RUNNING or along < 0.01 or ng == 0:
            return None
