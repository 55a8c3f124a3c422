"""What is not of the present design is marked as such: banners over the 3D view and over the panels."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QEvent, QObject, QTimer
from PySide6.QtWidgets import QWidget

from ..document.document import Document, Problem
from ..widgets.banner import Banner

OF_TRACK = ("profile", "plan", "points", "sections", "forces")  # panels that draw the track as it is
OF_RUNS = ("loads", "injury", "quality", "channels")  # panels that draw runs
BELOW = 56  # px from the upper edge of the view, below its buttons
WIDEST = 900  # px


def not_your_design(document: Document) -> str:
    """What is drawn instead of a track that cannot be built, and why; "" while what is drawn is the design."""
    fault = document.fault_of_track()
    if not fault:
        return ""
    shown = "the last shape that could be built" if document.last_good is not None else "nothing can be drawn"
    return f"Not your design: {shown}. {fault[:1].upper()}{fault[1:]}"


def older_runs(document: Document) -> str:
    """Which of the runs that are drawn are of an older design; "" when none is."""
    drawn = [run for run in (document.current_run, *document.compared) if run is not None]
    old = [run.name for run in drawn if document.is_stale(run)]
    if not old:
        return ""
    names = old[0] if len(old) == 1 else f"{', '.join(old[:-1])} and {old[-1]}"
    return f"{names}: of an older design. The project has changed since."


class Banners(QObject):
    """Keeps the banner of the view and those of the panels up to date."""

    def __init__(
        self, document: Document, view: QWidget, run: Callable[[], object], go: Callable[[Problem], object]
    ) -> None:
        """run: runs the project; go: leads to a problem."""
        super().__init__(view)
        self._document, self._view, self._run, self._go = document, view, run, go
        self._panels: dict[str, Banner] = {}
        self._problem: Problem | None = None
        self.view = Banner(view)
        self.view.acted.connect(self._act)
        view.installEventFilter(self)
        self._soon = QTimer(self)
        self._soon.setSingleShot(True)
        self._soon.timeout.connect(self.refresh)
        for signal in (
            document.project_changed,
            document.preview_changed,
            document.runs_changed,
            document.problems_changed,
        ):
            signal.connect(lambda *_: self._soon.start(0))

    def over(self, name: str) -> Banner | None:
        """The banner for a panel, to be put above it; None for one that shows nothing of track or runs."""
        if name not in (*OF_TRACK, *OF_RUNS):
            return None
        banner = Banner()
        banner.acted.connect(self._run if name in OF_RUNS else self._act)
        self._panels[name] = banner
        self._soon.start(0)
        return banner

    def refresh(self) -> None:
        """Say what is wrong now."""
        document = self._document
        foreign, old = not_your_design(document), older_runs(document)
        errors = [problem for problem in document.problems if problem.severity == "error"]
        self._problem = errors[0] if errors else None
        for name, banner in self._panels.items():
            if name in OF_RUNS:
                banner.say(old, "warning", "Run again" if old else "")
            else:
                banner.say(foreign, "error", "Show" if foreign and errors else "")
        if foreign or errors:
            more = f" (and {len(errors) - 1} more)" if len(errors) > 1 else ""
            self.view.say((foreign or errors[0].text) + more, "error", "Show" if errors else "")
        else:
            self.view.say(old, "warning", "Run again" if old else "")
        self._place()

    def _act(self) -> None:
        if self._problem is not None:
            self._go(self._problem)
        else:
            self._run()

    def _place(self) -> None:
        wide = min(self._view.width() - 32, WIDEST)
        self.view.setGeometry((self._view.width() - wide) // 2, BELOW, wide, self.view.sizeHint().height())
        self.view.raise_()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Resize:
            self._place()
        return super().eventFilter(watched, event)
