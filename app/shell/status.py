"""The status line: what the program is doing, what is selected, how far a run is."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QProgressBar, QStatusBar, QToolButton, QWidget

from ..document.document import Document
from ..widgets.elided import ElidedLabel
from ..widgets.progress import progress_text
from ..work.runner import Runner
from .problems import top_name, where_text

SHOWN = 8000  # ms a message stays


class StatusLine(QStatusBar):
    """Messages on the left; run, selection and problems on the right."""

    def __init__(self, document: Document, runner: Runner, parent: QWidget) -> None:
        super().__init__(parent)
        self._document, self._runner = document, runner
        self._way = ""
        self.work = ElidedLabel(asks=True)
        self.bar = QProgressBar()
        self.bar.setRange(0, 1000)
        self.bar.setFixedWidth(120)
        self.bar.setTextVisible(False)
        self.selected = ElidedLabel(asks=True)
        self.problems = QToolButton()
        self.problems.setToolTip("Show the problems")
        self.problems.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.problems.setCursor(Qt.CursorShape.PointingHandCursor)
        for widget in (self.work, self.bar, self.selected, self.problems):
            widget.setContentsMargins(8, 0, 8, 0)
            self.addPermanentWidget(widget)
        document.selection_changed.connect(lambda _: self._on_selection())
        document.problems_changed.connect(self._on_problems)
        runner.state_changed.connect(self._on_state)
        runner.started.connect(self._on_started)
        runner.progressed.connect(self._on_progress)
        self._on_selection()
        self._on_problems()
        self._on_state()

    def say(self, text: str) -> None:
        """Show a message for some seconds."""
        self.showMessage(text, SHOWN)

    def say_way(self, text: str) -> None:
        """Say what holds until another workspace is shown."""
        self._way = text
        self.say(text)

    def forget_way(self) -> None:
        """Say no longer what held in the workspace before."""
        if self.currentMessage() == self._way:
            self.clearMessage()
        self._way = ""

    def _on_selection(self) -> None:
        selection, project = self._document.selection, self._document.project
        built = self._document.built() if selection.kind == "place" else None
        text = where_text(selection, top_name(project), built)
        self.selected.setText(text)
        self.selected.setVisible(bool(text))

    def _on_problems(self) -> None:
        found = self._document.problems
        errors = sum(problem.severity == "error" for problem in found)
        warnings = sum(problem.severity == "warning" for problem in found)
        parts = [
            f"{n} {word}{'s' if n > 1 else ''}" for n, word in ((errors, "error"), (warnings, "warning")) if n
        ]
        self.problems.setText(", ".join(parts) or "No problems in the design")
        self.problems.setProperty("role", "bad" if errors else "warn" if warnings else "muted")
        self.problems.style().unpolish(self.problems)
        self.problems.style().polish(self.problems)

    def _on_started(self) -> None:
        self.bar.setValue(0)

    def _on_progress(self, fraction: float, now: float, end: float | None) -> None:
        self.bar.setValue(int(1000 * fraction))
        self.work.setText(progress_text(self._runner.seconds_left, fraction, now, end))

    def _on_state(self) -> None:
        running, ready = self._runner.running, self._runner.ready
        self.bar.setVisible(running or not ready)
        self.bar.setRange(0, 1000 if ready else 0)  # an unknown length moves to and fro
        if not ready:
            self.work.setText("Loading the solver (the first time it is compiled, about a minute)")
        elif running:
            self.work.setText("Preparing the run")
        else:
            self.work.setText("Solver ready")
