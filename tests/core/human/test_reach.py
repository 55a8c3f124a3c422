"""What hands, feet and heads reach from a seat: lengths of limbs, walls, restraints, the larger and the smaller."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest

from ridewright.core.human.population import usual
from ridewright.core.human.reach import CELL, GIVE, Reach, ReachRoom, directions, reach, reach_from
from ridewright.core.model.assembly import Seat
from ridewright.core.model.library import load_restraint, load_seat
from ridewright.core.model.surfaces import Box

COARSE = 0.05  # of the usual number of postures
WOMAN, _, MAN, *_ = (one.person for one in usual())
ARM = 0.440  # shoulder to fingertip over stature, with the figures of geometry.csv
SHOULDER_TO_GRIP = 0.95  # of that what a coarse search finds at the least


@cache
def from_seat(shape: str, restraint: str, fineness: float = COARSE) -> Reach:
    held = load_restraint(restraint) if restraint else None
    seat = Seat(name="S", body="Car", position=(0.0, 0.0, 0.0), shape=load_seat(shape)[0], restraint=held)
    return reach_from(MAN, seat, fineness)


def limb(found: Reach, name: str):  # type: ignore[no-untyped-def]
    return next(one for one in found.limbs if one.name == name)


def test_that_a_stretched_arm_is_as_long_as_an_arm() -> None:
    stature = 1.882  # of the 95th percentile man, NHANES
    held = limb(from_seat("viegas2016", "vest"), "left arm")
    # a vest lets the shoulder go a little; sideways the arm is lifted and stretched
    way = np.argmax(directions() @ np.array([0.0, 1.0, 0.0]))
    across = held.profile().ravel()[way]
    assert SHOULDER_TO_GRIP * ARM * stature < across < 1.25 * ARM * stature
    assert held.farthest() < 2.0 * ARM * stature


def test_that_nothing_is_reached_through_a_wall() -> None:
    wall = Box(name="Wall", position=(0.75, 0.0, 0.0), half_sizes=(0.15, 3.0, 3.0))
    free, stopped = reach(MAN, fineness=COARSE), reach(MAN, pads=(wall,), fineness=COARSE)
    for name in ("left arm", "right arm", "head"):
        before, behind = limb(free, name), limb(stopped, name)
        ends = behind.centres[:, 0] + behind.radii
        assert ends.max() < 0.6 + GIVE + 0.035  # a capsule is thicker than the flat hand that stops
        assert (before.centres[:, 0] + before.radii).max() > ends.max() + 0.05


def test_that_a_restraint_keeps_what_it_holds() -> None:
    bar, vest = from_seat("sit_down", "lap_bar"), from_seat("sit_down", "vest")

    def ahead(found: Reach, name: str) -> float:
        return float((limb(found, name).centres[:, 0] + limb(found, name).radii).max())

    assert ahead(vest, "left arm") < ahead(bar, "left arm") - 0.2  # the trunk cannot lean forwards
    assert ahead(vest, "head") < ahead(bar, "head") - 0.2
    # the bar keeps the thigh from going down and aside, the vest does not
    assert len(limb(bar, "left leg").radii) < len(limb(vest, "left leg").radii)


def test_that_both_sides_reach_alike_and_larger_people_farther() -> None:
    found = reach(MAN, fineness=4.0 * COARSE)
    left, right = limb(found, "left arm").farthest(), limb(found, "right arm").farthest()
    assert left == pytest.approx(right, rel=0.05)
    small = reach(WOMAN, fineness=COARSE)
    assert limb(small, "left arm").farthest() < 0.95 * left


def test_that_a_margin_widens_the_space_by_itself() -> None:
    held = limb(from_seat("viegas2016", "vest"), "left arm")
    wider = held.profile(0.1) - held.profile()
    assert wider[held.profile() > 0.0].min() > 0.09
    room = from_seat("viegas2016", "vest").room({"arm": 0.1})
    assert room.profiles[room.names.index("left arm")] == pytest.approx(held.profile(0.1))
    assert room.profiles[room.names.index("head")] == pytest.approx(
        limb(from_seat("viegas2016", "vest"), "head").profile()
    )


def test_how_deep_a_place_is_in_a_space() -> None:
    room = ReachRoom(("ball", "half"), np.array([[0.0, 0.0, 0.0], [2.0, 0.0, 0.0]]), np.ones((2, 36, 72)))
    room.profiles[1, 18:] = 0.0  # nothing below
    places = np.array([[0.5, 0.0, 1e-3], [2.0, 0.0, 0.6], [2.0, 0.0, -0.6], [0.0, 3.0, 0.0]])
    depth = room.depth(places)
    assert depth[0] == pytest.approx(
        [0.5, 1.0 - np.hypot(2.0, 0.6), 1.0 - np.hypot(2.0, 0.6), -2.0], abs=1e-5
    )
    assert depth[1] == pytest.approx([-0.5, 0.4, -0.6, -np.sqrt(13.0)], abs=1e-5)
    assert np.linalg.norm(room.surface(0), axis=-1) == pytest.approx(np.ones((36, 72)))
    assert room.radius >= 2.0
    ring = room.outline(36) - room.centre[1:]
    assert np.linalg.norm(ring, axis=1).max() == pytest.approx(1.0, abs=CELL)


def test_that_four_times_the_postures_find_little_more() -> None:
    """The figures of the docstring of `reach`."""
    usual_ones, finer = from_seat("sit_down", "lap_bar", 1.0), from_seat("sit_down", "lap_bar", 4.0)
    for one, other in zip(usual_ones.limbs, finer.limbs, strict=True):
        less = other.profile() - one.profile()
        assert less.mean() < 0.016
        assert np.quantile(less, 0.95) < 0.12
