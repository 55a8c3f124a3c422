"""Interfaces of a flexible body in the report: forces there around the largest stress, beside those of the ride with it
rigid, and how far they are deflected (Blaauw, figures 9, 10 and 13 to 16)."""

from __future__ import annotations

import numpy as np

from ...base.arrays import Array
from ...outcome.deflection import Deflection
from ...outcome.rigid import RigidRun
from ...outcome.stress import BodyStress
from ..book import Book
from ..document import Block, Text
from ..figures.structure_figures import Row, in_axes

SHOWN = 5.0  # s before and behind the largest stress


def interface_blocks(
    number: int, one: BodyStress, bent: Deflection, rigid: RigidRun | None, middle: float, book: Book
) -> list[Block]:
    """What is said of the deflection, and both figures around a time (s)."""
    name, span = one.flexible.name, (middle - SHOWN, middle + SHOWN)
    forces, moved = [], []
    for end in one.flexible.ends:
        own = one.loads(end.node)
        with_rigid = None if rigid is None else (rigid.results.states.time, rigid.loads(name, end.node))
        for what, some in (("Force (kN)", slice(0, 3)), ("Moment (kN m)", slice(3, 6))):
            other = None if with_rigid is None else _within(*with_rigid, some, span, 1e-3)
            forces.append(Row(f"{end.node}: {what}", _within(one.time, own, some, span, 1e-3), other))
        for what, some in (("Deflection (mm)", slice(0, 3)), ("Turn (mrad)", slice(3, 6))):
            moved.append(
                Row(f"{end.node}: {what}", _within(one.time, bent.of[end.node], some, span, 1e3), None)
            )
    sentence = "In the axes of the body, around the largest stress."
    beside = " Thin: of the ride with its flexible bodies rigid." if rigid is not None else ""
    pictures = (
        ("forces", f"Forces on {name} at its interfaces", sentence + beside, forces),
        ("deflection", f"Deflection of {name} at its interfaces", sentence, moved),
    )
    drawn = (
        book.figure(f"structure_{number}_{key}", title, words, in_axes(rows))
        for key, title, words, rows in pictures
    )
    return [Text(text=bent.words), *drawn]


def _within(
    time: Array, values: Array, some: slice, span: tuple[float, float], unit: float
) -> tuple[Array, Array]:
    """Times (k,) and three components (k, 3) in a span (s)."""
    inside = (time >= span[0]) & (time <= span[1])
    return time[inside], unit * np.asarray(values[inside, some], dtype=np.float64)
