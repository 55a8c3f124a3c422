"""Two rides laid over one another, with signals and errors of closed form."""

from __future__ import annotations

import numpy as np
import pytest

from ridewright.core.cross_check.compare import Quantity, Rides, compare, compare_masses
from ridewright.core.cross_check.engines.base import Masses

TIME = np.linspace(0.0, 2.0, 401)


def ride(error: float, shift: float = 0.0, from_time: float = 0.0) -> dict[str, Quantity]:
    """A point on a circle of 3 m, off by `error` t² along x, and by a shift along y that grows from a time on."""
    x = 3.0 * np.cos(2.0 * TIME) + error * TIME**2
    y = 3.0 * np.sin(2.0 * TIME) + shift * np.maximum(TIME - from_time, 0.0)
    still = np.zeros_like(x)
    values = np.stack(
        [np.stack([x, y, still], axis=1), np.stack([still, still, still + 1.0], axis=1)], axis=1
    )
    return {"place": Quantity("m", ("Arm", "Post"), values)}


def second_order(error: float, **off: float) -> Rides:
    """A ride in two accuracies: the finer is off by a quarter."""
    return Rides(ride(error, **off), ride(error / 4.0, **off))


def test_that_engines_which_are_off_by_their_errors_agree() -> None:
    found = compare(TIME, second_order(4e-3), second_order(-4e-3))
    arm = next(one for one in found if one.name == "Arm")
    # the finer rides are 2e-3 t² apart, and three quarters of each error are allowed: 6e-3 t², and 1 % of the largest
    assert arm.holds
    assert arm.difference == pytest.approx(8e-3)
    assert arm.time == pytest.approx(2.0)
    assert arm.allowed == pytest.approx(2.4e-2 * 1.01, rel=1e-3)


def test_that_a_difference_is_named_with_its_owner_its_time_and_its_size() -> None:
    theirs = second_order(4e-3, shift=0.1, from_time=1.0)
    found = {one.name: one for one in compare(TIME, second_order(4e-3), theirs)}
    assert found["Post"].holds
    arm = found["Arm"]
    assert not arm.holds
    # 0.1 (t - 1) = 6e-3 (t + 0.02)² + 1 % of 2.4e-2 + 3e-6, the last being rounding
    a, b, c = 6e-3, 2.4e-4 - 0.1, 0.1 + 6e-3 * 4e-4 + 2.43e-4
    crossing = (-b - np.sqrt(b**2 - 4.0 * a * c)) / (2.0 * a)
    assert arm.since == pytest.approx(crossing, abs=TIME[1])
    assert arm.difference == pytest.approx(0.1)
    finding = arm.finding("other")
    assert "Arm" in finding.message
    assert "0.1 m" in finding.message
    assert finding.time == arm.since


def test_that_errors_of_the_past_are_allowed_from_then_on() -> None:
    """An error that comes and goes: what passes through zero is not known better there."""
    wave = 1e-2 * np.sin(20.0 * TIME)
    coarse, fine = ride(0.0), ride(0.0)
    coarse["place"].values[:, 0, 0] += wave
    fine["place"].values[:, 0, 0] += wave / 4.0
    found = compare(TIME, Rides(coarse, fine), Rides(ride(0.0), ride(0.0)))
    assert all(one.holds for one in found)


def test_that_a_signal_that_is_no_number_differs() -> None:
    theirs = second_order(4e-3)
    theirs.fine["place"].values[200:, 0, 0] = np.nan
    arm = next(one for one in compare(TIME, second_order(4e-3), theirs) if one.name == "Arm")
    assert not arm.holds


def test_that_only_what_both_have_is_compared_and_a_start_is_left_out() -> None:
    ours, theirs = second_order(1e-3), second_order(1e-3)
    assert compare(TIME, ours, Rides({}, {})) == ()
    for one in (theirs.coarse, theirs.fine):
        one["place"].values[:10] += 1.0
    assert not all(one.holds for one in compare(TIME, ours, theirs))
    late = compare(TIME, ours, theirs, forces=frozenset({"place"}), start=float(TIME[10]))
    assert all(one.holds for one in late)


def test_that_a_jump_a_step_later_is_no_difference_and_a_jump_of_another_size_is() -> None:
    def jump(at: int, size: float) -> Rides:
        made = ride(0.0)
        made["place"].values[at:, 0, 1] += size
        return Rides(made, made)

    def holds(other: Rides) -> bool:
        return all(one.holds for one in compare(TIME, jump(100, 1.0), other, forces=frozenset({"place"})))

    assert holds(jump(101, 1.0))
    assert not holds(jump(110, 1.0))
    assert not holds(jump(100, 1.01))


def test_that_an_unjudged_difference_is_a_note() -> None:
    theirs = second_order(4e-3, shift=0.1)
    (arm, _) = compare(TIME, second_order(4e-3), theirs, unjudged=frozenset({"place"}))
    assert arm.finding("other").severity == "note"


def test_that_masses_and_inertias_are_compared_body_by_body() -> None:
    tensor = np.array([[2.0, 0.1, 0.2], [0.1, 3.0, 0.3], [0.2, 0.3, 4.0]])
    ours = Masses({"Arm": 5.0, "Bob": 1.0}, {"Arm": tensor, "Bob": np.eye(3)})
    assert compare_masses(ours, ours, "other") == ()
    heavier = tensor.copy()
    heavier[1, 1] *= 1.001
    skewed = np.eye(3)
    skewed[0, 2] = skewed[2, 0] = 1e-3
    theirs = Masses({"Arm": 5.0, "Bob": 1.0 + 1e-6}, {"Arm": heavier, "Bob": skewed})
    arm, mass, product = compare_masses(ours, theirs, "other")
    assert "Arm: its moment of inertia about η is 3 kg m^2 here and 3.003 kg m^2 in other" in arm.message
    assert "Bob: its mass is" in mass.message
    assert "Bob: its product of inertia ξζ" in product.message
