"""NoLimits 2 track elements (.nl2elem), both ways.

What is known of the format and how surely (the maker documents nothing; read from what FVD++ and KexEdit write
and what published readers expect):
- XML: root / element / description, then `vertex` (x, y, z in m, optional strict) and `roll` (ux uy uz, rx ry rz,
  coord, strict). Sure: both writers agree and NoLimits 2 takes their files.
- Axes: y up, right-handed, the same as the spline CSV. Sure for FVD++; KexEdit mirrors its own left-handed axes.
- The curve through the vertices: see `nl2_curve`. Fairly sure.
- Vertices lie on the heartline, 1.1 m above the rails unless the coaster says otherwise, and the rails hang below
  it. Fairly sure: FVD++ writes its heartline; the file itself says nothing, so the height is an option.
- u is the up and r the right vector of the track at `coord`, which runs from 0 to 1. That it counts length is what
  FVD++ and KexEdit write; a reader found files in which the middle fits badly. Both readings, share of the length
  and share of the vertices, are tried, and the one whose frames point along the curve is taken.
- How NoLimits 2 interpolates the roll between its points is not known; here the vectors are by cubic splines.
"""

from __future__ import annotations

import math
import xml.etree.ElementTree as ET
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from scipy.interpolate import BSpline, make_interp_spline

from ..base.arrays import Array
from ..base.errors import InputError
from ..base.wording import in_words
from ..track.build import BuiltTrack
from ..track.centreline import FrameState
from ..track.heartline import Heartline
from .accuracy import deviation_from
from .base import (
    Format,
    Imported,
    ReadOptions,
    Report,
    WriteOptions,
    check_size,
    finite,
    name_of,
    naming_section,
    read_bytes,
    spacing_of,
    table_track,
    write_text,
    y_up,
    z_up,
)
from .nl2_csv import LARGEST_PLACE
from .side_file import (
    read_side_file,
    refuse_without_room,
    with_side_file,
    write_side_file,
)

GAUSS = 8  # places to a span for the length


@dataclass(frozen=True)
class Stretch:
    """A piece of the curve between strict vertices: the spline over [0, spans] and its first and last vertex."""

    spline: BSpline
    spans: int
    first: int
    last: int


def clamped_knots(count: int, degree: int) -> Array:
    """Clamped uniform knots for `count` control points: spans of length one, (count + degree + 1,)."""
    inner = np.arange(count - degree + 1, dtype=float)
    return np.concatenate([np.zeros(degree), inner, np.full(degree, inner[-1])])


def stretches(vertices: Array, strict: NDArray[np.bool_]) -> list[Stretch]:
    """The curve through vertices (n, 3), n >= 2, with strict flags (n,), as splines one after the other."""
    held = strict.copy()
    held[[0, -1]] = True
    ends = np.flatnonzero(held).tolist()
    pieces = []
    for a, b in pairwise(ends):
        control = vertices[a : b + 1]
        degree = min(3, b - a)
        pieces.append(
            Stretch(BSpline(clamped_knots(len(control), degree), control, degree), b - a + 1 - degree, a, b)
        )
    return pieces


def control_points(positions: Array, points: Array, count: int) -> Array:
    """Vertices (count, 3) whose curve, without strict ones inside, passes through a known curve.

    positions (m,) rising from 0 to 1, points (m, 3): the known curve, densely; the vertices make the clamped uniform
    cubic meet it at its Greville places, with its parameter proportional to `positions`.
    """
    knots = clamped_knots(count, 3)
    greville = (knots[1:-3] + knots[2:-2] + knots[3:-1]) / 3.0
    dense = make_interp_spline(positions, points, k=5)
    fit = make_interp_spline(greville, dense(greville / greville[-1]), k=3, t=knots)
    return np.asarray(fit.c)


@dataclass(frozen=True)
class Sampled:
    """Places on the curve: position (n, 3), unit tangent (n, 3), run (n,) m of arc length, vertex (n,): how many
    vertices have been passed (0 to the last index, fractional)."""

    position: Array
    tangent: Array
    run: Array
    vertex: Array


def sample(pieces: list[Stretch], spacing: float) -> Sampled:
    """Places at most `spacing` (m) apart on the whole curve, ends and strict vertices included."""
    node, weight = np.polynomial.legendre.leggauss(GAUSS)
    positions, tangents, runs, passed = [], [], [], []
    total = 0.0
    for k, piece in enumerate(pieces):
        slope = piece.spline.derivative()
        chord = np.linalg.norm(np.diff(piece.spline.c, axis=0), axis=1).sum()
        parts = max(1, int(np.ceil(chord / piece.spans / spacing)))
        u = np.linspace(0.0, piece.spans, piece.spans * parts + 1)
        half = 0.5 * np.diff(u)
        speeds = np.linalg.norm(slope((u[:-1] + half)[:, None] + half[:, None] * node), axis=-1)
        run = total + np.concatenate([[0.0], np.cumsum(half * (speeds @ weight))])
        total = float(run[-1])
        take = slice(0 if k == 0 else 1, None)
        direction = slope(u)
        size = np.linalg.norm(direction, axis=-1, keepdims=True)
        positions.append(piece.spline(u)[take])
        tangents.append((direction / np.maximum(size, 1e-12))[take])
        runs.append(run[take])
        passed.append((piece.first + u * (piece.last - piece.first) / piece.spans)[take])
    return Sampled(*(np.concatenate(values) for values in (positions, tangents, runs, passed)))


SPACING = 2.0  # m between vertices, what FVD++ and KexEdit take by default
ROW_SPACING = 0.5  # m between the rows an element is read into
MEETS = 0.05  # m; an element whose end comes this close to its start is a closed track
WORST_FRAME = math.radians(20.0)  # frames that point further off the curve than this are called doubtful
MIN_VERTICES = 4


@dataclass(frozen=True)
class Element:
    """The content of a file in the axes of the file: vertices (n, 3) m, strict (n,), and roll points sorted by
    coord (m,): up and right (m, 3)."""

    description: str
    vertices: Array
    strict: NDArray[np.bool_]
    coord: Array
    up: Array
    right: Array


def _numbers(node: ET.Element, tags: tuple[str, ...], where: str) -> list[float]:
    values = []
    for tag in tags:
        text = (node.findtext(tag) or "").strip()
        try:
            value = float(text)
        except ValueError:
            raise InputError(f"{where}, <{tag}>: expected a number, found '{text[:40]}'.") from None
        if not math.isfinite(value) or abs(value) > LARGEST_PLACE:
            raise InputError(
                f"{where}, <{tag}>: the number must be finite and at most {LARGEST_PLACE:.0f}, found '{text[:40]}'."
            )
        values.append(value)
    return values


def parse_element(raw: bytes, where: str) -> Element:
    """The content of an element file. where: name used in messages.

    Raises InputError naming the vertex or roll point and the tag that is missing, no number or out of range.
    """
    if b"<!DOCTYPE" in raw or b"<!ENTITY" in raw:
        raise InputError(f"{where}: element files have no document type; this is something else.")
    try:
        root = ET.fromstring(raw)
    except (ET.ParseError, ValueError, LookupError) as error:
        raise InputError(f"{where}: is not a readable XML file ({in_words(error)}).") from None
    element = root if root.tag == "element" else root.find(".//element")
    if element is None:
        raise InputError(f"{where}: there is no <element>; expected a NoLimits 2 track element.")
    vertices, strict = [], []
    for k, node in enumerate(element.iter("vertex"), start=1):
        vertices.append(_numbers(node, ("x", "y", "z"), f"{where}, vertex {k}"))
        strict.append((node.findtext("strict") or "").strip().lower() == "true")
    if len(vertices) < MIN_VERTICES:
        raise InputError(f"{where}: only {len(vertices)} vertices; a track needs at least {MIN_VERTICES}.")
    apart = np.linalg.norm(np.diff(np.array(vertices), axis=0), axis=1)
    check_size(where, rows=len(vertices), length=float(apart.sum()))
    if np.any(apart < 1e-6):
        k = int(np.argmin(apart))
        raise InputError(f"{where}: vertices {k + 1} and {k + 2} are at the same place; remove one.")
    rolls = [
        _numbers(node, ("coord", "ux", "uy", "uz", "rx", "ry", "rz"), f"{where}, roll point {k}")
        for k, node in enumerate(element.iter("roll"), start=1)
    ]
    table = np.array(sorted(rolls)).reshape(-1, 7)
    table = table[np.append(True, np.diff(table[:, 0]) > 1e-9)] if len(table) else table
    for k, row in enumerate(table, start=1):
        if np.linalg.norm(np.cross(row[1:4], row[4:7])) < 0.5:
            raise InputError(f"{where}: up and right of roll point {k} are not two unit vectors.")
    description = (element.findtext("description") or "").strip()
    return Element(
        description, np.array(vertices), np.array(strict), table[:, 0], table[:, 1:4], table[:, 4:7]
    )


def _frames(element: Element, rows: Sampled) -> tuple[Array | None, float, str]:
    """Up vectors (n, 3) at the rows, how far the given frames point off the curve (rad), how coord was read."""
    if len(element.coord) == 0:
        return None, 0.0, ""
    ahead = np.cross(element.up, element.right)
    ahead /= np.linalg.norm(ahead, axis=1, keepdims=True)
    best: tuple[float, Array, str] | None = None
    for scale, words in ((rows.run, "length"), (rows.vertex, "vertices")):
        share = scale / scale[-1]
        tangent = np.stack([np.interp(element.coord, share, rows.tangent[:, i]) for i in range(3)], axis=-1)
        cosine = np.sum(ahead * tangent, axis=1) / np.linalg.norm(tangent, axis=1)
        off = float(np.max(np.arccos(np.clip(cosine, -1.0, 1.0))))
        if best is None or off < best[0]:
            best = (off, share, words)
    assert best is not None
    off, share, words = best
    if len(element.coord) == 1:
        return np.repeat(element.up, len(share), axis=0), off, words
    spline = make_interp_spline(element.coord, element.up, k=min(3, len(element.coord) - 1))
    return np.asarray(spline(np.clip(share, element.coord[0], element.coord[-1]))), off, words


def rows_of(element: Element, height: float, spacing: float = ROW_SPACING) -> tuple[Array, Array | None, str]:
    """Rail positions (n, 3) m and up vectors (n, 3) of an element, z up, and a sentence on its frames.

    height (m): of the vertices above the rails. spacing (m): largest distance of the rows.
    """
    rows = sample(stretches(element.vertices, element.strict), spacing)
    position = z_up(rows.position)
    up, off, words = _frames(element, rows)
    if up is None:
        return position, None, "The element has no roll points: the track is rolled as little as can be."
    flat = up - np.sum(up * rows.tangent, axis=1, keepdims=True) * rows.tangent
    upright = z_up(flat / np.maximum(np.linalg.norm(flat, axis=1, keepdims=True), 1e-9))
    doubt = "" if off < WORST_FRAME else "; they may be meant for another curve, check the roll"
    note = (
        f"Roll points were placed by their share of the {words}; their frames point along the curve within"
        f" {np.degrees(off):.1f} deg{doubt}."
    )
    return position - height * upright, upright, note


def read(path: Path, options: ReadOptions) -> Imported:
    """Track from a NoLimits 2 track element; see the module for what is taken as known.

    Raises InputError naming vertex or roll point and tag.
    """
    element = parse_element(read_bytes(path, "a track element"), str(path))
    position, up, note = rows_of(element, options.heartline)
    gap = float(np.linalg.norm(position[0] - position[-1]))
    closed = gap <= MEETS if options.closed is None else options.closed
    side = read_side_file(path)
    name = (
        options.name or (str(side.fields.get("name")) if side else element.description[:60]) or name_of(path)
    )
    rows = {
        "positions": position.tolist(),
        "up": None if up is None else up.tolist(),
        "tolerance": options.tolerance,
    }
    track = table_track(
        str(path), rows, name=name, closed=closed, gauge=options.gauge,
        heartline=Heartline(height=options.heartline),
    )  # fmt: skip
    notes = (
        note,
        f"The vertices were taken as a heartline {options.heartline:g} m above the rails.",
    )
    return with_side_file(track, side, path, name, notes)


def element_text(description: str, vertices: Array, coord: Array, up: Array, right: Array) -> str:
    """The XML of an element; vectors in the axes of the file, both ends strict."""
    clean = "".join(c for c in description if c.isprintable())
    clean = clean.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    out = ['<?xml version="1.0" encoding="UTF-8"?>', "<root>", "\t<element>"]
    out.append(f"\t\t<description>{clean}</description>")
    for k, (x, y, z) in enumerate(vertices.tolist()):
        strict = "<strict>true</strict>" if k in (0, len(vertices) - 1) else ""
        out.append(f"\t\t<vertex><x>{x:.9e}</x><y>{y:.9e}</y><z>{z:.9e}</z>{strict}</vertex>")
    for position, u, r in zip(coord.tolist(), up.tolist(), right.tolist(), strict=True):
        cells = [
            *zip(("ux", "uy", "uz"), u, strict=True),
            *zip(("rx", "ry", "rz"), r, strict=True),
            ("coord", position),
        ]
        inside = "".join(f"<{tag}>{value:.9e}</{tag}>" for tag, value in cells)
        out.append(f"\t\t<roll>{inside}<strict>false</strict></roll>")
    return "\n".join([*out, "\t</element>", "</root>"]) + "\n"


def write(built: BuiltTrack, path: Path, options: WriteOptions) -> Report:
    """Write the heartline as a NoLimits 2 track element, with the section borders in a side file.

    Vertices are about options.spacing m apart; a closed track is written as an open one that ends where it
    starts. The report states how far the curve NoLimits 2 draws is off the exact track (position and roll).
    Raises InputError naming the section when there is no finite geometry, or when the file cannot be written.
    """
    spacing = spacing_of(options, SPACING, built)
    dense = np.linspace(0.0, built.length, int(np.ceil(built.length / min(0.25, 0.25 * spacing))) + 8)
    state = built.centreline.state(dense, from_left=False)
    with naming_section(built, str(path)):
        finite(state.curve[:, :2], dense)
        finite(state.up, dense)
    heart = state.curve[:, 0] + options.heartline * state.up
    if built.track.closed:  # the last place is the first one
        heart[-1] = heart[0]
    run = np.concatenate([[0.0], np.cumsum(np.linalg.norm(np.diff(heart, axis=0), axis=1))])
    count = max(MIN_VERTICES, int(np.ceil(run[-1] / spacing)) + 1)
    vertices = y_up(control_points(run / run[-1], heart, count))
    coord = np.linspace(0.0, 1.0, count)
    at = np.interp(coord, run / run[-1], dense)
    frames = built.centreline.state(at)
    ahead = _heart_direction(frames, options.heartline)
    text = element_text(built.track.name, vertices, coord, y_up(frames.up), y_up(np.cross(ahead, frames.up)))
    refuse_without_room(path)
    write_text(path, text)
    side = write_side_file(built, path)
    again, up, _ = rows_of(parse_element(text.encode(), str(path)), options.heartline)
    assert up is not None
    share = np.linspace(0.0, 1.0, len(again))
    off = deviation_from(built, again, np.cross(up, _tangents(again)), share * built.length)
    sentence = off.sentence("The curve NoLimits 2 draws through them misses the track")
    return Report((path, *side), (f"{count} vertices about {spacing:g} m apart.", sentence))


def _heart_direction(state: FrameState, height: float) -> Array:
    """Unit tangents (n, 3) of the line `height` m above the rails: t (1 - height curvature.up) - height twist l."""
    bend = np.sum(state.curve[:, 2] * state.up, axis=1)
    along = state.tangent * (1.0 - height * bend)[:, None] - height * state.twist[:, :1] * state.left
    unit: Array = along / np.linalg.norm(along, axis=1, keepdims=True)
    return unit


def _tangents(points: Array) -> Array:
    slope = np.gradient(points, axis=0)
    unit: Array = slope / np.linalg.norm(slope, axis=1, keepdims=True)
    return unit


FORMAT = Format(
    "nl2elem",
    "NoLimits 2 track element",
    (".nl2elem",),
    read,
    write,
    "Vertices and roll points of a heartline; section borders go to a side file next to it.",
    SPACING,
    options=("closed", "gauge", "tolerance", "heartline"),
)
