"""Who may ride, in the studio: what is asked, what came, and one body taken over."""

from __future__ import annotations

from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from ridewright.app.shell.main_window import MainWindow
from ridewright.app.studies.who_panel import DRAWN, EMPTY, NO_SEAT, USUAL, WhoPanel
from ridewright.core.edits.load_cases import set_load_cases, usual_cases
from ridewright.core.human.population import Admitted
from ridewright.core.project.examples import load_example
from ridewright.core.studies.admitted import most_rides
from ridewright.core.studies.by_ride import ByRide, End, Range
from ridewright.core.studies.one_run import Outcome
from ridewright.core.studies.store import Row, Store
from ridewright.core.studies.who_closes import Closes
from ridewright.core.studies.who_fits import Fits
from ridewright.core.studies.who_may_ride import Ridden, WhoMayRide


@pytest.fixture
def panel(studio: MainWindow) -> WhoPanel:
    studio.show_panel("who_may_ride")
    return studio.panels["who_may_ride"]


def test_that_seats_restraints_and_people_are_chosen(panel: WhoPanel) -> None:
    assert panel.seat.currentText() == "Car/Left seat"
    panel.shapes.tick("sit_down", "child")
    panel.restraints.tick("lap_belt")
    made = panel.study()
    assert [len(one.levels) for one in made.parameters] == [
        2,
        1,
        6,
    ]  # the man whose pelvis is fixed rides along
    assert made.keep.seats == ("Car/Left seat",)
    assert not panel.count.isEnabled()
    panel.bodies.setCurrentText(DRAWN)
    panel.count.setValue(3)
    assert [len(one.levels) for one in panel.study().parameters] == [2, 1, 4]


def test_that_load_cases_of_the_project_are_rides(panel: WhoPanel, studio: MainWindow, qtbot: QtBot) -> None:
    assert not panel.rides.isEnabled()
    panel.shapes.tick()
    panel.restraints.tick()
    panel.bodies.setCurrentText(USUAL)
    document = studio.document
    document.apply("Cases", set_load_cases(document.project, usual_cases()))
    qtbot.waitUntil(panel.rides.isEnabled)
    panel.rides.tick("Full", "Empty")
    assert panel.rides.text() == "Full, Empty"
    assert panel.cost.text().startswith("12 rides")
    assert [one.label for one in panel.study().parameters[0].levels] == ["Full", "Empty"]
    document.apply("One", set_load_cases(document.project, usual_cases()[1:2]))
    qtbot.waitUntil(lambda: panel.rides.keys == ("Empty",))
    document.undo_stack.undo()
    document.undo_stack.undo()
    qtbot.waitUntil(lambda: not panel.rides.isEnabled() and panel.rides.keys == ())


def test_that_what_came_is_shown_and_one_body_is_taken_over(
    panel: WhoPanel, studio: MainWindow, qtbot: QtBot, tmp_path: Path
) -> None:
    panel.shapes.tick("sit_down")
    panel.restraints.tick()
    panel.bodies.setCurrentText(USUAL)
    store = Store.create(tmp_path / "runs", panel.study(), load_example("looping_star"))
    numbers = {"margin": 0.25, "left_the_seat": 0.0, "airtime": 0.5, "seat_gap": 0.02}
    numbers |= {"f2291_+Gz": 3.0, "f2291_+Gz.margin": 0.25}
    rows = [
        Row(0, (0.0, 0.0), Outcome("done", "", numbers, {"f2291_+Gz": "head of Car/Rider"})),
        Row(1, (0.0, 1.0), Outcome("screened", "Does not fit: x.", {}, {"fit": "the bar cannot close"})),
    ]  # fmt: skip
    with store.writing():
        store.append(rows)
    panel._folder = tmp_path
    panel.look()
    qtbot.waitUntil(lambda: panel.table.rowCount() == 2, timeout=20_000)
    texts = [[panel.table.item(r, c).text() for c in (0, 4, 5, 6, 9)] for r in range(2)]
    assert texts == [
        ["5th percentile woman", "may ride", "25 %", "0.50 s", ""],
        ["50th percentile man", "does not fit", "", "", "the bar cannot close"],
    ]
    assert "may ride: 5th percentile woman" in panel.sentence.text()
    margins = [[panel.margins.item(0, c).text() for c in range(4)]]
    assert margins == [["F2291 +Gz", "25 %", "5th percentile woman, sit_down", "head of Car/Rider"]]
    assert not panel.ride_button.isEnabled()
    panel.table.selectRow(1)
    panel.ride_wanted.disconnect()
    with qtbot.waitSignal(panel.ride_wanted):
        panel.ride_button.click()
    top = studio.document.project.assembly
    assert top is not None
    (rider,) = top.with_role("rider").values()
    assert rider.person is not None
    assert rider.person.stature_percentile == "50"
    studio.document.undo_stack.undo()
    assert studio.document.project == load_example("looping_star")


def test_that_the_cost_is_told_before_and_sizes_are_shown_as_they_are_known(
    panel: WhoPanel, studio: MainWindow
) -> None:
    panel.bodies.setCurrentText(USUAL)
    panel.restraints.tick()
    panel.shapes.tick("sit_down", "child")
    assert panel.cost.text() == f"12 rides, then {most_rides(2)} at most for the sizes"
    assert panel.study().admitted
    panel.by_ride.setChecked(False)
    assert panel.cost.text() == "12 rides"
    assert not panel.study().admitted
    panel.by_ride.setChecked(True)
    panel.bodies.setCurrentText(DRAWN)
    panel.count.setValue(7)
    assert panel.cost.text().startswith("16 rides")
    panel.bodies.setCurrentText(USUAL)
    assert panel.sizes.table.isHidden()
    low, high = End(1.24, "ride", "leaves the seat at t = 2.0 s"), End(1.95, "fit", "does not fit")
    stays = Range(low, high, End(140.0, "nothing looked at"), 86.0)
    keeps = Range(nobody="somebody of 1.75 m exceeds F2291 +Gz")
    fits = Fits(1.0, 1.955, ((1.755, 140.0),), False, False)
    one = ByRide("sit_down", "", "", fits, stays, keeps, ("EN 13814 -Gy",), (), 30, True)
    later = ByRide("child", "", "", fits, rides=3, finished=False)
    studio.settings.units = "US"
    try:
        panel._show(WhoMayRide((), (), (), (one, later)))
        table = panel.sizes.table
        texts = [
            [table.item(r, c).text() for c in range(table.columnCount())] for r in range(table.rowCount())
        ]
        assert texts == [
            ["sit_down: fit", "3.28 ft", "", "6.41 ft", "", "309 lb", ""],
            [
                "sit_down: stay in the seat",
                "4.07 ft",
                low.why,
                "6.40 ft",
                "does not fit",
                "309 lb",
                "none looked at",
            ],
            ["sit_down: keep the limits", "nobody", keeps.nobody, "nobody", "", "nobody", ""],
        ]
        assert not table.isHidden()
        said = panel.sentence.text()
        assert "sit_down: Not counted, exceeded with the pelvis fixed too: EN 13814 -Gy." in said
        assert "sit_down: nobody who is admitted may ride." in said
        assert "child: by the ride, it is not known yet who may; 3 rides made." in said
    finally:
        studio.settings.units = "SI"
    panel._show(WhoMayRide((), ()))
    assert panel.sizes.table.isHidden()


def test_that_it_speaks_in_the_chosen_units_and_says_when_seats_are_gone(
    panel: WhoPanel, studio: MainWindow, qtbot: QtBot
) -> None:
    panel.bodies.setCurrentText(USUAL)
    panel._show(
        WhoMayRide(
            (Ridden(0, "x", "", "", "", "may ride", "", 0.2, "HIC", "", 1.0, 0.0254, 100.0),),
            (),
        )
    )
    fits = Fits(1.2192, 2.0, ((1.8, 136.0),), False, False)
    panel.inquiry.found = (None, [Closes("sit_down", "lap_bar", fits, Admitted(1.1)).sentence])
    studio.settings.units = "US"
    try:
        assert panel.table.item(0, 7).text() == "1.0 in"
        assert panel.fits.text() == (
            "sit_down, lap_bar closes on people from 4.00 ft to 6.56 ft, at 5.91 ft up to 300 lb; admitted although"
            " they do not fit: from 3.61 ft to 4.00 ft."
        )
        heaviest = panel.admitted.entries["largest_mass"]
        assert heaviest.unit.text() == "lb"
        heaviest.line.setText("400")
        heaviest.line.editingFinished.emit()
        assert panel.state.text().startswith("A heaviest of 400")
        assert panel.state.text().endswith("309 lb.")
        assert heaviest.line.text() == ""
        heaviest.line.setText("110 kg")
        heaviest.line.editingFinished.emit()
        assert panel.study().parameters[-1].levels[-2].label == "heaviest, 110 kg"
        assert studio.document.project.evaluation.largest_mass == 110.0
        studio.document.undo_stack.undo()
        assert heaviest.line.text() == ""
        assert panel.study().parameters[-1].levels[-2].label == "heaviest, 136 kg"
    finally:
        studio.settings.units = "SI"
    document = studio.document
    document.apply("No train", document.project.model_copy(update={"train": None}))
    qtbot.waitUntil(lambda: panel.state.text() == NO_SEAT)
    document.undo_stack.undo()
    qtbot.waitUntil(lambda: panel.state.text() == EMPTY and panel.start_button.isEnabled())
