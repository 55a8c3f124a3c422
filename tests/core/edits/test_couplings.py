"""Trains made, moved and taken apart by one edit each, with what couples their cars."""

from __future__ import annotations

import pytest

from ridewright.core.base.errors import InputError
from ridewright.core.edits import couplings
from ridewright.core.edits.along_track import add_device, set_device
from ridewright.core.edits.elements import car_extent, rename_element
from ridewright.core.model.couplings.coupler import CarCoupler
from ridewright.core.model.library import list_library, load_vehicle
from ridewright.core.model.losses import losses_of
from ridewright.core.multibody.compile import compile_system
from ridewright.core.project.examples import load_example
from ridewright.core.project.project import Project


def _five(key: str | None = "sprung_bar_slack") -> Project:
    car = couplings.library_car("viegas2016")
    return couplings.make_train(
        load_example("looping_star"), car, 5, couplings.natural_spacing(car), key, "full"
    )


def _names(project: Project) -> list[str]:
    assert project.train is not None
    return [car.name for car in project.train.children]


def _joined(project: Project) -> list[tuple[str, ...]]:
    assert project.train is not None
    return [tuple(c.name for c in gap) for gap in couplings.gaps_of(project.train)]


def test_that_a_train_is_made_coupled_and_seated_in_one_edit() -> None:
    made = _five()
    train = made.train
    assert train is not None
    assert _names(made) == [f"Car {k}" for k in range(1, 6)]
    assert _joined(made) == [(f"Coupling {k}",) for k in range(1, 5)]
    assert all(len(car.riders) == len(car.seats) for car in train.children)
    areas = [losses_of(car).drag_area for car in train.children]
    assert areas[0] > 0.0
    assert areas[1:] == [0.0] * 4
    rolling = [losses_of(car).rolling for car in train.children]
    assert rolling == pytest.approx([losses_of(train.children[0]).rolling] * 5)
    assert losses_of(train.children[4]).rolling > 0.0
    compile_system(made)
    behind = couplings.make_train(made, load_vehicle(), 2, 5.0, "ball_drawbar", behind=True)
    assert _names(behind)[5:] == ["Car 6", "Car 7"]
    assert _joined(behind)[4:] == [(), ("Coupling 5",)]
    with pytest.raises(InputError, match="larger spacing"):
        couplings.make_train(made, load_vehicle(), 2, 0.1, None)


@pytest.mark.parametrize("key", [entry.key for entry in list_library(("coupling",))])
def test_that_cars_that_touch_nothing_are_joined_without_force(key: str) -> None:
    example = load_example("two_cars_loaded")
    assert example.train is not None
    made = couplings.make_train(example, example.train.children[0], 3, 13.976, key)
    assert made.train is not None
    x = {car.name: -car.offset for car in made.train.children}
    for c in made.train.couplings:
        apart = abs((x[c.cars[0]] + c.point_i[0]) - (x[c.cars[1]] + c.point_j[0]))
        free = c.free_length if isinstance(c, CarCoupler) else c.length or apart
        assert apart == pytest.approx(free, abs=1e-12)


def test_that_a_moved_car_takes_its_coupling_along_and_comes_back_as_it_was() -> None:
    made = _five()
    for at in range(5):
        for to in range(5):
            moved = couplings.move_car(made, f"Car {at + 1}", to)
            assert _names(moved)[to] == f"Car {at + 1}"
            assert all(_joined(moved)), "no place between cars is left open"
            assert couplings.move_car(moved, f"Car {at + 1}", at) == made
    moved = couplings.move_car(made, "Car 4", 1)
    assert _joined(moved)[0] == ("Coupling 3",)  # what was between cars 3 and 4
    compile_system(moved)


def test_that_neighbours_of_a_deleted_car_close_up_and_are_joined_or_left_apart() -> None:
    made = _five()
    train = made.train
    assert train is not None
    assert couplings.joins_neighbours(made, "Car 3")
    assert not couplings.joins_neighbours(made, "Car 1")
    joined, apart = (couplings.delete_car(made, "Car 3", join=join) for join in (True, False))
    assert _joined(joined) == [("Coupling 1",), ("Coupling 2",), ("Coupling 4",)]
    assert _joined(apart) == [("Coupling 1",), (), ("Coupling 4",)]
    assert joined.train is not None
    assert joined.train.children[-1].offset == pytest.approx(train.children[3].offset)
    with pytest.raises(InputError, match="nothing can be joined"):
        couplings.delete_car(made, "Car 5", join=True)


def test_that_a_copied_car_follows_coupled_and_a_copied_coupling_takes_a_free_place() -> None:
    made, name = couplings.duplicate_car(_five(), "Car 2")
    assert made.train is not None
    assert name == "Car 6"
    assert _joined(made)[-1] == ("Coupling 5",)
    offsets = [car.offset for car in made.train.children]
    assert offsets[5] - offsets[4] == pytest.approx(offsets[4] - offsets[3])
    with pytest.raises(InputError, match="joined already"):
        couplings.duplicate_coupling(made, "Coupling 1")
    two = couplings.make_train(made, load_vehicle(), 1, 1.0, None, behind=True)
    copied, name = couplings.duplicate_coupling(two, "Coupling 1")
    assert _joined(copied)[-1] == (name,)
    assert copied.train is not None
    assert copied.train.couplings[-1].point_i[0] == pytest.approx(car_extent(load_vehicle())[1], abs=1.0)


def test_that_devices_follow_the_name_of_a_car() -> None:
    made = _five()
    section = made.track.sections[0].name if made.track else ""
    made, brake = add_device(made, "trim_brake", section)
    made = set_device(made, brake, {"cars": ("Car 5", "Car 1")})
    renamed, _ = rename_element(made, "assembly", ("Car 5",), "Rear")
    assert renamed.track is not None
    assert next(d.cars for d in renamed.track.devices if d.name == brake) == ("Rear", "Car 1")


def test_that_couplings_pull_the_frame_and_another_body_only_by_choice() -> None:
    car = load_vehicle("viegas2016")
    assert couplings.frame_of(car) == "Frame"  # the carbody on its springs above it is heavier
    assert car.own("body")["Carbody"].mass > car.own("body")["Frame"].mass
    assert couplings.attachable(car)[:2] == ("Frame", "Carbody")
    assert all("Wheelset" not in name for name in couplings.attachable(car))
    blank = load_example("looping_star")
    for attach, name in ((None, "Frame"), ("Carbody", "Carbody")):
        train = couplings.make_train(blank, car, 3, None, "ball_drawbar", attach=attach).train
        assert train is not None
        ends = {end for c in train.couplings for end in (c.body_i, c.body_j)}
        assert ends == {f"Car {k}/{name}" for k in (1, 2, 3)}
    with pytest.raises(InputError, match="has no body 'Roof'; a coupling can go to Frame, Carbody"):
        couplings.make_train(blank, car, 2, None, "ball_drawbar", attach="Roof")
    for key in ("valkyria", "balder"):
        assert couplings.frame_of(load_vehicle(key)) == "Car body"
