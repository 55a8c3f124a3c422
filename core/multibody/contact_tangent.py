"""How the forces of contacts change with places and rates of their bodies: what they add to the tangent."""
# mypy: disable-error-code="no-untyped-def"

from __future__ import annotations

import math

from ..contact.shapes import SCRATCH, _dot
from ..jit.decorators import inner, kernel
from .contact_kernels import (
    A_BODY,
    AT_PAIRS,
    B_BODY,
    COUPLE,
    D_F,
    D_N,
    D_S,
    DEPTH,
    F_SCRATCH,
    F_SPOTS,
    FX,
    K_F,
    K_N,
    K_S,
    NX,
    PAIR_COLUMNS,
    PAIRS,
    PX,
    S0,
    S1,
    SPOT_NUMBERS,
    SPOTS,
    _to_body,
)
from .layout import RIGID


@inner
def _couple(pair, A, B, sa, sb, n, e, along, across, ahead, H, Ho, T):
    """Add [B_i; -B_j]^T M [B_i; -B_j] with M = along n n^T + across (1 - n n^T - e e^T) + ahead e e^T to the blocks
    (see tangent_kernels); e: unit vector across n, or zero where ahead is across."""
    La, Lb = T[8:14, 0:3], T[8:14, 3:6]  # transposed levers
    i, j, couple = pair[A_BODY], pair[B_BODY], pair[COUPLE]
    for c in range(3):
        for d in range(3):
            La[c, d] = Lb[c, d] = 1.0 if c == d else 0.0
        La[3, c], Lb[3, c] = sa[1] * A[c, 2] - sa[2] * A[c, 1], sb[1] * B[c, 2] - sb[2] * B[c, 1]
        La[4, c], Lb[4, c] = sa[2] * A[c, 0] - sa[0] * A[c, 2], sb[2] * B[c, 0] - sb[0] * B[c, 2]
        La[5, c], Lb[5, c] = sa[0] * A[c, 1] - sa[1] * A[c, 0], sb[0] * B[c, 1] - sb[1] * B[c, 0]
    for r in range(RIGID):
        ra, rb, fa, fb = _dot(La[r], n), _dot(Lb[r], n), _dot(La[r], e), _dot(Lb[r], e)
        for c in range(RIGID):
            ca, cb, ga, gb = _dot(La[c], n), _dot(Lb[c], n), _dot(La[c], e), _dot(Lb[c], e)
            if c <= r:
                H[i, r, c] += (
                    (along - across) * ra * ca + (ahead - across) * fa * ga + across * _dot(La[r], La[c])
                )
                H[j, r, c] += (
                    (along - across) * rb * cb + (ahead - across) * fb * gb + across * _dot(Lb[r], Lb[c])
                )
            x = (along - across) * ra * cb + (ahead - across) * fa * gb + across * _dot(La[r], Lb[c])
            if i > j:
                Ho[couple, r, c] -= x
            else:
                Ho[couple, c, r] -= x


@kernel
def contact_tangent(I, F, A, r, H, Ho, c_rate, c_place):
    """Add what the touching spots are worth to the blocks of the tangent, Work.Hd and .Ho: c_rate C + c_place K."""
    np, nt = I[PAIRS], I[SPOTS]
    pairs = I[I[AT_PAIRS] : I[AT_PAIRS] + np * PAIR_COLUMNS].reshape(np, PAIR_COLUMNS)
    known = F[I[F_SPOTS] : I[F_SPOTS] + nt * SPOT_NUMBERS].reshape(nt, SPOT_NUMBERS)
    T = F[I[F_SCRATCH] : I[F_SCRATCH] + SCRATCH * 9].reshape(SCRATCH, 9)
    for k in range(np):
        i, j = pairs[k, A_BODY], pairs[k, B_BODY]
        for q in range(pairs[k, S0], pairs[k, S1]):
            spot = known[q]
            if spot[DEPTH] <= 0.0:
                continue
            along = c_place * max(spot[K_N], 0.0) + c_rate * max(spot[D_N], 0.0)
            across = c_place * spot[K_S] + c_rate * spot[D_S]
            ahead = c_place * spot[K_F] + c_rate * spot[D_F]
            size = math.sqrt(_dot(spot[FX : FX + 3], spot[FX : FX + 3]))
            for c in range(3):
                T[2, c] = spot[FX + c] / size if size > 0.0 else 0.0
            _to_body(A[i], r[i], spot[PX : PX + 3], T[0])
            _to_body(A[j], r[j], spot[PX : PX + 3], T[1])
            _couple(pairs[k], A[i], A[j], T[0], T[1], spot[NX : NX + 3], T[2], along, across, ahead, H, Ho, T)
