"""Picture of the user guide: a person who has fallen, with the contacts."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ridewright.core.project.examples import load_example

if TYPE_CHECKING:
    from tools.screenshots import Photographer


def falling(it: Photographer) -> None:
    """The fall from 4 m at the touch of the pelvis."""
    w = it.window
    w.document.start_from(load_example("human_fall"))
    it.run()
    w.show_panel("contacts")
    it.wait(1.5)
    w.viewer.use_camera("orbit")
    w.viewer.frame_all()
    it.wait(0.5)
    panel = w.panels["contacts"]
    panel.table.selectRow(0)
    panel.table.itemDoubleClicked.emit(panel.table.item(0, 0))
    it.wait(0.5)
    it.shoot("contacts")
