"""The shared time cursor: play, pause, step, rate, loop, jump. The state comes from the wall clock, not from ticks."""

from __future__ import annotations

import time

from PySide6.QtCore import QObject, Qt, QTimer, Signal

TICK = 16  # ms
FRAME = 1.0 / 60.0  # s of the ride for one step
SLOWEST, FASTEST = 0.1, 4.0


class Playback(QObject):
    """Time of the ride that is shown. `time_changed` carries it (s); `state_changed` tells of everything else;
    `peak_shown`: somebody has chosen a peak to look at."""

    time_changed = Signal(float)
    state_changed = Signal()
    peak_shown = Signal()

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._time = 0.0
        self._duration = 0.0
        self._rate = 1.0
        self._loop: tuple[float, float] | None = None
        self._anchor = (0.0, 0.0)  # wall clock and ride time at the last start, seek or change of rate
        self._timer = QTimer(self)
        self._timer.setTimerType(Qt.TimerType.PreciseTimer)
        self._timer.setInterval(TICK)
        self._timer.timeout.connect(self._tick)

    @property
    def time(self) -> float:
        """Time of the ride (s)."""
        return self._time

    @property
    def duration(self) -> float:
        """Length of the shown run (s); 0 without one."""
        return self._duration

    @property
    def playing(self) -> bool:
        return self._timer.isActive()

    @property
    def rate(self) -> float:
        """Times real time, negative backwards."""
        return self._rate

    @property
    def loop(self) -> tuple[float, float] | None:
        """The stretch of time (s) that is played over and over."""
        return self._loop

    def set_duration(self, duration: float) -> None:
        """A run of another length is shown; the time is kept where it still exists."""
        if duration == self._duration:
            return
        self._duration = max(0.0, duration)
        self._loop = None
        if self._duration == 0.0:
            self.pause()
        self.state_changed.emit()
        self.seek(min(self._time, self._duration))

    def play(self) -> None:
        """Play from here; from the beginning when the end is reached (backwards: the other way round)."""
        if self._duration <= 0.0 or self.playing:
            return
        first, last = self._bounds()
        if self._rate > 0.0 and self._time >= last - 1e-9:
            self.seek(first)
        elif self._rate < 0.0 and self._time <= first + 1e-9:
            self.seek(last)
        self._set_anchor()
        self._timer.start()
        self.state_changed.emit()

    def pause(self) -> None:
        if self.playing:
            self._timer.stop()
            self.state_changed.emit()

    def toggle(self) -> None:
        if self.playing:
            self.pause()
        else:
            self.play()

    def show_peak(self, time: float) -> None:
        """Be at the moment (s) of a peak that somebody has chosen to look at."""
        self.pause()
        self.seek(time)
        self.peak_shown.emit()

    def step(self, count: int) -> None:
        """Move by a number of frames of 1/60 s, backwards when negative; pauses."""
        self.pause()
        self.seek(self._time + count * FRAME)

    def set_rate(self, rate: float) -> None:
        """Set the rate: 0.1 to 4 times real time, negative for backwards."""
        size = min(FASTEST, max(SLOWEST, abs(rate)))
        rate = -size if rate < 0.0 else size
        if rate != self._rate:
            self._rate = rate
            self._set_anchor()
            self.state_changed.emit()

    def set_loop(self, start: float | None, end: float | None = None) -> None:
        """Play the stretch from start to end (s) over and over; set_loop(None) plays to the end again."""
        if start is None or end is None:
            self._loop = None
        else:
            first, last = sorted((start, end))
            first, last = max(0.0, first), min(self._duration, last)
            self._loop = (first, last) if last - first > FRAME else None
        self._set_anchor()
        self.state_changed.emit()

    def seek(self, time: float) -> None:
        """Jump to a time (s), kept within the run."""
        self._move(min(self._duration, max(0.0, time)))
        self._set_anchor()

    def _bounds(self) -> tuple[float, float]:
        return self._loop if self._loop is not None else (0.0, self._duration)

    def _set_anchor(self) -> None:
        self._anchor = (time.perf_counter(), self._time)

    def _move(self, to: float) -> None:
        if to != self._time:
            self._time = to
            self.time_changed.emit(to)

    def _tick(self) -> None:
        wall, start = self._anchor
        now = start + (time.perf_counter() - wall) * self._rate
        first, last = self._bounds()
        if self._loop is not None and not first <= now <= last:
            self.seek(first if self._rate > 0.0 else last)
        elif now >= last and self._rate > 0.0:
            self._move(last)
            self.pause()
        elif now <= first and self._rate < 0.0:
            self._move(first)
            self.pause()
        else:
            self._move(now)
