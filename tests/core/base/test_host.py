"""The program on a system that lacks what only Linux has: its names are taken away before it is imported."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

ELSEWHERE = """
import os, signal, sys, types
import h5py, numba, numpy, pydantic, scipy  # compiled for this system: they look at it once
from pathlib import Path

for name in ("fchmod", "chown", "listxattr", "setxattr", "getxattr", "posix_fallocate", "getuid", "sched_getaffinity",
             "O_NOFOLLOW", "O_NONBLOCK", "fork", "umask", "kill"):
    delattr(os, name)
del signal.SIGHUP
sys.modules["fcntl"] = None
held = set()
def locking(handle, _how, _bytes):
    at = os.fstat(handle).st_ino
    if at in held:
        raise PermissionError(13, "held")
    held.add(at)
sys.modules["msvcrt"] = types.SimpleNamespace(locking=locking, LK_NBLCK=2)
sys.platform = "win32"

from ridewright.core.base import atomic, host
from ridewright.core.cli import interrupt
from ridewright.core.project.examples import load_example
from ridewright.core.project.project import save_project
from ridewright.core.results import spilled
from ridewright.core.studies import cluster

folder = Path(sys.argv[1])
for text in ("one", "two"):
    with atomic.replacing(folder / "file") as part:
        part.write_text(text)
assert (folder / "file").read_text() == "two"
assert os.listdir(folder) == ["file"]
project = load_example("looping_star")
save_project(project, folder / "ride.ridewright")
with atomic.scratch_folder("ridewright-test") as scratch:
    assert scratch.is_dir()
with interrupt.stop_on_interrupt() as stop:
    assert not stop.is_set()
array, = spilled.zeros(1 << 20, ())
spilled.release(array)
assert host.processors() >= 1 and cluster._processors() >= 1
with open(folder / "lock", "w") as one:
    host.lock(one.fileno())
    try:
        host.lock(one.fileno())
    except BlockingIOError:
        print("held")
"""


def test_that_files_are_written_and_locked_where_names_of_linux_are_missing(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-c", ELSEWHERE, str(tmp_path)], capture_output=True, text=True, timeout=300
    )
    assert (done.returncode, done.stdout) == (0, "held\n"), done.stderr
