"""What the wheels of a train bear in the ride of points: side loads, rolling, couplings."""

from __future__ import annotations

import math

import numpy as np
import pytest

from ridewright.core.model.assembly import Assembly
from ridewright.core.model.axles import axles_of
from ridewright.core.model.bodies import Body
from ridewright.core.model.guides import Guide
from ridewright.core.model.joints import Joint
from ridewright.core.pointmass.ride_kernels import wheel_load
from ridewright.core.pointmass.tables import line_tables, point_offsets, point_shares
from ridewright.core.project.point_settings import PointMass, RiddenSettings
from ridewright.core.track.build import BuiltTrack, build_track
from ridewright.core.track.description import Track
from ridewright.core.track.elements import StartPose
from ridewright.core.track.elements.arc import ArcSection

G = 9.81
RADIUS = 30.0


def arc(direction: str, bank: float = 0.0) -> BuiltTrack:
    """A circular arc of 60 degrees without transitions, level where it is half done if it is vertical."""
    pitch = {"down": math.radians(30.0), "up": -math.radians(30.0)}.get(direction, 0.0)
    section = ArcSection(
        name="Arc",
        direction=direction,
        radius=RADIUS,
        angle=math.radians(60.0),
        transition_in=0.0,
        transition_out=0.0,
        pose=StartPose(position=(0.0, 0.0, 40.0), pitch=pitch, cant=bank),
    )
    return build_track(Track(name="Arc", sections=(section,)), ride=False)


def load_at(built: BuiltTrack, settings: RiddenSettings, s: float, speed: float) -> np.ndarray:
    """Forces (n, 2) to the left and upwards over the train's mass that the rails give its points, middle at s (m)."""
    tables = line_tables(built, settings, (), (0.0, 0.0, -G), 0.5, True)
    i = int(np.argmin(np.abs(tables.s[:, 0] - s)))
    load = tables.load[i, 0]
    q = speed * speed
    force = np.stack([load[:, 0] * q + load[:, 1] * G, load[:, 2] * q + load[:, 3] * G], axis=1)
    return np.asarray(force * point_shares(settings)[:, None])


def train(*points: PointMass, **fields: float) -> RiddenSettings:
    return RiddenSettings(friction="load", mu=0.02, drag=0.0, line="rail", points=points, **fields)


@pytest.mark.parametrize("direction", ["down", "up"])
def test_that_a_train_at_rest_across_a_crest_or_valley_stands_with_its_whole_weight_on_the_rails(
    direction: str,
) -> None:
    """The rails push across the track only, the couplings within the train: the sum of what the rails give is the
    weight. Without the couplings' pull it is short by the mean of sin^2 of the slopes, 3 % here."""
    points = tuple(
        PointMass(x, share) for x, share in ((9.0, 0.1), (6.0, 0.3), (1.0, 0.2), (-4.0, 0.1), (-8.0, 0.3))
    )
    middle = sum(point.ahead * point.share for point in points)
    settings = train(*(point._replace(ahead=point.ahead - middle) for point in points))
    built = arc(direction)
    s = 0.5 * built.length
    tables = line_tables(built, settings, (), (0.0, 0.0, -G), 0.5, True)
    at = float(tables.s[int(np.argmin(np.abs(tables.s[:, 0] - s))), 0])
    slopes = (at + point_offsets(settings) - s) / RADIUS
    force = load_at(built, settings, s, 0.0)
    # the train is let go: it gains speed by g times its mean slope, and its masses fall by that times their own
    rolls = float(point_shares(settings) @ np.sin(slopes))
    upward = float(force[:, 1] @ np.cos(slopes))
    assert upward == pytest.approx(G * (1.0 - rolls**2), rel=2e-3)
    alone = float(G * point_shares(settings) @ np.cos(slopes) ** 2)
    assert alone < G * (1.0 - rolls**2) * 0.975


def test_that_in_a_level_curve_the_wheels_bear_what_statics_says() -> None:
    """Side load v^2/R and weight: each wheel sqrt(N^2 + Y^2), N = m g / 2 -+ (m v^2 h / R - m g y) / gauge."""
    speed, h, y = 14.0, 0.9, 0.05
    settings = train(PointMass(0.0, 1.0, arm=h, aside=y))
    built = arc("left")
    tables = line_tables(built, settings, (), (0.0, 0.0, -G), 0.5, True)
    load = tables.load[20]
    felt = wheel_load(load, 0, np.eye(load.shape[0]), speed**2, G)
    side = speed**2 / RADIUS
    couple = (side * h - G * y) / built.track.gauge
    wheels = [math.hypot(0.5 * G + sign * couple, 0.5 * side) for sign in (1.0, -1.0)]
    assert felt == pytest.approx(sum(wheels), rel=1e-9)
    assert couple > 0.5 * G  # the inner wheel is held down
    assert felt > 1.05 * math.hypot(side, G)


def car(pivot: bool) -> Assembly:
    """A frame on a front axle that is part of it and a rear axle, on a pivot along the car or fixed as well."""
    bodies = (
        Body(name="Frame", mass=900.0, inertia=(90.0, 90.0, 90.0), position=(0.1, 0.05, 0.6)),
        Body(name="Rear axle", mass=60.0, inertia=(9.0, 9.0, 9.0), position=(-1.0, 0.0, 0.1)),
    )
    joint = Joint(
        name="Pivot",
        kind="revolute" if pivot else "rigid",
        body_i="Frame",
        body_j="Rear axle",
        point_i=(-1.1, -0.05, -0.4),
        point_j=(0.0, 0.0, 0.1),
        axis_i=(1.0, 0.0, 0.0) if pivot else None,
        axis_j=(0.0, 1.0, 0.0) if pivot else None,
    )
    guides = tuple(
        Guide(name=f"{body} {path}", body=body, point=(x, y - away, z), path=path)
        for body, x, z, away in (("Frame", 0.9, -0.6, 0.05), ("Rear axle", 0.0, -0.1, 0.0))
        for path, y in (("left_rail", 0.5), ("right_rail", -0.5))
    )
    return Assembly(role="car", name="Car", bodies=bodies, joints=(joint,), guides=guides)


@pytest.mark.parametrize("pivot", [True, False])
def test_that_the_axles_together_hold_the_car_from_rolling(pivot: bool) -> None:
    axles, height = axles_of(car(pivot))
    mass = 960.0
    y, z = (round((900.0 * a + 60.0 * b) / mass, 2) for a, b in ((0.05, 0.0), (0.6, 0.1)))
    assert height == pytest.approx(z)
    assert sum(axle.mass for axle in axles) == pytest.approx(mass)
    assert sum(axle.mass * axle.arm for axle in axles) == pytest.approx(mass * z)
    assert sum(axle.mass * axle.aside for axle in axles) == pytest.approx(mass * y)
    rear = axles[0]
    assert rear.ahead == pytest.approx(-1.0)
    if pivot:  # a free hinge carries no moment about itself
        assert (rear.arm, rear.aside) == pytest.approx((0.2, 0.0))
    else:
        assert rear.mass * rear.arm == pytest.approx(axles[1].mass * axles[1].arm)
