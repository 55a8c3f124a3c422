"""From the start of the process to the window and to the first complete picture of the studio, every dock, the Looping
Star drawn, beside the bare libraries: PySide6 and numba imported and an empty window painted; then pyvista imported and
the same meshes drawn once. Both take turns.

Seconds with warm caches (a start before is not counted) without what the window's thread waited for a processor that
others used, the least of several. On software rendering when the display is a virtual one.
"""

from __future__ import annotations

import statistics
import tempfile
from typing import Any

from tests.benchmarks import measure
from tests.benchmarks.display import MISSING, Display

SHOWN, COMPLETE = 1.35, 1.35  # times the bare libraries
STARTS = 5

# Both begin with it: the clock, and what tells that a window has been painted.
BEGIN = """
import json, os, sys, tempfile, time
def clock():
    with open("/proc/thread-self/schedstat") as file:
        waited = float(file.read().split()[1]) * 1e-9
    return time.time() - float(os.environ["STARTED"]) - waited
def painted_at(window, application):
    from PySide6.QtCore import QEvent, QObject, QTimer
    class Paints(QObject):
        at = []
        def eventFilter(self, _watched, event):
            if event.type() == QEvent.Type.UpdateRequest and not self.at:
                window.event(event)  # paints all of it
                self.at.append((clock(), time.process_time()))
                return True
            return False
    paints = Paints()
    window.installEventFilter(paints)
    while not paints.at:
        application.processEvents()
    window.removeEventFilter(paints)
    return paints.at[0]
"""

# What `python -m ridewright.app` does, up to the first picture of the scene; with an argument its meshes are kept.
START = (
    BEGIN
    + """
from ridewright.core.base.own_process import set_up
set_up(collect=False)
os.environ["XDG_CONFIG_HOME"] = os.environ["XDG_DATA_HOME"] = tempfile.mkdtemp()
from ridewright.app.work.prefetch import Prefetch
fetched = Prefetch()
from ridewright.app.shell.application import start
imported = clock()
application, window = start(["ridewright"], fetched)
painted = []
window.viewer.plotter.painted.connect(lambda _: painted.append(clock()))
shown, _ = painted_at(window, application)
while not painted:
    application.processEvents()
for _ in range(3):
    application.processEvents()
whole, cpu = clock(), time.process_time()
picture = window.grab().toImage()
view = window.viewer
if len(sys.argv) > 1:
    import numpy, pyvista
    drawn = [a for a in view.scene.plotter.renderer.actors.values() if a.GetVisibility() and hasattr(a, "mapper")]
    for k, actor in enumerate(drawn):
        mesh, colours = pyvista.wrap(actor.GetMapper().GetInput()), actor.GetMapper().GetArrayName()
        cells = {kind: getattr(mesh, kind) for kind in ("points", "faces", "lines", "verts")}
        if colours and colours in mesh.array_names:
            cells["colours"] = mesh[colours]
        numpy.savez(os.path.join(sys.argv[1], str(k)), colour=actor.GetProperty().GetColor(), **cells)
middle = [picture.pixelColor(x, y).name() for x in range(300, 900, 2) for y in range(150, 400, 2)]
print(json.dumps({
    "imported_s": imported, "shown_s": shown, "complete_s": whole, "cpu_s": cpu,
    "window": window.size().toTuple(), "view": view.size().toTuple(),
    "docks": sum(dock.widget() is not None for dock in window.docks.values()),
    "track_m": 0.0 if view.scene.built is None else view.scene.built.length,
    "colours_in_view": len(set(middle)), "modules": len(sys.modules),
    "heavy": [name for name in ("matplotlib", "pyvista.plotting", "scipy.signal") if name in sys.modules],
}), flush=True)
os._exit(0)
"""
)

# folder of meshes, width and height of the window, of the view
BARE = (
    BEGIN
    + """
import numba
from PySide6.QtWidgets import QApplication, QMainWindow
application = QApplication([])
window = QMainWindow()
window.resize(int(sys.argv[2]), int(sys.argv[3]))
window.show()
shown, cpu_shown = painted_at(window, application)
import numpy
began = clock(), time.process_time()
read = [dict(numpy.load(os.path.join(sys.argv[1], file))) for file in sorted(os.listdir(sys.argv[1]))]
reading = clock() - began[0], time.process_time() - began[1]
import pyvista
plotter = pyvista.Plotter(off_screen=True, window_size=[int(sys.argv[4]), int(sys.argv[5])])
for one in read:
    cells = {kind: one[kind] for kind in ("faces", "lines", "verts") if len(one[kind])}
    mesh = pyvista.PolyData(one["points"], **cells)
    if "colours" in one:
        plotter.add_mesh(mesh, scalars=one["colours"], rgb=one["colours"].ndim > 1, show_scalar_bar=False)
    else:
        plotter.add_mesh(mesh, color=tuple(one["colour"]))
picture = plotter.screenshot(return_img=True)
assert len(numpy.unique(picture.reshape(-1, 3), axis=0)) > 20
print(json.dumps({
    "shown_s": shown, "complete_s": clock() - reading[0], "cpu_shown_s": cpu_shown,
    "cpu_s": time.process_time() - reading[1], "meshes": len(read),
}), flush=True)
os._exit(0)
"""
)


def in_turns(display: Display) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    """Starts of the studio and of the bare libraries, in turns."""
    ours, bare = [], []
    with tempfile.TemporaryDirectory() as folder:
        first = display.json_of("-c", START, folder)
        sizes = [str(pixels) for pixels in (*first["window"], *first["view"])]
        for _ in range(STARTS + 1):
            ours.append(display.json_of("-c", START))
            bare.append(display.json_of("-c", BARE, folder, *sizes))
    return ours[1:], bare[1:]


def main() -> None:
    """Start both several times; write out/bench/studio_start.json."""
    with Display() as display:
        if not display.here:
            print(MISSING)
            return
        ours, bare = in_turns(display)
    whole = all(one["docks"] >= 12 and one["track_m"] > 0.0 and one["colours_in_view"] > 20 for one in ours)
    rows, goals = [], []
    for key, title, most in (("shown_s", "window shown", SHOWN), ("complete_s", "3D complete", COMPLETE)):
        a, b = (min(one[key] for one in starts) for starts in (ours, bare))
        rows.append(
            [title, a, b, a / b, statistics.median(x[key] / y[key] for x, y in zip(ours, bare, strict=True))]
        )
        goals.append(
            measure.goal(
                f"{title} within {most:g} times the bare libraries: {a / b:.2f}", whole and a / b <= most
            )
        )
    a, b = (min(one["cpu_s"] for one in starts) for starts in (ours, bare))
    rows.append(["CPU of all threads", a, b, a / b, ""])
    rows.append(["all modules imported", min(one["imported_s"] for one in ours), "", "", ""])
    print(measure.table(("until", "studio s", "bare s", "ratio of the least", "median of the ratios"), rows))
    measure.write("studio_start", {"starts": ours, "bare": bare, "goals": goals})


if __name__ == "__main__":
    main()
