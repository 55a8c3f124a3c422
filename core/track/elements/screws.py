"""Lines given by how they bend and roll at once: what corkscrew and cobra roll have in common."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from ..programs.channel import Channel
from ..programs.leg import NODES, Samples
from ..programs.program import Program


def summit(line: Samples) -> float:
    """Largest height (m) over the start, between the samples by the cubic through heights and slopes."""
    s = (np.cumsum(line.widths) - line.widths)[:, None] + line.widths[:, None] * NODES
    s, z, slope = s.ravel(), line.position[..., 2].ravel(), line.tangent[..., 2].ravel()
    k = int(np.argmax(z))
    summit = float(z[k])
    for i in (k - 1, k, k + 1):  # the border of two pieces is there twice
        if not 0 <= i < len(s) - 1 or s[i + 1] - s[i] < 1e-12 or slope[i] * slope[i + 1] >= 0.0:
            continue
        rise, (a, b) = z[i + 1] - z[i], (s[i + 1] - s[i]) * slope[i : i + 2]
        cubic = np.array([a + b - 2.0 * rise, 3.0 * rise - 2.0 * a - b, a, z[i]])
        level = np.roots(np.polyder(cubic))
        level = level[(level >= 0.0) & (level <= 1.0)].real
        summit = max(summit, float(np.max(np.polyval(cubic, level), initial=summit)))
    return summit


def stretched(program: Program, length: float) -> Program:
    def longer(c: Channel) -> Channel:
        return replace(c, edges=c.edges * length)

    return replace(program, turn=longer(program.turn), climb=longer(program.climb), bank=longer(program.bank))
