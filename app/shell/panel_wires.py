"""What a panel that has just been made is connected with: what its place says (`panels.PLACES`), and for some more."""

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
from .panels import PLACES, PanelName, Reached
from .studio import Studio

SECTION_ACTS: Final[dict[SectionAct, Action[Any, Any]]] = {
    SectionAct.EARLIER: ElementCommands.section_up,
    SectionAct.LATER: ElementCommands.section_down,
    SectionAct.DUPLICATE: ElementCommands.duplicate_section,
    SectionAct.SPLIT: ToolCommands.split_anywhere,
    SectionAct.CONVERT: ToolCommands.convert_section,
    SectionAct.DELETE: ElementCommands.delete_section,
}
CONNECTS: Final = {place.id: place.connects for place in PLACES}


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
        self._studio, self._trigger = studio, trigger
        self._viewer, self._point_pick = viewer, point_pick
        self._reached: dict[Reached, Callable[..., object]] = {
            "go to problem": go_to_problem,
            "warn": lambda reason: studio.log(reason, "warning"),
            "log": studio.log,
            "insert": elements.insert,
            "insert device": elements.insert_device,
            "act on section": lambda act: trigger(SECTION_ACTS[act]),
            "show place": handles.show_place,
            "go to place": viewer.frame_place,
            "show train at": self._show_train_at,
            "vary": self._vary,
            "ask for place": self._ask_for_place,
            "show group": self._show_group,
            "show swing": viewer.show_swing,
            "mark contact": viewer.mark_contact,
            "ride and play": self._ride_and_play,
        }
        viewer.column_clicked.connect(self._show_column)

    def connect(self, name: PanelName, panel: Any) -> None:
        """Connect a panel by its name with the rest of the window."""
        for signal, reached in CONNECTS[name].items():
            getattr(panel, signal).connect(self._reached[reached])
        if name in OWN:
            OWN[name](self, panel)

    def _show_train_at(self, s: float) -> None:
        """Show the train where its middle is at s m: of a run the playback does, without one it is put there."""
        self._viewer.frame_place(s)
        if self._viewer.scene.results is None:
            self._viewer.show_swing(self._viewer.scene.standing_at(s), 0.0)

    def _modes(self, panel: Any) -> None:
        panel.animate.toggled.connect(self._follow_swing)

    def _equilibrium(self, panel: Any) -> None:
        loads = LoadArrows(self._viewer)
        panel.arrows.connect(lambda drawn, chosen: loads.show(drawn[0], drawn[1], chosen))

    def _stress(self, panel: Any) -> None:
        spots = SpotPick(self._viewer)
        spots.chosen.connect(panel.choose)
        spots.peak_wanted.connect(panel.choose_peak)
        panel.marked.connect(spots.mark)
        panel.worst_shown.connect(spots.show_worst)

    def _loads(self, panel: Any) -> None:
        runner = self._studio.runner
        runner.partial.connect(panel.show_live)
        for ended in (runner.finished, runner.failed):
            ended.connect(lambda _: panel.end_live())

    def _ask_for_place(self, words: str, taken: Any) -> None:
        self._point_pick.ask(words, lambda place: taken(place, self._viewer.scene.train.local))

    def _show_group(self, title: str) -> None:
        self._studio.show_panel("inspector")
        self._studio.panel("inspector").show_group(title)

    def _show_column(self, name: str) -> None:
        self._studio.show_panel("steelwork")
        self._studio.panel("steelwork").choose(name)

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
        self._viewer.show_keys()
        if on and self._studio.document.project.track is not None:
            self._viewer.fly_to("train")


#: What panels of one kind have of their own: tools in the 3D view, or signals that come to them.
OWN: Final[dict[PanelName, Callable[[PanelWires, Any], None]]] = {
    "modes": PanelWires._modes,
    "equilibrium": PanelWires._equilibrium,
    "stress": PanelWires._stress,
    "loads": PanelWires._loads,
}
