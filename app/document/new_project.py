"""What File > New begins with: a small circuit over one hill, with the library's vehicle and one rider."""

from __future__ import annotations

from ...core.model.assembly import Assembly
from ...core.model.library import library_rider, load_vehicle, with_rider
from ...core.model.losses import library_losses, with_losses
from ...core.project.project import Project
from ...core.project.scenario import Ride
from ...core.track.description import ControlPoint, SplineSection, Track

# (x, y, z, cant) in m and rad: level station straight, a 12 m hill on the way back, banked turns between them.
_POINTS = (
    (0.0, 0.0, 2.0, 0.0),
    (30.0, 0.0, 2.0, 0.0),
    (60.0, 0.0, 2.0, 0.0),
    (85.0, 12.0, 2.5, -0.6),
    (95.0, 37.0, 3.5, -0.9),
    (85.0, 62.0, 5.0, -0.6),
    (60.0, 74.0, 9.0, 0.0),
    (30.0, 74.0, 14.0, 0.0),
    (0.0, 74.0, 9.0, 0.0),
    (-25.0, 62.0, 5.0, -0.6),
    (-35.0, 37.0, 3.5, -0.9),
    (-25.0, 12.0, 2.5, -0.6),
)


def empty_project() -> Project:
    """A project without track and train: everything is still to be inserted."""
    return Project(name="New coaster", scenario=Ride(settled=True))


def new_project() -> Project:
    """A project that can be run as it is."""
    points = tuple(ControlPoint(x=x, y=y, z=z, cant=cant) for x, y, z, cant in _POINTS)
    track = Track(name="Circuit", closed=True, sections=(SplineSection(name="Circuit", points=points),))
    car = with_losses(load_vehicle(), library_losses())
    car = with_rider(car, library_rider(), car.seats[0].name)
    train = Assembly(name="Train", role="train", children=(car,))
    return Project(name="New coaster", track=track, train=train, scenario=Ride(settled=True))
