"""Hands and feet of riders that turn as none of a body can, because nothing holds them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from ..base.arrays import Array, Integers
from ..base.finding import Finding
from ..base.frames import conjugate, multiply
from ..base.sentence import counted, say
from ..model.assembly import Assembly
from ..model.consistency import element_where, top_path
from ..model.joints import Joint
from ..model.placement import joined
from ..project.project import Project
from ..results.results import Results
from ..results.spilled import release
from .run_check import run_finding

WHIRLS = np.radians(120.0)  # no wrist and no ankle turns as far from where a rider sits with it
ROWS = 1024  # read at once


class Limb(NamedTuple):
    """The end of a limb that hangs on a ball joint which no element of it holds: path of its rider, the joint, and its
    two bodies by their paths."""

    rider: str
    joint: Joint
    bodies: tuple[str, str]


def loose_limbs(project: Project, results: Results) -> tuple[Finding, ...]:
    """A note where ends of limbs that nothing holds whirl about: the largest turn, and how many there are.

    They are light, and what they do has no say in what a rider is judged by but for the last digits, which their
    motion multiplies: two runs that differ by nothing differ there.
    """
    names = {name: k for k, name in enumerate(results.names.bodies)}
    limbs = [one for one in _free("", project.assembly) if all(body in names for body in one.bodies)]
    if not limbs or len(results.states.time) < 2:
        return ()
    turns = _turns(results, np.array([[names[body] for body in one.bodies] for one in limbs], dtype=int))
    most = turns.max(axis=0)
    far = int(np.count_nonzero(most > WHIRLS))
    if not far:
        return ()
    worst = int(np.argmax(most))
    limb, others = limbs[worst], far - 1
    at = float(results.states.time[int(np.argmax(turns[:, worst] > WHIRLS))])
    text = say(
        "Nothing holds the joint '{joint}' of '{rider}'{more}: it turns by {most:.0f °}, as none of a body can, and"
        " what whirls there disturbs the head by chance. Give it a rotational spring, or switch on the one that the"
        " rider has for it.",
        joint=limb.joint.name, rider=limb.rider, most=most[worst],
        more=f" and {counted(others, 'other')} like it" if others else "",
    )  # fmt: skip
    root = () if project.assembly is None else top_path(project.assembly)
    where = element_where(limb.rider, "joints", limb.joint.name).under(*root)
    found = run_finding(results, "loose", text, at, where)
    return (found.model_copy(update={"severity": "note"}),)


def _free(path: str, at: Assembly | None) -> Iterator[Limb]:
    """Ends of limbs of the riders below an assembly that no enabled element in their joint holds."""
    for child in () if at is None else at.children:
        own = joined(path, child.name)
        yield from _free(own, child)
        if child.role != "rider":
            continue
        ends = Counter(body for joint in child.joints for body in (joint.body_i, joint.body_j))
        held = {getattr(force, "joint", None) for force in child.forces if force.enabled}
        for joint in child.joints:
            pair = joint.body_i, joint.body_j
            if joint.type.turns == "all" and joint.name not in held and 1 in map(ends.__getitem__, pair):
                yield Limb(own, joint, (joined(own, pair[0]), joined(own, pair[1])))


def _turns(results: Results, pairs: Integers) -> Array:
    """How far (n, pairs) rad the second body of each of pairs (pairs, 2) has turned against the first since the start;
    all of them in one pass over orientations that may lie in a file."""
    stored, out = results.states.orientation, np.empty((len(results.states.time), len(pairs)))
    first = np.empty(0)
    for begin in range(0, len(stored), ROWS):
        rows = slice(begin, begin + ROWS)
        between = multiply(conjugate(stored[rows][:, pairs[:, 0]]), stored[rows][:, pairs[:, 1]])
        release(stored)
        first = between[0] if begin == 0 else first
        out[rows] = 2.0 * np.arccos(np.clip(np.abs(np.einsum("npk,pk->np", between, first)), 0.0, 1.0))
    return out
