"""How long it takes to change to another workspace: from the key to the picture, beside one picture of the scene alone.

Every panel has been seen before; wall times without the wait for a processor that others used, the least of some
rounds: whatever else the machine does can only add to them.
"""

from __future__ import annotations

import json
import os
import sys
import tempfile
from pathlib import Path
from typing import Any

from tests.benchmarks import measure
from tests.benchmarks.display import MISSING, Display, clocks

SIZE = (1280, 800)
ROUNDS = 5
WANTED = 0.150  # s
INSIDE = "--inside"


def _own(action: Any) -> float:
    """Seconds an action takes, without the wait for a processor."""
    began = clocks()
    action()
    ended = clocks()
    return (ended[0] - began[0]) - (ended[1] - began[1])


def inside() -> None:
    """In a process with a display: print times by workspace as JSON."""
    from PySide6.QtCore import QCoreApplication, QEvent

    from ridewright.app.shell.application import make_application, make_window
    from ridewright.app.widgets.settings import Settings

    application = make_application(["bench"])
    settings = Settings(Path(tempfile.mkdtemp()))
    settings.tour_seen = True
    window, _ = make_window(settings)
    window.resize(*SIZE)
    window.show()
    view, every = window.viewer, window.workspaces.every

    def settle() -> None:
        for _ in range(4):
            application.processEvents()
            QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete.value)

    while not len(view.plotter.frame_times):
        application.processEvents()
    for one in (*every, *every):
        window.workspaces.go(one.id)
        settle()
    found: dict[str, list[float]] = {one.id: [] for one in every}
    pictures: list[float] = []

    def change(key: str) -> None:
        window.workspaces.go(key)
        application.processEvents()

    for _ in range(ROUNDS):
        for one in every:
            found[one.id].append(_own(lambda key=one.id: change(key)))  # type: ignore[misc]
            settle()
            pictures.append(_own(view.plotter.picture))
    print(
        json.dumps(
            {
                "switch_s": {key: min(times) for key, times in found.items()},
                "picture_s": min(pictures),
            }
        )
    )
    sys.stdout.flush()
    os._exit(0)


def main() -> None:
    """Print the times; write out/bench/workspaces.json."""
    with Display() as display:
        if not display.here:
            print(MISSING)
            return
        found = display.json_of("-m", "tests.benchmarks.bench_workspaces", INSIDE)
    picture, switch = found["picture_s"], found["switch_s"]
    rows = [[key, 1e3 * time, time / picture] for key, time in switch.items()]
    print(measure.table(("workspace", "changed to in ms", "pictures of the scene"), rows))
    slowest = max(switch.values())
    goals = [measure.goal(f"changed within {1e3 * WANTED:g} ms: {1e3 * slowest:.0f} ms", slowest <= WANTED)]
    measure.write("workspaces", {**found, "goals": goals})


if __name__ == "__main__":
    if INSIDE in sys.argv:
        inside()
    main()
