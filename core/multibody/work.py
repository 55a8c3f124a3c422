"""Scratch memory of a run."""

from __future__ import annotations

import numpy as np

from ..model.laws import COLUMNS, COORDINATES, INTERNAL_UNKNOWNS, ROWS
from . import arrays as t
from .arrays import Arrays, Work
from .contact_tables import place_bodies
from .layout import RIGID, Layout


def new_work(S: Arrays, layout: Layout, elements: int) -> Work:
    """Scratch memory for one run of compiled arrays; elements: how many springs, stops and the like they hold."""
    nb, ng, m, widest = layout.bodies, layout.guides, layout.multipliers, layout.widest
    index = np.concatenate([t.ints(S, kind) for kind in range(t.E_DISTANCE, t.E_LOAD)])
    wide = int(np.count_nonzero(index[:, t.WIDE] >= 0))
    A = np.zeros((nb + 1, 3, 3))
    A[-1] = np.eye(3)
    made = Work(
        A=A,
        r=np.zeros((nb + 1, 3)),
        fn=np.zeros((t.count(S, t.FN) + 1, 3)),
        path=np.zeros((ng, 3, 9)),
        row=np.zeros((5, m)),
        gx=np.zeros(t.count(S, t.GCOL)),
        vel=layout.line(3),
        el=np.zeros((elements, 5)),
        power=np.zeros(3),
        angle0=np.zeros(t.count(S, t.E_ANGLE)),
        memory=t.real_line(S, t.START).copy(),
        z=np.zeros((3, layout.internal)),
        z_step=np.zeros(5),
        law=np.zeros((len(index), 7)),
        way=np.zeros((len(index), 3 * COORDINATES)),
        coordinates=np.zeros((wide, 3, COORDINATES)),
        wide=np.zeros((wide, ROWS, COLUMNS)),
        gauss=np.zeros((INTERNAL_UNKNOWNS, INTERNAL_UNKNOWNS + 2 + 2 * COORDINATES)),
        slopes=np.zeros((COORDINATES, COORDINATES)),
        levers=np.zeros((2, COORDINATES, 6)),
        products=np.zeros((COORDINATES, 6)),
        Hd=np.zeros((nb + 1, widest, widest)),
        Ho=np.zeros((t.count(S, t.PAIR) + 1, widest, widest)),
        lever=np.zeros((3, 3, RIGID)),
        tmp=np.zeros((24, 3)),
        place=np.zeros(len(layout.plain)),
        block=t.reals(S, t.BLOCK).copy(),
        bent=np.zeros((t.count(S, t.TIE), 3 + RIGID * (widest - RIGID))),
        touch=t.int_line(S, t.TOUCH).copy(),
        contact=t.real_line(S, t.TOUCH).copy(),
        device=np.tile([-1.0, 0.0, -1.0, 1.0, 0.0, 0.0, 0.0, 0.0], (t.count(S, t.DC), 1)),
    )
    if len(made.touch):
        place_bodies(made.touch, layout)
    return made
