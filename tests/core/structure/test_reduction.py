"""Ties and Craig-Bampton reduction on the solid arm, against answers computed apart from this program."""

from __future__ import annotations

import json
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from ridewright.core.structure.beams import Beam, frame
from ridewright.core.structure.matrices import read_structure
from ridewright.core.structure.model import Structure, check_structure
from ridewright.core.structure.reduction import (
    Reduced,
    assurance,
    craig_bampton,
    damping,
    effective_mass,
    lowest_modes,
    modes,
    state_space,
)
from ridewright.core.structure.sections import box
from ridewright.core.structure.ties import Tie, Tied, tie

ARM = Path(__file__).parent / "arm"
REFERENCE: dict[str, Any] = json.loads((ARM / "reference.json").read_text(encoding="utf-8"))
INTERFACES = json.loads((ARM / "interface.json").read_text(encoding="utf-8"))["interfaces"]
#: Columns of the printed errors: modes, first two errors clamped at the root and free (relative).
KEPT = (0, 2, 4)


@cache
def raw() -> Structure:
    return read_structure(ARM / "K.mtx.gz", ARM / "M.mtx.gz", ARM / "nodes.csv")


@cache
def arm(kind: str = "rigid") -> Tied:
    return tie(raw(), [Tie(x["name"], tuple(x["position"]), tuple(x["nodes"]), kind) for x in INTERFACES])  # type: ignore[arg-type]


@cache
def reduced(kept: int, corrected: bool = False) -> Reduced:
    return craig_bampton(arm().structure, ("root", "tip"), kept, corrected=corrected)


def test_that_the_arm_has_the_mass_centre_and_moments_of_its_reference() -> None:
    s = raw()
    assert s.mass == pytest.approx(REFERENCE["mass"], rel=1e-10)
    np.testing.assert_allclose(s.centre, REFERENCE["centre_of_mass"], atol=1e-9)
    np.testing.assert_allclose(s.rigid_mass(), REFERENCE["rigid_mass_matrix_6x6"], atol=1e-7)
    np.testing.assert_allclose(arm().structure.rigid_mass(), s.rigid_mass(), rtol=1e-9, atol=1e-7)
    assert list(check_structure(s)) == []
    assert list(check_structure(arm().structure)) == []


def test_that_whole_models_free_clamped_and_held_at_both_ends_have_the_frequencies_of_the_reference() -> None:
    s = arm().structure
    clamped, _ = lowest_modes(s, 8, s.of_frame("root"))
    # the reference solved dense matrices, which leaves 1e-7 of the lowest frequencies open
    np.testing.assert_allclose(clamped / (2 * np.pi), REFERENCE["clamped_root_Hz"], rtol=1e-7)
    held, _ = lowest_modes(s, 12, np.r_[s.of_frame("root"), s.of_frame("tip")])
    np.testing.assert_allclose(held / (2 * np.pi), REFERENCE["fixed_interface_Hz"], rtol=1e-8)
    free, _ = lowest_modes(s, 12)
    assert free[:6].max() < 1e-3 * free[6]
    np.testing.assert_allclose(free[6:] / (2 * np.pi), REFERENCE["free_free_Hz"], rtol=1e-7)


def test_that_large_structures_have_the_same_modes(monkeypatch: pytest.MonkeyPatch) -> None:
    """Their stiffness is factorised in another way."""
    s = arm().structure
    before = craig_bampton(s, ("root", "tip"), 4, corrected=True)
    monkeypatch.setattr("ridewright.core.structure.reduction.LARGE", 100)
    after = craig_bampton(s, ("root", "tip"), 4, corrected=True)
    np.testing.assert_allclose(after.fixed, before.fixed, rtol=1e-9)
    np.testing.assert_allclose(after.K[:12, :12], before.K[:12, :12], atol=1e-9 * np.abs(before.K).max())
    free, _ = lowest_modes(s, 8)
    np.testing.assert_allclose(free[6:] / (2 * np.pi), REFERENCE["free_free_Hz"][:2], rtol=1e-7)


@pytest.mark.parametrize("kept", KEPT)
def test_that_the_reduced_arm_misses_frequencies_by_what_the_reference_says(kept: int) -> None:
    printed = REFERENCE["craig_bampton_relative_error_of_Hz"][str(kept)]
    found = reduced(kept).clamped("root").frequencies()[: len(printed["clamped_root"])]
    exact = np.array(REFERENCE["clamped_root_Hz"][: len(found)])
    np.testing.assert_allclose(found / exact - 1.0, printed["clamped_root"], rtol=1e-5, atol=1e-7)
    free = reduced(kept).frequencies()
    assert np.all(free[:6] == 0.0)
    exact = np.array(REFERENCE["free_free_Hz"][: len(printed["free_free"])])
    np.testing.assert_allclose(
        free[6 : 6 + len(exact)] / exact - 1.0, printed["free_free"], rtol=1e-5, atol=1e-7
    )


def test_that_reduced_matrices_are_those_of_the_reference() -> None:
    K = np.array(REFERENCE["K_CB_12x12"])
    np.testing.assert_allclose(reduced(0).K, K, atol=1e-9 * np.abs(K).max())
    M, own = np.array(REFERENCE["M_CB_4_modes_16x16"]), reduced(4).M
    np.testing.assert_allclose(np.abs(own), np.abs(M), atol=1e-6 * np.abs(M).max())


def test_that_rigid_motions_cost_no_energy_and_carry_the_mass_of_the_arm() -> None:
    r = reduced(4, corrected=True)
    frames = [arm().structure.frames[name] for name in r.frames]
    R = np.zeros((len(r.K), 6))
    whole = arm().structure.rigid_motions()
    for k, node in enumerate(frames):
        R[6 * k : 6 * k + 6] = whole[arm().structure.unknowns[node]]
    assert np.abs(r.K @ R).max() < 1e-9 * np.abs(r.K).max()
    np.testing.assert_allclose(r.basis @ R, whole, atol=1e-8)
    np.testing.assert_allclose(R.T @ r.M @ R, arm().structure.rigid_mass(), atol=1e-6)


def test_that_loads_at_frames_bend_the_reduced_arm_as_the_whole_one() -> None:
    r = reduced(0).clamped("root")
    force = np.zeros(len(r.K))
    force[2] = -1000.0
    np.testing.assert_allclose(
        np.linalg.solve(r.K, force), REFERENCE["tip_load_minus_1kN_z"]["tip"], atol=1e-10
    )


@pytest.mark.parametrize(("corrected", "off"), [(True, 1e-8), (False, None)])
def test_that_static_corrections_make_own_weight_exact(corrected: bool, off: float | None) -> None:
    """The reaction of the frames is right either way; the shape in between is only with the corrections."""
    r, s = reduced(0, corrected).clamped("root"), arm().structure
    load = s.weight(np.array([0.0, 0.0, -9.81]))
    q = np.linalg.solve(r.K, r.basis.T @ load)
    np.testing.assert_allclose(q[:6], REFERENCE["own_weight"]["tip"], atol=2e-10)
    free = np.setdiff1d(np.arange(s.size), s.of_frame("root"))
    from scipy.sparse.linalg import spsolve

    exact = np.zeros(s.size)
    exact[free] = spsolve(s.K[free][:, free], load[free])
    missed = float(np.max(np.abs(r.basis @ q - exact)) / np.max(np.abs(exact)))
    if off is None:
        assert missed > 0.01
    else:
        assert missed < off


@pytest.mark.parametrize(("centrifugal", "off"), [(True, 1e-7), (False, None)])
def test_that_what_an_arm_feels_when_it_turns_bends_it_as_the_whole_one(
    centrifugal: bool, off: float | None
) -> None:
    """Both ends held; w^2 x from an axis beside the arm, which modes alone do not stretch it by."""
    s = arm().structure
    r = craig_bampton(s, ("root", "tip"), 4, centrifugal=centrifugal)
    w = np.array([0.7, 2.0, -1.1])
    load = np.zeros(s.size)
    for c in range(3):
        has = s.unknowns[:, c] >= 0
        field = np.cross(w, np.cross(w, s.nodes - [-0.5, 0.2, 0.1]))
        load[s.unknowns[has, c]] = -field[has, c]
    load = s.M @ load
    from scipy.sparse.linalg import spsolve

    free = np.setdiff1d(np.arange(s.size), np.r_[s.of_frame("root"), s.of_frame("tip")])
    exact = spsolve(s.K[free][:, free], load[free])
    k = slice(r.boundary, None)
    q = np.linalg.solve(r.K[k, k], r.basis[:, k].T @ load)
    missed = float(np.abs(r.basis[free][:, k] @ q - exact).max() / np.abs(exact).max())
    if off is None:
        assert missed > 0.005
    else:
        assert missed < off


def test_that_kept_modes_are_those_of_the_whole_arm() -> None:
    r, s = reduced(8, corrected=True).clamped("root"), arm().structure
    _, shapes = modes(r.K, r.M)
    _, whole = lowest_modes(s, 4, s.of_frame("root"))
    same = np.diag(assurance(r.basis @ shapes[:, :4], whole, s.M))
    assert same.min() > 0.999
    shares = effective_mass(s, whole)
    assert np.all(shares >= 0.0)
    assert np.all(shares[:, :3].sum(axis=0) < 1.0)
    assert shares[0, 2] + shares[2, 2] > 0.6


def test_that_an_averaging_tie_leaves_the_flange_soft_and_moves_with_its_mean() -> None:
    soft, stiff = arm("averaging"), arm()
    assert list(check_structure(soft.structure)) == []
    np.testing.assert_allclose(soft.structure.rigid_mass(), raw().rigid_mass(), rtol=1e-8, atol=1e-6)
    motion = np.random.default_rng(3).standard_normal(soft.structure.size)
    everything = soft.T @ motion
    tip = INTERFACES[1]
    own = raw().unknowns[tip["nodes"], :3]
    moved, arms = everything[own], raw().nodes[tip["nodes"]] - tip["position"]
    frame = motion[soft.structure.of_frame("tip")]
    rest = moved - frame[:3] - np.cross(frame[3:], arms)
    np.testing.assert_allclose(rest.sum(axis=0), 0.0, atol=1e-9)
    np.testing.assert_allclose(np.cross(arms, rest).sum(axis=0), 0.0, atol=1e-9)
    first, other = (lowest_modes(x.structure, 1, x.structure.of_frame("root"))[0][0] for x in (soft, stiff))
    assert 0.9 * other < first < other


def test_that_reduced_matrices_have_six_rows_a_frame_and_one_a_mode() -> None:
    """Three frames: 18; two, a body frame and two internal modes: 20 (Blaauw, sections 4.1 and 4.2)."""
    places = {"top": (0.0, 0.0, 0.0), "middle": (0.0, 0.0, -1.0), "bottom": (0.1, 0.0, -2.0)}
    beams = [Beam(a, b, box(0.1, 0.1, 0.01), up=(1.0, 0.0, 0.0)) for a, b in pairwise(places)]
    for kept, size in ((0, 18), (2, 20)):
        assert craig_bampton(frame(places, beams), tuple(places), kept, corrected=False).K.shape == (
            size,
            size,
        )


def test_that_constant_modal_damping_damps_every_mode_alike() -> None:
    r = reduced(2).clamped("root")
    L = damping(r.K, r.M, 0.05)
    n = len(r.K)
    A = np.block([[np.zeros((n, n)), np.eye(n)], [-np.linalg.solve(r.M, r.K), -np.linalg.solve(r.M, L)]])
    poles = np.linalg.eigvals(A)
    np.testing.assert_allclose(-poles.real / np.abs(poles), 0.05, rtol=1e-6)


def test_that_the_state_space_form_is_the_equation_of_motion() -> None:
    """y for given motion of the boundary at one frequency, against the dynamic stiffness of the reduced matrices."""
    r = reduced(4)
    L = damping(r.K, r.M, 0.05)
    b, w = r.boundary, 2 * np.pi * 140.0
    A, B, C, D = state_space(r.K, L, r.M, b)
    u = np.random.default_rng(5).standard_normal(b)
    given = np.concatenate([u, 1j * w * u, -(w**2) * u])
    y = C @ np.linalg.solve(1j * w * np.eye(len(A)) - A, B @ given) + D @ given
    Z = r.K + 1j * w * L - w**2 * r.M
    inner = -np.linalg.solve(Z[b:, b:], Z[b:, :b] @ u)
    force = -(Z[:b, :b] @ u + Z[:b, b:] @ inner)
    np.testing.assert_allclose(y, np.concatenate([force, inner]), atol=1e-8 * np.abs(force).max())
