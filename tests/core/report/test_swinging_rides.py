"""Reports of swinging rides: what drives did and what every seat felt, also with wind, empty seats and an emergency
stop."""

from __future__ import annotations

import json
import math
from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("matplotlib")

from ridewright.core.edits.elements import add_element, set_element
from ridewright.core.model.forces.wind import Wind
from ridewright.core.model.functions import TableFunction
from ridewright.core.outcome.seats import assess_seats
from ridewright.core.project.examples import load_example
from ridewright.core.project.project import Project
from ridewright.core.report.book import ReportOptions
from ridewright.core.report.write import ReportTarget, write_report
from ridewright.core.results.results import Results
from ridewright.core.run.simulate import simulate

STOP = 93.3  # s


def stopped_frisbee() -> Project:
    """The frisbee with an emergency stop in full swing, a gust, and passengers on one side only."""
    project = set_element(load_example("frisbee"), "force", ("Swing drive",), {"emergency_stop": STOP})
    gust = TableFunction(
        times=(0.0, 30.0, 40.0, 45.0, 50.0, 60.0, 100.0, 180.0),
        values=(8.0, 8.0, 8.0, 20.0, 8.0, 8.0, 8.0, 8.0),
    )
    wind = Wind(name="Wind", body="Gondola", drag_area=15.0, direction=(1.0, 0.4, 0.0), speed=gust)
    project, _ = add_element(project, "force", (), wind)
    assert project.assembly is not None
    for k, seat in enumerate(project.assembly.seats):
        if k >= len(project.assembly.seats) // 2:
            project = set_element(project, "seat", (seat.name,), {"passenger": 0.0})
    return project


def written(project: Project, run: Results, folder: Path) -> dict[str, dict]:
    """The tables of the part about drives and seats, by their names."""
    target = ReportTarget(json=folder / "report.json", html=folder / "report.html")
    options = ReportOptions(date="2026-01-01")
    write_report(project, run, target, options=options)
    content = json.loads((folder / "report.json").read_text(encoding="utf-8"))
    (part,) = (one for one in content["sections"] if one["id"] == "drives_and_seats")
    assert "Loads at the seats" in (folder / "report.html").read_text(encoding="utf-8")
    return {block["id"]: block for block in part["blocks"]}


@pytest.mark.nightly
@pytest.mark.parametrize(
    ("name", "amplitude"), [("frisbee", 120.0), ("pirate_ship", 65.0), ("stopped", 120.0)]
)
def test_that_the_report_of_a_swinging_ride_has_its_drives_and_all_its_seats(
    name: str, amplitude: float, tmp_path: Path
) -> None:
    project = stopped_frisbee() if name == "stopped" else load_example(name)
    run = simulate(project)
    assert run.status.complete
    found = written(project, run, tmp_path)
    columns = [column["key"] for column in found["drives"]["columns"]]
    drive = dict(zip(columns, found["drives"]["rows"][0], strict=True))
    assert drive["angle"]["value"] == pytest.approx(amplitude, abs=4.0)
    assert project.assembly is not None
    seats = assess_seats(run, project.evaluation)
    assert len(seats) == len(project.assembly.seats) >= 24
    listed = {row[0]["text"]: row for row in found["seats"]["rows"]}
    for seat in seats:
        least, largest = seat.loads["Gz"]
        assert (listed[seat.seat][5]["value"], listed[seat.seat][6]["value"]) == pytest.approx(
            (least, largest)
        )
    if name == "stopped":
        assert drive["stop"]["value"] == pytest.approx(STOP)
        assert np.abs(run.states.time - STOP).min() < 1e-9
        bodies = run.names.bodies
        after = run.states.time > STOP + 40.0
        turned = run.states.orientation[after, bodies.index("Arm")]
        swung = np.abs(2.0 * np.arctan2(turned[:, 2], turned[:, 0]))
        assert math.degrees(float(swung.max())) < 100.0
