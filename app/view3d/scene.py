"""The scene: track, train, marks, light and camera in one renderer, on screen or off."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from ...core.base.arrays import Array
from ...core.pointmass.result import PointRide
from ...core.project.project import Project
from ...core.project.scenario import Ride, Rig
from ...core.results.results import Results
from ...core.track.build import BuiltTrack
from ..widgets.theme import Colours
from . import colouring
from .arrows import ArrowLayer
from .cameras import CameraRig, Eye, Target, track_frame, track_place
from .colouring import BY_KEY, Scale
from .contact_layer import ContactLayer
from .coupling_layer import CouplingLayer
from .flexible_layer import FlexibleLayer
from .limit_layer import LimitLayer
from .marks import FarMark, Marks
from .mesh import rgb
from .misfit_layer import MisfitLayer
from .poses import Poses
from .track_layer import TrackLayer
from .train_layer import TrainLayer
from .train_parts import placed_train

if TYPE_CHECKING:
    import pyvista as pv

FAR = 70.0  # m from which a car is hardly seen


class Scene:
    """Everything that is drawn, without any widget: fill it, choose a time and a camera, let somebody render it."""

    def __init__(self, plotter: pv.BasePlotter, colours: Colours) -> None:
        self.plotter = plotter
        self.colours = colours
        self.quality = "medium"
        self.refined = False
        self.track = TrackLayer(plotter)
        self.train = TrainLayer(plotter)
        self.couplings = CouplingLayer(plotter)
        self.contacts = ContactLayer(plotter)
        self.limits = LimitLayer(plotter)
        self.misfits = MisfitLayer(plotter)
        self.flexible = FlexibleLayer(plotter)
        self.arrows = ArrowLayer(plotter)
        self.marks = Marks(plotter)
        self.far_mark = FarMark(self.marks)
        self.rig = CameraRig()
        self.project: Project | None = None
        self.built: BuiltTrack | None = None
        self.foreign = False  # the track that is drawn is not that of the project
        self.results: Results | None = None
        self.ridden: BuiltTrack | None = None  # the track of the shown run, when the drawn one is another
        self.ride: PointRide | None = None  # colours the track instead of the run, when there is one
        self.scale: Scale | None = None
        self.colour_key = "plain"
        self.margins: colouring.Margins = ()  # of the shown run, once they are known
        self.time = 0.0
        self._place: tuple[Array, Array] | None = None
        self._reach = 0.0  # m, of the train from its first car
        import pyvista as pv  # not needed until there is something to draw

        plotter.remove_all_lights()
        light = pv.Light(position=(0.35, 0.75, 1.0), focal_point=(0.0, 0.0, 0.0), light_type="camera light")
        plotter.add_light(light)
        plotter.set_background(colours.sky_bottom)  # type: ignore[arg-type]
        plotter.renderer.SetAutomaticLightCreation(False)
        plotter.renderer.SetUseOIT(
            False
        )  # see-through parts in drawing order: without a second set of shaders

    @property
    def camera(self) -> pv.Camera:
        """The camera of the pictures; `apply_camera` sets it."""
        return self.plotter.camera

    def draw_as(self, level: str) -> None:
        """How well edges are drawn: "low" as they are, "medium" smoothed, "high" with four samples."""
        self.quality = level
        self.plotter.renderer.SetUseFXAA(level == "medium")
        self.refine(False)

    def refine(self, on: bool) -> None:
        """Draw with four samples whatever the level, for a picture that stands still."""
        self.refined = on
        window: Any = self.plotter.render_window
        several = on or self.quality == "high"
        window.SetMultiSamples(4 if several else 0)
        self.marks.sample(several)

    def set_track(self, built: BuiltTrack | None, project: Project) -> None:
        """Draw a track from scratch."""
        self.built = built
        start = project.scenario.start if isinstance(project.scenario, Ride) else 0.0
        self.track.rebuild(built, self.colours, self.quality, start, project.steelwork.spacing)
        self.colour_by(self.colour_key)

    def move_track(self, built: BuiltTrack) -> None:
        """Move the drawn track to another shape, fast."""
        self.built = built
        self.track.update(built)
        self.colour_by(self.colour_key, hold=True)

    def set_train(self, project: Project, results: Results | None) -> None:
        """Draw the train or rig of a project at `time` with the poses of a run, or as drawn without one.

        What the run says of the track is coloured by `colour_by`.
        """
        self.project, self.results = project, results
        flat = next(
            (flat for built in (self.built, self.ridden) if (flat := placed_train(project, built))), None
        )
        drawn = None if flat is None else Poses.as_drawn(flat)
        poses = drawn if results is None else Poses.of_run(results)
        self.train.rebuild(project, flat, poses, self.colours)
        self.train.show_time(self.time)
        pose = self._car_pose(self.time)
        self._reach = (
            0.0 if pose is None else float(np.linalg.norm(self.train.position - pose[0], axis=1).max())
        )
        self.couplings.rebuild(project, results, self.train, self.colours)
        self.contacts.rebuild(project, results, self.train, self.ridden or self.built, self.colours)
        self.limits.rebuild(project, self.train, self.colours, moving=results is not None)
        self.misfits.rebuild(project, self.train, self.colours)
        self.flexible.rebuild(project, results, self.train, self.colours)
        self.arrows.rebuild(results, self.train, self.colours)
        self._show_what_is_on_it()
        if isinstance(project.scenario, Rig):
            self._fit_rig()

    def show_time(self, time: float) -> None:
        """Move train, riders and arrows to a time (s)."""
        self.time = time
        self.train.show_time(time)
        self._show_what_is_on_it()

    def _show_what_is_on_it(self) -> None:
        """Move what is drawn at the train to where that is now."""
        time = self.time
        self.couplings.show_time(time)
        self.contacts.show_time(time)
        self.limits.show_time()
        self.flexible.show_time(time)
        self.arrows.show_time(time)
        self._place = self._car_pose(time)

    def keys(self) -> list[tuple[str, str]]:
        """Colours of arrows, combs and marks that are drawn, and what they mean."""
        layers = (self.arrows, self.couplings, self.contacts, self.limits, self.misfits)
        return [*(key for layer in layers for key in layer.keys(self.colours)), *self.flexible.keys()]

    def colour_by(self, key: str, *, hold: bool = False) -> Scale | None:
        """Colour the track by a quantity; returns its scale, None when it is plain or not known yet.

        hold: keep the scale there is.
        """
        held = self.scale if hold and key == self.colour_key else None
        self.colour_key = key
        self.scale = None
        quantity = BY_KEY[key]
        if self.built is None or self.track.mesh is None:
            return None
        if self.foreign:
            self.track.plain(foreign=True)
            return None
        s = self.track.mesh.course.s
        line = self.built.centreline
        values = (
            None
            if self.ride is None
            else colouring.on_point_ride(key, s, self.ride, line.length, line.closed)
        )
        if values is not None:
            quantity = replace(quantity, name=f"{quantity.name}, point ride")
        else:
            values = colouring.along_track(quantity, s, self.built, self.results, self.margins)
        if values is None or not np.isfinite(values).any():
            self.track.plain()
            return None
        paint, self.scale = colouring.paint_values(quantity, values, rgb(self.colours.steel), held)
        self.track.colour(paint)
        return self.scale

    def target(self) -> Target | None:
        """What moving cameras look at now; None without a car on the track."""
        if self._place is None:
            self._place = self._car_pose(self.time)
        if self._place is None:
            return None
        place, frame = self._place
        s, built = self.arc_length(self.time), self.ridden or self.built
        if s is None or built is None:
            return Target(place, frame, self._head(), reach=self._reach)
        return Target(place, frame, self._head(), lambda d: track_place(built, s + d), self._reach)

    def apply_camera(self) -> Eye:
        """Set the camera of the renderer from the state of the rig."""
        eye = self.rig.eye(self.target())
        camera = self.camera
        camera.SetPosition(*eye.position)
        camera.SetFocalPoint(*eye.focus)
        camera.SetViewUp(*eye.up)
        camera.SetViewAngle(eye.angle)
        away = float(np.linalg.norm(eye.position - self.track.centre))
        camera.SetClippingRange(eye.near, max(self.track.far, 2.0 * away + self.track.far))
        self.track.centre_sky(eye.position)
        self.track.seen_from(float(np.linalg.norm(eye.position - eye.focus)))
        self._mark_train(eye.position)
        riding = self.rig.mode == "ride"
        self.train.hide(self._head_names() if riding else frozenset())
        return eye

    def _mark_train(self, eye: Array) -> None:
        """From afar a train is a dot; so it gets one that is seen."""
        place = None if self._place is None or self.track.mesh is None else self._place[0]
        near = place is None or float(np.linalg.norm(eye - place)) < FAR
        self.far_mark.show(None if near else place, self.colours.body)

    def bounds(self) -> tuple[Array, float]:
        """Centre (3,) m and radius (m) of everything: the track, or the rig."""
        if self.track.mesh is not None:
            p = self.track.mesh.course.position
            centre = 0.5 * (p.min(axis=0) + p.max(axis=0))
            return centre, 1.2 + float(np.linalg.norm(p - centre, axis=1).max())
        if self.train.poses is None or not self.train.members:
            return np.zeros(3), 8.0
        centre, radius = self.train.poses.ball()  # of the whole motion
        largest = max(float(np.linalg.norm(np.ptp(m.box, axis=0))) for m in self.train.members.values())
        box = self.flexible.drawn
        if box is not None:  # of an arm with one body at its end the middle is elsewhere
            low, high = np.minimum(box[0], centre - radius), np.maximum(box[1], centre + radius)
            centre, radius = 0.5 * (low + high), 0.5 * float(np.linalg.norm(high - low))
        return centre, radius + max(0.5 * largest, 0.0 if box is not None else self.flexible.reach)

    def _fit_rig(self) -> None:
        if self.built is not None:
            return
        if self.train.poses is not None:
            centre, radius = self.bounds()
            self.track.set_bounds(centre, 2.0 * radius, float(centre[2] - 1.15 * radius))

    def _rider(self) -> dict[str, str]:
        """Full names of head, upper torso and pelvis of the first rider; empty without one."""
        return next(iter(self.train.flat.riders.values()), {}) if self.train.flat is not None else {}

    def rider_bodies(self) -> set[str]:
        """Full names of all bodies of the first rider; none without one."""
        holder = self._rider().get("head", "").rpartition("/")[0]
        return {name for name in self.train.members if holder and name.startswith(f"{holder}/")}

    def _head(self) -> tuple[Array, Array] | None:
        head = self.train.frame_of(self._rider().get("head", ""))
        return None if head is None else (head.position, head.rotation)

    def _head_names(self) -> frozenset[str]:
        head = self._rider().get("head", "")
        rider = head.rpartition("/")[0]
        necks = [n for n in self.train.members if n.rpartition("/")[0] == rider and "neck" in n.lower()]
        return frozenset([head, *necks] if head else ())

    def _car_pose(self, time: float) -> tuple[Array, Array] | None:
        """Place (m) and smoothed frame of the first car."""
        flat = self.train.flat
        if flat is None or not flat.cars or not len(self.train.position):
            return None
        own = flat.names[slice(*flat.cars[0].bodies)]
        columns = [m.column for m in self.train.members.values() if m.name in own and not m.of_rider]
        if not columns:
            return None
        place = self.train.position[columns].mean(axis=0)
        s, built = self.arc_length(time), self.ridden or self.built
        if built is None or s is None:
            return place, np.asarray(self.train.rotation[columns[0]])
        return place, track_frame(built, s)

    def arc_length(self, time: float) -> float | None:
        """Arc length (m) of the first car at a time (s); its start without a run, None without a ride."""
        if self.project is None or not isinstance(self.project.scenario, Ride):
            return None
        if self.results is None:
            return self.project.scenario.start
        found = self._arc_channel()
        if found is None:
            return self.project.scenario.start
        return float(np.interp(time, self.results.sample_time, found))

    def standing_at(self, s: float) -> Poses | None:
        """The train of a ride without a run as it would stand with its middle at s m of the track; None with a run,
        whose playback has it, and where it cannot stand."""
        project, built = self.project, self.built
        if project is None or built is None or self.results is not None:
            return None
        scenario = project.scenario
        if not isinstance(scenario, Ride):
            return None

        def stood(start: float) -> Poses | None:
            begun = scenario.model_copy(update={"start": float(built.centreline.wrap(start)[0])})
            flat = placed_train(project.model_copy(update={"scenario": begun}), built)
            return None if flat is None else Poses.as_drawn(flat)

        ahead = stood(s)
        if ahead is None:
            return None
        place, way = built.centreline.position([s])[0], built.frame_at(built.centreline.wrap(s))[0][0]
        return stood(s - float((ahead.at(0.0)[0].mean(axis=0) - place) @ way))

    def _arc_channel(self) -> Array | None:
        assert self.results is not None
        for name, channel in self.results.channels.items():
            if name.endswith("/arc_length"):
                return channel.values
        return None
