"""Pictures of a generated rider: the Rider panel with the limits of a joint."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt

from ridewright.app.document.document import Selection
from ridewright.core.edits import riders
from ridewright.core.edits.elements import delete_element
from ridewright.core.model.person import Person

if TYPE_CHECKING:
    from tools.screenshots import Photographer

TALL = 420  # px of the panel
HEAVY = Person(sex="female", mass_percentile="95", stature_percentile="5", scaling="de_leva")


def rider_of_any_size(it: Photographer) -> None:
    """A heavy small woman in place of the rider of the thesis, the limits of her knee."""
    w = it.window
    before = w.document.project
    assert before.train is not None
    (path,) = [tuple(name.split("/")) for name in before.train.with_role("rider")]
    project, path = riders.make_rider(delete_element(before, "assembly", path), path[:-1], HEAVY)
    w.document.apply("Make rider", project)
    w.document.select(Selection("assembly", path))
    w.show_panel("rider")
    w.resizeDocks([w.docks["rider"]], [TALL], Qt.Orientation.Vertical)
    w.panels["rider"].joint.setCurrentText("Right knee")
    w.viewer.frame_selection()
    it.shoot("rider")
    w.reset_layout()
    w.document.undo_stack.undo()
