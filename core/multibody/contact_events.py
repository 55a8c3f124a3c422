"""Where in a step a pair of surfaces touches, parts or lets go, so that the step ends there."""
# mypy: disable-error-code="no-untyped-def"

from __future__ import annotations

import math

from ..contact.shapes import PLANE, SCRATCH
from ..jit.decorators import inner, kernel, shared
from ..model.contact_laws import TOUCHED
from .contact_kernels import (
    A_BODY,
    A_SURFACE,
    ALMOST,
    APART,
    AT_PAIRS,
    AT_SLOTS,
    AT_SPOTS,
    AT_SURFACES,
    B_BODY,
    B_SURFACE,
    F_KNOWN,
    F_PAIRS,
    F_SCRATCH,
    F_SPOTS,
    F_SURFACES,
    F_SWEEP,
    FIRST,
    FIRST_EL,
    JUMPS,
    KIND,
    KNOWN_NUMBERS,
    LAW,
    LIGHT,
    M0,
    M1,
    MET_AT,
    MOVES,
    MOVES_ON,
    ON,
    P0,
    P1,
    PAIR_COLUMNS,
    PAIR_NUMBERS,
    PAIRS,
    S0,
    S1,
    SPOT_A,
    SPOT_B,
    SPOT_COLUMNS,
    SPOT_NUMBERS,
    SPOTS,
    SURFACE_COLUMNS,
    SURFACE_NUMBERS,
    SURFACES,
    THICKNESS,
    THROUGH,
    TURNED_BY,
    TURNS,
    _law,
)
from .contact_sweep import (
    CURVE,
    EARLY,
    GUESS,
    MET,
    NEARLY,
    NOTHING,
    SHORT,
    SWEEP,
    TOO_LONG,
    curve,
    sweep,
    turned_reach,
)
from .crossings import HALVINGS, between_ends, crossing, turning

USUAL = -1  # of a pair that cannot have been passed: the cubic through its depths says when it touches
AT_ONCE = 1e-3  # share of a step that is too long, after which a method goes on that cannot take another one


@inner
def _released(pair, parameters, m, h, x0, v0, x1, v1):
    """Share of a step in contact after which the law lets go, or takes hold again, above depth 0; 1 for none."""
    if x0 <= 0.0 or x1 <= 0.0:
        return 1.0
    holds = _law(pair[LAW], parameters, x0, v0 / h, m, 0.0)[0] > 0.0
    if (_law(pair[LAW], parameters, x1, v1 / h, m, 0.0)[0] > 0.0) == holds:
        return 1.0
    a, b = 0.0, 1.0
    rise = x1 - x0
    c1, c2 = 3.0 * rise - 2.0 * v0 - v1, v0 + v1 - 2.0 * rise
    for _ in range(HALVINGS):
        x = 0.5 * (a + b)
        depth, rate = between_ends(x, x0, v0, x1, v1), v0 + x * (2.0 * c1 + 3.0 * c2 * x)
        if depth > 0.0 and (_law(pair[LAW], parameters, depth, rate / h, m, 0.0)[0] > 0.0) == holds:
            a = x
        else:
            b = x
    return b


@inner
def _met(x0, v0, x1, v1):
    """Share of a step after which two surfaces touch or part, also where both happens within it; 1 for neither."""
    if (x0 > 0.0) == (x1 > 0.0) and (v0 > 0.0) != (v1 > 0.0) and (v0 > 0.0) == (x0 <= 0.0):
        turn = turning(x0, v0, x1, v1)
        if turn < 1.0:
            top = between_ends(turn, x0, v0, x1, v1)
            if (top > 0.0) != (x0 > 0.0):
                a, b = 0.0, turn
                for _ in range(HALVINGS):
                    x = 0.5 * (a + b)
                    if (between_ends(x, x0, v0, x1, v1) > 0.0) == (x0 > 0.0):
                        a = x
                    else:
                        b = x
                return b
    return crossing(0.0, x0, v0, x1, v1)


@inner
def _passed(x, x0, v0, x1, v1, h):
    """The rate of the depth (m/s) at a share of the step h (s)."""
    c1, c2 = 3.0 * (x1 - x0) - 2.0 * v0 - v1, v0 + v1 - 2.0 * (x1 - x0)
    return (v0 + x * (2.0 * c1 + 3.0 * c2 * x)) / h


@inner
def _gap(b, kind, what_a, thickness, shown, G):
    """No more than the gap of a pair at the start of the step: from a plane with edges that of one without."""
    if kind != PLANE:
        return -shown
    away = -what_a[15] - thickness
    for e in range(3):
        away += b[5 + 3 * e] * (G[CURVE, e] - b[e])
    return away


@inner
def _moved(once, a, i, j, slots, s, r0, p0, u0, r1, p1, u1, h, G):
    """The bounds of `curve` of the middle of a surface, found once for all its pairs with one body."""
    if once[a, MOVES_ON] != j:
        once[a, MOVES_ON] = j
        once[a, MOVES], once[a, TURNED_BY] = curve(i, j, slots[i], slots[j], s, r0, p0, u0, r1, p1, u1, h, G)
    return once[a, MOVES], once[a, TURNED_BY]


@shared
def _swept(
    pair, spots, surfaces, what, known, once, thickness, slots, shown, r0, p0, u0, r1, p1, u1, h, G, T, out
):
    """What a pair does in a step h (s): USUAL, NOTHING, MET or TOO_LONG, the share of its first touch, and how far it
    moves (m); shown: its depth at the start."""
    a, b, i, j, middle = (
        pair[A_SURFACE],
        pair[B_SURFACE],
        pair[A_BODY],
        pair[B_BODY],
        known[pair[S0], THROUGH],
    )
    fast, turns = _moved(once, a, i, j, slots, what[a, 0:3], r0, p0, u0, r1, p1, u1, h, G)
    reach = turned_reach(surfaces[a, KIND], what[a])
    turned = turns * reach if reach > 0.0 else 0.0
    if fast + turned <= SHORT * middle:
        return USUAL, 1.0, fast + turned
    fast, turns = curve(i, j, slots[i], slots[j], what[a, 0:3], r0, p0, u0, r1, p1, u1, h, G)
    gap = _gap(what[b], surfaces[b, KIND], what[a], thickness, shown, G)
    if gap > fast + min(turned, 2.0 * what[a, 15]):
        return NOTHING, 1.0, fast + turned
    if turned == math.inf:
        return TOO_LONG, 0.5, turned
    share, found = 1.0, NOTHING
    for q in range(pair[S0], pair[S1]):
        a, b = spots[q, SPOT_A], spots[q, SPOT_B]
        i, j = surfaces[a, ON], surfaces[b, ON]
        if pair[S1] - pair[S0] > 1:
            fast, turns = curve(i, j, slots[i], slots[j], what[a, 0:3], r0, p0, u0, r1, p1, u1, h, G)
            reach = turned_reach(surfaces[a, KIND], what[a])
            turned = turns * reach if reach > 0.0 else 0.0
            if turned == math.inf:
                return TOO_LONG, 0.5, turned
        for e in range(3):
            G[GUESS, e] = known[q, FIRST + e] if pair[S1] - pair[S0] == 1 else 0.0
        stated, x = sweep(
            surfaces[a, KIND],
            surfaces[b, KIND],
            what[a],
            what[b],
            thickness,
            known[q],
            turned,
            fast,
            G,
            T,
            out,
        )
        if stated == TOO_LONG:
            return TOO_LONG, x, fast + turned
        if stated == MET and x < share:
            share, found = x, MET
    return found, share, fast + turned


@kernel
def contact_event(I, F, memory, start, end, h, found, again):
    """The least of `found` and the shares of a step h (s) at which a pair touches, parts, lets go or, where its law
    remembers that, turns; and whether a pair that touches moves too far in it for its side to be known.

    start, end: the instants at both ends (see event_kernels). again: ask of a step that has been cut short at a touch
    only whether another pair met clearly before its end. Loads that are light (see contact_kernels) end no step.
    """
    ns, np, nt = I[SURFACES], I[PAIRS], I[SPOTS]
    surfaces = I[I[AT_SURFACES] : I[AT_SURFACES] + ns * SURFACE_COLUMNS].reshape(ns, SURFACE_COLUMNS)
    pairs = I[I[AT_PAIRS] : I[AT_PAIRS] + np * PAIR_COLUMNS].reshape(np, PAIR_COLUMNS)
    spots = I[I[AT_SPOTS] : I[AT_SPOTS] + nt * SPOT_COLUMNS].reshape(nt, SPOT_COLUMNS)
    what = F[I[F_SURFACES] : I[F_SURFACES] + ns * SURFACE_NUMBERS].reshape(ns, SURFACE_NUMBERS)
    numbers = F[I[F_PAIRS] : I[F_PAIRS] + np * PAIR_NUMBERS].reshape(np, PAIR_NUMBERS)
    known = F[I[F_SPOTS] : I[F_SPOTS] + nt * SPOT_NUMBERS].reshape(nt, SPOT_NUMBERS)
    T = F[I[F_SCRATCH] : I[F_SCRATCH] + SCRATCH * 9].reshape(SCRATCH, 9)
    out = F[I[F_SCRATCH] + SCRATCH * 9 : I[F_SCRATCH] + SCRATCH * 9 + 7]
    G = F[I[F_SWEEP] : I[F_SWEEP] + SWEEP * 9].reshape(SWEEP, 9)
    slots = I[I[AT_SLOTS] : I[AT_SURFACES]]
    once = F[I[F_KNOWN] : I[F_KNOWN] + ns * KNOWN_NUMBERS].reshape(ns, KNOWN_NUMBERS)
    for k in range(ns):
        once[k, MOVES_ON] = -1.0
    for k in range(np):
        pair, row = pairs[k], I[FIRST_EL] + 2 * k
        x0, v0, x1, v1 = start.el[row, 0], h * start.el[row, 1], end.el[row, 0], h * end.el[row, 1]
        m, stated, x, early, number = memory[pair[M0] : pair[M1]], USUAL, 1.0, EARLY, numbers[k]
        load = max(start.el[row, 2], end.el[row, 2])
        light = number[LIGHT] > 0.0 and h * h * load <= number[LIGHT]
        number[MET_AT] = 0.0
        if pair[JUMPS] > 0 and m[TOUCHED] == APART and x0 < ALMOST:
            # as near as it is, the touch is not missed, and the step ends where they do touch: the force jumps there
            x0, x1, early = x0 - ALMOST, x1 - ALMOST, 0.0
        if known[pair[S0], THROUGH] < math.inf:
            stated, x, moved = _swept(
                pair, spots, surfaces, what, known, once, number[THICKNESS], slots, x0, start.r, start.p, start.u,
                end.r, end.p, end.u, h, G, T, out,
            )  # fmt: skip
            if stated == TOO_LONG:
                return min(found, AT_ONCE), True
            minimum = NEARLY * known[pair[S0], THROUGH] / moved if again else EARLY
            if stated == MET and x < min(found, 1.0 - minimum):
                found = x
        if again:
            continue
        if stated == USUAL or x0 > 0.0 or early == 0.0:
            x = _met(x0, v0, x1, v1)
            if light and (x0 > 0.0) != (x1 > 0.0):
                number[MET_AT] = _passed(x, x0, v0, x1, v1, h) if x1 > 0.0 else 0.0
            elif early < x < min(found, 1.0 - EARLY):
                found = x
        if light or pair[S1] - pair[S0] > 1:
            continue
        x = _released(pair, F[pair[P0] : pair[P1]], m, h, x0, v0, x1, v1)
        if pair[TURNS] > 0 and x0 > 0.0 and v0 > 0.0:
            x = min(x, turning(x0, v0, x1, v1))
        if EARLY < x < min(found, 1.0 - EARLY):
            found = x
    return found, False
