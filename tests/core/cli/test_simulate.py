"""`ridewright simulate`: what reaches the engine, what is written, and what an interrupt leaves behind.

The engine is a stand-in here, so that every ending can be brought about; tests/verification rides the real one.
"""

from __future__ import annotations

import json
import os
import signal
import sys
import time
import types
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from ridewright.core.base.bundled import example_path
from ridewright.core.cli import main
from ridewright.core.project.project import Project
from ridewright.core.results.file import read_results
from ridewright.core.results.results import Results, Status

RIDE = str(Path(__file__).parents[1] / "damaged" / "ride.ridewright")
RIG = str(Path(__file__).parents[1] / "damaged" / "rig.ridewright")
Engine = Callable[..., Results]


@pytest.fixture
def engine(monkeypatch: pytest.MonkeyPatch) -> Callable[[Engine], None]:
    """Put a stand-in for the engine where the command looks for it."""

    def install(simulate: Engine) -> None:
        module = types.ModuleType("ridewright.core.run.simulate")
        module.simulate = simulate  # type: ignore[attr-defined]
        monkeypatch.setitem(sys.modules, "ridewright.core.run.simulate", module)

    return install


def test_that_a_complete_run_is_written_and_reported(engine, make_results, tmp_path, capsys) -> None:
    results = make_results()
    engine(lambda project, **_: results)
    assert main(["simulate", RIDE, "--out", str(tmp_path / "a" / "b")]) == 0
    again = read_results(tmp_path / "a" / "b" / "results.h5")
    assert np.abs(again.states.position - results.states.position).max() < 1e-12
    assert again.energy.kinetic.tobytes() == results.energy.kinetic.tobytes()
    summary = json.loads((tmp_path / "a" / "b" / "summary.json").read_text())
    assert summary["status"]["name"] == "done"
    assert summary["project"] == "Small ride"
    out = capsys.readouterr().out
    assert "Small ride: done" in out
    assert str(tmp_path / "a" / "b" / "results.h5") in out


def test_that_set_and_duration_reach_the_engine(engine, make_results, tmp_path) -> None:
    seen: list[Project] = []

    def simulate(project, **_):
        seen.append(project)
        return make_results()

    engine(simulate)
    extra = [
        "--duration",
        "2.5",
        "--set",
        "scenario.speed=17",
        "settings.tolerance=1e-4",
        "--set",
        "name=Other",
    ]
    assert main(["simulate", RIDE, "--out", str(tmp_path), *extra]) == 0
    project = seen[0]
    assert (project.scenario.duration, project.scenario.speed) == (2.5, 17.0)
    assert (project.settings.tolerance, project.name) == (1e-4, "Other")


@pytest.mark.parametrize("name", ["stopped", "stalled", "failed"])
def test_that_a_run_that_ended_early_is_written_and_gives_exit_code_1(
    name, engine, make_results, tmp_path, capsys
) -> None:
    results = replace(make_results(), status=Status(name, "it went no further", "look at the hill"))
    engine(lambda project, **_: results)
    assert main(["simulate", RIDE, "--out", str(tmp_path)]) == 1
    assert read_results(tmp_path / "results.h5").status == results.status
    assert "look at the hill" in capsys.readouterr().out


def _until_stopped(make_results: Callable[..., Results], interrupts: int) -> Engine:
    """An engine that is interrupted while it runs and stops when it is asked to, like the real one."""

    def simulate(project, *, on_progress, should_stop):
        sent = 0
        for step in range(100_000):
            on_progress(step / 100_000, step * 1e-3, 100.0)
            # the second only once the first has arrived: signals that wait together count as one
            if step >= 20 and sent < interrupts and should_stop() == (sent == 1):
                os.kill(os.getpid(), signal.SIGINT)
                sent += 1
                deadline = time.monotonic() + 10.0
                while not should_stop() and time.monotonic() < deadline:
                    time.sleep(1e-3)
            if sent == 2:
                time.sleep(1e-3)
            if should_stop() and interrupts == 1:
                return replace(make_results(instants=30), status=Status("stopped", f"stopped at step {step}"))
        raise AssertionError("was never stopped")

    return simulate


def test_that_ctrl_c_keeps_what_there_is(engine, make_results, tmp_path, capsys) -> None:
    engine(_until_stopped(make_results, interrupts=1))
    before = signal.getsignal(signal.SIGINT)
    assert main(["simulate", RIDE, "--out", str(tmp_path)]) == 1
    assert signal.getsignal(signal.SIGINT) is before
    results = read_results(tmp_path / "results.h5")
    assert results.status.name == "stopped"
    assert results.status.message == "stopped at step 20"
    assert json.loads((tmp_path / "summary.json").read_text())["status"]["complete"] is False


def test_that_a_second_ctrl_c_gives_up_without_a_traceback(engine, make_results, tmp_path, capsys) -> None:
    engine(_until_stopped(make_results, interrupts=2))
    before = signal.getsignal(signal.SIGINT)
    assert main(["simulate", RIDE, "--out", str(tmp_path)]) == 1
    assert signal.getsignal(signal.SIGINT) is before
    assert list(tmp_path.iterdir()) == []
    assert capsys.readouterr().err.splitlines()[-1] == "ridewright: interrupted; nothing was written."


def test_that_a_run_too_short_to_judge_is_still_summarised(engine, make_results, tmp_path, capsys) -> None:
    results = make_results(instants=3, duration=0.002)
    engine(lambda project, **_: replace(results, status=Status("stopped", "at once")))
    assert main(["simulate", RIDE, "--out", str(tmp_path)]) == 1
    parts = json.loads((tmp_path / "summary.json").read_text())["riders"]["car 1/rider"]
    assert all(c["value"] is None or c["note"] is not None for c in parts["head"]["criteria"])


def test_that_the_run_is_kept_when_it_cannot_be_summed_up(
    engine, make_results, tmp_path, capsys, monkeypatch
) -> None:
    from ridewright.core.base.errors import InputError

    def summarise(project, results):
        raise InputError("The run cannot be summed up.")

    results = make_results()
    engine(lambda project, **_: results)
    monkeypatch.setattr("ridewright.core.outcome.summary.summarise", summarise)
    assert main(["simulate", RIDE, "--out", str(tmp_path)]) == 2
    assert capsys.readouterr().err.splitlines()[-1] == "ridewright: The run cannot be summed up."
    assert len(read_results(tmp_path / "results.h5").states.time) == len(results.states.time)
    assert not (tmp_path / "summary.json").exists()


def test_that_a_results_file_that_cannot_be_written_is_one_sentence(
    engine, make_results, tmp_path, capsys, monkeypatch
) -> None:
    from ridewright.core.base.errors import InputError

    def write_results(results, path, compact):
        raise InputError(f"{path.name}: the disk is full.")

    results = make_results()
    engine(lambda project, **_: results)
    monkeypatch.setattr("ridewright.core.results.file.write_results", write_results)
    assert main(["simulate", RIDE, "--out", str(tmp_path)]) == 2
    assert capsys.readouterr().err.splitlines()[-1] == "ridewright: results.h5: the disk is full."
    assert list(tmp_path.iterdir()) == []


def test_that_the_engine_is_not_started_when_the_output_cannot_be_written(engine, tmp_path, capsys) -> None:
    def simulate(project, **_):
        raise AssertionError("must not run")

    engine(simulate)
    (tmp_path / "file").write_text("")
    for out in ("file", "file/deeper"):
        assert main(["simulate", RIDE, "--out", str(tmp_path / out)]) == 2
        assert "a file is in the way" in capsys.readouterr().err


def test_that_a_refusal_of_the_engine_is_one_sentence(engine, tmp_path, capsys) -> None:
    from ridewright.core.base.errors import InputError

    def simulate(project, **_):
        raise InputError("joint 'pivot' cannot be closed: its points are 0.2 m apart.")

    engine(simulate)
    assert main(["simulate", RIG, "--out", str(tmp_path)]) == 2
    assert (
        capsys.readouterr().err == "ridewright: joint 'pivot' cannot be closed: its points are 0.2 m apart.\n"
    )


def test_that_a_fault_of_the_program_leaves_a_log_and_no_traceback(
    engine, tmp_path, capsys, monkeypatch
) -> None:
    def simulate(project, **_):
        return 1 / 0

    engine(simulate)
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    assert main(["simulate", RIG, "--out", str(tmp_path / "out")]) == 3
    error = capsys.readouterr().err
    assert len(error.splitlines()) == 1
    assert "Traceback" not in error
    (log,) = tmp_path.glob("ridewright-*.log")
    assert str(log) in error
    assert "ZeroDivisionError" in log.read_text()


def test_that_a_folder_that_cannot_be_made_is_refused_in_words(tmp_path, capsys):
    for name, why in (("x" * 300, "the name is too long"), ("loop", "a link leads back to itself")):
        (tmp_path / "loop").unlink(missing_ok=True)
        (tmp_path / "loop").symlink_to("loop")
        assert main(["simulate", str(example_path("straight")), "--out", str(tmp_path / name / "run")]) == 2
        assert f"cannot be written ({why})." in capsys.readouterr().err
