"""The site a track stands on: a level plane or an imported height field."""

from __future__ import annotations

from typing import Annotated

import numpy as np
from numpy.typing import ArrayLike
from pydantic import Field, model_validator

from ..base.arrays import Array
from ..base.fields import described
from ..base.frozen import Frozen

Height = Annotated[float, Field(ge=-1e4, le=1e4)]
Coordinate = Annotated[float, Field(ge=-1e6, le=1e6)]
MAX_VALUES = 160_000  # a field of 400 by 400; larger grids are thinned on import


class HeightField(Frozen):
    """Heights of the ground on an even grid (world): rows[j][i] at corner + (i, j) * spacing."""

    corner: tuple[Coordinate, Coordinate] = described(
        ..., "Corner", "Position (x, y) of the first value of the first row.", unit="m"
    )
    spacing: Annotated[float, Field(gt=0.0, le=1000.0)] = described(
        ..., "Spacing", "Distance of neighbours along x and y.", unit="m"
    )
    rows: Annotated[tuple[tuple[Height, ...], ...], Field(min_length=2, repr=False)] = described(
        ..., "Heights", "Rows along x, one after the other along y.", unit="m"
    )
    source: str = described("", "Source", "Where the heights come from.")

    @model_validator(mode="after")
    def _rectangular(self) -> HeightField:
        width = len(self.rows[0])
        if width < 2:
            raise ValueError("a height field needs at least 2 values in a row")
        for j, row in enumerate(self.rows):
            if len(row) != width:
                raise ValueError(f"row {j + 1} of the height field has {len(row)} values, row 1 has {width}")
        if width * len(self.rows) > MAX_VALUES:
            raise ValueError(
                f"the height field has {width * len(self.rows)} values, at most {MAX_VALUES} are kept; thin it"
            )
        return self


class Site(Frozen):
    """What is under the track: a level, and a height field where it has values; the level continues it outside."""

    level: Height | None = described(
        None, "Ground level", "Height of the ground.", unit="m", empty="half a metre below the lowest rail"
    )
    field: HeightField | None = described(None, "Height field", "Heights of the ground on a grid.")


def ground_height(site: Site, x: ArrayLike, y: ArrayLike, *, otherwise: float = 0.0) -> Array:
    """Height (m) of the ground at places (x, y) of any equal shape.

    Bilinear between the values of the height field; outside it the level of the site, or `otherwise` when the site
    leaves its level open.
    """
    x, y = np.broadcast_arrays(np.asarray(x, dtype=float), np.asarray(y, dtype=float))
    level = otherwise if site.level is None else site.level
    out = np.full(x.shape, level)
    if site.field is None:
        return out
    grid = np.array(site.field.rows)
    u = (x - site.field.corner[0]) / site.field.spacing
    v = (y - site.field.corner[1]) / site.field.spacing
    inside = (u >= 0.0) & (v >= 0.0) & (u <= grid.shape[1] - 1) & (v <= grid.shape[0] - 1)
    i = np.clip(u[inside].astype(np.int64), 0, grid.shape[1] - 2)
    j = np.clip(v[inside].astype(np.int64), 0, grid.shape[0] - 2)
    a, b = u[inside] - i, v[inside] - j
    near = (1.0 - a) * grid[j, i] + a * grid[j, i + 1]
    far = (1.0 - a) * grid[j + 1, i] + a * grid[j + 1, i + 1]
    out[inside] = (1.0 - b) * near + b * far
    return out
