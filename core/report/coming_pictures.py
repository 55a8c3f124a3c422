"""Pictures of a report that another thread draws while the rest is written."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Future
from contextlib import suppress

from .book import PictureWish, Stopped

PATIENCE = 0.1  # s between looks whether the pictures are still wanted
Coming = Future[bytes | None]
Ask = Callable[[PictureWish, Coming], None]


class ComingPictures:
    """A `Pictures` for the thread that writes.

    ask(wish, coming): has a picture drawn elsewhere, and its PNG put into `coming`, or None where there is none;
    stopped(): whether nobody draws or waits any more.
    """

    def __init__(self, ask: Ask, stopped: Callable[[], bool]) -> None:
        self._ask, self._stopped = ask, stopped
        self._coming: dict[PictureWish, Coming] = {}

    def expect(self, wishes: tuple[PictureWish, ...]) -> None:
        """Have these pictures drawn; they will be asked for."""
        for wish in wishes:
            if wish not in self._coming:
                self._coming[wish] = Future()
                self._ask(wish, self._coming[wish])

    def __call__(self, wish: PictureWish) -> bytes | None:
        """A picture as PNG, as soon as it is there. Raises Stopped when nobody draws it any more."""
        self.expect((wish,))
        while not self._stopped():
            with suppress(TimeoutError):
                return self._coming[wish].result(PATIENCE)
        raise Stopped
