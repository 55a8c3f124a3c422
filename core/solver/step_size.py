"""How long the steps of the implicit integrator are: error estimate, next step, and steps that follow from their own
two ends (see genalpha).
"""
# mypy: disable-error-code="no-untyped-def"

from __future__ import annotations

import math

from core.jit.decorators import inner
from core.multibody.arrays import BODY, SLOT, int_line, reals
from core.multibody.layout import TURN

AIM = 0.6  # share of the tolerance that a step uses which follows from its two ends


@inner
def _change_size(S, change):
    """Size of the change of the accelerations over a step, from that of the forces; path coordinates left out."""
    body, at, x = reals(S, BODY), int_line(S, SLOT), 0.0
    for b in range(body.shape[0]):
        q, w = at[b], at[b] + TURN
        for c in range(3):
            x += (change[q + c] / body[b, 0]) ** 2 + (change[w + c] / body[b, 1 + c]) ** 2
    return math.sqrt(x)


@inner
def own_step(S, P, change, h):
    """The next guess of a step that follows from its two ends."""
    aim = AIM * P.tolerance
    error = math.sqrt((h * h * _change_size(S, change) / 12.0) ** 2 + (aim * (h / P.h_max) ** 3) ** 2)
    return h * min(2.0, max(0.5, (aim / error) ** (1.0 / 3.0)))


@inner
def step_error(S, P, udot, udot1, change, h, nu):
    """Estimated local error (m, rad) of a step."""
    if P.am == P.af:
        return h * h * _change_size(S, change) / 12.0
    x = 0.0
    for k in range(nu):
        x = max(x, abs(udot1[k] - udot[k]))
    return abs(0.5 * (P.am - P.af) + P.b - 1.0 / 6.0) * h * h * x


@inner
def next_step(P, h, error):
    """Step for the next attempt; kept when the gain is small, so that the factorisation can be reused."""
    ratio = 0.85 * (P.tolerance / max(error, 1e-300)) ** (1.0 / 3.0)
    if ratio > 1.0:
        if ratio < 1.2:
            return h
        return min(h * min(ratio, 1.6), P.h_max)
    return h * max(ratio, 0.6) if ratio < 0.95 else h
