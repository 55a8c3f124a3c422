"""Explicit fixed-step methods on the augmented equations with Baumgarte stabilisation (Viegas 2016, eq. 2.15).

State y = (positions, Euler parameters, path coordinates, velocities); every stage solves eq. 2.15 for the
accelerations. Euler parameters advance by their linear rate p' = 1/2 p o (0, omega) and are normalised after each
step. The constraints hold only as far as alpha and beta keep them: that is the point of having these methods.
"""
# mypy: disable-error-code="no-untyped-def"

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np
from numba import njit
from numpy.typing import NDArray

from core.multibody.arrays import sizes
from core.multibody.constraint_kernels import constraints
from core.multibody.force_kernels import keep_angles
from core.solver.genalpha import (
    ACCEPTED,
    FINISHED,
    FULL,
    LAM,
    LAM1,
    LOGGED,
    PATH_END,
    REG,
    RUNNING,
    STEP_TOO_SMALL,
    TIME,
    UDOT,
    UDOT1,
    Limits,
    Log,
    Memory,
    U,
    write_log,
)
from core.solver.kkt import consistent_acceleration

if TYPE_CHECKING:
    from core.solver.engine import Engine

F = NDArray[np.float64]
DEFAULT_STEP = 2e-4

# Butcher tableaux: rows of a, then b; c are the row sums (Hairer, Norsett & Wanner 1993, ch. II)
TABLEAUX: dict[str, list[list[float]]] = {
    "euler": [[1.0]],
    "rk2": [[0.5], [0.0, 1.0]],
    "bogacki_shampine": [[1 / 2], [0.0, 3 / 4], [2 / 9, 1 / 3, 4 / 9]],
    "rk4": [[1 / 2], [0.0, 1 / 2], [0.0, 0.0, 1.0], [1 / 6, 1 / 3, 1 / 3, 1 / 6]],
    "dopri5": [
        [1 / 5],
        [3 / 40, 9 / 40],
        [44 / 45, -56 / 15, 32 / 9],
        [19372 / 6561, -25360 / 2187, 64448 / 6561, -212 / 729],
        [9017 / 3168, -355 / 33, 46732 / 5247, 49 / 176, -5103 / 18656],
        [35 / 384, 0.0, 500 / 1113, 125 / 192, -2187 / 6784, 11 / 84],
    ],
}


def tableau(method: str) -> F:
    """Tableau (stages + 1, stages): rows 1..stages are the stage weights, the last row the result's."""
    rows = TABLEAUX[method]
    stages = len(rows)
    out = np.zeros((stages + 1, stages))
    for k, row in enumerate(rows):
        out[k + 1, : len(row)] = row
    return out


@njit(cache=True, nogil=True)
def _rates(S, W, X, l, r, p, L, u, t, alpha, beta, rate_p, udot, lam, Hs):
    """Accelerations at a state, and the rates of its Euler parameters."""
    nb, _, _, _ = sizes(S)
    constraints(S, W, t, r, p, L)
    ok = consistent_acceleration(S, W, X, l[REG], Hs, u, alpha, beta, udot, lam)
    for b in range(nb):
        w0, w1, w2 = u[6 * b + 3], u[6 * b + 4], u[6 * b + 5]
        e0, e1, e2, e3 = p[b, 0], p[b, 1], p[b, 2], p[b, 3]
        rate_p[b, 0] = 0.5 * (-e1 * w0 - e2 * w1 - e3 * w2)
        rate_p[b, 1] = 0.5 * (e0 * w0 - e3 * w1 + e2 * w2)
        rate_p[b, 2] = 0.5 * (e3 * w0 + e0 * w1 - e1 * w2)
        rate_p[b, 3] = 0.5 * (-e2 * w0 + e1 * w1 + e0 * w2)
    return ok


@njit(cache=True, nogil=True)
def _combine(Y, weights, count, h, nb, ng, stage_u, stage_udot, stage_p, r, p, L, u):
    """State at the start of the step plus h times the weighted stage rates."""
    r[:] = Y.r[0]
    p[:] = Y.p[0]
    L[:] = Y.L[0]
    u[:] = Y.v[U]
    for q in range(count):
        x = h * weights[q]
        if x == 0.0:
            continue
        for b in range(nb):
            for c in range(3):
                r[b, c] += x * stage_u[q, 6 * b + c]
            for c in range(4):
                p[b, c] += x * stage_p[q, b, c]
        for g in range(ng):
            L[g] += x * stage_u[q, 6 * nb + g]
        for k in range(6 * nb + ng):
            u[k] += x * stage_udot[q, k]


@njit(cache=True, nogil=True)
def _steps(S, W, X, Y, P, log, alpha, beta, table, h0, every, end_paths, end_path, max_steps):
    nb, ng, nu, m = sizes(S)
    stages = table.shape[1]
    stage_u, stage_udot = np.zeros((stages, nu + 6)), np.zeros((stages, nu + 6))
    stage_p = np.zeros((stages, nb, 4))
    r, p, L, u = Y.r[1], Y.p[1], Y.L[1], np.zeros(nu + 6)
    lam, udot = Y.l[LAM1], Y.v[UDOT1]
    lam[:] = Y.l[LAM]
    for _ in range(max_steps):
        left = P.t_end - Y.clock[TIME]
        if left <= 1e-12 * max(1.0, P.t_end):
            return FINISHED
        if Y.counts[LOGGED] >= log.t.shape[0]:
            return FULL
        h = min(h0, left) if left > h0 * (1.0 + 1e-9) else left
        for q in range(stages):
            _combine(Y, table[q], q, h, nb, ng, stage_u, stage_udot, stage_p, r, p, L, u)
            t = Y.clock[TIME] + h * np.sum(table[q])
            if not _rates(S, W, X, Y.l, r, p, L, u, t, alpha, beta, stage_p[q], udot, lam, Y.Hs):
                return STEP_TOO_SMALL
            stage_u[q] = u
            stage_udot[q] = udot
        _combine(Y, table[stages], stages, h, nb, ng, stage_u, stage_udot, stage_p, r, p, L, u)
        size = 0.0
        for b in range(nb):
            norm = math.sqrt(p[b, 0] ** 2 + p[b, 1] ** 2 + p[b, 2] ** 2 + p[b, 3] ** 2)
            for c in range(4):
                p[b, c] /= norm
            size = max(size, abs(r[b, 0]) + abs(r[b, 1]) + abs(r[b, 2]))
        if not math.isfinite(size) or size > 1e7:
            return STEP_TOO_SMALL
        Y.r[0], Y.p[0], Y.L[0], Y.v[U] = r, p, L, u
        Y.clock[TIME] += h
        Y.counts[ACCEPTED] += 1
        done = P.t_end - Y.clock[TIME] <= 1e-12 * max(1.0, P.t_end)
        past = 0
        for g in range(ng):
            if Y.L[0, g] >= end_paths[g]:
                past += 1
        over = end_path > 0 and past >= end_path
        if done or over or Y.counts[ACCEPTED] % every == 0:
            if not _rates(
                S,
                W,
                X,
                Y.l,
                Y.r[0],
                Y.p[0],
                Y.L[0],
                u,
                Y.clock[TIME],
                alpha,
                beta,
                stage_p[0],
                udot,
                lam,
                Y.Hs,
            ):
                return STEP_TOO_SMALL
            keep_angles(S, W)
            Y.v[UDOT] = udot
            Y.l[LAM] = lam
            write_log(Y, log)
        if over:
            return PATH_END
    return RUNNING


def advance_explicit(
    engine: Engine, Y: Memory, P: Limits, log: Log, end_paths: F, end_path: int, max_steps: int
) -> int:
    """Take up to max_steps steps of the method of the engine's settings; return codes as genalpha.advance.

    States are logged at most at the sample rate of the settings.
    """
    s = engine.settings
    h = s.fixed_step or DEFAULT_STEP
    every = max(1, round(1.0 / (h * s.sample_rate)))
    code: int = _steps(
        engine.system.arrays, engine.work, engine.factor, Y, P, log, s.baumgarte_alpha, s.baumgarte_beta,
        tableau(s.method), h, every, end_paths, end_path, max_steps,
    )  # fmt: skip
    return code
