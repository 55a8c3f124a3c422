"""How points of a body move with it, and how forces at them act on it.

slot: the first velocity slot of the body; A (3, 3): its axes; s (3,): a point in them, from its centre of mass.
"""
# mypy: disable-error-code="no-untyped-def"

from __future__ import annotations

from ..jit.decorators import inner


@inner
def point_velocity(A, u, slot, s, out):
    """out = v + A (w x s)."""
    w0, w1, w2 = u[slot + 3], u[slot + 4], u[slot + 5]
    x = w1 * s[2] - w2 * s[1]
    y = w2 * s[0] - w0 * s[2]
    z = w0 * s[1] - w1 * s[0]
    for c in range(3):
        out[c] = u[slot + c] + A[c, 0] * x + A[c, 1] * y + A[c, 2] * z


@inner
def push(force, slot, A, s, f, sign):
    """Add sign f (world) at the point s of a body to the generalised forces."""
    b0 = sign * (A[0, 0] * f[0] + A[1, 0] * f[1] + A[2, 0] * f[2])
    b1 = sign * (A[0, 1] * f[0] + A[1, 1] * f[1] + A[2, 1] * f[2])
    b2 = sign * (A[0, 2] * f[0] + A[1, 2] * f[1] + A[2, 2] * f[2])
    for c in range(3):
        force[slot + c] += sign * f[c]
    force[slot + 3] += s[1] * b2 - s[2] * b1
    force[slot + 4] += s[2] * b0 - s[0] * b2
    force[slot + 5] += s[0] * b1 - s[1] * b0


@inner
def add_moment(force, slot, A, a, moment):
    """Add the moment (about the world direction a) to a body."""
    for c in range(3):
        force[slot + 3 + c] += moment * (A[0, c] * a[0] + A[1, c] * a[1] + A[2, c] * a[2])
