"""Rides on curves of known shape: beads, a guided body, and the pendulums of the path-constraint demonstrator.

The curves are given by points dense enough that the spline through them is the curve to the digits the
verification suite asks for.
"""

from __future__ import annotations

import math

import numpy as np

from ridewright.core.model.assembly import Assembly
from ridewright.core.model.bodies import Body
from ridewright.core.model.drivers import Driver
from ridewright.core.model.functions import AnalyticFunction
from ridewright.core.model.guides import Guide
from ridewright.core.project.project import Project
from ridewright.core.project.scenario import Ride, SolverSettings
from ridewright.core.track.description import ControlPoint, SplineSection, Track

HELIX_BEAD = {"radius": 8.0, "drop": 1.5}
HELIX_FRAME = {"radius": 2.0, "drop": 0.8}
LOOP_RADIUS = 5.0
CYCLOID = {"radius": 2.0, "first": 0.6}
CURVE50 = {
    "radius": 50.0,
    "straight": 25.0,
    "ease": 10.0,
    "arc": 110.0,
    "cant": -math.radians(6.0),
    "speed": 10.0,
}


def _track(name: str, points: np.ndarray, closed: bool = False, cant: float | None = None) -> Track:
    spline = tuple(ControlPoint(x=float(x), y=float(y), z=float(z), cant=cant) for x, y, z in points)
    return Track(name=name, closed=closed, sections=(SplineSection(name=name, points=spline),))


def _bead_car(
    name: str, kind: str = "point", inertia: tuple[float, float, float] = (0.1, 0.1, 0.1)
) -> Assembly:
    body = Body(name=name, mass=2.0, inertia=inertia, position=(0.0, 0.0, 0.0))
    return Assembly(
        role="car", name="Car", bodies=(body,), guides=(Guide(name="Wire", kind=kind, body=name),)
    )


def helix_points(radius: float, drop: float, first: float, last: float, step: float) -> np.ndarray:
    """Points of a left-handed descent about z: radius (m), drop a radian (m), turned from first to last (rad)."""
    a = np.linspace(first, last, round((last - first) / step) + 1)
    return np.column_stack([radius * np.cos(a), radius * np.sin(a), -drop * a])


def bead_helix() -> Project:
    """A bead slides down a helix from a start speed of 3 m/s."""
    track = _track("Helix", helix_points(**HELIX_BEAD, first=0.0, last=13.0, step=0.05))
    notes = "Bead on a helix: constant acceleration g sin(slope) along the wire, contact force from v^2 and weight."
    ride = Ride(start=10.0, speed=3.0, duration=5.0)
    train = Assembly(name="Train", role="train", children=(_bead_car("Bead"),))
    return Project(name="Bead on a helix", notes=notes, track=track, train=train, scenario=ride)


def frame_helix() -> Project:
    """A body guided with its whole frame down a helix."""
    points = helix_points(**HELIX_FRAME, first=0.0, last=22.0, step=0.05)
    notes = (
        "Guided body on a helix: the full path constraint turns the body with the track frame, so that it resists with"
        " the effective mass m + J_t tau^2 + J_b kappa^2."
    )
    return Project(
        name="Guided body on a helix",
        notes=notes,
        track=_track("Helix", points, cant=0.0),
        train=Assembly(name="Train", role="train", children=(_bead_car("Body", "full", (1.5, 2.0, 3.0)),)),
        scenario=Ride(start=5.0, speed=1.0, duration=4.0),
    )


def bead_loop() -> Project:
    """A bead runs round a vertical circle."""
    angle = np.linspace(0.0, 2.0 * np.pi, 160, endpoint=False)
    points = LOOP_RADIUS * np.column_stack([np.sin(angle), np.zeros_like(angle), 1.0 - np.cos(angle)])
    notes = (
        "Bead in a vertical loop: radius 5 m, 16 m/s at the bottom; contact force m (v^2/R + g cos(angle))."
    )
    return Project(
        name="Bead in a vertical loop",
        notes=notes,
        track=_track("Loop", points, closed=True),
        train=Assembly(name="Train", role="train", children=(_bead_car("Bead"),)),
        scenario=Ride(start=0.0, speed=16.0, duration=4.0),
    )


def cycloid_arc(angle: np.ndarray | float) -> np.ndarray:
    """Arc length (m) from the start of the cycloid track to the rolling angle (rad)."""
    r, first = CYCLOID["radius"], CYCLOID["first"]
    return 4.0 * r * (np.cos(first / 2.0) - np.cos(np.asarray(angle) / 2.0))


def bead_cycloid() -> Project:
    """A bead swings in a hanging cycloid, in the same time from any height."""
    r, first = CYCLOID["radius"], CYCLOID["first"]
    a = np.linspace(first, 2.0 * np.pi - first, 181)
    points = r * np.column_stack([a - np.sin(a), np.zeros_like(a), np.cos(a) - 1.0])
    notes = (
        "Bead on a cycloid: hanging cycloid of a circle of 2 m, where every swing takes the same time (Huygens 1673):"
        " the place along the wire is a cosine of period 4 pi sqrt(r/g)."
    )
    bottom = float(cycloid_arc(np.pi))
    return Project(
        name="Bead on a cycloid",
        notes=notes,
        track=_track("Cycloid", points),
        train=Assembly(name="Train", role="train", children=(_bead_car("Bead"),)),
        scenario=Ride(start=bottom, speed=10.0, duration=8.0),
    )


def curve50_track() -> Track:
    """Straight, eased curve of 50 m radius to the left with constant bank, straight."""
    radius, ease, arc, cant = (CURVE50[k] for k in ("radius", "ease", "arc", "cant"))
    straight = CURVE50["straight"]
    bent = 2.0 * ease + arc

    def blend(s: np.ndarray) -> np.ndarray:
        """Share of curvature and bank at s from the curve's begin: 0 to 1 to 0 with a quintic smoothstep."""
        x = np.clip(np.minimum(s, bent - s) / ease, 0.0, 1.0)
        return x**3 * (10.0 - 15.0 * x + 6.0 * x**2)

    fine = np.linspace(0.0, bent, round(bent) * 200 + 1)
    middle = (fine[1:] + fine[:-1]) / 2.0
    heading = np.concatenate([[0.0], np.cumsum(blend(middle) / radius * np.diff(fine))])
    turn = (heading[1:] + heading[:-1]) / 2.0
    x = straight + np.concatenate([[0.0], np.cumsum(np.cos(turn) * np.diff(fine))])
    y = np.concatenate([[0.0], np.cumsum(np.sin(turn) * np.diff(fine))])
    pick = np.arange(0, len(fine), 200)  # every metre
    end = np.array([x[-1], y[-1]]) + straight * np.array([math.cos(heading[-1]), math.sin(heading[-1])])
    curve = [
        ControlPoint(x=round(x[k], 9), y=round(y[k], 9), z=0.0, cant=float(cant * blend(fine[k]) + 0.0))
        for k in pick
    ]
    first = ControlPoint(x=0.0, y=0.0, z=0.0, cant=0.0, straight=True)
    curve[-1] = curve[-1].model_copy(update={"straight": True})
    last = ControlPoint(x=round(end[0], 9), y=round(end[1], 9), z=0.0, cant=0.0)
    sections = (
        SplineSection(name="Run-in", points=(first,)),
        SplineSection(name="Curve", points=tuple(curve[:-1])),
        SplineSection(name="Run-out", points=(curve[-1], last)),
    )
    return Track(name="Curve of 50 m radius", sections=sections)


def curve50() -> Project:
    """Three pendulums, one under each path constraint, drawn through a curve at constant speed."""
    speed = CURVE50["speed"]
    cars = []
    for k, (name, kind) in enumerate((("Full", "full"), ("Cylindrical", "cylindrical"), ("Point", "point"))):
        body = Body(name="Pendulum", mass=10.0, inertia=(0.4, 0.5, 0.2), position=(0.0, 0.0, -0.5))
        guide = Guide(name="Hinge", kind=kind, body="Pendulum", point=(0.0, 0.0, 0.5))
        pull = Driver(
            name="Pull",
            target="Hinge",
            coordinate="arc_length",
            function=AnalyticFunction(rate=speed),
            relative=True,
        )
        cars.append(
            Assembly(role="car", name=name, offset=3.0 * k, bodies=(body,), guides=(guide,), drivers=(pull,))
        )
    notes = (
        "Demonstrator of the path constraints (Viegas 2016, section 2.3): three pendulums hung from the track, one"
        " under each constraint, drawn at 10 m/s through a curve of 50 m radius.\n"
        "Full: keeps the track's bank. Cylindrical: rolls out as the centrifugal force asks. Point: free to turn."
        " The curve is eased in over 10 m, so bank and curvature do not jump as in the thesis."
    )
    return Project(
        name="Pendulums in a curve",
        notes=notes,
        track=curve50_track(),
        train=Assembly(name="Train", role="train", children=tuple(cars)),
        scenario=Ride(start=8.0, speed=speed, duration=16.0),
        settings=SolverSettings(),
    )


RIGS = {
    "bead_helix": bead_helix,
    "bead_loop": bead_loop,
    "bead_cycloid": bead_cycloid,
    "frame_helix": frame_helix,
}
EXAMPLES = {"curve50": curve50}
