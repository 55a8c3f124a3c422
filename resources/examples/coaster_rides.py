"""The coasters: vehicle and rider of the library on a straight, on two rebuilt coasters, on an imported one."""

from __future__ import annotations

import json
from pathlib import Path

from ridewright.core.exchange.nl2_csv import read_nl2_csv
from ridewright.core.model.assembly import Assembly
from ridewright.core.model.library import load_occupant, load_vehicle, with_rider
from ridewright.core.project.project import Project
from ridewright.core.project.scenario import Ride
from ridewright.core.track.description import SplineSection, StraightSection, Track

HERE = Path(__file__).parent


def car_with_rider() -> Assembly:
    """The library's vehicle with one rider on the left seat, as in the thesis."""
    return with_rider(load_vehicle(), load_occupant(), "Left seat", "Rider")


def straight() -> Project:
    """Vehicle and rider on a level straight."""
    track = Track(
        name="Straight",
        sections=(StraightSection(name="Straight", start=(0.0, 0.0, 0.0), end=(200.0, 0.0, 0.0), cant=0.0),),
    )
    notes = (
        "Straight: the vehicle with one rider rolls along 200 m of level track at 10 m/s.\n"
        "24 bodies, 38 degrees of freedom: where to look at the model itself."
    )
    ride = Ride(start=5.0, speed=10.0, end_place=190.0)
    return Project(
        name="Straight",
        notes=notes,
        track=track,
        train=Assembly(name="Train", role="train", children=(car_with_rider(),)),
        scenario=ride,
    )


def design_track(name: str) -> Track:
    """The track whose control points design/build_tracks.py wrote."""
    data = json.loads((HERE / "design" / f"{name}.points.json").read_text(encoding="utf-8"))
    sections = tuple(SplineSection.model_validate_json(json.dumps(s)) for s in data["sections"])
    return Track(name=data["name"], closed=data["closed"], gauge=data["gauge"], sections=sections)


def looping_star() -> Project:
    """Looping Star after the thesis."""
    notes = (
        "Looping Star after Viegas 2016, chapter 5: 32 m high, 765 m long, one loop, seven curves, start with 26 m/s.\n"
        "The thesis prints no track points: the course is rebuilt from these dimensions, with the last two curves"
        " unbanked as it tells."
    )
    track = design_track("looping_star")
    ride = Ride(start=2.0, speed=26.0, settled=True)
    return Project(
        name="Looping Star",
        notes=notes,
        track=track,
        train=Assembly(name="Train", role="train", children=(car_with_rider(),)),
        scenario=ride,
    )


def gatekeeper() -> Project:
    """GateKeeper after the thesis."""
    notes = (
        "GateKeeper after Viegas 2016, chapter 5: 45 m high, 1315 m long, corkscrews and a loop.\n"
        "The thesis prints neither track points nor start speed: the course is rebuilt from the order of elements of"
        " the real ride, the speed solved for 6.6 m/s over the highest point."
    )
    track = design_track("gatekeeper")
    ride = Ride(start=2.0, speed=None, top_speed=6.6, settled=True)
    return Project(
        name="GateKeeper",
        notes=notes,
        track=track,
        train=Assembly(name="Train", role="train", children=(car_with_rider(),)),
        scenario=ride,
    )


def veloci2() -> Project:
    """A coaster imported from a NoLimits 2 spline file."""
    track = read_nl2_csv(HERE / "veloci2_nl2.csv", name="Veloci2")
    notes = (
        "Veloci2: a launched coaster of 1789 m and 60 m, imported from a NoLimits 2 spline file of the KexEdit project"
        " (MIT licence, veloci2.LICENSE.md).\n"
        "Its launches are not modelled: the ride begins on the second launch straight with the speed that the launch"
        " gives (10 m/s are left over the highest point) and ends before the brakes."
    )
    ride = Ride(start=790.0, speed=None, top_speed=10.0, end_place=1715.0, settled=True)
    return Project(
        name="Veloci2",
        notes=notes,
        track=track,
        train=Assembly(name="Train", role="train", children=(car_with_rider(),)),
        scenario=ride,
    )


EXAMPLES = {"straight": straight, "looping_star": looping_star, "gatekeeper": gatekeeper, "veloci2": veloci2}
