"""How deep one surface lies in each of several others."""
# mypy: disable-error-code="no-untyped-def"

from __future__ import annotations

from ..jit.decorators import kernel
from .common_normal import between


@kernel
def depths(kind_a, kinds, ca, Ra, sa, cb, Rb, sb, start, T, out, found):
    """Depth (m, negative a gap) of a surface in n others. Each pair must be in the order of `between`.

    Parameters
    ----------
    kind_a, kinds
        Of the one, and (n,) of the others.
    ca, Ra, sa
        Centre (3,) m, rotation (9,) row by row and sizes (3,) m of the one.
    cb, Rb, sb
        The same (n, ...) of the others.
    start
        (3,) zeros.
    T, out
        Memory.
    found
        (n, 7), written: depth, normal and point, see `shapes`.
    """
    for k in range(kinds.shape[0]):
        between(kind_a, kinds[k], ca, Ra, sa, cb[k], Rb[k], sb[k], start, T, out)
        for c in range(7):
            found[k, c] = out[c]
