"""Static load cases of a flexible body in the report: of the forces of its own run and of the ride with it rigid,
beside what the run did."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial

import numpy as np

from ...base.arrays import Array
from ...base.errors import InputError
from ...outcome.rigid import RigidRun, rigid_run
from ...outcome.stress import BodyStress, LoadCases
from ...structure.stress import Envelope
from ..book import Book
from ..cells import figures, left, text
from ..document import Block, Cell, Column, Table
from ..figures.structure_figures import side_by_side
from ..run_view import RunView

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
    drawn = partial(side_by_side, np.asarray(skin.points, dtype=np.float64), skin.faces, named)
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
