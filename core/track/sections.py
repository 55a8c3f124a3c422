"""How each kind of section lays its part of the course. A new kind adds its model to `description` and a
function to LAYERS here."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from core.errors import InputError
from core.track.course import SAME_PLACE, Course, FittedLeg
from core.track.description import Section, SplineSection, StraightSection, TableSection, Track
from core.track.table_fit import smooth

Array = NDArray[np.float64]


@dataclass(frozen=True)
class FitReport:
    """How well a table section was fitted: largest distance (m) of a row from the curve, that row (counted from
    1), the arc length s (m) there, the tolerance (m) and the numbers of the rows left out (coincident or
    running backward)."""

    section: str
    largest_deviation: float
    row: int
    s: float
    tolerance: float
    dropped_rows: tuple[int, ...]


@dataclass(frozen=True)
class FittedTable:
    """A laid table: section, index of its leg, kept rows (k,), their parameter on the leg (k,), deviation (k,),
    dropped row numbers (from 1)."""

    section: TableSection
    leg: int
    kept: NDArray[np.int64]
    u: Array
    deviation: Array
    dropped: tuple[int, ...]


@dataclass
class Laying:
    """State while sections are laid: the course, the node each section starts at, the fitted tables."""

    course: Course
    starts: list[int]
    tables: list[FittedTable]
    alone: bool


def _lay_spline(section: SplineSection, laying: Laying) -> None:
    for i, point in enumerate(section.points):
        laying.course.add(np.array(point.position), point.cant, f"point {i + 1}")
        if point.straight:
            laying.course.pending = "straight"


def _lay_straight(section: StraightSection, laying: Laying) -> None:
    course = laying.course
    if not course.nodes:
        if section.start is None:
            raise InputError(
                f"Section '{section.name}' is the first one and needs its start point; set 'start'."
            )
        course.add(np.array(section.start), section.cant, "start")
    elif section.start is not None:
        gap = float(np.linalg.norm(np.array(section.start) - course.nodes[-1].position))
        if gap > SAME_PLACE:
            raise InputError(
                f"Section '{section.name}' starts {gap:.3f} m from where the track has come to; remove 'start'."
            )
    if np.linalg.norm(np.array(section.end) - course.nodes[-1].position) < SAME_PLACE:
        raise InputError(f"Section '{section.name}' ends where it starts; move 'end'.")
    if course.nodes[-1].cant is None:
        course.nodes[-1].cant = section.cant
    course.pending = "straight"
    course.add(np.array(section.end), section.cant, "end")


def usable_rows(positions: Array) -> NDArray[np.int64]:
    """Rows (k,) of a table to fit: without those at the same place as, or running backward from, the one before."""
    kept = [0]
    heading = None
    for i in range(1, len(positions)):
        step = positions[i] - positions[kept[-1]]
        width = float(np.linalg.norm(step))
        if width < SAME_PLACE or (heading is not None and float(step @ heading) <= 0.0):
            continue
        heading = step / width
        kept.append(i)
    return np.array(kept, dtype=np.int64)


def _lay_table(section: TableSection, laying: Laying) -> None:
    course = laying.course
    rows = np.array(section.positions)
    kept = usable_rows(rows)
    closed = course.closed and laying.alone
    if closed and len(kept) > 3:  # the closing row repeats the first one
        step = rows[kept[0]] - rows[kept[-1]]
        forward = rows[kept[-1]] - rows[kept[-2]]
        if np.linalg.norm(step) < SAME_PLACE or float(step @ forward) <= 0.0:
            kept = kept[:-1]
    if len(kept) < 6:
        raise InputError(
            f"Section '{section.name}' has only {len(kept)} usable rows (the others coincide or run backward);"
            " at least 6 are needed."
        )
    points = rows[kept]
    loop = np.vstack([points, points[:1]]) if closed else points
    u = np.concatenate([[0.0], np.cumsum(np.linalg.norm(np.diff(loop, axis=0), axis=1))])
    fit = smooth(u, points, section.tolerance, closed)
    if fit.deviation.max() > section.tolerance:
        worst = int(np.argmax(fit.deviation))
        raise InputError(
            f"Section '{section.name}', row {int(kept[worst]) + 1}: the fit misses the row by"
            f" {fit.deviation[worst] * 1000:.2f} mm (tolerance {section.tolerance * 1000:.2f} mm); raise the tolerance."
        )
    leg = FittedLeg(fit.breaks, fit.coef)
    first = fit.coef[0, 0]
    width = fit.breaks[-1] - fit.breaks[-2]
    last = first if closed else np.sum(fit.coef[-1] * width ** np.arange(6)[:, None], axis=0)
    course.add(first, None, "first row")
    course.pending = leg
    dropped = tuple(int(i) + 1 for i in np.setdiff1d(np.arange(len(rows)), kept))
    laying.tables.append(
        FittedTable(section, len(course.nodes) - 1, kept, u[: len(points)], fit.deviation, dropped)
    )
    if not closed:
        course.add(last, None, "last row")


LAYERS: dict[type[Any], Callable[[Any, Laying], None]] = {
    SplineSection: _lay_spline,
    StraightSection: _lay_straight,
    TableSection: _lay_table,
}


def _starts_at_its_own_point(section: Section, previous: Section) -> bool:
    return not isinstance(section, StraightSection) and isinstance(previous, SplineSection)


def lay_sections(track: Track) -> Laying:
    """Lay all sections of a track one after the other.

    A section starts where the previous one ended; a spline section ends at the first point of the next spline
    or table section, every other section at its own end. Raises InputError naming the section.
    """
    laying = Laying(Course(track.closed), [], [], alone=len(track.sections) == 1)
    previous: Section | None = None
    for section in track.sections:
        before = len(laying.course.nodes)
        laying.course.begin(section.name)
        LAYERS[type(section)](section, laying)
        own = previous is None or _starts_at_its_own_point(section, previous)
        laying.starts.append(laying.course.section_first if own else before - 1)
        previous = section
    laying.course.close()
    return laying
