"""Solids of second-order elements: the arm against answers of another program, patch tests, closed forms, damage."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy.sparse.linalg import spsolve

from ridewright.core.base.errors import InputError
from ridewright.core.structure.floating import cloud_of_matrices, floating
from ridewright.core.structure.meshes import FORMATS, Mesh, read_mesh
from ridewright.core.structure.model import Structure, check_structure
from ridewright.core.structure.reduction import craig_bampton, lowest_modes
from ridewright.core.structure.solids import (
    KINDS,
    Material,
    Solid,
    element_stress,
    nodal_stress,
    outer_faces,
    structure_of,
)
from ridewright.core.structure.surface import Surface, pack, points_of_nodes, surface_of_solid, unpack
from ridewright.core.structure.ties import Tie, Tied, tie

pytest.importorskip("skfem", reason="has the shape functions (extra 'structure')")
meshio = pytest.importorskip("meshio", reason="reads meshes (extra 'structure')")

ARM = Path(__file__).parent / "arm"
REFERENCE: dict[str, Any] = json.loads((ARM / "reference.json").read_text(encoding="utf-8"))
INTERFACES = json.loads((ARM / "interface.json").read_text(encoding="utf-8"))["interfaces"]


@cache
def mesh() -> Mesh:
    return read_mesh(ARM / "arm.inp", Material())


@cache
def arm() -> Tied:
    ties = [
        Tie(x["name"], tuple(x["position"]), tuple(mesh().sets[x["name"].upper()].tolist()))
        for x in INTERFACES
    ]
    return tie(structure_of(mesh().solid), ties)


@cache
def surface() -> tuple[Surface, np.ndarray]:
    """The surface of the reduced arm, and its coordinates under 1 kN down at the tip with the root held."""
    s = arm().structure
    cloud = cloud_of_matrices(structure_of(mesh().solid), arm().T[: 3 * len(mesh().solid.nodes)])
    made = floating(craig_bampton(s, ("root", "tip"), 8), cloud)
    moves = (arm().T[: 3 * len(mesh().solid.nodes)] @ made.shapes).reshape(-1, 3, len(made.inertia))
    r, t = made.interfaces["root"], made.interfaces["tip"]
    # at rest the root's pull balances that of the tip: both do work on the modes
    f = np.array([0.0, 0.0, -1000.0])
    arm_of = np.cross(t.place - r.place, f)
    q = (t.U.T @ f - r.U.T @ f - r.R.T @ arm_of) / made.stiffness
    return surface_of_solid(mesh().solid, moves), q


def brick(
    kind: str, counts: tuple[int, int, int], size: tuple[float, float, float], bend: float = 0.0
) -> Solid:
    """A block of elements, curved by `bend` so that they are distorted."""
    found: dict[tuple[float, ...], int] = {}
    cells = []
    tets = ((0, 1, 3, 7), (0, 1, 7, 5), (1, 2, 3, 7), (1, 2, 7, 6), (1, 5, 6, 7), (0, 4, 5, 7))
    reference = KINDS[kind].places
    for at in np.ndindex(*counts):
        corners = np.array(KINDS["hexahedron20"].corners) + at
        for some in [range(8)] if kind != "tetra10" else tets:
            own = corners[list(some)]
            if kind == "tetra10":
                if np.linalg.det(own[1:4] - own[0]) < 0.0:
                    own = own[[1, 0, 2, 3]]
                places = own[0] + reference @ (own[1:4] - own[0])
            else:
                places = np.array(at) + reference
            cells.append([found.setdefault(tuple(np.round(p, 6)), len(found)) for p in places])
    nodes = np.array(list(found)) / counts * size
    nodes[:, 2] += bend * nodes[:, 0] ** 2 + 0.3 * bend * nodes[:, 1] * nodes[:, 0]
    return Solid(nodes, {kind: np.array(cells)}, Material(), np.arange(len(nodes)))


def held(s: Structure, at: float) -> np.ndarray:
    return s.unknowns[np.abs(s.nodes[:, 0] - at) < 1e-9, :3].ravel()


def test_that_the_arm_as_a_mesh_has_the_frequencies_and_mass_of_its_reference() -> None:
    assert list(check_structure(structure_of(mesh().solid))) == []
    s = arm().structure
    assert s.mass == pytest.approx(REFERENCE["mass"], rel=1e-8)
    clamped, _ = lowest_modes(s, 8, s.of_frame("root"))
    np.testing.assert_allclose(clamped / (2 * np.pi), REFERENCE["clamped_root_Hz"], rtol=1e-6)
    free, _ = lowest_modes(s, 12)
    np.testing.assert_allclose(free[6:] / (2 * np.pi), REFERENCE["free_free_Hz"], rtol=1e-6)


def test_that_stress_of_an_element_under_a_load_at_the_tip_is_that_of_the_reference() -> None:
    s, given = arm().structure, REFERENCE["tip_load_minus_1kN_z"]
    load = np.zeros(s.size)
    load[s.of_frame("tip")[2]] = -1000.0
    free = np.setdiff1d(np.arange(s.size), s.of_frame("root"))
    q = np.zeros(s.size)
    q[free] = spsolve(s.K[free][:, free], load[free])
    moves = (arm().T[: 3 * len(mesh().solid.nodes)] @ q).reshape(-1, 3, 1)
    stress = element_stress(mesh().solid, "hexahedron20", moves)
    cells = mesh().solid.cells["hexahedron20"]
    element = int(np.flatnonzero((np.sort(cells) == np.sort(given["element_nodes"])).all(axis=1))[0])
    # the reference names the opposite corner of this element as the place, but gives the stress of this one
    place = [0.05, 0.0891667, 0.079375]
    corner = int(np.linalg.norm(mesh().solid.nodes[cells[element]] - place, axis=1).argmin())
    wanted = given["stress_xx_yy_zz_xy_yz_xz"]
    np.testing.assert_allclose(stress[element, corner, :, 0], wanted, atol=1e-7 * wanted[0])


def test_that_the_surface_of_the_reduced_arm_moves_and_is_stressed_as_the_whole_arm() -> None:
    s, (outside, q) = arm().structure, surface()
    load = np.zeros(s.size)
    load[s.of_frame("tip")[2]] = -1000.0
    free = np.setdiff1d(np.arange(s.size), s.of_frame("root"))
    exact = np.zeros(s.size)
    exact[free] = spsolve(s.K[free][:, free], load[free])
    moves = (arm().T[: 3 * len(mesh().solid.nodes)] @ exact).reshape(-1, 3, 1)
    whole = nodal_stress(mesh().solid, moves)[:, :, 0]
    by_label = {int(label): k for k, label in enumerate(mesh().solid.labels)}
    of = [by_label[int(label)] for label in outside.labels]
    x, y, z, xy, yz, xz = whole[of].T
    mises = np.sqrt(0.5 * ((x - y) ** 2 + (y - z) ** 2 + (z - x) ** 2) + 3.0 * (xy**2 + yz**2 + xz**2))
    found = outside.von_mises(q)
    # at the nodes tied rigidly the stress is that of rigidity, and rounding of single precision
    np.testing.assert_allclose(found, mises, atol=1e-3 * mises.max())
    signed, plain = outside.at(int(found.argmax()), np.array([q, 2.0 * q, -q]))
    assert plain == pytest.approx(found.max() * np.array([1.0, 2.0, 1.0]), rel=1e-5)
    assert signed == pytest.approx(signed[0] * np.array([1.0, 2.0, -1.0]), rel=1e-5)
    # the tip sinks against the root by what the reference says
    moved = outside.moved(q) - outside.points
    root = np.abs(outside.points[:, 0]) < 1e-6
    rest = mesh().solid.nodes[of] - outside.points
    assert np.abs(rest).max() < 1e-6
    tilt = np.polyfit(outside.points[root][:, 2], moved[root][:, 0], 1)[0]
    tip = outside.points[:, 0] > 2.4 - 1e-6
    sunk = (moved[tip][:, 2] - moved[root][:, 2].mean() + tilt * 2.4).mean()
    given = REFERENCE["tip_load_minus_1kN_z"]["tip"]
    assert sunk == pytest.approx(given[2] - 0.25 * given[3], rel=2e-3)


def test_that_the_envelope_is_the_largest_of_every_instant() -> None:
    outside, q = surface()
    turns = np.random.default_rng(2).standard_normal((41, len(q))) * q
    envelope = outside.envelope(turns)
    every = outside.von_mises(turns.T)
    np.testing.assert_allclose(envelope.worst, every.max(axis=1), rtol=1e-5)
    np.testing.assert_array_equal(envelope.instant, every.argmax(axis=1))
    spot = int(envelope.worst.argmax())
    signed, _ = outside.at(spot, turns)
    assert envelope.low[spot] == pytest.approx(signed.min(), rel=1e-4)
    assert envelope.high[spot] == pytest.approx(signed.max(), rel=1e-4)


def test_that_principal_stresses_have_the_invariants_of_their_tensor() -> None:
    """Sum, product and von Mises stress; and the tensor is that of the modes, added up."""
    outside, q = surface()
    turns = np.random.default_rng(2).standard_normal((7, len(q))) * q
    spot = int(outside.envelope(turns).worst.argmax())
    tensor, principal = outside.tensor(spot, turns), outside.principal(spot, turns)
    np.testing.assert_allclose(tensor, (outside.stress[spot].astype(float) @ turns.T).T, rtol=1e-12)
    largest = np.abs(principal).max()
    np.testing.assert_allclose(principal.sum(axis=1), tensor[:, :3].sum(axis=1), atol=1e-9 * largest)
    xx, yy, zz, xy, yz, xz = tensor.T
    product = xx * (yy * zz - yz**2) - xy * (xy * zz - yz * xz) + xz * (xy * yz - yy * xz)
    np.testing.assert_allclose(principal.prod(axis=1), product, atol=1e-9 * largest**3)
    mises = np.sqrt(0.5 * (np.diff(principal[:, [0, 1, 2, 0]], axis=1) ** 2).sum(axis=1))
    np.testing.assert_allclose(mises, outside.at(spot, turns)[1], rtol=1e-5)


@pytest.mark.parametrize("kind", sorted(KINDS))
def test_that_even_strain_makes_even_stress_in_distorted_elements_and_rigid_motion_none(kind: str) -> None:
    """The patch test: any displacement that is linear in place, in curved elements."""
    solid = brick(kind, (2, 1, 2), (1.0, 0.4, 0.5), bend=0.0)
    rng = np.random.default_rng(8)
    inside = solid.nodes[:, 0] % 1.0 > 1e-9
    solid.nodes[inside] += 0.004 * rng.standard_normal((int(inside.sum()), 3))
    gradient = 1e-4 * rng.standard_normal((3, 3))
    moves = (solid.nodes @ gradient.T)[:, :, None]
    stress = nodal_stress(solid, moves)[:, :, 0]
    stretch, shear = solid.material.lame
    strain = 0.5 * (gradient + gradient.T)
    s = stretch * np.trace(strain) * np.eye(3) + 2.0 * shear * strain
    wanted = [s[0, 0], s[1, 1], s[2, 2], s[0, 1], s[1, 2], s[0, 2]]
    np.testing.assert_allclose(stress, np.tile(wanted, (len(stress), 1)), atol=1e-9 * np.abs(s).max())
    turned = np.cross([1e-3, 2e-3, -1e-3], solid.nodes)[:, :, None]
    assert np.abs(nodal_stress(solid, turned)).max() < 1e-9 * np.abs(s).max()


@pytest.mark.parametrize(("kind", "off"), [("tetra10", 4e-3), ("hexahedron20", 2e-3), ("hexahedron27", 2e-3)])
def test_that_a_cantilever_bends_and_swings_as_timoshenko_says(kind: str, off: float) -> None:
    """1.2 x 0.06 x 0.1 m; tip force P: P L^3 / 3 E I + P L / (5/6) G A; first frequency without rotary inertia from the
    same flexibility (Euler's 1.875^2 lowered by shear, within 1e-3 here)."""
    length, width, height = 1.2, 0.06, 0.1
    solid = brick(kind, (10, 1, 2), (length, width, height))
    # without Poisson's ratio a clamped face is no more than a clamped section
    solid = Solid(solid.nodes, solid.cells, Material(poisson=0.0), solid.labels)
    s = structure_of(solid)
    area, inertia = width * height, width * height**3 / 12.0
    E, G, rho = solid.material.E, 0.5 * solid.material.E, solid.material.density
    free = np.setdiff1d(np.arange(s.size), held(s, 0.0))
    tip = np.flatnonzero(np.abs(s.nodes[:, 0] - length) < 1e-9)
    weight = np.zeros(s.size)
    weight[s.unknowns[tip, 2]] = 1000.0 / len(tip)
    q = np.zeros(s.size)
    q[free] = spsolve(s.K[free][:, free], weight[free])
    sag = float(weight @ q / weight.sum())
    wanted = 1000.0 * length**3 / (3.0 * E * inertia) + 1000.0 * length / (5.0 / 6.0 * G * area)
    assert sag == pytest.approx(wanted, rel=off)
    first = lowest_modes(s, 2, held(s, 0.0))[0]
    weak = 1.8751040687**2 * np.sqrt(E * width**3 * height / 12.0 / (rho * area)) / length**2
    assert first[0] == pytest.approx(weak, rel=max(off, 4e-3))


@pytest.mark.parametrize("kind", sorted(KINDS))
def test_that_the_outside_is_closed_and_holds_the_volume(kind: str) -> None:
    solid = brick(kind, (3, 2, 2), (1.0, 0.4, 0.5))
    corners = solid.nodes[outer_faces(solid)]
    across = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    assert np.abs(across.sum(axis=0)).max() < 1e-12
    assert np.einsum("ta,ta->", corners[:, 0], across) / 6.0 == pytest.approx(0.2, rel=1e-12)
    assert structure_of(solid).mass == pytest.approx(0.2 * 7850.0, rel=1e-12)


def test_that_of_large_surfaces_corners_are_kept_with_the_same_stress(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    fine, _ = surface()
    moves = np.random.default_rng(4).standard_normal((len(mesh().solid.nodes), 3, 2))
    monkeypatch.setattr("ridewright.core.structure.surface.FINE", 10)
    coarse = surface_of_solid(mesh().solid, moves)
    assert len(coarse.points) < 0.5 * len(fine.points)
    corners = coarse.points[coarse.faces].astype(float)
    across = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    volume = np.einsum("ta,ta->", corners[:, 0], across) / 6.0
    assert volume == pytest.approx(REFERENCE["mass"] / 7850.0, rel=1e-3)
    monkeypatch.undo()
    whole = surface_of_solid(mesh().solid, moves)
    of = np.searchsorted(whole.labels, coarse.labels)
    np.testing.assert_array_equal(whole.stress[of], coarse.stress)


def test_that_surfaces_are_kept_as_text_and_damage_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    outside, q = surface()
    text, whole = pack(outside)
    about = (len(outside.points), len(outside.faces), len(q), True)
    assert whole
    again = unpack(text, *about, whole)
    for name in ("points", "labels", "faces", "moves", "stress"):
        np.testing.assert_array_equal(getattr(again, name), getattr(outside, name))
    monkeypatch.setattr("ridewright.core.structure.surface.MAX_PACKED", len(text) - 1)
    less, whole = pack(outside)
    assert not whole
    assert len(less) < 0.6 * len(text)
    worst = outside.von_mises(q).max()
    assert np.abs(unpack(less, *about, whole).von_mises(q) - outside.von_mises(q)).max() < 2e-3 * worst
    for damaged in (text[:-40], text[:50] + "AAAA" + text[54:], "no base64"):
        with pytest.raises(InputError, match="cut or damaged"):
            unpack(damaged, *about, True)
    with pytest.raises(InputError, match="cut or damaged"):
        unpack(text, about[0] + 1, *about[1:], True)
    monkeypatch.setattr("ridewright.core.structure.surface.MAX_PACKED", 100)
    with pytest.raises(InputError, match="keep fewer modes"):
        pack(outside)


def test_that_nodes_without_elements_are_points_and_not_too_many(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ridewright.core.structure.surface.MAX_POINTS", 100)
    nodes = mesh().solid.nodes
    made = points_of_nodes(nodes, np.zeros((len(nodes), 3, 2)))
    assert 80 <= len(made.points) <= 100
    assert not made.stressed
    again = unpack(pack(made)[0], len(made.points), 0, 2, False, True)
    np.testing.assert_array_equal(again.points, nodes[made.labels].astype(np.float32))


@pytest.mark.parametrize("suffix", [".inp", ".msh", ".bdf", ".vtu"])
def test_that_every_format_gives_the_same_arm(suffix: str, tmp_path: Path) -> None:
    nodes = np.round(mesh().solid.nodes, 6)  # as many digits as all of them write
    file = tmp_path / f"arm{suffix}"
    cells = mesh().solid.cells["hexahedron20"]
    meshio.write(file, meshio.Mesh(nodes, [("hexahedron20", cells)]), FORMATS[suffix])
    read = read_mesh(file, Material())
    np.testing.assert_array_equal(read.solid.cells["hexahedron20"], cells)
    np.testing.assert_allclose(read.solid.nodes, nodes, atol=1e-9)


def _written(tmp_path: Path, nodes: np.ndarray, cells: np.ndarray, kind: str = "hexahedron20") -> Path:
    file = tmp_path / "damaged.vtu"
    meshio.write(file, meshio.Mesh(nodes, [(kind, cells)]))
    return file


def test_that_faults_of_a_mesh_are_said_with_file_and_place(tmp_path: Path) -> None:
    nodes, cells = mesh().solid.nodes, mesh().solid.cells["hexahedron20"]
    with pytest.raises(InputError, match=r"damaged\.vtu: .* lengths were in millimetres"):
        read_mesh(_written(tmp_path, 1000.0 * nodes, cells), Material())
    with pytest.raises(InputError, match="elements of kind hexahedron, which bend far too stiffly"):
        read_mesh(_written(tmp_path, nodes, cells[:, :8], "hexahedron"), Material())
    with pytest.raises(InputError, match="no solid elements \\(found: quad\\)"):
        read_mesh(_written(tmp_path, nodes, cells[:, :4], "quad"), Material())
    (tmp_path / "cut.inp").write_bytes((ARM / "arm.inp").read_bytes()[:20_000])
    with pytest.raises(InputError, match=r"cut\.inp: "):
        read_mesh(tmp_path / "cut.inp", Material())
    (tmp_path / "none.msh").write_text("nothing of a mesh")
    with pytest.raises(InputError, match="no readable gmsh mesh"):
        read_mesh(tmp_path / "none.msh", Material())
    (tmp_path / "none.msh").write_bytes(b"$MeshFormat\n2.2 0 8\n$EndMeshFormat\n\xff\xfe")
    with pytest.raises(
        InputError, match=r"no readable gmsh mesh \(byte 1 of it, or of a line, is of no text\)"
    ):
        read_mesh(tmp_path / "none.msh", Material())
    (tmp_path / "none.msh").write_bytes(b"$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\nx\n")
    with pytest.raises(InputError, match="no readable gmsh mesh; it is damaged"):
        read_mesh(tmp_path / "none.msh", Material())
    folded = nodes.copy()
    folded[cells[5, 6]] = folded[cells[5, 0]] + np.array([0.01, 0.0, 0.0])
    with pytest.raises(InputError, match=r"Element \d+ of the 66 .* about \(.*\) m, is turned inside out"):
        structure_of(read_mesh(_written(tmp_path, folded, cells), Material()).solid)
    apart = structure_of(brick("tetra10", (3, 1, 1), (3.0, 1.0, 1.0)))
    assert list(check_structure(apart)) == []
    solid = brick("hexahedron20", (1, 1, 1), (1.0, 1.0, 1.0))
    two = Solid(
        np.vstack([solid.nodes, solid.nodes + np.array([3.0, 0.0, 0.0])]),
        {"hexahedron20": np.vstack([solid.cells["hexahedron20"], solid.cells["hexahedron20"] + 20])},
        Material(), np.arange(40),
    )  # fmt: skip
    assert "in 2 loose parts" in next(check_structure(structure_of(two)))
    with pytest.raises(InputError, match=r"Young's modulus 210000 Pa: .* \(210,000 MPa\)"):
        read_mesh(ARM / "arm.inp", Material(E=2.1e5))
    with pytest.raises(InputError, match=r"Density 7\.85e-09"):
        read_mesh(ARM / "arm.inp", Material(density=7.85e-9))


def test_that_ties_that_reach_too_far_are_refused_with_the_node() -> None:
    ties = [
        Tie(x["name"], tuple(x["position"]), tuple(mesh().sets[x["name"].upper()].tolist()))
        for x in INTERFACES
    ]
    whole = structure_of(mesh().solid)
    tie(whole, ties)
    far = Tie("root", (0.0, 0.0, 0.0), (*ties[0].nodes, ties[1].nodes[3]))
    with pytest.raises(
        InputError, match=rf"tied to node {ties[1].nodes[3]} at \(2.4, .*\) m, 2\.4\d* m away"
    ):
        tie(whole, [far])
