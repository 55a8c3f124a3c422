"""What a panel that has just been made is connected with."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from ..document.document import Run
from ..elements.section_list import SectionAct
from ..view3d.spot_pick import SpotPick
from .commands.declared import Action
from .commands.elements import ElementCommands
from .commands.runs import RunCommands
from .commands.tools import ToolCommands
from .commands.view import ViewCommands
from .panels import PanelName

if TYPE_CHECKING:
    from .main_window import MainWindow

SECTION_ACTS: Final[dict[SectionAct, Action[Any, Any]]] = {
    SectionAct.EARLIER: ElementCommands.section_up,
    SectionAct.LATER: ElementCommands.section_down,
    SectionAct.DUPLICATE: ElementCommands.duplicate_section,
    SectionAct.SPLIT: ToolCommands.split_anywhere,
    SectionAct.CONVERT: ToolCommands.convert_section,
    SectionAct.DELETE: ElementCommands.delete_section,
}


def connect_panel(window: MainWindow, name: PanelName, panel: Any) -> None:
    """Connect a panel by its name with the rest of the window."""
    if name == "problems":
        panel.activated.connect(window.go_to_problem)
        panel.refused.connect(lambda reason: window.log(reason, "warning"))
        panel.fixed.connect(window.log)
    elif name == "tree":
        panel.insert_wanted.connect(window.elements.insert)
        panel.device_wanted.connect(window.elements.insert_device)
    elif name == "sections":
        panel.insert_wanted.connect(window.elements.insert)
        panel.act_wanted.connect(lambda act: window.actions_table[SECTION_ACTS[act]].trigger())
    elif name in ("profile", "plan", "injury"):
        panel.place_hovered.connect(window.handles.show_place)
    elif name == "inspector":
        panel.vary_wanted.connect(lambda parameter: _vary(window, parameter))
        panel.place_wanted.connect(lambda words, taken: _ask_for_place(window, words, taken))
    elif name == "structure":
        panel.group_wanted.connect(lambda title: _show_group(window, title))
    elif name == "modes":
        panel.posed.connect(window.viewer.show_swing)
        panel.animate.toggled.connect(lambda on: _follow_swing(window, on))
    elif name == "stress":
        spots = SpotPick(window.viewer)
        spots.chosen.connect(panel.choose)
        panel.marked.connect(spots.mark)
        panel.worst_shown.connect(spots.show_worst)
    elif name == "contacts":
        panel.marked.connect(window.viewer.mark_contact)
    elif name == "studies":
        panel.ride_wanted.connect(lambda: _ride_and_play(window))
    elif name == "loads":
        window.runner.partial.connect(panel.show_live)
        for ended in (window.runner.finished, window.runner.failed):
            ended.connect(lambda _: panel.end_live())


def _ask_for_place(window: MainWindow, words: str, taken: Any) -> None:
    window.point_pick.ask(words, lambda place: taken(place, window.viewer.scene.train.local))


def _show_group(window: MainWindow, title: str) -> None:
    window.show_panel("inspector")
    window.panels["inspector"].show_group(title)


def _vary(window: MainWindow, parameter: Any) -> None:
    window.show_panel("studies")
    window.panels["studies"].vary(parameter)


def _ride_and_play(window: MainWindow) -> None:
    """Run the project, and play the run when it is there."""
    runner = window.runner

    def ended(result: object) -> None:
        runner.finished.disconnect(ended)
        runner.failed.disconnect(ended)
        if isinstance(result, Run):
            window.playback.play()

    runner.finished.connect(ended)
    runner.failed.connect(ended)
    window.actions_table[RunCommands.run].trigger()


def _follow_swing(window: MainWindow, on: bool) -> None:
    """See the train swing: from afar it is a dot. What colours mean is another thing in a mode."""
    window.viewer.show_keys()
    if on and window.document.project.track is not None and window.viewer.camera == "orbit":
        window.actions_table[ViewCommands.camera_follow].trigger()
