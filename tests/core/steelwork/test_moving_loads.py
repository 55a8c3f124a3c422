"""Loads that travel along a girder against closed forms."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from ridewright.core.base.arrays import Array
from ridewright.core.base.errors import InputError
from ridewright.core.steelwork.frame import SteelFrame
from ridewright.core.steelwork.members import forces_inside
from ridewright.core.steelwork.ride import TrainLoads, lowest, ride_over
from ridewright.core.structure.sections import Material, Section, box
from tests.core.steelwork.girder import STIFF, fryba, girder, passing

LENGTH, FORCE = 20.0, 1e4
PINNED = (STIFF, STIFF, STIFF, STIFF, 0.0, STIFF)  # turns about y
STEEL = Material()


def slender() -> Section:
    """A box without give in shear, as the closed forms have it."""
    section = box(0.3, 0.4, 0.012)
    return replace(section, shear_y=1e3 * section.area, shear_z=1e3 * section.area)


SECTION = slender()
EI, MU = STEEL.E * SECTION.Iy, STEEL.density * SECTION.area


def simple(bays: int = 20, damping: float = 0.0) -> SteelFrame:
    return girder(SECTION, STEEL, LENGTH, bays, (0, bays), PINNED, damping)


def down(frame: SteelFrame, loads: TrainLoads, rate: float, node: int) -> tuple[Array, Array]:
    ride = ride_over(frame, loads, rate)
    return ride.time, -ride.deflection[:, node, 2]


@pytest.mark.parametrize("speed", [5.0, 30.0, 60.0])
def test_that_a_force_that_passes_a_girder_bends_it_as_fryba_has_it(speed: float) -> None:
    """The rest is rotary inertia, which his beam has not, and the instant at which the force comes on."""
    time, found = down(simple(), passing(FORCE, speed, LENGTH), 1600.0, 10)
    exact = fryba(EI, MU, LENGTH, FORCE, speed, 0.5 * LENGTH, time)
    assert np.abs(found - exact).max() < 2e-3 * exact.max()


def test_that_the_method_is_of_second_order() -> None:
    """A force that comes slowly, so that it excites nothing that the steps cannot follow; against a fine run."""
    frame, time = simple(8), np.linspace(0.0, 1.0, 4001)
    s = np.full((len(time), 1), 0.5 * LENGTH)
    point = np.stack([s, 0.0 * s, 0.0 * s], axis=-1)
    force = np.zeros_like(point)
    force[..., 2] = -FORCE * np.sin(np.pi * time[:, None]) ** 4
    loads = TrainLoads(time, s, point, force, np.zeros_like(force))
    ends = [down(frame, loads, rate, 4)[1][-1] for rate in (100.0, 200.0, 400.0, 6400.0)]
    errors = np.abs(np.array(ends[:3]) - ends[3])
    assert np.log2(errors[0] / errors[1]) == pytest.approx(2.0, abs=0.2)
    assert np.log2(errors[1] / errors[2]) == pytest.approx(2.0, abs=0.2)


def test_that_a_force_at_rest_bends_and_turns_the_girder_as_statics_have_it() -> None:
    """Between two nodes and beside the girder: deflection, moment and torsion of a force F at a of the length l."""
    frame, a, aside = simple(), 7.3, 0.4
    b = LENGTH - a
    beams, ends = frame.loads(np.array([a]), np.array([[a, aside, 0.0]]), np.array([[0.0, 0.0, -FORCE]]))
    q = frame.factor.solve(frame.vector(beams, ends))
    x = 5.0
    sag = FORCE * b * x * (LENGTH**2 - b**2 - x**2) / (6.0 * LENGTH * EI)
    assert -q[frame.structure.unknowns[5, 2]] == pytest.approx(sag, rel=1e-5)  # it gives a little in shear
    inside = forces_inside(frame, q[:, None], beams[:, None], ends[:, None])[..., 0]
    assert inside[5, 0, 4] == pytest.approx(-FORCE * b / LENGTH * x, rel=1e-6)  # sagging is negative about y
    assert inside[7, 1, 2] - inside[7, 0, 2] == pytest.approx(FORCE, rel=1e-9)  # the shear jumps by the force
    torque = FORCE * aside
    assert abs(inside[0, 0, 3]) == pytest.approx(torque * b / LENGTH, rel=1e-5)
    assert abs(inside[-1, 0, 3]) == pytest.approx(torque * a / LENGTH, rel=1e-5)
    assert frame.reactions(q)[:, 2].sum() == pytest.approx(-FORCE, rel=1e-9)


def on_winkler(bays: int, length: float, k: float) -> SteelFrame:
    """A long girder on an elastic foundation of k N/m a metre."""
    step = length / bays
    return girder(SECTION, STEEL, length, bays, range(bays + 1), (1e3, 1e3, k * step, 1e6, 0.0, 1e6), 0.02)


def test_that_a_rail_on_its_foundation_gives_p_beta_over_2k_and_more_the_faster() -> None:
    """An infinite beam on a Winkler foundation: P beta / 2k at rest, 1 / sqrt(1 - (v / v_c)^2) times that under a force
    that travels, v_c^4 = 4 k EI / mu^2 (Fryba 1999, chapter 13)."""
    k, bays, length = 5e6, 200, 50.0
    frame = on_winkler(bays, length, k)
    beta = (k / (4.0 * EI)) ** 0.25
    still = FORCE * beta / (2.0 * k)
    beams, ends = frame.loads(np.array([25.0]), np.array([[25.0, 0.0, 0.0]]), np.array([[0.0, 0.0, -FORCE]]))
    q = frame.factor.solve(frame.vector(beams, ends))
    assert -q[frame.structure.unknowns[100, 2]] == pytest.approx(still, rel=2e-3)
    critical = (4.0 * k * EI / MU**2) ** 0.25
    for part in (0.3, 0.6):
        ride = ride_over(frame, passing(FORCE, part * critical, length), 3000.0)
        middle = slice(len(ride.time) // 3, 2 * len(ride.time) // 3)
        found = -ride.deflection[middle, :, 2].min(axis=1)
        assert np.median(found) == pytest.approx(still / np.sqrt(1.0 - part**2), rel=0.02)


def test_that_a_train_whose_wheels_come_with_the_girders_period_swings_it_up() -> None:
    """v = f d: every one of ten forces adds what the first has left behind; half a period aside they cancel."""
    frame = simple(10)
    f = float(lowest(frame)[0][0])
    count = 10

    def left(spacing: float, number: int) -> float:
        speed = f * 12.0
        loads = passing(FORCE, speed, LENGTH, 1.0, [k * spacing for k in range(number)])
        time, found = down(frame, loads, 800.0, 5)
        return float(np.abs(found[time > loads.time[-1] - 0.9]).max())

    one = left(12.0, 1)
    assert left(12.0, count) == pytest.approx(count * one, rel=0.03)
    assert left(18.0, count) < 0.3 * one


def test_that_a_girder_left_alone_dies_down_as_its_damping_says() -> None:
    zeta = 0.03
    frame = simple(10, zeta)
    time, found = down(frame, passing(FORCE, 15.0, LENGTH, 3.0), 1600.0, 5)
    free = found[time > LENGTH / 15.0 + 0.2]
    peaks = [k for k in range(1, len(free) - 1) if free[k - 1] < free[k] > free[k + 1] and free[k] > 0.0]
    decay = np.log(free[peaks[0]] / free[peaks[4]]) / 4.0
    assert decay == pytest.approx(2.0 * np.pi * zeta / np.sqrt(1.0 - zeta**2), rel=0.02)


def test_that_a_ride_of_too_many_steps_is_refused() -> None:
    with pytest.raises(InputError, match="in 2000001 steps are too many; take at most 200000"):
        ride_over(simple(), passing(FORCE, 20.0, LENGTH, 19.0), 1e5)
