"""What contacts do where the last forces had them: with what they remember since, and all together on some bodies."""
# mypy: disable-error-code="no-untyped-def"

from __future__ import annotations

import math

from ..contact.shapes import SCRATCH
from ..jit.decorators import inner, kernel
from ..model.contact_laws import TOUCHED
from .contact_kernels import (
    A_BODY,
    APART,
    AT_PAIRS,
    AT_SLOTS,
    B_BODY,
    BRISTLE,
    DEPTH,
    F_PAIRS,
    F_SCRATCH,
    F_SPOTS,
    FIRST_EL,
    FRICTION,
    FX,
    JUMPS,
    K_F,
    LOAD,
    M0,
    M1,
    NX,
    P0,
    P1,
    PAIR_COLUMNS,
    PAIR_NUMBERS,
    PAIRS,
    PX,
    S0,
    S1,
    SPOT_NUMBERS,
    SPOTS,
    TURNS,
    Ends,
    _to_body,
    _touch,
)
from .levers import push


@inner
def _add(spot, side, A, r, f, s, out):
    """Add what a spot puts on a body, on its first (side 1) or second (-1) surface."""
    for c in range(3):
        f[c] = spot[LOAD] * spot[NX + c] + spot[FX + c]
    _to_body(A, r, spot[PX : PX + 3], s)
    push(out, 0, A, s, f, side)


@kernel
def contacts_again(I, F, A, r, u, force, el, memory):
    """Find what touches in the last `contact_forces` anew, with what it remembers now, and show it in el.

    Parameters
    ----------
    I, F
        Work.touch and .contact.
    A, r, el, memory
        Those of Work.
    u
        Velocities.
    force
        A line that is spoilt.
    """
    pairs = I[I[AT_PAIRS] : I[AT_PAIRS] + I[PAIRS] * PAIR_COLUMNS].reshape(I[PAIRS], PAIR_COLUMNS)
    numbers = F[I[F_PAIRS] : I[F_PAIRS] + I[PAIRS] * PAIR_NUMBERS].reshape(I[PAIRS], PAIR_NUMBERS)
    known = F[I[F_SPOTS] : I[F_SPOTS] + I[SPOTS] * SPOT_NUMBERS].reshape(I[SPOTS], SPOT_NUMBERS)
    T = F[I[F_SCRATCH] : I[F_SCRATCH] + SCRATCH * 9].reshape(SCRATCH, 9)
    for k in range(pairs.shape[0]):
        shown = el[I[FIRST_EL] + 2 * k : I[FIRST_EL] + 2 * k + 2]
        if not shown[0, 0] > 0.0:
            continue
        pair, m = pairs[k], memory[pairs[k, M0] : pairs[k, M1]]
        i, j = pair[A_BODY], pair[B_BODY]
        ends = Ends(A[i], A[j], r[i], r[j], I[I[AT_SLOTS] + i], I[I[AT_SLOTS] + j])
        for c in range(5):
            shown[0, c] = shown[1, c] = 0.0
        shown[0, 0] = -math.inf
        acts = pair[JUMPS] == 0 or m[TOUCHED] > APART
        for q in range(pair[S0], pair[S1]):
            _touch(pair, numbers[k], F[pair[P0] : pair[P1]], m, ends, u, force, known[q], T, shown, acts)


@inner
def _way(pair, shown, known):
    """How a pair touches: 0 not at all; -1 so that its force bends within contact: where it slides on bristles, or its
    law remembers how deep it was, or jumps; otherwise a number of how many spots touch, and how many of them push."""
    if not shown[0, 0] > 0.0:
        return 0
    if pair[TURNS] > 0 or pair[JUMPS] > 0:
        return -1
    way = 0
    for q in range(pair[S0], pair[S1]):
        spot = known[q]
        if spot[DEPTH] > 0.0:
            way += 2
            if spot[LOAD] > 0.0:
                way += 1
                if pair[FRICTION] == BRISTLE and spot[K_F] == 0.0:
                    return -1
    return way


@kernel
def ways_changed(I, F, el, held, keep):
    """Whether pairs touch, in the last `contact_forces`, otherwise than they did, or in a way in which forces bend.

    Parameters
    ----------
    I, F
        Work.touch and .contact.
    el
        That of Work.
    held : (pairs,)
        How they touched, see `_way`.
    keep
        Whether held is to say how they touch from now on.
    """
    pairs = I[I[AT_PAIRS] : I[AT_PAIRS] + I[PAIRS] * PAIR_COLUMNS].reshape(I[PAIRS], PAIR_COLUMNS)
    known = F[I[F_SPOTS] : I[F_SPOTS] + I[SPOTS] * SPOT_NUMBERS].reshape(I[SPOTS], SPOT_NUMBERS)
    changed = False
    for k in range(pairs.shape[0]):
        way = _way(pairs[k], el[I[FIRST_EL] + 2 * k : I[FIRST_EL] + 2 * k + 1], known)
        if way != held[k] or way < 0:
            changed = True
            if not keep:
                return True
            held[k] = way
    return changed


@kernel
def contact_sums(I, F, A, r, which, tmp, out):
    """Force (world axes) and moment about the centre of mass (body axes) of all contacts on some bodies, out (k, 6).

    I, F: Work.touch and .contact; A, r, tmp: those of Work; which (nb + 1,): row of each body in out, or -1.
    """
    pairs = I[I[AT_PAIRS] : I[AT_PAIRS] + I[PAIRS] * PAIR_COLUMNS].reshape(I[PAIRS], PAIR_COLUMNS)
    known = F[I[F_SPOTS] : I[F_SPOTS] + I[SPOTS] * SPOT_NUMBERS].reshape(I[SPOTS], SPOT_NUMBERS)
    f, s = tmp[0], tmp[1]
    for k in range(out.shape[0]):
        for c in range(out.shape[1]):
            out[k, c] = 0.0
    for k in range(pairs.shape[0]):
        i, j = pairs[k, A_BODY], pairs[k, B_BODY]
        if which[i] < 0 and which[j] < 0:
            continue
        for q in range(pairs[k, S0], pairs[k, S1]):
            spot = known[q]
            if spot[LOAD] == 0.0 and spot[FX] == 0.0 and spot[FX + 1] == 0.0 and spot[FX + 2] == 0.0:
                continue
            if which[i] >= 0:
                _add(spot, 1.0, A[i], r[i], f, s, out[which[i]])
            if which[j] >= 0:
                _add(spot, -1.0, A[j], r[j], f, s, out[which[j]])
