"""Programs that are killed at any moment leave what was there, or what they wrote as a whole; the next one tidies up.

Each is forked from this process with everything loaded, so that the moments fall into the work and the writing.
"""

from __future__ import annotations

import json
import os
import random
import signal
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from ridewright.core.cli import main
from ridewright.core.project.project import load_project, save_project
from ridewright.core.results.file import read_results

RIDE = Path(__file__).parents[1] / "damaged" / "ride.ridewright"
FEW, MANY = 4, 60
BARE = ["--moments", "1", "--riders", "1"]

Action = tuple[
    Callable[[Path], None], Callable[[Path], None]
]  # what is done in a folder, what must hold there


def _simulate(folder: Path) -> None:
    assert main(["simulate", str(RIDE), "--duration", "0.3", "--out", str(folder)]) in (0, 1)


def _has_run(folder: Path) -> None:
    assert len(read_results(folder / "results.h5").states.time) > 1
    assert json.loads((folder / "summary.json").read_text(encoding="utf-8"))


def _save(folder: Path) -> None:
    project = load_project(RIDE)
    for k in range(30):
        save_project(project.model_copy(update={"notes": f"{k} " * 40_000}), folder / "saved.ridewright")


def _has_project(folder: Path) -> None:
    notes = load_project(folder / "saved.ridewright").notes.split()
    assert len(notes) == 40_000
    assert len(set(notes)) == 1


def _report(folder: Path) -> None:
    os.environ["SOURCE_DATE_EPOCH"] = "0"
    run = folder.parent / "reported"
    if not (run / "results.h5").exists():
        _simulate(run)
    out = ["-o", str(folder / "r.pdf"), "--html", str(folder / "r.html"), "--json", str(folder / "r.json")]
    assert main(["report", str(run / "results.h5"), *out, "--csv", str(folder / "tables"), *BARE]) == 0


def _has_report(folder: Path) -> None:
    assert (folder / "r.pdf").read_bytes().rstrip().endswith(b"%%EOF")
    assert (folder / "r.html").read_text(encoding="utf-8").rstrip().endswith("</html>")
    assert json.loads((folder / "r.json").read_text(encoding="utf-8"))


ACTIONS: dict[str, Action] = {
    "simulate": (_simulate, _has_run),
    "save": (_save, _has_project),
    "report": (_report, _has_report),
}


def _files(*folders: Path) -> set[str]:
    return {f"{path.relative_to(folder.parent)}" for folder in folders for path in folder.rglob("*")}


def _silently(action: Callable[[Path], None], folder: Path) -> int:
    """Do it in a forked process; returns its number."""
    sys.stdout.flush()
    process = os.fork()
    if process:
        return process
    code = 1
    try:
        nothing = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nothing, 1)
        os.dup2(nothing, 2)
        sys.stdout, sys.stderr = (os.fdopen(k, "w", closefd=False) for k in (1, 2))
        action(folder)
        code = 0
    finally:
        os._exit(code)


def _killed(action: Callable[[Path], None], folder: Path, after: float) -> None:
    process = _silently(action, folder)
    time.sleep(after)
    os.kill(process, signal.SIGKILL)
    os.waitpid(process, 0)


def _all_hold(name: str, count: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    if name == "report":
        pytest.importorskip("matplotlib")
        pytest.importorskip("typst")
    action, holds = ACTIONS[name]
    seed = int(os.environ.get("RIDEWRIGHT_FUZZ", random.SystemRandom().getrandbits(32)))
    moments = random.Random(seed)
    folder, scratch = tmp_path / "out", tmp_path / "scratch"
    for made in (folder, scratch):
        made.mkdir()
    monkeypatch.setenv("TMPDIR", str(scratch))
    monkeypatch.setattr(tempfile, "tempdir", None)
    if name != "report":  # its libraries start threads, which do not survive a fork
        action(folder)
    assert os.waitpid(_silently(action, folder), 0)[1] == 0
    began = time.monotonic()
    assert os.waitpid(_silently(action, folder), 0)[1] == 0
    whole, sound = time.monotonic() - began, _files(folder, scratch)
    for k in range(count):
        after = moments.uniform(0.0, 1.1 * whole)
        _killed(action, folder, after)
        try:
            holds(folder)
        except Exception as error:  # told with what repeats it
            raise AssertionError(
                f"seed {seed}, kill {k} after {after:.3f} s of {whole:.3f} s: {error}"
            ) from error
    assert os.waitpid(_silently(action, folder), 0)[1] == 0
    assert _files(folder, scratch) == sound, f"seed {seed}: something is left"


@pytest.mark.parametrize("name", ["simulate", "save"])
def test_that_a_kill_breaks_nothing_and_leaves_nothing(name: str, tmp_path: Path, monkeypatch) -> None:
    _all_hold(name, FEW, tmp_path, monkeypatch)


@pytest.mark.nightly
@pytest.mark.parametrize("name", ACTIONS)
def test_that_sixty_kills_break_nothing_and_leave_nothing(name: str, tmp_path: Path, monkeypatch) -> None:
    _all_hold(name, MANY, tmp_path, monkeypatch)
