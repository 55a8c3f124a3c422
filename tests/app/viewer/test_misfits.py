"""What does not fit is drawn on the bodies that have it."""

from __future__ import annotations

import numpy as np

from ridewright.app.view3d.misfit_layer import _marks
from ridewright.core.edits.elements import assembly_at, delete_element
from ridewright.core.edits.riders import make_rider
from ridewright.core.edits.seats import put_seat
from ridewright.core.human.findings import seat_fits
from ridewright.core.model.person import Person
from ridewright.core.project.examples import load_example


def test_that_limbs_and_parts_that_do_not_fit_are_drawn_where_they_are() -> None:
    project = load_example("straight")
    (car, *_) = project.train.children
    for one in car.riders:
        project = delete_element(project, "assembly", (car.name, one.name))
    project = put_seat(project, (car.name,), car.seats[0].name, "sit_down")
    project, path = make_rider(project, (car.name,), Person(stature=1.2, scaling="child"), car.seats[0].name)
    top = project.assembly
    (fit,) = seat_fits(top)
    drawn = [*_marks(top, tuple(one for one in (fit,)), "#ff0000")]
    names = {name for name, _ in drawn}
    rider = "/".join(path)
    assert {f"{rider}/Left Foot", f"{rider}/Right Foot", f"{rider}/Left Calf"} <= names
    seat = assembly_at(project, (car.name,)).seats[0]
    on_car = [part for name, part in drawn if name == f"{car.name}/{seat.body}"]
    assert on_car
    (low,) = (one for one in fit.misfits if one.kind == "feet in the air")
    # the lines from the soles reach down to the foot rest, which is red too
    heights = np.concatenate([part.points for part in on_car])[:, 2]
    assert heights.max() - heights.min() > low.amount
    assert not [*_marks(top, (), "#ff0000")]
