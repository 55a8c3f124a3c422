"""Edits of roll points: the cants that auto-bank sets between control points."""

from __future__ import annotations

import numpy as np

from ..base.errors import InputError
from ..project.project import Project
from ..track.build import BuiltTrack
from ..track.description import SplineSection
from .changes import changed, the_track
from .places import section_named
from .points import STEEP, with_section


def clear_roll_points(project: Project, built: BuiltTrack, section: str) -> Project:
    """Remove the roll points of a section; its control points get the cant the track has there instead.

    built: the built track of the project. Points where the track is steep stay free. The roll between the points then
    follows from their cants alone. Raises InputError for a section without roll points.
    """
    described = section_named(the_track(project), section)
    if not isinstance(described, SplineSection) or not described.roll_points:
        raise InputError(f"Section '{section}' has no roll points.")
    state = built.centreline.state(np.array(built.point_places[section]))
    steep = np.abs(state.curve[:, 1, 2]) > STEEP
    points = tuple(
        point.model_copy(update={"cant": None if steep[k] else float(state.cant[k])})
        for k, point in enumerate(described.points)
    )
    fields = {"points": points, "roll_points": ()}
    return with_section(project, section, changed(described, f"Section '{section}'", fields))
