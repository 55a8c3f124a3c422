"""Pictures of moments for the report, rendered off screen; works without a display where VTK finds EGL or OSMesa.

`find_pictures` of core.report.plugins comes here by the entry point "ridewright.pictures".
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from itertools import chain, repeat
from threading import Lock
from typing import Any

import numpy as np
from PySide6.QtCore import QBuffer, QIODevice
from PySide6.QtGui import QImage
from vtkmodules.vtkRenderingCore import vtkProp3D

from ...core.base.arrays import Array
from ...core.base.errors import InputError
from ...core.project.project import Project
from ...core.report.book import Pictures, PictureWish
from ...core.results.results import Results
from ...core.track.build import build_track
from ...core.track.supports import place_supports
from ..view3d.cameras import CameraRig, track_frame
from ..view3d.off_screen import OffScreen
from ..view3d.scene import Scene
from ..view3d.train_parts import prepare_train
from ..widgets.theme import LIGHT

WIDTH, HEIGHT = 1128, 636  # px, 9.4 by 5.3 cm at 300 dots an inch
AZIMUTH, ELEVATION = (
    np.radians(-52.0),
    np.radians(14.0),
)  # of the eye as seen from the car, against the way ahead
DISTANCE = 7.5  # m
QUICK = 50  # of 0 (least bytes) to 100: a twentieth more than the least, in half the time
# How many things a piece of work draws: ground and track come first, and what is new takes several times as long.
AT_FIRST, LATER = (0, 1, 2, 4, 8, 20, 50, 100), (5, 20, 60, 100)
ASIDE, BELOW = 0.75, 0.35  # m, what is looked at: above the place of a car, below the pelvis of a rider
_preparing = Lock()


def find(project: Project, results: Results) -> Pictures | None:
    """A renderer of moments of a run; None where this machine cannot draw off screen."""
    studio = ReportStudio(project, results)
    if studio.works:
        return studio
    studio.close()
    return None


def prepare(project: Project) -> None:
    """Make what the scene of a project needs, in any thread, once; what cannot be made is left to who draws it."""
    with _preparing, suppress(InputError):
        built = None if project.track is None else build_track(project.track, ride=False)
        if built is not None:
            place_supports(built, project.steelwork.spacing)
        prepare_train(project, (built,), LIGHT)


def png(image: QImage) -> bytes:
    """A picture as the bytes of a file."""
    buffer = QBuffer()
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    image.save(buffer, "PNG", QUICK)  # type: ignore[call-overload]  # bytes, as its hints say, it refuses
    return bytes(buffer.data().data())


def portions(props: Sequence[Any], sizes: Sequence[int]) -> list[list[Any]]:
    """What is drawn one after the other: so many at a time, by the last of the sizes to the end; what is seen through
    or flat on the picture comes last, by itself."""
    late = [one for one in props if not isinstance(one, vtkProp3D) or one.HasTranslucentPolygonalGeometry()]
    waiting = [one for one in props if one not in late]
    found = []
    for size in chain(sizes, repeat(sizes[-1])):
        found.append(waiting[:size])
        waiting = waiting[size:]
        if not waiting:
            break
    return [*found, late]


def _add(renderer: Any, part: Sequence[Any], number: int) -> None:
    """Let a renderer draw a part of a picture over the parts before it."""
    renderer.SetPreserveColorBuffer(number > 0)
    renderer.SetPreserveDepthBuffer(number > 0)
    _show(part, True)


def _show(props: Iterable[Any], on: bool) -> None:
    for one in props:
        one.SetVisibility(on)


class ReportStudio:
    """A scene of one run in an off-screen window. Everything must be called in one thread."""

    def __init__(self, project: Project, results: Results, at_once: int | None = None) -> None:
        """at_once: bodies that are made for a picture in one piece of work, which are short then; None: all."""
        self._project, self._results, self._at_once = project, results, at_once
        self._screen = OffScreen(WIDTH, HEIGHT)
        self.works = self._screen.works
        self._filled = False
        self._sizes: tuple[int, ...] = AT_FIRST

    def __call__(self, wish: PictureWish) -> bytes | None:
        """The train and the track around it at a moment, as PNG."""
        (image,) = (found for found in self.draw(wish) if found is not None)
        return png(image)

    def make_ready(self) -> None:
        """Have the scene there before the first picture is asked for."""
        if not self._filled:
            prepare(self._project)
            for _ in self.fill():
                pass

    def draw(self, wish: PictureWish) -> Iterator[QImage | None]:
        """The picture of a moment in pieces of work: None after each, and the picture after the last."""
        yield from self.fill()
        scene = self._scene
        scene.show_time(wish.time)
        scene.rig = self._rig(wish)
        scene.apply_camera()
        while scene.train.waits:
            scene.train.show_more()
            yield None
        scene.draw_as("high")
        if self._at_once is None:
            yield self._screen.draw()
        else:
            yield from self._parts()

    def _parts(self) -> Iterator[QImage | None]:
        """The picture, some of what is in it at a time: each part is drawn over the former ones with their depth, so
        that it looks as if drawn at once."""
        renderer: Any = self._screen.plotter.renderer
        window: Any = self._screen.plotter.render_window
        shown = [one for one in renderer.GetViewProps() if one.GetVisibility()]
        *parts, last = portions(shown, self._sizes)
        _show(shown, False)
        window.SetSwapBuffers(False)  # the four samples of a pixel become one when all is drawn
        for k, part in enumerate(parts):
            _add(renderer, part, k)
            window.Render()
            window.WaitForCompletion()
            _show(part, False)
            yield None
        window.SetSwapBuffers(True)
        _add(renderer, last, len(parts))
        image = self._screen.draw()
        _show(shown, True)
        self._sizes = LATER
        yield image

    def fill(self) -> Iterator[None]:
        """Make the scene, once, in pieces of work: track, then train, and of a long one some bodies at a time."""
        if self._filled:
            return
        self._filled = True
        self._scene = Scene(self._screen.plotter, LIGHT)
        self._scene.draw_as("high")
        self._scene.train.at_once = self._at_once
        yield None
        track = self._project.track
        self._scene.set_track(None if track is None else build_track(track, ride=False), self._project)
        yield None
        self._scene.set_train(self._project, self._results)
        yield None
        while self._scene.train.waits:
            self._scene.train.show_more()
            yield None

    def _rig(self, wish: PictureWish) -> CameraRig:
        """A camera ahead and to the right of the rider's car, level with the world; a rig is seen as a whole."""
        rig = CameraRig()
        frame = self._frame(wish)
        body = self._results.names.riders.get(wish.rider, {}).get("pelvis")
        own = None if body is None else self._scene.train.frame_of(body)
        target = self._scene.target()
        if frame is None or target is None:
            points = self._scene.train.corners()
            if (bent := self._scene.flexible.drawn) is not None:
                points = np.vstack([points, *bent])
            if len(points):
                rig.frame_points(points, WIDTH / HEIGHT)
            else:
                rig.frame(*self._scene.bounds())
            return rig
        rig.focus = target.place + ASIDE * frame[:, 2] if own is None else own.position - BELOW * frame[:, 2]
        rig.azimuth = float(np.arctan2(frame[1, 0], frame[0, 0]) + AZIMUTH)
        rig.elevation, rig.distance = float(ELEVATION), DISTANCE
        return rig

    def _frame(self, wish: PictureWish) -> Array | None:
        """Frame (columns t, left, up) of the track where the rider's car is; None without a car on a track."""
        channels, built = self._results.channels, self._scene.built
        name = f"car/{wish.rider.split('/')[0]}/arc_length"
        position = channels.get(name)
        if position is None or built is None:
            target = self._scene.target()
            return None if target is None else target.frame
        return track_frame(built, float(np.interp(wish.time, self._results.sample_time, position.values)))

    def close(self) -> None:
        """Let go of the graphics system."""
        self._screen.close()
