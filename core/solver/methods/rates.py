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
from core.multibody.arrays import PLAIN, SLOT, int_line, sizes
from core.multibody.constraint_kernels import constraints
from core.multibody.force_kernels import Z_NOW, Z_RATE
from core.multibody.layout import TURN
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
    """Accelerations udot (width,) and multipliers lam (m,) at a state, and the rates of its Euler parameters.

    rate_p (nb, 4): p' = 1/2 p o (0, omega). E (m,), Hs (ng,): scratch. Returns success.
    """
    at = int_line(S, SLOT)
    constraints(S, W, t, r, p, L)
    penalty, passes = 0.0, SWEEPS
    W.z_step[0] = 0.0
    if form.kind == PENALISED:
        penalty, passes = form.penalty, form.passes
    ok = consistent_acceleration(S, W, X, E, Hs, u, form.alpha, form.beta, penalty, passes, udot, lam)
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
def flat_rates(S, W, X, E, Hs, form, t, y, r, p, L, u, rate_p, udot, lam, out):
    """The right-hand side dy/dt = out of a flat state y = (r, p, L, u, z).

    r (nb + 1, 3), p (nb + 1, 4), L (plain,), u (width,): filled with the state, Euler parameters normalised: the
    length of p has no meaning and, as p' = 1/2 p o (0, omega) keeps it, no influence. Returns success.
    """
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
    ok = rates(S, W, X, E, Hs, form, t, r, p, L, u, rate_p, udot, lam)
    for k in range(W.z.shape[1]):
        out[moving + nu + k] = W.z[Z_RATE, k]
    for b in range(nb):
        q = turned + 4 * b
        size = (y[q] ** 2 + y[q + 1] ** 2 + y[q + 2] ** 2 + y[q + 3] ** 2) ** 0.5
        for c in range(3):
            out[3 * b + c] = u[at[b] + c]
        for c in range(4):
            out[q + c] = size * rate_p[b, c]
    for k in range(plain.shape[0]):
        out[rest + k] = u[plain[k]]
    for k in range(nu):
        out[moving + k] = udot[k]
    return ok
