"""Tools around the track: heartline, launch calculator, supports, ground, clearance envelope."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

from PySide6.QtWidgets import QHBoxLayout, QListWidget, QPushButton

from ...core.base.atomic import replacing
from ...core.base.errors import InputError
from ...core.base.fields import spec_of
from ...core.design.launch import add_launch
from ...core.design.rider_clearance import OBSTACLES, RiderClearance, asks_for_reach, rider_clearance
from ...core.edits.along_track import set_heartline, set_heartline_at, set_site
from ...core.edits.changes import set_clearance, the_track
from ...core.project.point_train import ridden_settings
from ...core.project.project import Project
from ...core.track.build import BuiltTrack, build_track
from ...core.track.clearance import self_approaches
from ...core.track.description import Clearance
from ...core.track.envelope import ground_stretches
from ...core.track.height_grid import read_height_field
from ...core.track.supports import SPACING, SupportPlan, place_supports, supports_csv
from ..view3d.actors import make_actor
from ..view3d.ground_actors import envelope_actor, ground_actors
from ..view3d.reach_actors import reach_actors
from ..view3d.track_mesh import struts
from ..widgets import dialogs, theme, units
from ..work.task import ProgressReporter
from .dialog import ToolDialog
from .proposal import BeforeAfter, Proposal, compared, ride_figures

MARKS = "tool"  # the group of marks a tool draws in
GROUND_FILES = "Height fields (*.asc *.txt *.csv *.xyz)"
MAX_LISTED = 6
MOST_REACHED = 3  # places within reach that are told in words; all are drawn


class HeartlineTool(ToolDialog):
    """Heartline."""

    title = "Heartline"
    help = (
        "The height above the rails at which the riders' loads are felt and designed: one height, or heights at places"
        " between which it goes over smoothly."
    )
    picture = "tool-heartline"

    def make(self) -> None:
        line = the_track(self.document.project).heartline
        self.points = list(line.points)
        self.number("height", "Everywhere", "m", line.height, low=-10.0, high=10.0)
        names = self.section_names()
        selected = self.selected_section()
        self.section = self.choice("Section", names, names.index(selected) if selected in names else 0)
        self.number("offset", "From its start", "m", 0.0, low=0.0, high=20_000.0)
        self.number("there", "Height there", "m", line.height, low=-10.0, high=10.0)
        row = QHBoxLayout()
        self.add_button, self.remove_button = QPushButton("Set this place"), QPushButton("Remove")
        for button, call in ((self.add_button, self._add), (self.remove_button, self._remove)):
            button.setAutoDefault(False)
            button.clicked.connect(call)
            row.addWidget(button)
        self.form.addRow("", row)
        self.list = QListWidget()
        self.list.setAccessibleName("Places of the heartline")
        self.list.setMaximumHeight(96)
        self.form.addRow("Places", self.list)
        self._show_points()

    def _show_points(self) -> None:
        self.list.clear()
        for point in self.points:
            height, at = units.text(point.height, "m"), units.text(point.offset, "m", decimals=1)
            self.list.addItem(f"{height} at {at} of {point.section}")

    def _add(self) -> None:
        project = set_heartline(self.document.project, {"points": tuple(self.points)})
        made = set_heartline_at(
            project, self.section.currentText(), self.value("offset"), self.value("there")
        )
        self.points = list(the_track(made).heartline.points)
        self._show_points()
        self.changed()

    def _remove(self) -> None:
        row = self.list.currentRow()
        if row >= 0:
            del self.points[row]
            self._show_points()
            self.changed()

    def work(self, project: Project) -> Callable[[ProgressReporter], Proposal]:
        fields = {"height": self.value("height"), "points": tuple(self.points)}

        def find(_reporter: ProgressReporter) -> Proposal:
            made = set_heartline(project, fields)
            figures = compared(ride_figures(project), ride_figures(made))
            return Proposal(made if made != project else None, figures)

        return find


class LaunchTool(ToolDialog):
    """Launch calculator."""

    title = "Launch calculator"
    help = "What it takes to reach a speed at the end of a stretch, what the riders feel of it, and the device for it."
    picture = "device-launch"
    apply_text = "Add the launch"

    def make(self) -> None:
        names = self.section_names()
        selected = self.selected_section()
        self.section = self.choice("Section", names, names.index(selected) if selected in names else 0)
        self.number("start", "From", "m", 0.0, "From the start of the section.", low=0.0, high=20_000.0)
        self.number("end", "To", "m", None, low=0.0, high=20_000.0, empty="the end of the section")
        self.number("target", "Speed at its end", "m/s", 25.0, low=0.1, high=150.0)

    def work(self, project: Project) -> Callable[[ProgressReporter], Proposal]:
        section, start, end = self.section.currentText(), self.value("start"), self.values["end"]
        target = self.value("target")

        def find(_reporter: ProgressReporter) -> Proposal:
            made, plan = add_launch(project, section, target, start=start, end=end)
            gx = f"{units.text(plan.g[0], 'g')} to {units.text(plan.g[1], 'g')}"
            gz = f"{units.text(plan.g[4], 'g')} to {units.text(plan.g[5], 'g')}"
            figures = (
                BeforeAfter("Speed", units.text(plan.speed_in, "m/s"), units.text(plan.speed_out, "m/s")),
                BeforeAfter("Acceleration", "", units.text(plan.acceleration, "m/s^2")),
                BeforeAfter("Time", "", units.text(plan.time, "s", decimals=2)),
                BeforeAfter("Largest thrust", "", units.text(plan.force, "kN", decimals=1)),
                BeforeAfter("Largest power (kW)", "", f"{plan.power / 1000.0:.0f}"),
                BeforeAfter("Energy", "", units.text(plan.energy, "kJ", decimals=0)),
                BeforeAfter("Gx", "", gx),
                BeforeAfter("Gz", "", gz),
            )
            mass = units.text(ridden_settings(project).mass, "kg", decimals=0)
            note = f"For a train of {mass} (point ride settings)."
            return Proposal(made, figures, (note,), (plan.warning,) if plan.warning else ())

        return find


class _DrawingTool(ToolDialog):
    """A tool that draws in the 3D view itself."""

    def draw(self, proposal: Proposal) -> Sequence[object]:
        """Actors of a proposal. Every such tool has its own."""
        raise NotImplementedError

    def shown(self, proposal: Proposal) -> None:
        actors = [] if proposal.fault else self.draw(proposal)
        self.bench.viewer.scene.marks.set(MARKS, actors)  # type: ignore[arg-type]
        self.bench.viewer.plotter.redraw()

    def ended(self) -> None:
        viewer = self.bench.viewer
        viewer.scene.marks.clear(MARKS)
        viewer.plotter.redraw()


class SupportsTool(_DrawingTool):
    """Supports."""

    title = "Supports"
    help = (
        "Columns and A-frames from the spine to the ground, clear of the train. They are drawn by a rule and not kept"
        " in the project; the table is for other programs. No strength is computed."
    )
    picture = "tool-supports"
    apply_text = "Save table…"

    def make(self) -> None:
        self.number("spacing", "Spacing", "m", SPACING, low=2.0, high=100.0)
        self.bench.viewer.scene.track.show("supports", False)

    def work(self, project: Project) -> Callable[[ProgressReporter], Proposal]:
        spacing = self.value("spacing")

        def find(_reporter: ProgressReporter) -> Proposal:
            built = build_track(the_track(project), ride=False)
            plan = place_supports(built, spacing)
            kinds = [support.kind for support in plan.supports]
            figures = (
                BeforeAfter("Supports", "", str(len(plan.supports))),
                *(
                    BeforeAfter(f"… {kind}", "", str(kinds.count(kind)))
                    for kind in ("column", "leaning", "A-frame")
                    if kind in kinds
                ),
                BeforeAfter("Length of all legs", "", units.text(plan.length, "m", decimals=1)),
            )
            missing = plan.missing[:MAX_LISTED]
            positions = ", ".join(units.text(s, "m", decimals=0) for s in missing)
            more = " …" if len(plan.missing) > MAX_LISTED else ""
            warnings = (f"No room for a support at {positions}{more}.",) if missing else ()
            return Proposal(None, figures, warnings=warnings, extra=plan)

        return find

    def draw(self, proposal: Proposal) -> Sequence[object]:
        self.apply_button.setEnabled(isinstance(proposal.extra, SupportPlan))
        if not isinstance(proposal.extra, SupportPlan):
            return []
        top, foot, radius = proposal.extra.legs()
        if not len(top):
            return []
        return [make_actor(struts(top, foot, radius, 8), colour=theme.current().highlight)]

    def apply(self) -> None:
        """Save the table of the legs; the window stays open."""
        plan = None if self.proposal is None else self.proposal.extra
        if not isinstance(plan, SupportPlan):
            return
        settings = self.bench.settings
        path = dialogs.file_to_save(
            self, "Save the table of supports", settings.last_folder / "supports.csv", "Tables (*.csv)"
        )
        if path is None:
            return
        try:
            with replacing(path) as part:
                part.write_text(supports_csv(plan.supports), encoding="utf-8")
        except (InputError, OSError) as error:
            dialogs.message(self, "The table was not written", units.told(error), bad=True)
            return
        settings.last_folder = path.parent
        self.bench.log(f"Written: {path}.")

    def ended(self) -> None:
        viewer = self.bench.viewer
        viewer.scene.track.show("supports", viewer.show_menu.boxes["supports"].isChecked())
        super().ended()


class GroundTool(_DrawingTool):
    """Ground."""

    title = "Ground"
    help = "The plane the track stands on, and hills from a height field. Supports and tunnels follow it."
    picture = "tool-ground"

    def make(self) -> None:
        site = the_track(self.document.project).site
        self.field = site.field
        self.number("level", "Level", "m", site.level, low=-1e4, high=1e4, empty="just below the track")
        row = QHBoxLayout()
        self.read_button, self.forget_button = QPushButton("Read height field…"), QPushButton("Without hills")
        for button, call in ((self.read_button, self._read), (self.forget_button, self._forget)):
            button.setAutoDefault(False)
            button.clicked.connect(call)
            row.addWidget(button)
        self.form.addRow("Hills", row)

    def _read(self) -> None:
        settings = self.bench.settings
        path = dialogs.file_to_open(self, "Read height field", settings.last_folder, GROUND_FILES)
        if path is not None:
            self.read(path)

    def read(self, path: Path) -> None:
        """Take the hills from a file; errors in it are told in a sentence."""
        try:
            self.field = read_height_field(path)
        except InputError as error:
            dialogs.message(self, "The height field was not read", units.told(error), bad=True)
            return
        self.bench.settings.last_folder = path.parent
        self.changed()

    def _forget(self) -> None:
        self.field = None
        self.changed()

    def work(self, project: Project) -> Callable[[ProgressReporter], Proposal]:
        fields = {"level": self.values["level"], "field": self.field}

        def find(_reporter: ProgressReporter) -> Proposal:
            made = set_site(project, fields)
            built = build_track(the_track(made), ride=False)
            rows = () if self.field is None else self.field.rows
            figures: tuple[BeforeAfter, ...] = ()
            if self.field is not None:
                every = [z for row in rows for z in row]
                size = self.field.spacing
                wide = units.text((len(rows[0]) - 1) * size, "m", decimals=0)
                deep = units.text((len(rows) - 1) * size, "m", decimals=0)
                figures = (
                    BeforeAfter("Height field", "", f"{wide} by {deep}"),
                    BeforeAfter("Lowest ground", "", units.text(min(every), "m")),
                    BeforeAfter("Highest ground", "", units.text(max(every), "m")),
                )
            figures += _ground_figures(built)
            return Proposal(made if made != project else None, figures, extra=built)

        return find

    def draw(self, proposal: Proposal) -> Sequence[object]:
        built = proposal.extra
        return ground_actors(built) if isinstance(built, BuiltTrack) else []


def _ground_figures(built: BuiltTrack) -> tuple[BeforeAfter, ...]:
    stretches = ground_stretches(built)
    out = []
    for kind, title in (("cutting", "Cuttings"), ("tunnel", "Tunnels")):
        found = [stretch for stretch in stretches if stretch.kind == kind]
        length = units.text(sum(stretch.length for stretch in found), "m", decimals=1)
        out.append(BeforeAfter(title, "", f"{len(found)}, {length} together" if found else "none"))
    return tuple(out)


class EnvelopeTool(_DrawingTool):
    """Clearance envelope."""

    title = "Clearance envelope"
    help = (
        "The space the train with its riders needs, drawn along the track, and where track or ground is inside it: a"
        " box, and where asked what a body of your choice reaches from every seat (some seconds)."
    )
    picture = "tool-envelope"

    def make(self) -> None:
        room = the_track(self.document.project).clearance
        self.number("half_width", "To each side", "m", room.half_width, low=0.1, high=20.0)
        self.number("height_above", "Above the rails", "m", room.height_above, low=0.1, high=20.0)
        self.number("depth_below", "Below the rails", "m", room.depth_below, low=0.0, high=20.0)
        self.specs = {name: spec_of(Clearance, name) for name in ("room", "body", "margin")}
        self.choices = {
            name: self.choice(
                spec.title, list(spec.words.values()), list(spec.words).index(getattr(room, name))
            )
            for name, spec in self.specs.items()
        }
        self.choices["room"].currentIndexChanged.connect(self._show_choices)
        self._show_choices()

    def _show_choices(self) -> None:
        """Whose reach, and with which margin, is asked where somebody's reach counts."""
        asked = self._chosen("room") == "reach"
        for name in ("body", "margin"):
            self.choices[name].setEnabled(asked)

    def _chosen(self, name: str) -> str:
        return list(self.specs[name].words)[self.choices[name].currentIndex()]

    def work(self, project: Project) -> Callable[[ProgressReporter], Proposal]:
        fields: dict[str, object] = {
            key: self.value(key) for key in ("half_width", "height_above", "depth_below")
        }
        fields |= {name: self._chosen(name) for name in self.choices}

        def find(_reporter: ProgressReporter) -> Proposal:
            made = set_clearance(project, fields)
            asked = asks_for_reach(made)
            built = build_track(the_track(made), ride=asked)
            near = self_approaches(built)
            figures: tuple[BeforeAfter, ...] = (
                BeforeAfter("Places where track meets track", "", str(len(near))),
                *_ground_figures(built),
            )
            warnings = tuple(
                f"{units.text(a.s, 'm', decimals=0)} and {units.text(a.other_s, 'm', decimals=0)} are too close."
                for a in near[:MAX_LISTED]
            )
            reached = rider_clearance(made, built) if asked else None
            if reached is not None:
                figures += _reach_figures(reached)
                ranked = sorted(
                    (one for one in reached.encounters if one.worst.obstacle != "own track"),
                    key=lambda one: -one.worst.beyond,
                )
                warnings += tuple(units.in_units(one.short) for one in ranked[:MOST_REACHED])
                if len(ranked) > MOST_REACHED:
                    warnings += (f"{len(ranked) - MOST_REACHED} more: ridewright check lists them.",)
            return Proposal(
                made if made != project else None, figures, warnings=warnings, extra=(built, reached)
            )

        return find

    def draw(self, proposal: Proposal) -> Sequence[object]:
        if not isinstance(proposal.extra, tuple):
            return []
        built, reached = proposal.extra
        if reached is not None:
            return [*reach_actors(reached), *ground_actors(built)]
        whole = envelope_actor(built, 0.0, built.length, 0.0, theme.current().series[0], 0.25)
        return [whole, *ground_actors(built)]


def _reach_figures(reached: RiderClearance) -> tuple[BeforeAfter, ...]:
    """At how many places somebody reaches what, or comes nearer than the margin."""
    found: dict[str, int] = {}
    for one in reached.encounters:
        found[one.worst.obstacle] = found.get(one.worst.obstacle, 0) + 1
    return tuple(
        BeforeAfter(
            f"Places within reach of {word}", "", str(found.get(key, 0)) if found.get(key) else "none"
        )
        for key, word in OBSTACLES.items()
    )
