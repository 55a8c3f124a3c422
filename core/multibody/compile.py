"""compile_system(project) -> System: the constant arrays of a run and its start state as described."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from ..base.arrays import Array, Integers
from ..base.errors import InputError, located
from ..project.project import Project
from ..project.scenario import Ride
from ..track.build import BuiltTrack, build_track
from ..track.path import PathTable
from . import arrays as t
from .arrays import Arrays, Work
from .connectors import Connector, Connectors, connectors_of
from .contact_pairs import LeftOut
from .course import Course
from .device_tables import device_tables
from .flatten import Flat, FreeRider, PlacedCar, Seated, flatten
from .flexible import Flexible, add_flexible, add_ties
from .layout import RIGID, TURN, Layout
from .rows import IN_TIME, Pose, Rows, add_course, add_driver, add_guide, add_joint, joint_geometries
from .system_tables import int_table, path_index, system_arrays
from .work import new_work


@dataclass(frozen=True)
class RowGroup:
    """The constraint rows of one joint, guide or driver: row numbers in kernel order."""

    name: str
    what: str
    rows: tuple[int, ...]


@dataclass(frozen=True)
class JointPoint:
    """Where the reaction of a joint or guide is reported: body i and its point (body axes)."""

    name: str
    body: int
    point: Array


@dataclass(frozen=True)
class State:
    """A state of a system: time s; r (nb + 1, 3) m; p (nb + 1, 4); path (plain,) m, its plain coordinates; u (width,)
    velocities m/s and rad/s, zeros for the ground; see layout. Internal unknowns of force elements and what their laws
    remember, where not as at rest and as at the start."""

    time: float
    r: Array
    p: Array
    path: Array
    u: Array
    internal: Array | None = None
    memory: Array | None = None


@dataclass(frozen=True)
class System:
    """A compiled scenario. `groups` in order of joints, guides, drivers; `elements` names the rows of outputs of the
    force elements, in the kernels' order, and `connectors` describes these; `device_cars` the cars that devices of the
    track act on; `start` is the pose as drawn, not yet assembled; contact_unit (J): of the internal unknowns of
    contacts; left_out: surfaces that these do not make touch; seated: riders in cars; free_riders: whom no joint holds
    on the seat; limbs: bodies of riders by which nothing is judged (see `model.limbs`); told: bodies on courses (see
    `multibody.course`); speed (m/s): of the first car when a ride begins. The bodies that are `flexible` come after all
    others."""

    arrays: Arrays
    layout: Layout
    start: State
    names: tuple[str, ...]
    groups: tuple[RowGroup, ...]
    joints: tuple[JointPoint, ...]
    guides: tuple[JointPoint, ...]
    elements: tuple[str, ...]
    connectors: tuple[Connector, ...]
    riders: dict[str, dict[str, str]]
    cars: tuple[PlacedCar, ...]
    built: BuiltTrack | None
    device_cars: tuple[str, ...]
    flexible: tuple[Flexible, ...] = ()
    contact_unit: float = 1.0
    left_out: tuple[LeftOut, ...] = ()
    seated: tuple[Seated, ...] = ()
    free_riders: tuple[FreeRider, ...] = ()
    limbs: tuple[int, ...] = ()
    told: frozenset[str] = frozenset()
    speed: float = 0.0

    @property
    def bodies(self) -> int:
        return len(self.names)

    @property
    def coordinates(self) -> int:
        return self.layout.coordinates

    @property
    def rows(self) -> int:
        return self.layout.multipliers

    @cached_property
    def inertia(self) -> Array:
        """Diagonal of the mass matrix (width,) without its blocks: kg, kg m^2, nothing along paths."""
        out = self.layout.line()
        out[self.layout.rigid[:-1]] = t.reals(self.arrays, t.BODY)[:, [0, 0, 0, 1, 2, 3]]
        return out

    @cached_property
    def blocks(self) -> dict[int, Array]:
        """What the masses of some bodies have besides, over the slots of each (see `mass_kernels`)."""
        out = {}
        rows = zip(t.ints(self.arrays, t.BLOCK)[:, 0], t.reals(self.arrays, t.BLOCK), strict=True)
        for body, row in rows:
            size = int(self.layout.sizes[body])
            n = size - TURN
            out[int(body)] = np.zeros((size, size))
            out[int(body)][TURN:, TURN:] = row[: n * n].reshape(n, n)
        return out

    def mass_times(self, x: Array, slots: Integers | None = None) -> Array:
        """M x of columns x (coordinates, ...) or, for whole bodies, of some slots in rising order."""
        own = np.arange(self.coordinates) if slots is None else slots
        out = (self.inertia[own] * x.T).T
        for body, block in self.blocks.items():
            at = np.searchsorted(own, np.arange(self.coordinates)[self.layout.block(body)])
            if at[-1] < len(own) and own[at[0]] == self.layout.slots[body]:
                out[at] += block @ x[at]
        return out

    def new_work(self) -> Work:
        """Scratch memory for one run of this system."""
        return new_work(self.arrays, self.layout, len(self.elements))


def compile_system(
    project: Project,
    *,
    speed: float | None = None,
    built: BuiltTrack | None = None,
    only: Collection[str] | None = None,
    masses: Mapping[str, Array] | None = None,
    courses: Mapping[str, Course] | None = None,
) -> System:
    """Compile a project's scenario: constant arrays, and the state at the start in the world.

    Parameters
    ----------
    project, built
        A ride or a rig, and its track when that is built already.
    speed
        m/s, of the start of a ride, in place of the scenario's.
    only
        Names of the bodies to take, as a part of the whole that nothing connects with the rest (see `parts_of`).
    masses
        Of bodies with modal coordinates, by name, in place of those they describe: (6 + modes, 6 + modes) kg, kg m and
        kg m^2 in the order of the layout; rotation and modal coordinates are coupled at will, the translation (three
        times the mass, at the centre) with nothing.
    courses
        Of bodies that move as told, by name, among those taken. Neither track nor cars are there then; the start is
        that of the train as drawn, and is to be given anew.

    Returns
    -------
    The system, with its start.

    Raises
    ------
    InputError
        Naming what cannot be compiled.
    """
    built = None if courses else track_of(project, built)
    if isinstance(project.scenario, Ride):
        speed = project.scenario.speed if speed is None else speed
    flat = flatten(project, built, speed or 0.0, only, courses)
    flexible = add_flexible(flat) if flat.flexibles else ()
    pose = Pose(flat)
    rows = Rows()
    geometry = joint_geometries(flat.joints, pose)
    for joint in flat.joints:
        add_joint(rows, joint, geometry[joint.name])
    for guide in flat.guides:
        add_guide(rows, guide)
    for body, told in flat.courses.items():
        add_course(rows, body, told)
    table = project.settings.path_evaluation == "table" and not rows.courses
    paths = _paths(built, rows, table, project.settings.table_step)
    arc = _start_arcs(rows, paths, pose, flat.cars)
    for driver in flat.drivers:
        guide_arc = {g.name: float(arc[k]) for k, g in enumerate(flat.guides)}
        with located(driver.where):
            add_driver(rows, driver, geometry, guide_arc, pose)
    for k, one in enumerate(flexible):
        add_ties(rows, k, one, pose)
    elements = connectors_of(flat, pose, geometry, rows)
    element_tables = _element_tables(elements, rows)
    device_i, device_f, device_cars = device_tables(project, built, flat)
    blocks = _mass_blocks(flat, {one.name: one.floating.block for one in flexible} | dict(masses or {}))
    layout = rows.layout(tuple(len(block) - RIGID for block in blocks), elements.internals())
    arrays = system_arrays(
        project, layout, blocks, pose, rows, element_tables, paths, arc, table, (device_i, device_f), flexible
    )
    guided = (*(g.name for g in flat.guides), *(told.path.name for told in flat.courses.values()))
    guide_points = tuple(JointPoint(name, *rows.guides[k][:2]) for k, name in enumerate(guided))
    u = _start_velocity(flat, layout, arc, paths, rows, pose)
    plain = np.zeros(len(layout.plain))
    plain[: len(arc)] = arc
    return System(
        arrays=arrays,
        layout=layout,
        start=State(0.0, pose.r, np.vstack([*flat.orientation, [1.0, 0, 0, 0]]), plain, u),
        names=tuple(flat.names),
        groups=_groups(flat, rows, layout),
        joints=(
            *(JointPoint(g.name, g.i, g.point_i) for g in geometry.values()),
            *(JointPoint(end.name, pose.index(end.at), end.point) for one in flexible for end in one.ends),
        ),
        guides=guide_points,
        elements=elements.names(),
        connectors=elements.described(element_tables[0]),
        riders=flat.riders,
        cars=tuple(flat.cars),
        built=built,
        device_cars=device_cars,
        flexible=flexible,
        contact_unit=elements.contacts.worth,
        left_out=tuple(elements.contacts.left_out),
        seated=tuple(flat.seated),
        free_riders=tuple(flat.free_riders),
        limbs=tuple(b for b, name in enumerate(flat.names) if name in flat.limbs),
        told=frozenset(courses or ()),
        speed=speed or 0.0,
    )


def track_of(project: Project, built: BuiltTrack | None = None) -> BuiltTrack | None:
    """The track that a ride runs on, or that the guides of a rig follow.

    Parameters
    ----------
    project
        A ride or a rig.
    built
        The track, when already built.

    Returns
    -------
    The track; None for a rig without guides.

    Raises
    ------
    InputError
        When a ride has none, and as `build_track`.
    """
    riding = isinstance(project.scenario, Ride)
    if riding and project.track is None:
        raise InputError(f"{project.name}: a ride needs a track; add one or make the scenario a rig.")
    if project.track is None or not (riding or (project.assembly and project.assembly.every("guide"))):
        return None
    return built or build_track(project.track)


def _paths(built: BuiltTrack | None, rows: Rows, table: bool, step: float) -> list[PathTable]:
    told = [course.path for course in rows.courses.values()]
    names = sorted({g[2] for k, g in enumerate(rows.guides) if k not in rows.courses})
    if not names:
        return told
    if built is None:
        raise InputError("What follows the track rides as a whole: choose bodies that it carries.")
    paths = [built.paths[name] for name in names]
    return [p.as_linear(step) for p in paths] if table else paths


def _start_arcs(rows: Rows, paths: list[PathTable], pose: Pose, cars: list[PlacedCar]) -> Array:
    """Arc length of each guide's own curve where its car stands on it; of other guides, nearest to the guided point as
    drawn."""
    out = np.zeros(len(rows.guides))
    known = np.zeros(len(out), dtype=bool)
    for car in cars:
        if car.riding is not None:
            out[slice(*car.guides)], known[slice(*car.guides)] = car.riding.arcs, True
    known[list(rows.courses)] = True
    for k in np.flatnonzero(~known):
        body, s, name = rows.guides[k]
        out[k] = paths[path_index(paths, name)].nearest(pose.world(body, s), None)
    return out


def _start_velocity(
    flat: Flat, layout: Layout, arc: Array, paths: list[PathTable], rows: Rows, pose: Pose
) -> Array:
    u = layout.line()
    u[layout.rigid[:-1]] = np.hstack([flat.velocity, flat.angular_velocity]).reshape(-1, RIGID)
    for k, (body, s, name) in enumerate(rows.guides):
        tangent = paths[path_index(paths, name)].sample(arc[k])[0, 1, 0:3]
        turning = pose.A[body] @ np.cross(flat.angular_velocity[body], s)
        u[layout.plain[k]] = float(tangent @ (flat.velocity[body] + turning))
    return u


def _groups(flat: Flat, rows: Rows, layout: Layout) -> tuple[RowGroup, ...]:
    found: dict[str, list[int]] = {}
    for kind, index, name in rows.owners:
        found.setdefault(name, []).extend(layout.rows(kind, index))
    what = {
        **{j.name: "joint" for j in flat.joints},
        **{name: "joint" for kind, _, name in rows.owners if kind == "ties"},
        **{g.name: "guide" for g in flat.guides},
        **{d.name: "driver" for d in flat.drivers},
        **{told.path.name: "guide" for told in rows.courses.values()},
        **{IN_TIME.format(told.path.name): "driver" for told in rows.courses.values()},
    }
    return tuple(RowGroup(name, what[name], tuple(found.get(name, []))) for name in what)


def _element_tables(elements: Connectors, rows: Rows) -> tuple[dict[int, Integers], dict[int, Array]]:
    pairs: dict[tuple[int, int], int] = {}
    whole, numbers = elements.tables(rows, pairs)
    # the direction of a distance turns with both its bodies: its force couples them like a spring
    whole[t.DS] = int_table(
        [
            [i, j, fn, pairs.setdefault((max(i, j), min(i, j)), len(pairs))]
            for i, j, _, _, fn in rows.distances
        ],
        4,
    )
    whole[t.PAIR] = int_table([list(pair) for pair in pairs], 2)
    return whole, numbers


def _mass_blocks(flat: Flat, given: Mapping[str, Array]) -> list[Array]:
    """The mass of every body over its slots, see `compile_system`."""
    out = []
    for name, body in zip(flat.names, flat.bodies, strict=True):
        block = given.get(name)
        if block is None:
            block = np.zeros((RIGID, RIGID))
            block[:TURN, :TURN] = body.mass * np.eye(TURN)
            block[TURN:, TURN:] = body.inertia_tensor()
        if np.any(block[:TURN, TURN:]) or np.any(block[:TURN, :TURN] != block[0, 0] * np.eye(TURN)):
            raise ValueError(
                f"the mass of '{name}' couples its translation: give it about its centre of mass"
            )
        out.append(block)
    return out
