"""Track menu: points and sections of the selection."""

from __future__ import annotations

from ....core.base.errors import InputError
from ....core.edits import points, roll_points, sections
from ....core.edits.changes import set_track
from ....core.track.build import BuiltTrack, build_track
from ...document.document import Selection
from .conditions import OPEN_TRACK, POINTS, SECTION, TRACK
from .declared import Group, action
from .guard import guarded
from .tools import ToolCommands

REFUSED = "That is not possible here"


class TrackCommands(Group):
    """Edits of the track on the selected points and section."""

    def _picked(self) -> tuple[str, tuple[int, ...]]:
        selection = self.studio.document.selection
        return selection.path[0], selection.indices

    def _built(self) -> BuiltTrack:
        track = self.studio.document.project.track
        if track is None:
            raise InputError("The project has no track; import one or begin a new project.")
        return self.studio.document.built() or build_track(track)

    @action(
        "Insert point after",
        "Track",
        icon="point-add",
        shortcut="Ins",
        tip="Insert a control point after the selected one",
        when=POINTS,
    )
    @guarded(REFUSED)
    def insert_point(self) -> None:
        """A control point half way to the next one."""
        document = self.studio.document
        section, indices = self._picked()
        project, index = points.insert_point(document.project, self._built(), section, max(indices))
        document.apply("Insert point", project)
        document.select(Selection("points", (section,), (index,)))

    @action(
        "Insert point before",
        "Track",
        icon="point-add",
        tip="Insert a control point before the selected one",
        when=POINTS,
    )
    @guarded(REFUSED)
    def insert_before(self) -> None:
        """A control point half way to the one before."""
        document = self.studio.document
        section, indices = self._picked()
        if min(indices) == 0:
            raise InputError(f"Point 1 of {section} has no point before it; insert one after it instead.")
        project, index = points.insert_point(document.project, self._built(), section, min(indices) - 1)
        document.apply("Insert point", project)
        document.select(Selection("points", (section,), (index,)))

    @action(
        "Straight to the next point",
        "Track",
        tip="The track is straight from each selected point to the next; once more: it bends again",
        when=POINTS,
    )
    @guarded(REFUSED)
    def straight_points(self) -> None:
        """The track from the selected points to the next ones is straight, or no longer."""
        document = self.studio.document
        section, indices = self._picked()
        on = not points.all_straight(document.project, section, indices)
        word = "Straight" if on else "Not straight"
        document.apply(word, points.set_points(document.project, section, indices, {"straight": on}))

    @action("Duplicate points", "Track", icon="duplicate", shortcut="Ctrl+D", when=POINTS)
    @guarded(REFUSED)
    def duplicate_points(self) -> None:
        """Copies of the selected points behind them."""
        document = self.studio.document
        section, indices = self._picked()
        project, copies = points.duplicate_points(document.project, section, indices)
        document.apply("Duplicate points", project)
        document.select(Selection("points", (section,), copies))

    @action("Delete points", "Track", icon="delete", shortcut="Del", when=POINTS)
    @guarded(REFUSED)
    def delete_points(self) -> None:
        """Delete the selected points."""
        section, indices = self._picked()
        document = self.studio.document
        document.apply("Delete points", points.delete_points(document.project, section, indices))

    @action(
        "Split section at the point",
        "Track",
        icon="section",
        tip="A new section begins at the selected point",
        when=POINTS,
        line_above=True,
    )
    @guarded(REFUSED)
    def split_section(self) -> None:
        """A new section begins at the first selected point."""
        section, indices = self._picked()
        document = self.studio.document
        project, name = sections.split_section(document.project, section, min(indices))
        document.apply(f"Split {section}", project)
        document.select(Selection("section", (name,)))

    @action(
        "Make element of the points",
        "Track",
        icon="element",
        tip="The selected points and those between them become an element of their own; the track stays as it is",
        when=POINTS,
    )
    @guarded(REFUSED)
    def make_element(self) -> None:
        """The selected points, and those between them, become an element of their own."""
        section, indices = self._picked()
        document = self.studio.document
        project, name = sections.own_section(document.project, section, min(indices), max(indices))
        document.apply(f"Make element of points of {section}", project)
        document.select(Selection("section", (name,)))

    @action("Add spline section", "Track", icon="points", when=OPEN_TRACK)
    @guarded(REFUSED)
    def add_spline(self) -> None:
        """A spline section at the end of an open track."""
        document = self.studio.document
        project, name = sections.add_spline_section(document.project, self._built())
        document.apply("Add spline section", project)
        document.select(Selection("section", (name,)))

    @action("Add straight section", "Track", icon="track", when=OPEN_TRACK)
    @guarded(REFUSED)
    def add_straight(self) -> None:
        """A straight section at the end of an open track."""
        document = self.studio.document
        project, name = sections.add_straight_section(document.project, self._built())
        document.apply("Add straight section", project)
        document.select(Selection("section", (name,)))

    @action("Join with next section", "Track", when=SECTION)
    @guarded(REFUSED)
    def join_section(self) -> None:
        """Make one section of the selected and the next one."""
        document = self.studio.document
        section = document.selection.path[0]
        document.apply(f"Join {section}", sections.join_with_next(document.project, section))

    @action("Reverse direction", "Track", icon="reverse", tip="Ride it the other way", when=TRACK)
    @guarded(REFUSED)
    def reverse_track(self) -> None:
        """Ride the track in the other direction."""
        document = self.studio.document
        document.apply("Reverse track", sections.reverse_track(document.project))

    @action(
        "Roll points into cants",
        "Track",
        tip="What auto-bank set between the control points becomes cants of the points",
        after=ToolCommands.match_speeds,
        when=SECTION,
    )
    @guarded(REFUSED)
    def clear_roll_points(self) -> None:
        """Cants of the control points instead of the roll points of the selected section."""
        document = self.studio.document
        section = document.selection.path[0]
        project = roll_points.clear_roll_points(document.project, self._built(), section)
        document.apply(f"Roll points of {section} into cants", project)

    @action("Closed circuit", "Track", tip="The last section runs back to the first point", when=TRACK)
    @guarded(REFUSED)
    def toggle_closed(self) -> None:
        """Close the circuit, or open it."""
        document = self.studio.document
        track = document.project.track
        if track is None:
            return
        changed = set_track(document.project, {"closed": not track.closed})
        assert changed.track is not None
        build_track(changed.track)
        document.apply("Open the circuit" if track.closed else "Close the circuit", changed)

    @toggle_closed.switched
    def _is_closed(self) -> bool:
        track = self.studio.document.project.track
        return track is not None and track.closed
