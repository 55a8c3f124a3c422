"""What the tour shows."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .commands.runs import RunCommands
from .tour import Step

if TYPE_CHECKING:
    from .main_window import MainWindow


def tour_steps(window: MainWindow) -> list[Step]:
    """Five steps along the loop that matters: see, run, play, judge, change."""
    return [
        Step(
            f"This is “{window.document.project.name}”",
            "A project holds the track, the train with its riders, and how it is run. Drag in the view to turn around "
            "it, use the wheel to come closer, press 1 to 5 for the cameras.",
            window.viewer,
        ),
        Step(
            "Run it",
            "Press F5 or this button. The ride is computed while you go on working; Stop keeps what there is.",
            window.tool_bar.widgetForAction(window.actions_table[RunCommands.run]),
        ),
        Step(
            "Play it",
            "Space plays the run. One time cursor goes through the view, every plot and the readouts; press 3 to sit "
            "in the rider's head.",
            window.strip,
        ),
        Step(
            "Judge it",
            "Rider loads and Injury say what the ride does to the rider. Click a criterion to go to the moment and "
            "the place where it happens.",
            window.docks["injury"],
            lambda: window.show_panel("injury"),
        ),
        Step(
            "Change it",
            "Drag control points in the view, edit the selected thing here, undo anything with Ctrl+Z. Ctrl+K finds "
            "every command.",
            window.docks["inspector"],
            lambda: window.show_panel("inspector"),
        ),
    ]
