"""How each kind of section lays its part of the course. A new kind adds its model to `description` and a
function to LAYERS here."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np

from ..base.arrays import Array
from ..base.errors import InputError, located
from ..base.sentence import say
from ..base.where import section_where
from .course import SAME_PLACE, Course
from .course_entry import direction_here, entry_here
from .description import Section, SplineSection, StraightSection, TableSection, Track
from .element_leg import element_leg
from .elements import KINDS, Element, StartPose
from .elements.base import entry_of_pose
from .laying import FittedTable, Laying
from .table_run import TableShare, fit_run, one_run, table_runs


def _lay_spline(section: SplineSection, laying: Laying) -> None:
    for i, point in enumerate(section.points):
        laying.course.add(np.array(point.position), point.cant, f"point {i + 1}", i)
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
                say(
                    "Section '{section}' starts {gap:.3f m} from where the track has come to; remove 'start'.",
                    section=section.name,
                    gap=gap,
                )
            )
    end = _straight_end(section, course)
    if np.linalg.norm(end - course.nodes[-1].position) < SAME_PLACE:
        raise InputError(f"Section '{section.name}' ends where it starts; move 'end'.")
    if course.nodes[-1].cant is None:
        course.nodes[-1].cant = section.cant
    course.pending = "straight"
    course.add(end, section.cant, "end")


def _straight_end(section: StraightSection, course: Course) -> Array:
    if section.end is not None:
        return np.array(section.end)
    assert section.length is not None
    along = direction_here(course, f"Section '{section.name}'")
    end: Array = course.nodes[-1].position + section.length * along
    return end


def _lay_table(section: TableSection, laying: Laying) -> None:
    course = laying.course
    share = laying.shares[section.name]
    course.add(share.first, None, "first row")
    course.pending = share.leg
    laying.tables.append(
        FittedTable(section, len(course.nodes) - 1, share.kept, share.u, share.deviation, share.dropped)
    )
    if not (course.closed and laying.alone and section is laying.track.sections[-1]):
        course.add(share.last, None, "last row")


def _lay_element(section: Element, laying: Laying) -> None:
    course = laying.course
    where = f"Section '{section.name}'"
    if not course.nodes:
        entry = entry_of_pose(section.pose or StartPose())
        course.add(entry.position, None, "start")
    else:
        entry = entry_here(laying, where)
        if section.pose is not None:
            gap = float(np.linalg.norm(np.array(section.pose.position) - entry.position))
            if gap > SAME_PLACE:
                raise InputError(
                    say(
                        "{where} starts {gap:.3f m} from where the track has come to; remove its start pose.",
                        where=where, gap=gap,
                    )
                )  # fmt: skip
    leg = element_leg(section, replace(entry, gauge=laying.track.gauge))
    assert leg.exit is not None
    course.pending = leg
    course.add(leg.exit.position, None, "end")


LAYERS: dict[type[Any], Callable[[Any, Laying], None]] = {
    SplineSection: _lay_spline,
    StraightSection: _lay_straight,
    TableSection: _lay_table,
    **{kind.model: _lay_element for kind in KINDS.values()},
}


def _starts_at_its_own_point(section: Section, previous: Section) -> bool:
    return isinstance(section, SplineSection | TableSection) and isinstance(previous, SplineSection)


def lay_sections(track: Track) -> Laying:
    """Lay all sections of a track one after the other.

    A section starts where the previous one ended; a spline section ends at the first point of the next spline
    or table section, every other section at its own end. Raises InputError naming the section.
    """
    alone = one_run(track.sections)
    shares: dict[str, TableShare] = {}
    for run in table_runs(track.sections):
        shares |= fit_run(run, closed=track.closed and alone)
    laying = Laying(track, Course(track.closed), [], [], alone, shares)
    previous: Section | None = None
    for section in track.sections:
        before = len(laying.course.nodes)
        laying.course.begin(section.name)
        with located(section_where(section.name)):
            LAYERS[type(section)](section, laying)
        own = previous is None or _starts_at_its_own_point(section, previous)
        laying.starts.append(laying.course.section_first if own else before - 1)
        previous = section
    laying.course.close()
    return laying
