"""Pictures of the guide's pages about flexible structures and the steel of the track."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from ridewright.app.document.selection import Selection
from ridewright.core.edits.rows import set_rows
from ridewright.core.project.examples import load_example
from ridewright.core.project.project import Project

if TYPE_CHECKING:
    from tools.screenshots import Photographer


def bending(it: Photographer) -> None:
    """A frame made from nothing; the main beam of a pendulum ride: its hot spots, and a mode of it alone."""
    w = it.window
    framed(it)
    steelwork(it)
    w.document.start_from(load_example("swing_beam"))
    it.run()
    w.show_panel("stress")
    panel = w.panels["stress"]
    it.wait(until=lambda: panel.table.rowCount() > 0)
    w.viewer.use_camera("orbit")
    w.viewer.frame_all()
    panel.table.selectRow(0)
    panel.table.itemClicked.emit(panel.table.item(0, 0))
    it.wait(0.5)
    it.shoot("stress")
    w.document.start_from(load_example("swing_beam"))
    w.actions_table.by_id["modes"].trigger()
    modes = w.panels["modes"]
    it.wait(until=modes.button.isEnabled)
    modes.about.setCurrentText("of “Main beam” alone")
    modes.button.click()
    it.wait(until=modes.button.isEnabled)
    w.viewer.frame_all()
    modes.extent.setValue(modes.extent.maximum())
    modes.table.selectRow(12)
    modes.animate.setChecked(True)
    it.wait(0.2)
    it.shoot("modes_of_a_beam")
    modes.animate.setChecked(False)


def steelwork(it: Photographer) -> None:
    """The second drop of the Looping Star: what its columns bear of the run."""
    w = it.window
    w.document.start_from(load_example("looping_star"))
    it.run()
    w.show_panel("steelwork")
    panel = w.panels["steelwork"]
    panel.button.click()
    it.wait(until=lambda: panel.inquiry.found is not None)
    w.viewer.use_camera("orbit")
    panel.tabs.setCurrentIndex(1)
    row = next(k for k in range(panel.footings.rowCount()) if panel.footings.item(k, 0).text() == "column 23")
    panel.footings.selectRow(row)
    it.wait(0.5)
    it.shoot("steelwork")


def framed(it: Photographer) -> None:
    """A frame of two beams, its lists and its inspector."""
    w = it.window
    w.document.start_from(Project(name="Bracket"))
    w.actions_table.by_id["add_frame"].trigger()
    panel = w.panels["structure"]
    it.wait(until=lambda: panel.body is not None)
    panel.add()
    frame: tuple[Literal["flexible"], tuple[str]] = ("flexible", ("Frame",))
    bent = set_rows(w.document.project, *frame, "nodes", (2,), {"position": (4.5, 0.0, 3.5)})
    w.document.apply("Bend", bent)
    w.document.select(Selection(*frame, (0,), rows="beams"))
    it.wait(until=lambda: panel.chosen == (0,))
    panel.add()
    section = {"shape": "box", "width": 0.12, "height": 0.2, "wall": 0.008}
    w.document.apply("Section", set_rows(w.document.project, *frame, "beams", (1,), {"section": section}))
    w.viewer.use_camera("orbit")
    w.viewer.frame_all()
    it.shoot("frame_of_beams")
