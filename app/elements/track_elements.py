"""The pieces of track a person can insert, for menus: plain pieces, the catalogue of elements, and devices."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from ...core.base.errors import InputError
from ...core.design.entry_speeds import match_entry_speeds
from ...core.edits.elements_track import insert_element
from ...core.edits.insertion import insert_spline, insert_straight
from ...core.pointmass.result import PointRide
from ...core.pointmass.ride import preview_ride
from ...core.project.point_train import ridden_settings
from ...core.project.project import Project
from ...core.track.build import BuiltTrack, build_track
from ...core.track.devices import KINDS
from ...core.track.elements import ELEMENTS, Element, entry_of

FALLBACKS: Final = (
    None,
    20.0,
    26.0,
    32.0,
)  # m/s to size an element for when the ride's own speed gives no shape
REACH: Final = 1.0  # m from a place within which a sample of the ride counts


@dataclass(frozen=True)
class Insertable:
    """A piece as a menu shows it: id, title, group, icon, one sentence, the speed (m/s) that a ride needs for it."""

    id: str
    title: str
    group: str
    icon: str
    line: str
    slowest: float = 0.0


TRACK_ELEMENTS: Final = (
    Insertable("straight", "Straight", "Plain", "element-straight", "Exactly straight on, by its length."),
    Insertable("points", "Control points", "Plain", "points", "A spline to shape by hand."),
    *(Insertable(e.id, e.title, e.group, e.icon, e.line, e.slowest) for e in ELEMENTS),
)
DEVICES: Final = tuple(
    Insertable(kind.kind, kind.title, "Devices", kind.picture, kind.line) for kind in KINDS.values()
)


def groups(pieces: tuple[Insertable, ...]) -> dict[str, list[Insertable]]:
    """Pieces by group, in order."""
    out: dict[str, list[Insertable]] = {}
    for piece in pieces:
        out.setdefault(piece.group, []).append(piece)
    return out


def speed_behind(project: Project, built: BuiltTrack, after: str | None) -> float | None:
    """Speed (m/s) of the point ride at the end of a section (None: of the track); None where it does not come."""
    try:
        ride = preview_ride(built, ridden_settings(project), gravity=project.gravity)
    except InputError:
        return None
    return speed_of_ride(ride, built, after)


def speed_of_ride(ride: PointRide, built: BuiltTrack, after: str | None) -> float | None:
    """Speed (m/s) of a ride at the end of a section (None: of the track); None where it does not come."""
    s = built.length if after is None else next(x.s1 for x in built.sections if x.name == after)
    first = ride.forward()
    position = ride.place[first]
    if not len(position) or float(np.abs(position - s).min()) > REACH:
        return None
    return float(ride.speed[first][int(np.argmin(np.abs(position - s)))])


def insert_piece(
    project: Project, built: BuiltTrack | None, id: str, after: str | None
) -> tuple[Project, str]:
    """Insert a piece behind a section (None: at the end), sized for the speed of the point ride there.

    An element whose sizes for that speed give no shape is sized for others; one that is drawn for a speed takes losses
    and gravity from the ride as well. Returns project and name of the section.
    Raises InputError when none can be laid.
    """
    if id == "straight":
        return _buildable(insert_straight(project, built, after=after))
    if id == "points":
        return _buildable(insert_spline(project, built, after=after))
    speed = None if built is None else speed_behind(project, built, after)
    tries: list[Callable[[], tuple[Project, str]]] = [
        lambda v=v: insert_element(project, built, id, after=after, speed=v)  # type: ignore[misc]
        for v in dict.fromkeys((speed, *FALLBACKS))
    ]
    refusal: InputError | None = None
    for attempt in tries:
        try:
            made = _buildable(attempt())
        except InputError as error:
            refusal = refusal or error
            continue
        return _ridden(*made)
    assert refusal is not None
    raise refusal


def _ridden(project: Project, name: str) -> tuple[Project, str]:
    """An element that is drawn for a speed, with the speed, gravity and losses of the point ride that enters it; as it
    is where there is no such ride."""
    try:
        return _buildable((match_entry_speeds(project, [name])[0], name))
    except InputError:
        return project, name


def _buildable(made: tuple[Project, str]) -> tuple[Project, str]:
    """What was made, if its track can be built; else the InputError that says why not."""
    assert made[0].track is not None
    build_track(made[0].track)
    return made


def section_icon(section: Any) -> str:
    """Name of the icon of a section's kind."""
    if isinstance(section, Element):
        return entry_of(section).icon
    return {"spline": "points", "straight": "element-straight"}.get(section.kind, "section")
