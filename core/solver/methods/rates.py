"""Right-hand sides of the explicit methods: accelerations and multipliers at any state, consistent or not.

Three ways to bring the constraints in, all with the feedback Phi_ddot + 2 a Phi_dot + b^2 Phi = 0 or an approach to
it:
  augmented             the saddle-point system, solved exactly (Viegas 2016, eq. 2.15; Baumgarte 1972)
  penalty               M u_dot = f - G^T P (Phi_ddot + 2 Omega mu Phi_dot + Omega^2 Phi)
  augmented Lagrangian  the same with multipliers, lam <- lam - P (Phi_ddot + 2 Omega mu Phi_dot + Omega^2 Phi),
                        until the accelerations stand still (both: Bayo, Garcia de Jalon & Serna 1988)
Its multipliers converge to those of the augmented equations with a = Omega mu, b = Omega; the penalty method
misses them by a share of 1 / P.
"""
# mypy: disable-error-code="no-untyped-def"

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from ...jit.decorators import kernel
from ...multibody.arrays import PLAIN, SLOT, int_line, sizes
from ...multibody.constraint_kernels import constraints
from ...multibody.force_kernels import Z_NOW, Z_RATE
from ...multibody.layout import TURN
from ...project.scenario import SolverSettings
from ..kkt import SWEEPS, Form, consistent_acceleration


def form_of(settings: SolverSettings, step: float) -> Form:
    """The form that settings ask for; step (s) sets Baumgarte's constants of the 1/h rule."""
    s = settings
    if s.formulation in ("penalty", "augmented_lagrangian"):
        passes = 1 if s.formulation == "penalty" else 1 + s.lagrangian_iterations
        return Form(s.penalty_omega * s.penalty_damping, s.penalty_omega, s.penalty, passes)
    if s.formulation == "partitioning" or s.stabilisation in ("none", "correction"):
        alpha, beta = 0.0, 0.0
    elif s.stabilisation == "baumgarte_step":
        alpha, beta = 1.0 / step, float(np.sqrt(2.0)) / step
    else:
        alpha, beta = s.baumgarte_alpha, s.baumgarte_beta
    return Form(alpha, beta, 0.0, SWEEPS)


class Spare(NamedTuple):
    """Scratch memory: a line of rows E (m,) and one of guides Hs (ng,)."""

    E: Any
    Hs: Any


class Moving(NamedTuple):
    """A state: places (nb + 1, 3), Euler parameters (nb + 1, 4), plain coordinates (plain,), velocities (width,)."""

    r: Any
    p: Any
    L: Any
    u: Any


class Rates(NamedTuple):
    """What a state changes by: rates of the Euler parameters (nb, 4), p' = 1/2 p o (0, omega), accelerations (width,);
    and the multipliers (m,)."""

    p: Any
    udot: Any
    lam: Any


@kernel
def rates(S, W, X, spare, form, t, state, out):
    """The `Rates` of a state `Moving` at t, into out, which holds a guess of accelerations and multipliers. Returns
    success."""
    at, p, u, rate_p = int_line(S, SLOT), state.p, state.u, out.p
    constraints(S, W, t, state.r, p, state.L)
    W.z_step[0] = 0.0
    ok = consistent_acceleration(S, W, X, spare.E, spare.Hs, u, form, out.udot, out.lam)
    for b in range(at.shape[0] - 1):
        w = at[b] + TURN
        w0, w1, w2 = u[w], u[w + 1], u[w + 2]
        e0, e1, e2, e3 = p[b, 0], p[b, 1], p[b, 2], p[b, 3]
        rate_p[b, 0] = 0.5 * (-e1 * w0 - e2 * w1 - e3 * w2)
        rate_p[b, 1] = 0.5 * (e0 * w0 - e3 * w1 + e2 * w2)
        rate_p[b, 2] = 0.5 * (e3 * w0 + e0 * w1 - e1 * w2)
        rate_p[b, 3] = 0.5 * (-e2 * w0 + e1 * w1 + e0 * w2)
    return ok and W.z_step[1] == 0.0


@kernel
def flat_rates(S, W, X, spare, form, t, y, state, found, out):
    """The right-hand side dy/dt = out of a flat state y = (r, p, L, u, z).

    state (`Moving`) is filled with it, Euler parameters normalised: the length of p has no meaning and, as
    p' = 1/2 p o (0, omega) keeps it, no influence; found (`Rates`) as in `rates`. Returns success.
    """
    r, p, L, u = state.r, state.p, state.L, state.u
    nb, _, nu, _ = sizes(S)
    at, plain, turned, rest = int_line(S, SLOT), int_line(S, PLAIN), 3 * nb, 3 * nb + 4 * nb
    moving = rest + plain.shape[0]
    for b in range(nb):
        q = turned + 4 * b
        size = (y[q] ** 2 + y[q + 1] ** 2 + y[q + 2] ** 2 + y[q + 3] ** 2) ** 0.5
        for c in range(3):
            r[b, c] = y[3 * b + c]
        for c in range(4):
            p[b, c] = y[q + c] / size
    for k in range(plain.shape[0]):
        L[k] = y[rest + k]
    for k in range(nu):
        u[k] = y[moving + k]
    for k in range(W.z.shape[1]):
        W.z[Z_NOW, k] = y[moving + nu + k]
    ok = rates(S, W, X, spare, form, t, state, found)
    for k in range(W.z.shape[1]):
        out[moving + nu + k] = W.z[Z_RATE, k]
    for b in range(nb):
        q = turned + 4 * b
        size = (y[q] ** 2 + y[q + 1] ** 2 + y[q + 2] ** 2 + y[q + 3] ** 2) ** 0.5
        for c in range(3):
            out[3 * b + c] = u[at[b] + c]
        for c in range(4):
            out[q + c] = size * found.p[b, c]
    for k in range(plain.shape[0]):
        out[rest + k] = u[plain[k]]
    for k in range(nu):
        out[moving + k] = found.udot[k]
    return ok
