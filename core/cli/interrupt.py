"""Ctrl-C during a run: stop at the next step and keep partial results."""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

SIGNALS = (signal.SIGINT, signal.SIGTERM)


@contextmanager
def stop_on_interrupt() -> Iterator[threading.Event]:
    """Within the block the first SIGINT or SIGTERM sets the event; a second one acts as it would outside.

    Pass the event's `is_set` as should_stop. Outside the main thread, where Python allows no signal handlers, the
    event is simply never set.
    """
    event = threading.Event()
    if threading.current_thread() is not threading.main_thread():
        yield event
        return
    before = {number: signal.getsignal(number) for number in SIGNALS}

    def restore() -> None:
        for number, handler in before.items():
            signal.signal(number, handler)

    def stop(number: int, frame: FrameType | None) -> None:
        event.set()
        restore()

    for number in SIGNALS:
        signal.signal(number, stop)
    try:
        yield event
    finally:
        restore()
