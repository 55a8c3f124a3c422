"""The static LDL^T: right solutions, no fill beyond the tree, smallest multipliers for implied rows."""

from __future__ import annotations

import numpy as np
import pytest

from ridewright.core.model.assembly import Assembly
from ridewright.core.model.bodies import Body
from ridewright.core.model.joints import Joint
from ridewright.core.multibody.compile import System, compile_system
from ridewright.core.multibody.constraint_kernels import constraints
from ridewright.core.multibody.layout import Layout
from ridewright.core.project.examples import load_example
from ridewright.core.project.project import Project
from ridewright.core.project.scenario import Rig
from ridewright.core.solver.assemble import assemble
from ridewright.core.solver.engine import start_acceleration
from ridewright.core.solver.kkt import dense_jacobian, new_factor, pattern_of, representative_matrix
from ridewright.core.solver.ldl import EPSILON, factorise, scatter, solve_pair, solve_parts, stored, symbolic
from ridewright.core.solver.ordering import Entries, Pattern, elimination_order


def chain(n: int) -> System:
    """n bodies hung in a row by spherical joints."""
    bodies = tuple(
        Body(name=f"B{k}", mass=1.0 + k % 3, inertia=(0.1, 0.2, 0.15), position=(0.1 * k, 0.0, -float(k)))
        for k in range(n)
    )
    joints = tuple(
        Joint(name=f"J{k}", kind="spherical", body_i=f"B{k - 1}" if k else "ground", body_j=f"B{k}",
              point_i=(0.0, 0.0, -0.5), point_j=(-0.1, 0.0, 0.5))
        for k in range(n)
    )  # fmt: skip
    return compile_system(
        Project(
            name="chain",
            scenario=Rig(assembly=Assembly(name="Rig", role="rig", bodies=bodies, joints=joints)),
        )
    )


def _dense(matrix: Entries, size: int) -> np.ndarray:
    out = np.zeros((size, size))
    np.add.at(out, (matrix.rows, matrix.columns), matrix.values)
    return out + np.tril(out, -1).T


def _plain_order(pattern: Pattern, K: np.ndarray) -> list[int]:
    """The same choice by a dense matrix, every unit looked at anew for every place in the order."""
    units = [list(unit) for unit in pattern.units()]
    unit_of = {i: k for k, unit in enumerate(units) for i in unit}
    near: list[set[int]] = [set() for _ in units]
    for i, j in zip(*pattern.entries(), strict=True):
        near[unit_of[i]].add(unit_of[j])
        near[unit_of[j]].add(unit_of[i])
    weight, order, waiting = np.abs(np.diag(K)).copy(), [], set(range(len(units)))

    def eliminated(k: int) -> tuple[np.ndarray, np.ndarray, float]:
        left, size, worst = K.copy(), weight.copy(), np.inf
        for q, i in enumerate(units[k]):
            worst = min(worst, abs(left[i, i]) / max(size[i], 1e-300))
            rest = units[k][q + 1 :] + [r for m in near[k] & waiting - {k} for r in units[m]]
            if left[i, i] != 0.0:
                v = left[rest, i].copy()
                left[np.ix_(rest, rest)] -= np.outer(v, v) / left[i, i]
                size[rest] += v * v / abs(left[i, i])
        return left, size, worst

    while waiting:
        degree = {k: sum(len(units[m]) for m in near[k] & waiting - {k}) for k in waiting}
        ready = [k for k in waiting if eliminated(k)[2] > 0.01]
        if ready:
            chosen = min(ready, key=lambda k: (degree[k], k))
        else:
            chosen = max(
                sorted(waiting), key=lambda k: min(abs(K[i, i]) / (weight[i] + 1e-300) for i in units[k])
            )
        K, weight, _ = eliminated(chosen)
        order += units[chosen]
        waiting.discard(chosen)
        for m in near[chosen] & waiting:
            near[m] |= near[chosen]
    return order


@pytest.mark.parametrize("name", ["four_bar", "bricard", "andrews_squeezer", "torsion_chain", "slider_crank"])
def test_that_the_order_is_that_of_looking_at_everything_every_time(name: str) -> None:
    system = compile_system(load_example(name))
    pattern, matrix = pattern_of(system), representative_matrix(system)
    plain = _plain_order(pattern, _dense(matrix, system.coordinates + system.rows))
    assert elimination_order(pattern, matrix) == plain


def test_that_fill_grows_linearly_with_a_chain() -> None:
    stored = {n: len(new_factor(chain(n)).rows) for n in (10, 20, 40)}
    assert stored[20] - stored[10] == pytest.approx((stored[40] - stored[20]) / 2, rel=0.01)


@pytest.mark.parametrize("name", ["straight", "looping_star"])
def test_that_accelerations_satisfy_the_dense_augmented_equations(name: str) -> None:
    """Against numpy's dense solution of eq. 2.10 for vehicle and rider."""
    system = compile_system(load_example(name))
    X = new_factor(system)
    state, _ = assemble(system, X)
    W = system.new_work()
    udot, lam = start_acceleration(system, W, X, state)
    n, m = system.coordinates, system.rows
    constraints(system.arrays, W, state.time, state.r, state.p, state.path)
    G = dense_jacobian(system, W)
    M = np.zeros(n)
    from ridewright.core.multibody.arrays import BODY, FORCE, GAMMA, reals

    M[: 6 * system.bodies] = reals(system.arrays, BODY)[:, [0, 0, 0, 1, 2, 3]].ravel()
    K = np.block([[np.diag(M), -G.T], [G, np.zeros((m, m))]])
    exact = np.linalg.solve(K, np.concatenate([W.vel[FORCE, :n], W.row[GAMMA]]))
    np.testing.assert_allclose(udot[:n], exact[:n], rtol=1e-7, atol=1e-7)
    np.testing.assert_allclose(lam, exact[n:], rtol=1e-7, atol=1e-5)


def _blocks(layout: Layout, seed: int) -> tuple[Pattern, tuple[np.ndarray, ...], np.ndarray]:
    """Bodies with blocks of the layout's sizes in a chain of pairs, rows at random: the pattern, Hd, Ho, Hs and gx as
    the kernels fill them, and the whole matrix without its small lower right corner, laid out by hand."""
    rng = np.random.default_rng(seed)
    nb, nu, m = layout.bodies, layout.coordinates, layout.multipliers
    pairs = (*((b, b - 1) for b in range(1, nb)), (nb, 0), (nb - 1, 0))
    H = np.zeros((nu, nu))
    Hd, Ho = (
        np.zeros((nb + 1, layout.widest, layout.widest)),
        np.zeros((len(pairs) + 1,) + (layout.widest,) * 2),
    )
    for b in range(nb + 1):
        size = layout.sizes[b]
        x = rng.standard_normal((size, size))
        Hd[b, :size, :size] = x @ x.T + 30.0 * np.eye(size)
        if b < nb:
            H[layout.block(b), layout.block(b)] = Hd[b, :size, :size]
    for k, (i, j) in enumerate(pairs):
        block = rng.standard_normal((layout.sizes[i], layout.sizes[j]))
        Ho[k, : block.shape[0], : block.shape[1]] = block
        if i < nb:
            H[layout.block(i), layout.block(j)] = block
            H[layout.block(j), layout.block(i)] = block.T
    Hs = 20.0 + rng.random(layout.guides)
    H[layout.paths, layout.paths] = np.diag(Hs)
    G, columns = layout.line(m), []
    for row in range(m):
        columns.append(np.sort(rng.choice(layout.width, 5, replace=False)))
        G[row, columns[-1]] = rng.standard_normal(5)
    g_row, g_col = np.arange(0, 5 * m + 1, 5), np.concatenate(columns)
    pattern = Pattern(layout, pairs, g_row, g_col, tuple((row, row + 1) for row in range(m)))
    gx = np.concatenate([G[row, columns[row]] for row in range(m)])
    K = np.block([[H, -G[:, :nu].T], [-G[:, :nu], np.zeros((m, m))]])
    return pattern, (Hd, Ho, Hs, gx), K


@pytest.mark.parametrize("modes", [(0, 0, 0, 0), (0, 1, 0, 8), (3, 0, 5, 0), (2, 4, 6, 1)])
def test_that_blocks_of_any_size_are_solved_as_a_dense_solver_does(modes: tuple[int, ...]) -> None:
    layout = Layout(modes, guides=2, counts={"dots": 7})
    pattern, (Hd, Ho, Hs, gx), K = _blocks(layout, 3)
    n, m = layout.coordinates, layout.multipliers
    i, j = np.nonzero(np.tril(K))
    X = symbolic(pattern, elimination_order(pattern, Entries(i, j, K[i, j])))
    E, rhs = np.zeros(m), np.random.default_rng(1).standard_normal(n + m)
    scatter(X, pattern.g_row, pattern.g_col, gx, Hd, Ho, Hs, E, EPSILON)
    assert factorise(X)
    dx, dl = layout.line(), np.zeros(m)
    solve_parts(X, n, rhs[:n], rhs[n:], dx, dl)
    K[n:, n:] = -np.diag(E)
    np.testing.assert_allclose(np.concatenate([dx[:n], dl]), np.linalg.solve(K, rhs), rtol=1e-9, atol=1e-9)
    bodies = np.setdiff1d(np.arange(n), np.arange(n)[layout.paths])
    own = np.sum(K[n:, bodies] ** 2 / np.diag(K)[bodies], axis=1)
    np.testing.assert_allclose(E[own > 0.0], EPSILON * own[own > 0.0], rtol=1e-12)


def test_that_the_static_order_solves_what_a_dense_solver_solves() -> None:
    system = compile_system(load_example("straight"))
    X = new_factor(system)
    n, m = system.coordinates, system.rows
    K = _dense(representative_matrix(system), n + m)
    position = np.empty(n + m, dtype=np.int64)
    position[X.perm] = np.arange(n + m)
    X.D[:], X.L[:] = 0.0, 0.0
    index = {place: q for q, place in enumerate(zip(*stored(X), strict=True))}
    for i, j in zip(*np.nonzero(np.tril(K)), strict=True):
        a, b = sorted((int(position[i]), int(position[j])))
        if a == b:
            X.D[a] += K[i, i]
        else:
            X.L[index[(b, a)]] += K[i, j]
    assert factorise(X)
    rhs = np.random.default_rng(0).standard_normal(n + m)
    dx, dl = np.zeros(n + 6), np.zeros(m)
    solve_parts(X, n, rhs[:n].copy(), rhs[n:].copy(), dx, dl)
    np.testing.assert_allclose(np.concatenate([dx[:n], dl]), np.linalg.solve(K, rhs), rtol=1e-6, atol=1e-12)
    other = np.random.default_rng(1).standard_normal(n + m)
    ex, el = np.zeros(n + 6), np.zeros(m)
    first, second = rhs.copy(), other.copy()
    solve_pair(X, n, first[:n], first[n:], dx, dl, second[:n], second[n:], ex, el)
    np.testing.assert_allclose(np.concatenate([dx[:n], dl]), np.linalg.solve(K, rhs), rtol=1e-6, atol=1e-12)
    np.testing.assert_allclose(np.concatenate([ex[:n], el]), np.linalg.solve(K, other), rtol=1e-6, atol=1e-12)


def test_that_implied_rows_share_the_load_evenly() -> None:
    """A body welded twice to the ground: the smallest multipliers are half the weight in each weld."""
    body = Body(name="B", mass=2.0, inertia=(0.1, 0.1, 0.1), position=(0.0, 0.0, 0.0))
    welds = tuple(Joint(name=f"weld {k}", kind="rigid", body_i="ground", body_j="B") for k in range(2))
    free = Body(name="free", mass=1.0, inertia=(1.0, 1.0, 1.0), position=(5.0, 0.0, 0.0))
    system = compile_system(
        Project(
            name="twice",
            scenario=Rig(assembly=Assembly(name="Rig", role="rig", bodies=(body, free), joints=welds)),
        )
    )
    X = new_factor(system)
    state, _ = assemble(system, X)
    udot, lam = start_acceleration(system, system.new_work(), X, state)
    vertical = [abs(lam[row]) for g in system.groups for row in g.rows if abs(lam[row]) > 1.0]
    # the regularisation leaves a relative error of its own size in the split
    np.testing.assert_allclose(vertical, [9.81, 9.81], rtol=1e4 * EPSILON)
    assert udot[8] == pytest.approx(-9.81)
