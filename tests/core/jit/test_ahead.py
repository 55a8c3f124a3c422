"""Kernels compiled ahead in child processes: in order, once, and never in the way."""

from __future__ import annotations

import fcntl
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

from ridewright.core.warm_up import ahead as compile_ahead
from ridewright.core.warm_up.ahead import compile_missing
from ridewright.core.warm_up.worker import _WAYS, PARTS, compile_part, parts_of

# Says when it begins and ends each part, and takes some time for it.
CHILD = """
import os, sys, time
notes = {notes!r}
for line in sys.stdin:
    name = line.strip()
    with open(notes, "a") as file:
        file.write(f"begin {{name}} {{os.getpid()}}\\n")
    {act}
    with open(notes, "a") as file:
        file.write(f"end {{name}} {{os.getpid()}}\\n")
    print(name, flush=True)
"""


@pytest.fixture
def notes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A cache of its own, and children that write down what they do instead of compiling."""
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path / "cache"))
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    monkeypatch.setattr(compile_ahead, "WORKER", "stand_in")
    put_child(tmp_path, "time.sleep(0.05)")
    return tmp_path / "notes"


def put_child(folder: Path, act: str) -> None:
    (folder / "stand_in.py").write_text(CHILD.format(notes=str(folder / "notes"), act=act))


def lines(notes: Path) -> list[list[str]]:
    return [line.split() for line in notes.read_text().splitlines()] if notes.exists() else []


def alive(pid: str) -> bool:
    state = Path(f"/proc/{pid}/stat")
    return state.exists() and state.read_text().rpartition(")")[2].split()[0] != "Z"


def test_that_parts_know_what_they_need() -> None:
    for part in PARTS:
        chosen = [p.name for p in parts_of(part.name)]
        assert part.name in chosen
        assert set(part.needs) <= set(chosen)
        assert all(set(p.needs) <= set(chosen) for p in parts_of(part.name))
    assert "preview" not in [p.name for p in parts_of("ride")]
    assert set(_WAYS) == {part.name for part in PARTS}


def test_that_every_part_is_done_once_after_what_it_needs_and_two_at_a_time(notes: Path) -> None:
    told: list[tuple[int, int]] = []
    assert compile_missing(on_progress=lambda done, of: told.append((done, of)))
    happened = lines(notes)
    for part in parts_of("ride"):
        begun = [k for k, (what, name, _) in enumerate(happened) if (what, name) == ("begin", part.name)]
        assert len(begun) == 1
        ended = {name for what, name, _ in happened[: begun[0]] if what == "end"}
        assert set(part.needs) <= ended
    assert len({pid for _, _, pid in happened}) == compile_ahead.CHILDREN
    many = len(parts_of("ride"))
    assert told[0] == (0, many)
    assert told[-1] == (many, many)
    assert not any(alive(pid) for _, _, pid in happened)


def test_that_a_second_call_starts_nothing_until_a_source_changes(
    notes: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert compile_missing()
    before = len(lines(notes))
    assert compile_missing()
    assert len(lines(notes)) == before
    monkeypatch.setattr(compile_ahead, "kernel_stamp", lambda: "another source")
    assert compile_missing()
    assert len(lines(notes)) == 2 * before


@pytest.mark.parametrize("act", ["raise SystemExit(3)", "os._exit(0)", "print('nonsense', flush=True)"])
def test_that_a_child_that_fails_leaves_the_kernels_to_the_caller(
    notes: Path, tmp_path: Path, act: str
) -> None:
    put_child(tmp_path, act)
    assert not compile_missing()
    assert not any(alive(pid) for _, _, pid in lines(notes))
    put_child(tmp_path, "pass")
    assert compile_missing()


def test_that_children_end_when_asked_to_stop(notes: Path, tmp_path: Path) -> None:
    put_child(tmp_path, "time.sleep(60.0)")
    began = time.monotonic()
    assert not compile_missing(should_stop=lambda: len(lines(notes)) >= 2)
    assert time.monotonic() - began < 30.0
    assert len(lines(notes)) == 2
    assert not any(alive(pid) for _, _, pid in lines(notes))


def test_that_a_program_waits_for_another_one_that_compiles(notes: Path, tmp_path: Path) -> None:
    cache = tmp_path / "cache"
    cache.mkdir()
    found: list[bool] = []
    with (cache / "ride.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        assert not compile_missing(should_stop=lambda: True)
        waiting = threading.Thread(target=lambda: found.append(compile_missing()))
        waiting.start()
        time.sleep(0.3)
        assert found == []
        (cache / "ride.ready").write_text(compile_ahead.kernel_stamp())
    waiting.join(30.0)
    assert found == [True]
    assert lines(notes) == []


@pytest.mark.parametrize("executable", ["", "/opt/studio/ridewright", None])
def test_that_this_process_compiles_where_no_interpreter_can_be_started(
    notes: Path, monkeypatch: pytest.MonkeyPatch, executable: str | None
) -> None:
    here: list[str] = []
    told: list[int] = []
    monkeypatch.setattr(compile_ahead, "compile_part", here.append)
    monkeypatch.setattr(sys, "executable", executable)
    assert compile_missing("preview", on_progress=lambda done, of: told.append(done))
    assert here == [part.name for part in parts_of("preview")]
    assert told == list(range(len(here) + 1))
    assert not compile_missing("preview", should_stop=lambda: len(told) > len(here))
    assert lines(notes) == []


def test_that_an_interpreter_that_is_not_there_leaves_the_kernels_to_the_caller(
    notes: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "executable", "/nowhere/python3")
    assert not compile_missing()


def test_that_a_worker_ends_when_nobody_tells_it_what_to_do() -> None:
    worker = subprocess.Popen(
        [sys.executable, "-m", "ridewright.core.warm_up.worker"],
        stdin=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
    )
    assert worker.stdin is not None
    worker.stdin.close()
    assert worker.wait(60.0) == 1


def test_that_the_ride_of_points_is_compiled_ahead_for_the_types_it_has_later() -> None:
    from ridewright.core.pointmass.course_kernel import ride_course

    compile_part("course")
    (signature,) = ride_course.signatures
    compile_part("preview")
    assert ride_course.signatures == [signature]
