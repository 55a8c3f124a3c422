"""The scene of a project or a run in a pyvista plotter of one's own: for scripts and notebooks.

`plot` of core.api comes here by the entry point "ridewright.scenes".
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from ...core.base.errors import InputError
from ...core.base.sentence import written
from ...core.project.project import Project
from ...core.results.results import Results
from ...core.track.build import build_track
from ..widgets.theme import LIGHT
from .cameras import MODES
from .colouring import BY_KEY
from .off_screen import OffScreen, on_screen
from .scene import Scene

if TYPE_CHECKING:
    import pyvista as pv

NEAREST, LARGEST = 64, 8192  # px


def fill(
    project: Project,
    run: Results | None,
    time: float,
    view: str,
    colour: str,
    size: tuple[int, int],
    off_screen: bool | None,
) -> pv.Plotter:
    """A plotter with the scene of a project, of a run at a time (s), seen by a camera of the studio.

    size: width and height in px; off_screen None: where there is no display. Raises InputError for a view, a colour
    or a size that there is not, and for a track that cannot be built.
    """
    mode = next((one for one in MODES if one == view), None)
    if mode is None:
        raise InputError(f"plot: there is no view '{view}'; choose {', '.join(MODES)}.")
    if colour not in BY_KEY:
        raise InputError(f"plot: there is no colour '{colour}'; choose {', '.join(BY_KEY)}.")
    if not all(NEAREST <= edge <= LARGEST for edge in size):
        raise InputError(f"plot: a size has from {NEAREST} to {LARGEST} pixels each way, found {size}.")
    built = None if project.track is None else build_track(project.track, ride=False)
    plotter = _plotter(size, off_screen)
    scene = Scene(plotter, LIGHT)
    scene.draw_as("high")
    scene.set_track(built, project)
    scene.set_train(project, run)
    scale = scene.colour_by(colour)
    if scale is not None:
        unit = f" {scale.quantity.unit}" if scale.quantity.unit else ""
        told = f"{scale.quantity.name}: {written(scale.low, '.3g')} to {written(scale.high, '.3g')}{unit}"
        plotter.add_text(told, position="lower_left", font_size=10, color=LIGHT.text, name="scale")
    scene.show_time(time)
    scene.rig.mode = mode
    _frame(scene, size[0] / size[1])
    scene.apply_camera()
    plotter.camera.is_set = True  # showing it leaves the camera where it is
    return plotter


def _plotter(size: tuple[int, int], off_screen: bool | None) -> pv.Plotter:
    """A plotter of a size that has nothing in it; into memory where asked for, and where there is no display."""
    import pyvista as pv

    if off_screen is None:
        off_screen = pv.OFF_SCREEN or not (os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))
    if not off_screen:
        return on_screen(*size)
    screen = OffScreen(*size)
    if not screen.works:
        raise InputError(
            "plot: this machine draws neither on a display nor by EGL or OSMesa; install one of these."
        )
    return screen.plotter


def _frame(scene: Scene, aspect: float) -> None:
    """What the cameras that stand still look at: the whole track, or the rig."""
    centre, radius = scene.bounds()
    if scene.track.mesh is not None:
        scene.rig.frame_points(scene.track.mesh.course.position, aspect)
    else:
        scene.rig.frame(centre, radius, aspect)
    scene.rig.frame_top(centre, radius)
