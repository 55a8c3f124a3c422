"""Runs that are deleted give their memory back: a process of its own, because others would hide what grows."""

from __future__ import annotations

import os
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[3]
MOST = 1.10  # of the memory after the fifth run
STUDIO = """
    import gc
    import sys
    import time
    from pathlib import Path

    from ridewright.app.shell.application import make_application, make_window
    from ridewright.app.widgets import dialogs, theme
    from ridewright.app.widgets.settings import Settings

    application = make_application(["studio"])
    settings = Settings(Path(sys.argv[1]))
    settings.tour_seen = True
    theme.apply(application, settings.theme)
    window, _ = make_window(settings)
    window.resize(1280, 800)
    window.show()
    dialogs.ask_to_save = lambda *_: "discard"
    document = window.document

    def until(holds):
        while not holds():
            application.processEvents()
            time.sleep(0.002)

    def rest(seconds):
        end = time.monotonic() + seconds
        until(lambda: time.monotonic() > end)

    until(lambda: len(window.viewer.plotter.frame_times) > 0)
    for name in ("injury", "loads"):
        window.show_panel(name)
    ride = document.project.scenario.model_copy(update={"duration": 2.0})
    document.apply("Shorten", document.project.model_copy(update={"scenario": ride}))
    for _ in range(20):
        window.runs.run()
        until(lambda: not window.runner.running)
        while len(document.runs) > 2:
            document.remove_run(document.runs[0])
        rest(1.0)
        gc.collect()
        pages = int(Path("/proc/self/statm").read_text().split()[1])
        print(pages, flush=True)
    window.close()
"""


@pytest.mark.nightly
@pytest.mark.skipif(not Path("/proc/self/statm").exists(), reason="needs /proc")
def test_that_twenty_runs_take_no_more_memory_than_five(qapp: object, tmp_path: Path) -> None:
    found = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(STUDIO), str(tmp_path)],
        cwd=ROOT, env=dict(os.environ), capture_output=True, text=True, timeout=900,
    )  # fmt: skip
    pages = [int(line) for line in found.stdout.split()]
    assert len(pages) == 20, found.stderr[-2000:]
    assert pages[19] < MOST * pages[4], [round(count * os.sysconf("SC_PAGE_SIZE") / 1e6) for count in pages]
