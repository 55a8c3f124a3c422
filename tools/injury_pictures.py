"""Pictures of what a ride does to its riders: the charts of the injury panel, limits, measured rides."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from PySide6.QtCore import Qt

from ridewright.app.document.runs import Run
from ridewright.app.measured.dialog import MeasuredDialog
from ridewright.app.standards.dialog import StandardsDialog
from ridewright.core.base.frames import from_rotation_vector, rotation_matrix

if TYPE_CHECKING:
    from tools.screenshots import Photographer

TALL = 430  # px of the panels below, so that the charts have room
REST = 3.0  # s
TILT = (0.20, -0.15, 0.0)  # rad, how the logger sits
NOISE = 0.01  # g


def injuring(it: Photographer) -> None:
    """The charts of one run, where a peak comes from, the track by its margin, the limit tables, a measured ride."""
    w = it.window
    run = w.document.current_run
    assert run is not None
    w.show_panel("injury")
    w.resizeDocks([w.docks["injury"]], [TALL], Qt.Orientation.Vertical)
    panel: Any = w.panels["injury"]
    it.wait(until=lambda: panel.model.rowCount() > 0)
    w.viewer.colour_by("margin")
    w.viewer.use_camera("orbit")
    w.viewer.frame_all()
    _choose(panel, "f2291_egg_GyGz")
    it.shoot("injury_two_axes")
    _choose(panel, "f2291_+Gz")
    it.shoot("injury_duration")
    panel.detail.choose("origin")
    it.wait(until=lambda: panel.detail.pages.currentWidget() is panel.detail.origin)
    panel.detail.origin.begin()
    it.wait(until=lambda: panel.detail.origin.job is None)
    it.shoot("injury_origin")
    tables = StandardsDialog(w.document, w)
    tables.show()
    it.shoot("limits_and_standards", tables)
    tables.close()
    dialog = MeasuredDialog(_logged(run), w.document, w)
    dialog.show()
    it.wait(until=dialog.add.isEnabled)
    it.shoot("measured_ride", dialog)
    dialog.accept()
    assert dialog.made is not None
    w.document.add_run(dialog.made)
    w.show_panel("loads")
    loads: Any = w.panels["loads"]
    loads._part.setCurrentIndex(loads._part.findData("pelvis"))
    loads.refresh()
    it.shoot("measured_over_run")
    w.document.drop_run(w.document.runs[-1])
    w.viewer.colour_by("gz")


def _choose(panel: Any, criterion: str) -> None:
    """Choose a criterion on the pelvis as a click does."""
    rows = panel.model.shown()
    k = next(k for k, row in enumerate(rows) if row.result.criterion == criterion and row.part == "pelvis")
    panel.table.setCurrentIndex(panel.model.index(k, 0))
    panel.go_to(panel.model.index(k, 0))


def _logged(run: Run) -> Path:
    """The ride as a tilted logger would have written it, after a rest: a stand-in for a record of a real ride."""
    results = run.results
    rider = next(iter(results.names.riders))
    felt = results.channels[f"rider/{rider}/pelvis/acceleration"].values
    step = float(results.sample_time[1] - results.sample_time[0])
    rest = np.tile([0.0, 0.0, 1.0], (round(REST / step), 1))
    turned = np.vstack([rest, 1.02 * felt]) @ rotation_matrix(from_rotation_vector(TILT))
    turned += np.random.default_rng(1).normal(scale=NOISE, size=turned.shape)
    table = np.column_stack([step * np.arange(len(turned)), 9.81 * turned])[::4]
    path = Path(tempfile.mkdtemp()) / "logger.csv"
    header = "time (s),ax (m/s2),ay (m/s2),az (m/s2)"
    np.savetxt(path, table, delimiter=",", header=header, comments="", fmt="%.5f")
    return path
