"""A number is half typed when its panel is shut, its element is taken away, or another project is opened."""

from __future__ import annotations

from collections.abc import Callable

import pytest
import shiboken6
from mouse_and_keyboard import settle
from PySide6.QtCore import QTimer
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLineEdit, QWidget

from ridewright.app.document.selection import NOTHING, Selection
from ridewright.app.shell.main_window import MainWindow
from ridewright.app.shell.preferences import Preferences
from ridewright.app.tools.dialog import close_tools
from ridewright.app.train.library_page import LibraryPage
from ridewright.app.train.make_train import LoadTrain, MakeTrain
from ridewright.core.project.examples import load_example

MOST = 12  # fields of one panel


@pytest.fixture
def raised(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """What was raised in a slot or an event, where Qt only prints it."""
    found: list[str] = []
    monkeypatch.setattr("sys.excepthook", lambda _kind, value, _trace: found.append(repr(value)))
    return found


def test_that_what_a_slot_raises_is_seen(qtbot, raised) -> None:
    QTimer.singleShot(0, lambda: [].pop())
    qtbot.waitUntil(lambda: bool(raised), timeout=1000)


def _fields(widget: QWidget) -> list[QLineEdit]:
    return [
        f
        for f in widget.findChildren(QLineEdit)
        if f.isVisibleTo(widget) and f.isEnabled() and not f.isReadOnly()
    ]


def _type(field: QLineEdit) -> None:
    field.setFocus()
    field.selectAll()
    QTest.keyClicks(field, "1")


TOOLS = (
    "auto_bank",
    "smooth",
    "close_circuit",
    "move_part",
    "match_speeds",
    "convert_section",
    "split_anywhere",
    "heartline",
    "launch_calculator",
    "supports",
    "ground",
    "envelope",
)
ENDS: dict[str, Callable[[MainWindow, QWidget], object]] = {
    "shut": lambda studio, panel: panel.close(),
    "nothing selected": lambda studio, panel: studio.document.select(NOTHING),
    "another project": lambda studio, panel: studio.document.start_from(load_example("straight")),
    "undone": lambda studio, panel: studio.document.undo_stack.undo(),
    "a rig": lambda studio, panel: studio.document.start_from(load_example("planar_pendulum")),
}


@pytest.mark.nightly
@pytest.mark.parametrize("end", ENDS)
def test_that_no_panel_minds(qtbot, studio: MainWindow, unexpected, raised, end) -> None:
    star = studio.document.project
    for name, dock in studio.docks.items():
        for chosen in (
            Selection("points", ("climb",), (3,)),
            Selection("scenario"),
            Selection("body", ("Car", "Carbody")),
        ):
            studio.document.start_from(star)
            studio.document.apply("Note", star.model_copy(update={"notes": "x"}))
            studio.document.select(chosen)
            studio.show_panel(name)
            settle()
            count = len(_fields(dock))
            for k in range(min(count, MOST)):
                fields = _fields(dock)
                if k >= len(fields):
                    break
                _type(fields[k])
                ENDS[end](studio, dock)
                settle()
                assert raised == [], f"{name}, field {k}, {chosen.kind}"
                studio.show_panel(name)
                studio.document.start_from(star)
                studio.document.apply("Note", star.model_copy(update={"notes": "x"}))
                studio.document.select(chosen)
                settle()
                assert raised == [], f"{name}, field {k}, {chosen.kind}"
            if name not in ("inspector", "forces"):
                break


@pytest.mark.nightly
@pytest.mark.parametrize("end", ENDS)
def test_that_no_dialog_minds(qtbot, studio: MainWindow, unexpected, raised, end) -> None:
    star = studio.document.project
    makes = {f"tool {name}": (lambda name=name: _tool(studio, name)) for name in TOOLS}
    makes |= {
        "preferences": lambda: _shown(Preferences(studio.settings, studio)),
        "start page": lambda: _shown(studio.start.make_page()),
        "library": lambda: _shown(LibraryPage(studio)),
        "make train": lambda: _shown(MakeTrain(studio.document, studio)),
        "load train": lambda: _shown(LoadTrain(studio.document, studio)),
    }
    for name, make in makes.items():
        dialog = make()
        for k in range(min(len(_fields(dialog)), MOST)):
            fields = _fields(dialog)
            if k >= len(fields):
                break
            _type(fields[k])
            ENDS[end](studio, dialog)
            settle()
            if shiboken6.isValid(dialog):
                dialog.close()
                dialog.deleteLater()
            settle()
            assert raised == [], f"{name}, field {k}"
            studio.document.start_from(star)
            studio.document.apply("Note", star.model_copy(update={"notes": "x"}))
            dialog = make()
        dialog.close()
    close_tools(studio)
    assert raised == []


def _shown(dialog: QWidget) -> QWidget:
    dialog.show()
    QApplication.processEvents()
    return dialog


def _tool(studio: MainWindow, name: str) -> QWidget:
    getattr(studio.tools, name)()
    settle()
    return studio.tools.current
