"""What all contacts together put on some bodies, as the last forces had it."""
# mypy: disable-error-code="no-untyped-def"

from __future__ import annotations

from ..jit.decorators import inner, kernel
from .contact_kernels import (
    A_BODY,
    AT_PAIRS,
    B_BODY,
    F_SPOTS,
    FX,
    LOAD,
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
from .levers import push


@inner
def _add(spot, side, A, r, f, s, out):
    """Add what a spot puts on a body, on its first (side 1) or second (-1) surface."""
    for c in range(3):
        f[c] = spot[LOAD] * spot[NX + c] + spot[FX + c]
    _to_body(A, r, spot[PX : PX + 3], s)
    push(out, 0, A, s, f, side)


@kernel
def contact_sums(I, F, A, r, which, tmp, out):
    """Force (world axes) and moment about the centre of mass (body axes) of all contacts on some bodies, out (k, 6).

    I, F: Work.touch and .contact; A, r, tmp: those of Work; which (nb + 1,): row of each body in out, or -1.
    """
    pairs = I[I[AT_PAIRS] : I[AT_PAIRS] + I[PAIRS] * PAIR_COLUMNS].reshape(I[PAIRS], PAIR_COLUMNS)
    known = F[I[F_SPOTS] : I[F_SPOTS] + I[SPOTS] * SPOT_NUMBERS].reshape(I[SPOTS], SPOT_NUMBERS)
    f, s = tmp[0], tmp[1]
    for k in range(out.shape[0]):
        for c in range(6):
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
