"""Elements drawn for a speed, brought to the speed, gravity and losses of the ride that really comes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ..base.errors import InputError
from ..base.sentence import say
from ..edits.sections import set_section
from ..pointmass.result import PointRide
from ..pointmass.ride import preview_ride
from ..project.point_settings import PointRideSettings
from ..project.point_train import ridden_settings
from ..project.project import Project
from ..track.build import BuiltTrack, build_track
from ..track.elements import RiddenElement

CLOSE = 0.01  # m/s; a speed nearer than this is left
MIN_SPEED, MAX_SPEED = 2.0, 150.0  # m/s, what an element may be entered with
REACH = 0.5  # m beyond its samples a ride still counts as having come


@dataclass(frozen=True)
class EntrySpeed:
    """An element and the speeds (m/s) it was drawn for before and is drawn for now; losses: whether its gravity or
    losses have changed."""

    section: str
    before: float
    now: float
    losses: bool = False


def speed_at(ride: PointRide, built: BuiltTrack, s: float, height: float) -> float | None:
    """Speed (m/s) of a ride at arc length s (m) on the line `height` (m) above the rails, on its first passage.

    None where it does not come before it turns back or stops.
    """
    ahead = ride.forward()
    run, speed = ride.s[ahead], ride.speed[ahead]
    order = np.argsort(run, kind="stable")
    run, speed = run[order], speed[order]
    if len(run) < 2:
        return None
    position = s
    if built.centreline.closed:
        position += built.length * np.ceil((run[0] - REACH - s) / built.length)
    if not run[0] - REACH <= position <= run[-1] + REACH:
        return None
    state = built.centreline.state(s)
    bend = float(state.curve[0, 2] @ state.up[0])
    pace = np.hypot(1.0 - height * bend, height * float(state.twist[0, 0]))
    return float(np.interp(position, run, np.abs(speed)) * pace)


def match_entry_speeds(
    project: Project, sections: Sequence[str] | None = None, *, losses: bool = True
) -> tuple[Project, tuple[EntrySpeed, ...]]:
    """Give every element that is drawn for a speed the one the point ride enters it with, in running order.

    Camelbacks, zero-g rolls and force sections follow from their entry speed, and with losses from gravity,
    friction and drag of the point ride; each is redrawn before the ride goes on to the next, because its shape
    decides what comes after.

    Parameters
    ----------
    project
        With a track.
    sections
        Names of those to match; None for all.
    losses
        Whether elements take the losses of the ride.

    Returns
    -------
    The project, and what changed.

    Raises
    ------
    InputError
        For a project without track or gravity, for losses beyond those an element knows, and when the ride does
        not reach such an element, or too slowly.
    """
    if project.track is None:
        raise InputError("This project has no track; add one.")
    settings = ridden_settings(project)
    ground = _ground(project, settings) if losses else {}
    changes = []
    for name in [s.name for s in project.track.sections if isinstance(s, RiddenElement)]:
        if sections is not None and name not in sections:
            continue
        assert project.track is not None
        section = next(s for s in project.track.sections if s.name == name)
        assert isinstance(section, RiddenElement)
        now = _entered(project, settings, section)
        other = {key: value for key, value in ground.items() if getattr(section, key) != value}
        if abs(now - section.entry_speed) > CLOSE:
            other["entry_speed"] = round(now, 3)
        if other:
            project = set_section(project, name, other)
            speed = float(other.get("entry_speed", section.entry_speed))
            changes.append(EntrySpeed(name, section.entry_speed, speed, bool(set(other) - {"entry_speed"})))
    return project, tuple(changes)


def _ground(project: Project, settings: PointRideSettings) -> dict[str, Any]:
    """Gravity and losses of the ride as fields of an element."""
    x, y, z = project.gravity
    if x or y or z >= 0.0:
        raise InputError(
            "Elements can be drawn for a gravity straight down only; change the gravity of the project, or leave the"
            " losses as they are."
        )
    fields = {"gravity": -z, "friction": settings.mu, "drag": settings.drag}
    return {**fields, "friction_law": settings.friction}


def _entered(project: Project, settings: PointRideSettings, section: RiddenElement) -> float:
    """Speed (m/s) with which the ride enters an element."""
    assert project.track is not None
    built = build_track(project.track, ride=False)
    span = next(s for s in built.sections if s.name == section.name)
    ride = preview_ride(built, settings, gravity=project.gravity)
    now = speed_at(ride, built, span.s0, section.line_height)
    if now is None:
        raise InputError(
            say(
                "The point ride does not reach section '{section}' at {s0:.0f m}: {message}",
                section=section.name,
                s0=span.s0,
                message=ride.message,
            )
        )
    if not MIN_SPEED <= now <= MAX_SPEED:
        raise InputError(
            say(
                "The point ride enters section '{section}' with {now:.1f m/s}; an element"
                " needs {min_speed:g (m/s)} to {max_speed:g m/s}.",
                section=section.name,
                now=now,
                min_speed=MIN_SPEED,
                max_speed=MAX_SPEED,
            )
        )
    return now


def link_to_ride(project: Project) -> Project:
    """The project with every element that is drawn for a speed following the point ride from now on."""
    for section in () if project.track is None else project.track.sections:
        if isinstance(section, RiddenElement) and section.speed_from != "ride":
            project = set_section(project, section.name, {"speed_from": "ride"})
    return project


def follow_ride(project: Project) -> Project:
    """The project with every element whose speed comes from the ride brought to it; the same where nothing differs or
    the ride does not come, which `match_entry_speeds` tells."""
    if project.track is None:
        return project
    linked = [
        s.name for s in project.track.sections if isinstance(s, RiddenElement) and s.speed_from == "ride"
    ]
    if not linked:
        return project
    try:
        made, _ = match_entry_speeds(project, linked)
        assert made.track is not None
        build_track(made.track, ride=False)
    except InputError:
        return project
    return made
