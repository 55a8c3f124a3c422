"""What the tour shows."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from PySide6.QtWidgets import QWidget

from .panels import PanelName
from .tour import Step


def tour_steps(
    name: str,
    view: QWidget,
    run: QWidget,
    strip: QWidget,
    docks: Mapping[PanelName, QWidget],
    show_panel: Callable[[PanelName], None],
) -> list[Step]:
    """Five steps along the loop that matters: see, run, play, judge, change. name: of the project; run: the button."""
    return [
        Step(
            f"This is “{name}”",
            "A project holds the track, the train with its riders, and how it is run. Drag in the view to turn around "
            "it, use the wheel to come closer, press 1 to 5 for the cameras.",
            view,
        ),
        Step(
            "Run it",
            "Press F5 or this button. The ride is computed while you go on working; Stop keeps what there is.",
            run,
        ),
        Step(
            "Play it",
            "Space plays the run. One time cursor goes through the view, every plot and the readouts; press 3 to sit "
            "in the rider's head.",
            strip,
        ),
        Step(
            "Judge it",
            "Rider loads and Injury say what the ride does to the rider. Click a criterion to go to the moment and "
            "the place where it happens.",
            docks["injury"],
            lambda: show_panel("injury"),
        ),
        Step(
            "Change it",
            "Drag control points in the view, edit the selected thing here, undo anything with Ctrl+Z. Ctrl+K finds "
            "every command.",
            docks["inspector"],
            lambda: show_panel("inspector"),
        ),
    ]
