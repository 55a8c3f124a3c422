"""Flexible bodies in the report: what they are and how they were reduced, their modes over the run, where they are
stressed most, and what static load cases make of the same run."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from ...base.arrays import Array
from ...base.errors import InputError
from ...outcome.deflection import Deflection, deflection
from ...outcome.excitation import Truncation, truncation
from ...outcome.load_ranges import load_ranges
from ...outcome.reduction_error import reduction_error
from ...outcome.rigid import RigidRun, rigid_run
from ...outcome.spectrum import MIN_SAMPLES
from ...outcome.stress import WITHOUT_ELEMENTS, BodyStress, LoadCases, stress_of
from ...structure.own_modes import held_modes
from ...structure.stress import Envelope
from ..book import Book
from ..cells import count, entry, figures, fixed, left, text
from ..document import Block, Cell, Column, Facts, Section, Table, Text
from ..figures.structure_figures import Row, envelope, history, in_axes, ranges, side_by_side
from ..run_view import RunView

SPOTS, MODES = 8, 12  # that are listed
APART = 0.05  # of the size of a body, which listed spots are away from each other


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
            *_stress(k, one, rigid, bent, book),
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
    number: int, one: BodyStress, rigid: RigidRun | None, bent: Deflection, book: Book
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
    skin = one.outside
    if skin is not None and len(skin.faces):
        sentence = "Largest von Mises stress of the run at every point; the numbers are those of the table."
        drawn = envelope(
            np.asarray(skin.points, dtype=np.float64), skin.faces, one.worst_outside(found), one.places[spots]
        )
        blocks.append(book.figure(f"structure_{number}_envelope", f"Stress of {name}", sentence, drawn))
    signed, over_time = one.superposition.at(spots[0], one.modal)
    where = one.spot(spots[0])
    sentence = f"{where.part}, {where.there}."
    blocks.append(
        book.figure(
            f"structure_{number}_history",
            f"Spot 1 of {name} over time",
            sentence,
            history(one.time, over_time),
        )
    )
    edges, cycles = load_ranges(signed)
    if len(edges):
        sentence = f"Ranges of the {one.signed} stress there, counted by rainflow (ASTM E1049), half cycles as halves."
        title = f"Load ranges at spot 1 of {name}"
        blocks.append(book.figure(f"structure_{number}_ranges", title, sentence, ranges(edges, cycles)))
    hottest = float(one.time[found.instant[spots[0]]])
    return [*blocks, *interface_blocks(number, one, bent, rigid, hottest, book)]


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


SHOWN = 5.0  # s before and behind the largest stress


def interface_blocks(
    number: int, one: BodyStress, bent: Deflection, rigid: RigidRun | None, middle: float, book: Book
) -> list[Block]:
    """What is said of the deflection, and both figures around a time (s)."""
    name, span = one.flexible.name, (middle - SHOWN, middle + SHOWN)
    forces, moved = [], []
    for end in one.flexible.ends:
        own = one.loads(end.node)
        with_rigid = None if rigid is None else (rigid.results.states.time, rigid.loads(name, end.node))
        for what, some in (("Force (kN)", slice(0, 3)), ("Moment (kN m)", slice(3, 6))):
            other = None if with_rigid is None else _within(*with_rigid, some, span, 1e-3)
            forces.append(Row(f"{end.node}: {what}", _within(one.time, own, some, span, 1e-3), other))
        for what, some in (("Deflection (mm)", slice(0, 3)), ("Turn (mrad)", slice(3, 6))):
            moved.append(
                Row(f"{end.node}: {what}", _within(one.time, bent.of[end.node], some, span, 1e3), None)
            )
    sentence = "In the axes of the body, around the largest stress."
    beside = " Thin: of the ride with its flexible bodies rigid." if rigid is not None else ""
    pictures = (
        ("forces", f"Forces on {name} at its interfaces", sentence + beside, forces),
        ("deflection", f"Deflection of {name} at its interfaces", sentence, moved),
    )
    drawn = (
        book.figure(f"structure_{number}_{key}", title, words, in_axes(rows))
        for key, title, words, rows in pictures
    )
    return [Text(text=bent.words), *drawn]


def _within(
    time: Array, values: Array, some: slice, span: tuple[float, float], unit: float
) -> tuple[Array, Array]:
    """Times (k,) and three components (k, 3) in a span (s)."""
    inside = (time >= span[0]) & (time <= span[1])
    return time[inside], unit * np.asarray(values[inside, some], dtype=np.float64)


WIDEST = 4  # load cases in the table of hot spots


@dataclass(frozen=True)
class Case:
    """Load cases of one interface, and whether their forces are those of the rigid ride."""

    rigid: bool
    of: LoadCases

    @property
    def words(self) -> str:
        """What they are of."""
        return "Rigid" if self.rigid else "As run"


def rigid_of(view: RunView, bodies: tuple[BodyStress, ...], book: Book) -> tuple[RigidRun | None, str]:
    """The ride with its flexible bodies rigid, where a body has load cases; and what there is to say against it."""
    if not any(one.known and one.pairs for one in bodies):
        return None, ""
    book.step(0.23, "the run with its flexible bodies rigid")
    try:
        found = rigid_run(view.results, should_stop=book.should_stop)
    except InputError as error:
        return None, str(error)
    return found, found.words


def cases_of(one: BodyStress, rigid: RigidRun | None) -> list[Case]:
    """All load cases of a body: of its own forces, then of the rigid ride."""
    own = [Case(False, one.cases(*pair)) for pair in one.pairs]
    return (
        own if rigid is None else [*own, *(Case(True, one.cases(*pair, rigid=rigid)) for pair in one.pairs)]
    )


def in_hot_spots(cases: list[Case]) -> list[Case]:
    """Those that have room in the table of hot spots: of three interfaces the body's own alone."""
    return cases if len(cases) <= WIDEST else [case for case in cases if not case.rigid]


def case_columns(cases: list[Case]) -> list[Column]:
    """A column each for the table of hot spots."""
    return [
        Column(key=f"case_{k}", title=f"{case.of.loaded} loaded", unit="MPa", group=f"Load cases, {case.words.lower()}")
        for k, case in enumerate(cases, 1)
    ]  # fmt: skip


def cases_blocks(number: int, one: BodyStress, found: Envelope, cases: list[Case], book: Book) -> list[Block]:
    """The table of load cases, and a picture of their largest stress beside that of the run."""
    blocks: list[Block] = [_table(number, one, float(found.worst.max()), cases)]
    skin = one.outside
    if skin is None or not len(skin.faces):
        return blocks
    named = {"In the run": one.worst_outside(found)} | {
        f"{case.words}: {case.of.loaded} loaded, {case.of.clamped} clamped": one.cases_outside(case.of)
        for case in cases
    }
    drawn = side_by_side(np.asarray(skin.points, dtype=np.float64), skin.faces, named)
    sentence = (
        "Largest von Mises stress at every point, of the run and of the 64 static load cases of an interface."
    )
    blocks.append(
        book.figure(f"structure_{number}_cases", f"Load cases of {one.flexible.name}", sentence, drawn)
    )
    return blocks


def _table(number: int, one: BodyStress, maximum: float, cases: list[Case]) -> Table:
    rows = tuple(
        (
            text(case.words), text(case.of.loaded), text(case.of.clamped), *_spans(case.of),
            figures(case.of.worst.max() / 1e6, 3), figures(maximum / 1e6, 3),
            figures(float(case.of.worst.max()) / maximum, 3),
        )
        for case in cases
    )  # fmt: skip
    return Table(
        id=f"load_cases_{number}",
        title=f"Static load cases of {one.flexible.name}",
        columns=(
            left("forces", "Forces"), left("loaded", "Loaded"), left("clamped", "Clamped", 1.0),
            Column(key="force", title="Largest force", unit="kN"),
            Column(key="moment", title="Largest moment", unit="kN m"),
            Column(key="cases", title="Largest by cases", unit="MPa"),
            Column(key="run", title="Largest in the run", unit="MPa"), Column(key="ratio", title="Cases to run"),
        ),
        rows=rows,
        note="The 64 corners of the box around the forces and moments at the loaded interface over the run, in the axes"
        " of the body, as static loads with the other interface clamped; without a factor on them. What the body's own"
        " inertia and the other interfaces do is not in them. Rigid: forces of the same ride with rigid bodies in place"
        " of the flexible ones.",
    )  # fmt: skip


def _spans(case: LoadCases) -> tuple[Cell, Cell]:
    """The largest component of force (kN) and of moment (kN m) of a box."""
    maximum: Array = np.maximum(np.abs(case.low), np.abs(case.high)) / 1e3
    return figures(float(maximum[:3].max()), 3), figures(float(maximum[3:].max()), 3)
