"""Where the camera of the 3D view stands: which camera, what it frames, from where it looks."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ...core.base.arrays import Array
from .cameras import Mode

if TYPE_CHECKING:
    from .panel import ViewerPanel


class Framing:
    """Moves the camera of a panel's scene."""

    def __init__(self, panel: ViewerPanel) -> None:
        self._panel = panel

    def use(self, mode: Mode) -> None:
        """Look through a camera; through the one in use: without what the mouse has turned."""
        panel = self._panel
        panel.finish_pending()
        rig = panel.scene.rig
        if mode == rig.mode:
            rig.reset_offsets()
        rig.mode = mode
        if mode == "top":
            rig.frame_top(*panel.scene.bounds())
        panel.controls.show_camera(mode)
        panel.plotter.redraw()
        panel.camera_changed.emit(mode)

    def look_from(self, direction: Array) -> None:
        """Orbit to a side (3,) of what is looked at now."""
        scene = self._panel.scene
        if scene.rig.mode != "orbit":
            eye = scene.apply_camera()
            scene.rig.focus = eye.focus
            scene.rig.distance = max(1.0, float(np.linalg.norm(eye.position - eye.focus)))
            self.use("orbit")
        scene.rig.look_from(direction)
        self._panel.plotter.redraw()

    def everything(self) -> None:
        """Bring the whole scene into the picture, along a track as near as its line allows."""
        scene = self._panel.scene
        self.aim(*scene.bounds())
        if scene.track.mesh is not None and scene.rig.mode == "orbit":
            scene.rig.frame_points(scene.track.mesh.course.position, self._aspect())
            self._panel.plotter.redraw()

    def aim(self, centre: Array, radius: float) -> None:
        """Bring a ball about centre (3,) m, radius m, into the picture; cameras that ride along give way."""
        rig = self._panel.scene.rig
        if rig.mode == "top":
            rig.frame_top(centre, radius)
        else:
            rig.frame(centre, radius, self._aspect())
            if rig.mode != "orbit":
                self.use("orbit")
        self._panel.plotter.redraw()

    def _aspect(self) -> float:
        view = self._panel.plotter
        return max(view.width(), 1) / max(view.height(), 1)
