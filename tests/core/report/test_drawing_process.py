"""Figures that are drawn in a process of their own."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from contextlib import closing
from functools import partial
from pathlib import Path

import pytest

from ridewright.core.project.project import Project
from ridewright.core.report import drawing_process
from ridewright.core.report.book import Book
from ridewright.core.report.drawing_process import DrawingProcess
from ridewright.core.report.write import ReportTarget, write_report
from ridewright.core.results.results import Results
from tests.core.report.conftest import OPTIONS

pytest.importorskip("matplotlib", reason="without it there is no such process")
LONE = """
import multiprocessing, time
from functools import partial
from ridewright.core.report.drawing_process import DrawingProcess
if __name__ == "__main__":
    print(int.from_bytes(DrawingProcess().begin(partial(int.to_bytes, 0, 1, "big"))(), "big"), flush=True)
    print(*(one.pid for one in multiprocessing.active_children()), flush=True)
    time.sleep(60.0)
"""


LONG = 20.0  # s


def own_number() -> bytes:
    """Which process this is."""
    return str(os.getpid()).encode()


def gone_elsewhere(here: int) -> bytes:
    """Ends any process but one."""
    if os.getpid() != here:
        os._exit(1)
    return b"drawn here"


def held_until(go: Path) -> bytes:
    """Draws when a file is there, or after long enough."""
    until = time.monotonic() + LONG
    while not go.exists() and time.monotonic() < until:
        time.sleep(0.01)
    return own_number()


def let_go(go: Path) -> bytes:
    """Makes the file."""
    go.touch()
    return own_number()


def refused() -> bytes:
    """Does not draw."""
    raise ValueError("no such colour")


def test_that_figures_drawn_beside_are_those_drawn_in_between(
    ride: tuple[Project, Results], tmp_path: Path
) -> None:
    between, beside = (ReportTarget(html=tmp_path / name) for name in ("between.html", "beside.html"))
    write_report(*ride, between, options=OPTIONS)
    with closing(DrawingProcess()) as drawing:
        write_report(*ride, beside, options=OPTIONS, drawing=drawing)
    assert between.html is not None
    assert beside.html is not None
    assert between.html.read_bytes() == beside.html.read_bytes()


def test_that_a_figure_is_drawn_elsewhere_and_what_it_raises_here() -> None:
    with closing(DrawingProcess()) as drawing:
        drawing.make_ready()
        drawn, failing, after = (drawing.begin(one) for one in (own_number, refused, own_number))
        assert drawn() == after() != own_number()
        with pytest.raises(ValueError, match="no such colour"):
            failing()


def test_that_a_process_that_ends_too_early_costs_no_figure() -> None:
    with closing(DrawingProcess()) as drawing:
        last = drawing.begin(partial(gone_elsewhere, os.getpid()))
        waiting = drawing.begin(own_number)
        assert last() == b"drawn here"
        assert waiting() == own_number()
        assert drawing.begin(own_number)() == own_number()
    assert drawing.begin(own_number)() == own_number()


def test_that_what_waits_is_drawn_by_who_waits_for_it(tmp_path: Path) -> None:
    """The last first, while the process draws the first."""
    with closing(DrawingProcess()) as drawing:
        drawing.make_ready()
        book = Book(OPTIONS, drawing=drawing)
        go = tmp_path / "go"
        book.figure("held", "", "", partial(held_until, go))
        for k in range(6):
            book.figure(f"f{k}", "", "", own_number)
        book.figure("last", "", "", partial(let_go, go))
        while not book.coming["held.svg"].coming.running():
            time.sleep(0.01)
        drawn = book.drawn()
    here = own_number()
    assert [*map(drawn.get, ("f4.svg", "f5.svg", "last.svg"))] == [here] * 3
    assert drawn["held.svg"] != here
    assert len(drawn) == 8
    assert book.drawn() == drawn


def test_that_figures_are_drawn_here_where_no_process_can_be_had(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> None:
        raise OSError("no shared memory")

    monkeypatch.setattr(drawing_process, "ProcessPoolExecutor", refuse)
    with closing(DrawingProcess()) as drawing:
        drawing.make_ready()
        assert drawing.begin(own_number)() == own_number()


def test_that_the_process_does_not_outlive_who_has_it(tmp_path: Path) -> None:
    script = tmp_path / "lone.py"
    script.write_text(LONE)
    quiet = {"stdout": subprocess.PIPE, "stderr": subprocess.DEVNULL, "text": True}
    with subprocess.Popen([sys.executable, str(script)], **quiet) as parent:
        assert parent.stdout is not None
        assert parent.stdout.readline() == "0\n"
        child = int(parent.stdout.readline())
        os.kill(child, 0)
        parent.send_signal(signal.SIGKILL)
    until = time.monotonic() + LONG
    while Path(f"/proc/{child}/cmdline").exists() and Path(f"/proc/{child}/cmdline").read_bytes():
        assert time.monotonic() < until
        time.sleep(0.02)
