"""Track > tools: each opens its window beside the studio; one at a time, because each draws its proposal."""

from __future__ import annotations

from ridewright.app.shell.commands.guard import guarded
from ridewright.app.tools.dialog import ToolDialog, close_tools
from ridewright.app.work.studio import Studio
from ridewright.core.base.errors import InputError


class ToolCommands:
    """The design tools."""

    def __init__(self, studio: Studio) -> None:
        self.studio = studio
        self.current: ToolDialog | None = None  # the one opened last

    @guarded("The tool needs a track that can be built")
    def _open(self, tool: type[ToolDialog]) -> None:
        close_tools(self.studio.window)
        if fault := self.studio.document.fault_of_track():
            raise InputError(fault)
        self.current = tool(self.studio)
        self.current.open_beside()

    def bank(self) -> None:
        """Auto-bank."""
        from ridewright.app.tools.shape_tools import BankTool

        self._open(BankTool)

    def smooth(self) -> None:
        """Smooth."""
        from ridewright.app.tools.shape_tools import SmoothTool

        self._open(SmoothTool)

    def close_circuit(self) -> None:
        """Close the circuit."""
        from ridewright.app.tools.shape_tools import CloseTool

        self._open(CloseTool)

    def move(self) -> None:
        """Move, turn, scale, mirror."""
        from ridewright.app.tools.shape_tools import MoveTool

        self._open(MoveTool)

    def match_speeds(self) -> None:
        """Match entry speeds."""
        from ridewright.app.tools.shape_tools import MatchTool

        self._open(MatchTool)

    def convert(self) -> None:
        """Convert to control points."""
        from ridewright.app.tools.shape_tools import ConvertTool

        self._open(ConvertTool)

    def split(self) -> None:
        """Split a section anywhere."""
        from ridewright.app.tools.split_tool import SplitTool

        self._open(SplitTool)

    def heartline(self) -> None:
        """Heartline."""
        from ridewright.app.tools.site_tools import HeartlineTool

        self._open(HeartlineTool)

    def launch(self) -> None:
        """Launch calculator."""
        from ridewright.app.tools.site_tools import LaunchTool

        self._open(LaunchTool)

    def supports(self) -> None:
        """Supports."""
        from ridewright.app.tools.site_tools import SupportsTool

        self._open(SupportsTool)

    def ground(self) -> None:
        """Ground."""
        from ridewright.app.tools.site_tools import GroundTool

        self._open(GroundTool)

    def envelope(self) -> None:
        """Clearance envelope."""
        from ridewright.app.tools.site_tools import EnvelopeTool

        self._open(EnvelopeTool)
