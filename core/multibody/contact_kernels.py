"""What contacts do: forces on the bodies, their tangent, what is remembered of accepted steps, where a step touches.

Their tables lie in `Work.touch`, integers behind a header of counts and places, and `Work.contact`, numbers; see
`core.multibody.contact_tables`, which lays them out.

A *pair* is two surfaces; it has a law, a memory and two rows of outputs: depth (m, negative for a gap), its rate,
normal force (N), stored energy, slope; and slip speed (m/s), nothing, friction (N), stored energy, nothing. It touches
in one *spot*, or, by the method of points, in many. What is lost goes at its rate into internal unknowns, one for the
normal forces and one for the work of friction, what is stored in bristles included, so that every method integrates it
in its own order within steps.

Bristles: deflection s = s0 + what the two material points that were in contact at the start of the step have moved
apart since, along the surface; k s, no more than friction allows. s0 and the two points are remembered when a step is
accepted. It depends on nothing but pose and memory, so that what is held does not creep (eq. 5.28 of Spicka 2020
integrates the slip speed; its sign would push along).

A step ends where surfaces touch, part or let go, since forces bend there. Where the load of that step is so light that
what bends is less than a step may be wrong by (LIGHT: N s^2, load times step squared), it goes on: at the touch the
pair remembers the rate that it had there (MET_AT).

Laws that jump: the force of a dashpot is there at once when surfaces touch. A step that ends at the touch would have
no solution if it had that force at its end (with it the surfaces are apart, without it they touch), and one that leads
over it no order. So such a pair that was apart at the last accepted instant does nothing in the step: the step ends
where it touches, as at any touch, the pair is remembered as touching, and what follows begins anew with the jump of the
accelerations. Letting go needs nothing: there the force of such a law is zero already.
"""
# mypy: disable-error-code="no-untyped-def"

from __future__ import annotations

import math
from typing import Any, NamedTuple

from ..contact.common_normal import between
from ..contact.shapes import (
    BOX,
    CAPSULE,
    CYLINDER,
    ELLIPSOID,
    PLANE,
    SCRATCH,
    SPHERE,
    _dot,
)
from ..jit.choice import choice
from ..jit.decorators import inner, kernel
from ..model.contact_laws import CONTACT_LAWS, DEEPEST, TOUCHED
from ..model.laws import Law
from .levers import point_velocity, push

# the header of Work.touch: counts, and where tables begin
(
    BODIES, FIRST_EL, SURFACES, PAIRS, SPOTS, AT_SLOTS, AT_SURFACES, AT_PAIRS, AT_SPOTS, F_SURFACES, F_PAIRS, F_SPOTS,
    F_SCRATCH, F_WORLD, F_SWEEP, F_KNOWN,
) = range(16)  # fmt: skip
HEADER = 16
# columns of the tables of integers; rows of numbers of a surface: place (3), rotation (9), sizes (3), bounding radius
KIND, ON, SURFACE_COLUMNS = range(3)
(
    A_SURFACE, B_SURFACE, A_BODY, B_BODY, COUPLE, LAW, FRICTION, P0, P1, M0, M1, Z_AT, S0, S1, TURNS, JUMPS,
    PAIR_COLUMNS,
) = range(17)  # fmt: skip
SPOT_A, SPOT_B, SWAPPED, SPOT_COLUMNS = range(4)
SURFACE_NUMBERS = 16
# what is found once for all pairs of a surface with those of one body: that body, a bound of how fast they close (m/s);
# that body, how far the surface moves in a step (m) and turns (rad)
CLOSES_ON, CLOSING, MOVES_ON, MOVES, TURNED_BY, KNOWN_NUMBERS = range(6)
THICKNESS, MU, SLIP, K_T, C_T, MIN_RATE, WORTH, LIGHT, MET_AT, PAIR_NUMBERS = range(10)
# what is known of a spot: weight; then as of the last forces; then how deep it may be before its side is in doubt, and
# to the middles of both surfaces (see contact_sweep); the normal of when it was last less deep than the former, in axes
# of the body of its second surface. Slopes along the normal, across it, and across it in the direction of friction
WEIGHT, DEPTH, RATE, NX, PX, LOAD, K_N, D_N, K_S, D_S, SX, FX = 0, 1, 2, 3, 6, 9, 10, 11, 12, 13, 14, 17
K_F, D_F, THROUGH, BOTH, FIRST, SPOT_NUMBERS = 20, 21, 22, 23, 24, 27
NONE, SMOOTH, BRISTLE, SPRING = range(4)
# a pair's memory: as of the laws, then the normal in axes of body b, in which that on a face stays; of bristles
# whether, s0 in axes of a, points
NORMAL, BENT, BENT_BY, POINT_A, POINT_B = 2, 5, 6, 9, 12
PLAIN_MEMORY, BENT_MEMORY = 5, 15
ALMOST = 1e-10  # m, by which a touch may be missed where a step ends in it
APART = -1.0  # of the rate that a pair remembers whose law jumps and that does not touch
SHOWN = 0.1  # of the smaller surface's size: gaps below it are measured exactly
CLOSE_BY = 0.02  # s, within which surfaces could meet: nearer ones are looked at exactly

_law = choice(list(enumerate(law.evaluate for law in CONTACT_LAWS)))


def law_number(law: Law) -> int:
    """The number of a law of contacts in the tables."""
    return CONTACT_LAWS.index(law)


@inner
def _to_body(A, r, point, s):
    """s: a world point in the axes of a body."""
    x, y, z = point[0] - r[0], point[1] - r[1], point[2] - r[2]
    for c in range(3):
        s[c] = A[0, c] * x + A[1, c] * y + A[2, c] * z


@inner
def _place(surfaces, what, world, A, r):
    """Centres and, but of spheres, whose rotation stays that of the world, rotations of all surfaces in the world."""
    for k in range(surfaces.shape[0]):
        b = surfaces[k, ON]
        s, W, B = what[k], world[k], A[b]
        for c in range(3):
            W[c] = r[b, c] + B[c, 0] * s[0] + B[c, 1] * s[1] + B[c, 2] * s[2]
        if surfaces[k, KIND] != SPHERE:
            for c in range(3):
                for e in range(3):
                    W[3 + 3 * c + e] = B[c, 0] * s[3 + e] + B[c, 1] * s[6 + e] + B[c, 2] * s[9 + e]


@inner
def _half_width(kind, wa, sa, n):
    """How far a reaches from its centre along n; of a box and the like at most."""
    if kind != ELLIPSOID:
        return sa[15]
    total = 0.0
    for c in range(3):
        along = sa[12 + c] * (wa[3 + c] * n[0] + wa[6 + c] * n[1] + wa[9 + c] * n[2])
        total += along * along
    return math.sqrt(total)


@inner
def _away(kind, wa, wb, sb, n):
    """Distance of the centre of a from b, and the direction n from b to it (world): of a cylinder from the box
    around it. 0 for a centre that is inside."""
    x = y = z = 0.0
    for c in range(3):
        d = wa[c] - wb[c]
        n[c] = d
        if kind != SPHERE:
            x, y, z = x + wb[3 + 3 * c] * d, y + wb[4 + 3 * c] * d, z + wb[5 + 3 * c] * d
    if kind == PLANE:
        for c in range(3):
            n[c] = wb[5 + 3 * c]
        return z
    less = sb[12] if kind == CAPSULE else sb[15]
    if kind == CAPSULE:
        z -= min(max(z, -sb[13]), sb[13])
    elif kind == BOX or kind == CYLINDER:  # noqa: SIM109
        less, last = 0.0, sb[14] if kind == BOX else sb[13]
        across = sb[13] if kind == BOX else sb[12]
        x, y, z = (
            x - min(max(x, -sb[12]), sb[12]),
            y - min(max(y, -across), across),
            z - min(max(z, -last), last),
        )
    if kind == BOX or kind == CYLINDER or kind == CAPSULE:  # noqa: SIM109
        for c in range(3):
            n[c] = wb[3 + 3 * c] * x + wb[4 + 3 * c] * y + wb[5 + 3 * c] * z
    size = math.sqrt(_dot(n, n))
    for c in range(3):
        n[c] = n[c] / size if size > 0.0 else 0.0
    return size - (_half_width(kind, wb, sb, n) if kind == ELLIPSOID else less)


@inner
def _closing(A, r, u, i, j, qa, qb, radius, position, T):
    """A bound of the speed at which points of a surface about `position` (world) of body i approach those of body j."""
    sa, sb, va, vb = T[3], T[4], T[5], T[6]
    _to_body(A[i], r[i], position, sa)
    _to_body(A[j], r[j], position, sb)
    point_velocity(A[i], u, qa, sa, va)
    point_velocity(A[j], u, qb, sb, vb)
    x = y = z = 0.0
    for c in range(3):
        x += (va[c] - vb[c]) ** 2
        y += u[qa + 3 + c] ** 2
        z += u[qb + 3 + c] ** 2
    return math.sqrt(x) + radius * (math.sqrt(y) + math.sqrt(z))


class Ends(NamedTuple):
    """The two bodies of a pair: axes, places of their centres, first velocity slots."""

    A: Any
    B: Any
    ra: Any
    rb: Any
    qa: Any
    qb: Any


@inner
def _hold(pair, number, m, ends, n, v, load, spot, T):
    """Friction of a spot: force on a (spot[FX:]), slopes, new deflection of bristles; returns what these store.

    v: velocity of a against b; load (N).
    """
    slip, f, s = T[0], T[1], T[2]
    A, B, ra, rb = ends.A, ends.B, ends.ra, ends.rb
    along = _dot(n, v)
    for c in range(3):
        slip[c] = v[c] - along * n[c]
    speed = math.sqrt(_dot(slip, slip))
    maximum = number[MU] * load
    if pair[FRICTION] == SMOOTH:
        share = math.tanh(speed / number[SLIP])
        across = maximum * share / speed if speed > 1e-9 * number[SLIP] else maximum / number[SLIP]
        spot[D_S], spot[D_F] = across, maximum * (1.0 - share * share) / number[SLIP]
        for c in range(3):
            spot[FX + c] = -across * slip[c]
        return 0.0
    for c in range(3):
        s[c] = 0.0
    if m[BENT] > 0.0:
        for c in range(3):
            s[c] = ra[c] - rb[c]
            for e in range(3):
                s[c] += A[c, e] * (m[BENT_BY + e] + m[POINT_A + e]) - B[c, e] * m[POINT_B + e]
    along = _dot(n, s)
    for c in range(3):
        s[c] -= along * n[c]
        f[c] = -number[K_T] * s[c] - number[C_T] * slip[c]
    size = math.sqrt(_dot(f, f))
    spot[K_S], spot[D_S] = spot[K_F], spot[D_F] = number[K_T], number[C_T]
    if pair[FRICTION] == BRISTLE and size > maximum:  # it only turns: |f| stays
        spot[K_S], spot[D_S] = number[K_T] * maximum / size, number[C_T] * maximum / size
        spot[K_F] = spot[D_F] = 0.0
        for c in range(3):
            f[c] *= maximum / size
            s[c] = -f[c] / number[K_T]
    for c in range(3):
        spot[FX + c], spot[SX + c] = f[c], s[c]
    return 0.5 * number[K_T] * _dot(s, s)


@inner
def _touch(pair, number, parameters, m, ends, u, force, spot, T, el, acts):
    """Law and friction of a spot that is deep enough, on both bodies, if it acts; adds to the outputs el (2, 5) of its
    pair. Returns the powers lost in the normal force and taken by friction."""
    n, point, sa, sb, va, vb = spot[NX : NX + 3], spot[PX : PX + 3], T[3], T[4], T[5], T[6]
    _to_body(ends.A, ends.ra, point, sa)
    _to_body(ends.B, ends.rb, point, sb)
    point_velocity(ends.A, u, ends.qa, sa, va)
    point_velocity(ends.B, u, ends.qb, sb, vb)
    for c in range(3):
        va[c] -= vb[c]
    spot[RATE] = -_dot(n, va)
    spot[LOAD] = spot[K_N] = spot[D_N] = spot[K_S] = spot[D_S] = spot[K_F] = spot[D_F] = 0.0
    for c in range(3):
        spot[FX + c] = 0.0
    if spot[DEPTH] > el[0, 0]:
        el[0, 0], el[0, 1] = spot[DEPTH], spot[RATE]
    if spot[DEPTH] <= 0.0 or not acts:
        return 0.0, 0.0
    load, slope, damping, stored, lost = _law(pair[LAW], parameters, spot[DEPTH], spot[RATE], m, 0.0)
    w = spot[WEIGHT]
    spot[LOAD], spot[K_N], spot[D_N] = w * load, w * slope, w * damping
    el[0, 2] += w * load
    el[0, 3] += w * stored
    el[0, 4] += w * abs(slope)
    taken = 0.0
    if pair[FRICTION] != NONE:
        el[1, 3] += _hold(pair, number, m, ends, n, va, w * load, spot, T)
        size = along = speed = 0.0
        for c in range(3):
            slip = va[c] + spot[RATE] * n[c]
            taken -= spot[FX + c] * va[c]
            along += spot[FX + c] ** 2
            speed += slip * slip
        size = math.sqrt(along)
        el[1, 0], el[1, 2] = math.sqrt(speed), el[1, 2] + size
    f = T[7]
    for c in range(3):
        f[c] = spot[LOAD] * n[c] + spot[FX + c]
    push(force, ends.qa, ends.A, sa, f, 1.0)
    push(force, ends.qb, ends.B, sb, f, -1.0)
    return w * lost, taken


@inner
def _look(surfaces, what, world, spot, number, start, T, out):
    """Depth, normal and point of a spot; the normal always from its second surface."""
    a, b = spot[SPOT_A], spot[SPOT_B]
    wa, wb = world[a], world[b]
    between(
        surfaces[a, KIND], surfaces[b, KIND], wa[0:3], wa[3:12], what[a, 12:15], wb[0:3], wb[3:12], what[b, 12:15],
        start, T, out,
    )  # fmt: skip
    if spot[SWAPPED] > 0:
        for c in range(3):
            out[1 + c] = -out[1 + c]


@inner
def _forget(known, first, end):
    """Leave nothing of what spots of a pair did when it was looked at last."""
    for q in range(first, end):
        spot = known[q]
        if spot[DEPTH] != 0.0 or spot[NX] != 0.0 or spot[NX + 1] != 0.0 or spot[NX + 2] != 0.0:
            for c in range(DEPTH, THROUGH):
                spot[c] = 0.0


@kernel
def contact_forces(I, F, A, r, u, force, el, z, how, memory):
    """Measure all pairs, add their forces to a line, their outputs and what they lose.

    I, F: Work.touch and .contact; A, r, el, z, memory: those of Work; u: velocities; how: Work.z_step.
    """
    ns, np, nt = I[SURFACES], I[PAIRS], I[SPOTS]
    at, slots = I[AT_SURFACES], I[AT_SLOTS]
    surfaces = I[at : at + ns * SURFACE_COLUMNS].reshape(ns, SURFACE_COLUMNS)
    pairs = I[I[AT_PAIRS] : I[AT_PAIRS] + np * PAIR_COLUMNS].reshape(np, PAIR_COLUMNS)
    spots = I[I[AT_SPOTS] : I[AT_SPOTS] + nt * SPOT_COLUMNS].reshape(nt, SPOT_COLUMNS)
    what = F[I[F_SURFACES] : I[F_SURFACES] + ns * SURFACE_NUMBERS].reshape(ns, SURFACE_NUMBERS)
    numbers = F[I[F_PAIRS] : I[F_PAIRS] + np * PAIR_NUMBERS].reshape(np, PAIR_NUMBERS)
    known = F[I[F_SPOTS] : I[F_SPOTS] + nt * SPOT_NUMBERS].reshape(nt, SPOT_NUMBERS)
    world = F[I[F_WORLD] : I[F_WORLD] + ns * 12].reshape(ns, 12)
    T = F[I[F_SCRATCH] : I[F_SCRATCH] + SCRATCH * 9].reshape(SCRATCH, 9)
    out, start = F[I[F_SCRATCH] + SCRATCH * 9 : I[F_SCRATCH] + SCRATCH * 9 + 7], T[SCRATCH - 1]
    _place(surfaces, what, world, A, r)
    once = F[I[F_KNOWN] : I[F_KNOWN] + ns * KNOWN_NUMBERS].reshape(ns, KNOWN_NUMBERS)
    for k in range(ns):
        once[k, CLOSES_ON] = -1.0
    for k in range(np):
        for c in range(2):
            z[1, pairs[k, Z_AT] + c] = 0.0
    for k in range(np):
        pair, number, m = pairs[k], numbers[k], memory[pairs[k, M0] : pairs[k, M1]]
        i, j, a, b = pair[A_BODY], pair[B_BODY], pair[A_SURFACE], pair[B_SURFACE]
        shown = el[I[FIRST_EL] + 2 * k : I[FIRST_EL] + 2 * k + 2]
        for c in range(5):
            shown[0, c] = shown[1, c] = 0.0
        _forget(known, pair[S0], pair[S1])
        ua, ub = I[slots + i], I[slots + j]
        reach = what[a, 15] if surfaces[b, KIND] == PLANE else min(what[a, 15], what[b, 15])
        # In any direction from b the surfaces are as far apart as their half widths leave.
        clear = _away(surfaces[b, KIND], world[a], world[b], what[b], T[7]) - number[THICKNESS]
        clear -= _half_width(surfaces[a, KIND], world[a], what[a], T[7])
        if clear > SHOWN * reach:
            if once[a, CLOSES_ON] != j:
                once[a, CLOSES_ON] = j
                once[a, CLOSING] = _closing(A, r, u, i, j, ua, ub, what[a, 15], world[a], T)
            if clear > SHOWN * reach + CLOSE_BY * once[a, CLOSING]:
                shown[0, 0] = -clear
                continue
        for c in range(3):  # as of the last accepted step, so that nothing else leaves a trace
            start[c] = A[j, c, 0] * m[NORMAL] + A[j, c, 1] * m[NORMAL + 1] + A[j, c, 2] * m[NORMAL + 2]
            if pair[S1] - pair[S0] > 1:
                start[c] = 0.0
            elif spots[pair[S0], SWAPPED] > 0:
                start[c] = -start[c]
        shown[0, 0] = -math.inf
        acts = pair[JUMPS] == 0 or how[0] < 0.0 or m[TOUCHED] > APART
        lost = taken = 0.0
        ends = Ends(A[i], A[j], r[i], r[j], ua, ub)
        for q in range(pair[S0], pair[S1]):
            _look(surfaces, what, world, spots[q], number, start, T, out)
            known[q, DEPTH] = out[0] + number[THICKNESS]
            for c in range(3):
                known[q, NX + c], known[q, PX + c] = out[1 + c], out[4 + c]
            one, other = _touch(
                pair, number, F[pair[P0] : pair[P1]], m, ends, u, force, known[q], T, shown, acts
            )
            lost, taken = lost + one, taken + other
        if how[0] >= 0.0:
            z[1, pair[Z_AT]] += lost / number[WORTH]
            z[1, pair[Z_AT] + 1] += taken / number[WORTH]
    for k in range(np):
        for c in range(2):
            q = pairs[k, Z_AT] + c
            if how[0] > 0.0:
                z[0, q] = z[2, q] + how[0] * z[1, q]


@inner
def _remember(pair, number, m, shown, spot, Aa, Ab, ra, rb):
    """What a pair remembers of the state of the last forces; twice is as once. Returns whether its force jumps now."""
    depth, rate, jumps = shown[0, 0], shown[0, 1], False
    if depth > 0.0 or (pair[JUMPS] == 0 and depth >= -ALMOST and rate > 0.0):
        if m[TOUCHED] <= 0.0:
            jumps = m[TOUCHED] == APART
            m[TOUCHED] = max(number[MET_AT] if number[MET_AT] > 0.0 else rate, number[MIN_RATE])
        m[DEEPEST] = max(m[DEEPEST], depth)
    elif pair[JUMPS] > 0:
        m[TOUCHED], m[DEEPEST] = APART, 0.0
    elif m[TOUCHED] != 0.0:
        m[TOUCHED] = m[DEEPEST] = 0.0
    seen = spot[NX] != 0.0 or spot[NX + 1] != 0.0 or spot[NX + 2] != 0.0
    for c in range(3):
        m[NORMAL + c] = 0.0
        if seen:
            m[NORMAL + c] = Ab[0, c] * spot[NX] + Ab[1, c] * spot[NX + 1] + Ab[2, c] * spot[NX + 2]
    if pair[M1] - pair[M0] < BENT_MEMORY:
        return jumps
    if depth <= 0.0:
        m[BENT] = 0.0
        return jumps
    m[BENT] = 1.0
    s, point = spot[SX : SX + 3], spot[PX : PX + 3]
    for c in range(3):
        m[BENT_BY + c] = Aa[0, c] * s[0] + Aa[1, c] * s[1] + Aa[2, c] * s[2]
    _to_body(Aa, ra, point, m[POINT_A : POINT_A + 3])
    _to_body(Ab, rb, point, m[POINT_B : POINT_B + 3])
    return jumps


@inner
def _behind(known, thickness, what, world):
    """Whether the deepest point of a spot on a plane is deeper than that is solid, and beside none of its edges."""
    out = known[DEPTH] - thickness
    x = y = z = 0.0
    for c in range(3):
        d = known[PX + c] - world[c] - 0.5 * out * known[NX + c]
        x, y, z = x + d * world[3 + 3 * c], y + d * world[4 + 3 * c], z + d * world[5 + 3 * c]
    return -z > what[14] and abs(x) <= what[12] and abs(y) <= what[13]


@inner
def _keeps_side(spot, known, kind, thickness, what, world, B):
    """Remember on which side of its second surface a spot is, B: axes of its body; returns whether it is still there.

    A spot that is less deep than THROUGH is where its normal points to. Deeper ones remember that normal: one that has
    turned round, or is deeper than BOTH, has passed the middle and pushes out on another side. A plane with a depth is
    left where what touched it is deeper, and is entered there where what did not touch is deep at once.
    """
    first, sign, turned = known[FIRST : FIRST + 3], -1.0 if spot[SWAPPED] > 0 else 1.0, 0.0
    touched = first[0] != 0.0 or first[1] != 0.0 or first[2] != 0.0
    if kind == PLANE and touched and _behind(known, thickness, what, world):
        return False
    if known[DEPTH] <= 0.0:
        first[:] = 0.0
        return True
    if kind == PLANE and not touched and known[DEPTH] > 0.5 * what[14]:
        return False
    deep = touched and known[DEPTH] > known[THROUGH]
    for c in range(3):
        along = sign * (B[0, c] * known[NX] + B[1, c] * known[NX + 1] + B[2, c] * known[NX + 2])
        turned += along * first[c]
        if not deep:
            first[c] = along
    return not deep or (turned >= 0.0 and known[DEPTH] <= known[BOTH])


@kernel
def contact_keep(I, F, A, r, el, memory, how):
    """Remember the state of the last forces as that of the last accepted step; returns the number of a pair that has
    left the side on which it touched, counted from 1, or 0. how: Work.z_step, which is told of a force that jumps."""
    ns, np, nt = I[SURFACES], I[PAIRS], I[SPOTS]
    surfaces = I[I[AT_SURFACES] : I[AT_SURFACES] + ns * SURFACE_COLUMNS].reshape(ns, SURFACE_COLUMNS)
    pairs = I[I[AT_PAIRS] : I[AT_PAIRS] + np * PAIR_COLUMNS].reshape(np, PAIR_COLUMNS)
    spots = I[I[AT_SPOTS] : I[AT_SPOTS] + nt * SPOT_COLUMNS].reshape(nt, SPOT_COLUMNS)
    what = F[I[F_SURFACES] : I[F_SURFACES] + ns * SURFACE_NUMBERS].reshape(ns, SURFACE_NUMBERS)
    numbers = F[I[F_PAIRS] : I[F_PAIRS] + np * PAIR_NUMBERS].reshape(np, PAIR_NUMBERS)
    known = F[I[F_SPOTS] : I[F_SPOTS] + nt * SPOT_NUMBERS].reshape(nt, SPOT_NUMBERS)
    world, lost = F[I[F_WORLD] : I[F_WORLD] + ns * 12].reshape(ns, 12), 0
    for k in range(np):
        pair, shown = pairs[k], el[I[FIRST_EL] + 2 * k : I[FIRST_EL] + 2 * k + 1]
        i, j = pair[A_BODY], pair[B_BODY]
        m = memory[pair[M0] : pair[M1]]
        if _remember(pair, numbers[k], m, shown, known[pair[S0]], A[i], A[j], r[i], r[j]):
            how[2] = 1.0
        for q in range(pair[S0], pair[S1]):
            b = spots[q, SPOT_B]
            if not _keeps_side(
                spots[q],
                known[q],
                surfaces[b, KIND],
                numbers[k, THICKNESS],
                what[b],
                world[b],
                A[surfaces[b, ON]],
            ):
                lost = k + 1
    return lost
