"""Pictures of the guide's page about flexible structures."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ridewright.core.project.examples import load_example

if TYPE_CHECKING:
    from tools.screenshots import Photographer


def bending(it: Photographer) -> None:
    """The main beam of a pendulum ride: its hot spots, and a mode of it alone."""
    w = it.window
    w.document.start_from(load_example("swing_beam"))
    it.run()
    w.show_panel("stress")
    panel = w.panels["stress"]
    it.wait(until=lambda: panel.table.rowCount() > 0)
    w.viewer.camera_orbit()
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
