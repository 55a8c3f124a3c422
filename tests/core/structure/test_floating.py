"""Flexible bodies in a floating frame: their integrals against closed forms and against integrals taken another way."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest

from ridewright.core.base.arrays import Array
from ridewright.core.base.errors import InputError
from ridewright.core.structure.beams import Beam, frame, lay_out
from ridewright.core.structure.floating import (
    Cloud,
    Floating,
    _times,
    cloud_of_beams,
    cloud_of_body,
    cloud_of_matrices,
    floating,
)
from ridewright.core.structure.model import Structure
from ridewright.core.structure.reduction import craig_bampton
from ridewright.core.structure.sections import Material, Section, box, tube
from tests.core.structure.test_reduction import arm, raw

BENT = {"a": (0.1, 0.2, 0.3), "b": (1.6, 0.5, 0.2), "c": (1.9, 0.4, 1.5), "d": (1.7, 1.4, 0.1)}
BEAMS = (
    Beam("a", "b", box(0.12, 0.08, 0.004), up=(0.0, 0.2, 1.0), elements=6),
    Beam("b", "c", tube(0.1, 0.006), up=(0.0, 1.0, 0.1), offset_i=(0.0, 0.03, 0.05), elements=5),
    Beam("b", "d", box(0.06, 0.1, 0.005), hinges_j="y", elements=4),
)


@cache
def bent() -> tuple[Structure, Cloud, Floating]:
    s = frame(BENT, BEAMS)
    pieces = lay_out(BENT, BEAMS)[2]
    cloud = cloud_of_beams(s, pieces)
    return s, cloud, floating(craig_bampton(s, ("a", "c"), 3), cloud, pieces=pieces)


@cache
def solid() -> tuple[Structure, Cloud, Floating]:
    tied = arm()
    cloud = cloud_of_matrices(raw(), tied.T[: raw().size])
    return tied.structure, cloud, floating(craig_bampton(tied.structure, ("root", "tip"), 4), cloud)


@pytest.mark.parametrize("made", [bent, solid])
def test_that_mass_points_have_the_consistent_mass_of_the_structure(made: object) -> None:
    s, cloud, f = made()  # type: ignore[operator]
    some = np.random.default_rng(5).standard_normal((s.size, 4))
    np.testing.assert_allclose(
        _times(cloud.mass, cloud.moves @ some), some.T @ (s.M @ some), rtol=1e-9, atol=1e-9 * s.mass
    )
    assert f.mass == pytest.approx(s.mass, rel=1e-9)
    np.testing.assert_allclose(f.centre, s.centre, atol=1e-9)


@pytest.mark.parametrize("made", [bent, solid])
def test_that_modes_are_orthogonal_to_each_other_and_to_rigid_motions(made: object) -> None:
    s, _, f = made()  # type: ignore[operator]
    np.testing.assert_allclose(f.shapes.T @ (s.M @ f.shapes), np.diag(f.inertia), atol=1e-7 * f.inertia.max())
    np.testing.assert_allclose(
        f.shapes.T @ (s.K @ f.shapes), np.diag(f.stiffness), atol=1e-6 * f.stiffness.max()
    )
    size = np.sqrt(np.outer(f.inertia, np.diag(s.rigid_mass())))
    assert np.abs(f.shapes.T @ (s.M @ s.rigid_motions()) / size).max() < 1e-7


@pytest.mark.parametrize("made", [bent, solid])
def test_that_inertia_and_momentum_of_a_bent_body_are_those_of_its_points(made: object) -> None:
    """Without what is of second order in the displacement: directly over the moved points, at a large amplitude."""
    _, cloud, f = made()  # type: ignore[operator]
    noise = np.random.default_rng(8)
    q, v = (0.3 * noise.standard_normal(len(f.inertia)) for _ in range(2))
    x = cloud.places - f.centre + np.asarray(cloud.moves @ (f.shapes @ q)).reshape(-1, 3)
    rate = np.asarray(cloud.moves @ (f.shapes @ v)).reshape(-1, 3)
    second = x.T @ (cloud.mass @ x)
    J = f.J0 + np.einsum("i,iab->ab", q, f.J1) + np.einsum("i,j,ijab->ab", q, q, _without_stiffening(f))
    np.testing.assert_allclose(
        J, np.trace(second) * np.eye(3) - second, rtol=1e-9, atol=1e-9 * np.trace(f.J0)
    )
    cross = np.cross(x, (cloud.mass @ rate)).sum(axis=0)
    h = np.einsum("i,j,ijc->c", q, v, f.G)
    np.testing.assert_allclose(h, cross, atol=1e-7 * np.trace(f.J0))
    np.testing.assert_allclose(f.G, -f.G.transpose(1, 0, 2), atol=0.0)
    assert np.abs(np.asarray(cloud.mass.sum(axis=0)) @ rate).max() < 1e-7 * f.mass


def _without_stiffening(f: Floating) -> Array:
    if f is not bent()[2]:
        return f.J2
    s, cloud, _ = bent()
    return floating(craig_bampton(s, ("a", "c"), 3), cloud).J2


BENDING = 4  # modes
LENGTH, SECTION, STEEL = 3.0, box(0.1, 0.1, 0.005), Material(2.1e11, 8.0769230769e10, 7850.0)
SLENDER = Section(
    SECTION.area, SECTION.Iy, SECTION.Iz, SECTION.torsion, 1e6 * SECTION.area, 1e6 * SECTION.area
)


@cache
def straight() -> tuple[Structure, Floating]:
    nodes = {"i": (0.0, 0.0, 0.0), "j": (LENGTH, 0.0, 0.0)}
    beams = (Beam("i", "j", SLENDER, STEEL, elements=40),)
    s, pieces = frame(nodes, beams), lay_out(nodes, beams)[2]
    return s, floating(craig_bampton(s, ("i", "j"), 4), cloud_of_beams(s, pieces), pieces=pieces)


def _description() -> tuple[dict[str, tuple[float, float, float]], tuple[Beam, ...]]:
    return {"i": (0.0, 0.0, 0.0), "j": (LENGTH, 0.0, 0.0)}, (Beam("i", "j", SLENDER, STEEL, elements=40),)


def _by_tension(s: Structure, f: Floating, tension: object) -> Array:
    """What a tension (N, by distance from the centre) makes of the slopes of the first bending modes, along y and z."""
    order = np.argsort(s.nodes[:, 0])
    x = s.nodes[order, 0]
    pull, out = tension(0.5 * (x[1:] + x[:-1]) - LENGTH / 2), np.zeros((BENDING, BENDING))  # type: ignore[operator]
    for across in (1, 2):
        slope = np.diff(f.shapes[s.unknowns[order, across], :BENDING], axis=0) / np.diff(x)[:, None]
        out += slope.T @ ((pull * np.diff(x))[:, None] * slope)
    return out


@pytest.mark.parametrize("about", [1, 2])
def test_that_turning_beams_are_stiffened_by_their_own_centrifugal_tension(about: int) -> None:
    """The tension is rho A (L^2/4 - x^2) / 2 a unit of speed squared."""
    s, f = straight()
    K = _by_tension(s, f, lambda x: 0.5 * STEEL.density * SECTION.area * (LENGTH**2 / 4 - x**2))
    nodes, beams = _description()
    plain = floating(craig_bampton(s, ("i", "j"), 4), cloud_of_beams(s, lay_out(nodes, beams)[2]))
    found = -(f.J2 - plain.J2)[:BENDING, :BENDING, about, about]
    np.testing.assert_allclose(found, K, atol=4e-3 * np.abs(K).max())


def test_that_a_pull_at_one_end_draws_that_end_back_where_the_beam_is_bent() -> None:
    """The pull is balanced by inertia, so the tension is F (1/2 + x/L) from the centre."""
    s, f = straight()
    K = _by_tension(s, f, lambda x: 0.5 + x / LENGTH)
    np.testing.assert_allclose(f.interfaces["j"].H[0, :BENDING, :BENDING], -K, atol=4e-3 * np.abs(K).max())


def test_that_a_body_at_a_node_can_be_taken_out_of_the_mass() -> None:
    """What is left and the body together have the mass, centre and moments of before."""
    s, cloud, f = bent()
    tensor = 1e-3 * np.array([[0.2, 0.03, -0.02], [0.03, 0.3, 0.01], [-0.02, 0.01, 0.4]])
    arm_, node = np.array([0.01, -0.02, 0.03]), s.frames["c"]
    less = cloud.joined(cloud_of_body(s, node, -0.05, -tensor, arm_))
    g = floating(craig_bampton(s, ("a", "c"), 3), less)
    place = s.nodes[node] + arm_
    assert g.mass + 0.05 == pytest.approx(f.mass)
    np.testing.assert_allclose((g.mass * g.centre + 0.05 * place) / f.mass, f.centre, atol=1e-12)
    own = [
        m * ((r @ r) * np.eye(3) - np.outer(r, r))
        for m, r in ((g.mass, g.centre - f.centre), (0.05, place - f.centre))
    ]
    np.testing.assert_allclose(g.J0 + tensor + sum(own), f.J0, atol=1e-10)


def test_that_more_mass_than_there_is_cannot_be_taken_out() -> None:
    s, cloud, _ = bent()
    less = cloud.joined(cloud_of_body(s, s.frames["c"], -40.0, -0.1 * np.eye(3), np.zeros(3)))
    with pytest.raises(InputError, match="no mass left at node"):
        floating(craig_bampton(s, ("a", "c"), 3), less)


def test_that_damping_of_held_modes_is_a_share_of_their_critical_one() -> None:
    """With the frame clamped in the structure itself, apart from the floating frame."""
    s, _, f = bent()
    reduced = craig_bampton(s, ("a", "c"), 3).clamped("a")
    speeds, shapes, _ = f.held("a")
    np.testing.assert_allclose(speeds[:6] / (2 * np.pi), reduced.frequencies()[:6], rtol=1e-8)
    D = f.damping_held("a", 0.03)
    np.testing.assert_allclose(shapes.T @ D @ shapes, np.diag(0.06 * speeds), atol=1e-8 * speeds.max())
