"""Two studios, or another program, on one file: nobody's work is lost without a word."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace

import pytest
import shiboken6
from PySide6.QtWidgets import QWidget

from ridewright.app.document.document import Document
from ridewright.app.shell.commands.files import FileCommands
from ridewright.app.shell.commands.runs import RunCommands
from ridewright.app.widgets import dialogs
from ridewright.app.widgets.settings import Settings
from ridewright.core.edits.points import move_points
from ridewright.core.project.differences import differences
from ridewright.core.project.project import Project, load_project, save_project

MINE, THEIRS = "Moved here", "Moved there"


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The text of every question; the answer is what `answers` of the list says, 'Later' without one."""
    texts: list[str] = []

    def ask_which(_parent: object, _title: str, text: str, answers: list[str]) -> int | None:
        texts.append(text)
        wanted = getattr(ask_which, "answer", "")
        return answers.index(wanted) if wanted in answers else None

    monkeypatch.setattr(dialogs, "ask_which", ask_which)
    return texts


def _answer(what: str) -> None:
    dialogs.ask_which.answer = what  # type: ignore[attr-defined]


def _moved(project: Project, by: float) -> Project:
    return move_points(project, "climb", [5], (0.0, 0.0, by))


@pytest.fixture
def studio(document: Document, settings: Settings, qtbot) -> Iterator[SimpleNamespace]:
    """What the file commands need of a studio."""
    window = QWidget()
    qtbot.addWidget(window)
    made = SimpleNamespace(document=document, settings=settings, parent=window, log=lambda *_: None)
    made.files = FileCommands(made, RunCommands(made))  # type: ignore[arg-type]
    yield made
    shiboken6.delete(made.files.watch)


@pytest.fixture
def shared(studio, tmp_path: Path) -> Path:
    path = tmp_path / "shared.ridewright"
    studio.document.save_as(path)
    return path


def _height(project: Project) -> float:
    return project.track.sections[1].points[5].z


def test_that_a_change_by_another_is_told_with_what_differs(studio, shared: Path, asked, qtbot) -> None:
    _answer("Later")
    theirs = _moved(studio.document.project, 2.0).model_copy(update={"name": "Their ride"})
    save_project(theirs, shared)
    qtbot.waitUntil(lambda: len(asked) > 0, timeout=10_000)
    assert "Name: Looping Star here, Their ride in the file." in asked[0]
    assert "'climb'" in asked[0]


def test_that_the_last_save_does_not_win_silently(studio, shared: Path, asked) -> None:
    mine = _moved(studio.document.project, 1.0)
    theirs = _moved(studio.document.project, 2.0)
    studio.document.apply(MINE, mine)
    save_project(theirs, shared)
    _answer("Later")
    studio.files.save()
    assert len(asked) == 1
    assert load_project(shared) == theirs
    _answer("Keep mine")
    studio.files.save()
    assert load_project(shared) == mine
    assert not studio.document.is_modified
    studio.files.save()
    assert len(asked) == 2


def test_that_theirs_is_loaded_as_a_step_that_can_be_undone(studio, shared: Path, asked) -> None:
    mine, theirs = (_moved(studio.document.project, by) for by in (1.0, 2.0))
    studio.document.apply(MINE, mine)
    save_project(theirs, shared)
    _answer("Load theirs")
    assert studio.files.resolve()
    assert studio.document.project == theirs
    assert not studio.document.is_modified
    studio.document.undo_stack.undo()
    assert studio.document.project == mine
    assert studio.document.is_modified


def test_that_mine_goes_to_another_file(studio, shared: Path, asked, monkeypatch) -> None:
    mine, theirs = (_moved(studio.document.project, by) for by in (1.0, 2.0))
    studio.document.apply(MINE, mine)
    save_project(theirs, shared)
    _answer("Save mine as …")
    other = shared.with_name("other.ridewright")
    monkeypatch.setattr(dialogs, "file_to_save", lambda *_: other)
    studio.files.save()
    assert load_project(other) == mine
    assert load_project(shared) == theirs
    assert studio.document.path == other


def test_that_what_cannot_be_read_any_more_is_not_offered(studio, shared: Path, asked) -> None:
    studio.document.apply(MINE, _moved(studio.document.project, 1.0))
    shared.write_text("{ half", encoding="utf-8")
    _answer("Load theirs")
    assert not studio.files.resolve()
    assert "cannot be read any more" in asked[0]


def test_that_own_saves_and_a_file_that_is_gone_ask_nothing(studio, shared: Path, asked, qtbot) -> None:
    for by in (1.0, 2.0):
        studio.document.apply(MINE, _moved(studio.document.project, by))
        studio.files.save()
    shared.unlink()
    studio.document.apply(MINE, _moved(studio.document.project, 3.0))
    studio.files.save()
    qtbot.wait(600)
    assert asked == []
    assert load_project(shared) == studio.document.project


@pytest.mark.parametrize("how", ["deleted", "a folder"])
def test_that_a_project_whose_file_is_gone_counts_as_not_saved(
    studio, shared: Path, asked, qtbot, unexpected, how
) -> None:
    assert not studio.document.is_modified
    shared.unlink()
    if how == "a folder":
        shared.mkdir()
    qtbot.waitUntil(lambda: studio.document.is_modified, timeout=5000)
    studio.files.save()
    if how == "a folder":
        (told,) = unexpected
        assert told.startswith(f"The project was not saved: {shared}: cannot be written, it is a folder")
        assert studio.document.is_modified
        shared.rmdir()
        studio.files.save()
    assert load_project(shared) == studio.document.project
    assert not studio.document.is_modified
    assert asked == []
    save_project(_moved(studio.document.project, 1.0), shared)  # and it is watched again
    qtbot.waitUntil(lambda: bool(asked), timeout=5000)


def test_that_a_file_that_became_read_only_is_told_and_the_work_stays(
    studio, shared: Path, asked, unexpected
) -> None:
    shared.chmod(0o444)
    before = shared.read_bytes()
    studio.document.apply(MINE, _moved(studio.document.project, 1.0))
    studio.files.save()
    assert len(unexpected) == 1
    assert str(shared) in unexpected[0]
    assert shared.read_bytes() == before
    assert studio.document.is_modified


def test_that_sections_that_came_went_and_moved_are_named(document) -> None:
    mine = document.project
    sections = mine.track.sections
    theirs = mine.model_copy(update={"track": mine.track.model_copy(update={"sections": sections[:0:-1]})})
    told = differences(mine, theirs)
    assert any(f"'{sections[0].name}' is only here" in sentence for sentence in told)
    assert differences(mine, mine) == ()
