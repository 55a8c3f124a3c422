"""Work of a task in a process of its own: its result, what it refuses, its sudden end, and that it can be killed."""

from __future__ import annotations

import operator
import os
import time
from typing import Any

from pytestqt.qtbot import QtBot

from ridewright.app.work.own_process import in_own_process
from ridewright.app.work.task import Task
from ridewright.core.base.reading import read_file


def _task(work: Any) -> Task:
    return Task(
        "own process", lambda asked, reporter: in_own_process(work, asked, reporter), failing="It failed"
    )


def _refusal(qtbot: QtBot, work: Any, asked: Any) -> str:
    task = _task(work)
    with qtbot.waitSignal(task.failed, timeout=20_000) as told:
        task.ask(asked)
    task.close()
    (sentence,) = told.args
    return str(sentence)


def test_that_the_result_of_another_process_comes_back(qtbot: QtBot) -> None:
    task = _task(operator.neg)
    with qtbot.waitSignal(task.finished, timeout=20_000) as told:
        task.ask(7)
    assert told.args == [-7]
    task.close()


def test_that_what_is_refused_there_is_refused_here_and_a_sudden_end_is_told(qtbot: QtBot) -> None:
    assert "does not exist" in _refusal(qtbot, _read, "/nowhere/at/all")
    assert _refusal(qtbot, os._exit, 3).startswith("Its process was ended from outside")


def test_that_closing_does_not_wait_for_the_work(qtbot: QtBot) -> None:
    task = _task(time.sleep)
    task.ask(60.0)
    qtbot.wait(300)
    begin = time.monotonic()
    task.close()
    assert time.monotonic() - begin < 30.0


def _read(name: str) -> bytes:
    from pathlib import Path

    return read_file(Path(name), 10, "a test")
