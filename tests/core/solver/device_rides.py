"""Tracks with lift, launch and brakes, and trains for them: full, or stiff enough to be ridden as points."""

from __future__ import annotations

import math
from typing import Any

from ridewright.core.model.assembly import Assembly
from ridewright.core.model.library import load_occupant, load_vehicle, with_rider, with_secondary_locked
from ridewright.core.project.examples import load_example
from ridewright.core.project.project import Project
from ridewright.core.project.scenario import Ride, SolverSettings
from ridewright.core.track.description import Track
from ridewright.core.track.devices import Device
from ridewright.core.track.devices.block_brake import BlockBrake
from ridewright.core.track.devices.chain_lift import ChainLift
from ridewright.core.track.devices.drive_tyres import DriveTyres
from ridewright.core.track.devices.launch import Launch
from ridewright.core.track.devices.station import Station
from ridewright.core.track.devices.trim_brake import TrimBrake

SLOPE = math.radians(28.0)
DEVICES: tuple[Device, ...] = (
    Station(name="station", section="platform", speed=2.0, acceleration=1.0),
    ChainLift(name="lift foot", section="foot", speed=2.5),
    ChainLift(name="lift", section="climb", speed=2.5),
    ChainLift(name="lift top", section="top", speed=2.5),
    DriveTyres(name="tyres", section="summit", speed=4.0, acceleration=1.5),
    Launch(name="launch", section="run", start=5.0, end=30.0, value=7.0, top_speed=40.0),
    TrimBrake(name="trim", section="end", start=5.0, end=35.0, speed=12.0, deceleration=4.0),
    BlockBrake(name="block", section="end", start=40.0, end=85.0, deceleration=5.0, hold=None),
)


def straight(name: str, length: float, **fields: Any) -> dict[str, Any]:
    """A straight section of a length (m)."""
    return {"kind": "straight", "name": name, "length": length, **fields}


def bend(name: str, direction: str, radius: float, angle: float = SLOPE) -> dict[str, Any]:
    """A valley ("up") or a crest ("down")."""
    return {
        "kind": "arc", "name": name, "direction": direction, "radius": radius, "angle": angle, "transition_in": 6.0,
        "transition_out": 6.0,
    }  # fmt: skip


def hill(devices: tuple[Device, ...] = DEVICES) -> Track:
    """Platform, lift of 28 degrees, summit, drop, launch, brakes: 270 m, heading somewhere."""
    platform = {
        **straight("platform", 25.0), "length": None, "start": (3.0, -2.0, 8.0),
        "end": (3.0 + 25.0 * math.cos(0.7), -2.0 + 25.0 * math.sin(0.7), 8.0), "cant": 0.0,
    }  # fmt: skip
    sections = (
        platform, bend("foot", "up", 18.0), straight("climb", 22.0), bend("top", "down", 15.0),
        straight("summit", 14.0), bend("over", "down", 20.0), straight("drop", 14.0), bend("valley", "up", 22.0),
        straight("run", 40.0), straight("end", 95.0),
    )  # fmt: skip
    return Track.model_validate({"name": "hill", "sections": sections, "devices": devices})


def level(*devices: Device, length: float = 120.0, rise: float = 0.0) -> Track:
    """A straight section "all" that rises by an angle (rad)."""
    way = (math.cos(rise) * math.cos(0.7), math.cos(rise) * math.sin(0.7), math.sin(rise))
    end = tuple(length * x for x in way)
    section = {"kind": "straight", "name": "all", "start": (0.0, 0.0, 0.0), "end": end, "cant": 0.0}
    return Track.model_validate({"name": "level", "sections": (section,), "devices": devices})


def stiff_car() -> Assembly:
    """The car of the library without riders, its roll joint locked: it runs as a point on straights."""
    return with_secondary_locked(load_vehicle())


def full_car() -> Assembly:
    """The car of the library with a rider."""
    car = load_vehicle()
    return with_rider(car, load_occupant(), car.seats[0].name)


def ride(track: Track, car: Assembly, settings: dict[str, Any] | None = None, **scenario: Any) -> Project:
    """A project in which a car rides a track."""
    fields = {"start": 3.0, "speed": None, **scenario}
    return Project(
        name="ride",
        track=track,
        train=Assembly(name="Train", role="train", children=(car,)),
        scenario=Ride.model_validate(fields),
        settings=SolverSettings.model_validate(
            {**dict(load_example("straight").settings), **(settings or {})}
        ),
    )
