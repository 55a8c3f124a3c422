"""The launch calculator as an edit: a launch device that brings the train to the wanted speed.

The acceleration is sought on the ride of the project with the launch in it, so that everything else counts: other
devices, a start speed that is solved for a top further on, a ride that starts inside the stretch.
"""

from __future__ import annotations

import numpy as np

from ..base.errors import InputError
from ..base.sentence import say
from ..edits.along_track import add_device
from ..pointmass.launch import STRONGEST, LaunchPlan, launch_needed, launch_plan
from ..pointmass.result import PointRide
from ..pointmass.ride import preview_ride
from ..project.point_train import ridden_settings
from ..project.project import Project
from ..track.build import BuiltTrack, build_track

TOP_SPEED_ROOM = 1.0  # m/s above the target, so that the launch does not stop pushing before its end
WEAKEST = 0.01  # m/s^2, of a launch
EXACT = 1e-3  # m/s, of the speed at its end
MISSED = 0.02  # m/s, too far off to be called the speed asked for
STEPS = 40


def add_launch(
    project: Project, section: str, target: float, *, start: float = 0.0, end: float | None = None
) -> tuple[Project, LaunchPlan]:
    """Add a launch of constant acceleration that gives the train a speed at its end.

    Parameters
    ----------
    project
        With a track.
    section
        Where the launch lies.
    target
        m/s.
    start, end
        m from the start of the section; None is its end.

    Returns
    -------
    The project with the device, and the plan: time, force, power, loads and a warning when they pass the limits,
    both from the ride with it.

    Raises
    ------
    InputError
        As `launch_needed`, and where the train is faster without a launch or does not get there with any.
    """
    if project.track is None:
        raise InputError("This project has no track for a launch; add one.")
    built = build_track(project.track, ride=False)
    span = next((s for s in built.sections if s.name == section), None)
    if span is None:
        raise InputError(f"The track has no section '{section}'.")
    last = span.s1 if end is None else span.s0 + end
    settings = ridden_settings(project)
    first = launch_needed(built, span.s0 + start, last, target, settings, gravity=project.gravity)

    def launched(pull: float) -> tuple[Project, PointRide, float]:
        fields = {
            "start": start,
            "end": end,
            "mode": "acceleration",
            "value": pull,
            "top_speed": target + TOP_SPEED_ROOM,
        }
        made, _ = add_device(project, "launch", section, fields)
        assert made.track is not None
        track = build_track(made.track, ride=False)
        ride = preview_ride(track, ridden_settings(made), gravity=made.gravity)
        return made, ride, speed_at(track, ride, last)

    made, ride, reached = launched(first.acceleration)
    pull = first.acceleration
    if abs(reached - target) <= EXACT:
        return made, first
    low, high = WEAKEST, max(2.0 * pull, WEAKEST)
    slow = launched(low)[2]
    if slow > target:
        raise InputError(
            say(
                "Without a launch the train is at {slow:.2f m/s} there already; a launch only pushes."
                " Choose a higher speed, an earlier end, or add a brake.",
                slow=slow,
            )
        )
    while launched(high)[2] < target:
        high *= 2.0
        if high > STRONGEST:
            raise InputError(
                say(
                    "No launch up to {strongest:.0f} m/s^2 brings the train to {target:.2f m/s} there; use a"
                    " longer stretch, or look at the other devices on it.",
                    strongest=STRONGEST,
                    target=target,
                )
            )
    for _ in range(STEPS):
        pull = 0.5 * (low + high)
        made, ride, reached = launched(pull)
        if abs(reached - target) < EXACT:
            break
        low, high = (pull, high) if reached < target else (low, pull)
    if abs(reached - target) > MISSED:
        raise InputError(
            say(
                "No launch here gives {target:.2f m/s} at its end (nearest {reached:.2f m/s}): what is before it"
                " changes with it. Give the ride a start speed of its own, or move the launch away from the start.",
                target=target,
                reached=reached,
            )
        )
    offset = max(float(ride.s[0]), span.s0 + start)  # a ride that starts inside has no more of it
    over = last if last >= ride.s[0] else last + built.length
    begin = offset if last >= ride.s[0] else span.s0 + start + built.length
    return made, launch_plan(ride, begin, over, pull, settings.mass)


def speed_at(built: BuiltTrack, ride: PointRide, position: float) -> float:
    """Speed (m/s) of a ride when it first comes to `position` (m); 0 when it does not."""
    first = ride.forward()
    s = ride.s[first]
    target = float(s[0] + np.mod(position - s[0], built.length)) if built.track.closed else position
    if not s[0] - 1e-6 <= target <= s[-1] + 1e-6:
        return 0.0
    return float(np.sqrt(np.interp(target, s, ride.speed[first] ** 2)))
