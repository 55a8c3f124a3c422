"""Cycles are taken apart in the window's thread, never in a worker."""

from __future__ import annotations

import gc
import threading
import weakref

from ridewright.app.shell.garbage import LIMITS, GarbageCollector


class Knot:
    """An object that only the collector can free, and that notes the thread in which that happened."""

    def __init__(self) -> None:
        self.me = self


def test_that_cycles_wait_for_the_window_s_thread(qtbot, collector: GarbageCollector) -> None:
    assert not gc.isenabled()
    where: list[int] = []
    knot = Knot()
    weakref.finalize(knot, lambda: where.append(threading.get_ident()))
    del knot

    kept: list[list[int]] = []

    def busy() -> None:
        for k in range(200_000):
            kept.append([k])

    worker = threading.Thread(target=busy)
    worker.start()
    worker.join()
    assert where == []
    collector.collect()
    assert len(kept) == 200_000
    assert where == [threading.get_ident()]


def test_that_while_the_program_is_prepared_only_what_is_new_is_looked_through(
    qtbot, collector: GarbageCollector
) -> None:
    collector.settle()
    started: list[int] = []

    def note(phase: str, info: dict[str, int]) -> None:
        if phase == "start":
            started.append(info["generation"])

    gc.callbacks.append(note)
    try:
        for prepared, reached in ((False, {0}), (True, {1, 2})):
            collector.settle() if prepared else collector.prepare()
            started.clear()
            for _ in range(
                (LIMITS[1] + 2) * (LIMITS[2] + 2)
            ):  # each with enough new objects for the youngest
                kept = [[k] for k in range(2 * LIMITS[0])]
                collector.collect()
                del kept
            assert reached <= set(started)
            assert prepared or set(started) == {0}
    finally:
        gc.callbacks.remove(note)
        collector.settle()
