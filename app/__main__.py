"""`python -m ridewright.app [FILE]`: the studio where there is a display, the headless example ride where not."""

from __future__ import annotations

import os
import sys
from pathlib import Path

from ..core.base.own_process import set_up


def main() -> int:
    """Open the studio; without a display ride the example and write files, as
    `python -m ridewright.app.shell.headless` does."""
    set_up()
    with_display = os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY")
    if sys.platform.startswith("linux") and not with_display and "QT_QPA_PLATFORM" not in os.environ:
        from .shell.headless import main as headless

        print("There is no display; the example is ridden without the window.")
        return headless([])
    from .work.prefetch import Prefetch

    fetched = Prefetch(Path(sys.argv[1]) if len(sys.argv) > 1 else None)
    from .shell.application import run  # while the first project is being read

    return run(sys.argv, fetched)


if __name__ == "__main__":
    sys.exit(main())
