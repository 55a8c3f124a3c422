"""Control points over the view, as they are drawn."""

from __future__ import annotations

import numpy as np
from pytestqt.qtbot import QtBot

from ridewright.app.document.document import Document
from ridewright.app.view3d.marks import DOTS
from ridewright.app.view3d.panel import ViewerPanel
from ridewright.core.base.arrays import Array
from ridewright.core.track.point_places import section_points

EVERY = 5  # of the points is looked at
CHANGED = 20  # of 255, by which a pixel is another one
FEW = 10  # pixels, of a hundred


def drawn(panel: ViewerPanel) -> Array:
    """The colours (rows, columns, 3) of the picture as it is drawn now."""
    image = panel.plotter._surface.picture()
    rows = np.frombuffer(image.bits(), dtype=np.uint8).reshape(image.height(), image.width(), 4)
    return rows[..., :3].astype(float)


def seen(panel: ViewerPanel, places: Array) -> set[int]:
    """Numbers of the places (n, 3) m that show when there is a control point, and no other one."""
    scene, found = panel.scene, set()
    for k in range(0, len(places), EVERY):
        scene.marks.clear(DOTS)
        bare = drawn(panel)
        panel._points.put(places[k : k + 1], (), None)
        panel._points.forget()
        panel._points.draw(scene.marks, scene.colours)
        if (np.abs(drawn(panel) - bare).max(axis=2) > CHANGED).sum() >= FEW:
            found.add(k)
    return found


def test_that_control_points_are_seen_while_the_view_moves_as_they_are_when_it_rests(
    panel: ViewerPanel, document: Document, qtbot: QtBot
) -> None:
    qtbot.waitUntil(lambda: not panel._due and not panel.scene.train.waits)
    panel.frame_all()
    panel.scene.apply_camera()
    scene, track = panel.scene, document.project.track
    assert track is not None
    places = np.array([point.position for section in track.sections for point in section_points(section)])
    # Whatever wants to be seen through roofs has VTK bring all lines and dots forward.
    scene.far_mark.show(places[0], "#ff0000")
    scene.draw_as("low")
    moving = seen(panel, places)
    scene.refine(True)
    resting = seen(panel, places)
    assert len(resting) > 0.8 * len(places) / EVERY  # the others are under a roof, or behind the train
    assert moving == resting
