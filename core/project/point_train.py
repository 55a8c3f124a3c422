"""The points that stand for a vehicle when it is ridden as points: its mass over its axles."""

from __future__ import annotations

import numpy as np

from core.base.frames import rotation_matrix
from core.model.assembly import Car, Train
from core.project.point_settings import PointRideSettings
from core.project.project import Project

SAME_AXLE = 0.3  # m along the track; guides nearer to one another are on one axle
MOST = 60  # points of a ride


def _axles(car: Car) -> np.ndarray:
    """Places (k,) m of a car's axles, forward of its origin: where its guides are; its centre of mass without any."""
    bodies = {body.name: body for body in car.bodies}
    found = []
    for guide in car.guides:
        body = bodies[guide.body]
        turned = rotation_matrix(np.array(body.orientation)) @ np.array(guide.point)
        found.append(body.position[0] + float(turned[0]))
    if not found:
        return np.array([_centre(car)[1]])
    places = np.sort(found)
    groups = np.split(places, np.flatnonzero(np.diff(places) > SAME_AXLE) + 1)
    return np.array([group.mean() for group in groups])


def _centre(car: Car) -> tuple[float, float]:
    """Mass (kg) of a car with its riders, and how far forward of its origin its own centre of mass lies (m)."""
    own = np.array([[body.mass, body.position[0]] for body in car.bodies])
    riders = sum(body.mass for rider in car.occupants for body in rider.bodies)
    return float(own[:, 0].sum() + riders), float(own[:, 0] @ own[:, 1] / own[:, 0].sum())


def points_of(train: Train) -> tuple[float, float, int]:
    """Mass (kg), length (m) and number of equal masses, evenly along that length, that stand for a train.

    As many masses as there are axles, over which every car's mass is shared equally; the length gives them the same
    spread along the track, on which the energy depends where the track bends.
    """
    places, masses = [], []
    for car in train.cars:
        axles = _axles(car)
        places += (axles - car.offset).tolist()
        masses += [_centre(car)[0] / len(axles)] * len(axles)
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
