"""Ctrl-C during a run: stop at the next step and keep partial results."""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

from ..base.host import STOPS


@contextmanager
def stop_on_interrupt() -> Iterator[threading.Event]:
    """Within the block the first SIGINT, SIGTERM or SIGHUP (a terminal that is closed) sets the event.

    A second one acts as it would outside.

    Pass the event's `is_set` as should_stop. Outside the main thread, where Python allows no signal handlers, the
    event is simply never set.
    """
    event = threading.Event()
    if threading.current_thread() is not threading.main_thread():
        yield event
        return
    # What is ignored (nohup) stays so.
    before = {n: signal.getsignal(n) for n in STOPS if signal.getsignal(n) is not signal.SIG_IGN}

    def restore() -> None:
        for number, handler in before.items():
            signal.signal(number, handler)

    def stop(number: int, frame: FrameType | None) -> None:
        event.set()
        restore()

    for number in before:
        signal.signal(number, stop)
    try:
        yield event
    finally:
        restore()
