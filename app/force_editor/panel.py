"""Panel "Forces": the functions of the selected force section, with their values and key buttons beside the names."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import numpy as np
from PySide6.QtCore import QEvent, QPoint, QSize, Qt
from PySide6.QtGui import QCursor
from PySide6.QtWidgets import (
    QGridLayout,
    QHBoxLayout,
    QLabel,
    QMenu,
    QStackedLayout,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from ...core.base.errors import InputError
from ...core.base.fields import FieldSpec, spec_of
from ...core.edits.force_keys import (
    CHANNELS,
    ChannelName,
    add_key,
    delete_key,
    entry_values,
    function_values,
    keys_of,
    set_key,
)
from ...core.edits.places import section_named
from ...core.project.project import Project
from ...core.track.elements.force import ForceSection, Key
from ..document.document import Document
from ..document.playback import Playback
from ..track_editor.dragging import Drag
from ..widgets import dialogs, units
from ..widgets.drag_label import DragLabel
from ..widgets.icons import icon
from ..widgets.number_entry import NumberEntry
from ..widgets.refresh import Refresh
from ..widgets.settings import Settings
from ..work.preview import RidePreview
from .timeline import (
    MIN_RANGE,
    SAMPLES,
    TITLES,
    UNITS,
    Lane,
    Timeline,
    colour_of,
)

EMPTY = (
    "Select a force section to see what it prescribes over time or distance. Track > Insert element > Force section"
    " makes one."
)
HINT = (
    "Drag a key to move it, double-click to add one, right-click for its transition. Shift keeps its place."
)


class ForcesPanel(QWidget):
    """Edits the selected force section; the last one stays while something else is selected."""

    def __init__(
        self, document: Document, playback: Playback, settings: Settings, parent: QWidget | None = None
    ) -> None:
        """playback: not used, so that all panels are made alike."""
        super().__init__(parent)
        self.document = document
        self.name = ""
        self._drag: Drag | None = None
        self._preview = RidePreview.of(document)
        self._starts: dict[ChannelName, float] = {}
        self.timeline = Timeline()
        self._stack = QStackedLayout(self)
        self._empty = QLabel(EMPTY)
        self._empty.setWordWrap(True)
        self._empty.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self._empty.setProperty("role", "muted")
        self._empty.setMargin(24)
        self._stack.addWidget(self._empty)
        body = QWidget()
        row = QHBoxLayout(body)
        row.setContentsMargins(12, 4, 4, 4)
        row.setSpacing(8)
        row.addWidget(self._make_values())
        row.addWidget(self.timeline, 1)
        self._stack.addWidget(body)
        self.label = DragLabel(self)
        self._connect(settings)
        self.refresh()

    def _connect(self, settings: Settings) -> None:
        self._soon = Refresh(self, self.refresh)
        for signal in (
            self.document.project_changed,
            self.document.preview_changed,
            self.document.selection_changed,
        ):
            signal.connect(lambda *_: self._soon.soon())
        settings.changed.connect(lambda name: self._rebuild() if name == "units" else None)
        t = self.timeline
        t.key_dragged.connect(self._dragged)
        t.key_dropped.connect(self._dropped)
        t.drag_cancelled.connect(self._cancelled)
        t.add_wanted.connect(self._add)
        t.menu_wanted.connect(self._menu)
        t.delete_wanted.connect(self.delete)
        t.cursor_moved.connect(lambda _at: self._show_values())

    def _make_values(self) -> QWidget:
        side = QWidget()
        side.setFixedWidth(236)
        column = QVBoxLayout(side)
        column.setContentsMargins(0, 4, 0, 0)
        column.setSpacing(2)
        self.heading = QLabel("")
        self.heading.setProperty("role", "heading")
        column.addWidget(self.heading)
        self._grid = QGridLayout()
        self._grid.setHorizontalSpacing(4)
        self._grid.setVerticalSpacing(2)
        column.addLayout(self._grid, 1)
        hint = QLabel(HINT)
        hint.setWordWrap(True)
        hint.setProperty("role", "muted")
        font = hint.font()
        font.setPointSizeF(font.pointSizeF() * 0.85)
        hint.setFont(font)
        column.addWidget(hint)
        self._make_rows()
        return side

    def _make_rows(self) -> None:
        self.values: dict[ChannelName, NumberEntry] = {}
        self.names: dict[ChannelName, QLabel] = {}
        self.key_buttons: dict[ChannelName, QToolButton] = {}
        for line, channel in enumerate(CHANNELS):
            name = QLabel(TITLES[channel])
            spec = FieldSpec(channel, TITLES[channel], "number", "", UNITS[channel])
            entry = NumberEntry(spec)
            entry.line.setAccessibleName(f"{TITLES[channel]} at the cursor")
            entry.given.connect(partial(self._typed, channel))
            before = self._button("step-back", "To the key before", partial(self._jump, channel, -1))
            key = self._button(
                "add",
                "Key at the cursor: add it or take it away",
                partial(self._toggle, channel),
            )
            after = self._button("step-forward", "To the next key", partial(self._jump, channel, 1))
            for k, widget in enumerate((name, entry, before, key, after)):
                self._grid.addWidget(widget, line, k)
            self._grid.setRowStretch(line, 1)
            self.names[channel], self.values[channel], self.key_buttons[channel] = name, entry, key
        self._grid.setColumnStretch(1, 1)
        self._paint_names()

    def _button(self, picture: str, tip: str, call: Callable[[], None]) -> QToolButton:
        button = QToolButton()
        button.setIcon(icon(picture))
        button.setIconSize(QSize(14, 14))
        button.setToolTip(tip)
        button.setAccessibleName(tip)
        button.clicked.connect(lambda: call())
        return button

    def _rebuild(self) -> None:
        while (item := self._grid.takeAt(0)) is not None:
            if (widget := item.widget()) is not None:
                widget.deleteLater()
        self._make_rows()
        self.refresh()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange and hasattr(self, "names"):
            self._rebuild()

    def _paint_names(self) -> None:
        for channel, label in self.names.items():
            label.setStyleSheet(f"color: {colour_of(channel)}; font-weight: 600;")

    # -- showing

    @property
    def section(self) -> ForceSection | None:
        """The force section that is edited, as it is shown now."""
        project = self.document.previewed or self.document.project
        sections = () if project.track is None else project.track.sections
        found = next((s for s in sections if s.name == self.name), None)
        return found if isinstance(found, ForceSection) else None

    def _follow_selection(self) -> None:
        chosen = self.document.selection
        track = self.document.project.track
        if chosen.kind != "section" or track is None:
            return
        if isinstance(section_named(track, chosen.path[0]), ForceSection):
            self.name = chosen.path[0]

    def refresh(self) -> None:
        """Show the section as it is."""
        self._follow_selection()
        section = self.section
        self._stack.setCurrentIndex(0 if section is None else 1)
        if section is None:
            return
        self._starts = entry_values(section, self.document.built())
        unit = "s" if section.over == "time" else "m"
        self.timeline.show_lanes(
            {channel: self._lane(section, channel) for channel in CHANNELS}, section.extent, unit
        )
        self._show_values()
        self._tell_change()

    def _lane(self, section: ForceSection, channel: ChannelName) -> Lane:
        at = np.linspace(0.0, section.extent, SAMPLES)
        values = function_values(section, channel, self._starts[channel], at)
        keys = np.array([(key.at, key.value) for key in keys_of(section, channel)]).reshape(-1, 2)
        low, high = float(values.min()), float(values.max())
        room = max(0.18 * (high - low), MIN_RANGE[channel])
        return Lane(keys, np.column_stack([at, values]), low - room, high + room)

    def _show_values(self) -> None:
        section = self.section
        if section is None:
            return
        at = self.timeline.cursor_at
        self.heading.setText(f"{self.name} at {units.text(at, self.timeline.unit, decimals=2)}")
        for channel in CHANNELS:
            value = function_values(section, channel, self._starts[channel], [at])[0]
            self.values[channel].set_value(round(float(value), 4) + 0.0)
            on = self._key_here(section, channel) is not None
            self.key_buttons[channel].setIcon(icon("delete" if on else "add"))

    def _key_here(self, section: ForceSection, channel: ChannelName) -> int | None:
        near = 2e-3 * section.extent
        keys = keys_of(section, channel)
        return next((k for k, key in enumerate(keys) if abs(key.at - self.timeline.cursor_at) < near), None)

    # -- editing

    def _step(self, text: str, edit: Callable[[Project], Project]) -> None:
        try:
            self.document.apply(text, edit(self.document.project))
        except InputError as error:
            dialogs.message(self, "That is not possible here", units.told(error), bad=True)

    def _typed(self, channel: ChannelName, value: float) -> None:
        at = self.timeline.cursor_at
        text = f"Set {TITLES[channel].lower()} of {self.name}"
        self._step(text, lambda p: add_key(p, self.name, channel, at, value)[0])

    def _toggle(self, channel: ChannelName) -> None:
        section = self.section
        if section is None:
            return
        here = self._key_here(section, channel)
        if here is not None:
            self.delete(channel, here)
            return
        at = self.timeline.cursor_at
        value = float(function_values(section, channel, self._starts[channel], [at])[0])
        self._add(channel, at, value)

    def _jump(self, channel: ChannelName, way: int) -> None:
        section = self.section
        if section is None:
            return
        now, near = self.timeline.cursor_at, 2e-3 * section.extent
        positions = [key.at for key in keys_of(section, channel) if way * (key.at - now) > near]
        if positions:
            self.timeline.cursor_at = min(positions) if way > 0 else max(positions)
            self.timeline.update()
            self._show_values()

    def _add(self, channel: ChannelName, at: float, value: float) -> None:
        text = f"Add key to {TITLES[channel].lower()} of {self.name}"
        rounded = float(f"{value:.4g}")
        self._step(text, lambda p: add_key(p, self.name, channel, at, rounded)[0])
        self.timeline.cursor_at = at

    def delete(self, channel: ChannelName, number: int) -> None:
        """Take a key away."""
        text = f"Delete key of {TITLES[channel].lower()} of {self.name}"
        self.timeline.selected = None
        self._step(text, lambda p: delete_key(p, self.name, channel, number))

    def _dragged(self, channel: ChannelName, number: int, at: float, value: float) -> None:
        if self._drag is None:
            self._drag = Drag(self.document, f"Move key of {TITLES[channel].lower()} of {self.name}", self)
        fields = {"at": at, "value": float(np.clip(value, -50.0, 50.0))}
        name = self.name
        self._drag.show(lambda project: set_key(project, name, channel, number, fields))

    def _tell_change(self) -> None:
        """What the drag of a key does to the loads, beside the mouse."""
        self.label.say(self._preview.drag_text(self.name) if self._drag is not None else "")
        self.label.put_at(self.mapFromGlobal(QCursor.pos()))

    def _dropped(self) -> None:
        drag, self._drag = self._drag, None
        self.label.say("")
        if drag is not None:
            drag.finish()

    def _cancelled(self) -> None:
        drag, self._drag = self._drag, None
        self.label.say("")
        if drag is not None:
            drag.cancel()

    def _menu(self, channel: ChannelName, number: int, position: QPoint) -> None:
        menu = self.menu_for(channel, number)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        menu.popup(position)

    def menu_for(self, channel: ChannelName, number: int) -> QMenu:
        """The context menu of a key: how it is reached, and taking it away."""
        menu = QMenu(self)
        section = self.section
        now = None if section is None else keys_of(section, channel)[number].transition
        words = spec_of(Key, "transition").words
        text = f"Change transition of {TITLES[channel].lower()} of {self.name}"

        def change(kind: str) -> None:
            self._step(text, lambda p: set_key(p, self.name, channel, number, {"transition": kind}))

        for kind, title in words.items():
            action = menu.addAction(title)
            action.setCheckable(True)
            action.setChecked(kind == now)
            action.triggered.connect(lambda _on=False, kind=kind: change(kind))
        menu.addSeparator()
        gone = menu.addAction(icon("delete"), "Delete key")
        gone.triggered.connect(lambda: self.delete(channel, number))
        return menu
