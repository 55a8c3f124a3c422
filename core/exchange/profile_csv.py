"""The profile of a track as a comma separated table: shape along the arc length, and a ride where one is given."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from ..base.arrays import Array
from ..base.errors import InputError
from ..base.text_table import plain_cell
from ..track.build import BuiltTrack
from .base import (
    Format,
    Report,
    WriteOptions,
    finite,
    naming_section,
    places_along,
    spacing_of,
    write_text,
)

SPACING = 0.5  # m
SHAPE = (
    "s_m", "x_m", "y_m", "z_m", "cant_rad", "slope_rad", "heading_rad", "curvature_per_m", "curvature_vertical_per_m",
    "curvature_lateral_per_m", "torsion_per_m", "roll_rate_rad_per_m",
)  # fmt: skip


def shape_columns(built: BuiltTrack, s: Array) -> Array:
    """Columns SHAPE at s (n,) m, (n, 12).

    Slope and heading of the tangent against the horizontal and the x axis; curvatures in the canted frame, positive
    towards up and left; torsion of the curve; roll rate: turn of the canted frame about the tangent.
    Raises FloatingPointError with the place of a value that is not finite.
    """
    state = built.centreline.state(s)
    d1, d2, d3 = state.curve[:, 1], state.curve[:, 2], state.curve[:, 3]
    bend = np.linalg.norm(d2, axis=1)
    triple = np.sum(np.cross(d1, d2) * d3, axis=1)
    torsion = np.divide(triple, bend**2, out=np.zeros_like(bend), where=bend > 1e-8)
    columns = [
        s,
        *state.curve[:, 0].T,
        state.cant,
        np.arctan2(d1[:, 2], np.hypot(d1[:, 0], d1[:, 1])),
        np.arctan2(d1[:, 1], d1[:, 0]),
        bend,
        np.sum(d2 * state.up, axis=1),
        np.sum(d2 * state.left, axis=1),
        torsion,
        state.twist[:, 0],
    ]
    return finite(np.stack(columns, axis=-1), s)


def write(built: BuiltTrack, path: Path, options: WriteOptions) -> Report:
    """Write the profile: section name, the columns SHAPE, then those of a ride interpolated to the same places.

    options.ride: columns by name, each (n,), with the place "s" (m) rising; places outside the ride stay empty.
    Rows are about options.spacing m apart with one on every section border.
    Raises InputError naming the section without a finite geometry, or a ride column that does not fit.
    """
    spacing = spacing_of(options, SPACING, built)
    s, owner = places_along(built, spacing)
    with naming_section(built, str(path)):
        table = shape_columns(built, s)
    names, ridden = _ride_columns(options, s)
    header = ",".join(("section", *SHAPE, *names))
    lines = [header]
    for k, row in enumerate(table.tolist()):
        name = plain_cell(built.sections[owner[k]].name).replace('"', '""')
        cells = [f"{value:.9g}" for value in row]
        cells += ["" if np.isnan(value) else f"{value:.9g}" for value in ridden[k].tolist()]
        lines.append(f'"{name}",' + ",".join(cells))
    write_text(path, "\n".join(lines) + "\n")
    message = f"{len(s)} rows about {spacing:g} m apart, {len(SHAPE)} columns of shape"
    message += f" and {len(names)} of the ride." if names else "."
    return Report(
        (path,), (message, "Values are exact at the rows to nine digits; units stand in the header.")
    )


def _ride_columns(options: WriteOptions, s: Array) -> tuple[tuple[str, ...], Array]:
    if not options.ride:
        return (), np.zeros((len(s), 0))
    if "s" not in options.ride:
        raise InputError("The ride has no column 's' with its places along the track (m); add it.")
    positions = np.asarray(options.ride["s"], dtype=float)
    names = tuple(name for name in options.ride if name != "s")
    if positions.ndim != 1 or len(positions) < 2 or not np.all(np.diff(positions) > 0.0):
        raise InputError("The places 's' of the ride must rise; give the rows of one lap.")
    columns = []
    for name in names:
        values = np.asarray(options.ride[name], dtype=float)
        if values.shape != positions.shape:
            raise InputError(
                f"Column '{name}' of the ride has {values.size} values but there are {len(positions)} places."
            )
        columns.append(np.interp(s, positions, values, left=np.nan, right=np.nan))
    return names, np.stack(columns, axis=-1) if columns else np.zeros((len(s), 0))


FORMAT = Format(
    "profile",
    "Profile CSV",
    (".profile.csv",),
    None,
    write,
    "Position, cant, slope, curvatures and torsion along the track, with the loads of a ride if there is one.",
    SPACING,
    rides=True,
)
