"""Flexible bodies with more than two interfaces, and damping that is proportional to mass and stiffness."""

from __future__ import annotations

import math

import numpy as np
import pytest

from ridewright.core.model.flexible import BeamPart, BeamSection, FlexibleBody, Interface, Node
from ridewright.core.model.joints import Joint
from ridewright.core.project.project import Project
from ridewright.core.solver.modes import modes_at, modes_at_rest
from tests.core.solver.flexible_rigs import ends, light, rig, slender

ACROSS = (0.0, 1.0, 0.0)
PLACES = {"left": 0.0, "middle": 1.0, "right": 2.0}


def two_spans(**more: object) -> Project:
    """A beam of two spans of 1 m, 1 kg/m and E I 1 N m^2 on three hinges."""
    section = BeamSection(
        shape="own", area=1e-2, moment_y=1e-8, moment_z=1e-8, torsion=2e-8, shear_y=1.0, shear_z=1.0
    )  # fmt: skip
    parts = tuple(
        BeamPart(start=a, end=b, section=section, E=1e8, G=1e8, density=100.0, elements=8)
        for a, b in (("left", "middle"), ("middle", "right"))
    )
    beam = FlexibleBody(
        name="beam",
        nodes=tuple(Node(name=name, position=(x, 0.0, 0.0)) for name, x in PLACES.items()),
        beams=parts,
        interfaces=tuple(Interface(node=name, body=name) for name in PLACES),
        **{"modes": 16, "ratio": 0.0, **more},  # type: ignore[arg-type]
    )
    hinges = tuple(
        Joint(
            name=name, kind="revolute", body_i="ground", body_j=name, point_i=(x, 0.0, 0.0), axis_i=ACROSS,
            axis_j=ACROSS,
        )
        for name, x in PLACES.items()
    )  # fmt: skip
    return rig(tuple(light(name, x) for name, x in PLACES.items()), beam, hinges)


def test_that_a_beam_on_three_hinges_has_the_frequencies_of_its_spans() -> None:
    """Two like spans swing against each other as one on two hinges, x = pi, and together as one that is clamped at the
    middle, tan x = tanh x; then both again."""
    _, _, found = modes_at_rest(two_spans(), 12)
    speeds = np.array([m.pole.imag for m in found])
    for x in (math.pi, 3.926602, 2.0 * math.pi, 7.068583):
        assert np.abs(speeds - x**2).min() < 1e-3 * x**2


def test_that_damping_by_stiffness_grows_with_the_frequency() -> None:
    """beta w / 2 of every mode, whatever holds the body."""
    _, _, found = modes_at_rest(two_spans(damping="proportional", beta=2e-3), 12)
    bending = [m for m in found if abs(m.pole) < 60.0]
    assert len(bending) >= 3
    for mode in bending:
        assert mode.damping == pytest.approx(1e-3 * abs(mode.pole), rel=1e-4)


def test_that_damping_by_mass_falls_with_the_frequency() -> None:
    """alpha / 2 w and beta w / 2 of the modes of a free beam, whose bodies at the ends weigh next to nothing."""
    beam = slender(1.0, 1.0, 1.0, 4e6, ends("hub", "end"), damping="proportional", alpha=3.0, beta=1e-3)
    free = rig((light("hub", 0.0), light("end", 1.0)), beam)
    _, _, found = modes_at(free, 1e-3)
    bending = [m for m in found if 20.0 < abs(m.pole) < 70.0]
    assert [abs(m.pole) for m in bending] == pytest.approx([4.730041**2] * 2 + [7.853205**2] * 2, rel=1e-3)
    for mode in bending:
        w = abs(mode.pole)
        assert mode.damping == pytest.approx(1.5 / w + 5e-4 * w, rel=1e-4)
