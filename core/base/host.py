"""What differs between operating systems, in one place: locks, owners and modes, room on a disk, processes, signals.

The rest of the program uses what Python has everywhere; a rule of the linter (banned-api in pyproject.toml) bans the
names that only some systems have outside this file.
"""

from __future__ import annotations

import errno
import os
import signal
import stat
import sys
from contextlib import suppress
from pathlib import Path

if sys.platform == "win32":
    import msvcrt
else:
    import fcntl

#: What asks a program to stop: Ctrl-C, the end of a session, a terminal that is closed (not on every system).
STOPS: tuple[signal.Signals, ...] = tuple(
    getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, name)
)
#: A file can be renamed and removed while it is open.
MOVES_OPEN_FILES: bool = sys.platform != "win32"
#: How a file is opened that may be a link or a pipe put there by somebody else.
WITH_CARE: int = os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0)
#: Bytes from which a block of memory is taken from the system by itself and goes back to it as soon as it is freed.
LARGE_BLOCK: int = 4_000_000
#: Names of `mallopt` in glibc's malloc.h.
M_TRIM_THRESHOLD, M_MMAP_THRESHOLD = -1, -3


def give_back_memory() -> None:
    """Let large blocks of memory go back to the system when they are freed, where the C library can be told to.

    By itself glibc cuts blocks of up to 32 MB from its heap once one of that size was freed, and what small ones keep
    apart there stays taken: a program that is open for long grows with every run.
    """
    if sys.platform == "linux":
        import ctypes

        mallopt = getattr(ctypes.CDLL(None), "mallopt", None)  # not in every C library
        if mallopt is not None:
            mallopt(M_MMAP_THRESHOLD, LARGE_BLOCK)
            mallopt(M_TRIM_THRESHOLD, LARGE_BLOCK)


def lock(handle: int) -> None:
    """Lock an open file at once; the lock ends with the handle, however the process ends.

    Raises BlockingIOError when another holds it, and OSError where the file system knows no locks.
    """
    if sys.platform == "win32":
        try:
            msvcrt.locking(handle, msvcrt.LK_NBLCK, 1)
        except PermissionError as error:
            raise BlockingIOError(*error.args) from None
    else:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)


def processors() -> int:
    """How many processors this process may use."""
    if sys.platform == "linux":
        return len(os.sched_getaffinity(0))
    else:
        return os.cpu_count() or 1


def is_own(path: Path) -> bool:
    """Whether a file or folder belongs to the user of this process; True where files have no owner."""
    return sys.platform == "win32" or path.lstat().st_uid == os.getuid()


def is_alive(process: int) -> bool:
    """Whether a process is running, as far as the system tells: on Windows, where nothing can be asked without
    touching it, every one is taken for alive."""
    if sys.platform == "win32":
        return True
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except (OSError, OverflowError):
        return True
    return True


def like_a_new_file(handle: int) -> None:
    """Give an open temporary file, which only its owner may read, the mode of any new file."""
    if sys.platform != "win32":
        mask = os.umask(0o077)
        os.umask(mask)
        os.fchmod(handle, 0o666 & ~mask)


def like(path: Path, model: Path, found: os.stat_result) -> None:
    """Give a file the owner, the further attributes and the mode of another, as far as we may.

    found: what is known of `model`.
    """
    if sys.platform != "win32":
        now = path.stat()
        if (now.st_uid, now.st_gid) != (found.st_uid, found.st_gid):
            with suppress(OSError):
                os.chown(path, found.st_uid, found.st_gid)
    if sys.platform == "linux":
        with suppress(OSError):
            for name in os.listxattr(model):
                with suppress(OSError):
                    os.setxattr(path, name, os.getxattr(model, name))
    with suppress(OSError):
        os.chmod(path, mode_without_owner(found))


def mode_without_owner(found: os.stat_result) -> int:
    """The mode of a file; what runs as its owner does so no more when it is written, as with the system itself."""
    return stat.S_IMODE(found.st_mode) & ~(stat.S_ISUID | stat.S_ISGID)


def take_room(handle: int, size: int) -> None:
    """Make an open file longer by room that is really there. Raises OSError, with the file as it was, when it is not.

    On systems that cannot say, it only becomes longer.
    """
    before = os.fstat(handle).st_size
    if sys.platform != "linux":
        os.ftruncate(handle, size)
        return
    try:
        os.posix_fallocate(handle, before, size - before)
    except OSError as error:
        os.ftruncate(handle, before)
        if error.errno not in (errno.EOPNOTSUPP, errno.EINVAL):
            raise
