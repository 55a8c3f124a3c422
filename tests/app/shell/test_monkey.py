"""Thousands of random clicks, drags and keys: nothing breaks, nothing stays behind, undo leads back to the start."""

from __future__ import annotations

import threading
from pathlib import Path

import pytest
from PySide6.QtCore import QtMsgType, qInstallMessageHandler
from PySide6.QtWidgets import QFileDialog

from ridewright.app.shell.main_window import MainWindow
from ridewright.app.widgets import dialogs
from ridewright.app.widgets.settings import Settings
from ridewright.core.project.project import load_project
from tests.app.kept_window import close, first_shown
from tests.app.monkey import Monkey
from tests.app.mouse_and_keyboard import settle

HARMLESS = ("propagateSizeHints", "XDG_RUNTIME_DIR")  # of the platform, not of the program


@pytest.fixture
def window(qtbot, settings: Settings, unexpected: list[str], surface: str, monkeypatch: pytest.MonkeyPatch):
    """A window of its own with one of the two widgets; whoever asks for a file is told none."""
    from ridewright.app.shell.application import make_window

    for name in ("file_to_open", "file_to_save", "ask_text", "choose"):
        monkeypatch.setattr(dialogs, name, lambda *_a, **_k: None)
    for name in ("getSaveFileName", "getOpenFileName"):
        monkeypatch.setattr(QFileDialog, name, lambda *_a, **_k: ("", ""))
    monkeypatch.setattr(QFileDialog, "getExistingDirectory", lambda *_a, **_k: "")
    settings.surface, settings.tour_seen = surface, True
    made, fault = make_window(settings)
    assert fault == ""
    first_shown(made, qtbot)
    yield made
    close(made)


@pytest.mark.nightly
@pytest.mark.parametrize(("surface", "seed"), [("painted", 1), ("interactor", 2)])
def test_that_five_thousand_random_actions_leave_nothing_and_undo_to_the_start(
    window: MainWindow, seed: int, tmp_path: Path
) -> None:
    document, told = window.document, []

    def note(kind: QtMsgType, _context: object, text: str) -> None:
        if kind != QtMsgType.QtDebugMsg and not any(word in text for word in HARMLESS):
            told.append(text)

    before, threads = document.project, {thread.name for thread in threading.enumerate()}
    qInstallMessageHandler(note)
    monkey = Monkey(window, seed)
    try:
        for _ in range(5000):
            monkey.act()
    finally:
        monkey.stop()
        qInstallMessageHandler(None)
    assert min(monkey.done.values()) > 50
    assert told == []
    document.save_as(tmp_path / "after.ridewright")
    assert load_project(tmp_path / "after.ridewright") == document.project
    assert document.undo_stack.index() > 20
    while document.undo_stack.canUndo():
        document.undo_stack.undo()
    settle()
    assert document.project == before
    left = {thread.name for thread in threading.enumerate()} - threads
    assert not [name for name in left if not name.startswith(("QThread", "Dummy"))]
