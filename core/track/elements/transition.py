"""A transition from one curvature to another."""

from __future__ import annotations

from typing import Annotated, Any, Literal

import numpy as np
from pydantic import Field

from ...base.fields import described
from ..programs.channel import channel
from ..programs.entry import Entry
from ..programs.program import UP, Program, seen_from
from .base import Bank, CutPlace, Element, ElementKind, Halves, Length, Sized, Smoothness
from .turns import bank_through, kept, right_of, signed_cant


class TransitionSection(Element):
    """A transition from the curvature the track has to a given one; with linear smoothness a clothoid."""

    kind: Literal["transition"] = "transition"
    plane: Literal["plan", "vertical"] = described(
        "plan",
        "Plane",
        "In plan, keeping the slope, or up and down.",
        words={"plan": "In plan", "vertical": "In the vertical plane"},
    )
    length: Length = described(10.0, "Length", "Along the track.", unit="m")
    curvature: Annotated[float, Field(ge=-1.0, le=1.0)] = described(
        0.05, "Curvature at the end", "One over the radius; positive to the left or upwards.", unit="1/m"
    )
    smoothness: Smoothness = "linear"
    cant: Bank | None = described(
        None,
        "Cant at the end",
        "Positive lifts the left rail. Empty keeps what the track has.",
        unit="rad",
        empty="as the track has",
    )


def transition(section: TransitionSection, entry: Entry) -> Program:
    """From the curvature of the track to a given one."""
    plan = section.plane == "plan"
    pole = UP if plan else right_of(entry)
    view = seen_from(entry, pole)
    bend = section.curvature * (np.cos(view.latitude) if plan else 1.0)
    length = section.length
    turn = channel(view.turn, [(length, bend, section.smoothness)])
    target = view.bank + (0.0 if section.cant is None else section.cant - entry.cant)
    bank = bank_through(view, target, [(length, target)], section.smoothness, entry.where)
    return Program(turn, kept(view.latitude, view.climb, length, length), bank, pole)


def _mirrored(section: TransitionSection) -> dict[str, Any]:
    fields = signed_cant(section)
    return fields | {"curvature": -section.curvature} if section.plane == "plan" else fields


def _cut(section: TransitionSection, position: CutPlace) -> Halves | None:
    if section.smoothness != "linear":
        return None
    curvature = position.curvature(section.plane == "plan")
    first = section.model_copy(update={"length": position.offset, "curvature": curvature, "cant": None})
    return first, section.model_copy(update={"length": section.length - position.offset, "pose": None})


KIND = ElementKind(
    TransitionSection,
    transition,
    (
        Sized(
            "transition",
            "Transition",
            "Curves",
            "From the curvature the track has to a given one: a clothoid, or smoother.",
            rank=3,
        ),
    ),
    goes_on=True,
    mirrored=_mirrored,
    over_size=("curvature",),
    cut=_cut,
)
