"""Rank and implied rows of constraint Jacobians against singular values of the dense matrix."""

from __future__ import annotations

import numpy as np
import pytest

from ridewright.core.multibody.arrays import GCOL, GROW, int_line
from ridewright.core.multibody.compile import compile_system
from ridewright.core.multibody.constraint_kernels import constraints
from ridewright.core.multibody.layout import Layout
from ridewright.core.project.examples import load_example
from ridewright.core.solver.assemble import assemble, model_size
from ridewright.core.solver.kkt import dense_jacobian, new_factor
from ridewright.core.solver.rank import rank_of


def _dense_rank(G: np.ndarray) -> int:
    lengths = np.linalg.norm(G, axis=1)
    G = G[lengths > 0.0] / lengths[lengths > 0.0, None]
    return int(np.linalg.matrix_rank(G, tol=1e-8)) if len(G) else 0


@pytest.mark.parametrize("seed", range(12))
def test_that_any_sparse_matrix_has_the_rank_of_its_singular_values(seed: int) -> None:
    """Bodies of many sizes in a net with more rows than there is room for, rows that others imply, rows of nothing."""
    rng = np.random.default_rng(seed)
    layout = Layout((0, 0, seed % 3, 0, 5 * (seed % 2), 0, 1), guides=3)
    nu, sizes = layout.coordinates, layout.sizes
    rows = []
    for _ in range(int(rng.integers(8, 40))):
        row = layout.line()
        for body in rng.choice(layout.bodies + 1, 2, replace=False):  # one of them may be the ground
            row[layout.block(body)] = rng.standard_normal(sizes[body]) * (rng.random(sizes[body]) < 0.6)
        if rng.random() < 0.3:
            row[layout.paths][rng.integers(layout.guides)] = rng.standard_normal()
        rows.append(1e3 ** rng.uniform(-1, 1) * row)
    rows += [rows[0] - 2.0 * rows[1], rows[2] + rows[3], layout.line()]
    G = np.array(rows)[rng.permutation(len(rows))]
    g_row = np.concatenate([[0], np.cumsum(np.count_nonzero(G, axis=1))]).astype(np.int64)
    g_col = np.nonzero(G)[1].astype(np.int64)
    rank = rank_of(g_row, g_col, G[G != 0.0], layout)
    assert rank == _dense_rank(G[:, :nu])
    assert rank < len(G)


@pytest.mark.parametrize("name", ["bricard", "four_bar", "straight", "frame_helix", "slider_crank"])
def test_that_models_have_the_rank_of_their_whole_jacobian(name: str) -> None:
    """And as many implied rows as are missing to it."""
    system = compile_system(load_example(name), speed=1.0)
    state, _ = assemble(system, new_factor(system))
    size, work = model_size(system, state), system.new_work()
    constraints(system.arrays, work, state.time, state.r, state.p, state.path)
    assert len(int_line(system.arrays, GCOL)) == int_line(system.arrays, GROW)[-1]
    assert size.rank == _dense_rank(dense_jacobian(system, work))
    assert len(size.redundant) == size.rows - size.rank
    assert size.degrees_of_freedom == size.coordinates - size.rank
