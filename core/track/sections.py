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
from core.track.table_run import TableShare, fit_run, one_run, table_runs

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
    """State while sections are laid: the course, the node each section starts at, the fitted tables.

    alone: the whole track is one run of tables; shares: the fitted part of every table section; last: the last
    section of the track.
    """

    course: Course
    starts: list[int]
    tables: list[FittedTable]
    alone: bool
    shares: dict[str, TableShare]
    last: Section


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


def _lay_table(section: TableSection, laying: Laying) -> None:
    course = laying.course
    share = laying.shares[section.name]
    course.add(share.first, None, "first row")
    course.pending = share.leg
    laying.tables.append(
        FittedTable(section, len(course.nodes) - 1, share.kept, share.u, share.deviation, share.dropped)
    )
    if not (course.closed and laying.alone and section is laying.last):
        course.add(share.last, None, "last row")


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
    alone = one_run(track.sections)
    shares: dict[str, TableShare] = {}
    for run in table_runs(track.sections):
        shares |= fit_run(run, closed=track.closed and alone)
    laying = Laying(Course(track.closed), [], [], alone, shares, track.sections[-1])
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
