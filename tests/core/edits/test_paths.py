"""Edits at every level of a train: references follow from wherever they are made, and each edit is one value."""

from __future__ import annotations

import pytest

from ridewright.core.base.errors import InputError
from ridewright.core.edits import elements as e
from ridewright.core.edits import train
from ridewright.core.edits.new_elements import new_assembly, new_force, new_joint
from ridewright.core.model.assembly import Assembly
from ridewright.core.model.bodies import Body
from ridewright.core.model.forces.spring import SpringDamper
from ridewright.core.multibody.compile import compile_system
from ridewright.core.project.examples import load_example
from ridewright.core.project.project import Project


@pytest.fixture(scope="module")
def coupled() -> Project:
    """The Looping Star with two cars and a spring between their frames."""
    project, _ = train.add_car(load_example("looping_star"))
    coupler = SpringDamper(
        name="Coupler", body_i="Car/Frame", body_j="Car 2/Frame", stiffness=1e5, free_length=3.0
    )
    return e.add_element(project, "force", (), coupler)[0]


def _ends(project: Project) -> tuple[str, str]:
    coupler = e.element_at(project, "force", ("Coupler",))
    return coupler.body_i, coupler.body_j


@pytest.mark.parametrize(
    ("kind", "path", "ends"),
    [
        ("body", ("Car", "Frame"), ("Car/New", "Car 2/Frame")),
        ("assembly", ("Car 2",), ("Car/Frame", "New/Frame")),
        ("assembly", ("Car",), ("New/Frame", "Car 2/Frame")),
    ],
)
def test_that_a_coupler_follows_the_new_name_of_what_it_joins(coupled, kind, path, ends) -> None:
    renamed, there = e.rename_element(coupled, kind, path, "New")
    assert _ends(renamed) == ends
    assert e.rename_element(renamed, kind, there, path[-1])[0] == coupled
    assert "Coupler" in compile_system(renamed).elements


def test_that_a_coupler_goes_with_what_it_joins(coupled) -> None:
    for kind, path in (("body", ("Car 2", "Frame")), ("assembly", ("Car 2",))):
        assert ("force", ("Coupler",)) in e.dependants(coupled, kind, path)
        assert e.delete_element(coupled, kind, path).train.forces == ()
    alone = e.delete_element(coupled, "assembly", ("Car",))
    assert [(c.name, c.offset) for c in alone.train.children] == [("Car 2", 0.0)]
    assert e.delete_element(alone, "assembly", ("Car 2",)).train is None


def test_that_the_coupler_of_a_car_is_not_that_of_its_copy(coupled) -> None:
    three, path = e.duplicate_element(coupled, "assembly", ("Car 2",))
    assert path == ("Car 3",)
    assert _ends(three) == ("Car/Frame", "Car 2/Frame")
    assert three.train.children[2].offset > three.train.children[1].offset
    assert e.move_element(three, "assembly", ("Car 3",), 0).train.children[0].name == "Car 3"
    assert [c.offset for c in e.move_element(three, "assembly", path, 0).train.children] == [
        c.offset for c in three.train.children
    ]


def test_that_new_elements_of_the_train_join_its_cars(coupled) -> None:
    joint = new_joint(coupled.train, "spherical")
    assert {joint.body_i.split("/")[0], joint.body_j.split("/")[0]} == {"Car", "Car 2"}
    spring = new_force(coupled.train, "spring")
    assert spring.body_i.startswith("Car/")
    assert spring.body_j.startswith("Car 2/")


def test_that_assemblies_inside_are_edited_like_any_other(coupled) -> None:
    hook = Assembly(
        name="Hook",
        position=(-2, 0, 0),
        bodies=(Body(name="Bar", mass=5, inertia=(1, 1, 1), position=(0, 0, 0)),),
    )
    made, part = e.add_element(coupled, "assembly", ("Car",), new_assembly(coupled.train.children[0]))
    assert part == ("Car", "Part")
    assert "Car/Part/Body" in compile_system(made).names
    made, path = e.add_element(coupled, "assembly", ("Car",), hook)
    made, joint = e.add_element(made, "joint", ("Car",), new_joint(made.train.children[0], "rigid"))
    made = e.set_element(made, "joint", joint, {"body_i": "Frame", "body_j": "Hook/Bar"})
    made = e.set_element(made, "body", (*path, "Bar"), {"mass": 7.0})
    assert e.element_at(made, "body", ("Car", "Hook", "Bar")).mass == 7.0
    renamed, _ = e.rename_element(made, "body", (*path, "Bar"), "Rod")
    assert e.element_at(renamed, "joint", joint).body_j == "Hook/Rod"
    assert ("joint", joint) in e.dependants(made, "assembly", path)
    assert e.delete_element(made, "assembly", path) == coupled
    with pytest.raises(InputError, match="'Bar' has the last body of 'Car/Hook'; delete that instead"):
        e.delete_element(made, "body", (*path, "Bar"))
    with pytest.raises(InputError, match="The train has no assembly 'Car/Hooks'"):
        e.assembly_at(made, ("Car", "Hooks"))
