"""The start page: what one can begin with, rides as pictures, test rigs folded, textbook tracks, measured rides."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QIcon
from PySide6.QtWidgets import (
    QDialog,
    QDialogButtonBox,
    QLabel,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from ...core.base.bundled import (
    example_names,
    example_note,
    example_picture,
    example_title,
    ride_names,
)
from ...core.edits.templates import templates
from ..model_editor.field_row import FoldingGroup
from ..widgets import theme
from ..widgets.flow import FlowLayout
from ..widgets.icons import icon
from ..widgets.plain_words import plain_tip
from ..widgets.scrolled import scrolled
from ..widgets.window_size import resize_on_screen
from .commands.files import FileCommands
from .commands.help import HelpCommands
from .commands.measured import MeasuredCommands
from .studio import Studio

PICTURE = QSize(220, 132)


class StartPage(QDialog):
    """What is pressed begins at once and closes the page."""

    def __init__(
        self, studio: Studio, files: FileCommands, measured: MeasuredCommands, help: HelpCommands
    ) -> None:
        super().__init__(studio.parent)
        self._files, self._settings = files, studio.settings
        self.setWindowTitle("Start page")
        resize_on_screen(self, 1060, 740)
        body = QWidget()
        self._column = QVBoxLayout(body)
        self._column.setContentsMargins(16, 16, 16, 16)
        self._column.setSpacing(8)
        self._begin()
        self._group("Without a design", (
            self._button("Textbook tracks", "loop", help.textbook, "A ball on a hump, loop or circle"),
            self._button(
                "Measured ride…", "import", measured.open_measured,
                "Read an accelerometer record and judge it",
            ),
            self._button("User guide", "help", help.guide, "With the first tasks, step by step"),
        ))  # fmt: skip
        self._rides()
        self._rigs()
        self._column.addStretch(1)
        area = scrolled(body)
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Close)
        buttons.rejected.connect(self.reject)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 8, 8)
        layout.addWidget(area, 1)
        layout.addWidget(buttons)

    def _begin(self) -> None:
        files = self._files
        made = [
            self._button("New circuit", "new", files.new, "A small circuit with a car and a rider that runs at once"),
            self._button("Empty project", "new", files.new_empty, "Nothing yet: insert the first element"),
            self._button("Open…", "open", files.open, "A project file"),
        ]  # fmt: skip
        for name, template in templates().items():
            made.append(
                self._button(
                    template.title, template.icon, partial(files.new_from_template, name), template.about
                )
            )
        self._group("New", tuple(made))
        recent = tuple(
            self._button(path.stem, "open", partial(files.open_path, path), str(path))
            for path in self._settings.recent_files[:6]
        )
        if recent:
            self._group("Recent", recent)

    def _rides(self) -> None:
        shade = theme.current().name
        cards = []
        for name in ride_names():
            card = self._button(example_title(name), "", partial(self._example, name), example_note(name))
            card.setIcon(QIcon(str(example_picture(name, shade))))
            card.setIconSize(PICTURE)
            card.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextUnderIcon)
            cards.append(card)
        self._group("Rides", tuple(cards))

    def _rigs(self) -> None:
        rides = set(ride_names())
        names = [name for name in example_names() if name not in rides]
        group = FoldingGroup(f"Test rigs of a few bodies ({len(names)})", True)
        holder = QWidget()
        flow = FlowLayout(holder, 6)
        for name in names:
            flow.addWidget(
                self._button(example_title(name), "", partial(self._example, name), example_note(name))
            )
        group.column.addWidget(holder)
        self.rigs = group
        self._column.addWidget(group)

    def _group(self, title: str, buttons: tuple[QToolButton, ...]) -> None:
        heading = QLabel(title)
        heading.setProperty("role", "heading")
        self._column.addWidget(heading)
        holder = QWidget()
        flow = FlowLayout(holder, 6)
        for button in buttons:
            flow.addWidget(button)
        self._column.addWidget(holder)

    def _button(self, text: str, picture: str, do: Callable[[], object], tip: str) -> QToolButton:
        button = QToolButton()
        button.setText(text.replace("&", "&&"))
        button.setAccessibleName(text)
        button.setToolTip(plain_tip(tip))
        button.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextOnly)
        if picture:
            button.setIcon(icon(picture))
            button.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        button.clicked.connect(lambda: self._go(do))
        return button

    def _example(self, name: str) -> None:
        self._files.open_example(name)

    def _go(self, do: Callable[[], object]) -> None:
        self.accept()
        do()
