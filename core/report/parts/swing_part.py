"""Drives and seats of a swinging ride in the report: what drives did, loads and margin at every seat with a map."""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import partial

import numpy as np

from ...base.frames import rotation_matrix
from ...charts.abscissa import Abscissa
from ...charts.chart import Colour, Curve, over_time
from ...model.forces import type_of
from ...model.forces.drive import Drive
from ...model.forces.drive_law import GIVEN, LOST, PHASE
from ...outcome.seat_table import SeatColumn, Value, columns_of
from ...outcome.seats import SeatAssessment, assess_seats
from ...results.results import States
from ..book import Book
from ..cells import count, figures, fixed, left, percent, text
from ..document import Block, Cell, Column, Section, Table, Tone
from ..figures.canvas import ALARM, FAINT, GREEN, INK, ORANGE, Drawing
from ..figures.diagram import Part, Patch, Side, Words, diagram, line
from ..figures.paper import paper
from ..run_view import RunView

HIGH, MAP = 4.2, 8.0  # cm, of the chart of a drive and the map of seats
TICK = 0.36, 0.5  # m from a seat, where the tick that shows the way it looks begins and ends


def swing_section(view: RunView, book: Book) -> Section | None:
    """Drives with feedback and assessed seats; None for a run without either."""
    blocks: list[Block] = []
    drives = _drives(view)
    if drives:
        blocks.append(_drive_table(view, drives))
        states = view.results.states
        rows = [view.results.names.springs.index(name) for name in drives]
        axis = Abscissa("time", states.time, None)
        angles = []
        for k, ((name, drive), row) in enumerate(zip(drives.items(), rows, strict=True)):
            angle = states.spring_length[:, row] - drive.hanging
            curve = Curve.over(axis, "", axis.time, angle, Colour("series", k))
            angles.append(over_time("angle", name, "rad", [curve], quantity="angle"))
        drawn = paper(angles, HIGH * len(angles) + 0.6, bottom=1.0, left=1.4)
        sentence = "From the hanging position, forward as the joint's axis has it."
        blocks.append(book.figure("drive_angles", "Angles of the driven joints", sentence, drawn))
    seats = assess_seats(view.results, view.project.evaluation)
    if seats:
        blocks += [_seat_table(seats), *_map(view, book, seats)]
    if not blocks:
        return None
    return Section(id="drives_and_seats", title="Drives and seats", page=True, blocks=tuple(blocks))


def _drives(view: RunView) -> dict[str, Drive]:
    top = view.project.assembly
    every = {} if top is None else top.every("force")
    return {
        name: force
        for name, force in every.items()
        if isinstance(force, Drive) and force.enabled and name in view.results.names.springs
    }


def _memory_of(view: RunView, drives: dict[str, Drive]) -> dict[str, int]:
    """Where the memory of each drive begins in the memory of the states."""
    from ...multibody.compile import compile_system

    system = compile_system(view.project)
    return {c.name: c.memory[0] for c in system.connectors if c.name in drives}


def _drive_table(view: RunView, drives: dict[str, Drive]) -> Table:
    states: States = view.results.states
    first = _memory_of(view, drives)
    rows = []
    for name, drive in drives.items():
        row = view.results.names.springs.index(name)
        torque, angle = -states.spring_force[:, row], states.spring_length[:, row] - drive.hanging
        at, made = first[name], type_of(drive)
        stopped = drive.emergency_stop if drive.emergency_stop is not None else drive.power_failure
        rows.append(
            (
                text(name), text("" if made is None else made.word), count(len(drive.programme)),
                count(1 + round(float(states.memory[:, at + PHASE].max()))),
                fixed(math.degrees(float(np.abs(angle).max())), 1), figures(float(np.abs(torque).max()) / 1e3),
                figures(float(states.memory[-1, at + GIVEN]) / 1e3),
                figures(float(states.memory[-1, at + LOST]) / 1e3), fixed(stopped, 2),
            )
        )  # fmt: skip
    return Table(
        id="drives",
        title="Drives",
        columns=(
            left("drive", "Drive", 1.0), left("kind", "Kind"), Column(key="phases", title="Phases"),
            Column(key="reached", title="Reached"), Column(key="angle", title="Largest angle", unit="°"),
            Column(key="largest_torque", title="Largest torque", unit="kN m"),
            Column(key="given", title="Net work put in", unit="kJ"),
            Column(key="lost", title="Lost in brake or slip", unit="kJ"),
            Column(key="stop", title="Stop at", unit="s"),
        ),
        rows=tuple(rows),
        note="Stop: emergency stop or power failure, where one is set.",
    )  # fmt: skip


def _seat_table(seats: tuple[SeatAssessment, ...]) -> Table:
    columns: list[Column] = []
    shown = columns_of(seats)
    for one in shown:
        if one.spans:
            columns += [
                Column(key=f"{one.key}_{part}", title=part.capitalize(), unit=one.unit, group=one.title)
                for part in ("least", "largest")
            ]
        elif one.unit:
            columns.append(Column(key=one.key, title=one.title, unit=one.unit))
        else:
            columns.append(left(one.key, one.title, one.share))
    return Table(
        id="seats",
        title="Loads at the seats",
        columns=tuple(columns),
        rows=tuple(tuple(cell for one in shown for cell in _cells(one, one.value(seat))) for seat in seats),
        note="Specific force at the seat in its axes, gravity in, unfiltered; criteria filter as they are defined."
        " All criteria count that need nothing but the acceleration at the seat.",
    )


def _cells(column: SeatColumn, value: Value) -> tuple[Cell, ...]:
    if column.spans:
        low, high = value if isinstance(value, tuple) else (None, None)
        return fixed(low, column.decimals), fixed(high, column.decimals)
    if isinstance(value, float):
        tone: Tone = "outside" if value < 0.0 else "near" if value < 0.1 else "inside"
        return (percent(value, tone) if column.unit == "%" else fixed(value, column.decimals),)
    return (text(str(value or "")),)


def _map(view: RunView, book: Book, seats: tuple[SeatAssessment, ...]) -> list[Block]:
    top = view.project.assembly
    every = {} if top is None else top.every("seat")
    bodies = list(dict.fromkeys(every[one.seat].body for one in seats if one.seat in every))
    blocks: list[Block] = []
    for k, body in enumerate(bodies):
        positions = []
        for one in seats:
            seat = every.get(one.seat)
            if seat is None or seat.body != body:
                continue
            ahead = rotation_matrix(np.array(seat.orientation))[:, 0]
            short = seat.name.removeprefix("Seat ").removeprefix("Row ")
            positions.append(
                (short, seat.position[0], seat.position[1], math.atan2(ahead[1], ahead[0]), one.margin)
            )
        sentence = (
            "From above, forward is up; the tick shows where a rider looks. Green: inside all limits, orange:"
        )
        blocks.append(
            book.figure(
                f"seat_map_{k + 1}", f"Seats of {body} by margin",
                f"{sentence} within a tenth of one, red: outside, grey: not assessed.", _seat_map(positions),
            )
        )  # fmt: skip
    return blocks


def _seat_map(places: Sequence[tuple[str, float, float, float, float | None]]) -> Drawing:
    """Seats from above, as SVG: short name, place along xi and eta (m), direction (rad), margin or None."""
    parts: list[Part] = []
    for name, x, y, yaw, margin in places:
        colour = FAINT if margin is None else ALARM if margin < 0.0 else ORANGE if margin < 0.1 else GREEN
        style = {
            "radius": 0.36, "orientation": yaw + math.pi / 4.0, "facecolor": colour, "edgecolor": INK,
            "linewidth": 0.4,
        }  # fmt: skip
        parts.append(Patch("RegularPolygon", ((-y, x), 4), style))
        ink = "white" if margin is not None else INK
        parts.append(Words(name, (-y, x), {"ha": "center", "va": "center", "fontsize": 5.0, "color": ink}))
        across, ahead = math.sin(yaw), math.cos(yaw)
        ends = [[-y - reach * across for reach in TICK], [x + reach * ahead for reach in TICK]]
        parts.append(line(*ends, color=INK, linewidth=1.0))
    return partial(diagram, (Side(parts, 0.08),), MAP, top=0.2, bottom=0.2, left=0.2, right=0.2)
