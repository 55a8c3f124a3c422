"""The limbs of a rider: all that no criterion reads and that carries nothing between what is read."""

from __future__ import annotations

from ridewright.core.human.make import rider
from ridewright.core.injury.parts import PARTS
from ridewright.core.model.assembly import JUDGED
from ridewright.core.model.limbs import limbs
from ridewright.core.model.person import Person
from ridewright.core.model.placement import PlacedModel
from ridewright.core.project.examples import load_example


def test_that_criteria_are_about_the_judged_bodies() -> None:
    assert set(PARTS) == set(JUDGED)


def test_that_arms_and_legs_are_limbs_and_the_neck_is_none() -> None:
    train = load_example("looping_star").train
    assert train is not None
    drawn = PlacedModel(train)
    found = set(limbs(drawn, "Car/Rider"))
    own = {path for path in drawn.bodies if path.startswith("Car/Rider/")}
    assert {path.rpartition("/")[2] for path in own - found} == {
        "Head", "Neck", "Upper Torso", "Lower Torso",
    }  # fmt: skip
    assert len(found) == 12


def test_that_a_made_rider_keeps_its_spine() -> None:
    made = rider(Person(stature=1.75, mass=75.0), "Seat")
    found = set(limbs(PlacedModel(made), ""))
    kept = {body.name for body in made.bodies} - found
    assert {made.head, made.upper_torso, made.pelvis} <= kept
    assert "Neck" in kept
    assert not {"Right Hand", "Left Foot"} & kept
    assert not any(word in name for name in kept for word in ("Arm", "Leg", "Hand", "Foot", "Thigh", "Shank"))


def test_that_what_no_joint_leads_to_is_a_limb() -> None:
    """Without a neck joint the head alone is kept, and the neck, which leads nowhere, is not."""
    train = load_example("looping_star").train
    assert train is not None
    body = train.children[0].riders[0]
    neckless = body.model_copy(
        update={"seat": None, "joints": tuple(j for j in body.joints if "Neck" not in (j.body_i, j.body_j))}
    )
    found = limbs(PlacedModel(neckless), "")
    assert "Neck" in found
    assert "Head" not in found
