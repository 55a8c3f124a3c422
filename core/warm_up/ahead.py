"""Compile the kernels of a ride before it, in two child processes, so that the program which rides need not.

Two processors are used, the window of the studio stays free of the compiler, and what the compiler takes of memory
goes with the children. Nothing depends on it: kernels that are missing later are compiled where they are called.
"""

from __future__ import annotations

import hashlib
import os
import platform
import select
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from ..base import host
from ..jit.cache import SHIPPED, cache_folder, features, source_stamp
from .worker import ROOTS, Part, compile_part, parts_of

PACKAGE = Path(__file__).resolve().parents[1]
WORKER = "ridewright.core.warm_up.worker"
CHILDREN = 2
POLL = 0.1  # s
# The loops of these kernels go over three components or a few bodies: looking for vectors in them only takes time.
SCALAR = {"NUMBA_LOOP_VECTORIZE": "0", "NUMBA_SLP_VECTORIZE": "0", "NUMBA_OPT": "1"}

Progress = Callable[[int, int], None]


def compile_missing(
    what: str = "ride",
    *,
    on_progress: Progress | None = None,
    should_stop: Callable[[], bool] | None = None,
) -> bool:
    """Have the kernels compiled and kept that a ride uses, or the preview of one.

    Parameters
    ----------
    what
        "ride", "preview" or "explicit" (methods at fixed steps, and adaptive ones).
    on_progress
        Called with (done, of) as parts get done.
    should_stop
        Polled; ends the children.

    Returns
    -------
    Whether they are kept. Where it does not work (a child that fails) it is False and nothing is changed.

    Notes
    -----
    A second program waits for the first one's kernels. Where no children can be started (on another than a POSIX
    system, in a frozen program) they are compiled in this process, and kept as far as there is a place.
    """
    folder = cache_folder()
    stopped, reported = should_stop or (lambda: False), on_progress or (lambda done, of: None)
    if folder is None or os.name != "posix" or not _interpreter():
        return _compile_here(parts_of(what), reported, stopped)
    stamp, mark = kernel_stamp(), folder / f"{what}.ready"
    if _is_ready(mark, stamp) or _is_ready(SHIPPED / mark.name, stamp):
        return True
    try:
        with _alone(folder / f"{what}.lock", stopped) as alone:
            if not alone:
                return False
            if not _is_ready(mark, stamp):  # by then another program may have done it
                _compile(list(parts_of(what)), reported, stopped)
                _write(mark, stamp)
    except (OSError, _NotCompiledError):
        return False
    return True


def kernel_stamp() -> str:
    """Digest of what compiled kernels depend on: their sources, Python, numba and the processor."""
    from importlib.metadata import version

    digest = hashlib.sha256()
    for name in ROOTS:
        digest.update(
            source_stamp(PACKAGE, PACKAGE.joinpath(*name.split(".")[2:]).with_suffix(".py")).encode()
        )
    wanted = os.environ.get("NUMBA_CPU_NAME"), os.environ.get("NUMBA_CPU_FEATURES")
    processor = (
        wanted if all(one is not None for one in wanted) else (platform.processor(), *sorted(features()))
    )
    made_by = platform.python_implementation(), sys.version_info[:2], platform.machine(), version("numba")
    digest.update(f"{made_by} {processor}".encode())
    return digest.hexdigest()


class _NotCompiledError(Exception):
    """Some part was not compiled."""


def _interpreter() -> bool:
    """Whether sys.executable is a Python that runs modules: not so in frozen programs and in hosts of Python."""
    return not hasattr(sys, "frozen") and Path(sys.executable or "").name.startswith("python")


def _is_ready(mark: Path, stamp: str) -> bool:
    try:
        return mark.read_text(encoding="ascii") == stamp
    except (OSError, ValueError):
        return False


def _write(path: Path, text: str) -> None:
    own = path.with_name(f"{path.name}.{os.getpid()}")
    own.write_text(text, encoding="ascii")
    own.replace(path)


@contextmanager
def _alone(path: Path, stopped: Callable[[], bool]) -> Iterator[bool]:
    """Hold a lock that the system takes back when the program ends; False when asked to stop while waiting for it."""
    with path.open("w", encoding="ascii") as file:
        while True:
            try:
                host.lock(file.fileno())
            except BlockingIOError:
                if stopped():
                    yield False
                    return
                time.sleep(POLL)
            else:
                yield True
                return


def _compile(waiting: list[Part], on_progress: Progress, stopped: Callable[[], bool]) -> None:
    """Give parts to the children as their needs are met. Raises _NotCompiledError when one is not compiled."""
    total, done = len(waiting), set[str]()
    children: list[_Child] = []
    try:
        for _ in range(min(CHILDREN, total)):
            children.append(_Child())
        on_progress(0, total)
        while len(done) < total:
            for child in children:
                if child.part is None and (part := _next(waiting, done)) is not None:
                    waiting.remove(part)
                    child.give(part)
            busy = [child.out for child in children if child.part is not None]
            if stopped() or not busy:
                raise _NotCompiledError
            ready = select.select(busy, [], [], POLL)[0]
            for child in children:
                if child.out in ready:
                    done.add(child.take())
                    on_progress(len(done), total)
    finally:
        for child in children:
            child.end()


def _compile_here(parts: tuple[Part, ...], on_progress: Progress, stopped: Callable[[], bool]) -> bool:
    for done, part in enumerate(parts):
        on_progress(done, len(parts))
        if stopped():
            return False
        compile_part(part.name)
    on_progress(len(parts), len(parts))
    return True


def _next(waiting: list[Part], done: set[str]) -> Part | None:
    return next((part for part in waiting if done.issuperset(part.needs)), None)


class _Child:
    """A process that compiles the parts it is told to; it ends when this one does."""

    def __init__(self) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-P", "-m", WORKER],  # what lies in the folder one is in is not ours
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env={**os.environ, **SCALAR},
            bufsize=0,
            start_new_session=True,  # Ctrl-C is for this program, which then ends its children
        )
        assert self.process.stdout is not None
        self.out = self.process.stdout
        self.part: Part | None = None

    def give(self, part: Part) -> None:
        """Have it begin with a part."""
        assert self.process.stdin is not None
        self.part = part
        self.process.stdin.write(f"{part.name}\n".encode())

    def take(self) -> str:
        """The name of the part it has done. Raises _NotCompiledError when it ended instead."""
        assert self.part is not None
        name, self.part = self.part.name, None
        if self.out.readline().decode().strip() != name:
            raise _NotCompiledError
        return name

    def end(self) -> None:
        """End it, whatever it does."""
        self.process.kill()
        for stream in (self.process.stdin, self.process.stdout):
            if stream is not None:
                with suppress(OSError):
                    stream.close()
        self.process.wait()
