"""Depth, normal and point of pairs of surfaces: closed forms, certificates, and another program."""

from __future__ import annotations

import math

import numpy as np
import pytest

from ridewright.core.base.arrays import Array
from ridewright.core.base.frames import rotation_matrix
from ridewright.core.contact.common_normal import between
from ridewright.core.contact.shapes import (
    BOX,
    CAPSULE,
    CYLINDER,
    ELLIPSOID,
    PLANE,
    RIM,
    SCRATCH,
    SPHERE,
)
from ridewright.core.jit.decorators import kernel
from ridewright.core.multibody.contact_kernels import _away, _half_width

SOLIDS = [
    (SPHERE, SPHERE), (SPHERE, CAPSULE), (CAPSULE, CAPSULE), (SPHERE, BOX), (SPHERE, CYLINDER), (CAPSULE, BOX),
    (CAPSULE, CYLINDER), (ELLIPSOID, SPHERE), (ELLIPSOID, CAPSULE), (ELLIPSOID, CYLINDER), (ELLIPSOID, BOX),
    (ELLIPSOID, ELLIPSOID),
]  # fmt: skip
NAMES = {SPHERE: "sphere", CAPSULE: "capsule", CYLINDER: "cylinder", BOX: "box", ELLIPSOID: "ellipsoid"}
SHALLOW = 0.2  # of the smallest size; deeper ones have several common normals


def _many(ka, kb, ca, Ra, sa, cb, Rb, sb, start, T, out):  # type: ignore[no-untyped-def]
    for k in range(ca.shape[0]):
        between(ka, kb, ca[k], Ra[k], sa[k], cb[k], Rb[k], sb[k], start[k], T, out[k])


_compiled = kernel(_many)  # takes longer to make than hundreds of poses take as Python


class Poses:
    """Random sizes and poses of two surfaces about touching, and what is said of them."""

    def __init__(self, ka: int, kb: int, count: int, seed: int = 7) -> None:
        rng = np.random.default_rng([seed, ka, kb])
        self.kinds, self.count = (ka, kb), count
        self.sizes = [_sizes(kind, count, rng) for kind in (ka, kb)]
        turns = [rng.normal(size=(count, 4)) for _ in range(2)]
        self.R = [rotation_matrix(p / np.linalg.norm(p, axis=1, keepdims=True)) for p in turns]
        self.ca = rng.normal(size=(count, 3))
        way = rng.normal(size=(count, 3))
        way /= np.linalg.norm(way, axis=1, keepdims=True)
        reach = support(ka, self.sizes[0], self.R[0], way) + support(kb, self.sizes[1], self.R[1], -way)
        self.cb = self.ca + way * (reach * rng.uniform(0.7, 1.2, count))[:, None]
        self.out = self.found(np.zeros((count, 3)))

    def found(self, start: Array) -> Array:
        out, T = np.zeros((self.count, 7)), np.zeros((SCRATCH, 9))
        flat = [R.reshape(-1, 9).copy() for R in self.R]
        find = _compiled if self.count > 1000 else _many
        find(*self.kinds, self.ca, flat[0], self.sizes[0], self.cb, flat[1], self.sizes[1], start, T, out)
        return out

    def overlap(self, n: Array) -> Array:
        """h_a(n) + h_b(-n) - n.d for directions n (count, 3) from a to b."""
        h = [
            support(kind, s, R, m)
            for kind, s, R, m in zip(self.kinds, self.sizes, self.R, (n, -n), strict=True)
        ]
        return h[0] + h[1] - np.sum(n * (self.cb - self.ca), axis=1)

    @property
    def shallow(self) -> Array:
        least = np.min([np.where(s > 0.0, s, np.inf).min(axis=1) for s in self.sizes], axis=0)
        return self.out[:, 0] < SHALLOW * least


def _sizes(kind: int, count: int, rng: np.random.Generator) -> Array:
    s = rng.uniform(0.05, 0.5, (count, 3))
    if kind == SPHERE:
        s[:, 1:] = 0.0
    elif kind in (CAPSULE, CYLINDER):
        s[:, 0] *= 0.5
        s[:, 2] = 0.0
    return s


def support(kind: int, s: Array, R: Array, n: Array) -> Array:
    """The support function of surfaces (k,) in directions (k, 3)."""
    m = np.einsum("kij,ki->kj", R, n)
    if kind == ELLIPSOID:
        return np.asarray(np.sqrt(np.sum((m * s) ** 2, axis=1)))
    if kind == BOX:
        return np.asarray(np.sum(np.abs(m) * s, axis=1))
    if kind == CYLINDER:
        return np.asarray(s[:, 0] * np.hypot(m[:, 0], m[:, 1]) + s[:, 1] * np.abs(m[:, 2]))
    return np.asarray(s[:, 0] + s[:, 1] * np.abs(m[:, 2]))


def _named(pair: tuple[int, int]) -> str:
    return " on ".join(NAMES[kind] for kind in pair)


@pytest.mark.parametrize("pair", SOLIDS, ids=_named)
def test_that_the_normal_proves_the_gap_or_depth(pair: tuple[int, int]) -> None:
    """A direction proves a gap of at least -overlap(n), two points prove one of at most their distance: both agree. Of
    overlaps no direction near the one found is less deep."""
    poses = Poses(*pair, 120)
    out, some = poses.out, poses.shallow
    assert some.sum() > 60
    assert (out[some, 0] > 0.0).sum() > 4
    n = -out[:, 1:4]
    np.testing.assert_allclose(np.linalg.norm(n, axis=1), 1.0, atol=1e-12)
    np.testing.assert_allclose(poses.overlap(n)[some], out[some, 0], atol=1e-12)
    rng = np.random.default_rng(3)
    for _ in range(100):
        tried = rng.normal(size=n.shape) if _ % 2 else n + 0.05 * rng.normal(size=n.shape)
        tried /= np.linalg.norm(tried, axis=1, keepdims=True)
        assert np.all(poses.overlap(tried)[some] > out[some, 0] - 1e-10)


@pytest.mark.parametrize("pair", SOLIDS, ids=_named)
def test_that_a_warm_start_finds_the_same(pair: tuple[int, int]) -> None:
    poses = Poses(*pair, 60, seed=8)
    again = poses.found(poses.out[:, 1:4].copy())
    some = poses.shallow
    np.testing.assert_allclose(again[some, 0], poses.out[some, 0], atol=1e-12)
    np.testing.assert_allclose(again[some, 1:4], poses.out[some, 1:4], atol=1e-6)


def _general() -> tuple[Array, Array, Array, Array]:
    A = rotation_matrix(np.array([0.8, 0.3, -0.4, 0.3316624790355]))
    B = rotation_matrix(np.array([0.5, -0.1, 0.7, 0.5]))
    return A, B, np.array([0.3, -0.2, 0.9]), np.array([0.1, 0.4, -0.2])


def _one(ka: int, kb: int, ca: Array, A: Array, sa: Array, cb: Array, B: Array, sb: Array) -> Array:
    out = np.zeros((1, 7))
    rows = [x.reshape(1, -1).copy() for x in (ca, A, sa, cb, B, sb)]
    _many(ka, kb, *rows, np.zeros((1, 3)), np.zeros((SCRATCH, 9)), out)
    return out[0]


def test_that_an_ellipsoid_lies_in_a_plane_as_the_closed_form_says() -> None:
    A, B, ca, cb = _general()
    D, n = np.array([0.31, 0.22, 0.13]), B[:, 2]
    out = _one(ELLIPSOID, PLANE, ca, A, D, cb, B, np.full(3, np.inf))
    h = math.sqrt(n @ A @ np.diag(D**2) @ A.T @ n)
    depth = h - n @ (ca - cb)
    assert out[0] == pytest.approx(depth, abs=1e-12)
    deepest = ca - A @ np.diag(D**2) @ A.T @ n / h
    assert n @ (deepest - cb) == pytest.approx(-depth, abs=1e-12)
    np.testing.assert_allclose(out[1:4], n, atol=1e-15)
    np.testing.assert_allclose(out[4:7], deepest + 0.5 * depth * n, atol=1e-12)
    # the deepest point lies on the ellipsoid
    assert np.sum((A.T @ (deepest - ca) / D) ** 2) == pytest.approx(1.0, abs=1e-12)


def test_that_a_rim_touches_a_plane_with_its_deepest_point() -> None:
    A, B, ca, cb = _general()
    turn = np.linspace(0.0, 2.0 * math.pi, 200001)
    rim = ca + 0.2 * (np.cos(turn)[:, None] * A[:, 0] + np.sin(turn)[:, None] * A[:, 1])
    deep = -((rim - cb) @ B[:, 2])
    out = _one(RIM, PLANE, ca, A, np.array([0.2, 0.0, 0.0]), cb, B, np.full(3, np.inf))
    assert out[0] == pytest.approx(deep.max(), abs=1e-9)


def test_that_crossing_and_parallel_capsules_touch_in_the_middle() -> None:
    upright, one, sizes = np.eye(3), np.zeros(3), np.array([0.1, 0.5, 0.0])
    out = _one(CAPSULE, CAPSULE, np.array([0.15, 0.0, 0.4]), upright, sizes, one, upright, sizes)
    np.testing.assert_allclose(out, [0.05, 1.0, 0.0, 0.0, 0.075, 0.0, 0.2], atol=1e-12)
    lying = rotation_matrix(np.array([math.sqrt(0.5), math.sqrt(0.5), 0.0, 0.0]))
    out = _one(CAPSULE, CAPSULE, np.array([0.15, 0.3, 0.2]), lying, sizes, one, upright, sizes)
    np.testing.assert_allclose(out, [0.05, 1.0, 0.0, 0.0, 0.075, 0.0, 0.2], atol=1e-12)


def apart_by_wang(first: Array, second: Array) -> bool:
    """Whether two ellipsoids X^T A X = 0 are apart: det(lambda A + B) has two different positive roots (Wang, Wang &
    Kim 2001; Spicka 2020, section 5.1.2, prints det(lambda A - B), which turns the signs of all roots)."""
    roots = np.linalg.eigvals(-np.linalg.solve(first, second))
    real = np.sort(roots.real[(np.abs(roots.imag) < 1e-9 * np.abs(roots)) & (roots.real > 0.0)])
    return len(real) == 2 and real[1] - real[0] > 1e-9 * real[1]


def _quadric(c: Array, R: Array, s: Array) -> Array:
    whole = np.eye(4)
    whole[:3, :3], whole[:3, 3] = R.T, -R.T @ c
    return np.asarray(whole.T @ np.diag([*(1.0 / s**2), -1.0]) @ whole)


def test_that_ellipsoids_are_apart_where_the_algebraic_test_says_so() -> None:
    poses = Poses(ELLIPSOID, ELLIPSOID, 150, seed=11)
    for k in np.flatnonzero(np.abs(poses.out[:, 0]) > 1e-6):
        quadrics = [
            _quadric(c[k], R[k], s[k])
            for c, R, s in zip((poses.ca, poses.cb), poses.R, poses.sizes, strict=True)
        ]
        assert apart_by_wang(*quadrics) == (poses.out[k, 0] < 0.0)


@pytest.mark.nightly
@pytest.mark.parametrize("pair", SOLIDS, ids=_named)
def test_that_another_program_finds_the_same_depths(pair: tuple[int, int]) -> None:
    """coal (Pan, Chitta & Manocha 2012 and later) on 100 000 random poses; its tolerance is 1e-9, where it gives
    up on a few overlaps and says so with the largest number there is. It is no dependency: install it to run this."""
    coal = pytest.importorskip("coal")
    poses = Poses(*pair, 100_000, seed=5)
    shapes = {
        SPHERE: lambda s: coal.Sphere(s[0]), CAPSULE: lambda s: coal.Capsule(s[0], 2.0 * s[1]),
        CYLINDER: lambda s: coal.Cylinder(s[0], 2.0 * s[1]), BOX: lambda s: coal.Box(*(2.0 * s)),
        ELLIPSOID: lambda s: coal.Ellipsoid(*s),
    }  # fmt: skip
    off = []
    for k in np.flatnonzero(poses.shallow):
        made = [shapes[kind](s[k]) for kind, s in zip(pair, poses.sizes, strict=True)]
        at = [coal.Transform3s(R[k], c[k]) for R, c in zip(poses.R, (poses.ca, poses.cb), strict=True)]
        request, result = coal.DistanceRequest(), coal.DistanceResult()
        request.enable_signed_distance = True
        request.gjk_tolerance = request.epa_tolerance = 1e-9
        request.gjk_max_iterations = request.epa_max_iterations = 1000
        off.append(abs(coal.distance(made[0], at[0], made[1], at[1], request, result) + poses.out[k, 0]))
    found = np.array(off)[np.array(off) < 1e300]
    assert len(found) > 0.98 * len(off)
    assert np.quantile(found, 0.999) < 1e-4
    assert float(np.median(found)) < 1e-7


@pytest.mark.parametrize(
    "pair", [*SOLIDS, (SPHERE, ELLIPSOID)], ids=lambda pair: f"{NAMES[pair[0]]}-{NAMES[pair[1]]}"
)
def test_that_the_gap_seen_from_afar_is_never_more_than_the_true_one(pair: tuple[int, int]) -> None:
    swapped = pair == (
        SPHERE,
        ELLIPSOID,
    )  # the order in which they stand in a pair of a contact, not in the formulas
    poses = Poses(*(reversed(pair) if swapped else pair), 300)
    order = (1, 0) if swapped else (0, 1)
    centres = [poses.ca, poses.cb]
    bound = np.zeros(poses.count)
    for k in range(poses.count):
        world = [np.concatenate([centres[e][k], poses.R[e][k].ravel()]) for e in order]
        what = [np.concatenate([np.zeros(12), poses.sizes[e][k], [_reach(poses, e, k)]]) for e in order]
        n = np.zeros(3)
        bound[k] = _away(pair[1], *world, what[1], n) - _half_width(pair[0], world[0], what[0], n)
    gap = -poses.out[:, 0]
    true = (gap > 0.0) | poses.shallow
    assert np.all(bound[true] <= gap[true] + 1e-12)
    # and it says more than bounding spheres do
    assert (
        np.mean(gap[true] - bound[true]) < 0.75 * np.mean(gap[true] - _between_spheres(poses)[true]) + 1e-12
    )


def _reach(poses: Poses, which: int, k: int) -> float:
    kind, sizes = poses.kinds[which], poses.sizes[which][k]
    if kind == BOX:
        return float(np.linalg.norm(sizes))
    if kind == CYLINDER:
        return math.hypot(sizes[0], sizes[1])
    return float(sizes[0] + sizes[1]) if kind in (SPHERE, CAPSULE) else float(sizes.max())


def _between_spheres(poses: Poses) -> Array:
    reach = np.array([_reach(poses, 0, k) + _reach(poses, 1, k) for k in range(poses.count)])
    return np.linalg.norm(poses.ca - poses.cb, axis=1) - reach
