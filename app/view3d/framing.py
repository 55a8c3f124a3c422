"""Where the camera of the 3D view stands: which camera, what it frames, from where, how it gets there; and what
an edit has brought, to which it flies."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Final, Literal

import numpy as np
from PySide6.QtCore import QEasingCurve, QEvent, QObject, QVariantAnimation, Signal

from ...core.base.arrays import Array
from ...core.project.project import Project
from .cameras import CameraRig, Mode
from .controls import ViewControls
from .scene import Scene
from .view import SceneView

Subject = Literal["everything", "train", "rider", "structure"]
FLIGHT: Final = 350  # ms of the way to something new
AROUND: Final = 1.0  # m around what is new on a track
ABOUT: Final = 9.0  # m about a place on the track that is gone to
TINY: Final = 0.06  # of the height of the view: what is smaller is not seen well
SEEN: Final = 0.75  # of the points that are new: fewer in the picture are not the whole of it


def points_of(scene: Scene, subject: Subject) -> Array:
    """Points (n, 3) m that a picture of a subject holds; of everything where there is no such thing."""
    found = np.zeros((0, 3))
    if subject == "structure":
        found = scene.flexible.points
    elif subject == "rider":
        found = scene.train.corners(scene.rider_bodies())
    if not len(found) and subject != "everything" and scene.track.mesh is not None:
        found = np.concatenate([scene.train.corners(), scene.flexible.points])
    if len(found):
        return found
    if scene.track.mesh is not None:
        feet = [foot for *_, foot in scene.track.columns()]
        return np.concatenate([scene.track.mesh.course.position, np.reshape(feet, (-1, 3))])
    return np.concatenate([scene.train.corners(moving=True), scene.flexible.points])


class Framing(QObject):
    """Moves the camera of a view's scene; every workspace has one of its own. drawn(): draws what waits to be drawn;
    changed(mode): another camera is in use."""

    changed = Signal(str)

    def __init__(
        self, view: SceneView, controls: ViewControls, project: Project, drawn: Callable[[], None]
    ) -> None:
        super().__init__(view)
        self._view, self._controls, self._drawn = view, controls, drawn
        self._rigs: dict[str, CameraRig] = {}
        self._framed: dict[str, Framed] = {}  # by workspace
        self._resized = False  # since the camera was set
        view.installEventFilter(self)
        view.aiming.connect(self._fit)
        self._room = ""
        self._places: dict[str, float] = {}  # by workspace, the last one (m) that was gone to
        self._project, self._new = project, Arrivals()
        self._first: tuple[Mode, Subject] = ("orbit", "everything")
        self._flight = QVariantAnimation(self)
        self._flight.setStartValue(0.0)
        self._flight.setEndValue(1.0)
        self._flight.setDuration(FLIGHT)
        self._flight.setEasingCurve(QEasingCurve.Type.InOutCubic)
        self._flight.valueChanged.connect(lambda share: self._fly(float(share)))
        self._way: Callable[[float], None] = lambda _share: None

    def enter(self, room: str, mode: Mode, subject: Subject) -> None:
        """Look as the workspace `room` was left, or with its camera at its subject when it is entered first."""
        self._flight.stop()
        before, self._room, self._first = self._room, room, (mode, subject)
        self._resized = True  # the view had another shape when the room was left
        if not self._view.ready or room == before:
            return
        if before:
            self._rigs[before] = self._view.scene.rig
        kept = self._rigs.get(room)
        self._view.scene.rig = CameraRig() if kept is None else kept
        if kept is None:
            self.begin(others=False)
        self._controls.show_camera(self._view.scene.rig.mode)
        self._view.redraw()
        self.changed.emit(self._view.scene.rig.mode)

    def begin(self, *, others: bool = True) -> None:
        """Look at what is there as the workspace begins; others: the same in every other one when it is next shown."""
        if others:
            self._rigs.clear()
            self._places.clear()
        self._new = Arrivals()
        mode, subject = self._first
        rig = self._view.scene.rig
        if rig.mode != "orbit":
            self.use("orbit")
        self._frame(points_of(self._view.scene, subject), subject)
        if mode != "orbit":
            self.use(mode)

    def use(self, mode: Mode) -> None:
        """Look through a camera; through the one in use: without what the mouse has turned."""
        self._flight.stop()
        self._drawn()
        rig = self._view.scene.rig
        if mode == rig.mode:
            rig.reset_offsets()
        rig.mode = mode
        if mode == "top":
            rig.frame_top(*self._view.scene.bounds())
        self._controls.show_camera(mode)
        self._view.redraw()
        self.changed.emit(mode)

    def look_from(self, direction: Array) -> None:
        """Orbit to a side (3,) of what is looked at now."""
        scene = self._view.scene
        if scene.rig.mode != "orbit":
            eye = scene.apply_camera()
            scene.rig.focus = eye.focus
            scene.rig.distance = max(1.0, float(np.linalg.norm(eye.position - eye.focus)))
            self.use("orbit")
        scene.rig.look_from(direction)
        self._view.redraw()

    def everything(self) -> None:
        """Bring the whole scene into the picture, as near as it allows."""
        scene = self._view.scene
        self.aim(*scene.bounds())
        if scene.rig.mode == "orbit":
            self._frame(points_of(scene, "everything"))

    def go_to(self, s: float, centre: Array, *, seen: bool) -> None:
        """Bring the place at arc length s (m), centre (3,) m, into the picture, unless it is seen already."""
        self._places[self._room] = s
        if not seen:
            self.aim(centre, ABOUT)

    def is_new(self, s: float) -> bool:
        """Whether the workspace has not gone to a place (m) that was chosen."""
        return self._places.get(self._room) != s

    def aim(self, centre: Array, radius: float) -> None:
        """Bring a ball about centre (3,) m, radius m, into the picture; cameras that ride along give way."""
        self._flight.stop()
        rig = self._view.scene.rig
        if rig.mode == "top":
            rig.frame_top(centre, radius)
        else:
            rig.frame(centre, radius, self._aspect())
            if rig.mode != "orbit":
                self.use("orbit")
        self._view.redraw()

    def expect(self, project: Project) -> None:
        """The project is another one: what is new in it is to be seen once it is drawn."""
        self._new, self._project = _arrivals(self._project, project), project

    def greet(self) -> None:
        """Look at what is new and drawn now."""
        new, self._new = self._new, Arrivals()
        if new:
            self.fly_to(new.points(self._view.scene))

    def fly_to(self, points: Array) -> None:
        """Fly to points (n, 3) m that are new, unless they are seen well enough, or the camera rides along."""
        rig = self._view.scene.rig
        if rig.mode != "orbit" or not len(points) or self._is_seen(points):
            return
        self._flight.stop()
        to = CameraRig()
        to.azimuth, to.elevation = rig.azimuth, rig.elevation
        to.frame_points(points, self._aspect())
        focus, distance = np.array(rig.focus), rig.distance

        def way(share: float) -> None:
            rig.focus = focus + share * (to.focus - focus)
            rig.distance = distance * (to.distance / distance) ** share

        self._way = way
        self._flight.start()

    def _fly(self, share: float) -> None:
        if self._flight.state() == QVariantAnimation.State.Running or share == 1.0:
            self._way(share)
            self._view.redraw()

    def stay(self) -> None:
        """A hand is on the camera: no flight goes on."""
        self._flight.stop()

    def _is_seen(self, points: Array) -> bool:
        """Whether most of the points are in the picture, and not too small to be seen."""
        view = self._view
        seen = view.world_to_screen(points)
        inside = (seen >= 0.0).all(axis=1) & (seen <= [view.width(), view.height()]).all(
            axis=1
        )  # nowhere: nan
        if not inside.any() or float(np.mean(inside)) < SEEN:
            return False
        return float(np.ptp(seen[inside], axis=0).max()) >= TINY * view.height()

    def follow_motion(self) -> None:
        """Have what was framed in the picture over the motion there is now, as of a rig that has been run, wherever the
        camera has not been moved since."""
        scene = self._view.scene
        every = self._framed.items()
        self._framed = {room: replace(one, points=points_of(scene, one.subject)) for room, one in every}
        self._resized = True
        self._view.redraw()

    def _frame(self, points: Array, subject: Subject = "everything") -> None:
        self._look_at(points, subject)
        self._view.redraw()

    def _look_at(self, points: Array, subject: Subject) -> None:
        """Bring points of a subject into the picture, or everything, and keep in mind that they are."""
        if len(points):
            self._view.scene.rig.frame_points(points, self._aspect())
        else:
            self._view.scene.rig.frame(*self._view.scene.bounds(), self._aspect())
        self._framed[self._room] = Framed(points, subject, _stands(self._view.scene.rig))

    def _fit(self) -> None:
        """Frame again what was framed, in a view of another shape, unless the camera has been moved since."""
        resized, self._resized = self._resized, False
        framed = self._framed.get(self._room)
        if resized and framed is not None and _stands(self._view.scene.rig) == framed.stands:
            self._look_at(framed.points, framed.subject)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Resize:  # a workspace shares its room after it is shown
            self._resized = True
            self._view.redraw()
        return super().eventFilter(watched, event)

    def _aspect(self) -> float:
        view = self._view
        return max(view.width(), 1) / max(view.height(), 1)


@dataclass(frozen=True)
class Framed:
    """Points (n, 3) m of a subject that were brought into the picture, and how the camera stood then."""

    points: Array
    subject: Subject
    stands: tuple[float, ...]


def _stands(rig: CameraRig) -> tuple[float, ...]:
    """How the orbit camera stands."""
    return (*map(float, rig.focus), rig.azimuth, rig.elevation, rig.distance)


@dataclass(frozen=True)
class Arrivals:
    """Names of new sections, and full paths of new assemblies and flexible bodies."""

    sections: frozenset[str] = frozenset()
    parts: frozenset[str] = frozenset()

    def __bool__(self) -> bool:
        return bool(self.sections or self.parts)

    def points(self, scene: Scene) -> Array:
        """Points (n, 3) m of what is new, as it is drawn."""
        built = scene.built
        spans = [] if built is None else [x for x in built.sections if x.name in self.sections]
        found = [built.centreline.position(np.linspace(x.s0, x.s1, 24)) for x in spans if built is not None]
        prefixes = tuple(f"{part}/" for part in self.parts)
        names = {name for name in scene.train.members if name.startswith(prefixes)} if prefixes else set()
        if names:
            found.append(scene.train.corners(names))
        return np.concatenate([*found, scene.flexible.points_of(self.parts), np.zeros((0, 3))])


def _arrivals(before: Project, after: Project) -> Arrivals:
    """What is in a project that was not in the one before; nothing where names have only changed."""
    return Arrivals(_new(_sections(before), _sections(after)), _new(_parts(before), _parts(after)))


def _new(before: frozenset[str], after: frozenset[str]) -> frozenset[str]:
    return after - before if len(after) > len(before) else frozenset()


def _sections(project: Project) -> frozenset[str]:
    return frozenset() if project.track is None else frozenset(s.name for s in project.track.sections)


def _parts(project: Project) -> frozenset[str]:
    if project.assembly is None:
        return frozenset()
    found = []
    for prefix, assembly in project.assembly.walk():
        found += [prefix[:-1]] if prefix else []
        found += [prefix + flexible.name for flexible in assembly.flexibles]
    return frozenset(found)
