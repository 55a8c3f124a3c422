"""A project with several names (hard links) is whole at each of them, whatever byte its writer is killed at.

The kernel does the killing: a process that writes past the size it may give a file gets SIGXFSZ, whose default is to
end it on the spot, as SIGKILL does, with exactly so many bytes written. That it happens is looked at each time.
"""

from __future__ import annotations

import gc
import os
import resource
import signal
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from ridewright.core.base.atomic import replacing
from ridewright.core.cli import main
from ridewright.core.project import project as project_file
from ridewright.core.project.project import load_project, save_project

DAMAGED = Path(__file__).parents[1] / "damaged"
Act = Callable[[Path], object]


def _dies_writing(act: Act, path: Path, byte: int) -> bool:
    """Do it in a forked process that ends with its first byte after `byte` in a file; whether it did end so."""
    child = os.fork()
    if child == 0:
        try:
            _limited_to(byte)
            act(path)
        finally:
            os._exit(0)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == -signal.SIGXFSZ


def _limited_to(byte: int) -> None:
    signal.signal(signal.SIGXFSZ, signal.SIG_DFL)
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    resource.setrlimit(resource.RLIMIT_FSIZE, (byte, byte))


def _linked(folder: Path, source: Path) -> list[Path]:
    (folder / "in").mkdir(parents=True)
    names = [folder / "in" / "a.ridewright", folder / "in" / "b.ridewright", folder / "c.ridewright"]
    names[0].write_bytes(source.read_bytes())
    for other in names[1:]:
        os.link(names[0], other)
    return names


def _all_hold(act: Act, folder: Path, source: Path, bytes_of: Callable[[int], Iterable[int]]) -> int:
    """Kill a writer at bytes of what it would write and look at every name each time; returns how often."""
    names, old = _linked(folder, source), source.read_bytes()
    act(whole := _linked(folder / "whole", source)[1])
    new, killed = whole.read_bytes(), 0
    assert new != old
    for byte in bytes_of(len(new)):
        assert _dies_writing(act, names[1], byte), f"byte {byte}: was not killed"
        killed += 1
        assert {name.read_bytes() for name in names} == {old}, f"byte {byte}"
        assert len({name.stat().st_ino for name in names}) == 1, f"byte {byte}"
    assert not _dies_writing(act, names[1], len(new))  # that has room for all of it
    assert {name.read_bytes() for name in names} == {new}
    assert len({name.stat().st_ino for name in names}) == 1
    assert {path.name for path in folder.glob("**/*.part")} == set(), (
        "what the killed ones left goes with the next"
    )
    return killed


def _renamed(path: Path) -> None:
    """What a script does."""
    project = load_project(path)
    save_project(project.model_copy(update={"notes": "ö" * 200}), path)


def _banked(path: Path) -> None:
    """What a person does."""
    nothing = os.open(os.devnull, os.O_WRONLY)
    was = os.dup(1)
    os.dup2(nothing, 1)
    try:
        assert main(["design", "bank", str(path), "--out", str(path)]) == 0
    finally:
        os.dup2(was, 1)
        os.close(was)
        os.close(nothing)


def test_that_a_writer_killed_at_bytes_of_a_project_leaves_all_its_names_whole(tmp_path: Path) -> None:
    some = _all_hold(
        _renamed, tmp_path, DAMAGED / "rig.ridewright", lambda size: {*range(0, size, 67), size - 1}
    )
    assert some > 30


def test_that_a_design_tool_killed_while_it_writes_leaves_all_names_whole(tmp_path: Path) -> None:
    some = _all_hold(_banked, tmp_path, DAMAGED / "ride.ridewright", lambda size: (0, 1, size // 2, size - 1))
    assert some == 4


def _killed_at_every_byte(act: Act, folder: Path, source: Path, monkeypatch: pytest.MonkeyPatch) -> int:
    """As `_all_hold` at every byte, forked where the writer begins: what it writes is found once, not for each byte."""
    names, old = _linked(folder, source), source.read_bytes()
    act(whole := _linked(folder / "whole", source)[1])
    new, faults, killed = whole.read_bytes(), list[str](), 0

    @contextmanager
    def killed_first(path: Path) -> Iterator[Path]:
        nonlocal killed
        for byte in range(len(new)):
            child = os.fork()
            if child == 0:
                _limited_to(byte)
                try:
                    with replacing(path) as part:
                        yield part
                finally:
                    os._exit(0)
            if os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) != -signal.SIGXFSZ:
                faults.append(f"byte {byte}: was not killed")
            if {name.read_bytes() for name in names} != {old} or len(
                {name.stat().st_ino for name in names}
            ) != 1:
                faults.append(f"byte {byte}: is not whole")
            killed += 1
        with replacing(path) as part:
            yield part

    monkeypatch.setattr(project_file, "replacing", killed_first)
    gc.freeze()  # what is here now is not walked, and so not copied, by every fork
    try:
        act(names[1])
    finally:
        gc.unfreeze()
    assert new != old
    assert faults == []
    assert {name.read_bytes() for name in names} == {new}
    assert {path.name for path in folder.glob("**/*.part")} == set()
    return killed


@pytest.mark.nightly
def test_that_a_writer_killed_at_every_byte_leaves_all_names_whole(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert _killed_at_every_byte(_renamed, tmp_path, DAMAGED / "rig.ridewright", monkeypatch) > 5000


@pytest.mark.nightly
def test_that_a_design_tool_killed_at_every_byte_leaves_all_names_whole(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert _killed_at_every_byte(_banked, tmp_path, DAMAGED / "ride.ridewright", monkeypatch) > 5000


def test_that_a_writer_that_copies_over_is_found_out_at_every_byte(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What those two are for: a small file that is emptied before it is written again."""

    @contextmanager
    def in_place(path: Path) -> Iterator[Path]:
        path.write_bytes(b"")
        yield path

    def short(path: Path) -> None:
        with project_file.replacing(path) as part:
            part.write_bytes(b"x" * 20)

    monkeypatch.setattr(project_file, "replacing", in_place)
    monkeypatch.setitem(globals(), "replacing", in_place)
    with pytest.raises(AssertionError, match="byte 0: is not whole"):
        _killed_at_every_byte(short, tmp_path, DAMAGED / "rig.ridewright", monkeypatch)


def test_that_a_writer_that_works_in_place_is_found_out(tmp_path: Path) -> None:
    """What this test is for: a file that is cut off and filled again does not stand it."""

    def in_place(path: Path) -> None:
        path.write_bytes(b"x" * 3000)

    with pytest.raises(AssertionError, match="byte 100"):
        _all_hold(in_place, tmp_path, DAMAGED / "rig.ridewright", lambda size: (100,))


def test_that_a_part_is_what_the_killed_writer_left(tmp_path: Path) -> None:
    """The kills fall where they are meant to: so many bytes are in the temporary file."""
    path = _linked(tmp_path, DAMAGED / "rig.ridewright")[0]

    def written(target: Path) -> None:
        with replacing(target) as part, part.open("wb") as file:
            file.write(b"y" * 5000)

    assert _dies_writing(written, path, 1234)
    assert [part.stat().st_size for part in path.parent.glob("*.part")] == [1234]
