"""How deep two surfaces lie in one another, along which normal, and where.

Depth is that of the common normal: for two convex surfaces the least of h_a(n) + h_b(-n) - n.d over unit vectors n near
the contact, h support functions and d from centre to centre; negative it is a gap. There the points of both surfaces
lie on one normal. What is said of a pair, in `out` (7,): depth (m), unit normal from b towards a, point half way
between the two points of the surfaces, in world axes.

  closed forms  ellipsoid, sphere and rim of a cylinder on a plane; sphere and capsule on one another; sphere on box and
                cylinder, and capsule, by halving along its axis
  Newton        ellipsoid on all others: n on the unit sphere, in the axes of b; where the support function of b has a
                kink (edges and faces of a box, round and ends of cylinder and capsule) n is held on it as long as the
                point of the ellipsoid lies beside what meets there (active set)
Where a capsule lies along a flat side, the middle of what touches counts. Shapes that overlap by more than half their
size have several common normals: the nearest from where it starts is taken.
"""
# mypy: disable-error-code="no-untyped-def"

from __future__ import annotations

import math

from ridewright.core.jit.decorators import inner, shared

ELLIPSOID, SPHERE, CAPSULE, CYLINDER, BOX, PLANE, RIM = range(7)
ROUNDS = 60
HALVINGS = 60
SMALL = 1e-14
NEAR = 1e-7  # rad
TILTED = 1e-6  # rad, of a normal along an axis, so that it has a side
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
            least = mean - spread
            if least <= 1e-9 * (mean + spread) + SMALL:  # bent the wrong way: as steep as it is, downhill
                shift = 1e-3 * abs(mean + spread) + 2.0 * abs(least) + SMALL
                h11, h22 = h11 + shift, h22 + shift
            across = h11 * h22 - h12 * h12
            x, y = (-h22 * g1 + h12 * g2) / across, (h12 * g1 - h11 * g2) / across
        size = math.sqrt(x * x + y * y)
        if size < NEAR and count == 1 and _release(T, n):  # not before it is low where it is held
            continue
        if size > 0.5:
            x, y = 0.5 * x / size, 0.5 * y / size
        if not _go(T, x, y, f) or size < 1e-13:
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
