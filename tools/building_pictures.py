"""Pictures of building a track: the list of sections, a force section, every tool with its proposal."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import TYPE_CHECKING

from PySide6.QtWidgets import QApplication

from app.document import Selection
from core.edits.sections import set_section
from core.examples import load_example

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


def tools(it: Photographer) -> None:
    """Every tool beside the view; closing the circuit on the opened one."""
    w = it.window
    w.show_panel("profile")
    w.viewer.frame_all()
    for name in TOOLS:
        w.document.select(Selection("section", (SECTION,)))
        if name == "close_circuit":
            w.actions_table.by_id["toggle_closed"].trigger()
        w.actions_table.by_id[name].trigger()
        tool = w.tools.current
        assert tool is not None
        _wait(lambda tool=tool: tool.proposal is not None)  # type: ignore[misc]
        if name in TYPED:
            key, text = TYPED[name]
            tool.numbers[key].line.setText(text)
            tool.numbers[key].line.editingFinished.emit()
            _wait(lambda tool=tool: not tool._soon.isActive() and tool.proposal is not None)  # type: ignore[misc]
        it.shoot_with(f"tool_{name}", tool)
        tool.close()
        if name == "close_circuit":
            w.document.undo_stack.undo()
