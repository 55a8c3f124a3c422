"""Files appear whole or not at all: written under a temporary name, then renamed.

What a file is stays: links, mode, owner and further attributes of the one that is replaced; of a file with several
names (hard links) all are replaced, each whole at any moment. What is no regular file (a device, a pipe, what stands
for an open file) is written through. Temporary files of processes that were killed are removed by the next one that
writes in their folder.
"""

from __future__ import annotations

import errno
import hashlib
import os
import re
import shutil
import stat
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from . import host
from .errors import InputError
from .system_words import because_not_written

#: Longest name (bytes) that still has room for what is put behind it; file systems allow 255.
LONGEST_NAME = 200
PART = re.compile(r"\.(\d+)-[^.]{8}\.part$")
#: What looks abandoned is left alone for so long (s): its maker may just be about to lock it.
FRESH = 60.0
#: Below these, names stand for open files and devices.
NO_FILES = (Path("/dev"), Path("/proc"))
#: Entries of folders that are looked at for the other names of a file.
MAX_LOOKED_AT = 4096
#: The target can be written but no file beside it, or it is a mount of its own.
NO_PLACE_BESIDE = (errno.EACCES, errno.EPERM, errno.EROFS, errno.EBUSY, errno.EXDEV)


@contextmanager
def replacing(path: Path) -> Iterator[Path]:
    """Give a temporary file to write to; when the block ends well it takes the place of `path`.

    Folders are made as needed. When the block fails, `path` is left as it was. A link stays: what it leads to is
    replaced, with the mode and the owner it had; what is no regular file is written through. Of a file with several
    names (hard links) each is replaced by the new one, and stays one file with the others; they are looked for in its
    folder and around it. When it returns, the file has reached the disk. Raises InputError when the file system
    refuses, for a folder, for a file that is write-protected, and for one whose other names are not found.
    """
    try:
        found = _found(path)
        through = found is not None and is_stream(path)
        target = path if through else Path(os.path.realpath(path))
        if not through:
            target.parent.mkdir(parents=True, exist_ok=True)
        others = [] if found is None or through else _other_names(path, target, found)
        with _part(target, found, through) as part:
            yield part
            if found is not None and not through:
                host.like(part, target, found)
            _reach_disk(part)
            if through:
                _copied(part, target)
            elif others:
                _relinked(part, target, others)
            elif not _moved(part, target):
                _copied(part, target)
    except OSError as error:
        raise InputError(f"{path}: cannot be written ({because_not_written(error)}).") from None
    except UnicodeEncodeError as error:
        raise InputError(
            f"{path}: cannot be written, a text holds a character that no file can ({error.object[error.start]!r})."
        ) from None


def is_stream(path: Path) -> bool:
    """Whether a path leads to a device, a pipe or what stands for an open file: nothing is put beside it."""
    try:
        found = path.stat()
    except OSError:
        return False
    return not stat.S_ISDIR(found.st_mode) and (not stat.S_ISREG(found.st_mode) or _stands_for_one(path))


def _found(path: Path) -> os.stat_result | None:
    """What is at a path now; InputError for a folder and for what nobody may write to."""
    try:
        found = path.stat()
    except FileNotFoundError:
        return None
    if stat.S_ISDIR(found.st_mode):
        raise InputError(f"{path}: cannot be written, it is a folder; give the name of a file.")
    # The owner of everything (root) may write anywhere; a file without any permission to write says no to all.
    if not os.access(path, os.W_OK) or (stat.S_ISREG(found.st_mode) and not found.st_mode & 0o222):
        raise InputError(
            f"{path}: cannot be written, it is write-protected; choose another name, or allow writing to it."
        )
    return found


def _other_names(path: Path, target: Path, found: os.stat_result) -> list[Path]:
    """The other names of a file, in its folder or around it. Raises InputError where one is not found: to replace the
    others would part them, and to write into the file could leave all of them with half of it."""
    names: list[Path] = []
    for name in _around(target.parent):
        if len(names) + 1 >= found.st_nlink:
            break
        with suppress(OSError):
            there = name.lstat()
            if (there.st_ino, there.st_dev) == (found.st_ino, found.st_dev) and name != target:
                names.append(name)
    if len(names) + 1 < found.st_nlink:
        raise InputError(
            f"{path}: cannot be written, it has {found.st_nlink} names (hard links) and not all of them are near it;"
            " give another name."
        )
    return names


def _around(folder: Path) -> Iterator[Path]:
    """What is in a folder, then what is below the one that holds it, up to a number of entries."""
    looked_at, known = 0, set()
    for top in (folder, folder.parent):
        for at, below, files in os.walk(top):
            if at in known:
                continue
            known.add(at)
            for name in files:
                yield Path(at, name)
            looked_at += len(files) + len(below)
            if looked_at > MAX_LOOKED_AT or top == folder:
                break


def _stands_for_one(path: Path) -> bool:
    absolute = Path(os.path.abspath(path))
    return any(folder in absolute.parents for folder in NO_FILES if folder != Path("/dev/shm"))


@contextmanager
def _part(target: Path, found: os.stat_result | None, through: bool) -> Iterator[Path]:
    """A locked temporary file that is gone afterwards: beside the target, elsewhere where that cannot be."""
    folder = target.parent
    if not through:
        _clean(folder)
    try:
        handle, part = _made(None if through else folder, target.name)
    except OSError as error:
        if found is None or error.errno not in NO_PLACE_BESIDE:
            raise
        handle, part = _made(None, target.name)
    try:
        # Whoever holds the lock is alive; it ends with the process, however that ends.
        with suppress(OSError):
            host.lock(handle)
        # mkstemp lets only the owner read; a new file is to be like any other in its folder.
        if found is None:
            host.like_a_new_file(handle)
        else:
            part.chmod(host.mode_without_owner(found) | stat.S_IWUSR)
        if not host.MOVES_OPEN_FILES:
            os.close(handle)
        yield part
    finally:
        part.unlink(missing_ok=True)
        if host.MOVES_OPEN_FILES:
            os.close(handle)


def _made(folder: Path | None, name: str) -> tuple[int, Path]:
    raw = os.fsencode(name)
    if len(raw) > LONGEST_NAME:
        name = os.fsdecode(raw[: LONGEST_NAME - 20]) + hashlib.sha1(raw).hexdigest()[:16]
    handle, made = tempfile.mkstemp(dir=folder, prefix=f"{name}.{os.getpid()}-", suffix=".part")
    return handle, Path(made)


def _reach_disk(path: Path) -> None:
    """Wait until a file or the names in a folder have reached the disk; some file systems cannot say."""
    try:
        handle = os.open(path, os.O_RDONLY)
    except OSError:
        return
    try:
        os.fsync(handle)
    except OSError as error:
        if error.errno in (errno.EIO, errno.ENOSPC, errno.EDQUOT):
            raise
    finally:
        os.close(handle)


def _relinked(part: Path, target: Path, others: list[Path]) -> None:
    """Put a file in the place of all names of another; whenever that ends, each of them is whole, the old or the new.

    The temporary names beside the others go with the lock of the file: whoever writes there next removes them.
    """
    made: list[tuple[Path, Path]] = []
    try:
        for number, other in enumerate(others):
            beside = other.with_name(f"{other.name[:LONGEST_NAME]}.{os.getpid()}-{number:08d}.part")
            os.link(part, beside)
            made.append((beside, other))
        for beside, other in made:
            beside.replace(other)
            _reach_disk(other.parent)
        part.replace(target)
        _reach_disk(target.parent)
    finally:
        for beside, _ in made:
            beside.unlink(missing_ok=True)


def _moved(part: Path, target: Path) -> bool:
    """Put a file in its place; False when it can only be copied there."""
    try:
        part.replace(target)
    except OSError as error:
        if error.errno not in NO_PLACE_BESIDE or not target.exists():
            raise
        return False
    _reach_disk(target.parent)
    return True


def _copied(part: Path, target: Path) -> None:
    """Write a file through to what cannot be replaced; of a file the room it takes is taken before anything is lost."""
    with part.open("rb") as source:
        if not target.is_file():
            with target.open("wb") as sink:
                shutil.copyfileobj(source, sink)
            return
        size = os.fstat(source.fileno()).st_size
        with target.open("r+b") as sink:
            if size > os.fstat(sink.fileno()).st_size:
                host.take_room(sink.fileno(), size)
            shutil.copyfileobj(source, sink)
            sink.truncate(size)
        _reach_disk(target)


def _clean(folder: Path) -> None:
    """Remove temporary files of processes that are no more."""
    with suppress(OSError), os.scandir(folder) as entries:
        for entry in entries:
            made = PART.search(entry.name)
            if made is not None and _abandoned(Path(entry.path), int(made[1])):
                with suppress(OSError):
                    os.unlink(entry.path)


def _abandoned(part: Path, process: int) -> bool:
    with suppress(OSError):
        if host.is_alive(process) and time.time() - part.stat().st_mtime < FRESH:
            return False
        handle = os.open(part, host.WITH_CARE)
        try:
            host.lock(handle)
        finally:
            os.close(handle)
        return True
    return False


@contextmanager
def scratch_folder(prefix: str) -> Iterator[Path]:
    """A temporary folder that is gone afterwards; those that killed processes of this user have left go first."""
    for left in Path(tempfile.gettempdir()).glob(f"{prefix}-*-*"):
        number = left.name.removeprefix(f"{prefix}-").split("-")[0]
        with suppress(OSError):
            if host.is_own(left) and number.isdecimal() and not host.is_alive(int(number)):
                shutil.rmtree(left, ignore_errors=True)
    with tempfile.TemporaryDirectory(prefix=f"{prefix}-{os.getpid()}-") as name:
        yield Path(name)
