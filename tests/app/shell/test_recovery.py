"""Work survives the death of the program: found once, offered to the next session, never to a living one."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest

from app.document.document import Document
from app.document.recovery import Recovery
from app.widgets.settings import Settings
from core.edits.points import move_points

ROOT = Path(__file__).parents[3]


def edit(document: Document, by: float = 1.0) -> None:
    document.apply("Move point", move_points(document.project, "climb", [5], (0.0, 0.0, by)))


def test_that_unsaved_work_is_written_soon(qtbot, document: Document, settings: Settings) -> None:
    settings.recovery_seconds = 0.05
    recovery = Recovery(document, settings)
    edit(document)
    qtbot.waitUntil(recovery.file.exists, timeout=5000)
    recovery.close()
    assert not recovery.file.exists()


def test_that_saved_work_leaves_nothing(document: Document, settings: Settings, tmp_path: Path) -> None:
    recovery = Recovery(document, settings)
    recovery.write()
    assert not recovery.file.exists()
    edit(document)
    recovery.write()
    assert recovery.file.exists()
    document.save_as(tmp_path / "a.ridewright")
    assert not recovery.file.exists()
    recovery.close()


def test_that_a_living_session_is_left_alone(document: Document, settings: Settings) -> None:
    alive = Recovery(document, settings)
    edit(document)
    alive.write()
    other = Recovery(Document(), settings)
    assert other.left_behind() == []
    assert alive.file.exists()
    alive.close()
    other.close()


def test_that_damaged_recovery_files_are_cleared_away(document: Document, settings: Settings) -> None:
    recovery = Recovery(document, settings)
    bad = recovery.file.with_name("1-bad.recovery")
    orphan = recovery.file.with_name("2-gone.lock")
    orphan.write_text("")
    bad.write_text('{"path": null, "written": 0, "project": {"format": "ridew')
    assert recovery.left_behind() == []
    assert not bad.exists()
    assert not orphan.exists()
    recovery.close()


KILLED = """
    import os, sys
    from pathlib import Path
    from PySide6.QtWidgets import QApplication
    from app.document.document import Document
    from app.document.recovery import Recovery
    from app.widgets.settings import Settings
    from core.edits.points import move_points
    from core.project.examples import load_example

    app = QApplication(["x"])
    document = Document()
    document.start_from(load_example("looping_star"))
    recovery = Recovery(document, Settings(Path(sys.argv[1])))
    for by in range(1, 4):
        document.apply("Move", move_points(document.project, "climb", [5], (0.0, 0.0, 1.0)))
    recovery.write()
    print("ready", flush=True)
    app.exec()
"""


@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGTERM])
def test_that_the_work_of_a_killed_process_comes_back(
    document: Document, settings: Settings, how: signal.Signals
) -> None:
    process = subprocess.Popen(
        [sys.executable, "-c", textwrap.dedent(KILLED), str(settings.folder)],
        cwd=ROOT,
        env={**os.environ, "QT_QPA_PLATFORM": "offscreen"},
        stdout=subprocess.PIPE,
        text=True,
    )
    assert process.stdout is not None
    with process, process.stdout:
        assert process.stdout.readline() == "ready\n"
        recovery = Recovery(Document(), settings)
        assert recovery.left_behind() == []  # it still lives
        process.send_signal(how)
        process.wait(30)
    (left,) = recovery.left_behind()
    before = document.project.track
    after = left.project.track
    assert before is not None
    assert after is not None
    assert after.sections[1].points[5].z == pytest.approx(before.sections[1].points[5].z + 3.0)
    assert left.path is None
    recovery.forget(left.file)
    assert recovery.left_behind() == []
    recovery.close()
    assert list((settings.folder / "recovery").iterdir()) == []
