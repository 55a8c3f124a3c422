"""The main window: places the docks, builds menus and tool bar from the action table."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, cast

from PySide6.QtCore import QEvent, Qt, QTimer
from PySide6.QtGui import QCloseEvent, QDragEnterEvent, QDropEvent, QKeyEvent
from PySide6.QtWidgets import (
    QApplication,
    QDockWidget,
    QMainWindow,
    QMenu,
    QTabWidget,
    QVBoxLayout,
    QWidget,
)

from ...core.base.errors import InputError
from ...core.base.sentence import say
from ..document.document import Document, Problem, Run, Selection
from ..document.playback import Playback
from ..elements.section_marks import SectionMarks
from ..tools.dialog import close_tools
from ..track_editor.view_handles import ViewHandles
from ..view3d.measure import Measure
from ..view3d.panel import ViewerPanel
from ..view3d.playback_strip import PlaybackStrip
from ..view3d.point_pick import PointPick
from ..view3d.seat_drop import SeatDrop
from ..widgets import theme, units
from ..widgets.icons import program_icon
from ..widgets.settings import Settings
from ..work.auto_run import AutoRun
from ..work.meanwhile import under_way
from ..work.preview import RidePreview
from ..work.problem_finder import ProblemFinder
from ..work.reading import rest_of
from ..work.recovery import Recovery
from ..work.runner import Job, Runner
from ..work.task import end_tasks
from .actions import Actions
from .arrangement import Arrangement
from .banners import Banners
from .commands.declared import MENUS, Group, MenuName
from .commands.edit import EditCommands
from .commands.elements import ElementCommands
from .commands.files import FileCommands
from .commands.groups import ACTIONS
from .commands.help import HelpCommands
from .commands.measured import MeasuredCommands
from .commands.report import ReportCommands
from .commands.runs import RunCommands
from .commands.standards import StandardsCommands
from .commands.start import StartCommands
from .commands.tools import ToolCommands
from .commands.track import TrackCommands
from .commands.train import TrainCommands
from .commands.view import ViewCommands
from .dock_title import DockTabs, DockTitle
from .keys import KeyKeeper
from .log_panel import Level, LogPanel
from .menus import add_file_menus, add_track_menus, add_view_menus, refresh_track_menus
from .panel_sizes import PanelSizes, first_size
from .panel_wires import PanelWires
from .panels import BOTTOM, PLACES, RIGHT, SEEN_FIRST, LaterPanels, PanelName, Panels, Place
from .point_menu import fill_point_menu
from .status import StatusLine
from .studio import Studio
from .switching import Workspaces
from .tool_bar import ToolBar
from .tour import Tour, tour_steps
from .workspace_bar import WorkspaceBar
from .workspaces import Workspace

if TYPE_CHECKING:
    from .findable import Findable

JUDGE: Final = "judge"  # the workspace that a click on a peak leads to
ASKED_AGAIN: Final = 50  # ms, whether the window may close that somebody waits in for a file
MAX_STOPS = 500  # of the Tab key in all panels together


class MainWindow(QMainWindow):
    """Everything on screen around one document."""

    def __init__(self, document: Document, runner: Runner, playback: Playback, settings: Settings) -> None:
        super().__init__()
        self.document, self.runner, self.playback, self.settings = document, runner, playback, settings
        self.setObjectName("main_window")
        self.setWindowIcon(program_icon())
        self.setAcceptDrops(True)
        self.setDockNestingEnabled(True)
        self.resize(first_size(QApplication.primaryScreen().availableGeometry()))
        self.docks: dict[PanelName, QDockWidget] = {}
        self.panels = Panels(
            self._make_panel,
            lambda name, panel: self.wires.connect(name, panel),
            lambda name: self.banners.over(name),
        )
        self._tour: Tour | None = None
        self._closed = False
        self._left: Job | None = None  # what runs still, of the project that was open before
        self._keys = KeyKeeper(cast(QApplication, QApplication.instance()), self)
        self._make_centre()
        groups = self._make_commands()
        self._make_docks()
        self.actions_table = Actions(self._studio, groups, self)
        self._make_bars()
        self._make_menus()
        self.status = StatusLine(document, runner, self)
        self.status.problems.clicked.connect(self.show_problems)
        self.setStatusBar(self.status)
        self.finder = ProblemFinder(document, self)
        self.recovery = Recovery(document, settings, self)
        self._connect()
        self.auto_run = AutoRun(document, runner, settings, self)  # sees runs after the document has them
        if self.settings.geometry is not None:
            self.restoreGeometry(self.settings.geometry)
        self.workspaces.begin()
        self._show_title()

    # -- parts

    def _make_centre(self) -> None:
        arguments = (self.document, self.playback, self.settings)
        self.viewer = ViewerPanel(*arguments)
        self.strip = PlaybackStrip(*arguments)
        self.viewer.menu_filling.connect(self._fill_view_menu)
        self.handles = ViewHandles(self.document, self.viewer, self.settings)
        self.measure, self.point_pick = Measure(self.viewer), PointPick(self.viewer)
        SeatDrop(self.viewer)
        self.measure.escaped.connect(lambda: self.actions_table[ViewCommands.measure].trigger())
        self.section_marks = SectionMarks(self.document, self.viewer)
        self.banners = Banners(
            self.document,
            self.runner,
            self.viewer,
            lambda: self.actions_table[RunCommands.run].trigger(),
            lambda: self.show_panel("run"),
            self.go_to_problem,
        )
        centre = QWidget()
        layout = QVBoxLayout(centre)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addWidget(self.viewer, 1)
        layout.addWidget(self.strip)
        self.setCentralWidget(centre)

    def _make_commands(self) -> tuple[Group, ...]:
        """The groups of commands, each with what it needs of the window."""
        studio = self._studio = Studio(
            self.document, self.runner, self.playback, self.settings, self, self.log, self.show_panel,
            self.panels.__getitem__,
        )  # fmt: skip
        self.runs = RunCommands(studio)
        self.files = FileCommands(studio, self.runs)
        self.tools = ToolCommands(studio, self.viewer)
        self.elements = ElementCommands(studio, self.tools)
        self.edit = EditCommands(studio, self.findable)
        self.help = HelpCommands(studio, self.start_tour)
        measured = MeasuredCommands(studio)
        self.start = StartCommands(studio, self.files, measured, self.help)
        self.wires = PanelWires(
            studio, lambda declared: self.actions_table[declared].trigger(), self.elements, self.viewer,
            self.handles, self.point_pick, self.go_to_problem,
        )  # fmt: skip
        return (
            self.files, self.start, self.edit,
            ViewCommands(
                studio, self.viewer, self.measure, self.reset_layout, lambda: self.sizes.fold(not self.sizes.folded)
            ),
            TrackCommands(studio), self.elements, self.tools, TrainCommands(studio, self.point_pick), self.runs,
            ReportCommands(studio), measured, StandardsCommands(studio), self.help,
        )  # fmt: skip

    def _make_docks(self) -> None:
        self.setTabPosition(BOTTOM, QTabWidget.TabPosition.North)
        self.setTabPosition(RIGHT, QTabWidget.TabPosition.North)
        self.setCorner(Qt.Corner.BottomRightCorner, RIGHT)
        for place in PLACES:
            dock = QDockWidget(place.title, self)
            dock.setObjectName(f"dock_{place.id}")
            dock.setTitleBarWidget(DockTitle(dock))
            dock.setWidget(self.panels.holders[place.id])
            dock.topLevelChanged.connect(self.banners.refresh_soon)
            self.addDockWidget(place.area, dock)
            self.docks[place.id] = dock
        self.tabs = DockTabs(self, self.docks.values())
        for name in SEEN_FIRST:
            self.panels[name]
        self.sizes = PanelSizes(self, self.docks, self.settings, self.strip)
        self.tabs.clicked.connect(lambda dock: self.sizes.open_for(dock))
        arrangement = Arrangement(self, self.docks)
        self.workspaces = Workspaces(self.docks, arrangement, self.sizes, self.settings, self)

    def _make_panel(self, place: Place) -> QWidget:
        return place.load()(*(getattr(self, name) for name in place.takes))

    def prepare(self) -> None:
        """While nobody waits: load what the panels not seen yet need, make those, and compile the solver."""
        self._later.begin()

    @property
    def log_panel(self) -> LogPanel:
        """The log."""
        panel: LogPanel = self.panels["log"]
        return panel

    def _make_menus(self) -> None:
        self.menus: dict[MenuName, QMenu] = {}
        for name in MENUS:
            menu = self.menuBar().addMenu(f"&{name}")
            menu.setToolTipsVisible(True)
            self.menus[name] = menu
            for declared in ACTIONS:
                if declared.menu == name:
                    if declared.line_above:
                        menu.addSeparator()
                    action = self.actions_table[declared]
                    action.setData(name)
                    menu.addAction(action)
        add_track_menus(self.actions_table, self.elements)
        add_file_menus(self.menus["File"], self.actions_table, self.files, self.settings)
        add_view_menus(
            self.menus["View"], self.actions_table, self.docks, self.workspaces, self.workspace_bar.menu,
            self.viewer,
        )  # fmt: skip

    def _make_bars(self) -> None:
        """The workspaces, and beside them the tools of the one that is shown."""
        self.workspace_bar = WorkspaceBar(self.workspaces, self)
        self.tool_bar = ToolBar(self.actions_table, self)
        for bar in (self.workspace_bar, self.tool_bar):
            self.addToolBar(bar)
        self.workspaces.shown.connect(self._on_workspace)
        self.workspaces.visited.connect(
            lambda now, before: self.status.say_way(f"{now.title}. Esc leads back to {before.title}.")
        )

    def _on_workspace(self, workspace: Workspace) -> None:
        self.status.forget_way()
        self.tool_bar.use(workspace)
        self.strip.use_lines(2 if workspace.timeline else 1)
        self.viewer.enter(workspace.id, workspace.camera, workspace.subject, workspace.colour)
        if (tree := self.panels.made("tree")) is not None:
            tree.open_at(workspace.subject)

    def _fill_view_menu(self, menu: QMenu, s: float | None) -> None:
        fill_point_menu(menu, self.document, self.actions_table, self.handles)
        self.elements.fill_view_menu(menu, s)

    def _connect(self) -> None:
        document, runner, playback = self.document, self.runner, self.playback
        self._refresh_timer = QTimer(self)
        self._refresh_timer.setSingleShot(True)
        self._refresh_timer.setInterval(0)
        self._refresh_timer.timeout.connect(self.actions_table.refresh)
        for signal in (
            document.project_changed,
            document.selection_changed,
            document.runs_changed,
            document.undo_stack.indexChanged,
            runner.state_changed,
            playback.state_changed,
        ):
            signal.connect(self._refresh_soon)
        document.title_changed.connect(self._show_title)
        document.begun.connect(self._on_begun)
        playback.peak_shown.connect(self._on_peak)
        document.runs_changed.connect(self._on_runs)
        document.selection_changed.connect(self._on_selection)
        runner.started.connect(self._on_run_started)
        runner.finished.connect(self._on_run_finished)
        runner.failed.connect(self._on_run_failed)
        runner.warmed.connect(self._on_warmed)
        rest_of(document).refused.connect(lambda fault: self.log(units.told(fault), "error"))
        RidePreview.of(self.document).start_changed.connect(self.log)
        self.document.kept_in_step.connect(self.log)
        self._later = LaterPanels(runner, self.panels, self)
        self.settings.changed.connect(self._on_setting)
        self.playback.state_changed.connect(self.actions_table.refresh)

    def _refresh_soon(self, *_: object) -> None:
        self._refresh_timer.start()

    # -- what happens

    def log(self, text: str, level: Level = "note") -> None:
        """Write a line to the log and show it in the status line."""
        self.log_panel.add(text, level)
        self.status.say(text)

    def refresh_actions(self) -> None:
        """Enable what can be done now."""
        self.actions_table.refresh()

    def findable(self) -> list[Findable]:
        """What the command search finds now."""
        from .findable import findable

        return findable(self.menus.values(), self.document, self.edit.add, self.help.guide)

    def show_panel(self, name: PanelName) -> None:
        """Bring a panel to the front, in the workspace that has it."""
        self.workspaces.show_panel(name)

    def _on_peak(self) -> None:
        """A click on a peak leads to where peaks are judged; the panel that was clicked stays in front."""
        if "injury" in self.workspaces.panels_of(self.workspaces.now.id):
            return
        clicked = QApplication.focusWidget()
        holding = (name for name, dock in self.docks.items() if clicked and dock.isAncestorOf(clicked))
        asked = next(holding, None)
        self.workspaces.visit(JUDGE)
        if asked is not None and asked in self.workspaces.panels_of(JUDGE):
            self.show_panel(asked)

    def start_tour(self) -> None:
        """Begin the tour, from its first step."""
        if self._tour is not None:
            self._tour.end()
        run = self.tool_bar.widgetForAction(self.actions_table[RunCommands.run])
        steps = tour_steps(
            self.document.project.name, self.viewer, run, self.strip, self.docks, self.show_panel
        )
        self._tour = Tour(self, steps)
        self._tour.ended.connect(self._on_tour_ended)

    @property
    def tour(self) -> Tour | None:
        """The tour while it is shown."""
        return self._tour

    def _on_tour_ended(self) -> None:
        self._tour = None
        self.settings.tour_seen = True

    def _on_run_started(self) -> None:
        job = self.runner.job
        self.log(f"{job.name if job else 'Run'} started.")

    def _on_begun(self) -> None:
        """Another project is open: runs of the one before end, and what they have is not kept."""
        self._left = self.runner.job
        self.runner.restart()
        self.status.clearMessage()

    def _is_left(self) -> bool:
        """Whether the run that has just ended belongs to the project that was open before."""
        left, self._left = self._left, None
        if left is not None:
            self.log(f"{left.name} of “{left.project.name}” was ended, because another project was opened.")
        return left is not None

    def _on_run_finished(self, run: Run) -> None:
        if self._is_left():
            return
        self.document.add_run(run)
        status = run.results.status
        text = units.in_units(say("{run}: {status}", run=run.name, status=status.sentence))
        self.log(text, "note" if status.complete else "warning")

    def _on_run_failed(self, fault: InputError) -> None:
        if self._is_left():
            return
        self.log(units.told(fault), "error")
        self.finder.refuse(fault)
        self.show_panel("problems")

    def _on_warmed(self, fault: str) -> None:
        self.log(fault or "The solver is ready.", "error" if fault else "note")

    def _on_runs(self) -> None:
        run = self.document.current_run
        self.playback.set_duration(0.0 if run is None else run.duration)

    def _on_selection(self, selection: Selection) -> None:
        if selection.kind == "place" and selection.s is not None:
            self.viewer.frame_place(selection.s)

    def go_to_problem(self, problem: Problem) -> None:
        """Select what a problem is about and bring it into the picture."""
        if problem.where is not None:
            self.document.select(problem.where)
        elif problem.s is not None:
            self.document.select(Selection("place", s=problem.s))
        if problem.s is not None:
            self.viewer.frame_place(problem.s)
        else:
            self.viewer.frame_selection()
        if problem.where is None and problem.s is None:
            self.show_problems()

    def show_problems(self) -> None:
        """Bring the list of problems to the front."""
        self.show_panel("problems")

    def _on_setting(self, name: str) -> None:
        if name in ("theme", "font_points"):
            theme.apply(
                cast(QApplication, QApplication.instance()), self.settings.theme, self.settings.font_points
            )

    def _show_title(self) -> None:
        self.setWindowTitle(f"{self.document.title}[*] – Ridewright")
        self.setWindowModified(self.document.is_modified)

    # -- layout

    def reset_layout(self) -> None:
        """Put every panel of the workspace that is shown back in its place."""
        self.workspaces.reset()

    # -- events

    def focusNextPrevChild(self, forward: bool) -> bool:
        """Tab goes past panels that lie behind another one: Qt keeps those outside the window, not hidden."""
        for _ in range(MAX_STOPS):
            if not super().focusNextPrevChild(forward):
                return False
            now = QApplication.focusWidget()
            behind = now is not None and any(
                dock.isAncestorOf(now) and dock.visibleRegion().isEmpty() for dock in self.docks.values()
            )
            if not behind:
                break
        return True

    def keyPressEvent(self, event: QKeyEvent) -> None:
        # It arrives where nobody has used the key: a drag that is taken back, a field that is left keep it.
        if event.key() == Qt.Key.Key_Escape and self.workspaces.back():
            return
        super().keyPressEvent(event)

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange and hasattr(self, "status"):
            self.actions_table.refresh_icons()
            self.actions_table.refresh()
            self.workspace_bar.refresh_icons()
            refresh_track_menus(self.actions_table)

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        if _dropped(event) is not None:
            event.acceptProposedAction()

    def dropEvent(self, event: QDropEvent) -> None:
        path = _dropped(event)
        if path is not None:
            event.acceptProposedAction()
            # After the drop has ended: a question about unsaved work must not hold the other program.
            QTimer.singleShot(0, self, lambda: self.files.take(path))

    def closeEvent(self, event: QCloseEvent) -> None:
        if under_way():
            event.ignore()
            QTimer.singleShot(ASKED_AGAIN, self, self.close)
        elif self._closed or self.files.may_discard():
            event.accept()
            self._shut_down()
            super().closeEvent(event)
        else:
            event.ignore()

    def _shut_down(self) -> None:
        if self._closed:
            return
        self._closed = True
        self.settings.geometry = self.saveGeometry()
        self.workspaces.keep()
        self.settings.sync()
        self._later.end()
        close_tools(self)
        self.playback.pause()
        if self._tour is not None:
            self._tour.end()
        self.hide()  # the worker may need a moment to end its step
        self.finder.close()
        self.runner.close()
        for name in self.panels:
            panel: Any = self.panels.made(name)
            if hasattr(panel, "shutdown"):  # has a process or a graphics system of its own
                panel.shutdown()
        for owner in (self, self.document):
            end_tasks(owner)
        self.viewer.close_scene()
        self.recovery.close()


def _dropped(event: QDropEvent) -> Path | None:
    """The first local file of a drag."""
    for url in event.mimeData().urls():
        if url.isLocalFile():
            return Path(url.toLocalFile())
    return None
