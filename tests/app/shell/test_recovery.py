"""Work survives the death of the program: found once, offered to the next session, never to a living one."""

from __future__ import annotations

import json
import os
import random
import signal
import subprocess
import sys
import textwrap
import threading
import time
from pathlib import Path

import numpy as np
import pytest

from ridewright.app.document.document import Document
from ridewright.app.widgets.settings import Settings
from ridewright.app.work.recovery import Recovery
from ridewright.core.edits.elements import set_assembly
from ridewright.core.edits.points import move_points
from ridewright.core.project.project import Project, load_project, save_project, write_atomically
from ridewright.core.structure.surface import Surface, pack
from tests.app.shell.test_document import renamed

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
    from ridewright.app.document.document import Document
    from ridewright.app.work.recovery import Recovery
    from ridewright.app.shell.application import make_application
    from ridewright.app.widgets.settings import Settings
    from ridewright.core.edits.points import move_points
    from ridewright.core.project.examples import load_example

    app = make_application(["x"])
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


def test_that_what_cannot_be_read_is_kept_and_told(document: Document, settings: Settings) -> None:
    """Of a newer program: as it is; damaged: under another ending; an absurd clock: offered all the same."""
    mine = Recovery(document, settings)
    edit(document)
    mine.write()
    content = json.loads(mine.file.read_text(encoding="utf-8"))
    folder = mine.file.parent

    def put(name: str, text: str) -> Path:
        file = folder / f"{name}.recovery"
        file.write_text(text, encoding="utf-8")
        return file

    newer = put("newer", json.dumps(content | {"project": content["project"] | {"version": 99_999}}))
    damaged = [put(f"damaged{k}", text) for k, text in enumerate(("{", "[]", '{"project": 3}', "\x00"))]
    clocks = [1e300, float("inf"), float("nan"), -1e18, 1e12, time.time() + 1e9, -1.0]
    for k, clock in enumerate(clocks):
        put(f"clock{k}", json.dumps(content | {"written": clock}))
    damaged.append(put("clock", json.dumps(content | {"written": 10**400})))
    empty = put("empty", "")
    found = mine.left_behind()
    assert len(found) == len(clocks)
    assert all(left.when for left in found)
    assert newer.exists()
    assert not empty.exists()
    assert [file.exists() for file in damaged] == [False] * 4 + [
        True
    ]  # of a whole project: another program's?
    assert all(file.with_suffix(".recovery.damaged").exists() for file in damaged[:4])
    assert len(mine.unread) == 6
    assert len(mine.left_behind()) == len(clocks)
    assert len(mine.unread) == 2  # those that hold a project are still looked at
    mine.close()


@pytest.mark.parametrize("make", [os.mkfifo, Path.mkdir])
def test_that_what_is_no_lock_keeps_no_work_back(document: Document, settings: Settings, make) -> None:
    mine = Recovery(document, settings)
    edit(document)
    mine.write()
    dead = mine.file.with_name("1-dead.recovery")
    dead.write_bytes(mine.file.read_bytes())
    make(dead.with_suffix(".lock"))
    assert [left.file for left in mine.left_behind()] == [dead]
    mine.close()


@pytest.mark.parametrize("path", ["/tmp/" + "a" * 5000, "/tmp/a\0b", "/tmp", "", 3])
def test_that_work_comes_back_whatever_its_own_file_is_called(
    document: Document, settings: Settings, path
) -> None:
    mine = Recovery(document, settings)
    edit(document)
    mine.write()
    content = json.loads(mine.file.read_text(encoding="utf-8"))
    mine.file.with_name("1-dead.recovery").write_text(json.dumps(content | {"path": path}), encoding="utf-8")
    (left,) = mine.left_behind()
    document.recover(left.project, left.path)
    assert document.is_modified
    assert document.title is not None
    mine.close()


@pytest.mark.parametrize("seconds", ["abc", "nan", "inf", "-5", "1e99", ""])
def test_that_damaged_settings_do_not_stop_the_autosave(
    qtbot, document: Document, tmp_path: Path, seconds: str
) -> None:
    (tmp_path / "settings.ini").write_text(
        f"[recovery]\nseconds={seconds}\n[files]\nrecent=@Variant(\\0\\0\\0\\x3)\nfolder={'x' * 5000}\n"
        "[view]\nunits=@Invalid()\n",
        encoding="utf-8",
    )
    settings = Settings(tmp_path)
    assert 0.0 < settings.recovery_seconds <= 600.0
    assert isinstance(settings.recent_files, tuple)
    assert settings.last_folder.is_dir()
    assert settings.units == "SI"
    recovery = Recovery(document, settings)
    edit(document)
    recovery.write()
    assert recovery.file.exists()
    recovery.close()


KILLS = 60
AUTOSAVING = """
    import sys
    from pathlib import Path
    from ridewright.app.document.document import Document
    from ridewright.app.work.recovery import Recovery
    from ridewright.app.shell.application import make_application
    from ridewright.app.widgets.settings import Settings
    from ridewright.core.project.examples import load_example

    app = make_application(["x"])
    document = Document()
    document.start_from(load_example("looping_star"))
    recovery = Recovery(document, Settings(Path(sys.argv[1])))
    print("ready", flush=True)
    for k in range(10**6):
        notes = f"{k} " * 30_000
        document.apply("Note", document.project.model_copy(update={"notes": notes}))
        recovery.write()
        document.undo_stack.clear()
        document._recovered = True
"""


def _kill_while_it_autosaves(settings: Settings, count: int) -> None:
    seed = random.SystemRandom().getrandbits(32)
    moments = random.Random(seed)
    for k in range(count):
        process = subprocess.Popen(
            [sys.executable, "-c", textwrap.dedent(AUTOSAVING), str(settings.folder)],
            cwd=ROOT,
            env={**os.environ, "QT_QPA_PLATFORM": "offscreen"},
            stdout=subprocess.PIPE,
            text=True,
        )
        assert process.stdout is not None
        with process, process.stdout:
            assert process.stdout.readline() == "ready\n"
            time.sleep(0.15 + moments.uniform(0.0, 0.5))
            process.kill()
            process.wait(30)
        recovery = Recovery(Document(), settings)
        (left,) = recovery.left_behind()
        assert not recovery.unread, f"seed {seed}, kill {k}"
        notes = left.project.notes.split()
        assert (len(notes), len(set(notes))) == (30_000, 1), f"seed {seed}, kill {k}"
        recovery.forget(left.file)
        recovery.close()
    mine = Document()
    last = Recovery(mine, settings)
    mine.apply("Note", mine.project.model_copy(update={"notes": "mine"}))
    last.write()  # tidies up what killed writers left
    last.close()
    assert list((settings.folder / "recovery").iterdir()) == []


@pytest.mark.nightly
def test_that_sixty_kills_break_no_autosave_and_leave_nothing(qapp, settings: Settings) -> None:
    _kill_while_it_autosaves(settings, KILLS)


def _with_surface() -> Project:
    """A rig with an imported structure, whose surface is long and the same at every edit."""
    numbers = np.random.default_rng(3).standard_normal((1500, 3, 2)).astype(np.float32)
    packed, whole = pack(
        Surface(numbers[..., 0], np.arange(1500), np.zeros((0, 3), np.int64), numbers, np.zeros((1500, 6, 0)))
    )
    surface = {"points": 1500, "whole": whole, "packed": packed}
    frame = {"node": "root", "place": (0.1, 0.2, 0.3), "moves": ((0.1, 0.2),) * 3, "turns": ((0.3, 0.1),) * 3}
    given = {
        "mass": 7.0, "centre": (0.4, 0.1, 0.2), "inertia": (1.0, 0, 0, 0, 2.0, 0, 0, 0, 3.0), "bent": (0.1,) * 18,
        "bent_twice": (0.01,) * 36, "coupling": (0.0,) * 12, "modal_mass": (1.0, 2.0), "modal_stiffness": (3e5, 4e6),
        "frames": (frame,), "surface": surface,
    }  # fmt: skip
    body = {
        "name": "Arm", "nodes": ({"name": "root", "position": (0.1, 0.2, 0.3)},), "imported": given,
        "interfaces": ({"node": "root", "body": "Head"},),
    }  # fmt: skip
    head = {"name": "Head", "mass": 2.0, "inertia": (1.0, 1.0, 1.0), "position": (1.0, 0.2, 0.3)}
    top = {"name": "Rig", "role": "rig", "bodies": (head,), "flexibles": (body,)}
    return Project.model_validate(
        {"name": "Arm", "scenario": {"kind": "rig", "assembly": top, "duration": 1.0}}
    )


def _parts(recovery: Recovery) -> list[Path]:
    return sorted(recovery.file.parent.glob("*.apart"))


def test_that_the_surface_of_a_structure_is_written_once_beside_the_file_and_comes_back(
    document: Document, settings: Settings, tmp_path: Path
) -> None:
    mine, project = Recovery(document, settings), _with_surface()
    document.start_from(project)
    document.apply("Name", renamed(document.project, "First"))
    mine.write()
    (part,) = _parts(mine)
    assert mine.file.stat().st_size < 10_000 < part.stat().st_size
    written = part.stat().st_mtime_ns
    document.apply("Name", renamed(document.project, "Second"))
    mine.write()
    assert [one.stat().st_mtime_ns for one in _parts(mine)] == [written]
    dead = mine.file.with_name("1-dead.recovery")
    dead.write_bytes(mine.file.read_bytes())
    beside = dead.with_name(part.name.replace(mine.file.stem, dead.stem))
    beside.write_bytes(part.read_bytes())
    (left,) = mine.left_behind()
    assert left.project == document.project
    # cut, it is damaged work, told once and kept
    beside.write_bytes(part.read_bytes()[:-100])
    assert mine.left_behind() == []
    assert "is damaged" in mine.unread[0]
    assert mine.left_behind() == []
    assert mine.unread == ()
    # what no copy needs any more goes, and the rest with the session
    document.apply("Remove", set_assembly(document.project, (), {"flexibles": ()}))
    mine.write()
    assert _parts(mine) == [beside]
    document.undo_stack.undo()
    mine.write()
    assert len(_parts(mine)) == 2
    mine.close()
    assert _parts(mine) == [beside]
    # as a file it is what it always was
    save_project(project, tmp_path / "a.ridewright")
    assert load_project(tmp_path / "a.ridewright") == project
    assert project.assembly.flexibles[0].imported.surface.packed in (tmp_path / "a.ridewright").read_text()


def test_that_an_edit_writes_beside_the_window_and_saving_meanwhile_leaves_nothing(
    qtbot, document: Document, settings: Settings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings.recovery_seconds = 0.02
    threads, go_on = [], threading.Event()

    def slowly(path: Path, text: str) -> None:
        threads.append(threading.get_ident())
        assert go_on.wait(10.0)
        write_atomically(path, text)

    monkeypatch.setattr("ridewright.app.work.recovery.write_atomically", slowly)
    recovery = Recovery(document, settings)
    edit(document)
    qtbot.waitUntil(lambda: bool(threads), timeout=5000)
    assert threading.get_ident() not in threads
    document.save_as(tmp_path / "a.ridewright")
    with qtbot.waitSignal(recovery._task.finished, timeout=5000):
        go_on.set()
    assert not recovery.file.exists()
    recovery.close()
