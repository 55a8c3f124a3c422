"""The points that stand for a vehicle when it is ridden as points: its mass over its axles."""

from __future__ import annotations

from typing import Any

import numpy as np

from core.model.assembly import Assembly
from core.model.losses import drag_per_mass, losses_of
from core.model.placement import Drawn, guide_places
from core.project.point_settings import POINTS, PointRideSettings
from core.project.project import Project
from core.project.scenario import Ride

SAME_AXLE = 0.3  # m along the track; guides nearer to one another are on one axle
MOST = 60  # points of a ride


def _axles(car: Assembly) -> np.ndarray:
    """Places (k,) m of a car's axles, forward of its origin: where its guides are; its centre of mass without any."""
    found = [guide.ahead for guide in guide_places(car)]
    if not found:
        return np.array([_centre(car)])
    places = np.sort(found)
    groups = np.split(places, np.flatnonzero(np.diff(places) > SAME_AXLE) + 1)
    return np.array([group.mean() for group in groups])


def _centre(car: Assembly) -> float:
    """How far forward of its origin the centre of mass of a car without riders lies (m)."""
    drawn = Drawn(car)
    own = np.array([[body.mass, drawn.position[path][0]] for path, body in car.own("body").items()])
    return float(own[:, 0] @ own[:, 1] / own[:, 0].sum())


def _axle_masses(train: Assembly) -> tuple[np.ndarray, np.ndarray]:
    """Places (n,) m forward of the first car's origin and masses (n,) kg of all axles of a train."""
    places, masses = [], []
    for car in train.children:
        axles = _axles(car)
        places += (axles - car.offset).tolist()
        masses += [car.mass() / len(axles)] * len(axles)
    return np.array(places), np.array(masses)


def points_of(train: Assembly) -> tuple[float, float, int]:
    """Mass (kg), length (m) and number of equal masses, evenly along that length, that stand for a train.

    As many masses as there are axles, over which every car's mass is shared equally; the length gives them the same
    spread along the track, on which the energy depends where the track bends.
    """
    place, masses = _axle_masses(train)
    share = masses / masses.sum()
    spread = float(share @ (place - share @ place) ** 2)
    count = min(len(place), MOST)
    length = 0.0 if count == 1 else float(np.sqrt(12.0 * spread / (1.0 - 1.0 / count**2)))
    return float(masses.sum()), min(length, 200.0), count


def start_of(project: Project, ride: Ride) -> float:
    """Where the middle of the train stands (m) when the first car's origin is at the start of the ride."""
    start = ride.start
    if project.train is not None:
        place, masses = _axle_masses(project.train)
        start += float(masses @ place / masses.sum())
    # a train that begins behind an open track's end is on its straight continuation
    return start if project.track is None or project.track.closed else max(start, 0.0)


def ridden_settings(project: Project) -> PointRideSettings:
    """The settings a project is ridden with as points.

    Start and speed are those of the ride, losses, mass, length and points those of its train, unless the project says
    that they are given, or has none.
    """
    settings, train, ride = project.point_ride, project.train, project.scenario
    fields: dict[str, Any] = {}
    if settings.start_from == "scenario" and isinstance(ride, Ride):
        fields |= {"start": start_of(project, ride), "speed": ride.speed, "top_speed": ride.top_speed}
    if settings.losses_from == "vehicle" and train is not None:
        fields |= {"friction": "load", "mu": losses_of(train).rolling, "drag": drag_per_mass(train)}
    if settings.points_from == "vehicle" and train is not None:
        fields |= dict(zip(POINTS, points_of(train), strict=True))
    return settings.model_copy(update=fields)
