"""Which pairs of surfaces a contact makes, which are left out and why, and what is refused in one sentence."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from pydantic import ValidationError

from ridewright.core.base.errors import InputError
from ridewright.core.model.assembly import Assembly
from ridewright.core.model.bodies import Body
from ridewright.core.model.forces import TYPES
from ridewright.core.model.joints import Joint
from ridewright.core.model.surfaces import Box, Capsule, Plane, Sphere, Surface
from ridewright.core.multibody.compile import compile_system
from ridewright.core.multibody.contact_pairs import Expansion, Pair
from ridewright.core.multibody.contact_places import touching_of
from ridewright.core.multibody.flatten import flatten
from ridewright.core.multibody.rows import Pose, joint_geometry
from ridewright.core.project.project import Project
from ridewright.core.project.scenario import Rig

FLOOR = Plane(name="Floor")


def _body(name: str, x: float, *surfaces: Surface) -> Body:
    return Body(name=name, mass=1.0, inertia=(0.1,) * 3, position=(x, 0.0, 1.0), surfaces=surfaces)


def _contact(**fields: Any) -> Any:
    return TYPES["contact"].model(**({"name": "Contact", "body_j": "ground"} | fields))


def _expanded(project: Project) -> tuple[list[Pair], Expansion]:
    flat = flatten(project, None, 0.0)
    pose = Pose(flat)
    expansion = Expansion(flat, {j.name: joint_geometry(j, pose) for j in flat.joints})
    return [pair for placed in flat.forces for pair in expansion.add(placed)], expansion


def _chain(*contacts: Any, ground: tuple[Surface, ...] = (FLOOR,)) -> Project:
    """Four balls in a row on ball joints, the first two fixed to one another, in an assembly of their own."""
    ball = Sphere(name="Skin", radius=0.1)
    bodies = tuple(_body(name, float(k), ball) for k, name in enumerate("ABCD"))
    joints = tuple(
        Joint(
            name=f"{a}{b}", kind=kind, body_i=a, point_i=(0.5, 0.0, 0.0), body_j=b, point_j=(-0.5, 0.0, 0.0)
        )
        for a, b, kind in (("A", "B", "rigid"), ("B", "C", "spherical"), ("C", "D", "spherical"))
    )
    chain = Assembly(name="Chain", bodies=bodies, joints=joints)
    rig = Assembly(name="Rig", role="rig", children=(chain,), forces=contacts, surfaces=ground)
    return Project(name="Rig", scenario=Rig(assembly=rig, duration=1.0))


def test_that_a_group_against_the_ground_is_a_pair_for_every_body() -> None:
    pairs, expansion = _expanded(_chain(_contact(group_i="Chain")))
    assert [pair.name for pair in pairs] == [f"Contact: Chain/{b}/Skin on ground/Floor" for b in "ABCD"]
    assert not expansion.left_out


def test_that_pairs_within_a_group_leave_out_what_cannot_touch_and_say_why() -> None:
    pairs, expansion = _expanded(_chain(_contact(group_i="Chain", body_j=None, group_j="Chain")))
    assert [pair.name.removeprefix("Contact: ") for pair in pairs] == [
        "Chain/A/Skin on Chain/C/Skin", "Chain/A/Skin on Chain/D/Skin", "Chain/B/Skin on Chain/D/Skin",
    ]  # fmt: skip
    why = {out.name.removeprefix("Contact: "): out.why for out in expansion.left_out}
    assert why["Chain/A/Skin on Chain/B/Skin"] == "their bodies are fixed to one another"
    assert why["Chain/B/Skin on Chain/C/Skin"] == "a joint holds their bodies together"
    assert all(a != b for a, b in (name.split(" on ") for name in why))


def test_that_what_a_chain_keeps_apart_is_left_out() -> None:
    """From the end of a long arm a short hand does not come back to where the arm begins."""
    ball = Sphere(name="Skin", radius=0.6)
    arm = _body("Arm", 0.0)
    hand = _body("Hand", 2.0, ball)
    base = _body("Base", -1.0, ball)
    joints = (
        Joint(name="Shoulder", kind="spherical", body_i="Base", body_j="Arm", point_j=(-1.0, 0.0, 0.0)),
        Joint(name="Wrist", kind="spherical", body_i="Arm", point_i=(1.0, 0.0, 0.0), body_j="Hand", point_j=(-1, 0, 0)),
    )  # fmt: skip
    near = Assembly(
        name="Rig",
        role="rig",
        bodies=(base, arm, hand),
        joints=joints,
        forces=(_contact(body_i="Base", body_j="Hand"),),
    )
    pairs, _ = _expanded(Project(name="Rig", scenario=Rig(assembly=near, duration=1.0)))
    assert len(pairs) == 1  # links of 2 and 1 m keep the centres 1 m apart, less than both radii
    short = hand.model_copy(update={"surfaces": (ball.model_copy(update={"radius": 0.1}),)})
    joints = (joints[0], joints[1].model_copy(update={"point_j": (-0.5, 0.0, 0.0)}))
    far = near.model_copy(update={"bodies": (base, arm, short), "joints": joints})
    apart = Project(name="Rig", scenario=Rig(assembly=far, duration=1.0))
    pairs, expansion = _expanded(apart)
    assert pairs == []
    (out,) = expansion.left_out
    assert out.why == "the joints between them keep them 0.8 m apart"
    system = compile_system(apart)  # other sizes may touch: the contact is no fault of the project
    assert system.elements == ()
    assert system.left_out == (out,)
    assert touching_of(apart).pairs == {}


def test_that_what_lies_flat_touches_a_plane_in_several_places() -> None:
    box, capsule = (
        Box(name="Box", half_sizes=(0.3, 0.2, 0.1)),
        Capsule(name="Capsule", radius=0.1, length=0.4),
    )
    rig = Assembly(
        name="Rig",
        role="rig",
        bodies=(_body("A", 0.0, box, capsule),),
        forces=(_contact(body_i="A"),),
        surfaces=(FLOOR,),
    )
    pairs, _ = _expanded(Project(name="Rig", scenario=Rig(assembly=rig, duration=1.0)))
    assert len(pairs) == 8 + 2
    corners = np.array([pair.a.position for pair in pairs[:8]])
    np.testing.assert_allclose(np.abs(corners), np.tile(box.half_sizes, (8, 1)))


@pytest.mark.parametrize(
    ("contacts", "said"),
    [
        ([{"group_i": "Chain", "surface_i": "Shoe"}], "there is no surface 'Shoe' on 'Chain'"),
        (
            [{"group_i": "Chain"}, {"name": "Other", "body_i": "Chain/A"}],
            "Contacts 'Contact' and 'Other' both make 'Chain/A/Skin' and 'ground/Floor' touch",
        ),
        (
            [{"body_i": "Chain/A", "body_j": "Chain/B"}],
            "has no pair of surfaces that can touch: their bodies are fixed",
        ),
    ],
)
def test_that_contacts_that_cannot_be_are_refused(contacts: list[dict[str, Any]], said: str) -> None:
    with pytest.raises(InputError) as caught:
        _expanded(_chain(*(_contact(**fields) for fields in contacts)))
    assert said in str(caught.value)
    assert "\n" not in str(caught.value)


def test_that_a_refused_contact_says_where_it_is() -> None:
    with pytest.raises(InputError) as caught:
        compile_system(_chain(_contact(body_i="Chain/A", body_j="Chain/B")))
    assert caught.value.where.path == ("scenario", "assembly", "forces", "Contact")


@pytest.mark.parametrize(
    ("fields", "said"),
    [
        ({}, "needs a body or an assembly as its first side"),
        ({"body_i": "A", "group_i": "B"}, "needs a body or an assembly as its first side, not both"),
        ({"body_i": "ground"}, "has the same on both sides"),
        ({"body_i": "A", "law": "exact", "restitution": 0.01}, "needs a restitution of at least 0.05"),
        (
            {"body_i": "A", "law": "table", "curve": ((0.0, 5.0), (0.1, 9.0))},
            "must begin with depth 0 and force 0",
        ),
    ],
)
def test_that_a_contact_that_makes_no_sense_is_refused(fields: dict[str, Any], said: str) -> None:
    with pytest.raises(ValidationError, match=said):
        _contact(**fields)


@pytest.mark.parametrize(
    ("count", "fields", "said"),
    [
        (101, {}, "10201 pairs of surfaces to be looked at; 10000 are allowed"),
        (
            15,
            {"method": "points", "points": 1000},
            "225000 points on them to be looked at; 200000 are allowed",
        ),
    ],
)
def test_that_more_pairs_than_memory_holds_are_refused_before_they_are_made(count, fields, said) -> None:
    ball = Sphere(name="Skin", radius=0.1)
    crowds = tuple(
        Assembly(name=name, bodies=tuple(_body(f"{name}{k}", float(k), ball) for k in range(count)))
        for name in "AB"
    )
    contact = _contact(group_i="A", body_j=None, group_j="B", **fields)
    rig = Assembly(name="Rig", role="rig", children=crowds, forces=(contact,))
    with pytest.raises(InputError, match=said):
        _expanded(Project(name="Rig", scenario=Rig(assembly=rig, duration=1.0)))
