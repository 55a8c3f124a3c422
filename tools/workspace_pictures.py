"""Pictures of every workspace, and what share of the window the 3D view has in each."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from ridewright.core.edits.changes import set_scenario
from ridewright.core.project.examples import load_example
from ridewright.core.studies.study import Parameter

if TYPE_CHECKING:
    from tools.screenshots import Photographer

SIZES: Final = ((1024, 700), (1280, 800), (1600, 900), (2560, 1440))
SHORT = 12.0  # s of the frisbee's ride: the first swings
PEAK = 0.2  # of the ride: where the loop of the Looping Star is


def every_workspace(it: Photographer, size: tuple[int, int], ending: str) -> None:
    """One picture for each workspace of the shown run at a size (px)."""
    w = it.window
    w.resize(*size)
    w.playback.seek(PEAK * w.playback.duration)
    for one in w.workspaces.every:
        w.workspaces.go(one.id)
        it.shoot(f"workspace_{one.id}{ending}")
        view = w.viewer
        over = sum(x.width() * x.height() for x in view.over.shown()) / (view.width() * view.height())
        share = view.width() * view.height() / (w.width() * w.height())
        print(f"  view {view.width()} x {view.height()}: {share:.0%} of the window, {over:.1%} of it covered")
    w.workspaces.go(w.workspaces.every[0].id)


def panels_of_workspaces(it: Photographer) -> None:
    """What a car rests on, the load cases of a frisbee side by side, and a study that was run."""
    w = it.window
    w.document.start_from(load_example("looping_star"))
    w.workspaces.go("train")
    w.actions_table.by_id["equilibrium"].trigger()
    resting = w.panels["equilibrium"]
    it.wait(until=lambda: resting.table.rowCount() > 0)
    resting.sheet.setCurrentIndex(1)  # wheels; the deflections of this car are none
    it.shoot("equilibrium")
    w.workspaces.go("study")
    study = w.panels["studies"]
    study.vary(Parameter(name="Start speed", field="scenario.speed", unit="m/s", low=26.0, high=29.0))
    study.vary(Parameter(name="Friction", field="point_ride.mu", low=0.0, high=0.005))
    study.start()
    it.wait(until=lambda: study.model.rowCount() >= study.count.value() and not study.process.running)
    it.wait(2.0)
    it.shoot("study_runs")
    frisbee = load_example("frisbee")
    w.document.start_from(set_scenario(frisbee, {"duration": SHORT}))
    w.workspaces.go("structure")
    w.show_panel("load_cases")
    cases = w.panels["load_cases"]
    it.wait(1.0)
    cases.usual.click()
    it.wait(1.0)
    cases.button.click()
    it.wait(until=lambda: not cases.inquiry.running)
    w.viewer.frame_all()
    it.shoot("load_cases")
