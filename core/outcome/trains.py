"""What a run did to the train: couplings beyond what they are made for, and the rows of seats beside one another."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from ..base.errors import InputError
from ..base.finding import Finding
from ..base.frozen import Frozen
from ..base.sentence import say
from ..base.where import Where
from ..injury.filters import ride_filter
from ..model.connections import uncoupled_sentence
from ..model.couplings import Coupling
from ..model.seat_rows import SeatRow, seat_rows
from ..project.project import Project
from ..results.results import Results
from ..run.coupling_forces import FOLDS
from .run_check import run_finding

if TYPE_CHECKING:
    from .rider_view import RiderJudgement  # all criteria, slow to load

KN, DEGREE = 1e3, np.pi / 180.0
SOON = 0.25  # s after slack is taken up in which a large force is its blow
AXES = ("gx", "gy", "gz")
PART = "upper_torso"


def coupling_findings(project: Project, results: Results) -> tuple[Finding, ...]:
    """Findings about how cars hang together.

    Parameters
    ----------
    project
        What was run.
    results
        What came out.

    Returns
    -------
    Cars that nothing couples; where couplings swing beyond their free angle, carry more than rated, slack taken up
    included, are pushed beyond what buckles them, or fold.
    """
    train = project.train if project.assembly is project.train else None
    found: list[Finding] = []
    if words := uncoupled_sentence(train):
        found.append(run_finding(results, "uncoupled", words, float(results.states.time[0])))
    for coupling in () if train is None else train.couplings:
        if f"coupling/{coupling.name}/force" in results.channels:
            found += _overload(results, coupling)
            found += _swing(results, coupling)
            found += _buckling(results, coupling)
            found += _folding(results, coupling)
    return tuple(found)


def _where(coupling: Coupling) -> Where:
    return Where(("train", "couplings", coupling.name))


def _overload(results: Results, coupling: Coupling) -> list[Finding]:
    if coupling.rating is None:
        return []
    time, force = results.sample_time, results.channels[f"coupling/{coupling.name}/force"].values
    worst = int(np.argmax(np.abs(force)))
    maximum = abs(float(force[worst]))
    if maximum <= coupling.rating:
        return []
    at = float(time[worst])
    closed = [e.time for e in results.events if e.kind == "gap closed" and e.name == coupling.name]
    blow = any(0.0 <= at - t <= SOON for t in closed)
    way = "tension" if force[worst] > 0.0 else "compression"
    what = "takes up its slack with" if blow else "carries"
    cure = "give it less slack or a softer gear" if blow else "give it a softer gear or a stronger one"
    text = say(
        "Coupling '{coupling}' {what} {most:.3g kN} of {way} at {at:.2f s}, {times:.2f} times the {rating:.3g kN} it is"
        " rated for; {cure}.",
        coupling=coupling.name, what=what, most=maximum, way=way, at=at, times=maximum / coupling.rating,
        rating=coupling.rating, cure=cure,
    )  # fmt: skip
    return [run_finding(results, "slack" if blow else "rating", text, at, _where(coupling))]


def _swing(results: Results, coupling: Coupling) -> list[Finding]:
    if coupling.swing is None:
        return []
    found = []
    for side, car in zip("ij", coupling.cars, strict=True):
        yaw, pitch = (
            results.channels[f"coupling/{coupling.name}/{angle}_{side}"].values for angle in ("yaw", "pitch")
        )
        angle = np.arccos(np.clip(np.cos(yaw) * np.cos(pitch), -1.0, 1.0))
        worst = int(np.argmax(angle))
        if angle[worst] > coupling.swing:
            at = float(results.sample_time[worst])
            text = say(
                "Coupling '{coupling}' swings by {angle:.1f °} against '{car}' at {at:.2f s}, beyond the {free:.1f °}"
                " it is free for; make the bar longer or the curve there gentler.",
                coupling=coupling.name, angle=angle[worst], car=car, at=at, free=coupling.swing,
            )  # fmt: skip
            found.append(run_finding(results, "swing", text, at, _where(coupling)))
    return found


def _buckling(results: Results, coupling: Coupling) -> list[Finding]:
    """A coupler with mass that nothing pushes aside stands straight at any load."""
    maximum = coupling.buckling_push
    if maximum is None:
        return []
    force = results.channels[f"coupling/{coupling.name}/force"].values
    worst = int(np.argmin(force))
    push = -float(force[worst])
    if not push > maximum:
        return []
    at = float(results.sample_time[int(np.argmax(force < -maximum))])
    text = say(
        "Coupling '{coupling}' is pushed with up to {push:.3g kN}, from {at:.2f s} on with more than the {most:.3g kN}"
        " at which its shanks buckle; where they stand straight it is because nothing in the model pushes them aside."
        " Push less, shorten its shanks, or give them stiffer springs at their pins; a small rest angle of a shank"
        " shows how it buckles.",
        coupling=coupling.name, push=push, at=at, most=maximum,
    )  # fmt: skip
    return [run_finding(results, "buckling", text, at, _where(coupling))]


def _folding(results: Results, coupling: Coupling) -> list[Finding]:
    """Behind it a coupler may unfold to either side, whichever the last digit decides."""
    times = [e.time for e in results.events if e.kind == FOLDS and e.name == coupling.name]
    if not times:
        return []
    text = say(
        "Coupling '{coupling}' folds at {at:.2f s}: the ends of its shanks pass one another, which those of a coupler"
        " cannot, and what the run says from there on is not to be relied on. The track bends too tightly there for"
        " cars of this length with such a coupling: make it gentler, or couple them with a bar.",
        coupling=coupling.name, at=times[0],
    )  # fmt: skip
    return [run_finding(results, "folding", text, times[0], _where(coupling))]


class AxisRange(Frozen):
    """Least and largest load (g) on an axis."""

    least: float
    largest: float


class RowSummary(Frozen):
    """A row of seats with riders: its number from the front, its car, who sits there; loads on their upper torsos
    (g, rider axes, gravity in, 5 Hz ride filter) from the least to the largest, of a run long enough for the filter;
    the criterion with the least margin of all its riders, and that margin (part of the limit left)."""

    row: int
    car: str
    riders: tuple[str, ...]
    loads: dict[str, AxisRange] | None = None
    governing: str = ""
    margin: float | None = None


@dataclass(frozen=True)
class Row:
    """A row of seats with those riders of it that are in the run."""

    seats: SeatRow
    riders: tuple[str, ...]


def ridden_rows(project: Project, results: Results) -> tuple[Row, ...]:
    """The rows of seats of the train with riders in the run, front row first."""
    if project.train is None:
        return ()
    rows = (
        Row(row, tuple(r for r in row.riders if r in results.names.riders))
        for row in seat_rows(project.train)
    )
    return tuple(row for row in rows if row.riders)


def rows_summary(
    project: Project, results: Results, judged: Sequence[RiderJudgement]
) -> tuple[RowSummary, ...]:
    """The rows of a run of a train, with the loads on their riders and how near they come to a limit."""
    made = []
    for row in ridden_rows(project, results):
        ranges = [found for rider in row.riders if (found := _loads(results, rider)) is not None]
        loads = None
        if ranges:
            loads = {
                axis: AxisRange(least=min(r[0][k] for r in ranges), largest=max(r[1][k] for r in ranges))
                for k, axis in enumerate(AXES)
            }
        own = [
            one
            for one in judged
            if one.rider in row.riders and one.result.judged and one.result.margin is not None
        ]
        worst = min(own, key=lambda one: one.result.margin or 0.0, default=None)
        made.append(
            RowSummary(
                row=row.seats.number, car=row.seats.car, riders=row.riders, loads=loads,
                governing="" if worst is None else f"{worst.part.replace('_', ' ')}, {worst.result.title}",
                margin=None if worst is None else worst.result.margin,
            )
        )  # fmt: skip
    return tuple(made)


def _loads(results: Results, rider: str) -> tuple[list[float], list[float]] | None:
    """Least and largest loads (3,) g on the upper torso of a rider, through the 5 Hz ride filter."""
    channel = results.channels.get(f"rider/{rider}/{PART}/acceleration")
    if channel is None:
        return None
    try:
        values = ride_filter(results.sample_time, channel.values)
    except InputError:
        return None
    return values.min(axis=0).tolist(), values.max(axis=0).tolist()
