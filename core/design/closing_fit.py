"""Whether a closed circuit keeps its limits: loads around the closing piece, and the least squares that reduce them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

import numpy as np

from ..base.arrays import Array
from ..base.errors import InputError
from ..project.project import Project
from ..track.build import BuiltTrack, build_track
from ..track.clearance import Approach, self_approaches
from .bank import SpeedOf
from .box_step import box_step
from .loads import heartline_loads
from .probing import Point, placed, position_of, probed_jacobian

PLACES = 6  # looked at between two neighbouring stations
REPORTED_TURN = np.radians(20.0)  # of the closing piece, that is worth words
STRAIGHT = 1000.0  # m; a larger radius is none
ITERATIONS = 10
SHAPE = 0.05  # weight of a gentle curvature beside one g above a limit
STAY = 2e-3  # weight (1/m) of leaving points where they are
ENOUGH = 1e-4
APART = 0.5  # m more than the closest approach that two pieces in each other's way are pushed apart


@dataclass(frozen=True)
class CloseLimits:
    """What the closed circuit must keep: vertical load between gz_min and gz_max, lateral within gy_max (g), change
    of load within jerk_max (g/s); points move at most `reach` (m)."""

    gz_max: float = 4.5
    gz_min: float = -0.8
    gy_max: float = 1.2
    jerk_max: float = 15.0
    reach: float = 15.0


@dataclass(frozen=True)
class CloseReport:
    """What closing did. gap: distance (m) of end and start before; length, min_radius (m), sharpest (1/m^2): of the
    closing piece, its largest change of curvature; gz_max, gz_min, gy_max (g), jerk_max (g/s): extremes over the
    free sections and the closing piece; moved: largest displacement (m); points_added; approaches: places where the
    track enters its own clearance envelope; kept: whether all limits hold; notes: sentences that name the limits which
    do not, with their places, and ways out; curve: the closing piece in words."""

    gap: float
    length: float
    min_radius: float
    sharpest: float
    gz_max: float
    gz_min: float
    gy_max: float
    jerk_max: float
    moved: float
    points_added: int
    approaches: int
    kept: bool
    notes: tuple[str, ...]
    curve: str = ""


@dataclass(frozen=True)
class Loads:
    """Loads at places s (n,) m: lateral and vertical (n,) g, change of both together (n,) g/s, curvature change (n, 3)
    1/m^2, weight (n,) of a place: the root of the metres it stands for."""

    s: Array
    gy: Array
    gz: Array
    jerk: Array
    bend: Array
    weight: Array


def plain_track(project: Project) -> BuiltTrack:
    assert project.track is not None
    return build_track(project.track, ride=False)


def not_known(found: list[Approach], known: tuple[Approach, ...]) -> list[Approach]:
    """Approaches not yet among the known ones, which lie within 5 m of them at both places."""
    return [
        one
        for one in found
        if not any(abs(one.s - k.s) < 5.0 and abs(one.other_s - k.other_s) < 5.0 for k in known)
    ]


@dataclass(frozen=True)
class ClosingFit:
    """The least squares problem: where it looks and what it wants."""

    region: set[str]
    ends: tuple[float, float]  # m: where the closing piece begins, and where it has no influence any more
    speed_of: SpeedOf
    limits: CloseLimits
    height: float | None
    gravity: Array
    before: BuiltTrack

    @cached_property
    def borne(self) -> CloseLimits:
        """The limits around the closing piece, where the open track may have had more than them."""
        around = np.concatenate(
            [np.arange(self.ends[0], self.before.length, 0.5), np.arange(0.0, self.ends[1], 0.5)]
        )
        if not len(around):
            return self.limits
        had = self._at(self.before, np.clip(around, 0.0, self.before.length), np.ones(len(around)))
        return CloseLimits(
            max(self.limits.gz_max, float(had.gz.max())),
            min(self.limits.gz_min, float(had.gz.min())),
            max(self.limits.gy_max, float(np.abs(had.gy).max())),
            max(self.limits.jerk_max, float(had.jerk.max())),
            self.limits.reach,
        )

    def limits_at(self, built: BuiltTrack, s: Array) -> tuple[Array, Array, Array, Array]:
        """Largest and least Gz, largest |Gy| (g) and change of load (g/s) allowed at s (n,) m."""
        old = np.array(
            [
                built.section_at(one) not in self.region and (one < self.ends[1] or one < self.before.length)
                for one in s.tolist()
            ]
        )
        names = ("gz_max", "gz_min", "gy_max", "jerk_max")
        maximum, minimum, side, jerk = (
            np.where(old, getattr(self.borne, name), getattr(self.limits, name)) for name in names
        )
        return maximum, minimum, side, jerk

    def loads(self, built: BuiltTrack) -> Loads:
        """Loads at a fixed number of places between all neighbouring stations of the region."""
        border = np.unique(np.concatenate([[0.0], [st.s for st in built.stations], [built.length]]))
        middle = [0.5 * (a + b) for a, b in pairwise(border.tolist())]
        inside = np.array(
            [s > self.ends[0] or s < self.ends[1] or built.section_at(s) in self.region for s in middle]
        )
        width = np.diff(border)[inside]
        s = (border[:-1][inside][:, None] + width[:, None] * (np.arange(PLACES) + 0.5) / PLACES).ravel()
        return self._at(built, s, np.repeat(np.sqrt(width / PLACES), PLACES))

    def _at(self, built: BuiltTrack, s: Array, weight: Array) -> Loads:
        speed, rate = self.speed_of(built, s)
        felt = heartline_loads(built, s, speed, rate, self.height, self.gravity)
        d = built.centreline.derivatives(s)
        along = np.sum(d[:, 3] * d[:, 1], axis=1, keepdims=True)
        bend = d[:, 3] - along * d[:, 1]
        jerk = speed**3 * np.linalg.norm(bend, axis=1) / float(np.linalg.norm(self.gravity))
        return Loads(s, felt[:, 1], felt[:, 2], jerk, bend, weight)

    def measure(self, built: BuiltTrack, pushed: tuple[Approach, ...]) -> tuple[Array, Array]:
        """What exceeds the limits and how sharply the track bends, weighted, and the place of each entry."""
        loads, limits = self.loads(built), self.limits
        maximum, minimum, side, jerk = self.limits_at(built, loads.s)
        above = [
            np.maximum(loads.gz - maximum, 0.0),
            np.maximum(minimum - loads.gz, 0.0),
            np.maximum(np.abs(loads.gy) - side, 0.0),
            np.maximum(loads.jerk - jerk, 0.0) / limits.jerk_max,
        ]
        bend = SHAPE * np.mean(loads.jerk / (np.linalg.norm(loads.bend, axis=1) + 1e-12)) * loads.bend
        values = [loads.weight * part for part in above] + [
            loads.weight * part for part in bend.T / limits.jerk_max
        ]
        positions = [loads.s] * len(values)
        if pushed:
            s = (
                np.array([[one.s, one.other_s] for one in pushed])
                * built.length
                / self._length_at(pushed, built)
            )
            position = built.centreline.position(s.ravel()).reshape(-1, 2, 3)
            apart = np.linalg.norm(position[:, 0] - position[:, 1], axis=1)
            wanted = np.array([one.distance for one in pushed]) + APART + _envelope(built)
            miss = 2.0 * np.maximum(wanted - apart, 0.0)
            values += [miss, miss]
            positions += [s[:, 0], s[:, 1]]
        return np.concatenate(values), np.concatenate(positions)

    @staticmethod
    def _length_at(pushed: tuple[Approach, ...], built: BuiltTrack) -> float:
        return max(built.length, *(max(one.s, one.other_s) for one in pushed))

    def step(
        self, project: Project, free: list[Point], origin: Array, offset: Array, pushed: tuple[Approach, ...]
    ) -> tuple[Array | None, float]:
        """The next displacements of the points and the share of the objective they save; None when nothing helps."""
        value, _ = self.measure(plain_track(project), pushed)
        jacobian = probed_jacobian(project, free, lambda at: self.measure(at, pushed), value)
        stay = STAY * np.eye(offset.size)
        reach = self.limits.reach / np.sqrt(3.0)
        room = (-reach - offset.ravel() - 1e-9, reach - offset.ravel() + 1e-9)
        right = np.concatenate([-value, -STAY * offset.ravel()])
        change = box_step(np.vstack([jacobian, stay]), right, *room).reshape(-1, 3)
        now = float(value @ value) + STAY**2 * float(np.sum(offset**2))
        for share in (1.0, 0.5, 0.25, 0.1, 0.03):
            tried = offset + share * change
            try:
                after, _ = self.measure(plain_track(placed(project, free, origin + tried)), pushed)
            except InputError:  # a step so long that the track folds
                continue
            cost = float(after @ after) + STAY**2 * float(np.sum(tried**2))
            if cost < now:
                return tried, (now - cost) / now
        return None, 0.0

    def refined(
        self,
        project: Project,
        free: list[Point],
        on_progress: Callable[[float], None],
        should_stop: Callable[[], bool] | None,
    ) -> tuple[Project, Array]:
        """The project with its free points moved until no step helps any more, and their displacements (k, 3) m."""
        origin = np.array([position_of(project, point) for point in free])
        offset = np.zeros_like(origin)
        pushed: tuple[Approach, ...] = ()
        for iteration in range(ITERATIONS):
            on_progress(iteration / ITERATIONS)
            if should_stop is not None and should_stop():
                break
            built = plain_track(project)
            pushed = (*pushed, *not_known(self_approaches(built), pushed))
            step, gain = self.step(project, free, origin, offset, pushed)
            if step is None:
                break
            offset = step
            project = placed(project, free, origin + offset)
            if gain < ENOUGH and not not_known(self_approaches(plain_track(project)), pushed):
                break
        return project, offset

    def report(
        self, built: BuiltTrack, gap: float, offset: Array, added: int, begin: float
    ) -> tuple[CloseReport, list[float]]:
        """What came out, and where (m) limits are exceeded; begin (m): where the closing piece begins."""
        loads = self.loads(built)
        maximum, minimum, side, change = self.limits_at(built, loads.s)
        approaches = self_approaches(built)
        notes, excess = [], []
        for text, values, allowed in (
            ("The vertical load is {:.2f} g, above {:.2f} g", loads.gz, maximum),
            ("The vertical load is {:.2f} g, below {:.2f} g", -loads.gz, -minimum),
            ("The lateral load is {:.2f} g, above {:.2f} g", np.abs(loads.gy), side),
            ("The load changes by {:.1f} g/s, above {:.1f} g/s", loads.jerk, change),
        ):
            k = int(np.argmax(values - allowed))
            limit = allowed[k]
            if values[k] > limit * (1.0 + 1e-3 * np.sign(limit)) + 1e-3:
                sign = -1.0 if "below" in text else 1.0
                where = f"at {loads.s[k]:.0f} m in section '{built.section_at(float(loads.s[k]))}'"
                notes.append(f"{text.format(sign * values[k], sign * limit)}, {where}.")
                excess.append(float(loads.s[k]))
        radius, sharpest, turned = _shape_of(built, begin)
        made = CloseReport(
            gap=gap,
            length=built.length - begin,
            min_radius=radius,
            sharpest=sharpest,
            gz_max=float(loads.gz.max()),
            gz_min=float(loads.gz.min()),
            gy_max=float(np.abs(loads.gy).max()),
            jerk_max=float(loads.jerk.max()),
            moved=float(np.linalg.norm(offset, axis=1).max(initial=0.0)),
            points_added=added,
            approaches=len(approaches),
            kept=not notes,
            notes=tuple(notes),
            curve=f"The closing piece is {built.length - begin:.0f} m long{turned}.",
        )
        return made, excess


def _shape_of(built: BuiltTrack, begin: float) -> tuple[float, float, str]:
    """Least radius (m) from `begin` (m) to the end of the circuit, largest change of curvature (1/m^2), and how far it
    turns in words."""
    s = np.linspace(begin, built.length, max(int(10.0 * (built.length - begin)), 20), endpoint=False)
    d = built.centreline.derivatives(s)
    bend = d[:, 2]
    flat = d[:, 1, 0] * bend[:, 1] - d[:, 1, 1] * bend[:, 0]
    level = np.maximum(np.sum(d[:, 1, :2] ** 2, axis=1), 1e-6)
    rate = flat / level * (s[1] - s[0])
    turns = {"left": float(np.maximum(rate, 0.0).sum()), "right": float(np.maximum(-rate, 0.0).sum())}
    words = [f"{np.degrees(a):.0f} degrees to the {side}" for side, a in turns.items() if a > REPORTED_TURN]
    curvature = float(np.linalg.norm(bend, axis=1).max())
    radius = 1.0 / max(curvature, 1e-6)
    message = f" and turns {' and '.join(words)}" if words else ""
    message += f", least radius {radius:.1f} m" if radius < STRAIGHT else ""
    return radius, sharpest_change(built, s), message


def sharpest_change(built: BuiltTrack, s: Array) -> float:
    """Largest change of curvature (1/m^2) at s (n,) m, which may run on over the start."""
    d = built.centreline.derivatives(built.centreline.wrap(s))
    across = d[:, 3] - np.sum(d[:, 3] * d[:, 1], axis=1, keepdims=True) * d[:, 1]
    return float(np.linalg.norm(across, axis=1).max())


def _envelope(built: BuiltTrack) -> float:
    """Half the height of the clearance envelope (m): how much further apart two pieces should come at once."""
    clearance = built.track.clearance
    return 0.5 * (clearance.height_above + clearance.depth_below)
