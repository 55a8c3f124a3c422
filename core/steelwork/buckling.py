"""Buckling: of a column by EN 1993-1-1, 6.3, and of the whole frame as an eigenvalue of its geometric stiffness."""

from __future__ import annotations

import numpy as np
from scipy.sparse import coo_matrix, csc_matrix
from scipy.sparse.linalg import ArpackNoConvergence, LinearOperator, eigsh

from ..base.arrays import Array
from .frame import SteelFrame

PLATEAU = 0.2  # slenderness below which nothing buckles
MOST = 1e4  # times the load: beyond that nothing is said to buckle


def reduction(slenderness: Array, imperfection: float) -> Array:
    """chi of EN 1993-1-1:2005, (6.49): what is left of N = A f_y of a column of a slenderness (A f_y / N_cr)^(1/2)."""
    phi = 0.5 * (1.0 + imperfection * (slenderness - PLATEAU) + slenderness**2)
    out: Array = np.minimum(1.0 / (phi + np.sqrt(np.maximum(phi**2 - slenderness**2, 0.0))), 1.0)
    return np.where(slenderness <= PLATEAU, 1.0, out)


def euler(E: Array, I: Array, length: Array) -> Array:
    """Load (N) at which a bar hinged at both ends buckles."""
    out: Array = np.pi**2 * E * I / length**2
    return out


def interaction(n: Array, m: Array, slenderness: Array) -> Array:
    """6.3.3 of a round tube bent one way: n + k m of its shares of axial and bending resistance, k = 1 + 0.6 n
    min(slenderness, 1), with C_m 1 (annex B, class 3); 0 in tension, where strength counts."""
    out: Array = np.where(n > 0.0, n + (1.0 + 0.6 * np.minimum(slenderness, 1.0) * n) * m, 0.0)
    return out


def geometric(frame: SteelFrame, tension: Array) -> csc_matrix:
    """Geometric stiffness (unknowns, unknowns) of tensions (pieces,) N."""
    _, at, _ = frame.matrices
    parts = np.array([
        pull * piece.moves.T @ piece.N @ piece.moves
        for pull, piece in zip(tension.tolist(), frame.pieces, strict=True)
    ])  # fmt: skip
    index = np.repeat(at, 12, axis=1).ravel(), np.tile(at, (1, 12)).ravel()
    return csc_matrix(coo_matrix((parts.ravel(), index), shape=frame.structure.K.shape))


def critical(frame: SteelFrame, tension: Array) -> float:
    """By how much tensions (pieces,) N of the bars, compression negative, have to be multiplied until the frame buckles
    as a whole or in a member; inf where that is more than MOST or never.

    K phi = -factor K_G phi, of which the smallest positive one (EN 1993-1-1, 5.2.1: alpha_cr).
    """
    if not np.any(tension < 0.0):
        return np.inf
    K = csc_matrix(frame.structure.K)
    solve = LinearOperator(K.shape, matvec=frame.factor.solve, dtype=np.float64)
    try:
        values = eigsh(
            -geometric(frame, tension), 1, K, which="LA", Minv=solve, v0=np.ones(K.shape[0]), tol=1e-6,
            return_eigenvectors=False,
        )  # fmt: skip
    except ArpackNoConvergence as error:
        values = np.real(error.eigenvalues)
    largest = float(np.real(values).max()) if len(values) else 0.0
    return 1.0 / largest if largest > 1.0 / MOST else np.inf
