"""Pictures of building a track: the list of sections, a force section, every tool with its proposal."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import TYPE_CHECKING

from PySide6.QtWidgets import QApplication

from ridewright.app.document.document import Selection
from ridewright.app.tools.dialog import ToolDialog
from ridewright.app.tools.export_dialog import ExportDialog
from ridewright.app.tools.import_dialog import ImportDialog
from ridewright.core.base.bundled import example_path
from ridewright.core.edits.sections import set_section
from ridewright.core.project.examples import load_example

if TYPE_CHECKING:
    from tools.screenshots import Photographer

PATIENCE = 30.0  # s for a proposal
TOOLS = (
    "auto_bank",
    "smooth",
    "close_circuit",
    "move_part",
    "heartline",
    "launch_calculator",
    "supports",
    "ground",
    "envelope",
)
TOOLS_ON_ELEMENTS = (
    ("match_speeds", "Camelback"),
    ("convert_section", "Left helix"),
    ("split_anywhere", "Left helix"),
)
TYPED = {"launch_calculator": ("target", "45"), "ground": ("level", "9"), "move_part": ("z", "2")}
SECTION = "curve 4"


def _wait(until: Callable[[], bool]) -> None:
    end = time.monotonic() + PATIENCE
    while not until() and time.monotonic() < end:
        QApplication.processEvents()
        time.sleep(0.005)


def sections_and_forces(it: Photographer) -> None:
    """The list of sections with names in the view; a force section made from nothing."""
    w = it.window
    w.viewer.show_part("names", True)
    w.show_panel("sections")
    w.document.select(Selection("section", (SECTION,)))
    w.viewer.frame_all()
    it.shoot("sections")
    w.viewer.show_part("names", False)
    w.files.new_empty()
    for piece in ("straight", "force"):
        w.elements.insert(piece)
    panel = w.panels["forces"]
    w.show_panel("forces")
    it.wait(0.5)
    fast = set_section(w.document.project, "Force section", {"entry_speed": 18.0, "extent": 3.0})
    w.document.apply("Speed", fast)
    it.wait(0.3)
    keys = (("roll_rate", 1.2, 0.9), ("roll_rate", 2.0, 0.0), ("normal_g", 1.4, 2.6), ("normal_g", 2.6, 0.2))
    for channel, at, value in keys:
        panel._add(channel, at, value)
    w.viewer.frame_all()
    it.shoot("force_section")
    w.document.start_from(load_example("looping_star"))


def _proposed(tool: ToolDialog) -> None:
    _wait(lambda: not tool._soon.isActive() and tool.proposal is not None)


def tools_on_elements(it: Photographer) -> None:
    """The tools that need elements, on a track made from nothing; then the windows of import and export."""
    w = it.window
    w.files.new_empty()
    for speed, pieces in ((24.0, ("straight", "camelback")), (25.0, ("helix",))):
        ride = w.document.project.point_ride.model_copy(update={"speed": speed})
        w.document.apply("Speed", w.document.project.model_copy(update={"point_ride": ride}))
        for piece in pieces:
            w.elements.insert(piece)
    for kind in ("drive_tyres",):
        w.elements.insert_device(kind)
    w.show_panel("sections")
    w.viewer.frame_all()
    for name, section in TOOLS_ON_ELEMENTS:
        w.document.select(Selection("section", (section,)))
        w.actions_table.by_id[name].trigger()
        tool = w.tools.current
        assert tool is not None
        _proposed(tool)
        it.shoot_with(f"tool_{name}", tool)
        tool.close()
    w.files.export_track()
    it.wait(0.3)
    it.shoot_with("export_track", w.findChildren(ExportDialog)[-1])
    chosen = ImportDialog(example_path("veloci2").with_name("veloci2_nl2.csv"), w)
    chosen.show()
    chosen.move(w.mapToGlobal(w.rect().center()) - chosen.rect().center())
    it.shoot_with("import_track", chosen)
    chosen.close()
    w.document.start_from(load_example("looping_star"))


def tools(it: Photographer) -> None:
    """The tools beside the view that work on any track; closing the circuit on the opened one."""
    w = it.window
    w.show_panel("profile")
    w.viewer.frame_all()
    for name in TOOLS:
        w.document.select(Selection("section", (SECTION,)))
        if name == "close_circuit":
            w.actions_table.by_id["toggle_closed"].trigger()
            w.refresh_actions()
        w.actions_table.by_id[name].trigger()
        tool = w.tools.current
        assert tool is not None
        _proposed(tool)
        if name in TYPED:
            key, text = TYPED[name]
            tool.numbers[key].line.setText(text)
            tool.numbers[key].line.editingFinished.emit()
            _proposed(tool)
        it.shoot_with(f"tool_{name}", tool)
        tool.close()
        if name == "close_circuit":
            w.document.undo_stack.undo()
