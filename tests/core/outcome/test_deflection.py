"""How interfaces move against their body, and what frequencies are in it."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest

from ridewright.core.outcome.deflection import deflection
from ridewright.core.outcome.stress import BodyStress
from ridewright.core.structure.beams import STEEL, box
from tests.core.outcome.test_stress import body


def loaded(force: float, hertz: float = 0.7, fast: float = 0.0) -> BodyStress:
    """The main beam clamped at its top, a force (N) along x at its lower end that swings, with a share that is fast."""
    one = body()
    unit = one.flexible.floating.held_under_loads("bottom", "top")[:, 0]
    time = np.linspace(0.0, 20.0, 8001)
    wave = np.cos(math.tau * hertz * time) + fast * np.sin(math.tau * 30.0 * time)
    return replace(one, time=time, modal=force * wave[:, None] * unit)


def test_that_the_end_of_a_clamped_beam_is_deflected_as_by_bending_and_shear() -> None:
    """F L^3 / 3 E I + F L / G A and F L^2 / 2 E I, of the lower end against the upper one."""
    found = deflection(loaded(2e4))
    top, bottom = found.of["top"][0], found.of["bottom"][0]
    section, (E, G, _), L, F = box(0.52, 0.4891, 0.012), STEEL, 8.0, 2e4
    moved = bottom[:3] - top[:3] - np.cross(top[3:], [0.0, 0.0, -L])
    assert moved[0] == pytest.approx(
        F * L**3 / (3.0 * E * section.Iy) + F * L / (G * section.shear_z), rel=2e-4
    )
    turned = bottom[3:] - top[3:]
    assert abs(turned[1]) == pytest.approx(F * L**2 / (2.0 * E * section.Iy), rel=2e-4)
    assert found.turn == pytest.approx(max(np.linalg.norm(top[3:]), np.linalg.norm(bottom[3:])))
    assert found.largest == pytest.approx(max(np.linalg.norm(top[:3]), np.linalg.norm(bottom[:3])))


@pytest.mark.parametrize(("fast", "highest"), [(0.05, 30.0), (0.004, 0.7)])
def test_that_the_highest_frequency_is_one_with_a_hundredth_of_the_largest(
    fast: float, highest: float
) -> None:
    found = deflection(loaded(2e4, fast=fast))
    assert found.highest == pytest.approx(highest, abs=0.15)
    assert (
        f"frequencies up to {found.highest:.3g} Hz: {4.0 * found.highest:.3g} instants a second"
        in found.words
    )


def test_that_turns_that_are_not_small_are_said() -> None:
    assert deflection(loaded(2e4)).small
    far = deflection(loaded(2e7))
    assert not far.small
    assert "are not small" in far.words


def test_that_a_bent_beam_keeps_its_length() -> None:
    """Along the beam its ends come nearer by the integral of half its slope squared: 3/5 of d^2 / L of a clamped beam
    with its end d away, here with a little shear."""
    found = deflection(loaded(2e6))
    top, bottom = found.of["top"][0], found.of["bottom"][0]
    L = 8.0
    moved = bottom[:3] - top[:3] - np.cross(top[3:], [0.0, 0.0, -L])
    # turning back by the top's finite turn shortens what is seen along the beam
    w = top[3:]
    turned = np.cross(w, np.cross(w, [0.0, 0.0, -L])) / 2.0 + np.cross(w, moved)
    assert (moved - turned)[2] == pytest.approx(0.6 * moved[0] ** 2 / L, rel=0.03)
