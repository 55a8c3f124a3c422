"""Elements drawn for a speed, brought to the speed the ride really has where they begin."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from core.edits.sections import set_section
from core.errors import InputError
from core.pointmass.ride import preview_ride
from core.project import Project
from core.track.build import build_track

CLOSE = 0.01  # m/s; a speed nearer than this is left
LEAST, MOST = 2.0, 150.0  # m/s, what an element may be entered with


@dataclass(frozen=True)
class EntrySpeed:
    """An element and the speeds (m/s) it was drawn for before and is drawn for now."""

    section: str
    before: float
    now: float


def match_entry_speeds(project: Project) -> tuple[Project, tuple[EntrySpeed, ...]]:
    """Give every element that is drawn for a speed the one the point ride enters it with, in running order.

    Camelbacks, zero-g rolls and force sections follow from their entry speed; each is redrawn before the ride goes on
    to the next, because its shape decides what comes after. Returns the project and what changed. Raises InputError
    when the ride does not reach such an element, or too slowly.
    """
    if project.track is None:
        raise InputError("This project has no track; add one.")
    changes = []
    for name in [s.name for s in project.track.sections if hasattr(s, "entry_speed")]:
        assert project.track is not None
        built = build_track(project.track, ride=False)
        span = next(s for s in built.sections if s.name == name)
        ride = preview_ride(built, project.point_ride, gravity=project.gravity)
        ahead = ride.forward()
        place, speed = ride.place[ahead], ride.line_speed[ahead]
        order = np.argsort(place, kind="stable")
        if not len(order) or not place[order[0]] - 0.5 <= span.s0 <= place[order[-1]] + 0.5:
            raise InputError(
                f"The point ride does not reach section '{name}' at {span.s0:.0f} m: {ride.message}"
            )
        now = float(np.interp(span.s0, place[order], speed[order]))
        if not LEAST <= now <= MOST:
            raise InputError(
                f"The point ride enters section '{name}' with {now:.1f} m/s; an element needs {LEAST:g} to {MOST:g}."
            )
        before = float(next(s for s in project.track.sections if s.name == name).entry_speed)  # type: ignore[union-attr]
        if abs(now - before) > CLOSE:
            project = set_section(project, name, {"entry_speed": round(now, 3)})
            changes.append(EntrySpeed(name, before, round(now, 3)))
    return project, tuple(changes)
