"""Cycles are taken apart in the window's thread, never in a worker."""

from __future__ import annotations

import gc
import threading
import weakref

from app.garbage import GarbageCollector


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
