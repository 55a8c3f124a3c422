"""Colours and patterns of charts in the theme."""

from __future__ import annotations

from PySide6.QtCore import Qt

from ...core.charts.chart import Colour, Curve
from ..widgets import theme

LINES = (
    Qt.PenStyle.SolidLine, Qt.PenStyle.DashLine, Qt.PenStyle.DashDotLine, Qt.PenStyle.DotLine,
)  # fmt: skip
STROKES = ("━", "╍", "┄·", "┈")


def colour(of: Colour) -> str:
    """A colour of a chart in the theme; that of no limit is that of a run."""
    c = theme.current()
    known = {
        "series": c.series,
        "axis": (c.series[1], c.series[2], c.series[0]),
        "limit": (c.bad, c.warn, c.series[3], c.series[5], c.series[6]),
        "ink": (c.text,),
        "pale": (c.muted,),
        "good": (c.good,),
        "warn": (c.warn,),
        "bad": (c.bad,),
        "accent": (c.accent,),
    }[of.role]
    return known[of.number % len(known)]


def pattern(curve: Curve) -> int:
    """Which of the patterns a curve has: solid, or one of the others in turn."""
    return 0 if curve.dash == 0 else 1 + (curve.dash - 1) % (len(LINES) - 1)
