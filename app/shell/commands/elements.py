"""Track menu: pieces of track and devices inserted, sections moved, copied, deleted, converted."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtGui import QCursor
from PySide6.QtWidgets import QMenu

from ....core.base.errors import InputError
from ....core.edits import along_track, sections
from ....core.edits.changes import the_track
from ....core.edits.elements_track import duplicate_section
from ....core.project.project import Project
from ....core.track.build import BuiltTrack, build_track
from ...document.document import Selection
from ...elements.menus import (
    device_menu,
    element_menu,
    fill_devices,
    fill_elements,
    needs_text,
    refresh_icons,
    say_needs,
)
from ...elements.track_elements import DEVICES, TRACK_ELEMENTS, insert_piece, speed_of_ride
from ...widgets.icons import icon
from ...work.preview import RidePreview
from ..studio import Studio
from .conditions import ON_SECTION
from .declared import Group, action
from .guard import guarded
from .tools import ToolCommands

REFUSED = "That is not possible here"


class ElementCommands(Group):
    """Sections as pieces of a list."""

    def __init__(self, studio: Studio, tools: ToolCommands) -> None:
        super().__init__(studio)
        self._tools = tools
        self._preview = RidePreview.of(studio.document)

    # -- menus

    def make_element_menu(self, name: str) -> QMenu:
        """A menu of the pieces, owned by the window."""
        menu = element_menu(self.studio.parent, self.insert, name)
        menu.aboutToShow.connect(lambda: say_needs(menu, self._speed_behind(self._selected_section())))
        return menu

    def make_device_menu(self, name: str) -> QMenu:
        """A menu of the devices, owned by the window."""
        return device_menu(self.studio.parent, self.insert_device, name)

    @action(
        "Insert element",
        "Track",
        icon="element",
        shortcut="Shift+A",
        tip="Insert straights, curves, hills, loops and rolls behind the selected section, or at the end",
        line_above=True,
    )
    def insert_element(self) -> None:
        """Open the element menu at the mouse."""
        self._pop(self.make_element_menu("elements_at_mouse"))

    @action(
        "Add lift, launch or brake",
        "Track",
        icon="device",
        shortcut="Shift+D",
        tip="Put a lift, launch, brake, tyres or a station on the selected section",
        when=ON_SECTION,
    )
    def add_device(self) -> None:
        """Open the menu of devices at the mouse."""
        self._pop(self.make_device_menu("devices_at_mouse"))

    def fill_view_menu(self, menu: QMenu, s: float | None) -> None:
        """Offer pieces and devices in the context menu of the 3D view; s (m): the place under the mouse."""
        built = self.studio.document.built()
        name = built.section_at(s) if built is not None and s is not None else None

        def at(call: Callable[[str], None], id: str) -> None:
            if name is not None:
                self.studio.document.select(Selection("section", (name,)))
            call(id)

        menu.addSeparator()
        where = f"behind “{name}”" if name is not None else "behind the selection, or at the end"
        pieces = menu.addMenu(icon("element"), f"Insert {where}")
        fill_elements(pieces, lambda id: at(self.insert, id))
        say_needs(pieces, self._speed_behind(name or self._selected_section()))
        if name is not None:
            split = menu.addAction(icon("tool-split"), f"Split “{name}” here…")
            split.triggered.connect(lambda: self._split_at(name, s))
            devices = menu.addMenu(icon("device"), f"Add lift, launch or brake on “{name}”")
            fill_devices(devices, lambda id: at(self.insert_device, id))

    def _split_at(self, name: str, s: float | None) -> None:
        self.studio.document.select(Selection("place", s=s))
        self._tools.split_anywhere()

    @staticmethod
    def _pop(menu: QMenu) -> None:
        refresh_icons(menu)
        menu.aboutToHide.connect(menu.deleteLater)
        menu.popup(QCursor.pos())

    # -- inserting

    def _selected_section(self) -> str | None:
        """The section of the selection, of a selected place, or of a selected device."""
        document = self.studio.document
        chosen, track = document.selection, document.project.track
        if track is None:
            return None
        if chosen.kind in ("points", "section"):
            return chosen.path[0]
        if chosen.kind == "device":
            return next(d.section for d in track.devices if d.name == chosen.path[0])
        built = document.built(document.project)
        if chosen.kind == "place" and chosen.s is not None and built is not None:
            return built.section_at(chosen.s)
        return None

    def _built(self) -> BuiltTrack | None:
        document = self.studio.document
        track = document.project.track
        if track is None:
            return None
        return document.built(document.project) or build_track(track)

    def _speed_behind(self, section: str | None) -> float | None:
        """Speed (m/s) of the preview's ride at the end of a section (None: of the track), if known."""
        project = self.studio.document.project
        built, ride = self.studio.document.built(project), self._preview.ride(project)
        return None if built is None or ride is None else speed_of_ride(ride, built, section)

    @guarded("The element cannot be laid here")
    def insert(self, id: str) -> None:
        """Insert a piece behind the selected section, or at the end, select it and bring it into the picture."""
        document, after = self.studio.document, self._selected_section()
        piece = next(piece for piece in TRACK_ELEMENTS if piece.id == id)
        needed = needs_text(piece, self._speed_behind(after))
        project, name = insert_piece(document.project, self._built(), id, after)
        document.apply(f"Insert {_title(id)}", project)
        document.reveal(Selection("section", (name,)))
        self.studio.show_panel("inspector")
        if needed:
            self.studio.log(f"“{name}” is sized for the speed it needs. {needed}", "warning")

    @guarded(REFUSED)
    def insert_device(self, kind: str) -> None:
        """Put a device on the selected section and select it."""
        document = self.studio.document
        section = self._selected_section()
        if section is None:
            raise InputError("Select the section the device is to lie on first.")
        project, name = along_track.add_device(document.project, kind, section)
        document.apply(f"Add {_title(kind)}", project)
        document.select(Selection("device", (name,)))
        self.studio.show_panel("inspector")

    # -- the selected section

    def _need_section(self) -> str:
        section = self._selected_section()
        if section is None:
            raise InputError("Select a section first.")
        return section

    def _apply(self, text: str, project: Project, name: str | None) -> None:
        """Make a step of a change of the list when its track can still be built."""
        build_track(the_track(project))
        self.studio.document.apply(text, project)
        if name is not None:
            self.studio.document.select(Selection("section", (name,)))

    @action("Duplicate section", "Track", icon="duplicate", when=ON_SECTION, line_above=True)
    @guarded(REFUSED)
    def duplicate_section(self) -> None:
        """A copy of the selected section right behind it."""
        name = self._need_section()
        project, copy = duplicate_section(self.studio.document.project, name)
        self._apply(f"Duplicate {name}", project, copy)

    @action("Move section up", "Track", shortcut="Alt+Up", when=ON_SECTION)
    @guarded(REFUSED)
    def section_up(self) -> None:
        """Let the selected section come earlier."""
        self._move(-1)

    @action("Move section down", "Track", shortcut="Alt+Down", when=ON_SECTION)
    @guarded(REFUSED)
    def section_down(self) -> None:
        """Let the selected section come later."""
        self._move(1)

    @action("Delete section", "Track", icon="delete", when=ON_SECTION)
    @guarded(REFUSED)
    def delete_section(self) -> None:
        """Delete the selected section; the one before it is selected then."""
        name = self._need_section()
        project = self.studio.document.project
        names = [s.name for s in the_track(project).sections]
        k = names.index(name)
        made = sections.delete_section(project, name)
        rest = [n for n in names if n != name]
        self._apply(f"Delete {name}", made, rest[max(k - 1, 0)])

    def _move(self, by: int) -> None:
        name = self._need_section()
        project = self.studio.document.project
        names = [s.name for s in the_track(project).sections]
        to = names.index(name) + by
        if not 0 <= to < len(names):
            raise InputError(f"'{name}' is the {'first' if by < 0 else 'last'} section already.")
        self._apply(f"Move {name}", sections.move_section(project, name, to), name)


def _title(id: str) -> str:
    return next(piece.title for piece in (*TRACK_ELEMENTS, *DEVICES) if piece.id == id).lower()
