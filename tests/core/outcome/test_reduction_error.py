"""A reduced beam beside the whole one."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from ridewright.core.edits.elements import set_element
from ridewright.core.model.flexible import BeamSection, NodeMass
from ridewright.core.multibody.compile import compile_system
from ridewright.core.multibody.flexible import Flexible
from ridewright.core.outcome.reduction_error import reduction_error
from ridewright.core.project.examples import load_example


def beam(**fields: object) -> Flexible:
    project = set_element(load_example("swing_beam"), "flexible", ("Main beam",), fields)
    (one,) = compile_system(project).flexible
    return one


def test_that_a_clamped_beam_is_reduced_to_its_own_modes() -> None:
    """Effective masses of a uniform clamped beam: 0.613 of its first bending, 0.188 of the second; 8.80 Hz."""
    found = reduction_error(beam(modes=6), "top")
    assert found[0].whole == pytest.approx(8.80, abs=5e-3)
    assert all(0.0 <= mode.error < 1e-3 for mode in found[:4])
    assert all(mode.assurance > 0.999 for mode in found[:4])
    across = np.array([max(mode.mass) for mode in found[:4]])
    np.testing.assert_allclose(across, [0.613, 0.613, 0.188, 0.188], rtol=0.04)


def test_that_fewer_modes_are_further_off() -> None:
    none, some = (reduction_error(beam(modes=modes), "top") for modes in (0, 6))
    assert none[2].error > 5.0 * some[2].error > 0.0


def test_that_masses_at_nodes_count_and_what_is_not_kept_is_not_compared() -> None:
    heavy = reduction_error(beam(masses=(NodeMass(node="bottom", mass=1484.7),)), "top")
    # 3 E I / L^3 and the mass, that of the beam, with 33/140 of it; less a little shear
    assert heavy[0].whole == pytest.approx(8.80 / 3.516 * np.sqrt(3.0 / (1.0 + 33.0 / 140.0)), rel=5e-3)
    assert abs(heavy[0].error) < 1e-4
    assert heavy[0].assurance > 0.9999
    one = beam()
    taken = replace(one, description=one.description.model_copy(update={"includes_bodies": True}))
    assert reduction_error(taken, "top") == ()


def test_that_the_last_mode_is_known_also_where_it_is_one_of_two_that_are_equally_fast() -> None:
    (one,) = beam().description.beams
    round_tube = one.model_copy(update={"section": BeamSection(shape="tube", diameter=0.5, wall=0.01)})
    for count in (1, 3):
        found = reduction_error(beam(modes=6, beams=(round_tube,)), "top", count)
        assert len(found) == count
        assert all(mode.assurance > 0.999 for mode in found)
