"""What a run says of a train: couplings beyond what they are for, rows of seats beside one another."""

from __future__ import annotations

import math

import numpy as np
import pytest

from ridewright.core.edits.along_track import add_device, set_device
from ridewright.core.edits.couplings import (
    delete_car,
    devices_without_cars,
    join_as_others,
    library_car,
    make_train,
    open_places,
)
from ridewright.core.injury.filters import ride_filter
from ridewright.core.model.forces.force import AppliedForce
from ridewright.core.outcome.summary import summarise
from ridewright.core.outcome.trains import coupling_findings
from ridewright.core.project.examples import load_example
from ridewright.core.project.project import Project
from ridewright.core.project.scenario import Ride
from ridewright.core.report.book import Book, ReportOptions
from ridewright.core.report.parts.train_part import train_section
from ridewright.core.report.parts.vehicle_part import vehicle_section
from ridewright.core.report.run_view import RunView
from ridewright.core.results.results import Results
from ridewright.core.run.simulate import simulate


@pytest.fixture(scope="module")
def ridden() -> tuple[Project, Results]:
    """Three cars on sprung bars, a rider in the first and the last, over the first hill and into curves."""
    project = make_train(
        load_example("looping_star"), library_car("viegas2016"), 3, 3.0, "sprung_bar_slack", ["Left seat"]
    )
    assert project.train is not None
    couplings = tuple(
        c.model_copy(update={"rating": 700.0, "swing": math.radians(2.0)}) for c in project.train.couplings
    )
    cars = list(project.train.children)
    cars[1] = cars[1].model_copy(update={"children": ()})
    train = project.train.model_copy(update={"couplings": couplings, "children": tuple(cars)})
    settings = project.settings.model_copy(update={"sample_rate": 200.0})
    update = {"train": train, "settings": settings, "scenario": Ride(start=62.0, speed=26.0, duration=2.0)}
    project = project.model_copy(update=update)
    return project, simulate(project)


def test_that_forces_beyond_the_rating_and_swings_beyond_the_free_angle_are_told(ridden) -> None:
    project, results = ridden
    found = coupling_findings(project, results)
    force = results.channels["coupling/Coupling 1/force"].values
    k = int(np.argmax(np.abs(force)))
    assert abs(force[k]) > 700.0
    (told,) = [f for f in found if f.kind in ("rating", "slack") and "'Coupling 1'" in f.message]
    assert told.time == pytest.approx(results.sample_time[k])
    assert f"{abs(force[k]) / 700.0:.2f} times" in told.message
    swings = [f for f in found if f.kind == "swing"]
    assert swings
    assert "beyond the 2.0° it is free for" in swings[0].message
    assert project.train is not None
    free = tuple(c.model_copy(update={"rating": 1e6, "swing": 1.0}) for c in project.train.couplings)
    quiet = project.model_copy(update={"train": project.train.model_copy(update={"couplings": free})})
    assert coupling_findings(quiet, results) == ()


def test_that_rows_and_places_of_peaks_are_in_the_summary_and_the_report(ridden) -> None:
    project, results = ridden
    summary = summarise(project, results)
    assert [(row.row, row.riders) for row in summary.rows] == [(1, ("Car 1/Rider",)), (3, ("Car 3/Rider",))]
    smooth = ride_filter(
        results.sample_time, results.channels["rider/Car 3/Rider/upper_torso/acceleration"].values
    )
    assert summary.rows[1].loads is not None
    assert summary.rows[1].loads["gz"].least == pytest.approx(smooth[:, 2].min())
    peak = summary.couplings["Coupling 2"].tension
    assert peak is not None
    assert peak.section in [section.name for section in project.track.sections]
    pytest.importorskip("matplotlib")
    section = train_section(RunView(project, results), Book(ReportOptions(date="2026-01-01")))
    assert section is not None
    tables = {block.id: block for block in section.blocks if block.kind == "table"}
    assert [row[0].text for row in tables["couplings"].rows] == ["Coupling 1", "Coupling 2"]
    assert tables["couplings"].rows[1][3].value == pytest.approx(peak.value / 1e3, rel=1e-12)
    change = tables["rows"].rows[-1]
    rows = summary.rows
    assert change[0].text == "back less front"
    assert change[6].value == pytest.approx(rows[1].loads["gz"].least - rows[0].loads["gz"].least)
    vehicle = vehicle_section(RunView(project, results), Book(ReportOptions(date="2026-01-01")))
    assert vehicle is not None
    (cars,) = (block for block in vehicle.blocks if block.id == "train")
    assert [row[6].text for row in cars.rows] == ["1 of 2", "0 of 2", "1 of 2"]
    total = sum(row[5].value for row in cars.rows)
    assert total == pytest.approx(project.train.mass())


def test_that_the_report_has_what_a_train_holds_beside_its_cars_and_couplings(ridden) -> None:
    pytest.importorskip("matplotlib")
    project, results = ridden
    assert project.train is not None
    push = AppliedForce(name="Push", body=f"{project.train.children[-1].name}/Carbody")
    pushed = project.model_copy(update={"train": project.train.model_copy(update={"forces": (push,)})})
    section = vehicle_section(RunView(pushed, results), Book(ReportOptions(date="2026-01-01")))
    assert section is not None
    (own,) = (inner for inner in section.sections if inner.title == "The train")
    assert [block.rows[0][0].text for block in own.blocks if block.id.startswith("forces")] == ["Push"]


def test_that_an_open_place_and_a_missing_car_are_seen_and_have_a_way_out(ridden) -> None:
    project, _ = ridden
    assert open_places(project) == []
    five = make_train(project, library_car("viegas2016"), 5, 3.0, "ball_drawbar")
    apart = delete_car(five, "Car 3", join=False)
    assert open_places(apart) == []  # a car's length lies between them
    train = five.train
    assert train is not None
    loose = five.model_copy(update={"train": train.model_copy(update={"couplings": train.couplings[1:]})})
    assert open_places(loose) == [("Car 1", "Car 2")]
    assert open_places(join_as_others(loose, "Car 1", "Car 2")) == []
    braked, name = add_device(five, "trim_brake", five.track.sections[0].name)
    braked = set_device(braked, name, {"cars": ("Car 5",)})
    assert devices_without_cars(braked) == []
    assert devices_without_cars(delete_car(braked, "Car 5", join=False)) == [(name, "Car 5")]
