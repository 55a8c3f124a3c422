"""What is connected is one system: parts are found from joints, guides, drivers and forces, not from roles."""

from __future__ import annotations

import pytest

from ridewright.core.model.assembly import Assembly
from ridewright.core.model.bodies import Body
from ridewright.core.model.forces.air_drag import AirDrag
from ridewright.core.model.forces.joint_stop import JointStop
from ridewright.core.model.forces.spring import SpringDamper
from ridewright.core.model.joints import Joint
from ridewright.core.multibody.connections import connected_parts


def body(name: str) -> Body:
    return Body(name=name, mass=1.0, inertia=(1.0, 1.0, 1.0), position=(0.0, 0.0, 0.0))


def inside(name: str, *names: str, **more) -> Assembly:
    return Assembly(name=name, bodies=tuple(body(n) for n in names), **more)


def rig(*children: Assembly, **more) -> Assembly:
    return Assembly(name="Rig", role="rig", children=children, **more)


def parts(assembly: Assembly) -> list[set[str]]:
    return [set(part) for part in connected_parts(assembly)]


def test_that_nothing_connects_bodies_but_what_joins_them() -> None:
    hung = (Joint(name="a", kind="spherical", body_i="ground", body_j="A/x"),
            Joint(name="b", kind="spherical", body_i="ground", body_j="A/y"))  # fmt: skip
    drag = (AirDrag(name="d", body="B/x"),)
    assert parts(rig(inside("A", "x", "y"), inside("B", "x"), joints=hung, forces=drag)) == [
        {"A/x"}, {"A/y"}, {"B/x"},
    ]  # fmt: skip


@pytest.mark.parametrize(
    "fields",
    [
        {"forces": (SpringDamper(name="s", body_i="B/x", body_j="A/y"),)},
        {"joints": (Joint(name="j", kind="distance", body_i="A/y", body_j="B/x"),)},
    ],
)
def test_that_a_spring_or_joint_between_parts_makes_them_one(fields) -> None:
    assert parts(rig(inside("A", "x", "y"), inside("B", "x"), **fields)) == [{"A/x"}, {"A/y", "B/x"}]


def test_that_a_disabled_force_connects_nothing() -> None:
    off = SpringDamper(name="s", body_i="B/x", body_j="A/x", enabled=False)
    assert len(parts(rig(inside("A", "x"), inside("B", "x"), forces=(off,)))) == 2


def test_that_a_stop_connects_like_its_joint_and_a_car_is_one() -> None:
    hinge = Joint(name="j", kind="revolute", body_i="x", body_j="y", axis_i=(0, 1, 0), axis_j=(0, 1, 0))
    stop = JointStop(name="stop", joint="A/j", lower=-1, upper=1, stiffness=1)
    assert parts(rig(inside("A", "x", "y", joints=(hinge,)), inside("B", "z"), forces=(stop,))) == [
        {"A/x", "A/y"}, {"B/z"},
    ]  # fmt: skip
    cars = [inside(name, "x", "y", role="car", offset=k) for k, name in enumerate("AB")]
    train = Assembly(name="Train", role="train", children=cars, bodies=(body("Loose"),))
    assert parts(train) == [{"A/x", "A/y"}, {"Loose"}, {"B/x", "B/y"}]
