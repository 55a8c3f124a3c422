"""Fields by path: the same as in the project file, with names and stars besides."""

from __future__ import annotations

import pytest

from ridewright.core.base.errors import InputError
from ridewright.core.base.units import unit_size
from ridewright.core.cli.set_fields import set_fields
from ridewright.core.edits.field_paths import change_fields, field_at, set_field
from ridewright.core.project.examples import load_example
from ridewright.core.project.point_train import ridden_settings

STAR = load_example("looping_star")


@pytest.mark.parametrize(
    ("path", "value"),
    [
        ("scenario.speed", 27.25),
        ("gravity.2", -9.7),
        ("settings.tolerance", 1e-4),
        ("train.children.0.bodies.0.mass", 812.5),
        ("track.clearance.half_width", 1.4),
    ],
)
def test_that_a_path_means_what_it_means_on_the_command_line(path: str, value: float) -> None:
    assert set_field(STAR, path, value) == set_fields(STAR, [f"{path}={value}"]) != STAR


def test_that_what_is_not_changed_is_the_same_object() -> None:
    made = set_field(STAR, "scenario.speed", 27.0)
    assert made.track is STAR.track  # so that a track is built once
    assert made.train is STAR.train


def test_that_a_name_is_as_good_as_a_number_and_a_star_takes_all() -> None:
    assert STAR.train is not None
    car = STAR.train.children[0]
    body = car.bodies[0].name
    by_name = field_at(STAR, f"train.children.[{car.name}].bodies.{body}.mass")
    assert by_name == field_at(STAR, "train.children.0.bodies.0.mass")
    assert (by_name[0].unit, by_name[0].title) == ("kg", "Mass")
    heavier = change_fields(STAR, "train.children.*.bodies.*.mass", lambda mass: 1.25 * mass)
    assert heavier.train is not None
    before = sum(b.mass for c in STAR.train.children for b in c.bodies)
    assert sum(b.mass for c in heavier.train.children for b in c.bodies) == pytest.approx(1.25 * before)


def test_that_friction_typed_for_the_point_ride_is_ridden() -> None:
    made = set_field(STAR, "point_ride.mu", 0.0345)
    assert ridden_settings(made).mu == 0.0345


@pytest.mark.parametrize(
    ("path", "said"),
    [
        ("scenario.sped", "scenario has no field 'sped'; it has kind, start, speed"),
        ("train.children.9.offset", "entries, counted from 0 named .*; '9' is none"),
        ("scenario.speed.x", "scenario.speed is 26.0 and has no field 'x'"),
        ("track.sections.*.nonsense", "nothing in the project has that field"),
        ("", "is no path"),
        ("a]b[", "is no path"),
    ],
)
def test_that_a_path_that_is_no_field_is_told(path: str, said: str) -> None:
    with pytest.raises(InputError, match=said):
        field_at(STAR, path)


def test_that_a_value_the_model_refuses_is_told_with_the_value() -> None:
    with pytest.raises(InputError, match=r"scenario: speed: .*found 4000"):
        set_field(STAR, "scenario.speed", 4000.0)


def test_that_units_convert_and_others_are_refused() -> None:
    assert 90.0 * unit_size("km/h", "m/s", "x") == pytest.approx(25.0)
    assert unit_size("", "N/m", "x") == unit_size("N/m", "N/m", "x") == 1.0
    with pytest.raises(InputError, match="speed: 'kg' is no unit of this quantity; write m/s, km/h"):
        unit_size("kg", "m/s", "speed")
