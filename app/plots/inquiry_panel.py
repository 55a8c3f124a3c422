"""What panels have in common that ask something beside the window: tabs, a button, Stop, and a note on the answer."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Sequence
from typing import Any

from PySide6.QtWidgets import QPushButton, QStackedWidget, QTabBar, QVBoxLayout, QWidget

from ..document.document import Document
from ..widgets.flow import FlowLayout
from ..widgets.plain_words import plain_label
from ..widgets.refresh import Refresh
from ..widgets.settings import Settings
from ..work.inquiry import Inquiry
from ..work.task import ProgressReporter


class InquiryPanel(QWidget):
    """A bar with tabs and the button that asks, a note below it, and a page a tab.

    A panel adds its pages, lays itself out and is then begun; it says by `_fill` what stands on the pages, by `_ready`
    whether it can be asked and by `_said` what the note is where nothing is wrong or under way.
    """

    def __init__(
        self,
        document: Document,
        work: Callable[[Any, ProgressReporter], Any],
        asks: str,
        tabs: Sequence[str],
        parent: QWidget | None = None,
        *,
        name: str,
        failing: str,
    ) -> None:
        super().__init__(parent)
        self._document = document
        self.inquiry = Inquiry(name, work, document, self, failing=failing)
        self.tabs = QTabBar()
        self.tabs.setAccessibleName(f"Pages: {', '.join(tabs)}")
        self.tabs.setDrawBase(False)
        self.tabs.setExpanding(False)
        for text in tabs:
            self.tabs.addTab(text)
        self.button = QPushButton(asks)
        self.button.clicked.connect(lambda: self.run())
        self.stop = QPushButton("Stop")
        self.stop.clicked.connect(self.inquiry.give_up)
        self.note = plain_label()
        self.note.setProperty("role", "muted")
        self.note.setWordWrap(True)
        self.pages = QStackedWidget()
        self.tabs.currentChanged.connect(self._on_tab)

    def _lay_out(self, bar: Sequence[QWidget], body: QWidget) -> None:
        """The tabs with what else stands in their row, the note, and the rest."""
        row = FlowLayout()
        row.setSpacing(6)
        for widget in (self.tabs, *bar):
            row.addWidget(widget)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(8, 4, 8, 4)
        layout.setSpacing(4)
        layout.addLayout(row)
        layout.addWidget(self.note)
        layout.addWidget(body, 1)

    def _begin(self, settings: Settings) -> None:
        """From now on follow the document and the answers."""
        self._state = Refresh(self, self._on_edit)
        self._document.project_changed.connect(lambda _: self._state.soon())
        self._document.begun.connect(self._fill)  # after the inquiry, which forgets
        self.inquiry.changed.connect(self._show_state)
        settings.changed.connect(lambda name: self._fill() if name == "units" else None)
        self._fill()

    @property
    def answer(self) -> Any:
        """The last answer, None without one."""
        return None if self.inquiry.found is None else self.inquiry.found[1]

    @abstractmethod
    def run(self) -> None:
        """Ask, beside the window."""

    @abstractmethod
    def _fill(self) -> None:
        """Show the answer."""

    @abstractmethod
    def _ready(self) -> bool:
        """Whether there is something to ask about."""

    @abstractmethod
    def _said(self) -> str:
        """The note."""

    def _on_edit(self) -> None:
        """The design has changed."""
        self._show_state()

    def _on_tab(self, which: int) -> None:
        self.pages.setCurrentIndex(which)

    def _show_state(self) -> None:
        """What can be done now, and the note; while it is worked on that is left to the progress."""
        running = self.inquiry.running
        self.button.setEnabled(not running and self._ready())
        self.button.setVisible(not running)
        self.stop.setVisible(running)
        if running:
            return
        self.note.setText(self.inquiry.why or self._said())
        role = "bad" if self.inquiry.why else "muted"
        if self.note.property("role") != role:
            self.note.setProperty("role", role)
            self.note.style().polish(self.note)

    def _enable_tabs(self, there: Sequence[bool]) -> None:
        """Tabs with nothing on their page cannot be chosen; the first one is always there."""
        for tab, something in enumerate(there):
            self.tabs.setTabEnabled(tab, something)
            if self.tabs.currentIndex() == tab and not something:
                self.tabs.setCurrentIndex(0)
