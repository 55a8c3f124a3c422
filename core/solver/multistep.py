"""Steps of order 4 where the motion is smooth: backward differentiation with changing steps (see genalpha).

With what the last instants left, a step of size h from t0 to t1 has
  A1 J w1 = sum c_j (A J w)_j + h g s1     (world axes; velocities of all other slots alike, with u_dot1)
  x1 = sum c_j x_j + h g dexp^-1(x1) w1 + dp
x_j the rotation vector from the start of the step to the instant j, or the way (m) from there; g = 1/a_0 and c_j =
-a_j/a_0 of the derivative, times h, of the polynomial through t1 and four instants before (Brenan, Campbell & Petzold
1996, ch. 5.2). Momentum lies in a linear space, and so do ways from one place. Equations of motion and
both constraints hold at the end of the step, dp closes the latter: all as with a step of second order, whose unknowns,
residual, tangent and factorisation these are.

Error of a step: h g (t1 - t_{-3})/20 times what u_dot1 is off its extrapolation from three instants; of what force
elements measure h g prod (t1 - t_j)/5 times the fourth divided difference of its rate.

No linear method of more than second order is stable whatever the step (Dahlquist 1963): oscillations that are hardly
damped grow where h w is beyond 0.75 or so. There the third difference of the accelerations is as large as the first:
such a step is *rough*, and the next ones are of second order. So are those behind a rejected step, and behind events
that end a step and loads that jump until four instants lie behind these; and all with steps of fixed size, without
numerical damping, and in systems with elastic coordinates or laws that remember. Of surfaces that touch steps of order
4 take those that stay as they are: one at whose end a pair touches that did not, has parted, lets go or slides on
bristles is taken anew by order 2, and nothing of before is known behind it.
"""
# mypy: disable-error-code="no-untyped-def"

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from ..base.arrays import Array, Integers
from ..jit.decorators import inner
from ..multibody.arrays import EL, PLAIN, SLOT, int_line
from ..multibody.force_kernels import Z_NOW, Z_RATE
from ..multibody.layout import TURN

KEPT = 4  # instants that are known besides the end of the step
# of Past.who: line of the present, how many are known, whether the last step was rough
HEAD, KNOWN, ROUGH = range(3)
GROWS, FALLS = 1.7, 0.1  # how far steps of one formula may differ from one to the next
FELT = 0.3  # of the tolerance: motion whose error is below it is not rough
# error of order 4 over that of order 2 beyond which the motion is rough: where h w is beyond 0.75, roots of the formula
# grow by 4 % a step without damping; with a damping ratio of 0.1 they do not before 0.85
ALTERNATES = 0.6


class Past(NamedTuple):
    """The last accepted instants, in a ring of KEPT lines, and the formula of the step under way."""

    who: Integers  # (3,) see HEAD
    t: Array  # (KEPT,)
    r: Array  # (KEPT, nb + 1, 3)
    p: Array  # (KEPT, nb + 1, 4)
    L: Array  # (KEPT, plain)
    momentum: Array  # (KEPT, width) velocities, the rotational slots A J w, world axes
    acc: Array  # (KEPT, width) u_dot without gyroscopic parts
    udot: Array  # (KEPT, width)
    rate: Array  # (KEPT, elements) of the coordinates of force elements
    z: Array  # (KEPT, internal) internal unknowns of force elements
    z_rate: Array  # (KEPT, internal)
    held: Integers  # (pairs,) how pairs of surfaces touched at the present instant, see contact_sums.ways_changed
    c: Array  # (KEPT,) what each instant has in the formula
    on: Array  # (2, KEPT) what it has at the end of the step in a polynomial through three instants, and through four
    divided: Array  # (KEPT + 1,) what the end and each instant have in the fourth divided difference
    errors: Array  # (2,) error (m, rad) for one of u_dot1, and for a divided difference of rates


def no_past(
    bodies: int, plain: int, width: int, elements: int = 0, internal: int = 0, pairs: int = 0
) -> Past:
    """Nothing known of before, for so many bodies, plain coordinates, velocity slots, outputs and internal unknowns of
    elements, and pairs of surfaces."""
    return Past(
        who=np.zeros(3, dtype=np.int64),
        t=np.zeros(KEPT),
        r=np.zeros((KEPT, bodies + 1, 3)),
        p=np.zeros((KEPT, bodies + 1, 4)),
        L=np.zeros((KEPT, plain)),
        momentum=np.zeros((KEPT, width)),
        acc=np.zeros((KEPT, width)),
        udot=np.zeros((KEPT, width)),
        rate=np.zeros((KEPT, elements)),
        z=np.zeros((KEPT, internal)),
        z_rate=np.zeros((KEPT, internal)),
        held=np.zeros(pairs, dtype=np.int64),
        c=np.zeros(KEPT),
        on=np.zeros((2, KEPT)),
        divided=np.zeros(KEPT + 1),
        errors=np.zeros(2),
    )


@inner
def line(past, age):
    """Where in the ring the instant of an age (0: the present) is."""
    return (past.who[HEAD] + age) % KEPT


@inner
def ready(past, h):
    """Whether what is known carries a step h of order 4."""
    if past.who[KNOWN] < KEPT:
        return False
    after = h
    for age in range(KEPT - 1):
        step = past.t[line(past, age)] - past.t[line(past, age + 1)]
        if after > GROWS * step or after < FALLS * step:
            return False
        after = step
    return True


@inner
def _product(past, end, but, nodes):
    """The product of (t_j - end) of the newest instants, but of one."""
    x = 1.0
    for j in range(nodes):
        if j != but:
            x *= past.t[line(past, j)] - end
    return x


@inner
def _apart(past, j, nodes):
    """The product of the times from instant j to the other ones of the newest."""
    x = 1.0
    for i in range(nodes):
        if i != j:
            x *= past.t[line(past, i)] - past.t[line(past, j)]
    return x


@inner
def weights(past, h):
    """Find the formula of a step h; returns g."""
    end = past.t[line(past, 0)] + h
    a0 = 0.0
    for j in range(KEPT):
        a0 += h / (end - past.t[line(past, j)])
    for j in range(KEPT):
        back = past.t[line(past, j)] - end
        apart = _apart(past, j, KEPT)
        past.on[1, j] = _product(past, end, j, KEPT) / apart
        past.c[j] = -h / back * past.on[1, j] / a0
        past.divided[1 + j] = -1.0 / (back * apart)
    for j in range(KEPT - 1):
        past.on[0, j] = _product(past, end, j, KEPT - 1) / _apart(past, j, KEPT - 1)
    whole = _product(past, end, -1, KEPT)
    past.divided[0] = 1.0 / whole
    past.errors[0] = h / a0 * (end - past.t[line(past, KEPT - 1)]) / 20.0
    past.errors[1] = h / a0 * whole / 5.0
    return 1.0 / a0


@inner
def _combine(past, weight, values, out):
    """out <- the sum of weight (KEPT,), 1 in all, times the lines of values (KEPT, width); what is the same in all of
    them is kept to rounding."""
    a, b, c, d = line(past, 0), line(past, 1), line(past, 2), line(past, 3)
    x, y, z = weight[1], weight[2], weight[3]
    for k in range(out.shape[0]):
        now = values[a, k]
        out[k] = now + x * (values[b, k] - now) + y * (values[c, k] - now) + z * (values[d, k] - now)


@inner
def _turned(p0, p):
    """The rotation vector from Euler parameters p0 to p, in axes of the former."""
    e0 = p0[0] * p[0] + p0[1] * p[1] + p0[2] * p[2] + p0[3] * p[3]
    e1 = p0[0] * p[1] - p0[1] * p[0] - p0[2] * p[3] + p0[3] * p[2]
    e2 = p0[0] * p[2] - p0[2] * p[0] - p0[3] * p[1] + p0[1] * p[3]
    e3 = p0[0] * p[3] - p0[3] * p[0] - p0[1] * p[2] + p0[2] * p[1]
    if e0 < 0.0:
        e0, e1, e2, e3 = -e0, -e1, -e2, -e3
    sine = math.sqrt(e1 * e1 + e2 * e2 + e3 * e3)
    # angle / sin(angle / 2), from its series, to rounding, where turns are small
    z = sine * sine
    if z < 2.5e-3:
        x = 2.0 + z * (1.0 / 3.0 + z * (0.15 + z * (5.0 / 56.0 + z * (35.0 / 576.0 + z * (63.0 / 1408.0)))))
    else:
        x = 2.0 * math.atan2(sine, e0) / sine
    return x * e1, x * e2, x * e3


@inner
def _ways(S, past, base):
    """base <- sum c_j x_j of the instants before the present one."""
    at, plain = int_line(S, SLOT), int_line(S, PLAIN)
    n = line(past, 0)
    for k in range(base.shape[0]):
        base[k] = 0.0
    for age in range(1, KEPT):
        m, c = line(past, age), past.c[age]
        for b in range(at.shape[0] - 1):
            q, w = at[b], at[b] + TURN
            for i in range(TURN):
                base[q + i] += c * (past.r[m, b, i] - past.r[n, b, i])
            x, y, z = _turned(past.p[n, b], past.p[m, b])
            base[w] += c * x
            base[w + 1] += c * y
            base[w + 2] += c * z
        for k in range(plain.shape[0]):
            base[plain[k]] += c * (past.L[m, k] - past.L[n, k])


@inner
def begin(S, past, acc, start, base):
    """acc <- u_dot1 without gyroscopic parts, as it goes on from four instants; start and base <- what momentum, in
    world axes, and ways have of these."""
    _combine(past, past.on[1], past.acc, acc)
    _combine(past, past.c, past.momentum, start)
    _ways(S, past, base)


@inner
def internal_base(past, base):
    """base <- what internal unknowns have of the four instants; h g times their rates at the end is to come."""
    _combine(past, past.c, past.z, base)


@inner
def increment(at, plain, x, base, u1, dp, dx):
    """dx <- base + x dexp^-1(dx) u1 + dp: the way of a step, rotation by the rates in axes of its end.

    dexp^-1(q) w = w + q x w / 2 + k(|q|) q x (q x w), k = 1/12 + |q|^2/720 + ... (Magnus 1954), at the q that dx had.
    """
    for b in range(at.shape[0] - 1):
        for i in range(TURN):
            k = at[b] + i
            dx[k] = base[k] + x * u1[k] + dp[k]
        q = at[b] + TURN
        x0, x1, x2, w0, w1, w2 = dx[q], dx[q + 1], dx[q + 2], u1[q], u1[q + 1], u1[q + 2]
        y0, y1, y2 = x1 * w2 - x2 * w1, x2 * w0 - x0 * w2, x0 * w1 - x1 * w0
        size = x0 * x0 + x1 * x1 + x2 * x2
        k = 1.0 / 12.0 + size * (1.0 / 720.0 + size / 30240.0)
        dx[q] = base[q] + x * (w0 + 0.5 * y0 + k * (x1 * y2 - x2 * y1)) + dp[q]
        dx[q + 1] = base[q + 1] + x * (w1 + 0.5 * y1 + k * (x2 * y0 - x0 * y2)) + dp[q + 1]
        dx[q + 2] = base[q + 2] + x * (w2 + 0.5 * y2 + k * (x0 * y1 - x1 * y0)) + dp[q + 2]
    for n in range(plain.shape[0]):
        k = plain[n]
        dx[k] = base[k] + x * u1[k] + dp[k]


@inner
def motion_error(past, weight, udot1, tolerance, second, nu):
    """Error (m, rad) of a step of order 4, with what it counts in each slot, and whether the motion is rough; second:
    of a change of u_dot, the error of a step of second order."""
    worst, rough = 0.0, False
    a, b, c = line(past, 0), line(past, 1), line(past, 2)
    x1, x2, x3 = past.on[0, 0], past.on[0, 1], past.on[0, 2]
    for k in range(nu):
        y1, y2, y3 = past.udot[a, k], past.udot[b, k], past.udot[c, k]
        x = weight[k] * past.errors[0] * abs(udot1[k] - x1 * y1 - x2 * y2 - x3 * y3)
        worst = max(worst, x)
        if x > FELT * tolerance:
            change = max(abs(udot1[k] - y1), abs(y1 - y2), abs(y2 - y3))
            if x > ALTERNATES * weight[k] * second * change:
                rough = True
    return worst, rough


@inner
def elements_error(S, W, past, el_weight, slopes, force, moment):
    """The same of force elements, whose forces may be wrong by `force` (N) and `moment` (N m); see
    `step_size.element_error`. slopes: of the start of the step."""
    d, angles, worst = past.divided, int_line(S, EL), 0.0
    n0, n1, n2, n3 = line(past, 0), line(past, 1), line(past, 2), line(past, 3)
    for k in range(angles.shape[0]):
        slope = max(abs(W.el[k, 4]), abs(slopes[k, 4]))
        limit = moment if angles[k] == 1 else force
        if limit > 0.0 and slope > 0.0:
            high = d[0] * W.el[k, 1] + d[1] * past.rate[n0, k] + d[2] * past.rate[n1, k]
            high += d[3] * past.rate[n2, k] + d[4] * past.rate[n3, k]
            worst = max(worst, el_weight[k] * past.errors[1] * abs(high) * slope / limit)
    return worst


@inner
def internal_error(past, rates):
    """The same of internal unknowns, in their own units; rates: at the end of the step."""
    d, worst = past.divided, 0.0
    n0, n1, n2, n3 = line(past, 0), line(past, 1), line(past, 2), line(past, 3)
    for k in range(rates.shape[0]):
        high = d[0] * rates[k] + d[1] * past.z_rate[n0, k] + d[2] * past.z_rate[n1, k]
        high += d[3] * past.z_rate[n2, k] + d[4] * past.z_rate[n3, k]
        worst = max(worst, abs(past.errors[1] * high))
    return worst


@inner
def remember(past, t, r, p, L, momentum, acc, udot, el, z):
    """Add an accepted instant, the present one from now on."""
    n = (past.who[HEAD] + KEPT - 1) % KEPT
    past.who[HEAD] = n
    past.who[KNOWN] = min(past.who[KNOWN] + 1, KEPT)
    past.t[n] = t
    for b in range(r.shape[0]):
        for c in range(3):
            past.r[n, b, c] = r[b, c]
        for c in range(4):
            past.p[n, b, c] = p[b, c]
    for k in range(L.shape[0]):
        past.L[n, k] = L[k]
    for k in range(momentum.shape[0]):
        past.momentum[n, k], past.acc[n, k], past.udot[n, k] = momentum[k], acc[k], udot[k]
    for k in range(el.shape[0]):
        past.rate[n, k] = el[k, 1]
    for k in range(z.shape[1]):
        past.z[n, k], past.z_rate[n, k] = z[Z_NOW, k], z[Z_RATE, k]


@inner
def forget(past):
    """What lies before tells nothing of what comes."""
    past.who[KNOWN] = 0
