"""Interfaces of a flexible body in the report: forces there around the largest stress, beside those of the ride with it
rigid, and how far they are deflected (Blaauw, figures 9, 10 and 13 to 16)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from ...base.arrays import Array
from ...charts.abscissa import Abscissa
from ...charts.chart import Chart, Colour, Curve, over_time
from ...outcome.deflection import Deflection
from ...outcome.rigid import RigidRun
from ...outcome.stress import BodyStress
from ..book import Book
from ..document import Block, Text
from ..figures.paper import paper

SHOWN = 5.0  # s before and behind the largest stress


def interface_blocks(
    number: int, one: BodyStress, bent: Deflection, rigid: RigidRun | None, middle: float, book: Book
) -> list[Block]:
    """What is said of the deflection, and both figures around a time (s)."""
    name, span = one.flexible.name, (middle - SHOWN, middle + SHOWN)
    forces, moved = [], []
    for end in one.flexible.ends:
        own = (one.time, one.loads(end.node))
        with_rigid = None if rigid is None else (rigid.results.states.time, rigid.loads(name, end.node))
        for what, unit, some in (("Force", "N", slice(0, 3)), ("Moment", "N m", slice(3, 6))):
            forces.append(_chart(f"{end.node}: {what}", unit, some, span, own, with_rigid))
        for what, unit, some in (("Deflection", "m", slice(0, 3)), ("Turn", "rad", slice(3, 6))):
            chart = _chart(f"{end.node}: {what}", unit, some, span, (one.time, bent.of[end.node]))
            moved.append(replace(chart, y=replace(chart.y, unit=f"m{unit}")))
    sentence = "In the axes of the body, around the largest stress."
    beside = " Thin: of the ride with its flexible bodies rigid." if rigid is not None else ""
    pictures = (
        ("forces", f"Forces on {name} at its interfaces", sentence + beside, forces),
        ("deflection", f"Deflection of {name} at its interfaces", sentence, moved),
    )
    drawn = (
        book.figure(f"structure_{number}_{key}", title, words, _paper(charts))
        for key, title, words, charts in pictures
    )
    return [Text(text=bent.words), *drawn]


def _chart(
    title: str, unit: str, some: slice, span: tuple[float, float], *records: tuple[Array, Array] | None
) -> Chart:
    """Three components of records, times (n,) s with values (n, 6), in a span (s); those after the first thin."""
    curves = []
    for k, record in enumerate(one for one in records if one is not None):
        inside = (record[0] >= span[0]) & (record[0] <= span[1])
        axis = Abscissa("time", record[0][inside], None)
        for c, name in enumerate("xyz"):
            values = np.asarray(record[1][inside, some][:, c], dtype=np.float64)
            curve = Curve.over(axis, "" if k else name, axis.time, values, Colour("axis", c))
            curves.append(replace(curve, weight=0.4 if k else 1.0))
    what = title.rpartition(": ")[2].lower()
    return over_time(title, title, unit, sorted(curves, key=lambda one: one.weight), quantity=what)


def _paper(charts: Sequence[Chart]) -> bytes:
    """Charts two in a row, named once."""
    height = 1.6 + 3.0 * ((len(charts) + 1) // 2)
    return paper(charts, height, columns=2, legend="first", share_x=True, bottom=1.0, left=1.4, gap=0.75)
