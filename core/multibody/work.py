"""Scratch memory of a run."""

from __future__ import annotations

import numpy as np

from core.multibody import arrays as t
from core.multibody.arrays import Arrays, Work


def new_work(S: Arrays, elements: int) -> Work:
    """Scratch memory for one run of compiled arrays; elements: how many springs, stops and the like they hold."""
    nb, ng, nu, m = t.sizes(S)
    A = np.zeros((nb + 1, 3, 3))
    A[-1] = np.eye(3)
    return Work(
        A=A,
        r=np.zeros((nb + 1, 3)),
        fn=np.zeros((t.count(S, t.FN) + 1, 3)),
        path=np.zeros((ng, 3, 9)),
        row=np.zeros((5, m)),
        gx=np.zeros(t.count(S, t.GCOL)),
        vel=np.zeros((3, nu + 6)),
        el=np.zeros((elements, 4)),
        power=np.zeros(3),
        angle0=np.zeros(t.count(S, t.RS)),
        Hd=np.zeros((nb + 1, 6, 6)),
        Ho=np.zeros((t.count(S, t.PAIR) + 1, 6, 6)),
        lever=np.zeros((3, 3, 6)),
        tmp=np.zeros((24, 3)),
        place=np.zeros(ng),
        device=np.tile([-1.0, 0.0, -1.0, 1.0, 0.0, 0.0, 0.0], (t.count(S, t.DC), 1)),
    )
