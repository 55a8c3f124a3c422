"""Any pair of surfaces: an ellipsoid on others by the common normal, and the closed forms of `shapes`.

Newton: n on the unit sphere, in the axes of b; where the support function of b has a kink (edges and faces of a box,
round and ends of cylinder and capsule) n is held on it as long as the point of the ellipsoid lies beside what meets
there (active set). Shapes that overlap by more than half their size have several common normals: the nearest from
where it starts is taken.
"""
# mypy: disable-error-code="no-untyped-def"

from __future__ import annotations

import math

from ..jit.decorators import inner, shared
from .shapes import (
    BOX,
    CAPSULE,
    CYLINDER,
    ELLIPSOID,
    GRAD,
    HELD,
    HESS,
    M_A,
    MORE,
    NOW,
    PLANE,
    SIDE,
    SIZE,
    SMALL,
    SPHERE,
    T1,
    T2,
    TRY,
    TURNED,
    D,
    _dot,
    _from,
    _into,
    _put,
    _spread,
    of_line_on_block,
    of_lines,
    on_plane,
)

ROUNDS = 60
NEAR = 1e-7  # rad
ALMOST = 1e-8  # rad: a step of Newton so small leaves its square over, and rounding hides whether it falls
TILTED = 1e-6  # rad, of a normal along an axis, so that it has a side


@inner
def _prepared(kind, Ra, sa, Rb, sb, ca, cb, T):
    """Ellipsoid a and d from a to b in the axes of b; half sizes of kinks of b, its squared semi-axes, radius of its
    disc; returns that of its sphere."""
    d, M = T[D], T[M_A]
    for k in range(3):
        T[TRY, k] = cb[k] - ca[k]
    _into(Rb, T[TRY], d)
    for r in range(3):  # R_b^T R_a
        for c in range(3):
            T[TURNED, 3 * r + c] = Rb[r] * Ra[c] + Rb[3 + r] * Ra[3 + c] + Rb[6 + r] * Ra[6 + c]
    _spread(T[TURNED], sa, M)
    half, q, held = T[SIZE], T[MORE], T[HELD]
    for k in range(3):
        half[k] = q[k] = held[k] = 0.0
    q[3] = 0.0
    if kind == ELLIPSOID:
        for k in range(3):
            q[k] = sb[k] * sb[k]
    elif kind == BOX:
        for k in range(3):
            half[k] = sb[k]
    elif kind == CYLINDER:
        half[2], q[3] = sb[1], sb[0]
    else:
        half[2] = sb[1]
        return sb[0]
    return 0.0


@inner
def _overlap(T, n):
    """h_a(n) + h_b(-n) - n.d without the sphere of b."""
    M, d, half, q = T[M_A], T[D], T[SIZE], T[MORE]
    a = b = 0.0
    for r in range(3):
        a += n[r] * (M[3 * r] * n[0] + M[3 * r + 1] * n[1] + M[3 * r + 2] * n[2])
        b += q[r] * n[r] * n[r]
    f = math.sqrt(max(a, 0.0)) + math.sqrt(b) - _dot(n, d)
    for k in range(3):
        f += half[k] * abs(n[k])
    return f + q[3] * math.sqrt(n[0] * n[0] + n[1] * n[1])


@inner
def _consider(T, x, y, z, best):
    """Start from the direction (x, y, z) where that is less deep than `best`."""
    size = math.sqrt(x * x + y * y + z * z)
    if size < SMALL:
        return best
    n = T[TRY]
    n[0], n[1], n[2] = x / size, y / size, z / size
    f = _overlap(T, n)
    if f < best:
        for k in range(3):
            T[NOW, k] = n[k]
        return f
    return best


@shared
def _begin(T):
    """A start without any knowledge: the least deep of a few directions."""
    d, half = T[D], T[SIZE]
    best = _consider(T, d[0], d[1], d[2], math.inf)
    x = d[0] - min(half[0], max(-half[0], d[0]))
    y = d[1] - min(half[1], max(-half[1], d[1]))
    z = d[2] - min(half[2], max(-half[2], d[2]))
    best = _consider(T, x, y, z, best)
    for k in range(3):
        x = math.copysign(1.0, d[k])
        best = _consider(T, x if k == 0 else 0.0, x if k == 1 else 0.0, x if k == 2 else 0.0, best)
    return best


@shared
def _slopes(T, n):
    """Gradient (T[GRAD]) and second derivatives (T[HESS]) of the overlap at n, kinks on which n lies left out."""
    M, d, half, q, g, H, side = T[M_A], T[D], T[SIZE], T[MORE], T[GRAD], T[HESS], T[SIDE]
    a = b = 0.0
    for r in range(3):
        T[TRY, r] = M[3 * r] * n[0] + M[3 * r + 1] * n[1] + M[3 * r + 2] * n[2]
        a += n[r] * T[TRY, r]
        b += q[r] * n[r] * n[r]
    a, b = math.sqrt(max(a, 1e-300)), math.sqrt(b)
    for r in range(3):
        g[r] = T[TRY, r] / a - d[r] + (q[r] * n[r] / b if b > 0.0 else 0.0)
        if T[HELD, r] == 0.0:
            g[r] += half[r] * side[r]
        for c in range(3):
            H[3 * r + c] = (M[3 * r + c] - T[TRY, r] * T[TRY, c] / (a * a)) / a
            if b > 0.0:
                H[3 * r + c] += ((q[r] if r == c else 0.0) - q[r] * n[r] * q[c] * n[c] / (b * b)) / b
    rho = math.sqrt(n[0] * n[0] + n[1] * n[1])
    if q[3] > 0.0 and rho > SMALL:
        for r in range(2):
            g[r] += q[3] * n[r] / rho
            for c in range(2):
                H[3 * r + c] += q[3] / rho * ((1.0 if r == c else 0.0) - n[r] * n[c] / (rho * rho))


@inner
def _tangents(T, n):
    """Directions in which n may go: T[T1], T[T2]; returns how many."""
    held, t, s = T[HELD], T[T1], T[T2]
    count = 0
    k = 0
    for c in range(3):
        if held[c] > 0.0:
            count, k = count + 1, c
    if count == 0:
        for c in range(3):
            if abs(n[c]) < abs(n[k]):
                k = c
    if count > 1:
        return 0
    a, b = (k + 1) % 3, (k + 2) % 3
    t[k], t[a], t[b] = 0.0, -n[b], n[a]  # across axis k and n
    size = math.sqrt(n[a] * n[a] + n[b] * n[b])
    for c in range(3):
        t[c] /= size
    s[0], s[1], s[2] = n[1] * t[2] - n[2] * t[1], n[2] * t[0] - n[0] * t[2], n[0] * t[1] - n[1] * t[0]
    return 2 if count == 0 else 1


@inner
def _quadratic(H, a, b):
    x = 0.0
    for r in range(3):
        x += a[r] * (H[3 * r] * b[0] + H[3 * r + 1] * b[1] + H[3 * r + 2] * b[2])
    return x


@inner
def _release(T, n):
    """Let n leave the kink beside which the ellipsoid's point lies furthest; returns whether there is one."""
    worst, k = 1e-12, -1
    for c in range(3):
        if T[HELD, c] > 0.0 and abs(T[GRAD, c]) - T[SIZE, c] > worst:
            worst, k = abs(T[GRAD, c]) - T[SIZE, c], c
    if k < 0:
        return False
    T[HELD, k], T[SIDE, k] = 0.0, -math.copysign(1.0, T[GRAD, k])
    return True


@inner
def _on_face(T, n):
    """Whether n is held along the normal of a face of a box beside whose edges the point of the ellipsoid lies: it is
    where `_release` finds nothing to do, known without second derivatives."""
    held, k = T[HELD], -1
    for c in range(3):
        if held[c] == 0.0:
            if k >= 0:
                return False
            k = c
    if k < 0 or T[MORE, 3] > 0.0 or T[MORE, 0] > 0.0:
        return False
    M, d = T[M_A], T[D]
    h, beside = math.sqrt(max(M[4 * k], 1e-300)), 0.0
    for c in range(3):
        if c != k:
            beside = max(beside, abs(M[3 * c + k] * n[k] / h - d[c]) - T[SIZE, c])
    return beside <= 1e-12


@shared
def _descend(T):
    """Newton's iterations from T[NOW] to the common normal."""
    n, half = T[NOW], T[SIZE]
    for k in range(3):
        T[HELD, k] = 1.0 if half[k] > 0.0 and abs(n[k]) < 1e-12 else 0.0
        T[SIDE, k] = math.copysign(1.0, n[k])
        if T[HELD, k] > 0.0:
            n[k] = 0.0
    for _ in range(ROUNDS):
        f = _overlap(T, n)
        if _on_face(T, n):
            return f
        _slopes(T, n)
        if T[MORE, 3] > 0.0 and n[0] * n[0] + n[1] * n[1] < 1e-24:  # a flat end: does the point lie on it?
            across = math.sqrt(T[GRAD, 0] ** 2 + T[GRAD, 1] ** 2)
            if across <= T[MORE, 3]:
                return f
            n[0], n[1] = -TILTED * T[GRAD, 0] / across, -TILTED * T[GRAD, 1] / across
            continue
        count = _tangents(T, n)
        if count == 0:
            if not _release(T, n):
                return f
            continue
        t, s, H = T[T1], T[T2], T[HESS]
        bent = _dot(n, T[GRAD])
        g1, h11 = _dot(t, T[GRAD]), _quadratic(H, t, t) - bent
        x = y = 0.0
        if count == 1:
            x = -g1 / h11 if h11 > 1e-9 * abs(bent) + SMALL else -math.copysign(0.1, g1)
        else:
            g2, h12, h22 = _dot(s, T[GRAD]), _quadratic(H, t, s), _quadratic(H, s, s) - bent
            mean, spread = 0.5 * (h11 + h22), math.sqrt(0.25 * (h11 - h22) ** 2 + h12 * h12)
            minimum = mean - spread
            if minimum <= 1e-9 * (mean + spread) + SMALL:  # bent the wrong way: as steep as it is, downhill
                shift = 1e-3 * abs(mean + spread) + 2.0 * abs(minimum) + SMALL
                h11, h22 = h11 + shift, h22 + shift
            across = h11 * h22 - h12 * h12
            x, y = (-h22 * g1 + h12 * g2) / across, (h12 * g1 - h11 * g2) / across
        size = math.sqrt(x * x + y * y)
        if size < NEAR and count == 1 and _release(T, n):  # not before it is low where it is held
            continue
        if size < ALMOST:
            for k in range(3):
                n[k] += x * t[k] + y * s[k]
            return _overlap(T, n)
        if size > 0.5:
            x, y = 0.5 * x / size, 0.5 * y / size
        if not _go(T, x, y, f):
            return min(f, _overlap(T, n))
    return _overlap(T, n)


@inner
def _go(T, x, y, f):
    """Move n by x, y along its tangents, as far as the next kink and no further than it falls; whether it moved."""
    n, new, t, s, half = T[NOW], T[TRY], T[T1], T[T2], T[SIZE]
    share, kink = 1.0, -1
    for k in range(3):
        if half[k] > 0.0 and T[HELD, k] == 0.0:
            by = x * t[k] + y * s[k]
            if (n[k] + by) * T[SIDE, k] < 0.0 and abs(n[k]) < share * abs(by):
                share, kink = abs(n[k] / by), k
    for halving in range(40):
        for k in range(3):
            new[k] = n[k] + share * (x * t[k] + y * s[k])
        if kink >= 0 and halving == 0:
            new[kink] = 0.0
        size = math.sqrt(_dot(new, new))
        for k in range(3):
            new[k] /= size
        if _overlap(T, new) <= f + 1e-16 + 1e-15 * abs(f):
            for k in range(3):
                n[k] = new[k]
            if kink >= 0 and halving == 0:
                T[HELD, kink] = 1.0
            return True
        share *= 0.5
    return False


@shared
def of_ellipsoid(kind, ca, Ra, sa, cb, Rb, sb, start, T, out):
    """An ellipsoid a on all but a plane b; start: world normal to begin with, or zeros."""
    ball = _prepared(kind, Ra, sa, Rb, sb, ca, cb, T)
    n = T[NOW]
    if _dot(start, start) > 0.5:
        _into(Rb, start, n)
        for k in range(3):
            n[k] = -n[k]
    else:
        _begin(T)
    depth = _descend(T) + ball
    M = T[M_A]
    for r in range(3):
        T[GRAD, r] = M[3 * r] * n[0] + M[3 * r + 1] * n[1] + M[3 * r + 2] * n[2]
    h = math.sqrt(max(_dot(n, T[GRAD]), 1e-300))
    for k in range(3):
        T[GRAD, k] = T[GRAD, k] / h - 0.5 * depth * n[k]
        n[k] = -n[k]
    _from(Rb, T[GRAD], T[TRY])
    _from(Rb, n, T[T1])
    for k in range(3):
        T[TRY, k] += ca[k]
    _put(out, depth, T[T1], T[TRY])


@shared
def between(kind_a, kind_b, ca, Ra, sa, cb, Rb, sb, start, T, out):
    """Any pair that is in `core.multibody.contact_pairs.ORDER`, in that order."""
    if kind_b == PLANE:
        on_plane(kind_a, ca, Ra, sa, cb, Rb, sb, T, out)
    elif kind_a == ELLIPSOID:
        of_ellipsoid(kind_b, ca, Ra, sa, cb, Rb, sb, start, T, out)
    elif kind_b == SPHERE or kind_b == CAPSULE:  # noqa: SIM109
        of_lines(ca, Ra, sa, cb, Rb, sb, T, out)
    else:
        of_line_on_block(kind_b, ca, Ra, sa, cb, Rb, sb, T, out)
