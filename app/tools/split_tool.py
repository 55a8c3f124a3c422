"""The tool that cuts a section of any kind in two, anywhere along it."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from ...core.edits.changes import the_track
from ...core.edits.splitting import TOLERANCE, Split, split_at
from ...core.project.project import Project
from ...core.track.build import BuiltTrack, build_track
from ..document.selection import Selection
from ..view3d.actors import make_actor
from ..view3d.mesh import rod, solid
from ..widgets import theme, units
from ..work.task import ProgressReporter
from .dialog import ToolDialog
from .proposal import BeforeAfter, Proposal, compared, ride_figures
from .site_tools import MARKS

if TYPE_CHECKING:
    import pyvista as pv

BAR = 0.12  # m, radius of the bar drawn across the track at the cut
OVER = 0.8  # m by which it reaches over the rails on either side


class SplitTool(ToolDialog):
    """Split a section."""

    title = "Split section"
    help = (
        "Cuts a section in two. Straights, tables, force sections and the circular part of curves stay what they are;"
        " anything else becomes control points. Lifts, launches and brakes stay where they lie on the track."
    )
    picture = "tool-split"
    apply_text = "Split"

    def make(self) -> None:
        names = self.section_names()
        self.built = build_track(the_track(self.document.project), ride=False)
        name, offset = self._place()
        self.section = self.choice("Section", names, names.index(name))
        self.number("offset", "From its start", "m", offset, "Where it is cut.", low=0.1, high=20_000.0)
        self.number(
            "tolerance", "The track moves at most", "m", TOLERANCE, "Where it becomes control points.",
            low=1e-4, high=10.0,
        )  # fmt: skip
        self.section.currentIndexChanged.connect(self._to_the_middle)

    def _place(self) -> tuple[str, float]:
        """The selected place, or the middle of the selected section, or of the first."""
        chosen = self.document.selection
        if chosen.kind == "place" and chosen.s is not None:
            name = self.built.section_at(chosen.s)
            return name, round(float(self.built.centreline.wrap(chosen.s)[0]) - self._span(name)[0], 2)
        name = self.selected_section() or self.built.sections[0].name
        return name, self._middle(name)

    def _span(self, name: str) -> tuple[float, float]:
        return next((span.s0, span.s1) for span in self.built.sections if span.name == name)

    def _middle(self, name: str) -> float:
        s0, s1 = self._span(name)
        return round(0.5 * (s1 - s0), 2)

    def _to_the_middle(self) -> None:
        middle = self._middle(self.section.currentText())
        self.values["offset"] = middle
        self.numbers["offset"].set_value(middle)

    def work(self, project: Project) -> Callable[[ProgressReporter], Proposal]:
        name, offset, tolerance = self.section.currentText(), self.value("offset"), self.value("tolerance")

        def find(_reporter: ProgressReporter) -> Proposal:
            built = build_track(the_track(project), ride=False)
            made, split = split_at(project, built, name, offset, tolerance=tolerance)
            after = build_track(the_track(made), ride=False)
            whole = next(span.s1 - span.s0 for span in built.sections if span.name == name)
            rest = next(span.s1 - span.s0 for span in after.sections if span.name == split.second)
            figures: tuple[BeforeAfter, ...] = (
                BeforeAfter(split.first, units.text(whole, "m"), units.text(split.cut, "m")),
                BeforeAfter(split.second, "–", units.text(rest, "m")),
            )
            figures += (
                () if split.exact else compared(ride_figures(project, built), ride_figures(made, after))
            )
            sentence = (split.sentence,)
            notes, warnings = (sentence, ()) if split.exact else ((), sentence)
            return Proposal(made, figures, notes, warnings, extra=(split, after))

        return find

    def shown(self, proposal: Proposal) -> None:
        viewer = self.bench.viewer
        viewer.scene.marks.set(MARKS, [] if proposal.extra is None else [self._bar(*proposal.extra)])
        viewer.plotter.redraw()

    @staticmethod
    def _bar(split: Split, built: BuiltTrack) -> pv.Actor:
        """A bar across the track where it is cut."""
        s = next(span.s0 for span in built.sections if span.name == split.second)
        state = built.centreline.state(s)
        side = (0.5 * built.track.gauge + OVER) * state.left[0]
        middle = state.curve[0, 0] + 0.1 * state.up[0]
        bar = rod(middle - side, middle + side, BAR, theme.current().highlight, sides=8)
        return make_actor(solid(bar), lit=False)

    def apply(self) -> None:
        found = None if self.proposal is None else self.proposal.extra
        super().apply()
        if found is not None:
            self.document.select(Selection("section", (found[0].second,)))

    def summary(self) -> str:
        return "done." if self.proposal is None else self.proposal.extra[0].sentence

    def ended(self) -> None:
        viewer = self.bench.viewer
        viewer.scene.marks.clear(MARKS)
        viewer.plotter.redraw()
