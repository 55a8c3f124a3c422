"""The state while the sections of a track are laid one after the other."""

from __future__ import annotations

from dataclasses import dataclass

from ..base.arrays import Array, Integers
from .course import Course
from .description import TableSection, Track
from .table_run import TableShare


@dataclass(frozen=True)
class FittedTable:
    """A laid table: section, index of its leg, kept rows (k,), their parameter on the leg (k,), deviation (k,),
    dropped row numbers (from 1)."""

    section: TableSection
    leg: int
    kept: Integers
    u: Array
    deviation: Array
    dropped: tuple[int, ...]


@dataclass
class Laying:
    """What has been laid: the track it is laid for, the course, the node each section so far starts at, the fitted
    tables.

    alone: the whole track is one run of tables; shares: the fitted part of every table section.
    """

    track: Track
    course: Course
    starts: list[int]
    tables: list[FittedTable]
    alone: bool
    shares: dict[str, TableShare]
