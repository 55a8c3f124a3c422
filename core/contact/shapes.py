"""How deep two surfaces lie in one another, along which normal, and where.

Depth is that of the common normal: for two convex surfaces the least of h_a(n) + h_b(-n) - n.d over unit vectors n near
the contact, h support functions and d from centre to centre; negative it is a gap. There the points of both surfaces
lie on one normal. What is said of a pair, in `out` (7,): depth (m), unit normal from b towards a, point half way
between the two points of the surfaces, in world axes.

Closed forms stand here: ellipsoid, sphere and rim of a cylinder on a plane; sphere and capsule on one another; sphere
on box and cylinder, and capsule, by halving along its axis. Where a capsule lies along a flat side, the middle of what
touches counts. An ellipsoid on all others, and any pair: common_normal.
"""
# mypy: disable-error-code="no-untyped-def"

from __future__ import annotations

import math

from ..jit.decorators import inner, shared

ELLIPSOID, SPHERE, CAPSULE, CYLINDER, BOX, PLANE, RIM = range(7)
HALVINGS = 60
SMALL = 1e-14
# rows of the scratch memory T (rows, 9)
M_A, D, NOW, GRAD, TRY, T1, T2, SEG_A, SEG_B, SIZE, SIDE, HELD, HESS, MORE, TURNED = range(15)
SCRATCH = 16


@inner
def _dot(a, b):
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]


@inner
def _into(R, v, out):
    """out = R^T v; R (9,) row by row."""
    for c in range(3):
        out[c] = R[c] * v[0] + R[3 + c] * v[1] + R[6 + c] * v[2]


@inner
def _from(R, v, out):
    """out = R v."""
    for c in range(3):
        out[c] = R[3 * c] * v[0] + R[3 * c + 1] * v[1] + R[3 * c + 2] * v[2]


@inner
def _spread(R, sizes, M):
    """M (9,) = R diag(sizes^2) R^T: the support function of an ellipsoid is sqrt(n.M n)."""
    for r in range(3):
        for c in range(3):
            M[3 * r + c] = (
                R[3 * r] * R[3 * c] * sizes[0] ** 2
                + R[3 * r + 1] * R[3 * c + 1] * sizes[1] ** 2
                + R[3 * r + 2] * R[3 * c + 2] * sizes[2] ** 2
            )


@inner
def _put(out, depth, n, point):
    out[0] = depth
    for c in range(3):
        out[1 + c], out[4 + c] = n[c], point[c]


@shared
def on_plane(kind, ca, Ra, sa, cb, Rb, sb, T, out):
    """Ellipsoid, sphere or rim a on a plane b; sizes of b: half length, half width, depth (inf for without end)."""
    n, deep, M = T[NOW], T[GRAD], T[M_A]
    for c in range(3):
        n[c] = Rb[3 * c + 2]
    if kind == ELLIPSOID:
        _spread(Ra, sa, M)
        _from(M, n, deep)
        h = math.sqrt(max(_dot(n, deep), 1e-300))
        for c in range(3):
            deep[c] = -deep[c] / h
    elif kind == SPHERE:
        h = sa[0]
        for c in range(3):
            deep[c] = -h * n[c]
    else:  # a rim about the third axis of a
        along = n[0] * Ra[2] + n[1] * Ra[5] + n[2] * Ra[8]
        across = math.sqrt(max(1.0 - along * along, 0.0))
        h = sa[0] * across
        for c in range(3):
            deep[c] = -sa[0] * (n[c] - along * Ra[3 * c + 2]) / across if across > 1e-9 else 0.0
    depth = h
    for c in range(3):
        depth -= n[c] * (ca[c] - cb[c])
        deep[c] += ca[c]
    x = y = 0.0
    for c in range(3):
        x += (deep[c] - cb[c]) * Rb[3 * c]
        y += (deep[c] - cb[c]) * Rb[3 * c + 1]
    beside = max(abs(x) - sb[0], abs(y) - sb[1])
    if beside > 0.0 or depth > sb[2]:
        depth = -max(beside, SMALL)
    for c in range(3):
        deep[c] += 0.5 * depth * n[c]
    _put(out, depth, n, deep)


@inner
def _ends(c, R, half, lo, hi):
    for k in range(3):
        lo[k], hi[k] = c[k] - half * R[3 * k + 2], c[k] + half * R[3 * k + 2]


@inner
def _clip(x):
    return min(1.0, max(0.0, x))


@shared
def of_lines(ca, Ra, sa, cb, Rb, sb, T, out):
    """Spheres and capsules on one another: the nearest points of two segments; sizes: radius, half length.

    Parallel segments touch in the middle of what they have beside one another.
    """
    u, v, w, n, p = T[T1], T[T2], T[TRY], T[NOW], T[GRAD]
    a = e = f = b = c = 0.0
    for k in range(3):
        u[k], v[k] = 2.0 * sa[1] * Ra[3 * k + 2], 2.0 * sb[1] * Rb[3 * k + 2]
        w[k] = ca[k] - 0.5 * u[k] - cb[k] + 0.5 * v[k]
    a, e, f, b, c = _dot(u, u), _dot(v, v), _dot(v, w), _dot(u, v), _dot(u, w)
    s = t = 0.0
    if a <= SMALL and e <= SMALL:
        s = t = 0.0
    elif a <= SMALL:
        t = _clip(f / e)
    elif e <= SMALL:
        s = _clip(-c / a)
    else:
        across = a * e - b * b
        if across > 1e-12 * a * e:
            s = _clip((b * f - c * e) / across)
        else:  # parallel: the middle of the shadow of b on a
            lo, hi = -c / a, (b - c) / a
            s = 0.5 * (_clip(min(lo, hi)) + _clip(max(lo, hi)))
        t = (b * s + f) / e
        if t < 0.0:
            t, s = 0.0, _clip(-c / a)
        elif t > 1.0:
            t, s = 1.0, _clip((b - c) / a)
    for k in range(3):
        p[k] = ca[k] + (s - 0.5) * u[k]
        n[k] = p[k] - cb[k] - (t - 0.5) * v[k]
    length = math.sqrt(_dot(n, n))
    if length > SMALL:
        for k in range(3):
            n[k] /= length
    else:  # the lines cross: across both of them
        n[0], n[1], n[2] = u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]
        size = math.sqrt(_dot(n, n))
        for k in range(3):
            n[k] = n[k] / size if size > SMALL else Ra[3 * k]
    depth = sa[0] + sb[0] - length
    for k in range(3):
        p[k] += (0.5 * depth - sa[0]) * n[k]
    _put(out, depth, n, p)


@shared
def _from_block(kind, p, sizes, n):
    """Signed distance of a point from a box (half sizes) or a cylinder (radius, half length), in its axes, and the unit
    normal there, into n."""
    if kind == BOX:
        outside, best, deepest = 0.0, 0, -math.inf
        for k in range(3):
            x = abs(p[k]) - sizes[k]
            n[k] = math.copysign(max(x, 0.0), p[k])
            outside += n[k] * n[k]
            if x > deepest:
                best, deepest = k, x
        if outside > 0.0:
            outside = math.sqrt(outside)
            for k in range(3):
                n[k] /= outside
            return outside
        for k in range(3):
            n[k] = 0.0
        n[best] = math.copysign(1.0, p[best])
        return deepest
    rho = math.sqrt(p[0] * p[0] + p[1] * p[1])
    x, z = rho - sizes[0], abs(p[2]) - sizes[1]
    cx, cy = (p[0] / rho, p[1] / rho) if rho > SMALL else (1.0, 0.0)
    if x > 0.0 or z > 0.0:
        dx, dz = max(x, 0.0), max(z, 0.0)
        far = math.sqrt(dx * dx + dz * dz)
        n[0], n[1], n[2] = dx / far * cx, dx / far * cy, math.copysign(dz / far, p[2])
        return far
    if x > z:
        n[0], n[1], n[2] = cx, cy, 0.0
        return x
    n[0], n[1], n[2] = 0.0, 0.0, math.copysign(1.0, p[2])
    return z


@inner
def _at(T, x, p):
    for k in range(3):
        p[k] = T[SEG_A, k] + x * T[SEG_B, k]


@inner
def _lowest(kind, T, sb, p, n, rising):
    """The share of the segment where the distance stops falling (rising: where it begins to rise)."""
    lo, hi = 0.0, 1.0
    for _ in range(HALVINGS):
        x = 0.5 * (lo + hi)
        _at(T, x, p)
        _from_block(kind, p, sb, n)
        slope = n[0] * T[SEG_B, 0] + n[1] * T[SEG_B, 1] + n[2] * T[SEG_B, 2]
        if slope < -SMALL or (rising and slope <= SMALL):
            lo = x
        else:
            hi = x
    return 0.5 * (lo + hi)


@shared
def of_line_on_block(kind, ca, Ra, sa, cb, Rb, sb, T, out):
    """Sphere or capsule a (radius, half length) on a box or cylinder b: the point of the axis of a that is least far
    outside b. The distance from a convex body is convex along it, so that halving finds it."""
    p, n, far = T[TRY], T[GRAD], T[TURNED]
    for k in range(3):
        far[k] = ca[k] - cb[k]
    _into(Rb, far, T[SEG_A])
    for k in range(3):
        far[k] = 2.0 * sa[1] * Ra[3 * k + 2]
    _into(Rb, far, T[SEG_B])
    share = 0.0
    if sa[1] > 0.0:
        for k in range(3):
            T[SEG_A, k] -= 0.5 * T[SEG_B, k]
        share = 0.5 * (_lowest(kind, T, sb, p, n, False) + _lowest(kind, T, sb, p, n, True))
    _at(T, share, p)
    depth = sa[0] - _from_block(kind, p, sb, n)
    _from(Rb, n, T[NOW])
    _from(Rb, p, far)
    for k in range(3):
        far[k] += cb[k] + (0.5 * depth - sa[0]) * T[NOW, k]
    _put(out, depth, T[NOW], far)
