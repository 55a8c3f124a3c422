"""The points that stand for a vehicle when it is ridden as points: its mass over its axles."""

from __future__ import annotations

import numpy as np

from core.model.assembly import Assembly
from core.model.placement import Drawn, guide_places
from core.project.point_settings import PointRideSettings
from core.project.project import Project

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


def points_of(train: Assembly) -> tuple[float, float, int]:
    """Mass (kg), length (m) and number of equal masses, evenly along that length, that stand for a train.

    As many masses as there are axles, over which every car's mass is shared equally; the length gives them the same
    spread along the track, on which the energy depends where the track bends.
    """
    places, masses = [], []
    for car in train.children:
        axles = _axles(car)
        places += (axles - car.offset).tolist()
        masses += [car.mass() / len(axles)] * len(axles)
    share = np.array(masses) / sum(masses)
    place = np.array(places)
    spread = float(share @ (place - share @ place) ** 2)
    count = min(len(place), MOST)
    length = 0.0 if count == 1 else float(np.sqrt(12.0 * spread / (1.0 - 1.0 / count**2)))
    return float(sum(masses)), min(length, 200.0), count


def ridden_settings(project: Project) -> PointRideSettings:
    """The settings a project is ridden with as points: mass, length and points those of its train, unless it says
    that they are given or has none."""
    settings = project.point_ride
    if settings.points_from == "given" or project.train is None:
        return settings
    mass, length, count = points_of(project.train)
    return settings.model_copy(update={"mass": mass, "train_length": length, "masses": count})
