"""Saving what is large: the window lives meanwhile, nothing is lost when it is closed or the disk refuses."""

from __future__ import annotations

import threading
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import QTimer
from PySide6.QtGui import QCloseEvent
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from ridewright.app.shell.main_window import MainWindow
from ridewright.app.widgets import dialogs
from ridewright.app.work import saving
from ridewright.app.work.meanwhile import under_way
from ridewright.core.base.errors import InputError
from ridewright.core.edits.elements import set_element
from ridewright.core.project.project import Project, load_project, save_project
from ridewright.core.structure.surface import Surface, pack
from tests.app.shell.test_recovery import _with_surface

PATIENCE = 20.0  # s


def _large() -> Project:
    """A rig with an imported structure whose surface takes more than a moment to be written."""
    project, count = _with_surface(), 40_000
    numbers = np.random.default_rng(5).standard_normal((count, 3, 2)).astype(np.float32)
    none = np.zeros((0, 3), np.int64), np.zeros((count, 6, 0))
    packed, whole = pack(Surface(numbers[..., 0], np.arange(count), none[0], numbers, none[1]))
    assert project.assembly is not None
    given = project.assembly.flexibles[0].imported
    assert given is not None
    assert given.surface is not None
    surface = given.surface.model_copy(update={"points": count, "packed": packed, "whole": whole})
    made = given.model_copy(update={"surface": surface})
    return set_element(project, "flexible", ("Arm",), {"imported": made})


@pytest.fixture
def alive(monkeypatch) -> threading.Event:
    """A disk that writes when the window has lived meanwhile, and refuses where it stands still."""
    event = threading.Event()

    def write(project: Project, path: Path) -> None:
        if not event.wait(PATIENCE):
            raise InputError("The window stood still.")
        save_project(project, path)

    monkeypatch.setattr(saving, "save_project", write)
    return event


def test_that_the_file_is_the_one_that_is_written_at_once_and_no_letter_of_it_counts_as_json(
    tmp_path: Path,
) -> None:
    project = _large()
    assert saving.is_large(project)
    assert not saving.is_large(_with_surface())
    save_project(project, tmp_path / "a.ridewright")
    assert load_project(tmp_path / "a.ridewright") == project
    # what is no surface at all is written as the text it is
    assert project.assembly is not None
    surface = project.assembly.flexibles[0].imported.surface  # type: ignore[union-attr]
    given = project.assembly.flexibles[0].imported.model_copy(  # type: ignore[union-attr]
        update={"surface": surface.model_copy(update={"packed": 'no "surface"\n\\'})}  # type: ignore[union-attr]
    )
    spoilt = set_element(project, "flexible", ("Arm",), {"imported": given})
    save_project(spoilt, tmp_path / "b.ridewright")
    assert load_project(tmp_path / "b.ridewright") == spoilt


def test_that_the_window_lives_while_a_large_project_is_saved(
    studio: MainWindow, tmp_path: Path, alive: threading.Event, unexpected: list[str]
) -> None:
    document = studio.document
    document.start_from(_large(), tmp_path / "a.ridewright")
    document.apply("Change gravity", document.project.model_copy(update={"gravity": (0.0, 0.0, -1.6)}))
    QTimer.singleShot(20, alive.set)
    studio.files.save()
    assert alive.is_set()
    assert not document.is_modified
    assert load_project(tmp_path / "a.ridewright") == document.project
    assert unexpected == []


def test_that_closing_waits_for_the_file_and_what_was_changed_meanwhile_is_not_taken_for_saved(
    qtbot: QtBot, studio: MainWindow, tmp_path: Path, alive: threading.Event, monkeypatch
) -> None:
    document, closed, asked = studio.document, [], []
    document.start_from(_large(), tmp_path / "a.ridewright")
    before = document.project

    def meanwhile() -> None:
        event = QCloseEvent()
        QApplication.sendEvent(studio, event)
        asked.append(event.isAccepted())
        document.apply("Rename", before.model_copy(update={"name": "Meanwhile"}))
        alive.set()

    QTimer.singleShot(20, meanwhile)
    monkeypatch.setattr(
        type(studio), "close", lambda _self: closed.append((tmp_path / "a.ridewright").exists())
    )
    studio.files.save()
    assert asked == [False]
    qtbot.waitUntil(lambda: bool(closed), timeout=5000)
    assert closed == [True]
    assert load_project(tmp_path / "a.ridewright") == before
    assert document.is_modified
    document.undo_stack.undo()
    document.undo_stack.redo()
    assert document.is_modified


def test_that_a_disk_that_refuses_is_told_and_the_work_counts_as_not_saved(
    studio: MainWindow, tmp_path: Path, monkeypatch
) -> None:
    document, told = studio.document, []

    def refuse(_project: Project, path: Path) -> None:
        raise InputError(f"{path}: the disk is full.")

    monkeypatch.setattr(saving, "save_project", refuse)
    monkeypatch.setattr(dialogs, "message", lambda _parent, title, text, **_: told.append((title, text)))
    document.start_from(_large(), tmp_path / "a.ridewright")
    document.apply("Rename", document.project.model_copy(update={"name": "Changed"}))
    studio.files.save()
    assert told == [("The project was not saved", f"{tmp_path / 'a.ridewright'}: the disk is full.")]
    assert document.is_modified
    assert not under_way()
