"""Whether the massless parts of couplers are in a stable balance: a pushed coupler buckles where they are not.

With dashpots in the balance a step still finds the parts, which then run away from where they were; statically their
stiffness has lost its definiteness (Massa et al. 2012 take it for granted behind eq. 45, which also needs springs at
the pins, and no buckling).
"""

from __future__ import annotations

import numpy as np

from ..model.forces import Use
from ..model.laws import COLUMNS, INTERNAL, ROWS, F, Z
from ..multibody import arrays as t
from ..multibody.arrays import Work
from ..multibody.compile import System
from ..multibody.connectors import WITH_OUTPUTS, Connector
from ..multibody.force_kernels import Z_NOW

LOST = 1e-9  # of the largest stiffness


def buckled(system: System, W: Work) -> tuple[str, float, float] | None:
    """Name, push (N), without that of dashpots, and what it bears straight (N), of an element whose internal unknowns
    have lost their stable balance in the last forces of W; None when all are stable. An element that is pulled is not
    looked at."""
    for c in system.connectors:
        if c.use is None or c.geometry != "frame" or not c.use.law.internal:
            continue
        push = -float(W.el[c.first, 2])
        if push > 0.0 and push >= c.use.safe:
            unstable, elastic = _at_rest(system, W, c, c.use)
            if unstable:
                return c.name, elastic, c.use.bears
    return None


def _at_rest(system: System, W: Work, c: Connector, use: Use) -> tuple[bool, float]:
    """Whether the balance is unstable, and the push (N) of the springs alone."""
    kind = WITH_OUTPUTS[c.geometry][0]
    first = next(other.first for other in system.connectors if other.geometry == c.geometry)
    row = t.ints(system.arrays, kind)[(c.first - first) // WITH_OUTPUTS[c.geometry][2]]
    n = use.law.internal
    z, x = W.z[Z_NOW, slice(*c.internal)].copy(), W.coordinates[row[t.WIDE], 0].copy()
    p, out, still = np.array(use.parameters), np.zeros((ROWS, COLUMNS)), np.zeros(6)
    use.law.evaluate(p, x, still, z, np.zeros(n), np.zeros(0), 0.0, out)
    K = out[INTERNAL : INTERNAL + n, Z : Z + n]
    values = np.linalg.eigvalsh(0.5 * (K + K.T))
    return bool(values[0] < -LOST * values[-1]), -float(out[0, F])
