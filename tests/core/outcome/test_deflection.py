"""How interfaces move against their body, and what frequencies are in it."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest

from ridewright.core.model.flexible import BeamPart, BeamSection, FlexibleBody, Interface, Node
from ridewright.core.multibody.flatten import Local
from ridewright.core.multibody.flexible import End, Flexible, reduced_body
from ridewright.core.outcome.deflection import deflection
from ridewright.core.outcome.stress import BodyStress
from ridewright.core.structure.sections import STEEL, box
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


def test_that_a_beam_held_in_its_middle_bends_by_what_its_free_ends_turn() -> None:
    """Its first free mode does not turn the middle; its ends turn by 4.648 / L a metre they move (free beam)."""
    places = {"left": -3.0, "middle": 0.0, "right": 3.0}
    section = BeamSection(shape="tube", diameter=0.1, wall=0.005)
    description = FlexibleBody(
        name="bar",
        nodes=tuple(Node(name=name, position=(x, 0.0, 0.0)) for name, x in places.items()),
        beams=tuple(
            BeamPart(start=a, end=b, section=section, elements=40)
            for a, b in (("left", "middle"), ("middle", "right"))
        ),
        interfaces=(Interface(node="middle", body="hub"),),
        modes=6,
    )
    made = reduced_body(description)
    end = End("bar/middle", "middle", Local(np.zeros(3), np.eye(3), 0), np.zeros(3))
    modal = np.zeros((20, len(made.inertia)))
    modal[10:, 0] = 0.2
    one = BodyStress(None, Flexible("bar", 1, description, made, (end,)), np.arange(20.0), modal)  # type: ignore[arg-type]
    found = deflection(one)
    assert found.turn < 1e-6
    assert found.most == pytest.approx(0.2 * 4.648 / 6.0, rel=0.01)
    assert not found.small
    assert np.flatnonzero(found.turns > 0.1)[0] == 10


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
