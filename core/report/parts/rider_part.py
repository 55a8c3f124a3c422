"""A generated rider in the report: drawing, who it is, segments with their sources, limits of the joints, muscles."""

from __future__ import annotations

import math
from functools import partial

import numpy as np

from ...base.arrays import Array
from ...base.errors import InputError
from ...human.anthropometry import dimensions, size_of
from ...human.drawing import VIEWS, Fan, fans, silhouettes
from ...human.joints import acting_muscles
from ...human.shape import segments
from ...human.tables import Sourced
from ...model.assembly import Assembly
from ..book import Book
from ..cells import figures, fixed, left, text
from ..document import Block, Column, Table, Text
from ..figures.canvas import BLUE, INK, SKY, VERMILION, Drawing
from ..figures.diagram import Part, Patch, Side, diagram, line, spots

FAN = 0.09  # m, radius of a fan about a joint


def rider_blocks(book: Book, k: int, rider: Assembly) -> list[Block]:
    """What a rider with skin has beside its bodies and joints; nothing for one that is drawn from its moments only."""
    blocks: list[Block] = []
    if any(body.surfaces for body in rider.bodies):
        blocks.append(
            book.figure(
                f"rider_{k + 1}",
                f"Diagram of {rider.name}",
                "Skin and joints as drawn; fans show how far a joint goes about the axis seen, lines where it is.",
                _rider_diagram(rider),
            )
        )
    if rider.person is not None:
        try:
            blocks += [_who(rider), _segments(k, rider)]
            if found := _dimensions(k, rider):
                blocks.append(found)
        except InputError as error:  # a file may ask for somebody of whom no body can be made
            blocks.append(Text(text=str(error)))
    if limits := _limits(k, rider):
        blocks.append(limits)
    count = acting_muscles(rider.model_dump(mode="json"))
    if count:
        blocks.append(
            Text(
                text=f"{count} posture muscles act in this rider. They are an addition of this program with chosen"
                " figures; every verdict on this rider holds with them only.",
                tone="near",
            )
        )
    return blocks


def _who(rider: Assembly) -> Text:
    assert rider.person is not None
    size = size_of(rider.person)
    messages = [("Stature", size.stature), ("mass", size.mass), *((("age", size.age),) if size.age else ())]
    return Text(text="; ".join(_told(what, figure) for what, figure in messages) + ".")


def _told(what: str, figure: Sourced) -> str:
    unit = "years" if what == "age" else figure.unit
    return f"{what} {figure.value:.4g} {unit}, {figure.kind} ({figure.source})"


def _segments(k: int, rider: Assembly) -> Table:
    assert rider.person is not None
    found = segments(rider.person)
    sources: dict[str, str] = {}
    rows = []
    for s in found:
        marks = [
            sources.setdefault(f"{figure.kind}, {figure.source}", chr(97 + len(sources)))
            for figure in (s.mass, s.length, s.girth, s.moments)
        ]
        rows.append(
            (
                text(s.name), fixed(s.mass.value, 3), fixed(s.length.value, 3), fixed(s.girth.value, 3),
                *(figures(i, 4) for i in s.inertia), text(" ".join(marks)),
            )
        )  # fmt: skip
    note = "; ".join(f"{mark}: {source}" for source, mark in sources.items())
    return Table(
        id=f"rider_segments_{k + 1}",
        title="Segments as generated, with their sources",
        columns=(
            left("segment", "Segment", 1.0),
            Column(key="mass", title="Mass", unit="kg"),
            Column(key="length", title="Length", unit="m"),
            Column(key="girth", title="Girth", unit="m"),
            *(
                Column(key=f"inertia_{axis}", title=axis, unit="kg m²", group="Principal moments of inertia")
                for axis in ("ξ", "η", "ζ")
            ),
            left("sources", "Sources"),
        ),
        rows=tuple(rows),
        note=f"Sources of mass, length, girth and moments: {note}.",
    )


def _dimensions(k: int, rider: Assembly) -> Table | None:
    assert rider.person is not None
    found = dimensions(rider.person)
    if not found:
        return None
    return Table(
        id=f"rider_dimensions_{k + 1}",
        title="Dimensions of people of this stature and mass",
        columns=(
            left("dimension", "Dimension", 1.0),
            Column(key="value", title="Mean", unit="m"),
            Column(key="spread", title="Spread of individuals", unit="m"),
        ),
        rows=tuple((text(d.title), fixed(d.value, 3), fixed(d.spread, 3)) for d in found),
        note=f"Regression on stature and mass, {found[0].source}. Not used to make the segments.",
        printed=False,
    )


def _limits(k: int, rider: Assembly) -> Table | None:
    found = fans(rider)
    if not found:
        return None
    joints = dict.fromkeys(fan.joint for fan in found)
    by = {(fan.joint, fan.axis): fan for fan in found}
    rows = []
    for joint in joints:
        cells = [text(joint)]
        for axis in range(3):
            fan = by.get((joint, axis))
            values = (None, None, None) if fan is None else (fan.lower, fan.angle, fan.upper)
            cells += [text("") if v is None else fixed(math.degrees(v), 0) for v in values]
        rows.append(tuple(cells))
    return Table(
        id=f"rider_limits_{k + 1}",
        title="Ranges of motion",
        columns=(
            left("joint", "Joint", 1.0),
            *(
                Column(key=f"{word}_{axis}", title=title, unit="°", group=f"About {axis}")
                for axis in "xyz"
                for word, title in (("lower", "−"), ("drawn", "drawn"), ("upper", "+"))
            ),
        ),
        rows=tuple(rows),
        note="Rotation vector of the lower segment against the upper one from upright, in the axes of the upper "
        "one (x forward, y left, z up): Spicka 2020, Table 4.3, corrected.",
    )


def _rider_diagram(rider: Assembly) -> Drawing:
    """A rider in the frame of its seat from the side and the front, as SVG."""
    sides = []
    for view in ("Side", "Front"):
        across, up, _ = VIEWS[view]
        words = f"{view} view", f"{'xyz'[across]} / m", f"{'xyz'[up]} / m"
        sides.append(Side(_seen(rider, view), 0.06, *words))
    return partial(diagram, sides, 8.6, bottom=1.2)


def _seen(rider: Assembly, view: str) -> list[Part]:
    across, up, axis = VIEWS[view]
    depth = 3 - across - up
    far = -1.0 if depth == 1 else 1.0
    bodies = sorted(rider.bodies, key=lambda b: far * b.position[depth])
    parts: list[Part] = []
    for k, outlines in enumerate(silhouettes(bodies, across, up)):
        style = {"facecolor": SKY, "edgecolor": BLUE, "alpha": 0.55, "zorder": 2 + 0.01 * k}
        for centre, half in outlines:
            turn = float(np.degrees(np.arctan2(half[0, 1], half[0, 0])))
            place = (tuple(centre), *(2.0 * np.linalg.norm(half, axis=1)))
            reach = np.linalg.norm(half, axis=0)
            corners = [centre - reach, centre + reach]
            parts.append(Patch("Ellipse", place, {"angle": turn, **style}, corners))
    for fan in fans(rider):
        spot = fan.point[[across, up]]
        if fan.axis == axis:
            style = {"facecolor": VERMILION, "alpha": 0.25, "zorder": 4}
            parts.append(Patch("Polygon", (_outline(fan, across, up),), style))
            tip = spot + FAN * fan.drawn[[across, up]]
            parts.append(line([spot[0], tip[0]], [spot[1], tip[1]], color=INK, linewidth=0.8, zorder=5))
        parts.append(spots(spot[0], spot[1], "o", color="white", markeredgecolor=INK, markersize=3, zorder=6))
    return parts


def _outline(fan: Fan, across: int, up: int) -> Array:
    spot = fan.point[[across, up]]
    return np.vstack([spot, spot + FAN * fan.edge()[:, [across, up]]])
