"""Work beside the window: the latest counts, others in their order, an early end, what goes wrong."""

from __future__ import annotations

import os
import sys
import threading
from collections.abc import Iterator

import pytest
from PySide6.QtCore import QCoreApplication

from ridewright.app.work import threads
from ridewright.app.work.task import ProgressReporter, Task
from ridewright.core.base.errors import InputError
from tests.app.mouse_and_keyboard import settle

LONG = 10_000  # ms


class Gate:
    """Work that waits until it is let through, and writes down what it began with."""

    def __init__(self) -> None:
        self.begun: list[object] = []
        self.open = threading.Event()
        self.stopped: dict[object, bool] = {}

    def __call__(self, asked: object, reporter: ProgressReporter) -> object:
        self.begun.append(asked)
        self.open.wait(10.0)
        self.stopped[asked] = reporter.stopped()
        return asked


@pytest.fixture
def gate() -> Iterator[Gate]:
    made = Gate()
    yield made
    made.open.set()


def test_that_only_the_latest_counts_and_what_waits_is_not_begun(qtbot, gate: Gate) -> None:
    task, found = Task("latest", gate), []
    task.finished.connect(found.append)
    task.ask("a")
    qtbot.waitUntil(lambda: gate.begun == ["a"], timeout=LONG)
    task.ask("b")
    task.ask("c")
    gate.open.set()
    qtbot.waitUntil(lambda: found == ["c"], timeout=LONG)  # a came too late, b was never begun
    assert gate.begun == ["a", "c"]
    task.close()
    assert "latest" not in threads.running()


def test_that_others_are_done_one_after_the_other(qtbot, gate: Gate) -> None:
    task, found = Task("every", gate, latest=False), []
    task.finished.connect(found.append)
    gate.open.set()
    for asked in "abc":
        task.ask(asked)
    qtbot.waitUntil(lambda: found == ["a", "b", "c"], timeout=LONG)
    task.close()


def test_that_a_stop_ends_what_was_asked_before_and_not_what_comes(qtbot, gate: Gate) -> None:
    task, found = Task("stop", gate, latest=False), []
    task.finished.connect(found.append)
    task.ask("a")
    assert not task.stopping
    task.stop()
    assert task.stopping
    task.ask("b")
    assert not task.stopping
    gate.open.set()
    qtbot.waitUntil(lambda: found[-1:] == ["b"], timeout=LONG)
    assert gate.stopped["a"]
    assert not gate.stopped["b"]
    task.close()


def test_that_nothing_comes_after_closing(qtbot, gate: Gate) -> None:
    task, found = Task("closed", gate), []
    task.finished.connect(found.append)
    task.ask("a")
    qtbot.waitUntil(lambda: gate.begun == ["a"], timeout=LONG)
    threading.Timer(0.05, gate.open.set).start()
    task.close()  # waits
    assert gate.stopped == {"a": True}
    task.ask("b")
    settle(5)
    assert found == []
    assert gate.begun == ["a"]
    assert "closed" not in threads.running()


def test_that_trouble_is_a_sentence_and_the_next_request_is_done(qtbot) -> None:
    def work(asked: int, reporter: ProgressReporter) -> int:
        reporter.progress(0.5, "half")
        reporter.report(asked)
        if asked == 0:
            raise InputError("Nothing can be divided by nothing.")
        return 10 // (asked - 1)

    task = Task("trouble", work, latest=False, failing="The division failed")
    failed, found, told, shares = [], [], [], []
    for signal, where in ((task.failed, failed), (task.finished, found), (task.reported, told)):
        signal.connect(where.append)
    task.progressed.connect(lambda share, text: shares.append((share, text)))
    for asked in (0, 1, 3):
        task.ask(asked)
    qtbot.waitUntil(lambda: found == [5], timeout=LONG)
    assert failed[0] == "Nothing can be divided by nothing."
    assert failed[1].startswith("The division failed: ZeroDivisionError")
    assert told == [0, 1, 3]
    assert shares == [(0.5, "half")] * 3
    task.close()


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere the priority is Qt's")
def test_that_work_beside_the_window_goes_after_it(qtbot) -> None:
    def niceness(*_: object) -> int:
        return os.getpriority(os.PRIO_PROCESS, threading.get_native_id())

    task, found = Task("nice", niceness), []
    task.finished.connect(found.append)
    task.ask()
    qtbot.waitUntil(lambda: bool(found), timeout=LONG)
    assert found == [min(19, niceness() + threads.KINDER)]
    task.close()


def test_that_the_thread_ends_before_its_object(qtbot, gate: Gate) -> None:
    task = Task("dropped", gate)
    gate.open.set()
    task.ask("a")
    assert "dropped" in threads.running()
    task.deleteLater()
    QCoreApplication.sendPostedEvents(task, 0)
    settle(3)
    qtbot.waitUntil(lambda: "dropped" not in threads.running(), timeout=LONG)
