"""Moving, turning, scaling and mirroring parts of a track."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from ..base.arrays import Array
from ..base.errors import InputError
from ..base.frozen import Vec3
from ..project.project import Project
from ..track.description import (
    ControlPoint,
    Section,
    SplineSection,
    StraightSection,
    TableSection,
)
from ..track.elements import KINDS, Element, StartPose
from .changes import changed, set_track, the_track
from .places import section_named

OTHER_SIDE: Final = {"left": "right", "right": "left"}


@dataclass(frozen=True)
class Motion:
    """A motion of the plane plan with a scale: first mirrored in the vertical plane of heading `mirror` (rad, None:
    not mirrored), then scaled and turned by `yaw` (rad, about the vertical, positive to the left) about `pivot` (m),
    then shifted by `shift` (m)."""

    pivot: Vec3 = (0.0, 0.0, 0.0)
    shift: Vec3 = (0.0, 0.0, 0.0)
    yaw: float = 0.0
    scale: float = 1.0
    mirror: float | None = None

    def __post_init__(self) -> None:
        if not 0.01 <= self.scale <= 100.0:
            raise InputError(f"A scale of {self.scale:g} is out of range; choose 0.01 to 100.")
        numbers = [*self.pivot, *self.shift, self.yaw, self.mirror or 0.0]
        if not np.all(np.isfinite(numbers)):
            raise InputError("Pivot, shift and angles of the motion must be finite numbers.")

    @property
    def turn(self) -> Array:
        """Orthogonal matrix (3, 3) of turn and mirror."""
        cosine, sine = np.cos(self.yaw), np.sin(self.yaw)
        matrix = np.array([[cosine, -sine, 0.0], [sine, cosine, 0.0], [0.0, 0.0, 1.0]])
        if self.mirror is not None:
            c, s = np.cos(2.0 * self.mirror), np.sin(2.0 * self.mirror)
            matrix = matrix @ np.array([[c, s, 0.0], [s, -c, 0.0], [0.0, 0.0, 1.0]])
        return matrix

    @property
    def side(self) -> float:
        """-1 when left becomes right, else 1."""
        return 1.0 if self.mirror is None else -1.0

    def place(self, at: Sequence[float]) -> Vec3:
        """Where a place (m, world) goes."""
        pivot = np.asarray(self.pivot)
        x, y, z = (
            pivot + self.scale * (self.turn @ (np.asarray(at) - pivot)) + np.asarray(self.shift)
        ).tolist()
        return (x, y, z)

    def direction(self, vector: Sequence[float]) -> Vec3:
        """What a direction becomes; its length stays."""
        x, y, z = (self.turn @ np.asarray(vector)).tolist()
        return (x, y, z)

    @property
    def only_shifts(self) -> bool:
        return self.scale == 1.0 and self.yaw == 0.0 and self.mirror is None


def transform_points(project: Project, section: str, indices: Iterable[int], motion: Motion) -> Project:
    """Move control points of a spline section; their cants change sign when mirrored."""
    described = section_named(the_track(project), section)
    if not isinstance(described, SplineSection):
        raise InputError(f"Section '{section}' is a {described.kind}; turn it into control points first.")
    chosen = set(indices)
    for i in chosen:
        if not 0 <= i < len(described.points):
            raise InputError(f"Section '{section}' has no point {i + 1}; it has {len(described.points)}.")
    points = tuple(_point(p, motion) if i in chosen else p for i, p in enumerate(described.points))
    return _with(project, described.name, changed(described, f"Section '{section}'", {"points": points}))


def transform_sections(project: Project, names: Iterable[str], motion: Motion) -> Project:
    """Move whole sections: points, straights, tables, and elements with their lengths and sides.

    An element that is not the first section begins where the track has come to: it is scaled and mirrored in itself
    and follows what comes before. A motion of elements only that would just move or turn them is refused, and so is
    scaling a force section, which is drawn by its loads.
    """
    wanted = set(names)
    for name in wanted:
        section_named(the_track(project), name)
    sections = the_track(project).sections
    chosen = [s for s in sections if s.name in wanted]
    free = [s for s in chosen if not isinstance(s, Element) or s.pose is not None]
    if chosen and not free and motion.scale == 1.0 and motion.mirror is None:
        raise InputError(
            f"Section '{chosen[0].name}' begins where the track has come to; move what comes before it, or turn it"
            " into control points."
        )
    moved = tuple(_section(s, motion) if s.name in wanted else s for s in sections)
    return set_track(project, {"sections": moved})


def _with(project: Project, name: str, section: Section) -> Project:
    sections = tuple(section if s.name == name else s for s in the_track(project).sections)
    return set_track(project, {"sections": sections})


def _point(point: ControlPoint, motion: Motion) -> ControlPoint:
    x, y, z = motion.place(point.position)
    cant = None if point.cant is None else motion.side * point.cant
    return point.model_copy(update={"x": x, "y": y, "z": z, "cant": cant})


def _section(section: Section, motion: Motion) -> Section:
    where = f"Section '{section.name}'"
    fields: dict[str, Any]
    if isinstance(section, SplineSection):
        rolls = tuple(
            roll.model_copy(
                update={
                    "at": roll.at * motion.scale,
                    "cant": roll.cant * motion.side,
                    "rates": None
                    if roll.rates is None
                    else tuple(
                        motion.side * rate / motion.scale**order
                        for order, rate in enumerate(roll.rates, start=1)
                    ),
                }
            )
            for roll in section.roll_points
        )
        fields = {"points": tuple(_point(p, motion) for p in section.points), "roll_points": rolls}
        return changed(section, where, fields)
    if isinstance(section, StraightSection):
        fields = {} if section.cant is None else {"cant": motion.side * section.cant}
        for name in ("start", "end"):
            if getattr(section, name) is not None:
                fields[name] = motion.place(getattr(section, name))
        if section.length is not None:
            fields["length"] = section.length * motion.scale
        return changed(section, where, fields)
    if isinstance(section, TableSection):
        return changed(section, where, _table(section, motion))
    return changed(section, where, _element(section, motion))


def _table(section: TableSection, motion: Motion) -> dict[str, Any]:
    fields: dict[str, Any] = {"positions": tuple(motion.place(p) for p in section.positions)}
    if section.left is not None:  # of a mirrored track left is what was right
        turned = [motion.direction(v) for v in section.left]
        fields["left"] = tuple((motion.side * x, motion.side * y, motion.side * z) for x, y, z in turned)
    if section.up is not None:
        fields["up"] = tuple(motion.direction(v) for v in section.up)
    if section.cant is not None:
        fields["cant"] = tuple(None if c is None else motion.side * c for c in section.cant)
    return fields


def _element(section: Element, motion: Motion) -> dict[str, Any]:
    fields: dict[str, Any] = {}
    if section.pose is not None:
        fields["pose"] = _pose(section.pose, motion)
    kind = KINDS[section.kind]
    if motion.scale != 1.0:
        if not kind.sized:
            raise InputError(
                f"Section '{section.name}' is drawn by its loads and has no size of its own; change its keys, or turn"
                " it into control points."
            )
        fields |= kind.scaled(section, motion.scale)
    if motion.mirror is not None:
        direction = getattr(section, "direction", None)
        if direction in OTHER_SIDE:
            fields["direction"] = OTHER_SIDE[direction]
        fields |= kind.mirrored(section.model_copy(update=fields))
    return fields


def _pose(pose: StartPose, motion: Motion) -> StartPose:
    x, y, _ = motion.direction((np.cos(pose.heading), np.sin(pose.heading), 0.0))
    return StartPose(
        position=motion.place(pose.position),
        heading=float(np.arctan2(y, x)),
        pitch=pose.pitch,
        cant=motion.side * pose.cant,
    )
