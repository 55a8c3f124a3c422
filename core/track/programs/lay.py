"""From an element section and where it begins to its leg of the course."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable
from dataclasses import replace
from typing import Any

from .. import elements as e
from ..elements.common import Element
from . import force, loops, plane, rolls
from .entry import Entry
from .leg import ElementLeg, joined_legs
from .program import Program, ease, run_program

PROGRAMS: dict[type[Any], Callable[[Any, Entry], Program | ElementLeg]] = {
    e.ArcSection: plane.arc,
    e.TransitionSection: plane.transition,
    e.BankedTurnSection: plane.banked_turn,
    e.HelixSection: plane.helix,
    e.RailwayCurveSection: plane.railway_curve,
    e.LoopSection: loops.loop,
    e.ImmelmannSection: loops.immelmann,
    e.DiveLoopSection: loops.dive_loop,
    e.WingOverSection: loops.wing_over,
    e.InlineRollSection: rolls.inline_roll,
    e.CorkscrewSection: rolls.corkscrew,
    e.CobraRollSection: rolls.cobra_roll,
    e.CamelbackSection: rolls.camelback,
    e.ZeroGRollSection: rolls.zero_g_roll,
    e.ForceSection: force.force_section,
}
# these go on from the curvature the track has; the others begin straight, after an ease where it is needed
GO_ON = (e.ArcSection, e.TransitionSection, e.BankedTurnSection, e.HelixSection, e.ForceSection)

REMEMBERED = 256
_legs: OrderedDict[Any, ElementLeg] = OrderedDict()


def element_leg(section: Element, entry: Entry) -> ElementLeg:
    """Leg of an element section that begins at `entry`.

    What was laid before is remembered, so that elements stay while another section is dragged. Raises InputError
    naming the section for values that give no curve.
    """
    key = (section, entry.key)
    known = _legs.get(key)
    if known is not None:
        _legs.move_to_end(key)
        return known
    leg = _laid(section, replace(entry, where=f"Section '{section.name}'"))
    _legs[key] = leg
    if len(_legs) > REMEMBERED:
        _legs.popitem(last=False)
    return leg


def _laid(section: Element, entry: Entry) -> ElementLeg:
    legs: list[ElementLeg] = []
    if not isinstance(section, GO_ON) and not entry.smooth:
        legs.append(run_program(ease(entry), entry))
        eased = legs[0].exit
        assert eased is not None
        entry = replace(eased, left_bend=0.0, up_bend=0.0, roll_rate=0.0, left_slope=0.0, up_slope=0.0)
        entry = replace(entry, roll_slope=0.0, where=f"Section '{section.name}'")
    made = PROGRAMS[type(section)](section, entry)
    legs.append(made if isinstance(made, ElementLeg) else run_program(made, entry))
    return joined_legs(legs)
