"""Static checks of the steel against closed forms: line loads, wind, buckling, utilisation by hand, footings."""

from __future__ import annotations

import numpy as np
import pytest

from ridewright.core.project.examples import load_example
from ridewright.core.steelwork.actions import at_rest, cases, temperature, weight, wind
from ridewright.core.steelwork.buckling import critical, reduction
from ridewright.core.steelwork.checks import checked, reactions_csv
from ridewright.core.steelwork.frame import SteelFrame
from ridewright.core.steelwork.framing import steel_frame
from ridewright.core.steelwork.ride import ride_over
from ridewright.core.structure.sections import Material, tube
from ridewright.core.track.actions import Actions, Combination, WindRow
from ridewright.core.track.build import build_track
from ridewright.core.track.steelwork import Steelwork
from tests.core.steelwork.girder import STIFF, girder, passing

LENGTH, FORCE, G = 12.0, 4e4, 9.81
SECTION, STEEL = tube(0.3556, 0.0125), Material()
EI, A = STEEL.E * SECTION.Iy, SECTION.area
PINNED = (STIFF, STIFF, STIFF, STIFF, 0.0, STIFF)
FIXED = (STIFF,) * 6


def simple(bays: int = 12) -> SteelFrame:
    return girder(SECTION, STEEL, LENGTH, bays, (0, bays), PINNED)


def test_that_a_girder_bends_under_its_weight_as_statics_have_it() -> None:
    frame = simple()
    w, found = STEEL.density * A * G, at_rest(frame, weight(frame))
    shear = w * LENGTH**2 / (8.0 * STEEL.G * SECTION.shear_z)
    assert -found.q[frame.structure.unknowns[6, 2]] == pytest.approx(
        5.0 * w * LENGTH**4 / (384.0 * EI) + shear, rel=1e-6
    )
    assert abs(found.inside[5, 1, 4]) == pytest.approx(w * LENGTH**2 / 8.0, rel=1e-9)
    assert abs(found.inside[0, 0, 4]) < 1e-9 * w * LENGTH**2
    assert found.inside[2, 0, 2] == pytest.approx(found.inside[1, 1, 2], rel=1e-9)
    assert found.reactions[:, 2] == pytest.approx(-0.5 * w * LENGTH, rel=1e-9)


def test_that_wind_pushes_what_is_square_to_it_by_its_height() -> None:
    frame, actions = simple(), Actions(drag=0.8)
    rows = (WindRow(height=5.0, pressure=100.0), WindRow(pressure=900.0))
    way = np.array([np.cos(0.7), np.sin(0.7), 0.0])
    push = wind(frame, actions, rows, way)
    tubes = 2.0 * SECTION.reach[0]  # the same one three times, which is one
    assert push[4] == pytest.approx([0.0, 0.8 * 100.0 * tubes * np.sin(0.7) ** 2, 0.0], abs=1e-9)
    assert np.linalg.norm(wind(frame, actions, rows, np.array([1.0, 0.0, 0.0]))) < 1e-9
    high = wind(frame, actions, (WindRow(height=1e-3, pressure=100.0), WindRow(pressure=900.0)), way)
    assert high == pytest.approx(push)  # at the height of its footings


@pytest.mark.parametrize(("held", "ground", "factor"), [((0, 12), PINNED, 1.0), ((0,), FIXED, 0.25)])
def test_that_a_bar_buckles_as_euler_has_it(
    held: tuple[int, ...], ground: tuple[float, ...], factor: float
) -> None:
    frame = girder(SECTION, STEEL, LENGTH, 12, held, ground)
    N = factor * np.pi**2 * EI / LENGTH**2
    N /= 1.0 + N / (STEEL.G * SECTION.shear_z)  # gives in shear, Engesser 1891
    assert critical(frame, np.full(12, -1e3)) == pytest.approx(N / 1e3, rel=1e-4)
    assert critical(frame, np.full(12, 1e3)) == np.inf


def test_that_the_buckling_curves_are_those_of_the_standard() -> None:
    """At a slenderness of 1: 0.666 of curve a, 0.540 of curve c (tabulated with EN 1993-1-1)."""
    assert reduction(np.array([1.0]), 0.21)[0] == pytest.approx(0.666, abs=5e-4)
    assert reduction(np.array([1.0]), 0.49)[0] == pytest.approx(0.540, abs=5e-4)
    assert reduction(np.array([0.1, 5.0]), 0.49)[0] == 1.0


def test_that_a_girder_is_used_as_far_as_by_hand() -> None:
    """A slow force over it: 1.1 of the weight and 1.35 x 1.2 of F l / 4, and the footings with them."""
    actions = Actions(
        combinations=(
            Combination(name="both", weight=1.1, train=1.35),
            Combination(name="weight", weight=1.0),
            Combination(name="in use", limit="serviceability", train=1.0),
        )
    )
    frame, rules = simple(), Steelwork(actions=actions, spacing=LENGTH)
    ride = ride_over(frame, passing(FORCE, 2.0, LENGTH), 100.0, slowly=True, extremes=True)
    found = checked(frame, ride, rules)
    w = STEEL.density * A * G
    moment = 1.1 * w * LENGTH**2 / 8.0 + 1.35 * 1.2 * FORCE * LENGTH / 4.0
    stress = moment / (SECTION.Iy / SECTION.reach[0])
    worst = found.members[0]
    assert worst.name in ("bay 6", "bay 7")
    assert (worst.by, worst.combination) == ("stress", "both")
    assert pytest.approx(moment, rel=1e-4) == worst.M
    assert worst.share == pytest.approx(stress / (3.55e8 / 1.1), rel=1e-4)
    both, alone, in_use = found.combinations
    assert both.most[:, 2] == pytest.approx(1.1 * 0.5 * w * LENGTH + 1.35 * 1.2 * FORCE, rel=1e-3)
    assert alone.most[:, 2] == pytest.approx(0.5 * w * LENGTH, rel=1e-9)
    sag = FORCE * LENGTH**3 / (48.0 * EI) + FORCE * LENGTH / (4.0 * STEEL.G * SECTION.shear_z)
    assert in_use.deflection == pytest.approx(sag, rel=1e-4)
    assert in_use.deflection_share == pytest.approx(sag / (LENGTH / 200.0), rel=1e-4)
    rows = reactions_csv(frame, found).splitlines()
    assert len(rows) == 1 + 2 * 3


def test_that_an_earthquake_pushes_mass_along_the_ground_with_a_part_aside() -> None:
    frame = simple()
    found = cases(frame, Actions(earthquake=0.2))["earthquake"]
    along = found.reactions[:, :, :2].sum(axis=1)
    assert np.linalg.norm(along, axis=1) == pytest.approx(0.2 * G * frame.mass * np.hypot(1.0, 0.3), rel=1e-6)


def test_that_a_bar_held_at_both_ends_is_pressed_by_warmth_and_a_free_one_grows() -> None:
    alpha, change = 1.2e-5, 40.0
    held = girder(SECTION, STEEL, LENGTH, 12, (0, 12), FIXED)
    found = temperature(held, change, alpha)
    N = -STEEL.E * A * alpha * change
    between = 1.0 + 2.0 * STEEL.E * A / (STIFF * LENGTH)  # what its ground gives
    assert found.inside[:, :, 0] == pytest.approx(N / between, rel=1e-6)
    assert found.reactions[:, 0] == pytest.approx([N / between, -N / between], rel=1e-6)
    free = girder(SECTION, STEEL, LENGTH, 12, (0,), FIXED)
    grown = temperature(free, change, alpha)
    assert grown.q[free.structure.unknowns[12, 0]] == pytest.approx(alpha * change * LENGTH, rel=1e-9)
    assert np.abs(grown.inside).max() < 1e-9 * abs(N)
    colder = temperature(held, -change, alpha)
    assert colder.inside[:, :, 0] == pytest.approx(-N / between, rel=1e-6)


def test_that_a_joint_lets_steel_grow_and_a_combination_takes_the_worse_of_warm_and_cold() -> None:
    track = load_example("straight").track
    assert track is not None
    built = build_track(track)
    whole, jointed = (steel_frame(built, Steelwork(expansion=every)) for every in (0.0, 30.0))
    pressed = {}
    for frame in (whole, jointed):
        found = temperature(frame, 30.0, 1.2e-5)
        bays = len(frame.stations) - 1
        pressed[frame] = float(np.abs(found.inside[:bays, :, 0]).max())
        at = [int(np.argmin(np.abs(frame.stations - s))) - 1 for s in frame.joints]
        assert np.abs(found.inside[at, :, 0]).max(initial=0.0) < 1e-6 * pressed[frame]
    assert pressed[jointed] < 0.2 * pressed[whole]
    both = cases(jointed, Actions(temperature=30.0))["temperature"]
    assert both.inside[0] == pytest.approx(-both.inside[1])
    still = at_rest(jointed, weight(jointed))  # a joint bears no weight along it either
    at = [int(np.argmin(np.abs(jointed.stations - s))) - 1 for s in jointed.joints]
    assert np.abs(still.inside[at, :, 0]).max() < 1e-6 * np.abs(still.inside).max()


def test_that_warmth_is_combined_as_its_factor_says() -> None:
    actions = Actions(
        temperature=40.0, combinations=(Combination(name="warm", weight=0.0, temperature=1.35),)
    )
    frame = girder(SECTION, STEEL, LENGTH, 12, (0, 12), FIXED)
    ride = ride_over(frame, passing(FORCE, 2.0, LENGTH), 20.0, slowly=True, extremes=True)
    found = checked(frame, ride, Steelwork(actions=actions, spacing=LENGTH))
    stress = 1.35 * STEEL.E * 1.2e-5 * 40.0 / (1.0 + 2.0 * STEEL.E * A / (STIFF * LENGTH))
    assert found.members[0].share == pytest.approx(stress / (3.55e8 / 1.1), rel=1e-6)
