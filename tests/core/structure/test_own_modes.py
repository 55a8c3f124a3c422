"""Modes of a reduced body itself, against closed forms of a uniform beam."""

from __future__ import annotations

import numpy as np
import pytest

from ridewright.core.multibody.flexible import built_of, reduced_body
from ridewright.core.project.examples import load_example
from ridewright.core.structure.own_modes import constraint_modes, held_modes, interface_rows
from ridewright.core.structure.reduction import craig_bampton


@pytest.mark.parametrize("modes", [0, 6])
def test_that_constraint_modes_are_the_deflections_and_stiffnesses_of_a_beam(modes: int) -> None:
    """Half way for a moved end, a length over 8 for a turned one, shear or not; EA/L, GJ/L, 4 EI/L with shear."""
    (description,) = load_example("swing_beam").assembly.flexibles  # type: ignore[union-attr]
    description = description.model_copy(update={"modes": modes, "masses": ()})
    made = reduced_body(description)
    structure, pieces = built_of(description)
    (beam,), section = description.beams, pieces[0].section
    length = sum(piece.length for piece in pieces)
    middle = len(pieces) // 2
    found = {mode.words: mode.motion for mode in constraint_modes(made)}
    assert len(found) == 12
    for name in made.interfaces:
        rows = np.vstack([interface_rows(made, name) @ x for x in found.values()]).reshape(12, 6)
        assert rows == pytest.approx(np.roll(np.eye(12)[:, :6], 6 * (name == "bottom"), axis=0), abs=1e-9)
    node = structure.unknowns[pieces[middle].ends[0]]
    arm = structure.nodes[pieces[middle].ends[0]] - made.centre

    def at_middle(words: str) -> np.ndarray:
        x = found[words]
        return x[:3] + np.cross(x[3:6], arm) + made.shapes[node[:3]] @ x[6:]

    assert np.linalg.norm(arm) < 1e-6
    for axis in range(3):
        for name in made.interfaces:
            assert at_middle(f"{name} along {'xyz'[axis]}") == pytest.approx(0.5 * np.eye(3)[axis], abs=1e-6)
    assert np.abs(at_middle("top about x")) == pytest.approx([0.0, length / 8.0, 0.0], abs=1e-5)
    stiff = {words: float(made.stiffness @ x[6:] ** 2) for words, x in found.items()}
    assert stiff["top along z"] == pytest.approx(beam.E * section.area / length, rel=1e-6)
    assert stiff["bottom about z"] == pytest.approx(beam.G * section.torsion / length, rel=1e-6)
    for words, I, A in (
        ("top about x", section.Iz, section.shear_y),
        ("top about y", section.Iy, section.shear_z),
    ):
        shear = 12.0 * beam.E * I / (beam.G * A * length**2)
        assert stiff[words] == pytest.approx((4.0 + shear) / (1.0 + shear) * beam.E * I / length, rel=1e-6)


def test_that_modes_between_held_interfaces_hold_them_and_have_their_frequency() -> None:
    (description,) = load_example("swing_beam").assembly.flexibles  # type: ignore[union-attr]
    description = description.model_copy(update={"modes": 6})
    made = reduced_body(description)
    structure, _ = built_of(description)
    exact = craig_bampton(structure, ("top", "bottom"), 6).fixed / (2.0 * np.pi)
    found = held_modes(made)
    np.testing.assert_allclose([mode.frequency for mode in found[:6]], exact[:6], rtol=1e-4)
    for mode in found:
        held = [interface_rows(made, name) @ mode.motion for name in made.interfaces]
        assert np.abs(held).max() < 1e-9
        assert mode.motion @ made.block @ mode.motion == pytest.approx(1.0)
