"""Tools that change the shape: auto-bank, smooth, close the circuit, move and scale a part, convert to points."""

from __future__ import annotations

import math
from collections.abc import Callable

from ...core.base.errors import InputError
from ...core.base.sentence import written
from ...core.design.bank import BankWish
from ...core.design.by_ride import bank_by_ride, close_by_ride
from ...core.design.closing_fit import STRAIGHT, CloseLimits
from ...core.design.entry_speeds import link_to_ride, match_entry_speeds
from ...core.design.smooth import smooth
from ...core.edits.changes import the_track
from ...core.edits.elements_track import to_control_points
from ...core.edits.transform import Motion, transform_sections
from ...core.project.project import Project
from ...core.track.build import build_track
from ..widgets import units
from ..work.task import ProgressReporter
from .dialog import ToolDialog
from .proposal import BeforeAfter, Proposal, compared, ride_figures


def _some(names: list[str]) -> list[str]:
    """The names, if there are any; else the InputError that asks for some."""
    if not names:
        raise InputError("Tick at least one section.")
    return names


def radius_text(radius: float) -> str:
    """A radius (m) with its unit; a straight has none."""
    return "–" if radius > STRAIGHT else units.text(radius, "m", decimals=1)


class BankTool(ToolDialog):
    """Auto-bank."""

    title = "Auto-bank"
    help = (
        "Finds the cant at which riders at the heartline feel the wanted lateral load at the speed of the point ride,"
        " and sets it as roll points between the control points."
    )
    picture = "tool-bank"
    kinds = ("spline",)
    preset_all = True

    def make(self) -> None:
        wish = BankWish()
        self.number(
            "lateral", "Lateral load", "g", wish.lateral, "Positive pushes to the left.", low=-2.0, high=2.0
        )
        self.number(
            "max_cant",
            "Cant at most",
            "rad",
            wish.max_cant,
            "To either side.",
            low=0.0,
            high=math.radians(180.0),
        )
        self.number(
            "roll_speed", "Roll speed at most", "rad/s", None, "How fast the cant may change in time.",
            low=0.01, high=20.0, empty="no limit",
        )  # fmt: skip
        self.number(
            "tolerance", "Within", "g", wish.tolerance, "How closely it is followed.", low=0.001, high=1.0
        )

    def work(self, project: Project) -> Callable[[ProgressReporter], Proposal]:
        names = _some(self.chosen())
        wish = BankWish(
            self.value("lateral"), self.value("max_cant"), self.values["roll_speed"], self.value("tolerance")
        )

        def find(_reporter: ProgressReporter) -> Proposal:
            made, report = bank_by_ride(project, names, wish)
            figures = (
                BeforeAfter(
                    "Largest miss of the lateral load",
                    units.text(report.before, "g"),
                    units.text(report.after, "g"),
                ),
                BeforeAfter("… at", "", units.text(report.worst_s, "m", decimals=1)),
                BeforeAfter("Largest |Gy| on the leads", "", units.text(report.on_leads, "g")),
                BeforeAfter("Largest cant", "", units.text(report.largest_cant, "rad", decimals=1)),
                BeforeAfter("Largest roll speed", "", units.text(report.largest_roll_speed, "rad/s")),
                BeforeAfter("Roll points", "", str(report.roll_points)),
            )
            return Proposal(made, figures, warnings=report.notes)

        return find


class SmoothTool(ToolDialog):
    """Smooth."""

    title = "Smooth"
    help = "Moves control points inside a tube around the track so that the curvature changes as gently as it can."
    picture = "tool-smooth"
    kinds = ("spline",)

    def make(self) -> None:
        self.number("tube", "Tube", "m", 0.2, "How far the track may move.", low=0.001, high=5.0)

    def work(self, project: Project) -> Callable[[ProgressReporter], Proposal]:
        names, tube = _some(self.chosen()), self.value("tube")

        def find(reporter: ProgressReporter) -> Proposal:
            made, report = smooth(
                project, names, tube, on_progress=reporter.progress, should_stop=reporter.stopped
            )
            figures = (
                BeforeAfter(
                    "Squared change of curvature (1/m³)",
                    written(report.before, ".4g"),
                    written(report.after, ".4g"),
                ),
                BeforeAfter(
                    "Its sharpest change (1/m²)",
                    written(report.sharpest_before, ".4g"),
                    written(report.sharpest_after, ".4g"),
                ),
                BeforeAfter("Furthest point moved", "", units.text(report.moved, "m", decimals=3)),
                BeforeAfter("Track moved at most", "", units.text(report.strayed, "m", decimals=3)),
                *compared(ride_figures(project), ride_figures(made)),
            )
            notes = (report.sentence, f"{report.points} control points were free to move.")
            return Proposal(made, figures, notes=notes)

        return find


class CloseTool(ToolDialog):
    """Close the circuit."""

    title = "Close the circuit"
    help = (
        "Leads the end of an open track to its start, by a turn where they do not face each other; the closing piece of"
        " a circuit is drawn anew. Where that does not keep the limits, points of the ticked sections and of the"
        " closing piece may move."
    )
    picture = "tool-close"
    kinds = ("spline",)

    def make(self) -> None:
        limits = CloseLimits()
        self.number("gz_max", "Gz at most", "g", limits.gz_max, low=1.0, high=8.0)
        self.number("gz_min", "Gz at least", "g", limits.gz_min, low=-4.0, high=1.0)
        self.number("gy_max", "|Gy| at most", "g", limits.gy_max, low=0.0, high=4.0)
        self.number("jerk_max", "Change of load (g/s)", "", limits.jerk_max, low=0.1, high=200.0)
        self.number("reach", "Points move at most", "m", limits.reach, low=0.1, high=200.0)

    def work(self, project: Project) -> Callable[[ProgressReporter], Proposal]:
        names = self.chosen()
        limits = CloseLimits(
            self.value("gz_max"), self.value("gz_min"), self.value("gy_max"), self.value("jerk_max"),
            self.value("reach"),
        )  # fmt: skip

        def find(reporter: ProgressReporter) -> Proposal:
            made, report = close_by_ride(
                project, names, limits, on_progress=reporter.progress, should_stop=reporter.stopped
            )
            figures = (
                BeforeAfter("Gap", units.text(report.gap, "m"), units.text(0.0, "m")),
                BeforeAfter("Least radius of the closing piece", "", radius_text(report.min_radius)),
                BeforeAfter("Sharpest change of curvature (1/m²)", "", f"{report.sharpest:.4f}"),
                BeforeAfter("Largest Gz", "", units.text(report.gz_max, "g")),
                BeforeAfter("Smallest Gz", "", units.text(report.gz_min, "g")),
                BeforeAfter("Largest |Gy|", "", units.text(report.gy_max, "g")),
                BeforeAfter("Largest change of load (g/s)", "", f"{report.jerk_max:.1f}"),
                BeforeAfter("Furthest point moved", "", units.text(report.moved, "m")),
                BeforeAfter("Points added", "", str(report.points_added)),
                BeforeAfter("Places where the train meets the track", "", str(report.approaches)),
            )
            promise = "All limits are kept." if report.kept else ""
            return Proposal(made, figures, (report.curve,), report.notes, promise)

        return find


class MoveTool(ToolDialog):
    """Move, turn, scale, mirror."""

    title = "Move, turn, scale or mirror"
    help = (
        "Moves the ticked sections as one. Elements follow the track before them and are scaled and mirrored."
    )
    picture = "tool-transform"
    kinds = ()
    PIVOTS = ("Their start", "Their middle", "The origin")

    def make(self) -> None:
        for axis in "xyz":
            self.number(axis, f"Along {axis}", "m", 0.0, low=-1e4, high=1e4)
        self.number(
            "yaw", "Turn", "rad", 0.0, "About the vertical, positive to the left.", low=-7.0, high=7.0
        )
        self.number("scale", "Scale", "", 1.0, low=0.01, high=100.0)
        self.mirror = self.flag(
            "Mirror left and right", False, "In the upright plane along the track at the start"
        )
        self.pivot = self.choice("About", list(self.PIVOTS))

    def work(self, project: Project) -> Callable[[ProgressReporter], Proposal]:
        names, about = _some(self.chosen()), self.pivot.currentIndex()
        shift = (self.value("x"), self.value("y"), self.value("z"))
        yaw, scale, mirror = self.value("yaw"), self.value("scale"), self.mirror.isChecked()

        def find(_reporter: ProgressReporter) -> Proposal:
            built = build_track(the_track(project), ride=False)
            spans = [span for span in built.sections if span.name in names]
            if not spans:
                raise InputError("The ticked sections are no part of the track any more; tick others.")
            s = spans[0].s0 if about == 0 else 0.5 * (spans[0].s0 + spans[-1].s1)
            state = built.centreline.state(s)
            x, y, z = (float(v) for v in state.curve[0, 0]) if about < 2 else (0.0, 0.0, 0.0)
            heading = math.atan2(float(state.tangent[0, 1]), float(state.tangent[0, 0])) if mirror else None
            motion = Motion((x, y, z), shift, yaw, scale, heading)
            if motion.only_shifts and not any(shift):
                return Proposal(
                    None, compared(ride_figures(project, built), None), ("Nothing is moved yet.",)
                )
            made = transform_sections(project, names, motion)
            after = build_track(the_track(made), ride=False)
            return Proposal(made, compared(ride_figures(project, built), ride_figures(made, after)))

        return find


class MatchTool(ToolDialog):
    """Match entry speeds."""

    title = "Match entry speeds"
    help = (
        "Camelbacks, zero-g rolls and force sections are drawn for the speed they are entered with. This gives each the"
        " speed the point ride really has there, in running order."
    )
    picture = "element-camelback"

    def make(self) -> None:
        self.losses = self.flag(
            "With gravity, friction and drag of the ride",
            True,
            "Their loads then hold while the ride slows down.",
        )
        self.follow = self.flag(
            "Keep following the ride", False, "Every later change of the track or the ride redraws them."
        )

    def work(self, project: Project) -> Callable[[ProgressReporter], Proposal]:
        losses, follow = self.losses.isChecked(), self.follow.isChecked()

        def find(_reporter: ProgressReporter) -> Proposal:
            made, changes = match_entry_speeds(project, losses=losses)
            figures = tuple(
                BeforeAfter(c.section, units.text(c.before, "m/s"), units.text(c.now, "m/s")) for c in changes
            )
            made = link_to_ride(made) if follow else made
            if made == project:
                return Proposal(
                    notes=("Every element that is drawn for a speed has the one of the ride already.",)
                )
            notes = (
                ("Their gravity and losses become those of the ride.",)
                if any(c.losses for c in changes)
                else ()
            )
            return Proposal(made, figures + compared(ride_figures(project), ride_figures(made)), notes)

        return find


class ConvertTool(ToolDialog):
    """Convert to control points."""

    title = "Convert to control points"
    help = (
        "Turns the ticked sections into splines through points on their curve, to be shaped by hand. The tolerance"
        " decides how close the points lie."
    )
    picture = "points"
    kinds = ()

    def make(self) -> None:
        self.number("tolerance", "The track moves at most", "m", 0.01, low=1e-4, high=10.0)
        self.number("roll", "The cant changes at most", "rad", math.radians(1.0), low=1e-4, high=1.0)
        self.keep = self.flag(
            "Keep the roll by roll points",
            True,
            "The lateral loads stay. Else the cant follows from the points alone.",
        )

    def work(self, project: Project) -> Callable[[ProgressReporter], Proposal]:
        names = _some(self.chosen())
        tolerance, roll, keep = self.value("tolerance"), self.value("roll"), self.keep.isChecked()

        def find(reporter: ProgressReporter) -> Proposal:
            made, lines = project, []
            for k, name in enumerate(names):
                reporter.progress(k / len(names))
                if reporter.stopped():
                    return Proposal(fault="Stopped.")
                built = build_track(the_track(made), ride=False)
                made, report = to_control_points(
                    made, built, name, tolerance=tolerance, roll_tolerance=roll, keep_roll=keep
                )
                lines.append(f"{name}: {report.sentence}")
            return Proposal(made, compared(ride_figures(project), ride_figures(made)), notes=tuple(lines))

        return find
