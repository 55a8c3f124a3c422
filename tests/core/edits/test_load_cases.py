"""Load cases edited by hand: added, renamed, copied, deleted, and who sits on which seat."""

from __future__ import annotations

import pytest

from ridewright.core.base.errors import InputError
from ridewright.core.edits.elements import delete_element, rename_element
from ridewright.core.edits.load_cases import (
    GIRL,
    add_load_case,
    change_load_case,
    delete_load_case,
    duplicate_load_case,
    load_case_of,
    passenger_kinds,
    seat_load_case,
    set_load_cases,
    usual_cases,
    with_load_case,
)
from ridewright.core.edits.train import load_cars
from ridewright.core.model.load_cases import LoadCase, present, seating
from ridewright.core.model.masses import mass_budget
from ridewright.core.project.examples import load_example
from ridewright.core.project.project import Project


@pytest.fixture(scope="module")
def frisbee() -> Project:
    return set_load_cases(load_example("frisbee"), usual_cases())


def _names(project: Project) -> list[str]:
    return [case.name for case in project.load_cases]


def _who(project: Project, name: str) -> dict[str, float]:
    """kg on the seats that are taken."""
    seats = seating(project.assembly, load_case_of(project, name))
    return {one.seat: one.mass for one in seats if one.mass}


def test_that_cases_are_added_copied_renamed_and_deleted(frisbee):
    made, name = add_load_case(frisbee)
    assert name == "Load case"
    assert _names(made)[-1] == name
    copied, again = duplicate_load_case(made, "Half")
    assert again == "Half 2"
    assert _names(copied)[2:4] == ["Half", "Half 2"]
    assert _who(copied, again) == _who(copied, "Half")
    named = change_load_case(copied, again, {"name": "Odd seats"})
    assert _names(named)[3] == "Odd seats"
    assert _names(delete_load_case(named, "Odd seats")) == _names(made)
    with pytest.raises(InputError, match="two load cases have one name"):
        change_load_case(copied, again, {"name": "Full"})
    with pytest.raises(InputError, match="no load case 'Nobody'"):
        delete_load_case(frisbee, "Nobody")


def test_that_who_sits_on_a_seat_is_chosen_and_the_others_stay(frisbee):
    """The others stay as the pattern had them: every second seat of 24 is taken, by 75 kg."""
    girl = passenger_kinds()[GIRL]
    half = _who(frisbee, "Half")
    first, second = [seat.name for seat in frisbee.assembly.seats[:2]]
    made = seat_load_case(frisbee, "Half", {second: girl})
    assert _who(made, "Half") == half | {second: girl}
    assert load_case_of(made, "Half").pattern == "seats"
    assert sorted(mass_budget(with_load_case(made, "Half").assembly).aboard) == [girl] + [75.0] * 12
    left = seat_load_case(made, "Half", {first: None})
    assert _who(left, "Half") == {seat: kg for seat, kg in _who(made, "Half").items() if seat != first}
    as_before = seat_load_case(left, "Half", {first: 0.0, second: None})
    assert _who(as_before, "Half") == half
    assert load_case_of(as_before, "Half").masses == ()
    whole = change_load_case(made, "Half", {"pattern": "full", "masses": ()})
    assert load_case_of(whole, "Half").seats == ()
    with pytest.raises(InputError, match="there is no seat 'Roof'"):
        seat_load_case(frisbee, "Full", {"Roof": 0.0})


def test_that_masses_in_turn_are_those_of_the_seats_when_one_of_them_is_changed(frisbee):
    seat = frisbee.assembly.seats[0].name
    before = _who(frisbee, "Women and children")
    made = seat_load_case(frisbee, "Women and children", {seat: None})
    assert _who(made, "Women and children") == {name: kg for name, kg in before.items() if name != seat}


def test_that_named_seats_follow_cars_and_seats_that_are_renamed_or_deleted():
    star = load_cars(load_example("looping_star"), "full")
    case = LoadCase(
        name="Both", pattern="seats", seats=("Car/Left seat", "Car/Right seat"), masses=(40.0, 60.0)
    )
    project = set_load_cases(star, (case,))
    car, _ = rename_element(project, "assembly", ("Car",), "Wagon")
    assert car.load_cases[0].seats == ("Wagon/Left seat", "Wagon/Right seat")
    seat, _ = rename_element(car, "seat", ("Wagon", "Left seat"), "Port")
    assert _who(seat, "Both") == {"Wagon/Port": 40.0, "Wagon/Right seat": 60.0}
    gone = delete_element(seat, "seat", ("Wagon", "Port"))
    assert _who(gone, "Both") == {"Wagon/Right seat": 60.0}
    assert delete_element(project, "assembly", ("Car",)).load_cases[0].seats == ()


def test_that_a_case_with_a_seat_that_is_gone_hinders_no_other(frisbee):
    broken = LoadCase(name="Old", pattern="seats", seats=("Roof", frisbee.assembly.seats[0].name))
    project = frisbee.model_copy(update={"load_cases": (*frisbee.load_cases, broken)})
    assert present(project.assembly, broken).seats == broken.seats[1:]
    made = seat_load_case(project, "Half", {frisbee.assembly.seats[1].name: 0.0})
    assert len(_who(made, "Half")) == 13
    mended = seat_load_case(project, "Old", {frisbee.assembly.seats[1].name: 0.0})
    assert [*_who(mended, "Old")] == [seat.name for seat in frisbee.assembly.seats[:2]]
