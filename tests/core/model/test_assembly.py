"""Assemblies: names are paths at every level, roles bring their own fields, faults are told with path and way out."""

from __future__ import annotations

import numpy as np
import pytest
from pydantic import ValidationError

from ridewright.core.model.assembly import Assembly, Seat
from ridewright.core.model.bodies import Body
from ridewright.core.model.drivers import Driver
from ridewright.core.model.forces.joint_stop import JointStop
from ridewright.core.model.forces.rolling_resistance import RollingResistance
from ridewright.core.model.forces.spring import SpringDamper
from ridewright.core.model.functions import constant
from ridewright.core.model.guides import Guide
from ridewright.core.model.joints import Joint
from ridewright.core.model.library import load_occupant
from ridewright.core.model.placement import PlacedModel, guide_places

QUARTER = (np.sqrt(0.5), 0.0, 0.0, np.sqrt(0.5))  # a quarter turn about z


def body(name: str, *position: float, **more) -> Body:
    return Body(name=name, mass=2.0, inertia=(1.0, 1.0, 1.0), position=position or (0.0, 0.0, 0.0), **more)


def bogie(name: str, x: float, **more) -> Assembly:
    pivot = Joint(
        name="Pivot", kind="revolute", body_i="Frame", body_j="Axle", axis_i=(0, 1, 0), axis_j=(0, 1, 0)
    )
    guide = Guide(name="Wheel", body="Axle", point=(0.25, 0.0, 0.0), path="left_rail")
    bodies = (body("Frame"), body("Axle", 0.5, 0.0, 0.0))
    return Assembly(name=name, position=(x, 0, 0), bodies=bodies, joints=(pivot,), guides=(guide,), **more)


def car(name: str = "Car", offset: float = 0.0, **more) -> Assembly:
    carbody = body("Carbody", 0.0, 0.0, 1.0)
    spring = SpringDamper(name="Spring", body_i="Carbody", body_j="Front/Frame", stiffness=1e3)
    fields = {"forces": (spring,), "children": (bogie("Front", 2.0), bogie("Rear", -2.0)), **more}
    return Assembly(name=name, role="car", offset=offset, bodies=(carbody,), **fields)


def train(*cars: Assembly, **more) -> Assembly:
    return Assembly(name="Train", role="train", children=cars, **more)


def test_that_names_are_paths_holders_first() -> None:
    whole = train(car("A"), car("B", 9.0))
    assert list(whole.every("body")) == [
        f"{name}/{path}" for name in "AB" for path in ("Carbody", "Front/Frame", "Front/Axle", "Rear/Frame",
                                                     "Rear/Axle")
    ]  # fmt: skip
    assert whole.at(("B", "Rear")).name == "Rear"
    assert whole.at(("B", "Middle", "Frame")) is None
    assert whole.at(()) is whole
    assert whole.mass() == 20.0


@pytest.mark.parametrize(
    "fields",
    [
        {"joints": (Joint(name="j", kind="spherical", body_i="Front/Axle", body_j="Rear/Axle"),)},
        {"guides": (Guide(name="g", body="Front/Frame"),)},
        {"forces": (JointStop(name="f", joint="Rear/Pivot", lower=-1, upper=1, stiffness=1),)},
        {"forces": (RollingResistance(name="f", guide="Rear/Wheel"),)},
        {"drivers": (Driver(name="d", target="Front/Pivot", coordinate="angle", function=constant(0)),)},
        {"drivers": (Driver(name="d", target="Front/Axle", coordinate="x", function=constant(0)),)},
        {"seats": (Seat(name="s", body="Rear/Frame", position=(0, 0, 0)),)},
    ],
)
def test_that_elements_may_name_what_lies_at_any_level_below(fields) -> None:
    assert car(**fields).at(()) is not None


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: car(joints=(Joint(name="j", kind="spherical", body_i="Front/Wing", body_j="Carbody"),)),
         "joint 'j' refers to body 'Front/Wing', which does not exist"),
        (lambda: car(guides=(Guide(name="g", body="Axle"),)), "guide 'g' refers to body 'Axle', which does not exist"),
        (lambda: car(forces=(SpringDamper(name="f", body_i="Front/Axle", body_j="Front/Axle"),)),
         "force element 'f' joins 'Front/Axle' to itself"),
        (lambda: car(forces=(JointStop(name="f", joint="Pivot", lower=-1, upper=1, stiffness=1),)),
         "force element 'f' refers to joint 'Pivot', which does not exist"),
        (lambda: car(drivers=(Driver(name="d", target="Front/Pivot", coordinate="slide", function=constant(0)),)),
         "driver 'd' drives the slide of 'Front/Pivot', which is no cylindrical or prismatic joint"),
        (lambda: train(car("A"), car("A", 9.0)), "two cars are named 'A'; give each its own name"),
        (lambda: train(car("A"), car("B")), "car 'B' must lie behind 'A': its offset must be larger than 0.0"),
        (lambda: train(car("A", 1.0)), "the first car 'A' must have offset 0"),
        (lambda: train(), "the train has no cars"),
        (lambda: train(bogie("A", 0.0)), "'A' is a subassembly; a train is made of cars"),
        (lambda: train(car("A", position=(1, 0, 0))), "car 'A' stands where its offset says"),
        (lambda: car(children=(train(car("A")),)), "'Train' is a train, which cannot be a part of another assembly"),
        (lambda: car(children=(bogie("seat", 0.0),)), "'seat' is reserved"),
        (lambda: bogie("A", 0.0, offset=2.0), "'A' is a subassembly and has no offset; only a car has"),
        (lambda: bogie("A", 0.0, head="Frame"), "'A' is a subassembly and has no head; only a rider has"),
        (lambda: Assembly(name="A", role="rider", bodies=(body("b"),)), "rider 'A' has no seat; name one"),
        (lambda: Assembly(name="A", role="rig", position=(1, 0, 0), bodies=(body("b"),)),
         "'A' is a rig; it has no position or orientation of its own"),
        (lambda: Assembly(name="A"), "'A' has no bodies; a subassembly needs at least one"),
        (lambda: car(children=(load_occupant().model_copy(update={"seat": "s", "name": "R"}),),
                     forces=(), seats=(Seat(name="s", body="R/Head", position=(0, 0, 0)),)),
         "seat 's' is on 'R/Head' of a rider"),
    ],
)  # fmt: skip
def test_that_faults_name_the_path(make, message) -> None:
    with pytest.raises(ValidationError) as caught:
        make()
    assert message in str(caught.value)


def test_that_frames_follow_from_frame_to_frame() -> None:
    """A part turned by a quarter, in a car 9 m behind the first, with a rider on a seat of the part."""
    seat = Seat(name="s", body="Frame", position=(0.0, 0.0, 0.5))
    rider = load_occupant().model_copy(update={"seat": "s"})
    part = bogie("Front", 2.0, orientation=QUARTER, seats=(seat,), children=(rider,))
    whole = train(car("A"), car("B", 9.0, children=(part,)))
    drawn = PlacedModel(whole)
    assert drawn.position["B/Front/Frame"] == pytest.approx([-7.0, 0.0, 0.0], abs=1e-15)
    assert drawn.position["B/Front/Axle"] == pytest.approx([-7.0, 0.5, 0.0], abs=1e-15)
    x, y, z = rider.bodies[0].position
    name = f"B/Front/{rider.name}/{rider.bodies[0].name}"
    assert drawn.position[name] == pytest.approx([-7.0 - y, x, z + 0.5], abs=1e-12)
    assert drawn.frame(name).rotation == pytest.approx(
        np.array([[0, -1, 0], [1, 0, 0], [0, 0, 1]])
        @ PlacedModel(rider).frame(rider.bodies[0].name).rotation,
        abs=1e-12,
    )
    assert drawn.anchor("B/Front/Rider", "seat").body == "B/Front/Frame"
    assert drawn.connected("B/Front", part.joints[0]) == ("B/Front/Frame", "B/Front/Axle")


def test_that_the_guides_of_a_car_are_told_at_all_levels() -> None:
    assert [(g.name, g.path, g.ahead) for g in guide_places(car())] == [
        ("Front/Wheel", "left_rail", pytest.approx(2.75)), ("Rear/Wheel", "left_rail", pytest.approx(-1.25)),
    ]  # fmt: skip
