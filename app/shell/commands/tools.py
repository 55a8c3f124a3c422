"""Track > tools: each opens its window beside the studio; one at a time, because each draws its proposal."""

from __future__ import annotations

from ....core.base.errors import InputError
from ...tools.dialog import ToolDialog, close_tools
from ...tools.workbench import Workbench
from ...view3d.panel import ViewerPanel
from ..studio import Studio
from .conditions import TO_CLOSE, TRACK
from .declared import Group, action
from .guard import guarded


class ToolCommands(Group):
    """The design tools."""

    def __init__(self, studio: Studio, viewer: ViewerPanel) -> None:
        super().__init__(studio)
        self._bench = Workbench(studio.document, studio.settings, viewer, studio.parent, studio.log)
        self.current: ToolDialog | None = None  # the one opened last

    @guarded("The tool needs a track that can be built")
    def _open(self, tool: type[ToolDialog]) -> None:
        close_tools(self.studio.parent)
        if fault := self.studio.document.fault_of_track():
            raise InputError(fault)
        self.current = tool(self._bench)
        self.current.open_beside()

    @action(
        "Auto-bank…",
        "Track",
        icon="tool-bank",
        tip="Cant for the wanted lateral load at the speed of the ride",
        when=TRACK,
        line_above=True,
    )
    def auto_bank(self) -> None:
        """Auto-bank."""
        from ...tools.shape_tools import BankTool

        self._open(BankTool)

    @action("Smooth…", "Track", icon="tool-smooth", tip="Gentler curvature within a tube", when=TRACK)
    def smooth(self) -> None:
        """Smooth."""
        from ...tools.shape_tools import SmoothTool

        self._open(SmoothTool)

    @action(
        "Close the circuit…",
        "Track",
        icon="tool-close",
        tip="Lead the end of an open track to its start, or draw the closing piece of a circuit anew",
        when=TO_CLOSE,
    )
    def close_circuit(self) -> None:
        """Close the circuit."""
        from ...tools.shape_tools import CloseTool

        self._open(CloseTool)

    @action(
        "Move, turn, scale or mirror…",
        "Track",
        icon="tool-transform",
        tip="Move parts of the track as one",
        when=TRACK,
    )
    def move_part(self) -> None:
        """Move, turn, scale, mirror."""
        from ...tools.shape_tools import MoveTool

        self._open(MoveTool)

    @action(
        "Match entry speeds…",
        "Track",
        icon="element-camelback",
        tip="Elements drawn for a speed get the one of the ride",
        when=TRACK,
    )
    def match_speeds(self) -> None:
        """Match entry speeds."""
        from ...tools.shape_tools import MatchTool

        self._open(MatchTool)

    @action(
        "Convert to control points…",
        "Track",
        icon="points",
        tip="Sections as splines to shape by hand",
        when=TRACK,
    )
    def convert_section(self) -> None:
        """Convert to control points."""
        from ...tools.shape_tools import ConvertTool

        self._open(ConvertTool)

    @action(
        "Split section anywhere…",
        "Track",
        icon="tool-split",
        tip="Cut a section of any kind in two, at a place along it",
        when=TRACK,
    )
    def split_anywhere(self) -> None:
        """Split a section anywhere."""
        from ...tools.split_tool import SplitTool

        self._open(SplitTool)

    @action(
        "Heartline…",
        "Track",
        icon="tool-heartline",
        tip="Height of the riders' line along the track",
        when=TRACK,
        line_above=True,
    )
    def heartline(self) -> None:
        """Heartline."""
        from ...tools.site_tools import HeartlineTool

        self._open(HeartlineTool)

    @action(
        "Launch calculator…",
        "Track",
        icon="device-launch",
        tip="Thrust, power and loads of a launch",
        when=TRACK,
    )
    def launch_calculator(self) -> None:
        """Launch calculator."""
        from ...tools.site_tools import LaunchTool

        self._open(LaunchTool)

    @action(
        "Supports…",
        "Track",
        icon="tool-supports",
        tip="Columns down to the ground, and their table",
        when=TRACK,
    )
    def supports(self) -> None:
        """Supports."""
        from ...tools.site_tools import SupportsTool

        self._open(SupportsTool)

    @action(
        "Ground…", "Track", icon="tool-ground", tip="Level, hills from a height field, tunnels", when=TRACK
    )
    def ground(self) -> None:
        """Ground."""
        from ...tools.site_tools import GroundTool

        self._open(GroundTool)

    @action(
        "Clearance envelope…",
        "Track",
        icon="tool-envelope",
        tip="The space the train needs, and what is in it",
        when=TRACK,
    )
    def envelope(self) -> None:
        """Clearance envelope."""
        from ...tools.site_tools import EnvelopeTool

        self._open(EnvelopeTool)
