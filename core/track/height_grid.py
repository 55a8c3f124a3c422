"""Height fields from files: ESRI ASCII grids and lists of x, y, z."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from pydantic import ValidationError

from ..base.arrays import Array
from ..base.delimited import number_of, table_of, text_of
from ..base.errors import InputError
from ..base.sentence import say
from ..base.wording import worded
from .site import MAX_VALUES, HeightField

HEADER = ("ncols", "nrows", "xllcorner", "xllcenter", "yllcorner", "yllcenter", "cellsize", "nodata_value")
MAX_BYTES = 100_000_000
LONGEST_ROW = 20_000
MAX_POINTS = 5_000_000


def read_height_field(path: str | Path) -> HeightField:
    """A height field from an ESRI ASCII grid (.asc) or from lines "x y z" on an even grid (.csv, .txt, .xyz).

    Metres, z up, x to the east and y to the north. A grid of more than 160,000 values is thinned evenly; the source
    then says by how much. Raises InputError naming line and column.
    """
    path = Path(path)
    text = text_of(path, MAX_BYTES, "a height grid; thin it out first")
    lines = text.splitlines()
    if lines and lines[0].split()[:1] and lines[0].split()[0].lower() in HEADER:
        corner, spacing, grid = _ascii_grid(path.name, lines)
    else:
        corner, spacing, grid = _point_list(path.name, text)
    stride = int(np.ceil(np.sqrt(grid.size / MAX_VALUES)))
    thinned = f", every {stride}. value of {grid.shape[1]} x {grid.shape[0]}" if stride > 1 else ""
    grid = grid[::stride, ::stride]
    try:
        return HeightField(
            corner=corner,
            spacing=spacing * stride,
            rows=tuple(tuple(row) for row in grid.tolist()),
            source=path.name + thinned,
        )
    except ValidationError as error:
        raise InputError(f"{path.name}: {worded(error.errors()[0])}.") from None


def _number(name: str, text: str, line: int, column: int) -> float:
    value = number_of(text, " ")
    if value is None:
        raise InputError(f"{name}, line {line}, column {column}: expected a number, found '{text[:40]}'.")
    return value


def _ascii_grid(name: str, lines: list[str]) -> tuple[tuple[float, float], float, Array]:
    head: dict[str, float] = {}
    body = 0
    for k, line in enumerate(lines):
        words = line.split()
        if not words or words[0].lower() not in HEADER:
            body = k
            break
        if len(words) != 2:
            raise InputError(f"{name}, line {k + 1}: expected a name and a number, found '{line.strip()}'.")
        head[words[0].lower()] = _number(name, words[1], k + 1, 2)
    for needed in ("ncols", "nrows", "cellsize"):
        if needed not in head:
            raise InputError(f"{name}: the header line '{needed}' of an ASCII grid is missing.")
    columns, rows, cell = int(head["ncols"]), int(head["nrows"]), head["cellsize"]
    if not (2 <= columns <= LONGEST_ROW and 2 <= rows <= LONGEST_ROW and 0.0 < cell <= 1e4):
        raise InputError(
            say(
                "{name}: a grid of {columns:g} x {rows:g} values {cell:g m} apart cannot be; it"
                " needs 2 to {longest_row} values each way.",
                name=name,
                columns=head["ncols"],
                rows=head["nrows"],
                cell=cell,
                longest_row=LONGEST_ROW,
            )
        )
    if len(lines) - body < rows:
        raise InputError(f"{name}, line {len(lines) + 1}: expected {columns} heights, found 0.")
    grid = np.empty((rows, columns))
    for j in range(rows):
        number = body + j + 1
        words = lines[number - 1].split() if number <= len(lines) else []
        if len(words) != columns:
            raise InputError(f"{name}, line {number}: expected {columns} heights, found {len(words)}.")
        for i, word in enumerate(words):
            value = _number(name, word, number, i + 1)
            if value == head.get("nodata_value"):
                raise InputError(
                    f"{name}, line {number}, column {i + 1}: no height there; fill the gaps first."
                )
            grid[rows - 1 - j, i] = value  # the first line is the northernmost
    x = head.get("xllcenter", head.get("xllcorner", 0.0) + 0.5 * cell)
    y = head.get("yllcenter", head.get("yllcorner", 0.0) + 0.5 * cell)
    return (x, y), cell, grid


def _point_list(name: str, text: str) -> tuple[tuple[float, float], float, Array]:
    table = table_of(text, name, blanks=True, most=MAX_POINTS)
    for row in table.rows:
        table.check_width(row, 3, of="x, y and z")
    points = table.numbers((1, 2, 3))
    if len(points) < 4:
        raise InputError(f"{name}: has {len(points)} points; a height grid needs at least 2 x 2.")
    p = np.array(points)
    xs, ys = np.unique(np.round(p[:, 0], 6)), np.unique(np.round(p[:, 1], 6))
    steps = np.concatenate([np.diff(xs), np.diff(ys)])
    if steps.size == 0 or np.ptp(steps) > 1e-3 * steps.mean() or len(p) != len(xs) * len(ys):
        raise InputError(
            f"{name}: the points are not on an even grid ({len(p)} points, {len(xs)} different x, {len(ys)}"
            " different y); resample them to one spacing along x and y."
        )
    grid = np.full((len(ys), len(xs)), np.nan)
    grid[np.searchsorted(ys, np.round(p[:, 1], 6)), np.searchsorted(xs, np.round(p[:, 0], 6))] = p[:, 2]
    if np.isnan(grid).any():
        j, i = np.argwhere(np.isnan(grid))[0]
        raise InputError(f"{name}: no height at x = {xs[i]:g}, y = {ys[j]:g}; complete the grid.")
    return (float(xs[0]), float(ys[0])), float(steps.mean()), grid
