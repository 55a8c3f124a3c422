"""The window of the studio at several sizes, through every panel and every page of the inspector: what is cut.

As a program of its own it walks at the pixel density of its process, `QT_SCALE_FACTOR`, and writes JSON.
"""

from __future__ import annotations

import json
import os
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from cut_texts import cut_texts
from PySide6.QtWidgets import QApplication, QTreeWidget, QTreeWidgetItem

OF_A_KIND = 3  # rows below one row of the tree that are looked at
FILL = 20.0  # s at most until a panel is filled


def settle(until: Callable[[], bool] = lambda: True, seconds: float = FILL) -> None:
    """Let events happen, at least a few rounds, until something holds."""
    end = time.monotonic() + seconds
    for _ in range(4):
        QApplication.sendPostedEvents()
        QApplication.processEvents()
    while not until() and time.monotonic() < end:
        QApplication.processEvents()


def _items(tree: QTreeWidget) -> Iterator[QTreeWidgetItem]:
    waiting = [tree.invisibleRootItem()]
    while waiting:
        item = waiting.pop()
        below = [item.child(k) for k in range(item.childCount())]
        waiting += below
        yield from below


def walk_panels(window: Any, sizes: list[tuple[int, int]]) -> list[str]:
    """What is cut in each panel at each size; a window that does not become so small is one finding."""
    found: list[str] = []
    for size in sizes:
        window.resize(*size)
        settle()
        if window.width() > size[0] or window.height() > size[1]:
            found.append(f"{size}: the window is {window.width()} x {window.height()}")
        for name in window.docks:
            window.show_panel(name)
            panel = window.panels[name]
            settle(lambda panel=panel: not hasattr(panel, "grid") or panel.grid.complete)
            found += [f"{size} {line}" for line in cut_texts(window)]
    return list(dict.fromkeys(found))


def walk_pages(window: Any) -> list[str]:
    """What is cut in the inspector for each row of the tree."""
    found: list[str] = []
    tree = window.panels["tree"].findChild(QTreeWidget) or window.panels["tree"]
    tree.expandAll()
    seen: dict[str, int] = {}
    for item in list(_items(tree)):
        kind = item.parent().text(0) if item.parent() is not None else item.text(0)
        seen[kind] = seen.get(kind, 0) + 1
        if seen[kind] > OF_A_KIND:
            continue
        tree.setCurrentItem(item)
        settle()
        title = item.text(0)
        found += [f"{title}: {line}" for line in cut_texts(window) if "dock_inspector" in line]
    return found


def ride_briefly(window: Any) -> None:
    """Plots and tables have something to show."""
    document = window.document
    short = document.project.scenario.model_copy(update={"duration": 0.5})
    document.apply("Ride briefly", document.project.model_copy(update={"scenario": short}))
    window.prepare()
    window.actions_table.by_id["run"].trigger()
    settle(lambda: document.current_run is not None and not window.runner.running, seconds=300.0)


def main(sizes: list[tuple[int, int]], theme_name: str, points: float, ride: bool) -> None:
    """Walk in a window of one's own and print a JSON object: first (size of the first window), screen, cut."""
    from ridewright.app.shell.application import make_application, make_window
    from ridewright.app.widgets import theme
    from ridewright.app.widgets.settings import Settings

    application = make_application(["walk"])
    settings = Settings(Path(tempfile.mkdtemp()))
    settings.theme, settings.tour_seen = theme_name, True  # type: ignore[assignment]
    if points:
        settings.font_points = points
    theme.apply(application, settings.theme, settings.font_points)
    window, _ = make_window(settings)
    window.show()
    settle(lambda: len(window.viewer.plotter.frame_times) > 0)
    first = window.frameGeometry()
    screen = application.primaryScreen().availableGeometry()
    if ride:
        ride_briefly(window)
    cut = walk_panels(window, sizes or [(window.width(), window.height())])
    cut += walk_pages(window)
    print(
        json.dumps(
            {
                "first": [first.width(), first.height()],
                "screen": [screen.width(), screen.height()],
                "cut": cut,
            }
        )
    )
    sys.stdout.flush()
    os._exit(0)  # nothing of this window is to be kept


if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).parents[3]))
    wanted = [tuple(int(v) for v in text.split("x")) for text in sys.argv[1].split(",") if text]
    main(wanted, sys.argv[2], float(sys.argv[3]), "ride" in sys.argv)  # type: ignore[arg-type]
