"""The colours of a theme."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Shade = Literal["dark", "light"]


@dataclass(frozen=True)
class Colours:
    """Every colour of one theme, as "#rrggbb"."""

    name: Shade
    window: str  # background of the window
    panel: str  # docks, tool bars, cards
    base: str  # tables, fields, plots
    raised: str  # buttons, hovered rows
    border: str
    text: str
    muted: str  # secondary text
    accent: str  # the one accent colour; the track, the selection, the primary button
    accent_text: str  # text on the accent
    selection: str  # rows that are selected, under ordinary text
    good: str
    warn: str
    bad: str
    axis_x: str  # axis colours are only for axes
    axis_y: str
    axis_z: str
    series: tuple[str, ...]  # curves of plots and runs, in order
    grid: str  # grid lines of plots
    cursor: str  # time cursor through plots
    sky_top: str  # gradient behind the 3D scene
    sky_bottom: str
    ground: str
    ground_line: str
    rail: str
    steel: str  # ties, supports
    body: str  # bodies of cars
    skin: str  # riders
    cloth: str
    highlight: str  # the selected element in 3D
