"""Whether two surfaces meet within a step, however fast they are: none may be past the other at its end.

Between both ends of a step the first surface moves in the axes of the body of the second along the cubic through poses
and velocities there (Hermite; the error is of fourth order). As a Bezier curve it is never faster than the largest of
the three vectors that its hodograph lies between, and along a direction n never faster than the largest of their
components (Farin 2002, ch. 5); quaternions likewise bound the rate of turning.

What is proved. Both surfaces are convex, so that in every pose the overlap along any one direction n that is fixed in
the second, D(n) = h_a(-n) + h_b(n) - n.d, is no less than the depth: at a common normal it is the depth, and a negative
D(n) keeps the two apart. Over a share x of the step D(n) rises by no more than x C(n),

    C(n) = max(0, -min_i n.w_i) + w_turn R,

w_i the vectors of the hodograph, w_turn the bound of the turning, R how much the reach of the first surface changes
with it (nothing for a ball; from its centre to its end for others). Therefore
  1. a pair that is apart by g stays apart for a share g / C(n): conservative advancement (Mirtich 1996). Going on by no
     less than NEARLY of the smallest half width, a touch that is missed between two looks is shallower than that;
  2. a pair that moves less than SHORT of its smallest half width within a step cannot have changed sides in it;
  3. a pair that touches is looked at so often that it moves by no more than SHORT between two looks. One whose normal
     has turned round in its depth (see contact_kernels) has passed the middle: the step is taken shorter until it obeys
     2, so that a pair changes sides in no step before it is seen past the middle at the end of one. There the run ends.
A pair that is apart at the start of a step is thus apart at the end with no touch between that is deeper than NEARLY,
or the step ends at the first touch; none is on the other side.
"""
# mypy: disable-error-code="no-untyped-def"

from __future__ import annotations

import math

from ..base.frames import rotation_matrix_kernel
from ..contact.common_normal import between
from ..contact.shapes import CAPSULE, ELLIPSOID, PLANE, RIM, SPHERE, _dot
from ..jit.decorators import inner, shared
from .contact_kernels import ALMOST, BOTH, FIRST, THROUGH
from .levers import point_velocity

EARLY = 1e-6  # share of a step; touches closer to its ends are not worth a step of their own
SHORT, NEARLY = 0.25, 0.02  # of the smallest half width
LOOKS = 400  # at a pair in a step; one that needs more takes a shorter step
ROUNDS = 50
SURE = 0.4  # cosine of a quarter of the turn in a step that is looked into
APART, TOUCHING, BESIDE, BEHIND = range(4)
# rows of the memory for it: the curve and its hodograph, quaternions behind places; axes; places; directions
CURVE, HODO, AXES_A, AXES_B, TURNED, R_A, C_A, SIZES, GUESS, BEFORE, HELD, V_A, V_B, S_B = (
    0, 4, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18,
)  # fmt: skip
SWEEP = 19
NOTHING, MET, TOO_LONG = range(3)


@inner
def _relative(i, j, qa, qb, s, r, p, u, G, at, rate):
    """Place of the point s of body i, quaternion of its axes, and the rates of both, in the axes of body j: into row
    `at` and, the rates, row `rate`."""
    A, B = G[AXES_A].reshape((3, 3)), G[AXES_B].reshape((3, 3))
    rotation_matrix_kernel(p[i], A)
    rotation_matrix_kernel(p[j], B)
    to, out, c, va, vb = G[at], G[rate], G[S_B], G[V_A], G[V_B]
    for e in range(3):
        va[e] = r[i, e] - r[j, e] + A[e, 0] * s[0] + A[e, 1] * s[1] + A[e, 2] * s[2]
    for e in range(3):
        c[e] = B[0, e] * va[0] + B[1, e] * va[1] + B[2, e] * va[2]
        to[e] = c[e]
    point_velocity(A, u, qa, s, va)
    point_velocity(B, u, qb, c, vb)
    for e in range(3):
        va[e] -= vb[e]
    for e in range(3):
        out[e] = B[0, e] * va[0] + B[1, e] * va[1] + B[2, e] * va[2]
    a0, a1, a2, a3 = p[i, 0], p[i, 1], p[i, 2], p[i, 3]
    b0, b1, b2, b3 = p[j, 0], -p[j, 1], -p[j, 2], -p[j, 3]
    q0, q1 = b0 * a0 - b1 * a1 - b2 * a2 - b3 * a3, b0 * a1 + b1 * a0 + b2 * a3 - b3 * a2
    q2, q3 = b0 * a2 - b1 * a3 + b2 * a0 + b3 * a1, b0 * a3 + b1 * a2 - b2 * a1 + b3 * a0
    for e in range(3):  # of a against b, in axes of a
        va[e] = B[e, 0] * u[qb + 3] + B[e, 1] * u[qb + 4] + B[e, 2] * u[qb + 5]
    x = u[qa + 3] - (A[0, 0] * va[0] + A[1, 0] * va[1] + A[2, 0] * va[2])
    y = u[qa + 4] - (A[0, 1] * va[0] + A[1, 1] * va[1] + A[2, 1] * va[2])
    z = u[qa + 5] - (A[0, 2] * va[0] + A[1, 2] * va[1] + A[2, 2] * va[2])
    to[3], to[4], to[5], to[6] = q0, q1, q2, q3
    out[3], out[4] = 0.5 * (-q1 * x - q2 * y - q3 * z), 0.5 * (q0 * x + q2 * z - q3 * y)
    out[5], out[6] = 0.5 * (q0 * y + q3 * x - q1 * z), 0.5 * (q0 * z + q1 * y - q2 * x)


@shared
def curve(i, j, qa, qb, s, r0, p0, u0, r1, p1, u1, h, G):
    """The motion of the point s (3,) of body i in the axes of body j over a step of h (s): Bezier points and hodograph.

    r, p, u: places, Euler parameters and velocities at both ends; qa, qb: first velocity slots. Returns bounds of the
    speed of that point (m/step) and of the turning (rad/step, infinite for more than half a turn or so).
    """
    _relative(i, j, qa, qb, s, r0, p0, u0, G, CURVE, HODO)
    _relative(i, j, qa, qb, s, r1, p1, u1, G, CURVE + 3, HODO + 2)
    same = 0.0
    for e in range(3, 7):
        same += G[CURVE, e] * G[CURVE + 3, e]
    if same < 0.0:
        for e in range(3, 7):
            G[CURVE + 3, e], G[HODO + 2, e] = -G[CURVE + 3, e], -G[HODO + 2, e]
    for e in range(7):
        G[HODO, e], G[HODO + 2, e] = h * G[HODO, e], h * G[HODO + 2, e]
        G[CURVE + 1, e] = G[CURVE, e] + G[HODO, e] / 3.0
        G[CURVE + 2, e] = G[CURVE + 3, e] - G[HODO + 2, e] / 3.0
        G[HODO + 1, e] = 3.0 * (G[CURVE + 2, e] - G[CURVE + 1, e])
    fast = turning = 0.0
    for k in range(3):
        x, y = 0.0, 0.0
        for e in range(3):
            x += G[HODO + k, e] ** 2
        for e in range(3, 7):
            y += G[HODO + k, e] ** 2
        fast, turning = max(fast, x), max(turning, y)
    if turning == 0.0:
        return math.sqrt(fast), 0.0
    size = minimum = math.inf
    for k in range(4):  # how long the quaternions are at least: along the middle of both ends
        x = y = 0.0
        for e in range(3, 7):
            middle = G[CURVE, e] + G[CURVE + 3, e]
            x, y = x + middle * G[CURVE + k, e], y + middle * middle
        size, minimum = math.sqrt(y), min(minimum, x)
    minimum /= size
    return math.sqrt(fast), 2.0 * math.sqrt(turning) / minimum if minimum > SURE else math.inf


@inner
def turned_reach(kind, what):
    """By how much the reach of a surface in a direction changes, at most, for each radian that it turns (m)."""
    if kind == SPHERE:
        return 0.0
    if kind == ELLIPSOID:
        return max(what[12], what[13], what[14]) - min(what[12], what[13], what[14])
    return what[13] if kind == CAPSULE else what[12] if kind == RIM else what[15]


@inner
def _closing(G, n, turning):
    """C(n) of the docstring, n (3,): from the second surface to the first."""
    minimum = min(_dot(n, G[HODO]), _dot(n, G[HODO + 1]), _dot(n, G[HODO + 2]))
    return max(0.0, -minimum) + turning


@shared
def _seen(kind_a, kind_b, a, b, thickness, x, G, T, out):
    """What is seen of two surfaces (their numbers a, b) at a share x of the step, out as of `between` in axes of the
    second's body, its depth with the thickness. Starts from the normal G[GUESS] and leaves its own there."""
    y = 1.0 - x
    b0, b1, b2, b3 = y * y * y, 3.0 * x * y * y, 3.0 * x * x * y, x * x * x
    c, Ra, A, sizes, guess = G[C_A], G[R_A], G[TURNED], G[SIZES], G[GUESS]
    for e in range(7):
        G[S_B, e] = b0 * G[CURVE, e] + b1 * G[CURVE + 1, e] + b2 * G[CURVE + 2, e] + b3 * G[CURVE + 3, e]
    size = 0.0
    for e in range(3):
        c[e] = G[S_B, e]
    if kind_a != SPHERE:
        for e in range(3, 7):
            size += G[S_B, e] ** 2
        size = math.sqrt(size)
        for e in range(3, 7):
            G[S_B, e] /= size
        rotation_matrix_kernel(G[S_B, 3:7], A.reshape((3, 3)))
        for e in range(3):
            for k in range(3):
                Ra[3 * e + k] = A[3 * e] * a[3 + k] + A[3 * e + 1] * a[6 + k] + A[3 * e + 2] * a[9 + k]
    for e in range(3):
        sizes[e] = math.inf if kind_b == PLANE else b[12 + e]
    between(kind_a, kind_b, c, Ra, a[12:15], b[0:3], b[3:12], sizes, guess[0:3], T, out)
    raw = out[0]
    out[0] += thickness
    if _dot(out[1:4], out[1:4]) > 0.5:
        for e in range(3):
            guess[e] = out[1 + e]
    else:  # centre on centre
        for e in range(3):
            out[1 + e] = guess[e]
    if out[0] <= 0.0:
        return APART
    if kind_b != PLANE:
        return TOUCHING
    along = across = 0.0
    for e in range(3):
        d = out[4 + e] - 0.5 * raw * out[1 + e] - b[e]
        along, across = along + d * b[3 + 3 * e], across + d * b[4 + 3 * e]
    aside = max(abs(along) - b[12], abs(across) - b[13])
    if aside > 0.0:
        out[0] = -aside
        return BESIDE
    if raw > b[14]:
        out[0] = b[14] - raw
        return BEHIND
    return TOUCHING


@shared
def _meeting(kind_a, kind_b, a, b, thickness, low, high, G, T, out):
    """Share at which they touch between one at which they do not and one at which they do."""
    for _ in range(ROUNDS):
        x = 0.5 * (low + high)
        if x <= low or x >= high:
            break
        if _seen(kind_a, kind_b, a, b, thickness, x, G, T, out) == TOUCHING:
            high = x
        else:
            low = x
    return high


@inner
def _away(kind_b, state, depth, known, n, held):
    """Whether a spot that touched has passed the middle; held: its normal when it was less deep."""
    if kind_b == PLANE:
        return state == BEHIND
    return depth > known[THROUGH] and (_dot(n, held) < 0.0 or depth > known[BOTH])


@shared
def sweep(kind_a, kind_b, a, b, thickness, known, turning, fast, G, T, out):
    """What a spot does in the step whose `curve` is in G: NOTHING, MET and the share of its first touch, or TOO_LONG.

    kind, a, b: kinds and numbers of its two surfaces; known: what is known of it; turning, fast: bounds of `curve`, the
    first times how much the reach of the surface changes with it. G[GUESS]: the normal to begin with, or zeros.
    """
    middle, n, held, before = known[THROUGH], out[1:4], G[HELD], G[BEFORE]
    x, state = 0.0, _seen(kind_a, kind_b, a, b, thickness, 0.0, G, T, out)
    inside = state == TOUCHING or (state == APART and -out[0] <= max(ALMOST, EARLY * (fast + turning)))
    for e in range(3):
        held[e] = known[FIRST + e] if inside else 0.0
    if _dot(held, held) == 0.0:
        for e in range(3):
            held[e] = n[e]
    for _ in range(LOOKS):
        depth, closing = out[0], _closing(G, n, turning)
        for e in range(3):
            before[e] = n[e]
            if inside and depth <= middle:
                held[e] = n[e]
        if state == APART and -depth >= closing * (1.0 - x) and not inside:
            return NOTHING, 1.0
        if state == APART and not inside:
            far = max(-depth, NEARLY * middle)
        elif state == APART or state == TOUCHING:  # noqa: SIM109
            far, closing = SHORT * middle, max(closing, _closing(G, held, turning))
        else:
            far, closing = max(-depth, SHORT * middle), fast + turning
        low, x = x, min(1.0, x + far / max(closing, 1e-300))
        state = _seen(kind_a, kind_b, a, b, thickness, x, G, T, out)
        if inside:
            if _away(kind_b, state, out[0], known, n, held) or (
                state == APART and (_dot(n, held) < 0.0 or _dot(n, before) < 0.0)
            ):
                return TOO_LONG, x
            inside = state == TOUCHING
        elif state == TOUCHING:
            for e in range(3):
                G[GUESS, e] = before[e]
            share = _meeting(kind_a, kind_b, a, b, thickness, low, x, G, T, out)
            return MET, share
        if x >= 1.0:
            return NOTHING, 1.0
    return TOO_LONG, x
