"""Frames of beams against closed forms."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy.optimize import brentq

from ridewright.core.base.errors import InputError
from ridewright.core.structure.beams import Beam, Spring, element, frame
from ridewright.core.structure.model import Structure, check_structure
from ridewright.core.structure.reduction import craig_bampton, hrz_lumps, lowest_modes, modes
from ridewright.core.structure.sections import Material, Section, box, i_profile, spine, tube

BOX, LENGTH = box(0.1, 0.1, 0.005), 3.0
STEEL = Material(2.1e11, 8.0769230769e10, 7850.0)
SLENDER = Section(BOX.area, BOX.Iy, BOX.Iz, BOX.torsion, 1e6 * BOX.area, 1e6 * BOX.area)  # without shear


def cantilever(
    elements: int = 12,
    section: Section = SLENDER,
    end: tuple[float, float, float] = (LENGTH, 0.0, 0.0),
    **more: object,
) -> Structure:
    beam = Beam("root", "tip", section, STEEL, elements=elements, **more)  # type: ignore[arg-type]
    return frame({"root": (0.0, 0.0, 0.0), "tip": end}, [beam])


def held(s: Structure, count: int = 6) -> np.ndarray:
    return lowest_modes(s, count, s.of_frame("root"))[0] / (2 * np.pi)


def test_that_a_clamped_box_has_the_frequencies_and_the_sag_of_a_slender_beam() -> None:
    """Reference: 12.489696, 78.271587, 219.162710 Hz and 14.954513 mm under 1 kN, without shear and rotary inertia."""
    E_I, m = STEEL.E * BOX.Iy, STEEL.density * BOX.area
    assert pytest.approx(1000.0, rel=1e-6) == E_I * 3.0 / LENGTH**3 * 14.954513e-3
    s = cantilever(24)
    root = s.of_frame("root")
    free = np.setdiff1d(np.arange(s.size), root)
    force = np.zeros(s.size)
    force[s.of_frame("tip")[2]] = -1000.0
    sag = np.linalg.solve(s.K[free][:, free].toarray(), force[free])[
        np.searchsorted(free, s.of_frame("tip")[2])
    ]
    assert sag == pytest.approx(-14.954513e-3, rel=1e-5)
    found = [f for f in held(s, 10)[::2] if f < 230.0]
    exact = [
        x**2 / (2 * math.pi) * math.sqrt(E_I / (m * LENGTH**4))
        for x in (1.8751040687, 4.6940911330, 7.8547574382)
    ]
    np.testing.assert_allclose(exact, [12.489696, 78.271587, 219.162710], rtol=1e-6)
    # rotary inertia, which the reference leaves out, takes (pi k)^2 I / (2 A L^2) of the k-th
    np.testing.assert_allclose(found[:3], exact, rtol=1.2e-2)
    assert found[0] == pytest.approx(exact[0], rel=1e-3)


def test_that_the_first_frequency_converges_with_the_fourth_power_of_the_elements() -> None:
    exact = held(cantilever(64), 1)[0]
    errors = [held(cantilever(n), 1)[0] - exact for n in (2, 4)]
    assert 13.0 < errors[0] / errors[1] < 19.0


def test_that_a_timoshenko_beam_sags_by_bending_and_shear_however_few_its_elements() -> None:
    section = i_profile(0.1, 0.2, 0.0085, 0.0056)
    for up, moment, shear in (
        ((0.0, 0.0, 1.0), section.Iy, section.shear_z),
        ((0.0, 1.0, 0.0), section.Iz, section.shear_y),
    ):
        s = cantilever(1, section, up=up)
        free = np.setdiff1d(np.arange(s.size), s.of_frame("root"))
        force = np.zeros(s.size)
        force[s.of_frame("tip")[2]] = 500.0
        rise = np.linalg.solve(s.K[free][:, free].toarray(), force[free])[
            np.searchsorted(free, s.of_frame("tip")[2])
        ]
        exact = 500.0 * (LENGTH**3 / (3.0 * STEEL.E * moment) + LENGTH / (STEEL.G * shear))
        assert rise == pytest.approx(exact, rel=1e-9)


def test_that_a_frame_turned_and_shifted_keeps_its_frequencies_and_mass() -> None:
    nodes = {"a": (0.1, 0.2, 0.3), "b": (1.4, -0.8, 2.0), "c": (2.9, 0.7, 1.1)}
    sections = (tube(0.114, 0.005), box(0.08, 0.12, 0.004))
    beams = [
        Beam("a", "b", sections[0], STEEL),
        Beam("b", "c", sections[1], STEEL, up=(0.3, 0.1, 1.0), offset_i=(0.02, 0.05, -0.1)),
    ]
    s = frame(nodes, beams)
    assert list(check_structure(s)) == []
    lengths = (
        np.linalg.norm(np.subtract(nodes["b"], nodes["a"])),
        np.linalg.norm(np.subtract(nodes["c"], np.add(nodes["b"], (0.02, 0.05, -0.1)))),
    )
    mass = sum(STEEL.density * x.area * length for x, length in zip(sections, lengths, strict=True))
    assert s.mass == pytest.approx(mass, rel=1e-12)
    free = lowest_modes(s, 10)[0]
    assert free[:6].max() < 1e-3 * free[6]


def test_that_tension_stiffens_a_hinged_beam_as_a_string_and_pressure_buckles_it() -> None:
    """Euler's load of a hinged column; a hinge also checks that released turns carry no moment."""
    beams = [Beam("a", "b", SLENDER, STEEL, hinges_i="yz", hinges_j="yz", elements=16)]
    nodes = {"a": (0.0, 0.0, 0.0), "b": (LENGTH, 0.0, 0.0)}
    euler = math.pi**2 * STEEL.E * SLENDER.Iy / LENGTH**2
    ends = lambda s: np.r_[s.of_frame("a"), s.of_frame("b")]  # noqa: E731

    def first(tension: float) -> float:
        s = frame(nodes, beams, tension=[tension])
        free = np.setdiff1d(np.arange(s.size), ends(s))
        return float(np.linalg.eigvalsh(s.K[free][:, free].toarray())[0])

    critical = brentq(lambda x: first(-x * euler), 0.9, 1.1, xtol=1e-6)
    assert critical == pytest.approx(1.0, rel=1e-3)
    pulled = frame(nodes, beams, tension=[euler])
    plain = frame(nodes, beams)
    ratio = lowest_modes(pulled, 1, ends(pulled))[0][0] / lowest_modes(plain, 1, ends(plain))[0][0]
    assert ratio == pytest.approx(math.sqrt(2.0), rel=1e-3)


def test_that_a_hinge_to_which_nothing_else_is_joined_changes_nothing() -> None:
    """The turn of its node meets neither stiffness nor mass, and rounding would take it for a motion. The beam's own
    turn there is condensed, so that higher modes differ a little."""
    plain, hinged = (cantilever(hinges_j=hinges, end=(2.0, 1.5, 1.0)) for hinges in ("", "y"))
    assert plain.loose_turns().shape[1] == 0
    loose = hinged.loose_turns()
    assert loose.shape[1] == 1
    assert np.abs(hinged.K @ loose).max() < 1e-9 * np.abs(hinged.K).max()
    np.testing.assert_allclose(held(hinged), held(plain), rtol=1e-5)
    free = [lowest_modes(s, 12)[0][6:] for s in (hinged, plain)]
    np.testing.assert_allclose(*free, rtol=1e-4)
    fixed = [craig_bampton(s, ("root",), 6).fixed for s in (hinged, plain)]
    np.testing.assert_allclose(*fixed, rtol=1e-4)


def test_that_a_sprung_hinge_turns_by_moment_over_stiffness_and_a_stiff_one_not_at_all() -> None:
    """Tip of a cantilever whose root turns against a spring: F L^3 / (3 E I) + F L^2 / k; what an eccentric end, by a
    rigid arm, adds to its lever."""
    arm, force = 0.4, 1000.0

    def sag(**more: object) -> float:
        s = cantilever(4, end=(LENGTH + arm, 0.0, 0.0), offset_i=(arm, 0.0, 0.0), **more)
        free = np.setdiff1d(np.arange(s.size), s.of_frame("root"))
        load = (s.of_frame("tip")[2] == free) * force
        return float(load @ np.linalg.solve(s.K[free][:, free].toarray(), load)) / force

    bent = force * LENGTH**3 / (3.0 * STEEL.E * BOX.Iy)
    assert sag() == pytest.approx(bent, rel=1e-8)
    for k in (2e5, 3e7):
        assert sag(hinges_i="y", spring_i=k) == pytest.approx(bent + force * LENGTH**2 / k, rel=1e-8)
        assert sag(hinges_i="z", spring_i=k) == pytest.approx(bent, rel=1e-8)  # about the other axis


def test_that_a_spine_with_rails_has_the_moments_of_its_three_tubes_about_their_centre() -> None:
    """Parallel axes, with the first moment taken about the bottom instead of the spine's centre."""
    s = spine(0.3, 0.01, 0.1, 0.008, 1.2, 0.45)
    parts = [(tube(0.3, 0.01), 0.0, 0.15), *((tube(0.1, 0.008), y, 0.6) for y in (-0.6, 0.6))]
    area = sum(part.area for part, _, _ in parts)
    centre = sum(part.area * z for part, _, z in parts) / area
    assert s.area == pytest.approx(area)
    assert s.Iy == pytest.approx(sum(part.Iy + part.area * (z - centre) ** 2 for part, _, z in parts))
    assert s.Iz == pytest.approx(sum(part.Iz + part.area * y**2 for part, y, _ in parts))
    assert s.reach == pytest.approx((0.65, max(centre, 0.65 - centre)))
    # twisted by one radian a metre, the spine's wall shears most
    assert s.torsion / s.twist == pytest.approx(0.15)
    with pytest.raises(InputError, match=r"no room 0\.05 m apart"):
        spine(0.3, 0.01, 0.1, 0.008, 0.05, 0.45)


def test_that_a_spring_at_the_tip_carries_its_share() -> None:
    stiffness = 2.0e4
    s = frame(
        {"root": (0.0, 0.0, 0.0), "tip": (LENGTH, 0.0, 0.0)},
        [Beam("root", "tip", SLENDER, STEEL)],
        [Spring("tip", None, (0.0, 0.0, stiffness, 0.0, 0.0, 0.0))],
    )
    free = np.setdiff1d(np.arange(s.size), s.of_frame("root"))
    force = np.zeros(s.size)
    force[s.of_frame("tip")[2]] = 1000.0
    rise = np.linalg.solve(s.K[free][:, free].toarray(), force[free])[
        np.searchsorted(free, s.of_frame("tip")[2])
    ]
    assert rise == pytest.approx(1000.0 / (stiffness + 3.0 * STEEL.E * SLENDER.Iy / LENGTH**3), rel=1e-7)


def test_that_mass_division_errs_on_a_uniform_beam_by_what_the_reference_says() -> None:
    """Frames at root, middle and tip, clamped: consistent +4.8e-4 (two modes +7.9e-6), all mass on the middle +2.0e-2,
    HRZ lumps -1.13e-1 (Blaauw, tables 1 and 2, in kind)."""
    half = LENGTH / 2.0
    thin = Section(
        SLENDER.area, SLENDER.Iy, 1.7 * SLENDER.Iz, SLENDER.torsion, SLENDER.shear_y, SLENDER.shear_z
    )
    s = frame(
        {"root": (0.0, 0.0, 0.0), "middle": (half, 0.0, 0.0), "tip": (LENGTH, 0.0, 0.0)},
        [Beam("root", "middle", thin, STEEL, elements=20), Beam("middle", "tip", thin, STEEL, elements=20)],
    )
    exact = lowest_modes(s, 1, s.of_frame("root"))[0][0]
    names = ("root", "middle", "tip")

    def off(K: np.ndarray, M: np.ndarray) -> float:
        return float(modes(K, M)[0][0] / exact - 1.0)

    plain, rich = (craig_bampton(s, names, n, corrected=False).clamped("root") for n in (0, 4))
    assert off(plain.K, plain.M) == pytest.approx(4.8e-4, rel=0.03)
    assert 0.0 < off(rich.K, rich.M) < 2e-5
    lumps = hrz_lumps(craig_bampton(s, names, 0, corrected=False), s.mass)[6:, 6:]
    assert off(plain.K, lumps) == pytest.approx(-0.113, abs=0.004)


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda: tube(0.1, 0.06), "no wall"),
        (lambda: box(0.1, 0.1, 0.05), "no wall"),
        (lambda: i_profile(0.1, 0.1, 0.06, 0.01), "no flanges"),
        (lambda: frame({"a": (0, 0, 0), "b": (0, 0, 1)}, [Beam("a", "b", BOX)]), "up direction"),
        (lambda: frame({"a": (0, 0, 0), "b": (0, 0, 0)}, [Beam("a", "b", BOX)]), "no length"),
        (lambda: frame({"a": (0, 0, 0)}, [Beam("a", "c", BOX)]), "not there"),
    ],
)
def test_that_what_is_no_beam_is_refused(make: object, words: str) -> None:
    with pytest.raises(InputError, match=words):
        make()  # type: ignore[operator]


def test_that_an_element_has_no_energy_in_rigid_motion_and_the_mass_of_its_length() -> None:
    K, M, N = element(i_profile(0.1, 0.2, 0.01, 0.006), STEEL, 0.7)
    R = np.zeros((12, 6))
    R[:6] = R[6:] = np.eye(6)
    R[7, 5], R[8, 4] = 0.7, -0.7
    assert np.abs(K @ R).max() < 1e-6
    assert np.abs(N @ R[:, :4]).max() < 1e-9
    np.testing.assert_allclose(
        np.diag(R.T @ M @ R)[:3], STEEL.density * i_profile(0.1, 0.2, 0.01, 0.006).area * 0.7
    )


def test_that_a_spring_between_two_beams_bends_like_the_closed_form_and_leaves_rigid_motion_free() -> None:
    """Cantilever, spring, beam with a load at its tip: P L^3 / 3 E I of both, what the root's half turns and shifts the
    rest, and what the spring gives way, P / k and P l^2 / c."""
    along, about, half, load = 3.0e6, 2.0e5, 0.5 * LENGTH, 1000.0
    nodes = {
        "root": (0.0, 0.0, 0.0), "a": (half, 0.0, 0.0), "b": (half, 0.0, 0.0), "tip": (LENGTH, 0.0, 0.0),
    }  # fmt: skip
    beams = [Beam("root", "a", SLENDER, STEEL), Beam("b", "tip", SLENDER, STEEL)]
    stiffness = (along, along, along, about, about, about)
    s = frame(nodes, beams, [Spring("a", "b", stiffness)])
    free = np.setdiff1d(np.arange(s.size), s.of_frame("root"))
    force = np.zeros(s.size)
    force[s.of_frame("tip")[2]] = load
    moved = np.zeros(s.size)
    moved[free] = np.linalg.solve(s.K[free][:, free].toarray(), force[free])
    plain = load * LENGTH**3 / (3.0 * STEEL.E * SLENDER.Iy)
    expected = plain + load / along + load * half**2 / about
    assert moved[s.of_frame("tip")[2]] == pytest.approx(expected, rel=1e-6)
    apart = frame(nodes | {"b": (half, 0.3, 0.4)}, beams, [Spring("a", "b", stiffness)])
    for axis in np.eye(3):
        turned = np.zeros(apart.size)
        for k, place in enumerate(apart.nodes):
            turned[apart.unknowns[k]] = [*np.cross(axis, place), *axis]
        assert np.abs(apart.K @ turned).max() < 1e-6 * abs(apart.K).max()
