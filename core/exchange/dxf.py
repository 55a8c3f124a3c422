"""Lines of a track as 3D polylines for CAD: DXF in its simplest form (AutoCAD release 12, text), units metres.

One layer each for the centreline, the rails, the heartline and the ties; section borders are points with their
names as text. Release 12 has no header for units: the first comment and the report say that a unit is a metre.
Source: AutoCAD R12 DXF reference (group codes of POLYLINE, VERTEX, LINE, POINT, TEXT, LAYER).
"""

from __future__ import annotations

from pathlib import Path

import numpy as np

from ..base.arrays import Array
from ..track.build import BuiltTrack
from .accuracy import chord_error
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
TIE_SPACING = 1.0  # m
LETTERS = 0.5  # m, height of the section names
LAYERS = {"CENTRELINE": 7, "LEFT_RAIL": 1, "RIGHT_RAIL": 5, "HEARTLINE": 3, "TIES": 8, "SECTIONS": 2}
CLOSED, THREE_D, VERTEX_3D = 1, 8, 32


def _group(code: int, value: str | int | float) -> str:
    text = f"{value:.6f}" if isinstance(value, float) else str(value)
    return f"{code}\n{text}\n"


def _place(point: Array, first: int = 10) -> str:
    return "".join(_group(first + 10 * i, float(value)) for i, value in enumerate(point))


def _polyline(layer: str, points: Array, closed: bool) -> str:
    flags = THREE_D | (CLOSED if closed else 0)
    parts = [_group(0, "POLYLINE"), _group(8, layer), _group(66, 1), _place(np.zeros(3)), _group(70, flags)]
    for point in points:
        parts += [_group(0, "VERTEX"), _group(8, layer), _place(point), _group(70, VERTEX_3D)]
    return "".join([*parts, _group(0, "SEQEND"), _group(8, layer)])


def _name(text: str) -> str:
    """Text that release 12 can hold: one line of ASCII, other letters written as their code."""
    plain = (c if 32 <= ord(c) < 127 else f"\\U+{ord(c) & 0xFFFF:04X}" for c in text if c.isprintable())
    return "".join(plain) or "-"


def _tables() -> str:
    parts = [_group(0, "SECTION"), _group(2, "TABLES"), _group(0, "TABLE"), _group(2, "LAYER")]
    parts.append(_group(70, len(LAYERS)))
    for layer, colour in LAYERS.items():
        parts += [
            _group(0, "LAYER"),
            _group(2, layer),
            _group(70, 0),
            _group(62, colour),
            _group(6, "CONTINUOUS"),
        ]
    return "".join([*parts, _group(0, "ENDTAB"), _group(0, "ENDSEC")])


def dxf_text(built: BuiltTrack, s: Array, heartline: float) -> str:
    """The DXF of a track with vertices at s (n,) m and the heartline at a height (m). Raises FloatingPointError."""
    state = built.centreline.state(s)
    middle, left, up = state.curve[:, 0], finite(state.left, s), finite(state.up, s)
    finite(middle, s)
    half = 0.5 * built.track.gauge
    lines = {
        "CENTRELINE": middle,
        "LEFT_RAIL": middle + half * left,
        "RIGHT_RAIL": middle - half * left,
        "HEARTLINE": middle + heartline * up,
    }
    parts = [_group(999, "Ridewright track, 1 unit = 1 m"), _tables()]
    parts += [_group(0, "SECTION"), _group(2, "ENTITIES")]
    parts += [_polyline(layer, points, built.track.closed) for layer, points in lines.items()]
    ties = np.linspace(0.0, built.length, max(2, int(built.length / TIE_SPACING) + 1))
    frame = built.centreline.state(ties)
    for point, across in zip(frame.curve[:, 0], half * frame.left, strict=True):
        parts += [_group(0, "LINE"), _group(8, "TIES"), _place(point + across), _place(point - across, 11)]
    starts = built.centreline.state([span.s0 for span in built.sections]).curve[:, 0]
    for span, point in zip(built.sections, starts, strict=True):
        parts += [_group(0, "POINT"), _group(8, "SECTIONS"), _place(point)]
        parts += [_group(0, "TEXT"), _group(8, "SECTIONS"), _place(point), _group(40, LETTERS)]
        parts.append(_group(1, _name(span.name)))
    return "".join([*parts, _group(0, "ENDSEC"), _group(0, "EOF")])


def write(built: BuiltTrack, path: Path, options: WriteOptions) -> Report:
    """Write centreline, rails, heartline, ties and section names as a DXF of release 12, z up, in metres.

    Vertices are about options.spacing m apart. The report states the largest distance of a polyline from its rail.
    Raises InputError naming the section when there is no finite geometry, or when the file cannot be written.
    """
    spacing = spacing_of(options, SPACING, built)
    s, _ = places_along(built, spacing)
    with naming_section(built, str(path)):
        text = dxf_text(built, s, options.heartline)
    write_text(path, text)
    error, at = chord_error(built, s)
    return Report(
        (path,),
        (
            f"{len(s)} vertices a line about {spacing:g} m apart; 1 unit is 1 m, z is up.",
            f"The polylines of the rails lie at most {error * 1000:.2f} mm off them (at s = {at:.1f} m).",
        ),
    )


FORMAT = Format(
    "dxf",
    "DXF polylines",
    (".dxf",),
    None,
    write,
    "Centreline, rails, heartline, ties and section names as lines for CAD.",
    SPACING,
)
