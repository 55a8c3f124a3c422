"""The points that stand for a vehicle when it is ridden as points: its mass over its axles."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from ..base.arrays import Array
from ..base.remembered import remembered
from ..base.sentence import say, together
from ..model.assembly import Assembly
from ..model.axles import axles_of
from ..model.carried import with_passengers
from ..model.losses import Losses, drag_per_mass, losses_of
from ..model.placement import guide_places, middle_of
from .point_settings import LOSSES, POINTS, CarPlace, PointMass, RiddenSettings
from .project import Project
from .scenario import Ride

MAX_POINTS = 60  # points of a ride
PLACE = 0.01  # m; a start nearer than this is the same
FOLLOWING = {
    "losses_from": "vehicle",
    "start_from": "scenario",
}  # of a ride as points that is that of the run


class _Masses(NamedTuple):
    """All axles of a train (n, 4): m forward of the first car's origin, mass (kg), arm and aside (m) as `Axle`; height
    (m) of its centre of mass above the rails; its cars with wheels on the track."""

    axles: Array
    height: float
    cars: tuple[CarPlace, ...]


@remembered(4)  # many ask while a track is edited
def _masses(train: Assembly) -> _Masses:
    """The masses of a train."""
    rows, moment = [], 0.0
    loaded = with_passengers(train)
    for car in loaded.children:
        axles, height = axles_of(car)
        rows += [(axle.ahead - car.offset, *axle[1:]) for axle in axles]
        moment += car.mass() * height
    table = np.array(rows)
    middle = float(table[:, 1] @ table[:, 0] / table[:, 1].sum())
    return _Masses(table, moment / float(table[:, 1].sum()), _cars(loaded, middle))


def places_of(train: Assembly) -> tuple[PointMass, ...]:
    """Where the masses of a train are, from its front to its back.

    One for each axle with what it bears (`axles_of`); neighbours are taken together where there are more than
    `MAX_POINTS`.
    """
    axles = _masses(train).axles
    masses = axles[:, 1]
    order = np.argsort(-axles[:, 0], kind="stable")
    middle, whole = float(masses @ axles[:, 0] / masses.sum()), float(masses.sum())
    points = []
    for group in np.array_split(order, min(len(order), MAX_POINTS)):
        share = masses[group] / masses[group].sum()
        ahead, arm, aside = (float(share @ axles[group, column]) for column in (0, 2, 3))
        points.append(PointMass(ahead - middle, float(masses[group].sum()) / whole, arm, aside))
    return tuple(points)


def _cars(train: Assembly, middle: float) -> tuple[CarPlace, ...]:
    placed = [(car, guide_places(car)) for car in train.children]
    held = [(car, middle_of(positions), car.mass()) for car, positions in placed if positions]
    whole = sum(mass for _, _, mass in held)
    return tuple(CarPlace(car.name, at - car.offset - middle, mass / whole) for car, at, mass in held)


def points_of(train: Assembly) -> tuple[float, float, int]:
    """Mass (kg), length (m) and number of equal masses, evenly along that length, that come nearest to a train.

    As many masses as there are axles; the length gives them the spread of the axles' masses along the track. The ride
    takes the masses where they are (`places_of`); these are shown, and what holds when a person types other ones.
    """
    position, masses = _masses(train).axles[:, :2].T
    share = masses / masses.sum()
    spread = float(share @ (position - share @ position) ** 2)
    count = min(len(position), MAX_POINTS)
    length = 0.0 if count == 1 else float(np.sqrt(12.0 * spread / (1.0 - 1.0 / count**2)))
    return float(masses.sum()), min(length, 200.0), count


def start_of(project: Project, ride: Ride) -> float:
    """Where the middle of the train stands (m) when the first car's origin is at the start of the ride."""
    start = ride.start
    if project.train is not None:
        position, masses = _masses(project.train).axles[:, :2].T
        start += float(masses @ position / masses.sum())
    # a train that begins behind an open track's end is on its straight continuation
    return start if project.track is None or project.track.closed else max(start, 0.0)


# every field of a page that shows them asks
@remembered(4, lambda project: (project.point_ride, project.train, project.scenario, project.track))
def ridden_settings(project: Project) -> RiddenSettings:
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
        fields |= {"points": places_of(train), "cars": _masses(train).cars}
        fields["centre"] = round(_masses(train).height, 2)  # a rider's size does not draw the track anew
    return RiddenSettings.model_construct(**{**dict(settings), **fields})


def left_out(project: Project) -> tuple[str, ...]:
    """What pushes or draws the train in the run and not in the ride as points: applied forces and drivers along the
    track, by their paths."""
    if project.train is None:
        return ()
    forces = [path for path, one in project.train.own("force").items() if one.kind == "force" and one.enabled]
    drivers = [path for path, one in project.train.own("driver").items() if one.coordinate == "arc_length"]
    return (*forces, *drivers)


def about_losses(project: Project) -> str:
    """What slows the ride of a project, in a sentence for the screen; other numbers of the ride as points are named."""
    train, settings = project.train, ridden_settings(project)
    own = None if train is None else losses_of(train)
    run = "" if own is None else _losses_in_words(own)
    if settings.losses_from == "vehicle" and train is not None:
        return say("{run} Preview, design tools and run take them from the train.", run=run)
    points: str = "no losses"
    if settings.mu or settings.drag:
        of = "wheel load" if settings.friction == "load" else "weight"
        points = say(
            "friction {mu:.4g} of the {of} and air drag {drag:.3g 1/m}",
            mu=settings.mu,
            of=of,
            drag=settings.drag,
        )
    other = say(
        "Preview and design tools take other numbers, typed at the project's point ride: {points}.",
        points=points,
    )
    return together(" ", (run, other))


def _losses_in_words(losses: Losses) -> str:
    if not losses.rolling and not losses.drag_area:
        return "No losses: the train rolls without resistance and without air drag, as in the thesis."
    return say(
        "Losses of the train: {rolling:.4g} of the wheel load, drag area {area:.3g m²}.",
        rolling=losses.rolling,
        area=losses.drag_area,
    )


def about_start(project: Project) -> str:
    """Where the ride as points starts otherwise than the run, in a sentence; "" where it does not."""
    ride, points = project.scenario, ridden_settings(project)
    if not isinstance(ride, Ride) or project.train is None:
        return ""
    position = start_of(project, ride)
    same_place = abs(points.start - position) < PLACE
    if points.start_from == "scenario" or (same_place and points.speed == ride.speed):
        return ""
    speeds = [
        "as fast as its device or the top asks" if v is None else say("with {speed:.2f m/s}", speed=v)
        for v in (points.speed, ride.speed)
    ]
    return say(
        "The preview starts at {points:.1f m} {how}, the run at {run:.1f m} {otherwise}.",
        points=points.start, how=speeds[0], run=position, otherwise=speeds[1],
    )  # fmt: skip


def other_losses(project: Project) -> bool:
    """Whether the ride as points loses something else than the train."""
    given = project.point_ride
    if given.losses_from == "vehicle" or project.train is None:
        return False
    own = ridden_settings(project.model_copy(update={"point_ride": given.model_copy(update=FOLLOWING)}))
    none = not (given.mu or given.drag or own.mu or own.drag)
    return not none and any(getattr(given, name) != getattr(own, name) for name in LOSSES)
