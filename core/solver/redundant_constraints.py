"""What the implicit integrator does where constraint rows depend on each other for a moment (see genalpha).

Next to such a pose, at a distance a, a combination z of the rows has hardly any gradient: g = G^T z is proportional to
a, the multipliers along z grow as 1 / a, and the force g stays what it was. Ordinary iterations fail there in three
ways, which a second attempt at the step, of close iterations, avoids:
- The regularisation E of the factorisation outweighs g^2, and an iteration takes off only g^2 / (g^2 + E) of the error
  (half of it at a = 4e-4 in the four-bar): CLOSE_EPSILON instead, which needs a fresh tangent in every iteration.
- An error of the pose across the motion changes the velocity rows by more than the velocity itself can mend, once the
  step is longer than a; the tangent leaves that out: every second iteration moves the pose alone.
- Forces along the mean (g0 + g1) / 2 of both ends (no numerical damping) are sought along g1, and every iteration
  multiplies the error by (a1 - a0) / (2 a1), beyond any bound for a step that ends at the pose: multipliers go on along
  secants.
"""
# mypy: disable-error-code="no-untyped-def"

from __future__ import annotations

from ..jit.decorators import inner
from ..multibody.arrays import PHI, PHIDOT, SIZE, SLOT, int_line

WAYS = 3  # that are remembered
SECANTS = 2 + 2 * WAYS  # lines of memory for them
CLOSE_EPSILON = 1e-13  # of scatter: above rounding, and below g^2 but in the very pose


@inner
def holds(row, P, m):
    """Whether the constraints hold."""
    worst, fastest = 0.0, 0.0
    for q in range(m):
        worst = max(worst, abs(row[PHI, q]))
        fastest = max(fastest, abs(row[PHIDOT, q]))
    return worst <= P.position and fastest <= P.velocity


@inner
def follow(mu, turned):
    """turned <- mu, unless it has grown out of proportion: where rows depend on each other for a moment it would
    drive itself up."""
    new, old = 0.0, 0.0
    for q in range(mu.shape[0]):
        new, old = max(new, abs(mu[q])), max(old, abs(turned[q]))
    if old == 0.0 or new <= 2.0 * old:
        for q in range(mu.shape[0]):
            turned[q] = mu[q]


@inner
def _part(reg, along, x):
    """The part of x, all (m,), that lies along another, as a multiple of it."""
    part, whole = 0.0, 0.0
    for q in range(reg.shape[0]):
        part += reg[q] * along[q] * x[q]
        whole += reg[q] * along[q] * along[q]
    return part / whole if whole > 0.0 else 0.0


@inner
def along_secants(reg, change, known, past):
    """Replace a change of the multipliers (m,) by that after which the next one, linear along the ways between the last
    iterations, is smallest (Anderson 1965; Walker & Ni 2011, type II).

    reg (m,): weights. known: changes made before. past (SECANTS, m): the change found last and that made of it; then,
    by turns, a way and how the change to be found differs along it, these differences orthogonal to each other.
    """
    m, last, taken, ways = reg.shape[0], past[0], past[1], min(known, WAYS)
    new = 2 + 2 * ((known - 1) % WAYS)
    if known > 0:
        for q in range(m):
            past[new + 1, q] = change[q] - last[q]
            past[new, q] = taken[q] + past[new + 1, q]
    for w in range(2, 2 + 2 * ways, 2):
        if w != new:
            x = _part(reg, past[w + 1], past[new + 1])
            for q in range(m):
                past[new, q] -= x * past[w, q]
                past[new + 1, q] -= x * past[w + 1, q]
    for q in range(m):
        last[q] = change[q]
    for w in range(2, 2 + 2 * ways, 2):
        x = _part(reg, past[w + 1], last)
        for q in range(m):
            change[q] -= x * past[w, q]
    for q in range(m):
        taken[q] = change[q]


@inner
def pose_alone(row, res):
    """Leave a correction nothing to do but to move the pose."""
    for q in range(row.shape[1]):
        row[PHIDOT, q] = 0.0
    for k in range(res.shape[0]):
        res[k] = 0.0


@inner
def close_size(S, Hd, res, du, share, push, dp):
    """Size (m, rad) of a close iteration: of its parts, which may cancel, and of what forces lack at the bodies."""
    size, at, sizes = 0.0, int_line(S, SLOT), int_line(S, SIZE)
    ground = at.shape[0] - 1
    for k in range(at[ground]):
        size = max(size, abs(share * du[k]), abs(push[k] - dp[k]))
    for b in range(ground):
        for c in range(sizes[b]):
            size = max(size, abs(res[at[b] + c]) / Hd[b, c, c])
    return size
