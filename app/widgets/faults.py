"""What Python can say when the process dies of a fault below it."""

from __future__ import annotations

import faulthandler
from contextlib import suppress


def watch() -> None:
    """Say on stderr where every thread was when the process dies of a fault. For everything that draws, on a screen or
    off it."""
    if not faulthandler.is_enabled():
        with suppress(OSError, ValueError, RuntimeError):  # there may be no stderr
            faulthandler.enable()
