"""Force over travel as it is drawn: what the equations use."""

from __future__ import annotations

import numpy as np
import pytest

from ridewright.core.edits.couplings import couple_cars, make_train
from ridewright.core.edits.new_elements import new_car
from ridewright.core.edits.train_gallery import car_of, empty_project, sample_of, trains
from ridewright.core.model.couplings.coupler import CarCoupler
from ridewright.core.model.couplings.spring_bar import SpringBar
from ridewright.core.model.forces.coupler import CouplerEnd
from ridewright.core.model.forces.spring import SpringDamper
from ridewright.core.model.law_curves import law_curves
from ridewright.core.model.library import load_vehicle
from ridewright.core.model.seat_rows import seat_rows
from ridewright.core.model.train_drawing import bounds, side_view

ENDS = {"name": "C", "body_i": "Car 2/Body", "body_j": "Car 1/Body"}


def test_that_slack_stops_and_stiffness_show_where_they_are() -> None:
    bar = SpringBar(**ENDS, stiffness=2e6, slack=0.004, stop_out=0.03, stop_stiffness=5e7)
    (curve,) = law_curves(bar)

    def at(x: float) -> float:
        return float(np.interp(x, curve.travel, curve.force))

    assert at(0.0039) == at(-0.0039) == 0.0
    assert at(0.014) == pytest.approx(2e6 * 0.010, rel=1e-6)
    assert at(-0.03) == pytest.approx(-2e6 * 0.026, rel=1e-6)
    assert at(0.033) == pytest.approx(2e6 * 0.029 + 5e7 * 0.003, rel=1e-6)


def test_that_a_wedge_has_a_way_out_and_a_lower_way_back() -> None:
    table = {"curve": ((0.0, 0.0), (0.05, 4e5)), "unloading": ((0.0, 0.0), (0.05, 1e5)), "damping": 0.0}
    out, back = law_curves(SpringBar(**ENDS, **table))
    assert back.back
    for curve, force in ((out, 4e5), (back, 1e5)):
        for sign in (1.0, -1.0):
            found = np.interp(sign * 0.02, curve.travel, curve.force)
            assert found == pytest.approx(sign * force * 0.4, rel=2e-3)  # tanh(5)


def test_that_the_parts_of_a_coupler_give_way_one_behind_the_other() -> None:
    soft = CouplerEnd(stiffness=1e7)
    coupler = CarCoupler(**ENDS, end_i=soft, knuckle_slack=0.002)
    *_, whole = law_curves(coupler)
    assert whole.name == "All of it"
    for force in (1.1e5, -7e4):
        travel = np.interp(force, whole.force, whole.travel)
        expected = force * (1e-7 + 1.0 / 3e7 + 1.0 / 5e8) + np.sign(force) * 0.002
        assert travel == pytest.approx(expected, rel=1e-5)


def test_that_elements_between_two_points_have_a_curve_and_others_none() -> None:
    spring = SpringDamper(name="S", body_i="a", body_j="b", stiffness=300.0)
    (curve,) = law_curves(spring)
    assert curve.force == pytest.approx(300.0 * curve.travel)
    assert law_curves(object()) == ()


def test_that_every_train_of_the_gallery_can_be_made_and_drawn() -> None:
    blank = empty_project()
    for choice in trains():
        car = car_of(blank, choice.car)
        made = make_train(
            blank, car, choice.cars, choice.spacing or 3.0, choice.coupling, choice.riders
        ).train
        assert made is not None
        shapes = side_view(made)
        drawn = {shape.of for shape in shapes}
        assert drawn >= {car.name for car in made.children} | {c.name for c in made.couplings}
        x0, x1, z0, z1 = bounds(shapes)
        assert x1 - x0 > made.children[-1].offset
        assert z1 > 0.5
        assert z0 > -0.5
    assert not sample_of("").couplings


def test_that_rows_of_seats_are_counted_from_the_front() -> None:
    blank = empty_project()
    made = make_train(blank, car_of(blank, "vehicle:viegas2016"), 3, 2.7, None, ["Right seat"]).train
    assert made is not None
    rows = seat_rows(made)
    assert [row.number for row in rows] == [1, 2, 3]
    assert [row.car for row in rows] == ["Car 1", "Car 2", "Car 3"]
    assert [[seat.seat for seat in row.seats] for row in rows] == [["Left seat", "Right seat"]] * 3
    assert [row.riders for row in rows] == [(f"Car {k}/Rider",) for k in (1, 2, 3)]
    assert rows[2].behind - rows[0].behind == pytest.approx(5.4)
    assert couple_cars(blank.model_copy(update={"train": made}), "ball_drawbar").train is not None


def test_that_wheels_are_drawn_where_a_car_stands_on_rails_and_not_where_it_is_guided_as_a_whole():
    def wheels(car) -> list[float]:
        return sorted(float(shape.points[0, 0]) for shape in side_view(car) if shape.what == "wheel")

    assert wheels(new_car()) == []
    assert wheels(load_vehicle("viegas2016")) == [-1.0, 1.0]
