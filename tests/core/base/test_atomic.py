"""Files that are written whole: what they replace stays what it was, and what cannot be replaced is written through."""

from __future__ import annotations

import os
import signal
import stat
import subprocess
import sys
import tempfile
import threading
from pathlib import Path

import pytest

from ridewright.core.base.atomic import is_stream, replacing, scratch_folder
from ridewright.core.base.errors import InputError

ROOT = os.geteuid() == 0


def write(path: Path, text: str = "new") -> None:
    with replacing(path) as part:
        part.write_text(text, encoding="utf-8")


@pytest.mark.parametrize("mode", [0o600, 0o644, 0o640, 0o664, 0o755])
def test_that_a_file_keeps_its_mode(tmp_path, mode):
    path = tmp_path / "a.csv"
    path.write_text("old", encoding="utf-8")
    path.chmod(mode)
    write(path)
    assert path.read_text(encoding="utf-8") == "new"
    assert stat.S_IMODE(path.stat().st_mode) == mode


def test_that_a_new_file_is_like_any_other(tmp_path):
    write(tmp_path / "sub" / "a.csv")
    plain = tmp_path / "plain"
    plain.touch()
    assert stat.S_IMODE((tmp_path / "sub" / "a.csv").stat().st_mode) == stat.S_IMODE(plain.stat().st_mode)


@pytest.mark.skipif(not ROOT, reason="only root may give files away")
def test_that_a_file_keeps_its_owner(tmp_path):
    path = tmp_path / "a.csv"
    path.touch()
    os.chown(path, 12345, 23456)
    path.chmod(0o660)
    write(path)
    found = path.stat()
    assert (found.st_uid, found.st_gid, stat.S_IMODE(found.st_mode)) == (12345, 23456, 0o660)


def test_that_a_write_protected_file_and_a_folder_are_refused(tmp_path):
    path = tmp_path / "a.csv"
    path.write_text("old", encoding="utf-8")
    path.chmod(0o444)
    with pytest.raises(InputError, match="write-protected"):
        write(path)
    assert path.read_text(encoding="utf-8") == "old"
    with pytest.raises(InputError, match="it is a folder"):
        write(tmp_path)
    assert [p.name for p in tmp_path.iterdir()] == ["a.csv"]


def test_that_links_stay_and_what_they_lead_to_is_written(tmp_path):
    there = tmp_path / "there"
    there.mkdir()
    (there / "a.csv").write_text("old", encoding="utf-8")
    soft, far, hard = tmp_path / "soft", tmp_path / "far", tmp_path / "hard"
    soft.symlink_to(there / "a.csv")
    far.symlink_to(soft)
    os.link(there / "a.csv", hard)
    for link in (far, soft, hard):
        write(link, link.name)
        assert {p.read_text(encoding="utf-8") for p in (soft, far, hard, there / "a.csv")} == {link.name}
    assert soft.is_symlink()
    assert far.is_symlink()
    assert hard.stat().st_ino == (there / "a.csv").stat().st_ino
    dangling = tmp_path / "dangling"
    dangling.symlink_to(there / "b.csv")
    write(dangling)
    assert (there / "b.csv").read_text(encoding="utf-8") == "new"
    loop = tmp_path / "loop"
    loop.symlink_to(loop)
    with pytest.raises(InputError, match="link leads back"):
        write(loop)


def test_that_devices_and_pipes_are_written_through(tmp_path):
    write(Path("/dev/null"))
    assert stat.S_ISCHR(os.stat("/dev/null").st_mode)
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    seen = []
    reader = threading.Thread(target=lambda: seen.append(pipe.read_text(encoding="utf-8")))
    reader.start()
    write(pipe, "through the pipe")
    reader.join(20.0)
    assert seen == ["through the pipe"]
    assert stat.S_ISFIFO(pipe.stat().st_mode)
    link = tmp_path / "null"
    link.symlink_to("/dev/null")
    write(link)
    assert stat.S_ISCHR(link.stat().st_mode)
    if Path("/dev/full").exists():
        with pytest.raises(InputError, match="no space left"):
            write(Path("/dev/full"))


@pytest.mark.parametrize("target", ["/dev/stdout", "/proc/self/fd/1"])
def test_that_standard_output_gets_the_text_whatever_it_is(tmp_path, target):
    code = f"from pathlib import Path\nfrom tests.core.base.test_atomic import write\nwrite(Path({target!r}), 'said')"
    piped = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert piped.stdout == "said"
    kept = tmp_path / "out.txt"
    with kept.open("w") as stream:
        subprocess.run([sys.executable, "-c", code], stdout=stream, check=True)
    assert kept.read_text(encoding="utf-8") == "said"
    assert [p.name for p in tmp_path.iterdir()] == ["out.txt"]


@pytest.mark.parametrize("length", [200, 229, 242, 250, 255])
def test_that_any_name_the_disk_allows_can_be_written(tmp_path, length):
    for name in ("a" * length, "é" * (length // 2)):
        write(tmp_path / name)
        write(tmp_path / name, "again")
        assert (tmp_path / name).read_text(encoding="utf-8") == "again"
    with pytest.raises(InputError, match="name is too long"):
        write(tmp_path / ("a" * 256))


def test_that_nothing_is_left_of_a_writer_that_was_killed(tmp_path):
    """The next one that writes into the folder takes it away; what a live one is at stays."""
    code = (
        "from pathlib import Path\nfrom ridewright.core.base.atomic import replacing\nimport sys, time\n"
        "with replacing(Path(sys.argv[1])) as part:\n"
        "    part.write_text('half')\n    print('here', flush=True)\n    time.sleep(60)\n"
    )
    path = tmp_path / "a.csv"
    path.write_text("old", encoding="utf-8")
    writers = [
        subprocess.Popen([sys.executable, "-c", code, str(path)], stdout=subprocess.PIPE, text=True)
        for _ in range(2)
    ]
    try:
        for one in writers:
            assert one.stdout.readline() == "here\n"
        writers[0].kill()
        writers[0].wait()
        assert len(list(tmp_path.glob("*.part"))) == 2
        write(tmp_path / "b.csv")
        (left,) = tmp_path.glob("*.part")
        assert f".{writers[1].pid}-" in left.name
        assert path.read_text(encoding="utf-8") == "old"
    finally:
        for one in writers:
            one.kill()
            one.wait()
            one.stdout.close()
    foreign = tmp_path / "notes.part"
    foreign.write_text("somebody's own", encoding="utf-8")
    write(path)
    assert sorted(p.name for p in tmp_path.iterdir()) == ["a.csv", "b.csv", "notes.part"]


def test_that_a_failed_block_leaves_the_file_as_it_was(tmp_path):
    path = tmp_path / "a.csv"
    path.write_text("old", encoding="utf-8")
    before = path.stat()

    def broken() -> None:
        with replacing(path) as part:
            part.write_text("half", encoding="utf-8")
            raise RuntimeError

    with pytest.raises(RuntimeError):
        broken()
    with pytest.raises(InputError, match="character that no file can"):
        write(path, "half \ud800")
    assert path.read_text(encoding="utf-8") == "old"
    assert (path.stat().st_ino, path.stat().st_mtime_ns) == (before.st_ino, before.st_mtime_ns)
    assert [p.name for p in tmp_path.iterdir()] == ["a.csv"]


def test_that_file_and_folder_reach_the_disk_before_it_returns(tmp_path, monkeypatch):
    synced = []
    real = os.fsync
    monkeypatch.setattr(
        os, "fsync", lambda handle: (synced.append(os.readlink(f"/proc/self/fd/{handle}")), real(handle))
    )
    write(tmp_path / "a.csv")
    assert synced[0].endswith(".part")
    assert synced[1] == str(tmp_path)


@pytest.mark.skipif(not ROOT, reason="needs to become another user")
def test_that_a_file_is_written_where_only_it_may_be():
    """A folder that is closed to us with a file in it that is ours, as a container mounts it."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        folder.chmod(0o755)
        path = folder / "a.csv"
        path.touch()
        os.chown(path, 12345, 12345)
        child = os.fork()
        if child == 0:  # everything is imported: Python itself may lie where that user cannot go
            code = 1
            try:
                os.setuid(12345)
                write(path)
                code = 0
            finally:
                os._exit(code)
        assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
        assert path.read_text(encoding="utf-8") == "new"
        assert [p.name for p in folder.iterdir()] == ["a.csv"]


def test_that_scratch_folders_of_killed_processes_go_and_those_of_living_ones_stay(tmp_path, monkeypatch):
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    dead = subprocess.run(
        [sys.executable, "-c", "import os; print(os.getpid())"], capture_output=True, text=True
    )
    for process in (dead.stdout.strip(), os.getpid(), "x"):
        (tmp_path / f"work-{process}-abc").mkdir()
    with scratch_folder("work") as made:
        assert made.is_dir()
        assert not (tmp_path / f"work-{dead.stdout.strip()}-abc").exists()
    assert {path.name for path in tmp_path.iterdir()} == {f"work-{os.getpid()}-abc", "work-x-abc"}


def test_that_what_is_written_runs_as_nobody_else(tmp_path):
    path = tmp_path / "a"
    path.touch()
    path.chmod(0o6755)
    write(path)
    assert stat.S_IMODE(path.stat().st_mode) == 0o755


def test_that_streams_are_told_from_files(tmp_path):
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "file").touch()
    (tmp_path / "link").symlink_to("/dev/null")
    assert all(
        is_stream(path)
        for path in (Path("/dev/null"), Path("/dev/stdout"), tmp_path / "pipe", tmp_path / "link")
    )
    assert not any(is_stream(path) for path in (tmp_path, tmp_path / "file", tmp_path / "none"))


OLD, NEW = b"old" * 7, b"new!" * 9


def _names(tmp_path: Path) -> list[Path]:
    """A file with three names, two in its folder and one beside that."""
    (tmp_path / "in").mkdir()
    names = [tmp_path / "in" / "a.csv", tmp_path / "in" / "b.csv", tmp_path / "c.csv"]
    names[0].write_bytes(OLD)
    for other in names[1:]:
        os.link(names[0], other)
    return names


def _killed_at(path: Path, step: int) -> bool:
    """Write NEW byte by byte in a forked process that is killed at a step: a byte, a link, a rename or a removal.
    Whether it was still there to be killed."""
    child = os.fork()
    if child == 0:
        left = [step]

        def count() -> None:
            if not left[0]:
                os.kill(os.getpid(), signal.SIGKILL)
            left[0] -= 1

        def counted(call):
            def once(*args, **kwargs):
                count()
                return call(*args, **kwargs)

            return once

        for name in ("link", "rename", "replace", "unlink", "chmod", "fsync", "fchmod", "open", "ftruncate"):
            setattr(os, name, counted(getattr(os, name)))
        with replacing(path) as part, part.open("r+b", buffering=0) as file:
            for k in range(len(NEW)):
                count()
                file.write(NEW[k : k + 1])
        os._exit(0)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == -signal.SIGKILL


def test_that_no_name_of_a_file_is_ever_half_written_wherever_its_writer_is_killed(tmp_path):
    names = _names(tmp_path)
    step, mixed = 0, 0
    while _killed_at(names[1], step):
        contents = [name.read_bytes() for name in names]
        assert set(contents) <= {OLD, NEW}, f"step {step}: {contents}"
        mixed += len(set(contents)) > 1
        for name in names:
            name.unlink()
        for left in (*tmp_path.glob("*.part"), *tmp_path.glob("in/*.part")):
            left.unlink()
        names[0].write_bytes(OLD)
        for other in names[1:]:
            os.link(names[0], other)
        step += 1
    assert step > len(NEW) + 5
    assert 1 <= mixed <= 6  # only between the renames, or while a name is synchronised
    assert [name.read_bytes() for name in names] == [NEW] * 3
    assert len({name.stat().st_ino for name in names}) == 1
    assert sorted(p.name for p in tmp_path.rglob("*")) == ["a.csv", "b.csv", "c.csv", "in"]


def test_that_a_file_whose_other_names_are_not_found_is_refused_before_anything_is_written(tmp_path):
    names = _names(tmp_path)
    far = tmp_path / "far" / "away"
    far.mkdir(parents=True)
    inner = tmp_path / "own" / "deep" / "d.csv"
    inner.parent.mkdir(parents=True)
    os.link(names[0], inner)
    with pytest.raises(InputError, match=r"has 4 names \(hard links\)"), replacing(inner):
        raise AssertionError("never given anything to write to")
    assert {name.read_bytes() for name in (*names, inner)} == {OLD}
    assert not list(tmp_path.rglob("*.part"))


def test_that_a_file_that_can_only_be_written_through_is_not_lost_on_a_full_disk(tmp_path, monkeypatch):
    path = tmp_path / "a.csv"
    path.write_bytes(OLD)

    def full(handle: int, start: int, size: int) -> None:
        os.write(handle, b"")
        raise OSError(28, "No space left on device")

    def busy(part: Path, target: Path) -> None:
        raise OSError(16, "Device or resource busy")

    monkeypatch.setattr(os, "posix_fallocate", full)
    monkeypatch.setattr(Path, "replace", busy)
    with pytest.raises(InputError, match="cannot be written"):
        write(path, "longer than before, by far")
    assert path.read_bytes() == OLD
    monkeypatch.undo()
    monkeypatch.setattr(Path, "replace", busy)
    for text in ("longer than before, by far", "short"):
        write(path, text)
        assert path.read_text(encoding="utf-8") == text
