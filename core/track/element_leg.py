"""From an element section and where it begins to its leg of the course."""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import replace
from typing import Any

from .elements import KINDS, Element
from .programs.entry import Entry
from .programs.leg import ElementLeg, joined_legs
from .programs.program import ease, run_program

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
    kind = KINDS[section.kind]
    legs: list[ElementLeg] = []
    if not kind.goes_on and not entry.smooth:
        legs.append(run_program(ease(entry), entry))
        eased = legs[0].exit
        assert eased is not None
        entry = replace(eased, left_bend=0.0, up_bend=0.0, roll_rate=0.0, left_slope=0.0, up_slope=0.0)
        entry = replace(entry, roll_slope=0.0, where=f"Section '{section.name}'")
    made = kind.program(section, entry)
    legs.append(made if isinstance(made, ElementLeg) else run_program(made, entry))
    return joined_legs(legs)
