"""Rates and pose increments over a step of the implicit integrator, rotation by its angular momentum (see genalpha).

The unknown of a body's rotational slots is s = J^-1 (all moments but the gyroscopic one) in body axes. The momentum
A J w, which changes by A J s, is carried from step to step in world axes, and rates follow from where the body has
turned: one without moments has s = 0 and keeps its momentum to rounding, whatever step, tolerance and iterations are.
J is diagonal; what else a body's mass has (`core.multibody.mass_kernels`) enters with the changes of the rates. body
(nb, 4): mass and inertia; euler (nb, 6): 1 / J and the factors of w1 w2, w2 w0 and w0 w1 in J^-1 (J w x w); at
(nb + 1,): first slots of the bodies; A (nb + 1, 3, 3): axes, A0 at the start of a step and A1 at its end. What stands
in no rotational slot has accelerations and forces for what they are.
"""
# mypy: disable-error-code="no-untyped-def"

from __future__ import annotations

from ..base.frames import rotation_matrix_kernel
from ..jit.decorators import inner
from ..multibody.layout import RIGID, TURN


@inner
def _gyroscopic(body, at, b, u):
    """The moment J w x w of a body, in its axes."""
    q = at[b] + TURN
    w0, w1, w2 = u[q], u[q + 1], u[q + 2]
    J0, J1, J2 = body[b, 1], body[b, 2], body[b, 3]
    return (J1 - J2) * w1 * w2, (J2 - J0) * w2 * w0, (J0 - J1) * w0 * w1


@inner
def leave_gyroscopic(body, at, u, force):
    """Take the gyroscopic moments out of forces, to the last digit."""
    for b in range(body.shape[0]):
        q = at[b] + TURN
        m0, m1, m2 = _gyroscopic(body, at, b, u)
        force[q], force[q + 1], force[q + 2] = force[q] - m0, force[q + 1] - m1, force[q + 2] - m2


@inner
def add_gyroscopic(euler, at, x, u, out):
    """out += x J^-1 (J w x w) in the rotational slots, w those of u: what bodies left alone change their rates by."""
    for b in range(euler.shape[0]):
        q = at[b] + TURN
        w0, w1, w2 = u[q], u[q + 1], u[q + 2]
        out[q] += x * euler[b, 3] * w1 * w2
        out[q + 1] += x * euler[b, 4] * w2 * w0
        out[q + 2] += x * euler[b, 5] * w0 * w1


@inner
def axes(p, A):
    """A <- axes of the bodies at p (nb + 1, 4)."""
    for b in range(p.shape[0]):
        rotation_matrix_kernel(p[b], A[b])


@inner
def _out(A, m0, m1, m2):
    """A m."""
    return (
        A[0, 0] * m0 + A[0, 1] * m1 + A[0, 2] * m2,
        A[1, 0] * m0 + A[1, 1] * m1 + A[1, 2] * m2,
        A[2, 0] * m0 + A[2, 1] * m1 + A[2, 2] * m2,
    )


@inner
def _in(A, m0, m1, m2):
    """A^T m."""
    return (
        A[0, 0] * m0 + A[1, 0] * m1 + A[2, 0] * m2,
        A[0, 1] * m0 + A[1, 1] * m1 + A[2, 1] * m2,
        A[0, 2] * m0 + A[1, 2] * m1 + A[2, 2] * m2,
    )


@inner
def to_world(body, at, A, x):
    """x <- A J x in the rotational slots."""
    for b in range(body.shape[0]):
        q = at[b] + TURN
        x[q], x[q + 1], x[q + 2] = _out(A[b], body[b, 1] * x[q], body[b, 2] * x[q + 1], body[b, 3] * x[q + 2])


@inner
def to_body(body, at, A, x, out):
    """out <- x, and J^-1 A^T x in the rotational slots."""
    for k in range(x.shape[0]):
        out[k] = x[k]
    for b in range(body.shape[0]):
        q = at[b] + TURN
        m0, m1, m2 = _in(A[b], x[q], x[q + 1], x[q + 2])
        out[q], out[q + 1], out[q + 2] = m0 / body[b, 1], m1 / body[b, 2], m2 / body[b, 3]


@inner
def carry(body, at, A_from, A_to, x, out):
    """out <- x, and J^-1 A_to^T A_from J x in the rotational slots: the same changes of momentum in other axes."""
    for k in range(x.shape[0]):
        out[k] = x[k]
    to_world(body, at, A_from, out)
    to_body(body, at, A_to, out, out)


@inner
def mean_of_ends(body, at, plain, A0, A1, u0, u1, start, end):
    """end <- the mean of the forces at both ends, moments without gyroscopic ones and in the axes of the end; start <-
    their change, moments with gyroscopic ones and each in its own axes."""
    for b in range(body.shape[0]):
        q = at[b] + TURN
        g0, g1, g2 = _gyroscopic(body, at, b, u0)
        m0, m1, m2 = _out(A0[b], start[q] - g0, start[q + 1] - g1, start[q + 2] - g2)
        m0, m1, m2 = _in(A1[b], m0, m1, m2)
        g0, g1, g2 = _gyroscopic(body, at, b, u1)
        end[q], start[q] = 0.5 * (end[q] - g0 + m0), end[q] - start[q]
        end[q + 1], start[q + 1] = 0.5 * (end[q + 1] - g1 + m1), end[q + 1] - start[q + 1]
        end[q + 2], start[q + 2] = 0.5 * (end[q + 2] - g2 + m2), end[q + 2] - start[q + 2]
        for k in range(at[b], q):
            end[k], start[k] = 0.5 * (end[k] + start[k]), end[k] - start[k]
    for q in range(plain.shape[0]):
        k = plain[q]
        end[k], start[k] = 0.5 * (end[k] + start[k]), end[k] - start[k]


@inner
def mean_changes(at, h, u0, u1, acc1, out):
    """out <- acc1, and in the rotational slots the mean change of the rates themselves over a step."""
    for k in range(out.shape[0]):
        out[k] = acc1[k]
    for b in range(at.shape[0] - 1):
        for k in range(at[b] + TURN, at[b] + RIGID):
            out[k] = (u1[k] - u0[k]) / h


@inner
def rates(body, at, A1, start, x, acc1, u1):
    """u1 <- start + x acc1, the rotational slots of start being momentum (or what changes it) in world axes."""
    to_body(body, at, A1, start, u1)
    for k in range(u1.shape[0]):
        u1[k] += x * acc1[k]


@inner
def momentum_after(body, at, A1, start, x, acc1, out):
    """out <- u1 of `rates`, with momentum in world axes in the rotational slots."""
    for k in range(out.shape[0]):
        out[k] = x * acc1[k]
    to_world(body, at, A1, out)
    for k in range(out.shape[0]):
        out[k] += start[k]


@inner
def turn_rates(euler, at, A1, held, start, x, h, back, acc1, u1):
    """As `rates` for the rotational slots, in which u1 holds the rates that the turn to the axes A1 was made of.

    If they change, a body without constraints turns on: returned is the largest angle (rad) by which. One that
    constraints hold (held) stays, and its s becomes the one that belongs to its turn, so that all that moves it goes
    through the tangent; left alone it would turn by its own small inertia against the large ones that it is joined to.
    """
    worst, slower = 0.0, back / x
    for b in range(euler.shape[0]):
        q = at[b] + TURN
        m0, m1, m2 = _in(A1[b], start[q], start[q + 1], start[q + 2])
        w0 = m0 * euler[b, 0] + x * acc1[q]
        w1 = m1 * euler[b, 1] + x * acc1[q + 1]
        w2 = m2 * euler[b, 2] + x * acc1[q + 2]
        d0, d1, d2 = w0 - u1[q], w1 - u1[q + 1], w2 - u1[q + 2]
        if held[b] == 1:
            acc1[q], u1[q] = acc1[q] - slower * d0, w0 - back * d0
            acc1[q + 1], u1[q + 1] = acc1[q + 1] - slower * d1, w1 - back * d1
            acc1[q + 2], u1[q + 2] = acc1[q + 2] - slower * d2, w2 - back * d2
        else:
            u1[q], u1[q + 1], u1[q + 2] = w0, w1, w2
            worst = max(worst, abs(d0), abs(d1), abs(d2))
    return 0.5 * h * worst


@inner
def increment(euler, at, h, x, base, u0, u1, acc1, dp, dx):
    """The pose increment of a step, base + h u1 / 2 + x acc1 + dp; see `increment_base`.

    Rotation adds what the gyroscopic accelerations and the turning of the axes make of the mean of the rates at both
    ends, h^2 / 12 (w_dot0 - w_dot1 + w0 x w1): a body left alone turns to the fourth order (Magnus 1954).
    """
    for k in range(dx.shape[0]):
        dx[k] = base[k] + 0.5 * h * u1[k] + x * acc1[k] + dp[k]
    z = h * h / 12.0
    for b in range(euler.shape[0]):
        q = at[b] + TURN
        w0, w1, w2 = u1[q], u1[q + 1], u1[q + 2]
        dx[q] += z * (u0[q + 1] * w2 - (u0[q + 2] + euler[b, 3] * w2) * w1)
        dx[q + 1] += z * (u0[q + 2] * w0 - (u0[q] + euler[b, 4] * w0) * w2)
        dx[q + 2] += z * (u0[q] * w1 - (u0[q + 1] + euler[b, 5] * w1) * w0)


@inner
def increment_base(euler, at, h, y, u0, rest, base):
    """base <- the part h u0 / 2 + y rest + h^2 / 12 w_dot0 of a pose increment that the start of the step decides."""
    for k in range(base.shape[0]):
        base[k] = 0.5 * h * u0[k] + y * rest[k]
    add_gyroscopic(euler, at, h * h / 12.0, u0, base)
