"""Where the track has come to while its sections are laid: what an element or a straight goes on from."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from ..base.arrays import Array
from ..base.errors import InputError
from .assemble import assemble
from .course import Course, free_end
from .laying import Laying
from .programs.entry import LEVEL, Entry
from .programs.leg import ElementLeg
from .roll import USABLE_FLAT


def _end_rows(course: Course, where: str) -> Array:
    if not course.legs:
        raise InputError(
            f"{where}: the track has only one point before it and so no direction; give the section before a second"
            " point."
        )
    return free_end(course)


def direction_here(course: Course, where: str) -> Array:
    """Unit tangent (3,) at the end of what is laid so far, a spline drawn with a free end.

    Raises InputError when there is no direction yet.
    """
    direction: Array = _end_rows(course, where)[0]
    return direction


def _element_before_straights(course: Course) -> Entry | None:
    """Exit of the element behind which only straights without a cant of their own have come, when it does not roll
    there: its cant has stayed since."""
    k = len(course.legs) - 1
    while k >= 0 and course.legs[k] == "straight" and course.nodes[k + 1].cant is None:
        k -= 1
    leg = course.legs[k] if 0 <= k < len(course.legs) - 1 else None
    if not isinstance(leg, ElementLeg) or leg.exit is None or abs(leg.exit.roll_rate) > 1e-9:
        return None
    return leg.exit


def entry_here(laying: Laying, where: str) -> Entry:
    """The track at the end of what is laid so far.

    After an element that is its own end; after a straight or a spline the direction and curvature it ends with when
    nothing follows, and the cant prescribed there or, where none is, the one the track has come to. A spline or
    straight adapts its roll rate to the element, a table hands on its own. Raises InputError when there is no
    direction yet.
    """
    course = laying.course
    last = course.legs[-1] if course.legs else None
    if isinstance(last, ElementLeg) and last.exit is not None:
        return replace(last.exit, where=where)
    rows = _end_rows(course, where)
    tangent, bend = rows[0], rows[1]
    node = course.nodes[-1]
    behind = _element_before_straights(course)
    flat = float(np.hypot(tangent[0], tangent[1]))
    rate = 0.0
    if isinstance(last, str) and node.cant is not None and flat >= max(USABLE_FLAT, LEVEL):
        level = np.array([-tangent[1], tangent[0], 0.0]) / flat
        left = np.cos(node.cant) * level + np.sin(node.cant) * np.cross(tangent, level)
        up = np.cross(tangent, left)
    elif behind is not None:
        up = behind.up - (behind.up @ tangent) * tangent
        up /= np.linalg.norm(up)
    else:
        so_far = replace(laying, course=Course(False, list(course.nodes), list(course.legs)))
        line = assemble(so_far, closed=False).line
        state = line.state(line.length, from_left=True)
        up = state.up[0] - (state.up[0] @ tangent) * tangent
        up /= np.linalg.norm(up)
        rate = 0.0 if isinstance(last, str) else float(state.twist[0, 0])
    left = np.cross(up, tangent)
    return Entry(
        node.position,
        tangent,
        up,
        float(bend @ left),
        float(bend @ up),
        rate,
        gauge=laying.track.gauge,
        where=where,
    )
