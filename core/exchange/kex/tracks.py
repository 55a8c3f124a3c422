"""KexEdit projects (.kex) as tracks: one table section for every section of the project, joined to one curve."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from pydantic import ValidationError

from ...base.arrays import Array, Integers
from ...base.errors import InputError
from ...base.wording import spoken
from ...track.description import TableSection, Track
from ...track.heartline import Heartline, HeartlinePoint
from ..base import Imported, ReadOptions, name_of, z_up
from .course import RATE, KexCourse, KexSection, lay_course, lay_section, rated, state_of
from .devices import course_devices
from .file import VERSIONS, KexFile, load_kex
from .kernels import CENTRE, FRICTION, HEART, RAIL_RUN, RESISTANCE, SPEED

ROW_SPACING = 0.25  # m, rows closer than this are left out
SAME_HEIGHT, HEIGHT_SPACING = 1e-3, 1.0  # m, of the heartline and its points
WITHOUT_STEPS = 16.0  # times the steps of KexEdit, at which its sections have nearly come to what has none
MIN_ROWS = 8  # of a section, so that short ones keep enough


def mirrored(vectors: Array) -> Array:
    """Vectors (n, 3) of Unity's left-handed axes in the right-handed y-up axes of NoLimits: (x, y, z) -> (-x, y, z).

    The track then looks as KexEdit shows it: a left turn stays a left turn.
    """
    turned: Array = vectors * np.array([-1.0, 1.0, 1.0])
    return turned


def _thinned(run: Array, last: bool) -> Integers:
    """Rows (k,) to keep of a section whose rows lie at run (n,) m: about evenly, the first, and the last if asked."""
    spacing = min(ROW_SPACING, float(run[-1]) / MIN_ROWS)
    kept = [0]
    for i in range(1, len(run)):
        if run[i] - run[kept[-1]] >= spacing and run[-1] - run[i] >= 0.5 * spacing:
            kept.append(i)
    if last:
        kept.append(len(run) - 1)
    return np.array(kept, dtype=np.int64)


def section_rows(section: KexSection, last: bool) -> tuple[Array, Array]:
    """Rail positions and up vectors (n, 3), z up, of a laid section; last: its end is wanted as well."""
    rail = z_up(mirrored(section.rail))
    up = -z_up(mirrored(section.states[:, 9:12]))
    run = np.concatenate([[0.0], np.cumsum(np.linalg.norm(np.diff(rail, axis=0), axis=1))])
    kept = _thinned(run, last)
    return rail[kept], up[kept]


def track_of_course(course: KexCourse, options: ReadOptions, name: str, source: str) -> Track:
    """Track with one table section for every laid section; the rails lie below the heartline of KexEdit.

    Raises InputError naming the section that is too short or out of range.
    """
    sections = []
    closed = course.closed if options.closed is None else options.closed
    for k, section in enumerate(course.sections):
        last = k == len(course.sections) - 1 and not closed
        positions, up = section_rows(section, last)
        try:
            sections.append(
                TableSection.model_validate(
                    {
                        "name": section.name,
                        "positions": positions.tolist(),
                        "up": up.tolist(),
                        "tolerance": options.tolerance,
                        "source": source,
                        "continues": k > 0,
                    }
                )
            )
        except ValidationError as error:
            raise InputError(spoken(error, f"{source}: {section.node.label}")) from None
    return Track(
        name=name,
        closed=closed,
        gauge=options.gauge,
        sections=tuple(sections),
        heartline=_heartline(course),
        devices=course_devices(course),
    )


def _heartline(course: KexCourse) -> Heartline:
    """The heartline of the file: one height, or points about a metre apart where it varies."""
    heights = np.concatenate([section.states[:, HEART] for section in course.sections])
    first = float(heights[0])
    if np.ptp(heights) < SAME_HEIGHT:
        return Heartline(height=first)
    points = []
    for section in course.sections:
        run = section.states[:, RAIL_RUN] - section.states[0, RAIL_RUN]
        at = np.linspace(0.0, run[-1], max(2, int(run[-1] / HEIGHT_SPACING)), endpoint=False)
        values = np.interp(at, run, section.states[:, HEART])
        keep = np.ones(len(at), dtype=bool)
        keep[1:-1] = np.abs(np.diff(values[:-1])) + np.abs(np.diff(values[1:])) > SAME_HEIGHT
        points += [
            HeartlinePoint(section=section.name, offset=float(s), height=float(h))
            for s, h in zip(at[keep], values[keep], strict=True)
        ]
    return Heartline(height=first, points=tuple(points))


def ride_of_course(course: KexCourse) -> dict[str, float | str]:
    """The ride of points as the file describes it: its train is one mass, CENTRE of the way from the heartline to
    the rails, with the speed of the rails."""
    start = course.sections[0].states[0]
    moving = course.sections[0].states[1 if course.sections[0].node.driven else 0]
    return {
        "start": 0.0,
        "speed": float(moving[SPEED]),
        "line": "rail",
        "mass_height": (1.0 - CENTRE) * float(start[HEART]),
        "friction": "constant",
        "mu": float(np.clip(start[FRICTION], 0.0, 1.0)),
        "drag": float(np.clip(start[RESISTANCE], 0.0, 0.1)),
        "points_from": "given",
        "train_length": 0.0,
        "masses": 1,
    }


def _varying(course: KexCourse) -> list[str]:
    """What the file lets vary along the track and the ride of points has as one number."""
    columns = {"friction": FRICTION, "air drag": RESISTANCE}
    found = []
    for what, column in columns.items():
        values = np.concatenate([section.states[:, column] for section in course.sections])
        if np.ptp(values) > 1e-3 * max(abs(values[0]), 1e-9):
            found.append(
                f"Its {what} varies from {values.min():.3g} to {values.max():.3g} along the track; the ride here keeps"
                f" {values[0]:.3g}, the value it starts with."
            )
    return found


def anchor_gaps(file: KexFile, where: str) -> tuple[float, float]:
    """How far the laid course is off the anchors stored in the file (m): all in one, and section by section."""

    def gaps(course: KexCourse) -> list[float]:
        ends = [section.states[-1, 0:3] for section in course.sections[:-1]]
        anchors = [state_of(section.node.point)[0:3] for section in course.sections[1:]]
        return [float(np.linalg.norm(a - b)) for a, b in zip(ends, anchors, strict=True)]

    through, single = gaps(lay_course(file, where)), gaps(lay_course(file, where, anchored=True))
    return max(through, default=0.0), max(single, default=0.0)


def ends_without_steps(section: KexSection) -> float:
    """How far (m) a section ends from where KexEdit shows its end, laid by the same values without its steps."""
    fine = lay_section(section.node, rated(section.states[0], WITHOUT_STEPS * RATE), "", WITHOUT_STEPS * RATE)
    return float(np.linalg.norm(fine[-1, 0:3] - section.states[-1, 0:3]))


def _forces(course: KexCourse) -> list[str]:
    """Why sections prescribed by forces come as positions."""
    forces = [section for section in course.sections if section.node.kind == "force"]
    if not forces:
        return []
    ends = ", ".join(f"{section.name} {ends_without_steps(section):.1f} m" for section in forces)
    return [
        "Sections prescribed by forces come as positions, too: KexEdit draws them by steps of 1/100 s, and force"
        f" sections here, which have no steps, would end elsewhere with the same values ({ends})."
    ]


def read(path: Path, options: ReadOptions) -> Imported:
    """Track from a KexEdit project; see `file` and `course` beside it for format and geometry.

    Raises InputError naming file, node and byte.
    """
    file = load_kex(path)
    course = lay_course(file, str(path))
    track = track_of_course(course, options, options.name or name_of(path), path.name)
    through, single = anchor_gaps(file, str(path))
    speeds = ", ".join(f"{s.name} {s.states[0, SPEED]:.1f}" for s in course.sections)
    notes = [
        f"KexEdit project of version {file.version}: {len(course.sections)} sections laid in double precision.",
        f"The anchors KexEdit stored (single precision) lie at most {single * 1000:.0f} mm off where a section started"
        f" at the one before ends, and {through:.2f} m off when the whole course is laid in one.",
        f"Entry speeds in the project (m/s): {speeds}.",
    ]
    driven = [s.name for s in course.sections if s.node.driven]
    if driven:
        notes.append(
            f"At prescribed speed in the project, imported as tyres that hold that speed all along:"
            f" {', '.join(driven)}."
        )
    start = course.sections[0].states[0]
    notes.append(
        f"Its train starts at {start[SPEED]:g} m/s with a friction of {start[FRICTION]:.4g} and an air drag of"
        f" {start[RESISTANCE]:.3g} 1/m, its mass {(1.0 - CENTRE) * start[HEART]:.3g} m above the rails; the ride of"
        " points takes that over."
    )
    notes += [*_varying(course), *_forces(course)]
    if course.left_out:
        left = ", ".join(node.label for node in course.left_out)
        notes.append(f"Left out, because a track here is one line: {left}.")
    if file.version != 5:
        notes.append(
            f"Only version 5 was checked against files; {VERSIONS[0]} to {VERSIONS[-1]} follow its source."
        )
    return Imported(track, tuple(notes), ride_of_course(course))
