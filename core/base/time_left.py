"""How long a run still takes."""

from __future__ import annotations

import time
from bisect import bisect_left

FIRST = 1.0  # s of computing before a time left is told
AFTER = 0.4  # of the time of the motion: what is worked out of it
SEAT_SECOND = 1.3e-3  # s to work out what a rider feels in a second of the ride
MIN_PACE, MAX_PACE = 0.2, 5.0
LATELY = 0.5  # of the time computed so far: what comes goes as fast as what came in that part


class TimeLeft:
    """How long a run still takes, from how fast it has gone lately.

    What is computed evenly is the time of the ride, not its length: a lift takes long for a few metres. total: time (s)
    of the whole ride as far as it is known, None where only the fraction done is. riders: seconds of the ride times its
    seats; what those feel is worked out when the motion is known, and takes long where many sit on a swing. pace: how
    much longer that takes than is thought; a run that ends says how much it was.
    """

    def __init__(self, total: float | None = None, riders: float = 0.0, pace: float = 1.0) -> None:
        self._total, self._riders, self.pace = total, riders, pace
        self._wall: list[float] = []
        self._done: list[float] = []  # shares of the whole

    def take(self, fraction: float, now: float, wall: float | None = None) -> None:
        """Note that a fraction of the ride and a time of it (s) are reached; wall: clock (s)."""
        done = fraction if self._total is None else max(now / self._total, 0.0)
        self._wall.append(time.perf_counter() if wall is None else wall)
        self._done.append(done)

    @property
    def seconds(self) -> float | None:
        """The time left (s); None while it is too early to tell."""
        if not self._wall or self._wall[-1] - self._wall[0] < FIRST:
            return None
        spent = self._wall[-1] - self._wall[0]
        k = min(bisect_left(self._wall, self._wall[-1] - LATELY * spent), len(self._wall) - 2)
        gone, took = self._done[-1] - self._done[k], self._wall[-1] - self._wall[k]
        if gone <= 0.0:
            return None
        # a ride that takes longer than was thought is nearly over at every moment
        motion = took * max(1.0 - self._done[-1], 0.01) / gone
        return motion + self.pace * self._after(spent + motion)

    def _after(self, motion: float) -> float:
        """What is thought (s) to follow a motion that took so long (s)."""
        return AFTER * motion + SEAT_SECOND * self._riders

    def end(self, wall: float | None = None) -> None:
        """The run is over; wall: clock (s)."""
        now = time.perf_counter() if wall is None else wall
        if len(self._wall) > 1 and self._wall[-1] - self._wall[0] >= FIRST:
            took = (now - self._wall[-1]) / self._after(self._wall[-1] - self._wall[0])
            self.pace = min(max(took, MIN_PACE), MAX_PACE)
