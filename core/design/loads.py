"""What a rider feels at a given speed: the loads of the point ride without riding."""

from __future__ import annotations

from ..base.arrays import Array
from ..base.errors import InputError
from ..pointmass.ride import loads
from ..pointmass.tables import rider_rows, upward_and_g
from ..project.project import Project
from ..track.build import BuiltTrack
from ..track.heartline import Heartline, HeartlineLaw, heartline_law


def refuse_weightless(project: Project) -> None:
    """Raise InputError for a project without gravity: loads are counted in g there."""
    if not any(project.gravity):
        raise InputError("Without gravity there is no load to balance; set the gravity of the project.")


def heights_law(built: BuiltTrack, height: float | None) -> HeartlineLaw:
    """The heartline of the track, or one at `height` (m) everywhere."""
    heartline = built.track.heartline if height is None else Heartline(height=height)
    return heartline_law(heartline, built.sections, built.length, built.track.closed)


def heartline_loads(
    built: BuiltTrack, s: Array, speed: Array, rate: Array, height: float | None, gravity: Array
) -> Array:
    """Specific force (n, 3) g along forward, left and up of the track at points `height` (m) above its middle.

    s (n,) m on the centreline; speed (n,) m/s = ds/dt and rate (n,) m/s^2 = its change in time; height None: that of
    the track's heartline; gravity (3,) m/s^2, whose size is the g of the result.
    """
    upward, g = upward_and_g(gravity.tolist())
    rider = rider_rows(built, heights_law(built, height), built.centreline.wrap(s), upward)
    return loads(rider, speed, rate, g)[0]
