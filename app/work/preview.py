"""The point ride of the track as it is on screen: worked out within a drag, kept by track and settings.

Its kernels are compiled, or loaded from the cache, in a thread of their own; until then there is no ride and
`preparing` is true.
"""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import dataclass, field
from threading import Event, Thread

import numpy as np
from PySide6.QtCore import QObject, QTimer, Signal

from ...core.base.arrays import Array
from ...core.base.errors import InputError
from ...core.design.findings import ride_findings
from ...core.pointmass.columns import in_track_order
from ...core.pointmass.result import PointRide
from ...core.pointmass.ride import preview_ride
from ...core.pointmass.sections import Extreme, SectionFigures, Station, section_figures, stations
from ...core.project.point_settings import PointRideSettings
from ...core.project.point_train import ridden_settings
from ...core.project.project import Project
from ...core.project.scenario import Rig
from ...core.track.build import BuiltTrack
from ..document.document import Document, Problem
from ..document.problem import problem_of
from ..widgets import units
from .warm_up import warm_up_preview

SOURCE = "Point ride"
KEPT = 6
ROUNDING = 1e-12
START_REPORTED = 0.05  # m/s; a smaller change of the start speed is not worth a word
CHANGE_REPORTED = 0.01  # g
FAR_MORE = 1.5  # times the change of the section that is dragged
ACROSS = 101  # places at which the loads of a section are compared
LOOK_AGAIN = 50  # ms between two looks whether the kernels are compiled
AXES = {"gx": "Gx", "gy": "Gy", "gz": "Gz"}
LONGEST = 10.0  # s that its kernels wait for the first picture
PREPARING = "The preview is being prepared."


class _Kernels:
    """The compiled kernels of the point ride, the same for the whole program."""

    def __init__(self) -> None:
        self.ready = Event()
        self._free = Event()
        self._free.set()
        self._thread: Thread | None = None

    def hold(self) -> None:
        """Wait with them until `release`, `LONGEST` at most: where a first picture comes before."""
        self._free.clear()

    @property
    def held(self) -> bool:
        """Whether they wait."""
        return not self._free.is_set()

    def release(self) -> None:
        """Do not wait any more."""
        self._free.set()

    def prepare(self) -> None:
        """Begin to compile them, once."""
        if self._thread is None:
            self._thread = Thread(target=self._compile, name="preview kernels", daemon=True)
            self._thread.start()

    def _compile(self) -> None:
        self._free.wait(LONGEST)
        try:
            warm_up_preview()
        finally:  # trouble comes again, and is told, where a track is ridden
            self.ready.set()


KERNELS = _Kernels()


@dataclass
class _Entry:
    """A ride and what it belongs to; figures of the sections are worked out when somebody asks."""

    built: BuiltTrack
    settings: PointRideSettings
    gravity: tuple[float, ...]
    ride: PointRide | None
    fault: str
    figures: tuple[SectionFigures, ...] | None = None
    of_section: dict[str, SectionFigures | None] = field(
        default_factory=dict
    )  # those asked for by themselves
    loads: dict[str, tuple[Array, Array]] | None = None

    def fits(self, built: BuiltTrack, settings: PointRideSettings, gravity: tuple[float, ...]) -> bool:
        """Whether it is the ride with these settings over a built track."""
        return self.built is built and _alike(self.settings, settings) and self.gravity == gravity


def _alike(one: PointRideSettings, other: PointRideSettings) -> bool:
    """Whether settings are equal but for rounding: segments of a rider of another stature weigh the same within it."""
    if type(one) is not type(other):
        return False
    for name in type(one).model_fields:
        a, b = getattr(one, name), getattr(other, name)
        if a != b:
            x, y = np.asarray(a), np.asarray(b)
            if x.shape != y.shape or {x.dtype.kind, y.dtype.kind} != {"f"}:
                return False
            if not np.allclose(x, y, rtol=ROUNDING, atol=ROUNDING):
                return False
    return True


def _loads_by_section(built: BuiltTrack, ride: PointRide) -> dict[str, tuple[Array, Array]]:
    """By section, places (n,) m evenly over it and the loads (n, 3) g there; nan where no train comes. Empty for a
    ride that does not move."""
    position, sample = in_track_order(ride, built.centreline.length, built.centreline.closed)
    if len(position) < 2:
        return {}
    spans = built.sections
    at = np.linspace([span.s0 for span in spans], [span.s1 for span in spans], ACROSS, axis=1)
    g = ride.g[sample]
    loads = [np.interp(at, position, g[:, k], left=np.nan, right=np.nan) for k in range(3)]
    return {span.name: (s, one) for span, s, one in zip(spans, at, np.stack(loads, axis=2), strict=True)}


class RidePreview(QObject):
    """The ride of points along the track of a document; `RidePreview.of(document)` gives the one there is."""

    changed = Signal()  # there is another ride than before, or one at last
    start_changed = Signal(str)  # an edit made it start at another speed: the sentence

    def __init__(self, document: Document) -> None:
        super().__init__(document)
        self._document = document
        self._entries: OrderedDict[int, _Entry] = OrderedDict()
        self._start: float | None = None  # m/s, of the current project
        self._was: float | None = None  # m/s, of the project before the last edit
        self._wait = QTimer(self)
        self._wait.setInterval(LOOK_AGAIN)
        self._wait.timeout.connect(self._look)
        self._soon = QTimer(self)
        self._soon.setSingleShot(True)
        self._soon.setInterval(0)
        self._soon.timeout.connect(self._tell)
        document.project_changed.connect(lambda _change: self._on_project())
        document.preview_changed.connect(lambda _project: self.changed.emit())
        document.begun.connect(self._forget_start)
        document.runs_changed.connect(self._on_run)
        if not KERNELS.ready.is_set():
            self._wait.start()
        self._soon.start()

    @staticmethod
    def of(document: Document) -> RidePreview:
        """The preview of a document, made when it is first asked for."""
        found = document.findChild(RidePreview)
        return found if isinstance(found, RidePreview) else RidePreview(document)

    # -- what is known

    @property
    def preparing(self) -> bool:
        """The kernels are not compiled yet, so that no ride is known."""
        return not KERNELS.ready.is_set()

    @property
    def in_edit(self) -> bool:
        """Whether what is on screen is an edit in progress, not yet a step."""
        return self._document.previewed is not None

    def ride(self, project: Project | None = None) -> PointRide | None:
        """The ride of a project: by default of the edit in progress, else of the current one.

        None while the kernels are compiled, without a track on which anything rides, and when the ride cannot be
        worked out: then `fault` says why.
        """
        entry = self._entry(project)
        return None if entry is None else entry.ride

    def fault(self, project: Project | None = None) -> str:
        """Why there is no ride, in a sentence; "" when there is one, or no track."""
        if self.preparing:
            return PREPARING
        entry = self._entry(project)
        return "" if entry is None else entry.fault

    def figures(self, project: Project | None = None) -> tuple[SectionFigures, ...]:
        """Speeds and loads of every section in the order of the track; () without a ride."""
        entry = self._entry(project)
        if entry is None or entry.ride is None:
            return ()
        if entry.figures is None:
            entry.figures = section_figures(entry.built, entry.ride)
        return entry.figures

    def worst_text(self, section: str) -> str:
        """The worst load of a section in the edit in progress and what it was before: "Loop: Gz 4.6 g at 212 m, was
        5.1 g"; why there is no ride; "" when nothing is known."""
        now = self._figures_of(section, None)
        if now is None:
            return "" if self.preparing else self.fault().partition(",")[0]
        found = worst_of(now)
        if found is None:
            return f"{section}: the train does not come here"
        axis, worst = found
        text = f"{section}: {AXES[axis]} {units.text(worst.value, 'g')} at {units.text(worst.s, 'm', decimals=0)}"
        if self._document.previewed is None:
            return text
        old = self._figures_of(section, self._document.project)
        before = None if old is None else worst_of(old)
        if before is None:
            return text
        name = "" if before[0] == axis else f"{AXES[before[0]]} "
        return f"{text}, was {name}{units.text(before[1].value, 'g')}"

    def start_text(self, project: Project | None = None) -> str:
        """How fast the ride starts, and why, with what it was before the edit in progress or the last one; "" without
        a ride."""
        ride = self.ride(project)
        if ride is None:
            return ""
        before = self._was
        if project is None and self._document.previewed is not None:
            old = self.ride(self._document.project)
            before = None if old is None else old.start.speed
        if before is not None and abs(before - ride.start.speed) < START_REPORTED:
            before = None
        return ride.start.sentence(before, _words)

    def drag_text(self, section: str) -> str:
        """What the edit in progress does to a section, line by line: the load it changes most, there, before and now;
        the worst load; and the start speed where it is another one."""
        lines = [self.change_text(section), self.worst_text(section)]
        start = self.start_text()
        if " (was " in start:
            lines.append(start.partition(", solved")[0])
        return "\n".join(line for line in lines if line)

    def stations(self, section: str) -> tuple[Station, ...]:
        """Entry, middle and exit of a section of the track on screen; () while it cannot be built."""
        built = self._document.built()
        return () if built is None else stations(built, self.ride(), section)

    def change_text(self, section: str) -> str:
        """The load that the edit in progress, or else the last step, changes most within a section, at its place: "Gz
        2.5 g → 3.1 g at 212 m"; the one of another section, by name, where that changes far more (a higher lift and the
        valley before it); "" where nothing changes by a hundredth of g, or nothing is known."""
        document = self._document
        before = document.before_step if document.previewed is None else document.project
        now, old = self._loads(None), None if before is None else self._loads(before)
        if now is None or old is None or section not in now or section not in old:
            return ""
        apart = {name: np.nan_to_num(np.abs(now[name][1] - old[name][1])) for name in now if name in old}
        name = max(apart, key=lambda one: float(apart[one].max()))
        if apart[name].max() < FAR_MORE * apart[section].max():
            name = section
        k, axis = np.unravel_index(int(np.argmax(apart[name])), apart[name].shape)
        if apart[name][k, axis] < CHANGE_REPORTED:
            return ""
        was, is_now = (units.text(float(loads[name][1][k, axis]), "g") for loads in (old, now))
        place = units.text(float(now[name][0][k]), "m", decimals=0)
        where = "" if name == section else f"{name}: "
        return f"{where}{tuple(AXES.values())[axis]} {was} → {is_now} at {place}"

    def _loads(self, project: Project | None) -> dict[str, tuple[Array, Array]] | None:
        """By section, places (n,) m evenly over it and the loads (n, 3) g there; nan where no train comes."""
        entry = self._entry(project)
        if entry is None or entry.ride is None:
            return None
        if entry.loads is None:
            entry.loads = _loads_by_section(entry.built, entry.ride)
        return entry.loads or None

    def _figures_of(self, section: str, project: Project | None) -> SectionFigures | None:
        """The figures of one section; those of all take a good part of a picture's time."""
        entry = self._entry(project)
        if entry is None or entry.ride is None:
            return None
        if entry.figures is None:
            if section not in entry.of_section:
                found = section_figures(entry.built, entry.ride, only=section)
                entry.of_section[section] = next(iter(found), None)
            return entry.of_section[section]
        return next((f for f in entry.figures if f.name == section), None)

    def _entry(self, project: Project | None) -> _Entry | None:
        wanted = project or self._document.previewed or self._document.project
        if wanted.track is None or isinstance(wanted.scenario, Rig):
            return None
        if self.preparing:
            KERNELS.prepare()
            return None
        built = self._document.built(project)
        if built is None:
            return None
        known = self._entries.get(id(built))
        settings, gravity = ridden_settings(wanted), tuple(wanted.gravity)
        if known is not None and known.fits(built, settings, gravity):
            self._entries.move_to_end(id(built))
            return known
        ride, fault = None, ""
        try:
            ride = preview_ride(built, settings, gravity=gravity)
        except InputError as error:
            fault = error.said
        entry = _Entry(built, settings, gravity, ride, fault)
        # by identity of the built track, which the entry holds so that the number is not given to another one
        self._entries[id(built)] = entry
        while len(self._entries) > KEPT:
            self._entries.popitem(last=False)
        return entry

    # -- keeping in step

    def _on_project(self) -> None:
        self.changed.emit()
        self._soon.start()

    def _on_run(self) -> None:
        """What the speed was before the last edit is told until a run of the edited project is there."""
        run = self._document.current_run
        if self._was is not None and run is not None and not self._document.is_stale(run):
            self._was = None
            self.changed.emit()

    def _forget_start(self) -> None:
        self._start = self._was = None

    def _look(self) -> None:
        if self.preparing:
            KERNELS.prepare()
            return
        self._wait.stop()
        self.changed.emit()
        self._tell()

    def _tell(self) -> None:
        """Put what goes wrong on the ride of the current project among the problems."""
        if not self.preparing:
            self._document.set_problems(SOURCE, self._problems())
            self._tell_start()

    def _tell_start(self) -> None:
        """Say that the last edit changed the start speed."""
        ride = self.ride(self._document.project)
        self._was, self._start = self._start, None if ride is None else ride.start.speed
        if (
            self._was is not None
            and self._start is not None
            and abs(self._was - self._start) >= START_REPORTED
        ):
            self.changed.emit()
            self.start_changed.emit(self.start_text(self._document.project))

    def _problems(self) -> tuple[Problem, ...]:
        entry = self._entry(self._document.project)
        if entry is None:
            return ()
        if entry.ride is None:
            return (Problem("error", entry.fault, None, None, SOURCE),)
        project = self._document.project
        return tuple(problem_of(one, project, SOURCE) for one in ride_findings(entry.ride, project))


def _words(value: float, unit: str, decimals: int) -> str:
    return units.text(value, unit, decimals=decimals)


def worst_of(figures: SectionFigures) -> tuple[str, Extreme] | None:
    """Axis ("gx", "gy", "gz") and value of the load furthest from standing still; None where no train came."""
    worst = figures.worst
    for axis in AXES:
        for side in ("max", "min"):
            found: Extreme | None = getattr(figures, f"{side}_{axis}")
            if found is not None and found is worst:
                return axis, found
    return None
