"""Films of a run: a scene of its own, drawn off screen frame by frame, written by `film_files`."""

from __future__ import annotations

import shutil
from collections.abc import Generator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QObject, QRectF, QTimer, Signal
from PySide6.QtGui import QImage, QPainter

from ...core.base.arrays import Array
from ...core.base.atomic import replacing, scratch_folder
from ...core.base.errors import InputError
from ...core.base.system_words import because
from ...core.project.project import Project
from ...core.results.results import Results
from ...core.track.build import BuiltTrack
from ..widgets.theme import Colours
from .cameras import CameraRig
from .colouring import Margins
from .film_files import film_file
from .off_screen import OffScreen
from .overlays import LEGEND_HEIGHT, LEGEND_WIDTH, paint_caption, paint_legend, paint_time_bar
from .readings import Readings
from .scene import Scene

BAR, EDGE = (
    6.0,
    16.0,
)  # px of a picture of 720: the bar of time along its lower edge, around readings and legend


@dataclass(frozen=True)
class FilmPlan:
    """What to film: a stretch of time (s) of a run, frames a second, size (even px), rate against real time."""

    path: Path
    start: float
    end: float
    width: int = 1280
    height: int = 720
    fps: int = 30
    rate: float = 1.0
    captions: bool = True

    def __post_init__(self) -> None:
        if self.end <= self.start:
            raise InputError("The film needs an end after its start; choose another stretch of the run.")
        if self.width % 2 or self.height % 2 or min(self.width, self.height) < 64:
            raise InputError("Width and height of a film must be even and at least 64 pixels.")

    @property
    def times(self) -> Array:
        """Time of the run (s) of every frame."""
        count = max(1, round((self.end - self.start) / self.rate * self.fps))
        return np.asarray(self.start + np.arange(count) * self.rate / self.fps, dtype=np.float64)


@dataclass(frozen=True)
class Footage:
    """What is on the film: project, track and run, the camera, the colours, and the margins these may show."""

    project: Project
    built: BuiltTrack | None
    results: Results
    rig: CameraRig
    colours: Colours
    colour_by: str = "plain"
    quality: str = "medium"
    margins: Margins = ()


class FilmScene:
    """A scene of a footage, drawn off screen, that gives one picture for every time. captions: with readings, legend
    and a bar of the time from start to end (s); without, there is nothing over the scene."""

    def __init__(
        self,
        footage: Footage,
        width: int,
        height: int,
        captions: bool,
        span: tuple[float, float] = (0.0, 1.0),
    ) -> None:
        self.screen = OffScreen(width, height)
        self._captions, self._span = captions, span
        self._readings = Readings(footage.results)
        self.scene = Scene(self.screen.plotter, footage.colours)
        self.scene.draw_as(footage.quality)
        self.scene.set_track(footage.built, footage.project)
        self.scene.set_train(footage.project, footage.results)
        self.scene.margins = footage.margins
        self.scene.colour_by(footage.colour_by)
        self.scene.rig = footage.rig
        self.scene.show_time(0.0)

    def picture(self, time: float) -> QImage:
        """The scene at a time (s) with legend and readings."""
        self.scene.show_time(time)
        self.scene.apply_camera()
        image = self.screen.draw()
        if self._captions:
            self._paint(image, time)
        return image

    def _paint(self, image: QImage, time: float) -> None:
        painter = QPainter(image)
        scale = image.height() / 720.0
        painter.scale(scale, scale)
        width, height = image.width() / scale, 720.0
        colours = self.scene.colours
        start, end = self._span
        share = min(max((time - start) / (end - start), 0.0), 1.0)
        paint_time_bar(painter, QRectF(0.0, height - BAR, width, BAR), share, colours)
        low = height - BAR - EDGE
        paint_caption(painter, QRectF(EDGE, low - 32.0, 620.0, 32.0), self._readings.line(time), colours)
        if self.scene.scale is not None:
            left, top = width - LEGEND_WIDTH - EDGE, low - LEGEND_HEIGHT
            paint_legend(painter, QRectF(left, top, LEGEND_WIDTH, LEGEND_HEIGHT), self.scene.scale, colours)
        painter.end()


def make_film(plan: FilmPlan, footage: Footage) -> Generator[float, None, None]:
    """Film frame by frame; yields the done share after each. Closing the generator early removes the file.

    Raises InputError when the file cannot be written.
    """
    if not plan.path.parent.is_dir():
        raise InputError(f"{plan.path.parent}: this folder does not exist; choose another one for the film.")
    with replacing(plan.path) as part, scratch_folder("ridewright-film") as scratch:
        film = FilmScene(footage, plan.width, plan.height, plan.captions, (plan.start, plan.end))
        try:
            movie = scratch / f"film{plan.path.suffix}"
            with film_file(movie, plan.width, plan.height, plan.fps) as file:
                for k, time in enumerate(plan.times):
                    file.append(_pixels(film.picture(float(time))))  # with what is painted over it
                    yield (k + 1) / len(plan.times)
        except OSError as error:
            raise InputError(f"{plan.path}: the film cannot be written ({because(error)}).") from None
        finally:
            film.screen.close()
        shutil.copyfile(movie, part)


def _pixels(image: QImage) -> NDArray[np.uint8]:
    """The pixels (height, width, 3) of a picture."""
    rows = np.frombuffer(image.constBits(), dtype=np.uint8).reshape(image.height(), image.width(), 4)
    return rows[:, :, :3]


class FilmJob(QObject):
    """Makes a film between other events, one frame at a time, so that the window stays alive."""

    progressed = Signal(float)  # done share
    finished = Signal(object)  # Path
    failed = Signal(str)

    def __init__(self, plan: FilmPlan, footage: Footage, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._plan = plan
        self._frames: Generator[float, None, None] | None = make_film(plan, footage)
        self._timer = QTimer(self)
        self._timer.timeout.connect(self._next)

    @property
    def running(self) -> bool:
        return self._timer.isActive()

    def start(self) -> None:
        """Begin; ends with `finished` or `failed` unless cancelled."""
        self._timer.start(0)

    def cancel(self) -> None:
        """End without a film."""
        self._timer.stop()
        if self._frames is not None:
            self._frames.close()
            self._frames = None

    def _next(self) -> None:
        if self._frames is None:
            return
        try:
            share = next(self._frames)
        except StopIteration:
            self._end()
            self.finished.emit(self._plan.path)
        except InputError as error:
            self._end()
            self.failed.emit(str(error))
        else:
            self.progressed.emit(share)

    def _end(self) -> None:
        self._timer.stop()
        self._frames = None
