"""Laws as the connector loops call them: by number, with internal unknowns found and condensed.

The numbers of laws and the comparisons that pick one are made here from all laws that types of force elements
use; nothing lists them.
"""
# mypy: disable-error-code="no-untyped-def"

from __future__ import annotations

import math

from ..jit.choice import choice
from ..jit.decorators import inner, shared
from ..model.forces import laws
from ..model.laws import INTERNAL, ZD, F, Law, V, X, Z

SCALAR = [law for law in laws() if not law.wide]
WIDE = [law for law in laws() if law.wide]
NUMBER = {id(law): k for k, law in enumerate([*SCALAR, *WIDE])}
FIRST_WIDE = len(SCALAR)
ROUNDS = 50
NOTHING = 1e-11  # relative size of a stiffness that is none
UNLOADED = 1e-3  # N or N m
CLOSE = 1e-13  # of the internal unknowns, or of SMALL
SMALL = 1e-2  # m or rad, and of their rates
EAGER = 4  # corrections that are taken whole
STALLED, HALVINGS = (
    0.9,
    4,
)  # of the square of what was out of balance, above which the last correction is halved
LAST = 21  # column of the scratch for it


def number_of(law: Law) -> int:
    """The number that stands for a law in the tables."""
    return NUMBER[id(law)]


_scalar = choice([(NUMBER[id(a)], a.evaluate) for a in SCALAR])
_wide = choice([(NUMBER[id(a)], a.evaluate) for a in WIDE])
# asked only for laws with memory and with borders
remember = choice([(NUMBER[id(a)], a.remember) for a in SCALAR if a.remember])
level = choice([(NUMBER[id(a)], a.level) for a in SCALAR if a.level])
border = choice([(NUMBER[id(a)], a.border) for a in WIDE if a.border])


@shared
def scalar_law(law, p, x, v, m, s):
    """A scalar law: load, slopes with x and v, stored energy, lost power."""
    return _scalar(law, p, x, v, m, s)


@shared
def wide_law(law, p, x, v, lines, how, algebraic, m, s, out, G):
    """A wide law with its internal unknowns solved for and condensed: fills out, returns stored energy and lost power.

    lines (3, nz): z, its rates and `base`; how: step (s) and failure. Where step > 0, z' = (z - base) / step and z is
    found with R = 0, starting from what it holds; where step = 0, z is given and z' is found (of an `algebraic` law z,
    with z' = 0); where step < 0, z is found at rest, with z' = 0. Where nothing is found, how[1] is set. The slopes of
    `out` with x and v are those along R = 0, with z' following z where step > 0. out (ROWS, COLUMNS): see
    core.model.laws.
    """
    z, zdot, base = lines[0], lines[1], lines[2]
    n, nz, step, before = x.shape[0], z.shape[0], how[0], math.inf
    given = step == 0.0 and algebraic == 0
    stored, lost, halved = 0.0, 0.0, 0
    for turn in range(ROUNDS):
        _clear(out, n, nz)
        for k in range(nz):
            if step > 0.0:
                zdot[k] = (z[k] - base[k]) / step
            elif not given:
                zdot[k] = 0.0
        stored, lost = _wide(law, p, x, v, z, zdot, m, s, out)
        if nz == 0:
            return stored, lost
        unknown, unbalanced = zdot if given else z, 0.0
        for k in range(nz):
            unbalanced += out[INTERNAL + k, F] ** 2
        settled = turn > EAGER and unbalanced <= UNLOADED * UNLOADED
        if turn > EAGER and not settled and unbalanced > STALLED * before and halved < HALVINGS:
            # from one piece of a curve to another, as two blocks with free play have them, whole ones go to and fro
            halved += 1
            for k in range(nz):
                G[k, LAST] *= 0.5
                unknown[k] -= G[k, LAST]
            continue
        if not _correct(out, G, n, nz, given, step):
            break
        change, size = 0.0, SMALL
        for k in range(nz):
            change, size = max(change, abs(G[k, nz])), max(size, abs(unknown[k]))
        if settled or change <= CLOSE * size or (turn > 3 and change <= 1e3 * CLOSE * size):
            if not given:
                _condense(out, G, n, nz, step)
            return stored, lost
        before, halved = unbalanced, 0
        for k in range(nz):
            G[k, LAST] = G[k, nz]
            unknown[k] += G[k, nz]
    how[1] = 1.0
    return stored, lost


@inner
def _clear(out, n, nz):
    for k in range(n):
        for c in range(ZD + nz):
            out[k, c] = 0.0
    for k in range(INTERNAL, INTERNAL + nz):
        for c in range(ZD + nz):
            out[k, c] = 0.0


@inner
def _correct(out, G, n, nz, given, step):
    """Newton's correction of the unknowns in column nz of G, and behind it how they follow x and v."""
    for k in range(nz):
        row = out[INTERNAL + k]
        for c in range(nz):
            if given:
                G[k, c] = row[ZD + c]
            elif step > 0.0:
                G[k, c] = row[Z + c] + row[ZD + c] / step
            else:
                G[k, c] = row[Z + c]
        G[k, nz] = -row[F]
        for c in range(n):
            G[k, nz + 1 + c] = -row[X + c]
            G[k, nz + 1 + n + c] = -row[V + c]
    return _eliminate(G, nz, nz + 1 + 2 * n)


@inner
def _condense(out, G, n, nz, step):
    """Add to the slopes of the loads with x and v what they get through z."""
    for k in range(n):
        for q in range(nz):
            slope = out[k, Z + q] + (out[k, ZD + q] / step if step > 0.0 else 0.0)
            for c in range(n):
                out[k, X + c] += slope * G[q, nz + 1 + c]
                out[k, V + c] += slope * G[q, nz + 1 + n + c]


@inner
def _eliminate(G, n, columns):
    """Solve in place: the first n columns of G are the matrix, the rest right-hand sides. Returns success."""
    size = 0.0
    for k in range(n):
        size = max(size, abs(G[k, k]))
    for k in range(n):
        best = k
        for r in range(k + 1, n):
            if abs(G[r, k]) > abs(G[best, k]):
                best = r
        if not abs(G[best, k]) > NOTHING * size:
            if not abs(G[k, n]) <= UNLOADED:
                return False
            for c in range(columns):  # nothing holds this unknown and nothing pushes it: it stays where it is
                G[k, c] = 1.0 if c == k else 0.0
            best = k
        if best != k:
            for c in range(k, columns):
                G[k, c], G[best, c] = G[best, c], G[k, c]
        for r in range(n):
            if r != k:
                share = G[r, k] / G[k, k]
                for c in range(k, columns):
                    G[r, c] -= share * G[k, c]
    for k in range(n):
        for c in range(n, columns):
            G[k, c] /= G[k, k]
    return True
