"""What a tool works out beside the window: a proposal with its figures."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from ...core.base.errors import InputError
from ...core.pointmass.ride import preview_ride
from ...core.project.point_train import ridden_settings
from ...core.project.project import Project
from ...core.track.build import BuiltTrack, build_track
from ..widgets import units
from ..work.task import Teller


@dataclass(frozen=True)
class Figure:
    """A quantity before and after, as texts; one of them may be empty."""

    name: str
    before: str
    after: str


@dataclass(frozen=True)
class Proposal:
    """What a tool would do. project: the changed one, None when nothing is changed; figures; notes: sentences;
    warnings: sentences to be seen; fault: why there is no proposal; extra: what the tool draws itself."""

    project: Project | None = None
    figures: tuple[Figure, ...] = ()
    notes: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()
    fault: str = ""
    extra: Any = None


def carry_out(work: Callable[[Teller], Proposal], teller: Teller) -> Proposal:
    """The proposal of a request; trouble with input becomes its fault."""
    if teller.stopped():
        return Proposal(fault="Stopped.")
    try:
        return work(teller)
    except InputError as error:
        return Proposal(fault=str(error))


@dataclass(frozen=True)
class RideFigures:
    """Extremes of a point ride: length (m), speed (m/s), loads (g)."""

    length: float
    speed: float
    gz_most: float
    gz_least: float
    gy_most: float
    message: str


def ride_figures(project: Project, built: BuiltTrack | None = None) -> RideFigures | None:
    """Extremes of the point ride over a project's track; None when there is no ride."""
    if project.track is None:
        return None
    built = built or build_track(project.track, ride=False)
    try:
        ride = preview_ride(built, ridden_settings(project), gravity=project.gravity)
    except InputError:
        return None
    g = ride.g
    return RideFigures(
        built.length,
        float(abs(ride.speed).max()),
        float(g[:, 2].max()),
        float(g[:, 2].min()),
        float(abs(g[:, 1]).max()),
        ride.message,
    )


def compared(before: RideFigures | None, after: RideFigures | None) -> tuple[Figure, ...]:
    """Length, speed and loads of two rides side by side."""

    def pair(name: str, field_name: str, unit: str) -> Figure:
        texts = [
            "–" if ride is None else units.text(getattr(ride, field_name), unit) for ride in (before, after)
        ]
        return Figure(name, texts[0], texts[1])

    return (
        pair("Length of the track", "length", "m"),
        pair("Highest speed", "speed", "m/s"),
        pair("Largest Gz", "gz_most", "g"),
        pair("Smallest Gz", "gz_least", "g"),
        pair("Largest |Gy|", "gy_most", "g"),
    )
