"""`python -m ridewright.app [FILE]`: the studio where there is a display, the headless example ride where not."""

from __future__ import annotations

import os
import sys
from pathlib import Path

from ..core.base.own_process import set_up
from .shell.system_libraries import load_plugin, what_is_missing


def main() -> int:
    """Open the studio; without a display ride the example and write files, as
    `python -m ridewright.app.shell.headless` does."""
    with_display = os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY")
    if sys.platform.startswith("linux") and not with_display and "QT_QPA_PLATFORM" not in os.environ:
        set_up()
        from .shell.headless import main as headless

        print("There is no display; the example is ridden without the window.")
        return headless([])
    set_up(collect=False)
    from .work.prefetch import Prefetch

    fetched = Prefetch(Path(sys.argv[1]) if len(sys.argv) > 1 else None)
    try:
        from .shell.application import run  # while the first project is being read

        if (
            sys.platform.startswith("linux")
            and not {"WAYLAND_DISPLAY", "QT_QPA_PLATFORM"} & os.environ.keys()
        ):
            load_plugin()
    except (ImportError, OSError) as error:
        if said := what_is_missing(error):
            print(said, file=sys.stderr)
            return 2
        raise
    return run(sys.argv, fetched)


if __name__ == "__main__":
    sys.exit(main())
