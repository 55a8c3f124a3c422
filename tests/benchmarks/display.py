"""A display for benchmarks of the studio: the one there is, or a virtual one for one process."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

from tests.benchmarks import measure

MISSING = "  left out: there is no display, and xvfb-run is not installed (apt-get install xvfb xauth)"


def clocks() -> tuple[float, float]:
    """Wall clock (s), and the time (s) this thread has waited for a processor that others used (Linux; else 0)."""
    try:
        waited = float(Path("/proc/thread-self/schedstat").read_text().split()[1]) * 1e-9
    except OSError:
        waited = 0.0
    return time.perf_counter(), waited


class Display:
    """A context with a display; `here` is False when there is none to be had."""

    def __init__(self) -> None:
        self._server: subprocess.Popen[bytes] | None = None
        self.name = os.environ.get("DISPLAY", "")

    def __enter__(self) -> Display:
        if not self.name and shutil.which("Xvfb"):
            read, write = os.pipe()
            command = ["Xvfb", "-displayfd", str(write), "-screen", "0", "1920x1200x24", "-nolisten", "tcp"]
            self._server = subprocess.Popen(
                command, pass_fds=(write,), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
            )
            os.close(write)
            with os.fdopen(read) as told:
                self.name = f":{told.readline().strip()}"
        return self

    def __exit__(self, *_: object) -> None:
        if self._server is not None:
            self._server.terminate()
            self._server.wait()

    @property
    def here(self) -> bool:
        """Whether there is a display."""
        return bool(self.name)

    def json_of(self, *arguments: str) -> dict[str, Any]:
        """Run `python <arguments>` on the display; it prints one JSON object as its last line."""
        environment = {
            **os.environ,
            "DISPLAY": self.name,
            "QT_QPA_PLATFORM": "xcb",
            "STARTED": repr(time.time()),
        }
        environment.pop(
            "PYTHONDONTWRITEBYTECODE", None
        )  # else every start compiles the program from its text
        done = subprocess.run(
            [sys.executable, *arguments],
            cwd=measure.ROOT,
            env=environment,
            capture_output=True,
            text=True,
            check=False,
        )
        if done.returncode != 0 or not done.stdout.strip():
            raise RuntimeError(f"benchmark process failed:\n{done.stderr}")
        found: dict[str, Any] = json.loads(done.stdout.strip().splitlines()[-1])
        return found
