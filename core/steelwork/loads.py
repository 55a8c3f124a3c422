"""What a train does to its track: the forces of its wheels, of a run or of the ride as points.

Of a run: what each guide bears, turned round, and what the track's devices push the cars with, at the middle of each
car's guides. The resistance of wheels, a few hundredths of their load along the track, is left out. Of the ride as
points: each axle with its share of the mass at the height of the train's centre, m (g - a).
"""

from __future__ import annotations

import numpy as np

from ..base.errors import InputError
from ..pointmass.result import PointRide
from ..pointmass.ride import ride_point
from ..pointmass.tables import point_offsets, point_shares
from ..project.point_train import ridden_settings
from ..project.project import Project
from ..project.scenario import Ride
from ..results.results import Results
from ..results.spilled import taken
from ..track.build import BuiltTrack
from .ride import TrainLoads

AHEAD = 0.02  # m along the track, over which the way of a point is differentiated
AROUND = np.array([-2.0, -1.0, 0.0, 1.0, 2.0])
FIRST, SECOND = np.array([1.0, -8.0, 0.0, 8.0, -1.0]) / 12.0, np.array([-1.0, 16.0, -30.0, 16.0, -1.0]) / 12.0


def loads_of_run(project: Project, results: Results, built: BuiltTrack) -> TrainLoads:
    """Forces of the wheels of a run on its track.

    project: that of the run. Raises InputError where nothing rolls on the track, or the results are not of the project.
    """
    top, names, states = project.assembly, results.names, results.states
    guides = {} if top is None else top.every("guide")
    if not names.guides or any(name not in guides for name in names.guides):
        raise InputError("Nothing of the run rolls on its track, so that nothing loads it; ride a train.")
    first, cars = len(names.joints), [name.split("/")[0] for name in names.guides]
    shape = len(states.time), len(cars)
    s, point, force, moment = np.empty(shape), *(np.empty((*shape, 3)) for _ in range(3))
    for k, name in enumerate(names.guides):
        path, L = guides[name].path, taken(states.path_coordinate, k)
        s[:, k] = L if path == "centreline" else built.rails[path].to_centreline(L)
        point[:, k] = built.paths[path].sample(L)[:, 0, :3]
        borne = taken(states.reactions, first + k)
        force[:, k], moment[:, k] = -borne[:, :3], -borne[:, 3:]
        pushed = results.channels.get(f"car/{cars[k]}/device_force")
        if pushed is not None:  # on the whole car, by devices of the track
            share = np.interp(states.time, results.sample_time, pushed.values) / cars.count(cars[k])
            force[:, k] -= share[:, None] * built.frame_at(built.centreline.wrap(s[:, k]))[0]
    return TrainLoads(np.asarray(states.time), s, point, force, moment)


def loads_of_points(project: Project, built: BuiltTrack, ride: PointRide | None = None) -> TrainLoads:
    """Forces of the axles of the ride as points on its track; ride: that ride, where it is known. Raises InputError
    where there is no train to ride."""
    if not isinstance(project.scenario, Ride) or project.track is None:
        raise InputError(f"{project.name}: nothing rides on the track; a ride with a train loads it.")
    settings = ridden_settings(project)
    if ride is None:
        ride = ride_point(built, settings, gravity=project.gravity)
    moving = np.concatenate([[True], np.diff(ride.time) > 0.0])
    time, middle = ride.time[moving], ride.s[moving]
    ahead, share = point_offsets(settings), point_shares(settings)
    s = middle[:, None] + ahead
    height = getattr(settings, "centre", None) or settings.mass_height
    where = (s[..., None] + AHEAD * AROUND).ravel()
    inside = built.centreline.wrap(where)
    state = built.centreline.state(inside)
    beyond = 0.0 if built.track.closed else (where - inside)[:, None]  # an open track goes on straight
    places = (state.curve[:, 0] + beyond * state.tangent + height * state.up).reshape(*s.shape, 5, 3)
    way = np.einsum("nkpc,p->nkc", places, FIRST) / AHEAD
    bend = np.einsum("nkpc,p->nkc", places, SECOND) / AHEAD**2
    v, a = ride.speed[moving][:, None, None], ride.acceleration[moving][:, None, None]
    mass = settings.mass * share[None, :, None]
    force = mass * (np.asarray(project.gravity) - v**2 * bend - a * way)
    return TrainLoads(time, s, places[:, :, 2], force, np.zeros_like(force))
