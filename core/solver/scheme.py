"""What an integration is told, and the coefficients of the implicit integrator (see genalpha)."""
# mypy: disable-error-code="no-untyped-def"

from __future__ import annotations

from typing import NamedTuple

from ..jit.decorators import inner

# coefficients of a step: d1 = C0 u_dot1 + (C1 d0 - C0 u_dot0); gamma, beta; mass factor times h^2; what u_dot1 has in
# u1 / h, and in pose1 / h^2 beyond the half of that; see momentum.turn_rates
C0, C1, G, B, CM, GAIN, LEAD, BACK = range(8)


class Limits(NamedTuple):
    """What stops or steers: end time, largest and smallest step, tolerance, fixed step or 0, position and
    velocity tolerances of the constraints, am, af, g, b; whether steps may be of order 4."""

    t_end: float
    h_max: float
    h_min: float
    tolerance: float
    fixed: float
    position: float
    velocity: float
    am: float
    af: float
    g: float
    b: float
    fourth: bool


def parameters(rho: float) -> tuple[float, float, float, float]:
    """am, af, g (gamma), b (beta) of the scheme for a spectral radius at infinity rho in [0, 1]
    (Chung & Hulbert 1993, eqs. 25, 17, 20)."""
    am = (2.0 * rho - 1.0) / (rho + 1.0)
    af = rho / (rho + 1.0)
    g = 0.5 - am + af
    return am, af, g, 0.25 * (g + 0.5) ** 2


@inner
def choose(P, first, form):
    """Coefficients of a step: those of the settings, the first one trapezoidal, and those of means without damping."""
    if P.am == P.af:
        form[C0], form[C1], form[G], form[B], form[CM] = 0.0, 0.0, 1.0, 0.5, 2.0
    else:
        am, af = 0.5 if first else P.am, 0.5 if first else P.af
        form[G], form[B] = 0.5 if first else P.g, 0.25 if first else P.b
        form[C0], form[C1] = (am - af) / (1.0 - am), -am / (1.0 - am)
        form[CM] = (1.0 - am) / ((1.0 - af) * form[B])
    form[GAIN] = form[G] * (1.0 + form[C0])
    form[LEAD] = (form[B] - 0.5 * form[G]) * (1.0 + form[C0])
    form[BACK] = 0.5 * form[G] / form[B]


@inner
def choose_multistep(g, form):
    """The same of a step of order 4 (see multistep), g = 1/a_0: u1 = .. + h g u_dot1, pose1 = .. + h g u1."""
    form[C0], form[C1], form[LEAD], form[BACK] = 0.0, 0.0, 0.0, 1.0
    form[G], form[B], form[CM], form[GAIN] = g, g * g, 1.0 / (g * g), g


@inner
def extrapolate(mean, end, mean_before, h, before):
    """The value at the end of a step from the means over it and the step before; the first step knows its start."""
    for k in range(mean.shape[0]):
        x = mean[k]
        end[k] = x + (x - mean_before[k]) * h / (h + before) if before > 0.0 else 2.0 * x - end[k]
        mean_before[k] = x
