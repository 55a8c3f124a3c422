"""Plots as a picture (PNG, SVG) and their curves as a table (CSV)."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import numpy as np
from PySide6.QtCore import QPoint, QRect, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QPainter
from PySide6.QtSvg import QSvgGenerator
from PySide6.QtWidgets import QWidget

from ...core.base.arrays import Array
from ...core.base.atomic import replacing
from ...core.base.errors import InputError
from ...core.base.text_table import plain_cell
from ...core.charts.chart import Chart
from ...core.project.project import write_atomically
from ..widgets import theme, units
from ..widgets.blank import blank_picture, write_picture
from .curves import display_unit
from .pane import Pane

HEAD = 32  # px for the heading of a picture
SCALE = 2.0  # pixels of the picture for each pixel on the screen


@contextmanager
def _drawn_afresh(panes: Sequence[Pane], width: float) -> Iterator[None]:
    """Curves as lines of a width in pixels of the file, not as the pictures kept for the screen."""
    for pane in panes:
        pane.draw_for_file(width)
    try:
        yield
    finally:
        for pane in panes:
            pane.draw_for_screen()


def _paint(painter: QPainter, sheet: QWidget, panes: Sequence[Pane], heading: str, width: float) -> None:
    colours = theme.current()
    size = sheet.size()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.fillRect(QRectF(0, 0, size.width(), size.height() + HEAD), QColor(colours.panel))
    font = sheet.font()
    font.setBold(True)
    painter.setFont(font)
    painter.setPen(QColor(colours.text))
    painter.drawText(QRect(8, 0, size.width() - 16, HEAD), Qt.AlignmentFlag.AlignVCenter, heading)
    with _drawn_afresh(panes, width):
        for pane in panes:
            corner = pane.pos() + QPoint(0, HEAD)
            pane.readout.render(painter, corner + pane.readout.pos())
            # The view draws its scene itself: rendered as a widget it would come as an image of the screen.
            place = QRectF(pane.canvas.geometry().translated(corner))
            pane.canvas.render(painter, place, pane.canvas.viewport().rect())


def save_picture(path: Path, sheet: QWidget, panes: Sequence[Pane], heading: str) -> None:
    """Write the plots of a sheet as PNG of twice the density of the screen, or as SVG by the file's ending.

    Raises InputError when the file cannot be written.
    """
    size = QSize(sheet.width(), sheet.height() + HEAD)
    if path.suffix.lower() == ".svg":
        with replacing(path) as part:
            drawing = QSvgGenerator()
            drawing.setFileName(str(part))
            drawing.setSize(size)
            drawing.setViewBox(QRect(QPoint(0, 0), size))
            drawing.setTitle(heading)
            painter = QPainter(drawing)
            _paint(painter, sheet, panes, heading, 1.0)
            painter.end()
        return
    picture = blank_picture(size, SCALE)
    painter = QPainter(picture)
    _paint(painter, sheet, panes, heading, SCALE)
    painter.end()
    write_picture(picture, path)


def save_table(path: Path, contents: Sequence[Chart], stretch: tuple[float, float] | None = None) -> None:
    """Write the curves of plots as CSV, in the units that are shown, with name, run and unit over every column.

    All columns stand on the clock of the curve with the most samples, others straight between theirs; a column is
    empty where its run has no value. stretch: first and last abscissa (SI, of the first curve's axis) to write.
    Raises InputError when there is nothing to write or the file cannot be written.
    """
    shown = {id(c): display_unit(c.y.unit, c.curves) for c in contents}
    curves = [
        (c, curve, curve.time)
        for c in contents
        for curve in c.curves
        if curve.time is not None and len(curve.time)
    ]
    if not curves:
        raise InputError("There is no curve to save; run the project first.")
    _, longest, clock = max(curves, key=lambda one: len(one[2]))
    if stretch is not None:
        clock = clock[(longest.x >= stretch[0]) & (longest.x <= stretch[1])]
    heads = ["time [s]"]
    columns = [clock]
    if longest.axis is not None and longest.axis.place is not None:
        heads.append(f"arc length [{units.label('m')}]")
        place = np.interp(clock, longest.axis.time, longest.axis.place)
        columns.append(np.asarray(units.to_shown(place, "m")))
    for content, curve, time in curves:
        label, factor = shown[id(content)]
        name = ", ".join(part for part in (content.title, curve.label, curve.run) if part)
        heads.append(f"{name} [{label or '1'}]")
        columns.append(_on(clock, time, curve.values) * factor)
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(map(plain_cell, heads))
    for row in np.column_stack(columns):
        writer.writerow(["" if np.isnan(value) else f"{value:.9g}" for value in row])
    write_atomically(path, text.getvalue())


def _on(clock: Array, time: Array, values: Array) -> Array:
    """Values at times read at the instants of a clock."""
    if len(clock) == len(time) and np.array_equal(clock, time):
        return values
    return np.interp(clock, time, values, left=np.nan, right=np.nan)
