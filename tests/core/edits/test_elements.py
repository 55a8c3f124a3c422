"""Edits of cars, riders and rigs: references follow, nothing dangles, the compiled system agrees."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest

from ridewright.core.base.errors import InputError
from ridewright.core.edits import elements as e
from ridewright.core.edits import train
from ridewright.core.edits.changes import set_project, set_scenario, set_settings
from ridewright.core.edits.new_elements import (
    new_body,
    new_driver,
    new_force,
    new_guide,
    new_joint,
    new_seat,
)
from ridewright.core.model.assembly import Assembly
from ridewright.core.model.bodies import Body
from ridewright.core.model.drivers import Driver
from ridewright.core.model.forces import TYPES
from ridewright.core.model.functions import constant
from ridewright.core.model.joints import Joint
from ridewright.core.model.library import load_occupant
from ridewright.core.multibody.compile import compile_system
from ridewright.core.project.examples import load_example
from ridewright.core.project.project import Project
from ridewright.core.project.scenario import Rig


@pytest.fixture(scope="module")
def star():
    return load_example("looping_star")


@pytest.fixture(scope="module")
def rig():
    return load_example("slider_crank")


def _names(project, kind, owner):
    return [x.name for x in e.elements_of(e.assembly_at(project, owner), kind)]


def _all_text(project):
    return project.model_dump_json()


def test_that_changed_fields_arrive_and_the_old_project_stays(star):
    path = ("Car", "Primary spring front right")
    stiff = e.set_element(star, "force", path, {"stiffness": 9.5e5, "enabled": False})
    spring = e.element_at(stiff, "force", path)
    assert (spring.stiffness, spring.enabled) == (9.5e5, False)
    assert e.element_at(star, "force", path).stiffness == 8e5
    others = [f for f in stiff.train.children[0].forces if f.name != path[1]]
    assert others == [f for f in star.train.children[0].forces if f.name != path[1]]


def test_that_a_riders_segment_is_changed_in_its_rider(star):
    heavy = e.set_element(star, "body", ("Car", "Rider", "Head"), {"mass": 6.25})
    assert e.element_at(heavy, "body", ("Car", "Rider", "Head")).mass == 6.25
    assert heavy.train.children[0].bodies == star.train.children[0].bodies


@pytest.mark.parametrize(
    ("kind", "path"),
    [
        ("body", ("Car", "Front axle")),
        ("body", ("Car", "Carbody")),
        ("joint", ("Car", "Roll joint")),
        ("guide", ("Car", "Front left wheel on rail")),
        ("seat", ("Car", "Left seat")),
        ("assembly", ("Car", "Rider")),
        ("assembly", ("Car",)),
        ("body", ("Car", "Rider", "Head")),
        ("joint", ("Car", "Rider", "Right knee")),
        ("force", ("Car", "Primary spring rear left")),
    ],
)
def test_that_renaming_changes_the_name_everywhere_and_back(star, kind, path):
    renamed, there = e.rename_element(star, kind, path, "Zebra & Söhne")
    assert there == (*path[:-1], "Zebra & Söhne")
    assert e.rename_element(renamed, kind, there, path[-1])[0] == star
    before, after = compile_system(star), compile_system(renamed)
    assert before.rows == after.rows
    assert [
        n.replace(path[-1], "Zebra & Söhne") if path[-1] in n.split("/") else n for n in before.names
    ] == list(after.names) or kind != "body"
    np.testing.assert_array_equal(before.start.r, after.start.r)


def test_that_renaming_follows_the_driver_of_a_joint(rig):
    joint = next(j.name for j in rig.scenario.assembly.joints if j.kind == "revolute")
    driver = Driver(name="d", target=joint, coordinate="angle", function=constant(0.1))
    driven, _ = e.add_element(rig, "driver", (), driver)
    renamed, _ = e.rename_element(driven, "joint", (joint,), "Main bearing")
    assert e.element_at(renamed, "driver", ("d",)).target == "Main bearing"
    assert f'"{joint}"' not in _all_text(renamed)


def test_that_a_name_in_use_is_refused(star):
    with pytest.raises(InputError, match="two bodies are named 'Rear axle'"):
        e.rename_element(star, "body", ("Car", "Front axle"), "Rear axle")
    with pytest.raises(InputError, match="reserved"):
        e.rename_element(star, "body", ("Car", "Front axle"), "ground")
    with pytest.raises(InputError, match="renaming"):
        e.set_element(star, "body", ("Car", "Front axle"), {"name": "x"})


def test_that_deleting_takes_along_what_hangs_on_it_and_no_more(star):
    path = ("Car", "Wheelset front left")
    gone = set(e.dependants(star, "body", path))
    text = [x for x in star.train.children[0].joints if "Wheelset front left" in (x.body_i, x.body_j)]
    assert {("joint", ("Car", x.name)) for x in text} <= gone
    assert ("guide", ("Car", "Front left wheel on rail")) in gone
    less = e.delete_element(star, "body", path)
    assert '"Wheelset front left"' not in _all_text(less)
    assert len(less.train.children[0].joints) == len(star.train.children[0].joints) - len(text)
    system, full = compile_system(less), compile_system(star)
    assert system.bodies == full.bodies - 1


def test_that_a_seat_goes_with_its_rider_and_a_carbody_with_its_seats(star):
    assert e.dependants(star, "seat", ("Car", "Left seat")) == (("assembly", ("Car", "Rider")),)
    assert e.delete_element(star, "seat", ("Car", "Left seat")).train.children[0].riders == ()
    bare = e.delete_element(star, "body", ("Car", "Carbody")).train.children[0]
    assert bare.seats == ()
    assert bare.riders == ()


def test_that_what_a_rider_is_judged_by_and_last_bodies_stay(star):
    with pytest.raises(InputError, match="judged by 'Head'"):
        e.delete_element(star, "body", ("Car", "Rider", "Head"))
    one = Project(
        name="p",
        scenario=Rig(
            assembly=Assembly(
                name="Rig",
                role="rig",
                bodies=(Body(name="b", mass=1, inertia=(1, 1, 1), position=(0, 0, 0)),),
            )
        ),
    )
    with pytest.raises(InputError, match="last body"):
        e.delete_element(one, "body", ("b",))


@pytest.mark.parametrize("kind", ["body", "joint", "guide", "force", "seat", "assembly"])
def test_that_duplicates_get_a_new_name_and_can_be_compiled(star, kind):
    first = e.elements_of(star.train.children[0], kind)[0].name
    more, path = e.duplicate_element(star, kind, ("Car", first))
    assert path[-1] == f"{first} 2"
    assert len(_names(more, kind, ("Car",))) == len(_names(star, kind, ("Car",))) + 1
    compile_system(more)


def test_that_a_rider_is_not_duplicated_onto_nothing(star):
    full, _ = e.duplicate_element(star, "assembly", ("Car", "Rider"))
    with pytest.raises(InputError, match="has no free seat"):
        e.duplicate_element(full, "assembly", ("Car", "Rider"))


def test_that_new_elements_fit_every_holder(star, rig):
    for project, owner in ((star, ("Car",)), (star, ("Car", "Rider")), (rig, ())):
        holder = e.assembly_at(project, owner)
        made = project
        for kind in ("revolute", "prismatic", "universal", "spherical", "distance", "rigid", "cylindrical"):
            made, _ = e.add_element(made, "joint", owner, new_joint(holder, kind))
        made, _ = e.add_element(made, "body", owner, new_body(holder))
        for kind in TYPES:
            if kind == "rolling_resistance" and owner != ("Car",):
                with pytest.raises(InputError, match="add a guide first"):
                    new_force(holder, kind)
            else:
                made, _ = e.add_element(made, "force", owner, new_force(holder, kind))
        assert (
            len(e.elements_of(e.assembly_at(made, owner), "joint")) == len(e.elements_of(holder, "joint")) + 7
        )
        assert '"format"' in _all_text(made)
    car = star.train.children[0]
    for kind, element in (("guide", new_guide(car)), ("seat", new_seat(car)), ("driver", new_driver(car))):
        assert e.add_element(star, kind, ("Car",), element)[1][0] == "Car"


def test_that_an_end_stop_needs_a_joint_it_can_act_in():
    body = Body(name="b", mass=1.0, inertia=(1, 1, 1), position=(0, 0, 0))
    ball = Joint(name="j", kind="spherical", body_i="b", body_j="ground")
    with pytest.raises(InputError, match="add such a joint first"):
        new_force(Assembly(name="Rig", role="rig", bodies=(body,), joints=(ball,)), "joint_stop")


def test_that_moving_elements_changes_their_order_only(star):
    names = _names(star, "joint", ("Car",))
    moved = e.move_element(star, "joint", ("Car", names[4]), 1)
    assert _names(moved, "joint", ("Car",)) == [names[0], names[4], *names[1:4], *names[5:]]
    assert e.move_element(moved, "joint", ("Car", names[4]), 4) == star


# -- train


def test_that_cars_are_added_behind_each_other_and_clear_of_each_other(star):
    two, (second,) = train.add_car(star)
    three, (third,) = e.duplicate_element(two, "assembly", ("Car",))
    cars = three.train.children
    assert [c.name for c in cars] == ["Car", second, third]
    assert len(cars[2].riders) == 1
    for ahead, behind in pairwise(cars):
        rear, front = e.car_extent(ahead)[0] - ahead.offset, e.car_extent(behind)[1] - behind.offset
        assert rear - front >= 0.5
    names = compile_system(three).names
    assert len(set(names)) == len(names)


def test_that_removing_the_first_car_lets_the_next_lead(star):
    three, _ = e.duplicate_element(train.add_car(star)[0], "assembly", ("Car",))
    before = [c.offset for c in three.train.children]
    rest = e.delete_element(three, "assembly", ("Car",)).train.children
    assert [c.offset for c in rest] == pytest.approx([0.0, before[2] - before[1]])
    assert e.delete_element(star, "assembly", ("Car",)).train is None
    swapped = e.move_element(three, "assembly", (three.train.children[2].name,), 0).train.children
    assert [c.offset for c in swapped] == before
    assert swapped[0].name == three.train.children[2].name


def test_that_riders_take_free_seats_change_them_and_move_to_other_cars(star):
    both, second = train.add_rider(star, ("Car",))
    assert second == ("Car", "Rider 2")
    seats = {r.name: r.seat for r in both.train.children[0].riders}
    assert set(seats.values()) == {"Left seat", "Right seat"}
    swapped, _ = train.move_rider(both, second, ("Car",), "Left seat")
    assert {r.name: r.seat for r in swapped.train.children[0].riders} == {
        "Rider": "Right seat",
        "Rider 2": "Left seat",
    }
    two, car = train.insert_vehicle(both, "viegas2016")
    moved, path = train.move_rider(two, second, car, "Right seat")
    assert path[:1] == car
    assert len(moved.train.children[0].riders) == 1
    assert moved.train.children[1].riders[0].seat == "Right seat"
    with pytest.raises(InputError, match="no free seat"):
        train.add_rider(both, ("Car",), load_occupant())
    refilled, _ = train.insert_rider(two, car, "viegas2016", "Right seat")
    with pytest.raises(InputError, match="taken"):
        train.move_rider(refilled, second, car, "Right seat")


def test_that_names_and_values_out_of_range_are_refused(star):
    with pytest.raises(InputError, match="reserved"):
        e.rename_element(star, "assembly", ("Car",), "ground")
    with pytest.raises(InputError, match="first car 'Car' must have offset 0"):
        e.set_element(star, "assembly", ("Car",), {"offset": 2.0})
    with pytest.raises(InputError, match="mass: must be at least"):
        e.set_element(star, "body", ("Car", "Carbody"), {"mass": -1.0})
    with pytest.raises(InputError, match="'Nothing', which does not exist"):
        e.set_element(star, "joint", ("Car", "Roll joint"), {"body_i": "Nothing"})
    with pytest.raises(InputError, match="tolerance"):
        set_settings(star, {"tolerance": 5.0})
    with pytest.raises(InputError, match="ahead of start"):
        set_scenario(star, {"end_place": 1.0})
    assert set_project(star, {"name": "New"}).name == "New"
    assert set_scenario(star, {"speed": 12.5}).scenario.speed == 12.5
