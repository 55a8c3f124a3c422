"""Flexible bodies in the report: what they are and how they were reduced, their modes over the run, where they are
stressed most, what static load cases make of the same run, and their interfaces: forces around the largest stress,
beside those of the ride with them rigid, and deflections (Blaauw, figures 9, 10 and 13 to 16)."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from functools import partial

import numpy as np

from ...base.arrays import Array
from ...base.errors import InputError
from ...charts.abscissa import Abscissa
from ...charts.chart import Chart, Colour, Curve, over_time
from ...charts.stress import ranges_chart, stress_charts
from ...outcome.deflection import Deflection, deflection
from ...outcome.excitation import Truncation, truncation
from ...outcome.load_ranges import load_ranges
from ...outcome.reduction_error import reduction_error
from ...outcome.rigid import RigidRun
from ...outcome.spectrum import MIN_SAMPLES
from ...outcome.stress import WITHOUT_ELEMENTS, BodyStress, stress_of
from ...outcome.stress_life import Planned, planned, spot_lives
from ...structure.own_modes import held_modes
from ...structure.stress import Envelope
from ..book import Book
from ..cells import count, entry, figures, fixed, left, text
from ..document import Block, Cell, Column, Facts, Section, Table, Text
from ..figures.canvas import Drawing
from ..figures.paper import paper
from ..figures.structure_figures import HISTORY, envelope
from ..run_view import RunView
from .load_cases_part import (
    Case,
    case_columns,
    cases_blocks,
    cases_of,
    in_hot_spots,
    rigid_of,
)

SPOTS, MODES = 8, 12  # that are listed
APART = 0.05  # of the size of a body, which listed spots are away from each other
SHOWN = 5.0  # s before and behind the largest stress


def structure_section(view: RunView, book: Book) -> Section | None:
    """The flexible bodies of a run; None for one without."""
    if not view.results.names.flexible:
        return None
    bodies = stress_of(view.results)
    cuts = [truncation(one) if len(one.time) >= MIN_SAMPLES else None for one in bodies]
    rigid, against = rigid_of(view, bodies, book)
    sections = []
    for k, (one, cut) in enumerate(zip(bodies, cuts, strict=True), 1):
        book.step(0.24, f"stress of {one.flexible.name}")
        sentences = [] if cut is None else [Text(text=cut.words)]
        bent = deflection(one)
        own = (
            _facts(k, one, cut, bent),
            *sentences,
            *_reduction(k, one),
            _modes(k, one),
            *_stress(k, one, rigid, bent, book, planned(view.results)),
        )
        sections.append(Section(id=f"structure_{k}", title=one.flexible.name, blocks=own))
    return Section(
        id="structures",
        title="Flexible bodies",
        page=True,
        blocks=(Text(text=against),) if against else (),
        sections=tuple(sections),
    )


def _facts(number: int, one: BodyStress, cut: Truncation | None, bent: Deflection) -> Facts:
    """What it is and how it was reduced."""
    given, made = one.flexible.description, one.flexible.floating
    held = held_modes(made)
    beams = len(given.beams)
    source = f"{beams} beam{'s' if beams != 1 else ''}" if given.imported is None else given.imported.source
    stiffening = "not known" if given.unstiffened else "yes" if given.stiffening else "switched off"
    damping = f"{100.0 * given.ratio:g} % of every mode" if given.damping == "modal" else "proportional"
    enough = "" if cut is None else "yes" if cut.enough else "no"
    return Facts(
        id=f"structure_{number}_facts",
        entries=(
            entry("Made of", text(source or "imported")),
            entry("Mass", figures(made.mass), "kg"),
            entry("Interfaces", text(", ".join(end.node for end in one.flexible.ends))),
            entry("Modal coordinates", count(len(made.inertia))),
            entry("First mode between its interfaces", figures(held[0].frequency if held else None, 4), "Hz"),
            entry("Damping", text(damping)),
            entry("Geometric stiffening", text(stiffening, "outside" if given.unstiffened else "")),
            entry("Modes enough for the forces", text(enough, "outside" if enough == "no" else "")),
            entry("Largest deflection of an interface", figures(1e3 * bent.largest, 3), "mm"),
            entry("Largest turn of an interface", figures(1e3 * bent.turn, 3), "mrad"),
        ),
    )


def _reduction(number: int, one: BodyStress) -> list[Table]:
    """The reduced body beside the whole one, where that is known."""
    held = one.flexible.ends[0].node
    found = reduction_error(one.flexible, held)
    if not found:
        return []
    rows = tuple(
        (
            count(k), figures(mode.reduced, 5), figures(mode.whole, 5), figures(100.0 * mode.error, 2),
            fixed(mode.assurance, 4), *(fixed(100.0 * share, 1) for share in mode.mass),
        )
        for k, mode in enumerate(found, 1)
    )  # fmt: skip
    shares = tuple(Column(key=f"mass_{c}", title=c, unit="%", group="Effective mass along") for c in "xyz")
    return [
        Table(
            id=f"reduction_{number}",
            title=f"Reduction of {one.flexible.name}",
            columns=(
                Column(key="mode", title="Mode"), Column(key="reduced", title="Reduced", unit="Hz"),
                Column(key="whole", title="Whole", unit="Hz"), Column(key="error", title="Off by", unit="%"),
                Column(key="assurance", title="MAC"), *shares,
            ),
            rows=rows,
            note=f"Lowest modes with '{held}' held, of the reduced body and of all its elements. MAC: modal assurance"
            " criterion of both shapes; effective mass: what moves with the mode, of the whole.",
        )
    ]  # fmt: skip


def _modes(number: int, one: BodyStress) -> Table:
    """The modal coordinates by the elastic energy they had at most."""
    made = one.flexible.floating
    maximum = np.abs(one.modal).max(axis=0)
    energy = 0.5 * made.stiffness * maximum**2
    listed = np.sort(np.argsort(-energy, kind="stable")[:MODES])
    rows = tuple(
        (
            count(int(k) + 1), figures(float(math.sqrt(made.stiffness[k] / made.inertia[k]) / (2.0 * math.pi)), 4),
            figures(1e3 * float(maximum[k]), 3), figures(float(energy[k]), 3),
        )
        for k in listed
    )  # fmt: skip
    left_out = len(maximum) - len(listed)
    return Table(
        id=f"modes_{number}",
        title=f"Modes of {one.flexible.name} over the run",
        columns=(
            Column(key="mode", title="Mode"), Column(key="frequency", title="Free", unit="Hz"),
            Column(key="largest", title="Largest coordinate", unit="mm"),
            Column(key="energy", title="Largest elastic energy", unit="J"),
        ),
        rows=rows,
        note="Modes of the free body in mean axes; a coordinate is the largest displacement of a mass point."
        + (f" {left_out} with less energy are left out." if left_out else ""),
    )  # fmt: skip


def _stress(
    number: int, one: BodyStress, rigid: RigidRun | None, bent: Deflection, book: Book, plan: Planned
) -> list[Block]:
    name = one.flexible.name
    if not one.known:
        return [Text(text=f"The stress of {name} is not known: {WITHOUT_ELEMENTS}.")]
    found = one.superposition.envelope(one.modal)
    spots = _apart(one.places, found.worst)
    cases = cases_of(one, rigid)
    blocks: list[Block] = [_spots(number, one, found, spots, in_hot_spots(cases))]
    if cases:
        blocks += cases_blocks(number, one, found, cases, book)
    blocks.append(_lives(number, one, plan))
    skin = one.outside
    if skin is not None and len(skin.faces):
        sentence = "Largest von Mises stress of the run at every point; the numbers are those of the table."
        drawn: Drawing = partial(
            envelope,
            np.asarray(skin.points, dtype=np.float64),
            skin.faces,
            one.worst_outside(found),
            one.places[spots],
        )
        blocks.append(book.figure(f"structure_{number}_envelope", f"Stress of {name}", sentence, drawn))
    signed, mises = one.superposition.at(spots[0], one.modal)
    where = one.spot(spots[0])
    sentence = f"{where.part}, {where.there}."
    over_time = stress_charts(Abscissa("time", one.time, None), one.time, signed, mises, "")[1]
    history = paper([replace(over_time, title="")], HISTORY, bottom=1.0, left=1.4)
    blocks.append(
        book.figure(f"structure_{number}_history", f"Spot 1 of {name} over time", sentence, history)
    )
    edges, cycles = load_ranges(signed)
    if len(edges):
        sentence = f"Ranges of the {one.signed} stress there, counted by rainflow (ASTM E1049), half cycles as halves."
        title = f"Load ranges at spot 1 of {name}"
        drawn = paper([ranges_chart(edges, cycles)], HISTORY, left=1.4)
        blocks.append(book.figure(f"structure_{number}_ranges", title, sentence, drawn))
    hottest = float(one.time[found.instant[spots[0]]])
    return [*blocks, *_interface_blocks(number, one, bent, rigid, hottest, book)]


def _apart(positions: Array, worst: Array) -> list[int]:
    """The spots with the largest stress, with some way between them."""
    reach = APART * float(np.linalg.norm(np.ptp(positions, axis=0)))
    out: list[int] = []
    for k in np.argsort(-worst, kind="stable").tolist():
        if not out or np.linalg.norm(positions[out] - positions[k], axis=1).min() > reach:
            out.append(k)
        if len(out) == SPOTS:
            break
    return out


def _spots(number: int, one: BodyStress, found: Envelope, spots: list[int], cases: list[Case]) -> Table:
    rows = []
    for n, k in enumerate(spots, 1):
        where = one.spot(k)
        row: list[Cell] = [
            count(n), text(where.part), text(where.there), figures(found.worst[k] / 1e6, 3),
            fixed(float(one.time[found.instant[k]]), 2), figures(found.low[k] / 1e6, 3),
            figures(found.high[k] / 1e6, 3),
        ]  # fmt: skip
        rows.append((*row, *(figures(case.of.worst[k] / 1e6, 3) for case in cases)))
    return Table(
        id=f"hot_spots_{number}",
        title=f"Hot spots of {one.flexible.name}",
        columns=(
            Column(key="spot", title="Spot"), left("part", "Part"), left("there", "Where", 1.0),
            Column(key="largest", title="Largest", unit="MPa"), Column(key="time", title="At", unit="s"),
            Column(key="low", title="From", unit="MPa", group=f"Range, {one.signed} stress"),
            Column(key="high", title="To", unit="MPa", group=f"Range, {one.signed} stress"),
            *case_columns(cases),
        ),
        rows=tuple(rows),
        note=f"Von Mises stress, at least {100.0 * APART:g} % of the size of the body between two spots.",
    )  # fmt: skip


def _lives(number: int, one: BodyStress, plan: Planned) -> Block:
    """What the planned rides take of the life of the spots whose stress changes most."""
    try:
        found = spot_lives(one, plan.detail, plan.rides)[:SPOTS]
    except InputError as error:
        return Text(text=error.said)
    rows = tuple(
        (
            text(life.where.part), text(life.where.there), figures(life.fatigue.largest / 1e6, 3),
            figures(life.fatigue.equivalent / 1e6, 3), figures(100.0 * life.share, 3),
        )
        for life in found
    )  # fmt: skip
    return Table(
        id=f"lives_{number}",
        title=f"Fatigue of {one.flexible.name}",
        columns=(
            left("part", "Part"), left("there", "Where", 1.0), Column(key="range", title="Range", unit="MPa"),
            Column(key="equivalent", title="Equivalent", unit="MPa"),
            Column(key="life", title="Life used", unit="%"),
        ),
        rows=rows,
        note=f"EN 1993-1-9:2005, rainflow and Miner's sum of a run that comes again and again: {plan.about}. Which"
        " detail holds depends on the weld.",
    )  # fmt: skip


def _interface_blocks(
    number: int, one: BodyStress, bent: Deflection, rigid: RigidRun | None, middle: float, book: Book
) -> list[Block]:
    """What is said of the deflection, and both figures around a time (s)."""
    name, span = one.flexible.name, (middle - SHOWN, middle + SHOWN)
    forces, moved = [], []
    for end in one.flexible.ends:
        own = (one.time, one.loads(end.node))
        with_rigid = None if rigid is None else (rigid.results.states.time, rigid.loads(name, end.node))
        for what, unit, some in (("Force", "N", slice(0, 3)), ("Moment", "N m", slice(3, 6))):
            forces.append(_chart(f"{end.node}: {what}", unit, some, span, own, with_rigid))
        for what, unit, some in (("Deflection", "m", slice(0, 3)), ("Turn", "rad", slice(3, 6))):
            chart = _chart(f"{end.node}: {what}", unit, some, span, (one.time, bent.of[end.node]))
            moved.append(replace(chart, y=replace(chart.y, unit=f"m{unit}")))
    sentence = "In the axes of the body, around the largest stress."
    beside = " Thin: of the ride with its flexible bodies rigid." if rigid is not None else ""
    pictures = (
        ("forces", f"Forces on {name} at its interfaces", sentence + beside, forces),
        ("deflection", f"Deflection of {name} at its interfaces", sentence, moved),
    )
    drawn = (
        book.figure(f"structure_{number}_{key}", title, words, _paper(charts))
        for key, title, words, charts in pictures
    )
    return [Text(text=bent.words), *drawn]


def _chart(
    title: str, unit: str, some: slice, span: tuple[float, float], *records: tuple[Array, Array] | None
) -> Chart:
    """Three components of records, times (n,) s with values (n, 6), in a span (s); those after the first thin."""
    curves = []
    for k, record in enumerate(one for one in records if one is not None):
        inside = (record[0] >= span[0]) & (record[0] <= span[1])
        axis = Abscissa("time", record[0][inside], None)
        for c, name in enumerate("xyz"):
            values = np.asarray(record[1][inside, some][:, c], dtype=np.float64)
            curve = Curve.over(axis, "" if k else name, axis.time, values, Colour("axis", c))
            curves.append(replace(curve, weight=0.4 if k else 1.0))
    what = title.rpartition(": ")[2].lower()
    return over_time(title, title, unit, sorted(curves, key=lambda one: one.weight), quantity=what)


def _paper(charts: Sequence[Chart]) -> Drawing:
    """Charts two in a row, named once."""
    height = 1.6 + 3.0 * ((len(charts) + 1) // 2)
    return paper(
        charts,
        height,
        columns=2,
        legend="first",
        share_x=True,
        bottom=1.0,
        left=1.4,
        gap=0.75,
        between=1.5,
    )
