"""Kinks of the rails of a project, at the speed of its ride as points."""

from __future__ import annotations

from ..base.errors import InputError
from ..pointmass.rail_kinks import RailCosts, RailKink, rail_costs
from ..pointmass.ride import ride_point
from ..project.point_train import ridden_settings
from ..project.project import Project
from ..track.build import build_track


def kinks_of(project: Project) -> tuple[RailKink, ...]:
    """The kinks of `costs_of`."""
    return costs_of(project).kinks


def costs_of(project: Project) -> RailCosts:
    """Where its rails bend suddenly and what that costs. Raises InputError without a track, and where none can ride."""
    if project.track is None:
        raise InputError(f"{project.name}: has no track, and so no rails.")
    built = build_track(project.track)
    ride = ride_point(built, ridden_settings(project), gravity=project.gravity)
    return rail_costs(built, ride.s, ride.speed)
