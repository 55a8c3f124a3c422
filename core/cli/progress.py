"""Progress of a run on stderr: one line, rewritten."""

from __future__ import annotations

import math
import time
from typing import TextIO

from ..base.time_left import TimeLeft

REWRITE_EVERY = 0.1  # s, on a terminal
REPORT_EVERY = 10.0  # s, where lines cannot be rewritten (a log file)


class ProgressLine:
    """Shows that the solver is being compiled, then simulated time, percentage and an estimate of what is left.

    Pass `prepare` as on_progress to what compiles and `report` to what rides: only the ride counts in the estimate.
    """

    def __init__(self, stream: TextIO | None) -> None:
        """stream: None when the program was started without one."""
        self._stream = stream
        self._terminal = stream is not None and stream.isatty()
        self._left = TimeLeft()
        self._last = -math.inf
        self._width = 0

    def prepare(self, done: int, of: int) -> None:
        """Show that `done` of so many parts of the solver are compiled."""
        if self._is_due():
            self._show(f"ridewright: compiling the solver, the first time it is used: {done} of {of} parts")

    def report(self, fraction: float, now: float, end: float | None) -> None:
        """Show progress: fraction in [0, 1], simulated time `now` and end time (s; None when not known)."""
        if self._is_due():
            self._left.take(fraction, now, self._last)
            self._show(self.line(fraction, now, end, self._left.seconds))

    def _is_due(self) -> bool:
        clock = time.monotonic()
        if clock - self._last < (REWRITE_EVERY if self._terminal else REPORT_EVERY):
            return False
        self._last = clock
        return True

    @staticmethod
    def line(fraction: float, now: float, end: float | None, left: float | None) -> str:
        """The text of the line; left: time (s) that the run still takes, None while that is not known."""
        fraction = min(max(fraction, 0.0), 1.0)
        of = f" of {end:.2f} s" if end is not None else " s"
        text = f"ridewright: t = {now:.2f}{of}  {100 * fraction:3.0f} %"
        if fraction < 1.0 and left is not None:
            text += f"  about {clock_text(left)} left"
        return text

    def _show(self, text: str) -> None:
        if self._terminal:
            self._write("\r" + text.ljust(self._width))
            self._width = len(text)
        else:
            self._write(text + "\n")

    def _write(self, text: str) -> None:
        """A run is worth more than its progress line: a terminal that has gone does not end it."""
        if self._stream is None:
            return
        try:
            self._stream.write(text)
            self._stream.flush()
        except (OSError, ValueError):
            self._stream = None

    def close(self) -> None:
        """Take the line away, so that the next output starts on a clean line."""
        if self._terminal and self._width:
            self._write("\r" + " " * self._width + "\r")


def clock_text(seconds: float) -> str:
    """A duration as m:ss or h:mm:ss."""
    whole = round(seconds)
    hours, rest = divmod(whole, 3600)
    minutes, seconds_left = divmod(rest, 60)
    return f"{hours}:{minutes:02d}:{seconds_left:02d}" if hours else f"{minutes}:{seconds_left:02d}"
