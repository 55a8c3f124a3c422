"""Stress of beams by superposition, against section moments in closed form."""

from __future__ import annotations

import numpy as np
import pytest

from ridewright.core.base.arrays import Array
from ridewright.core.structure.beams import Beam, frame, lay_out
from ridewright.core.structure.reduction import craig_bampton
from ridewright.core.structure.sections import Material, box
from ridewright.core.structure.stress import Superposition, corner_cases, held_under_loads, superposition

SECTION, STEEL, LENGTH = box(0.14, 0.1, 0.006), Material(), 4.0
ALONG = np.array([0.6, 0.0, 0.8])
NODES = {"root": (0.0, 0.0, 0.0), "tip": tuple((LENGTH * ALONG).tolist())}
BEAMS = (Beam("root", "tip", SECTION, STEEL, up=(0.0, 1.0, 0.0), elements=12),)


def _map(shapes: Array) -> Superposition:
    return superposition(frame(NODES, BEAMS), lay_out(NODES, BEAMS)[2], shapes)


def test_that_rigid_motions_make_no_stress() -> None:
    rigid = frame(NODES, BEAMS).rigid_motions()
    made, per_strain = _map(rigid), STEEL.E / LENGTH
    assert np.abs(made.normal).max() < 1e-7 * per_strain
    assert np.abs(made.shear).max() < 1e-7 * per_strain


def test_that_loads_at_the_tip_make_the_stress_of_their_section_forces() -> None:
    """Pull, two bending forces and a twist along the axes of the beam: F/A, F L c / I, T / W at the root."""
    unit = _map(held_under_loads(frame(NODES, BEAMS), "tip", "root"))
    axes = lay_out(NODES, BEAMS)[2][0].axes
    pull, across_y, across_z, twist = 3e4, 700.0, -900.0, 1500.0
    load = np.concatenate([axes @ [pull, across_y, across_z], axes @ [twist, 0.0, 0.0]])
    for k, spot in enumerate(unit.spots):
        y, z = (sign * half for sign, half in zip(spot.corner, SECTION.reach, strict=True))
        arm = LENGTH - spot.along
        normal = pull / SECTION.area - across_y * arm * y / SECTION.Iz - across_z * arm * z / SECTION.Iy
        assert unit.normal[k] @ load == pytest.approx(normal, rel=1e-7, abs=10.0)
        assert unit.shear[k] @ load == pytest.approx(twist / SECTION.twist, rel=1e-7)
    assert {round(s.along, 6) for s in unit.spots} == {round(LENGTH * k / 12, 6) for k in range(13)}


@pytest.mark.parametrize(("corrected", "low", "high"), [(True, 0.998, 1.0001), (False, 0.60, 0.85)])
def test_that_own_weight_needs_static_corrections_for_its_stress(
    corrected: bool, low: float, high: float
) -> None:
    """Clamped at the root with the tip as the only other frame: the moment there is w L^2 / 2."""
    structure = frame(NODES, BEAMS)
    reduced = craig_bampton(structure, ("root", "tip"), 0, corrected=corrected).clamped("root")
    gravity = np.array([0.0, -9.81, 0.0])  # across the beam, along its z
    q = np.linalg.solve(reduced.K, reduced.basis.T @ structure.weight(gravity))
    found = _map(reduced.basis)
    moment = 9.81 * STEEL.density * SECTION.area * LENGTH**2 / 2.0
    share = np.abs(found.normal @ q).max() / (moment * SECTION.reach[1] / SECTION.Iy)
    assert low < share < high


def test_that_the_envelope_is_the_largest_over_all_instants() -> None:
    unit = _map(held_under_loads(frame(NODES, BEAMS), "tip", "root"))
    q = np.random.default_rng(4).standard_normal((5000, 6)) * [1e4, 1e3, 1e3, 100.0, 100.0, 100.0]
    found = unit.envelope(q)
    for spot in (0, 17, 60):
        normal, mises = unit.at(spot, q)
        assert found.worst[spot] == pytest.approx(mises.max(), rel=1e-12)
        assert found.instant[spot] == mises.argmax()
        assert (found.low[spot], found.high[spot]) == pytest.approx((normal.min(), normal.max()), rel=1e-12)


def test_that_principal_stresses_are_those_of_mohr() -> None:
    """Pull alone: itself and nothing; twist alone: plus and minus; of any load, von Mises is that of the spot."""
    unit, axes = _map(held_under_loads(frame(NODES, BEAMS), "tip", "root")), lay_out(NODES, BEAMS)[2][0].axes
    pull, twist = 3e4, 1500.0
    a, t = pull / SECTION.area, twist / SECTION.twist
    pulled, twisted = (
        np.r_[axes @ [pull, 0.0, 0.0], np.zeros(3)],
        np.r_[np.zeros(3), axes @ [twist, 0.0, 0.0]],
    )
    found = unit.principal(5, np.array([pulled, -pulled, twisted]))
    np.testing.assert_allclose(found, [[a, 0.0, 0.0], [0.0, 0.0, -a], [t, 0.0, -t]], atol=1e-6 * a)
    q = np.random.default_rng(4).standard_normal((50, 6)) * 1e3
    first, second, third = unit.principal(17, q).T
    mises = np.sqrt(0.5 * ((first - second) ** 2 + (second - third) ** 2 + (third - first) ** 2))
    np.testing.assert_allclose(mises, unit.at(17, q)[1], rtol=1e-9)
    assert np.all((first >= second) & (second >= third))


def test_that_load_cases_are_all_corners_of_the_box() -> None:
    low, high = -np.arange(1.0, 7.0), 2.0 * np.arange(1.0, 7.0)
    cases = corner_cases(low, high)
    assert len(np.unique(cases, axis=0)) == 64
    assert np.all((cases == low) | (cases == high))
