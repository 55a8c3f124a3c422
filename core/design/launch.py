"""The launch calculator as an edit: a launch device that brings the train to the wanted speed."""

from __future__ import annotations

from ..base.errors import InputError
from ..edits.along_track import add_device
from ..pointmass.launch import LaunchPlan, launch_needed
from ..project.point_train import ridden_settings
from ..project.project import Project
from ..track.build import build_track

TOP_SPEED_ROOM = 1.0  # m/s above the target, so that the launch does not stop pushing before its end


def add_launch(
    project: Project, section: str, target: float, *, start: float = 0.0, end: float | None = None
) -> tuple[Project, LaunchPlan]:
    """Add a launch of constant acceleration that gives the train `target` (m/s) at its end.

    section; start, end (m from the start of the section, None: its end). Returns the project with the device and the
    plan with time, force, power, loads and a warning when they pass the limits. Raises InputError as `launch_needed`.
    """
    if project.track is None:
        raise InputError("This project has no track for a launch; add one.")
    built = build_track(project.track, ride=False)
    span = next((s for s in built.sections if s.name == section), None)
    if span is None:
        raise InputError(f"The track has no section '{section}'.")
    last = span.s1 if end is None else span.s0 + end
    plan = launch_needed(
        built, span.s0 + start, last, target, ridden_settings(project), gravity=project.gravity
    )
    fields = {
        "start": start,
        "end": end,
        "mode": "acceleration",
        "value": plan.acceleration,
        "top_speed": target + TOP_SPEED_ROOM,
    }
    return add_device(project, "launch", section, fields)[0], plan
