"""What hands, feet and heads reach from a seat: lengths of limbs, walls, restraints, the larger and the smaller."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
import pytest

from ridewright.core.human.closing import closing, held_bodies, skins_of
from ridewright.core.human.joints import limits
from ridewright.core.human.make import rider
from ridewright.core.human.population import usual
from ridewright.core.human.posture import base_name
from ridewright.core.human.reach import BESIDE, MISSED, Reach, ReachRoom, directions, reach, reach_from
from ridewright.core.human.reaching import (
    CELL,
    GIVE,
    LIMBS,
    OUTER,
    TRUNK,
    Reaching,
    _capsule,
    _Limb,
    _range,
    cells_of,
)  # fmt: skip
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
        assert ends.max() < 0.6 + GIVE + 0.05 + MISSED  # a capsule is thicker than the flat hand that stops
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


def clear(body: Reaching, names: tuple[str, ...]) -> bool:
    return all(body.figure.depth(name, body.solids) <= body.let[name] for name in names)


@pytest.mark.parametrize("name", ["left arm", "right leg", "head"])
def test_that_what_is_reached_is_reached_by_somebody(name: str) -> None:
    """Every ball that was kept is where some posture puts it, one at a time: within the limits, clear of seat and pads,
    and the trunk came there straight. So the space is nowhere larger than what is reached `BESIDE` it, and `MISSED`."""
    seat = load_seat("viegas2016")[0]
    body = Reaching(MAN, seat, pads("viegas2016", "over_the_shoulder")[0])
    found = _Limb(body, name, LIMBS[name])
    found.found(COARSE)
    sat, turned = dict(body.figure.at), dict(body.figure.turned)
    which, cell = np.nonzero(found.far > 0.0)
    for k in np.random.default_rng(2).integers(len(cell), size=60):
        body.figure.at, body.figure.turned = dict(sat), dict(turned)
        turns = found.turns[which[k], cell[k]]
        for one, turn in zip(found.segments, turns, strict=True):
            low, high = (np.array(end) for end in limits(one.joint_name))
            if base_name(one.joint_name) not in ("wrist", "elbow", "knee", "ankle"):
                rest = np.array(turned[one.joint_name])
                assert np.all(turn >= np.minimum(low, rest) - 1e-9)
                assert np.all(turn <= np.maximum(high, rest) + 1e-9)
            body.figure.turned[one.joint_name] = tuple(turn.tolist())
        body.figure.place(found.chain)
        assert clear(body, found.chain)
        one = found.segments[which[k] - OUTER]
        centre, axes = body.figure.at[one.name]
        along, radius = _capsule(one)
        balls = centre + (one.middle - one.centre + along) @ axes.T
        assert np.linalg.norm(balls - found.ball[which[k], cell[k]], axis=1).min() < 1e-9
        far = np.linalg.norm(balls - found.origin, axis=1).max() + radius
        assert found.far[which[k], cell[k]] <= far + 1e-9
    assert BESIDE < CELL


def pads(shape: str, restraint: str) -> tuple[tuple[Any, ...], float]:
    """Pads of a closed restraint, and what it leaves (m)."""
    held = load_restraint(restraint)
    body = rider(MAN, "S", shape=load_seat(shape)[0])
    closed = closing(((held, skins_of(held_bodies(held, body))),))
    return held.closed(closed.locked), max(0.0, closed.gaps[0] or 0.0)


@pytest.mark.parametrize(
    ("shape", "restraint"), [("sit_down", "lap_bar"), ("viegas2016", "over_the_shoulder")]
)
def test_that_random_postures_lie_inside(shape: str, restraint: str) -> None:
    """In `make nightly`: drawn evenly within the limits, one at a time, their balls are nowhere farther out."""
    seat = load_seat(shape)[0]
    closed, slack = pads(shape, restraint)
    found = from_seat(shape, restraint, 1.0)
    chance = np.random.default_rng(3)
    for name, chain in LIMBS.items():
        held = limb(found, name)
        profile = held.profile()
        body = Reaching(MAN, seat, closed)
        sat, turned = dict(body.figure.at), dict(body.figure.turned)
        whole = (*TRUNK, *chain) if body.figure.segments[chain[0]].parent == "Thorax" else chain
        inside = 0
        for _ in range(2000):
            body.figure.at, body.figure.turned = dict(sat), dict(turned)
            turns = {}
            for one in (body.figure.segments[each] for each in whole):
                low, high = _range(one.joint_name, np.array(turned[one.joint_name]))
                turns[one.joint_name] = low + chance.random(3) * (high - low)
            if whole != chain and not leans(body, turns, turned):
                continue
            body.figure.turned |= {joint: tuple(turn.tolist()) for joint, turn in turns.items()}
            body.figure.place(whole)
            if not clear(body, whole):
                continue
            inside += 1
            for one in (body.figure.segments[each] for each in chain[-OUTER:]):
                along, radius = _capsule(one)
                centre, axes = body.figure.at[one.name]
                away = centre + (one.middle - one.centre + along) @ axes.T - held.origin
                far = np.linalg.norm(away, axis=1)
                assert np.all(far + radius + slack <= profile[cells_of(away, far)]), name
        assert inside > 40, name


def leans(body: Reaching, turns: dict[str, np.ndarray], turned: dict[str, Any]) -> bool:
    """Whether the trunk comes there straight."""
    for share in np.linspace(0.0, 1.0, 9)[1:]:
        for one in (body.figure.segments[each] for each in TRUNK):
            rest = np.array(turned[one.joint_name])
            body.figure.turned[one.joint_name] = tuple(
                (rest + share * (turns[one.joint_name] - rest)).tolist()
            )
        body.figure.place(TRUNK)
        if not clear(body, TRUNK):
            return False
    return True


def test_that_four_times_the_postures_find_little_more() -> None:
    """In `make nightly`: the figures of the guide."""
    usual_ones, finer = from_seat("sit_down", "lap_bar", 1.0), from_seat("sit_down", "lap_bar", 4.0)
    for one, other in zip(usual_ones.limbs, finer.limbs, strict=True):
        less = other.profile() - one.profile()
        assert less.mean() < 0.016
        assert np.quantile(less, 0.95) < 0.12
