"""Which panels the window has, on which side each is added to a workspace, and when each is made.

Panels behind other tabs are made when they are first shown or asked for, the rest while the program is idle: a window
is complete on screen long before all of them are.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from importlib import import_module
from typing import Any, Final, Literal

from PySide6.QtCore import QObject, Qt, QTimer
from PySide6.QtGui import QPaintEvent
from PySide6.QtWidgets import QVBoxLayout, QWidget

from ..work.runner import Runner

RIGHT: Final = Qt.DockWidgetArea.RightDockWidgetArea
BOTTOM: Final = Qt.DockWidgetArea.BottomDockWidgetArea

PanelName = Literal[
    "tree",
    "inspector",
    "profile",
    "plan",
    "points",
    "sections",
    "forces",
    "loads",
    "injury",
    "seats",
    "couplers",
    "contacts",
    "quality",
    "channels",
    "problems",
    "kinks",
    "run",
    "rider",
    "structure",
    "equilibrium",
    "modes",
    "stress",
    "load_cases",
    "steelwork",
    "steel_rules",
    "studies",
    "who_may_ride",
    "cross_check",
    "log",
]
#: What panels reach beyond themselves: commands, the 3D view, other panels, the log.
Reached = Literal[
    "go to problem",
    "warn",
    "log",
    "insert",
    "insert device",
    "act on section",
    "show place",
    "go to place",
    "show train at",
    "vary",
    "ask for place",
    "show group",
    "show swing",
    "mark contact",
    "ride and play",
]
# Slow to load and wanted soon by panels. Nothing that uses Qt: its classes must be made in the window's thread.
LATER = (
    "scipy.linalg",
    "ridewright.core.injury",
    "ridewright.core.injury.charts",
    "ridewright.core.injury.trace",
    "ridewright.core.report.parts.words",
    "ridewright.core.outcome.summary",
    "ridewright.core.multibody.compile",
)
BETWEEN_PANELS = 40  # ms, in which other events have their turn


@dataclass(frozen=True)
class Place:
    """A panel: its name in the layout, its title, its area, "module:class" of the widget and what that takes.

    connects: its signals, each with what it reaches in the window, one of `Reached`."""

    id: PanelName
    title: str
    area: Qt.DockWidgetArea
    where: str
    takes: tuple[str, ...] = ("document", "playback", "settings")
    connects: Mapping[str, Reached] = field(default_factory=dict)

    def load(self) -> Callable[..., QWidget]:
        """The class, imported now."""
        module, _, name = self.where.partition(":")
        found: Callable[..., QWidget] = getattr(import_module(module), name)
        return found


SEEN_FIRST: Final[tuple[PanelName, ...]] = ("tree", "inspector")  # made with the window
PLACES: Final = (
    Place(
        "tree", "Project", RIGHT, "ridewright.app.model_editor.tree:ProjectTree",
        connects={"insert_wanted": "insert", "device_wanted": "insert device"},
    ),
    Place(
        "inspector", "Inspector", RIGHT, "ridewright.app.model_editor.inspector:Inspector",
        connects={"vary_wanted": "vary", "place_wanted": "ask for place"},
    ),
    Place(
        "profile", "Profile", BOTTOM, "ridewright.app.track_editor.profile:ProfilePanel",
        connects={"place_hovered": "show place"},
    ),
    Place(
        "plan", "Plan", BOTTOM, "ridewright.app.track_editor.plan:PlanPanel",
        connects={"place_hovered": "show place"},
    ),
    Place("points", "Points", BOTTOM, "ridewright.app.track_editor.points_table:PointsPanel"),
    Place(
        "sections", "Sections", BOTTOM, "ridewright.app.elements.section_list:SectionsPanel",
        connects={"insert_wanted": "insert", "act_wanted": "act on section"},
    ),
    Place("forces", "Forces", BOTTOM, "ridewright.app.force_editor.panel:ForcesPanel"),
    Place("loads", "Rider loads", BOTTOM, "ridewright.app.plots.loads:LoadsPanel"),
    Place(
        "injury", "Injury", BOTTOM, "ridewright.app.injury_panel.panel:InjuryPanel",
        connects={"place_hovered": "show place"},
    ),
    Place("seats", "Seats", BOTTOM, "ridewright.app.plots.seats:SeatsPanel"),
    Place("couplers", "Couplers", BOTTOM, "ridewright.app.plots.couplers:CouplersPanel"),
    Place(
        "contacts", "Contacts", BOTTOM, "ridewright.app.plots.contacts:ContactsPanel",
        connects={"marked": "mark contact"},
    ),
    Place("quality", "Constraint && energy", BOTTOM, "ridewright.app.plots.quality:QualityPanel"),
    Place("channels", "Channels", BOTTOM, "ridewright.app.plots.channels:ChannelsPanel"),
    Place(
        "problems", "Problems", BOTTOM, "ridewright.app.shell.problems:ProblemsPanel",
        connects={"activated": "go to problem", "refused": "warn", "fixed": "log"},
    ),
    Place(
        "kinks", "Kinks", BOTTOM, "ridewright.app.plots.kinks:KinksPanel", connects={"place_shown": "go to place"}
    ),
    Place(
        "run", "Runs", BOTTOM, "ridewright.app.run_panel.panel:RunPanel", ("document", "runner", "settings")
    ),
    Place("rider", "Rider", BOTTOM, "ridewright.app.rider_panel.panel:RiderPanel"),
    Place(
        "structure", "Structure", BOTTOM, "ridewright.app.model_editor.structure_panel:StructurePanel",
        connects={"group_wanted": "show group"},
    ),
    Place(
        "equilibrium", "Equilibrium", BOTTOM, "ridewright.app.modes.equilibrium:EquilibriumPanel",
        connects={"posed": "show swing"},
    ),
    Place(
        "modes", "Modes", BOTTOM, "ridewright.app.modes.panel:ModesPanel", ("document", "playback"),
        {"posed": "show swing"},
    ),
    Place("stress", "Stress", BOTTOM, "ridewright.app.plots.stress:StressPanel"),
    Place("load_cases", "Load cases", BOTTOM, "ridewright.app.plots.load_cases:LoadCasesPanel"),
    Place(
        "steelwork", "Steelwork", BOTTOM, "ridewright.app.plots.steelwork:SteelworkPanel",
        connects={"train_shown": "show train at"},
    ),
    Place(
        "steel_rules", "Steel rules", BOTTOM, "ridewright.app.model_editor.steel_rules:SteelRulesPanel",
        ("document", "settings"),
    ),
    Place(
        "studies", "Studies", BOTTOM, "ridewright.app.studies.panel:StudiesPanel", ("document", "settings"),
        {"ride_wanted": "ride and play"},
    ),
    Place(
        "who_may_ride", "Who may ride", BOTTOM, "ridewright.app.studies.who_panel:WhoPanel", ("document", "settings"),
        {"ride_wanted": "ride and play"},
    ),
    Place("cross_check", "Cross-check", BOTTOM, "ridewright.app.plots.cross_check:CrossCheckPanel"),
    Place("log", "Log", BOTTOM, "ridewright.app.shell.log_panel:LogPanel", ()),
)  # fmt: skip

AREAS: Final = {place.id: place.area for place in PLACES}


class PanelHolder(QWidget):
    """Stands in a dock until its panel is wanted."""

    def __init__(self, want: Callable[[], object]) -> None:
        super().__init__()
        self._want, self._asked = want, False
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 0, 0, 0)

    def put(self, panel: QWidget, banner: QWidget | None = None) -> None:
        """Show the panel, above what there is to be said about what it shows: nothing moves when that comes."""
        self._column.addWidget(panel, 1)
        if banner is not None:
            self._column.addWidget(banner)
        panel.show()

    def paintEvent(self, event: QPaintEvent) -> None:
        # Not at showEvent: when a window appears all its docks are shown, those behind other tabs too.
        super().paintEvent(event)
        if not self._asked:
            self._asked = True
            QTimer.singleShot(0, self, self._want)


class Panels(Mapping[PanelName, Any]):
    """The panels by name; asking for one makes it. `on_made(name, panel)` is called once for each."""

    def __init__(
        self,
        make: Callable[[Place], QWidget],
        on_made: Callable[[PanelName, QWidget], None],
        banner_of: Callable[[PanelName], QWidget | None] = lambda _name: None,
    ) -> None:
        self._make, self._on_made, self._banner_of = make, on_made, banner_of
        self._made: dict[PanelName, QWidget] = {}
        self._places = {place.id: place for place in PLACES}
        self.holders = {
            place.id: PanelHolder(lambda name=place.id: self[name])  # type: ignore[misc]
            for place in PLACES
        }

    def __getitem__(self, name: PanelName) -> Any:
        if name not in self._made:
            panel = self._make(self._places[name])
            self._made[name] = panel
            self.holders[name].put(panel, self._banner_of(name))
            self._on_made(name, panel)
        return self._made[name]

    def __iter__(self) -> Iterator[PanelName]:
        return iter(self._places)

    def __len__(self) -> int:
        return len(self._places)

    def made(self, name: PanelName) -> Any | None:
        """The panel if it has been made already."""
        return self._made.get(name)

    def steps(self, name: PanelName) -> tuple[Callable[[], object], ...]:
        """What it takes to have a panel, in parts between which other events have their turn."""
        return self._places[name].load, lambda: self[name]

    def missing(self) -> tuple[PanelName, ...]:
        """Names of the panels that have not been made, in the order of the tabs."""
        return tuple(name for name in self._places if name not in self._made)


class LaterPanels(QObject):
    """Loads, then makes one panel after the other, then has the solver compiled."""

    def __init__(self, runner: Runner, panels: Panels, parent: QObject) -> None:
        super().__init__(parent)
        self._runner, self._panels = runner, panels
        self._waiting: list[Callable[[], object]] = []  # makes the panels that are missing
        self._ended = False
        self._timer = QTimer(self)
        self._timer.setInterval(BETWEEN_PANELS)
        self._timer.timeout.connect(self._next)

    def begin(self) -> None:
        """Begin to load."""
        self._runner.loaded.connect(self._on_loaded)
        self._runner.load(LATER)

    def end(self) -> None:
        """Make no more."""
        self._ended = True
        self._timer.stop()

    def _on_loaded(self) -> None:
        if not self._ended:
            self._waiting = [step for name in self._panels.missing() for step in self._panels.steps(name)]
            self._timer.start()

    def _next(self) -> None:
        if self._waiting:
            self._waiting.pop(0)()
        else:
            self._timer.stop()
            self._runner.warm_up()
