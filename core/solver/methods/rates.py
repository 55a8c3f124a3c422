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

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from core.jit.decorators import kernel
from core.multibody.arrays import sizes
from core.multibody.constraint_kernels import constraints
from core.project.scenario import SolverSettings
from core.solver.kkt import SWEEPS, consistent_acceleration

F = NDArray[np.float64]
AUGMENTED, PENALISED = 0, 1


class Form(NamedTuple):
    """How constraints enter: kind, feedback alpha and beta (1/s), penalty factor, most solutions a state."""

    kind: int
    alpha: float
    beta: float
    penalty: float
    passes: int


def form_of(settings: SolverSettings, step: float) -> Form:
    """The form that settings ask for; step (s) sets Baumgarte's constants of the 1/h rule."""
    s = settings
    if s.formulation in ("penalty", "augmented_lagrangian"):
        passes = 1 if s.formulation == "penalty" else 1 + s.lagrangian_iterations
        return Form(PENALISED, s.penalty_omega * s.penalty_damping, s.penalty_omega, s.penalty, passes)
    if s.formulation == "partitioning" or s.stabilisation in ("none", "correction"):
        alpha, beta = 0.0, 0.0
    elif s.stabilisation == "baumgarte_step":
        alpha, beta = 1.0 / step, float(np.sqrt(2.0)) / step
    else:
        alpha, beta = s.baumgarte_alpha, s.baumgarte_beta
    return Form(AUGMENTED, alpha, beta, 1.0, 1)


@kernel
def rates(S, W, X, E, Hs, form, t, r, p, L, u, rate_p, udot, lam):
    """Accelerations udot (nu + 6,) and multipliers lam (m,) at a state, and the rates of its Euler parameters.

    rate_p (nb, 4): p' = 1/2 p o (0, omega). E (m,), Hs (ng,): scratch. Returns success.
    """
    nb, _, _, _ = sizes(S)
    constraints(S, W, t, r, p, L)
    penalty, passes = 0.0, SWEEPS
    if form.kind == PENALISED:
        penalty, passes = form.penalty, form.passes
    ok = consistent_acceleration(S, W, X, E, Hs, u, form.alpha, form.beta, penalty, passes, udot, lam)
    for b in range(nb):
        w0, w1, w2 = u[6 * b + 3], u[6 * b + 4], u[6 * b + 5]
        e0, e1, e2, e3 = p[b, 0], p[b, 1], p[b, 2], p[b, 3]
        rate_p[b, 0] = 0.5 * (-e1 * w0 - e2 * w1 - e3 * w2)
        rate_p[b, 1] = 0.5 * (e0 * w0 - e3 * w1 + e2 * w2)
        rate_p[b, 2] = 0.5 * (e3 * w0 + e0 * w1 - e1 * w2)
        rate_p[b, 3] = 0.5 * (-e2 * w0 + e1 * w1 + e0 * w2)
    return ok


@kernel
def flat_rates(S, W, X, E, Hs, form, t, y, r, p, L, u, rate_p, udot, lam, out):
    """The right-hand side dy/dt = out of a flat state y = (r, p, L, u), all (7 nb + ng + nu,).

    r (nb + 1, 3), p (nb + 1, 4), L (ng,), u (nu + 6,): filled with the state, Euler parameters normalised: the
    length of p has no meaning and, as p' = 1/2 p o (0, omega) keeps it, no influence. Returns success.
    """
    nb, ng, nu, _ = sizes(S)
    at = 7 * nb
    for b in range(nb):
        q = 3 * nb + 4 * b
        size = (y[q] ** 2 + y[q + 1] ** 2 + y[q + 2] ** 2 + y[q + 3] ** 2) ** 0.5
        for c in range(3):
            r[b, c] = y[3 * b + c]
        for c in range(4):
            p[b, c] = y[q + c] / size
    for g in range(ng):
        L[g] = y[at + g]
    for k in range(nu):
        u[k] = y[at + ng + k]
    ok = rates(S, W, X, E, Hs, form, t, r, p, L, u, rate_p, udot, lam)
    for b in range(nb):
        q = 3 * nb + 4 * b
        size = (y[q] ** 2 + y[q + 1] ** 2 + y[q + 2] ** 2 + y[q + 3] ** 2) ** 0.5
        for c in range(3):
            out[3 * b + c] = u[6 * b + c]
        for c in range(4):
            out[q + c] = size * rate_p[b, c]
    for g in range(ng):
        out[at + g] = u[6 * nb + g]
    for k in range(nu):
        out[at + ng + k] = udot[k]
    return ok
