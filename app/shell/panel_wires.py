"""What a panel that has just been made is connected with."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from ..document.document import Problem, Run
from ..elements.section_list import SectionAct
from ..track_editor.view_handles import ViewHandles
from ..view3d.load_arrows import LoadArrows
from ..view3d.panel import ViewerPanel
from ..view3d.point_pick import PointPick
from ..view3d.spot_pick import SpotPick
from .commands.declared import Action
from .commands.elements import ElementCommands
from .commands.runs import RunCommands
from .commands.tools import ToolCommands
from .commands.view import ViewCommands
from .panels import PanelName
from .studio import Studio

SECTION_ACTS: Final[dict[SectionAct, Action[Any, Any]]] = {
    SectionAct.EARLIER: ElementCommands.section_up,
    SectionAct.LATER: ElementCommands.section_down,
    SectionAct.DUPLICATE: ElementCommands.duplicate_section,
    SectionAct.SPLIT: ToolCommands.split_anywhere,
    SectionAct.CONVERT: ToolCommands.convert_section,
    SectionAct.DELETE: ElementCommands.delete_section,
}


class PanelWires:
    """Connects panels with commands, view and one another."""

    def __init__(
        self,
        studio: Studio,
        trigger: Callable[[Action[Any, Any]], None],
        elements: ElementCommands,
        viewer: ViewerPanel,
        handles: ViewHandles,
        point_pick: PointPick,
        go_to_problem: Callable[[Problem], None],
    ) -> None:
        """trigger: does an action as its menu would."""
        self._studio, self._trigger, self._elements = studio, trigger, elements
        self._viewer, self._handles, self._point_pick = viewer, handles, point_pick
        self._go_to_problem = go_to_problem

    def connect(self, name: PanelName, panel: Any) -> None:
        """Connect a panel by its name with the rest of the window."""
        studio, viewer = self._studio, self._viewer
        if name == "problems":
            panel.activated.connect(self._go_to_problem)
            panel.refused.connect(lambda reason: studio.log(reason, "warning"))
            panel.fixed.connect(studio.log)
        elif name == "tree":
            panel.insert_wanted.connect(self._elements.insert)
            panel.device_wanted.connect(self._elements.insert_device)
        elif name == "sections":
            panel.insert_wanted.connect(self._elements.insert)
            panel.act_wanted.connect(lambda act: self._trigger(SECTION_ACTS[act]))
        elif name in ("profile", "plan", "injury"):
            panel.place_hovered.connect(self._handles.show_place)
        elif name == "inspector":
            panel.vary_wanted.connect(self._vary)
            panel.place_wanted.connect(self._ask_for_place)
        elif name == "structure":
            panel.group_wanted.connect(self._show_group)
        elif name == "modes":
            panel.posed.connect(viewer.show_swing)
            panel.animate.toggled.connect(self._follow_swing)
        elif name == "equilibrium":
            loads = LoadArrows(viewer)
            panel.posed.connect(viewer.show_swing)
            panel.arrows.connect(lambda drawn, chosen: loads.show(drawn[0], drawn[1], chosen))
        elif name == "stress":
            spots = SpotPick(viewer)
            spots.chosen.connect(panel.choose)
            spots.peak_wanted.connect(panel.choose_peak)
            panel.marked.connect(spots.mark)
            panel.worst_shown.connect(spots.show_worst)
        elif name == "contacts":
            panel.marked.connect(viewer.mark_contact)
        elif name == "studies":
            panel.ride_wanted.connect(self._ride_and_play)
        elif name == "loads":
            studio.runner.partial.connect(panel.show_live)
            for ended in (studio.runner.finished, studio.runner.failed):
                ended.connect(lambda _: panel.end_live())

    def _ask_for_place(self, words: str, taken: Any) -> None:
        self._point_pick.ask(words, lambda place: taken(place, self._viewer.scene.train.local))

    def _show_group(self, title: str) -> None:
        self._studio.show_panel("inspector")
        self._studio.panel("inspector").show_group(title)

    def _vary(self, parameter: Any) -> None:
        self._studio.show_panel("studies")
        self._studio.panel("studies").vary(parameter)

    def _ride_and_play(self) -> None:
        """Run the project, and play the run when it is there."""
        runner = self._studio.runner

        def ended(result: object) -> None:
            runner.finished.disconnect(ended)
            runner.failed.disconnect(ended)
            if isinstance(result, Run):
                self._studio.playback.play()

        runner.finished.connect(ended)
        runner.failed.connect(ended)
        self._trigger(RunCommands.run)

    def _follow_swing(self, on: bool) -> None:
        """See the train swing: from afar it is a dot. What colours mean is another thing in a mode."""
        viewer = self._viewer
        viewer.show_keys()
        if on and self._studio.document.project.track is not None and viewer.camera == "orbit":
            self._trigger(ViewCommands.camera_follow)
