"""The one table of what a person can do: menus, tool bar, shortcuts and the command search are built from it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QObject
from PySide6.QtGui import QAction, QKeySequence

from app.auto_run import is_on
from app.icons import icon
from app.selection import SelectionKind

if TYPE_CHECKING:
    from app.studio import Studio

MENUS: Final = ("File", "Edit", "View", "Track", "Train", "Run", "Results", "Help")


@dataclass(frozen=True)
class Condition:
    """When an action is enabled, and the sentence shown while it is not."""

    holds: Callable[[Studio], bool]
    why_not: str


def _selected(*kinds: SelectionKind) -> Callable[[Studio], bool]:
    return lambda studio: studio.document.selection.kind in kinds


ALWAYS: Final = Condition(lambda _: True, "")
CAN_UNDO: Final = Condition(lambda s: s.document.undo_stack.canUndo(), "There is no step to undo.")
CAN_REDO: Final = Condition(lambda s: s.document.undo_stack.canRedo(), "There is no step to do again.")
TRACK: Final = Condition(lambda s: s.document.project.track is not None, "The project has no track.")
TRAIN: Final = Condition(lambda s: s.document.project.train is not None, "The project has no train.")
POINTS: Final = Condition(_selected("points"), "Select control points of the track first.")
SECTION: Final = Condition(_selected("points", "section"), "Select a section or control points first.")
SELECTED: Final = Condition(lambda s: s.document.selection.kind != "none", "Select something first.")
ON_SECTION: Final = Condition(
    lambda s: (
        s.document.project.track is not None
        and s.document.selection.kind in ("points", "section", "device", "place")
    ),
    "Select a section first.",
)
RUNNING: Final = Condition(lambda s: s.runner.running, "Nothing is running.")
HAS_RUN: Final = Condition(lambda s: s.document.current_run is not None, "Run the project first (F5).")
RIDDEN: Final = Condition(
    lambda s: s.document.current_run is not None and s.document.current_run.measured is None,
    "Run the project first (F5), or show a run that is not measured.",
)


@dataclass(frozen=True)
class Spec:
    """One action: what it is called, where it is found, and "group.method" of the commands it calls."""

    id: str
    text: str
    menu: str
    call: str
    icon: str = ""
    shortcut: str = ""
    tip: str = ""
    when: Condition = ALWAYS
    tool: bool = False
    line_above: bool = False
    checkable: bool = False


ACTIONS: Final[tuple[Spec, ...]] = (
    Spec("new", "New", "File", "files.new", "new", "Ctrl+N", "Begin with a small circuit", tool=True),
    Spec(
        "new_empty", "New empty project", "File", "files.new_empty", "new", "Ctrl+Alt+N", "Begin with nothing"
    ),
    Spec("open", "Open…", "File", "files.open", "open", "Ctrl+O", "Open a project file", tool=True),
    Spec("save", "Save", "File", "files.save", "save", "Ctrl+S", "Save the project", tool=True),
    Spec(
        "save_as", "Save as…", "File", "files.save_as", "save-as", "Ctrl+Shift+S", "Save under another name"
    ),
    Spec(
        "import_track",
        "Import track…",
        "File",
        "files.import_track",
        "import",
        tip="Take the track from a file: NoLimits 2 CSV or element, KexEdit project, rows of positions",
        line_above=True,
    ),
    Spec(
        "export_track",
        "Export track…",
        "File",
        "files.export_track",
        "export",
        tip="Write the track for another program: NoLimits 2, DXF, OBJ, glTF, tables",
        when=TRACK,
    ),
    Spec(
        "export_table",
        "Export track table…",
        "File",
        "files.export_table",
        "export",
        tip="Write one 37-column table for each rail",
        when=TRACK,
    ),
    Spec(
        "open_measured",
        "Open measured ride…",
        "File",
        "measured.open",
        "import",
        tip="Read an accelerometer record (CSV), judge it and lay it over the shown run",
        line_above=True,
    ),
    Spec("quit", "Quit", "File", "files.quit", "quit", "Ctrl+Q", "Close the studio", line_above=True),
    Spec(
        "undo", "Undo", "Edit", "edit.undo", "undo", "Ctrl+Z", "Take back the last step", CAN_UNDO, tool=True
    ),
    Spec(
        "redo", "Redo", "Edit", "edit.redo", "redo", "Ctrl+Shift+Z", "Do the step again", CAN_REDO, tool=True
    ),
    Spec(
        "search",
        "Find a command…",
        "Edit",
        "edit.search",
        "search",
        "Ctrl+K",
        "Type what you want to do",
        line_above=True,
    ),
    Spec(
        "select_nothing",
        "Select nothing",
        "Edit",
        "edit.select_nothing",
        shortcut="Ctrl+Shift+A",
        when=SELECTED,
    ),
    Spec(
        "preferences",
        "Preferences…",
        "Edit",
        "edit.preferences",
        "preferences",
        "Ctrl+,",
        "Units, theme, quality, recovery",
        line_above=True,
    ),
    Spec(
        "camera_orbit",
        "Orbit camera",
        "View",
        "view.camera_orbit",
        "camera-orbit",
        "1",
        "Turn around the scene",
    ),
    Spec(
        "camera_follow",
        "Follow camera",
        "View",
        "view.camera_follow",
        "camera-follow",
        "2",
        "Fly behind the train",
    ),
    Spec(
        "camera_ride",
        "On-ride camera",
        "View",
        "view.camera_ride",
        "camera-ride",
        "3",
        "See with the rider's eyes",
    ),
    Spec("camera_side", "Side view", "View", "view.camera_side", "camera-side", "4", "Look from the side"),
    Spec("camera_top", "Top view", "View", "view.camera_top", "camera-top", "5", "Look down on the plan"),
    Spec(
        "frame_selection",
        "Frame selection",
        "View",
        "view.frame_selection",
        "frame",
        "F",
        "Bring the selection close",
    ),
    Spec(
        "units",
        "Switch units",
        "View",
        "view.switch_units",
        "units",
        "Ctrl+U",
        "SI or US customary units",
        tool=True,
    ),
    Spec("theme", "Switch theme", "View", "view.switch_theme", "theme", "Ctrl+T", "Dark or light", tool=True),
    Spec("full_screen", "Full screen", "View", "view.full_screen", shortcut="F11", line_above=True),
    Spec(
        "reset_layout",
        "Reset layout",
        "View",
        "view.reset_layout",
        "layout",
        tip="Put every panel back in its place",
    ),
    Spec(
        "insert_point",
        "Insert point after",
        "Track",
        "track.insert_point",
        "point-add",
        "Ins",
        "Insert a control point after the selected one",
        POINTS,
        tool=True,
    ),
    Spec(
        "duplicate_points",
        "Duplicate points",
        "Track",
        "track.duplicate_points",
        "duplicate",
        "Ctrl+D",
        when=POINTS,
    ),
    Spec("delete_points", "Delete points", "Track", "track.delete_points", "delete", when=POINTS),
    Spec(
        "split_section",
        "Split section here",
        "Track",
        "track.split_section",
        "section",
        tip="A new section begins at the selected point",
        when=POINTS,
        line_above=True,
    ),
    Spec("add_spline", "Add spline section", "Track", "track.add_spline", "points", when=TRACK),
    Spec("add_straight", "Add straight section", "Track", "track.add_straight", "track", when=TRACK),
    Spec("join_section", "Join with next section", "Track", "track.join_section", when=SECTION),
    Spec(
        "reverse_track",
        "Reverse direction",
        "Track",
        "track.reverse",
        "reverse",
        tip="Ride it the other way",
        when=TRACK,
    ),
    Spec(
        "toggle_closed",
        "Closed circuit",
        "Track",
        "track.toggle_closed",
        tip="The last section runs back to the first point",
        when=TRACK,
        checkable=True,
    ),
    Spec(
        "insert_element",
        "Insert element",
        "Track",
        "elements.choose",
        "element",
        "Shift+A",
        "Insert straights, curves, hills, loops and rolls behind the selected section, or at the end",
        tool=True,
        line_above=True,
    ),
    Spec(
        "add_device",
        "Add lift, launch or brake",
        "Track",
        "elements.choose_device",
        "device",
        "Shift+D",
        "Put a lift, launch, brake, tyres or a station on the selected section",
        ON_SECTION,
    ),
    Spec(
        "duplicate_section",
        "Duplicate section",
        "Track",
        "elements.duplicate",
        "duplicate",
        when=ON_SECTION,
        line_above=True,
    ),
    Spec("section_up", "Move section up", "Track", "elements.move_up", shortcut="Alt+Up", when=ON_SECTION),
    Spec(
        "section_down",
        "Move section down",
        "Track",
        "elements.move_down",
        shortcut="Alt+Down",
        when=ON_SECTION,
    ),
    Spec("delete_section", "Delete section", "Track", "elements.delete", "delete", when=ON_SECTION),
    Spec(
        "auto_bank",
        "Auto-bank…",
        "Track",
        "tools.bank",
        "tool-bank",
        tip="Cant for the wanted lateral load at the speed of the ride",
        when=TRACK,
        line_above=True,
    ),
    Spec(
        "smooth",
        "Smooth…",
        "Track",
        "tools.smooth",
        "tool-smooth",
        tip="Gentler curvature within a tube",
        when=TRACK,
    ),
    Spec(
        "close_circuit",
        "Close the circuit…",
        "Track",
        "tools.close_circuit",
        "tool-close",
        tip="Lead the end of an open track to its start",
        when=TRACK,
    ),
    Spec(
        "move_part",
        "Move, turn, scale or mirror…",
        "Track",
        "tools.move",
        "tool-transform",
        tip="Move parts of the track as one",
        when=TRACK,
    ),
    Spec(
        "match_speeds",
        "Match entry speeds…",
        "Track",
        "tools.match_speeds",
        "element-camelback",
        tip="Elements drawn for a speed get the one of the ride",
        when=TRACK,
    ),
    Spec(
        "clear_roll_points",
        "Roll points into cants",
        "Track",
        "track.clear_roll_points",
        tip="What auto-bank set between the control points becomes cants of the points",
        when=SECTION,
    ),
    Spec(
        "convert_section",
        "Convert to control points…",
        "Track",
        "tools.convert",
        "points",
        tip="Sections as splines to shape by hand",
        when=TRACK,
    ),
    Spec(
        "heartline",
        "Heartline…",
        "Track",
        "tools.heartline",
        "tool-heartline",
        tip="Height of the riders' line along the track",
        when=TRACK,
        line_above=True,
    ),
    Spec(
        "launch_calculator",
        "Launch calculator…",
        "Track",
        "tools.launch",
        "device-launch",
        tip="Thrust, power and loads of a launch",
        when=TRACK,
    ),
    Spec(
        "supports",
        "Supports…",
        "Track",
        "tools.supports",
        "tool-supports",
        tip="Columns down to the ground, and their table",
        when=TRACK,
    ),
    Spec(
        "ground",
        "Ground…",
        "Track",
        "tools.ground",
        "tool-ground",
        tip="Level, hills from a height field, tunnels",
        when=TRACK,
    ),
    Spec(
        "envelope",
        "Clearance envelope…",
        "Track",
        "tools.envelope",
        "tool-envelope",
        tip="The space the train needs, and what is in it",
        when=TRACK,
    ),
    Spec(
        "insert_rider", "Add rider from library…", "Train", "train.add_rider", "rider", when=TRAIN, tool=True
    ),
    Spec("insert_car", "Add car from library…", "Train", "train.add_car", "car", when=TRACK),
    Spec("run", "Run", "Run", "runs.run", "run", "F5", "Ride the train along the track", tool=True),
    Spec(
        "stop",
        "Stop",
        "Run",
        "runs.stop",
        "stop",
        "Shift+F5",
        "End the run and keep what there is",
        RUNNING,
        tool=True,
    ),
    Spec(
        "variations",
        "Run variations…",
        "Run",
        "runs.variations",
        "batch",
        "Ctrl+F5",
        "Queue several runs with one setting changed",
    ),
    Spec(
        "run_after_change",
        "Run after each change",
        "Run",
        "runs.toggle_after_change",
        tip="Start a run by itself when an edit is finished; a run that is overtaken begins anew",
        checkable=True,
    ),
    Spec("forget_run", "Forget shown run", "Run", "runs.forget", "delete", when=HAS_RUN, line_above=True),
    Spec(
        "open_results", "Open results…", "Run", "runs.open_results", "import", tip="Show a run kept in a file"
    ),
    Spec(
        "save_results",
        "Save results…",
        "Run",
        "runs.save_results",
        "export",
        tip="Keep the shown run in a file",
        when=RIDDEN,
    ),
    Spec("play", "Play or pause", "Results", "runs.play", "play", "Space", "Play the shown run", HAS_RUN),
    Spec("step_back", "Step back", "Results", "runs.step_back", "step-back", ",", "One frame back", HAS_RUN),
    Spec(
        "step_forward",
        "Step forward",
        "Results",
        "runs.step_forward",
        "step-forward",
        ".",
        "One frame on",
        HAS_RUN,
    ),
    Spec("to_start", "Go to start", "Results", "runs.to_start", "to-start", "Ctrl+Home", when=HAS_RUN),
    Spec("to_end", "Go to end", "Results", "runs.to_end", "to-end", "Ctrl+End", when=HAS_RUN),
    Spec(
        "export_summary",
        "Export summary…",
        "Results",
        "runs.export_summary",
        "chart",
        tip="Figures, extremes and criteria of the shown run as JSON",
        when=RIDDEN,
        line_above=True,
    ),
    Spec("screenshot", "Save picture of the view…", "Results", "view.screenshot", "screenshot", "Ctrl+P"),
    Spec(
        "film",
        "Export film…",
        "Results",
        "view.film",
        "film",
        tip="The shown run as an MP4 film",
        when=RIDDEN,
    ),
    Spec(
        "report",
        "Export report…",
        "Results",
        "report.report",
        "report",
        tip="The shown run as a report: PDF, HTML, JSON and CSV",
        when=RIDDEN,
        line_above=True,
    ),
    Spec(
        "standards",
        "Limits and standards…",
        "Results",
        "standards.show",
        "standards",
        tip="The limit tables with their sources, their curves, and which of them riders are judged by",
    ),
    Spec("guide", "User guide", "Help", "help.guide", "help", "F1"),
    Spec("tour", "Tour in five steps", "Help", "help.tour", "tour"),
    Spec(
        "textbook",
        "Textbook tracks…",
        "Help",
        "help.textbook",
        "loop",
        tip="A ball on a hump, loop, circle or spiral, and where its energy is",
    ),
    Spec("about", "About Ridewright", "Help", "help.about", "about", line_above=True),
)


class Actions(QObject):
    """One QAction for each row of the table, bound to the commands."""

    def __init__(self, studio: Studio, commands: dict[str, object], parent: QObject) -> None:
        """commands: the group name -> the object whose methods the table names."""
        super().__init__(parent)
        self._studio = studio
        self.by_id: dict[str, QAction] = {}
        for spec in ACTIONS:
            action = QAction(spec.text, parent)
            action.setObjectName(spec.id)
            if spec.shortcut:
                action.setShortcut(QKeySequence(spec.shortcut))
            action.setCheckable(spec.checkable)
            group, _, method = spec.call.partition(".")
            call = getattr(commands[group], method)
            action.triggered.connect(lambda _checked=False, call=call: call())
            self.by_id[spec.id] = action
        self.refresh_icons()
        self.refresh()

    def refresh_icons(self) -> None:
        """Draw the icons in the colours of the theme."""
        for spec in ACTIONS:
            if spec.icon:
                self.by_id[spec.id].setIcon(icon(spec.icon))

    def refresh(self) -> None:
        """Enable what can be done now; what cannot be done says why."""
        for spec in ACTIONS:
            action = self.by_id[spec.id]
            possible = spec.when.holds(self._studio)
            action.setEnabled(possible)
            tip = spec.tip or spec.text.rstrip("…")
            if not possible:
                tip = f"{tip}. {spec.when.why_not}"
            keys = action.shortcut().toString(QKeySequence.SequenceFormat.NativeText)
            action.setToolTip(f"{tip} ({keys})" if keys else tip)
            action.setStatusTip(tip)
        stack = self._studio.document.undo_stack
        for name, text in (("undo", stack.undoText()), ("redo", stack.redoText())):
            word = name.capitalize()
            self.by_id[name].setText(f"{word} “{text}”" if text else word)
        track = self._studio.document.project.track
        self.by_id["toggle_closed"].setChecked(track is not None and track.closed)
        self.by_id["run_after_change"].setChecked(is_on(self._studio.settings))
        self.by_id["play"].setIcon(icon("pause" if self._studio.playback.playing else "play"))
