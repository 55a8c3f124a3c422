"""What is handed to another engine: the placed model in plain words, before our solver makes rows and tables of it.

Shared with our own run are what a project means - places, masses, axes as drawn, curves, laws of force elements - and
the assembled start. Mass matrices, joints as equations, levers of forces and the integration are the other engine's.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from ..base.arrays import Array
from ..base.frames import rotation_matrix
from ..model.forces import Use, type_of
from ..model.forces.base import Geometry
from ..model.functions import TimeFunction, shifted
from ..model.joints.base import JointGeometry
from ..multibody.compile import compile_system, track_of
from ..multibody.connectors import Connectors, connectors_of
from ..multibody.contact_points import Skin
from ..multibody.flatten import Flat, flatten
from ..multibody.flexible import End, Flexible, add_flexible, cloud_of, damping_of
from ..multibody.rows import Pose, Rows, joint_geometries
from ..project.project import Project
from ..results.results import Results
from ..track.path import PathTable

if TYPE_CHECKING:  # loaded by those who have a flexible body
    from ..structure.floating import Cloud, Floating


@dataclass(frozen=True)
class RigidBody:
    """A body at the start: mass (kg), inertia (3, 3) kg m^2 about its centre in its axes, place (3,) m, axes (3, 3)
    and velocity (3,) m/s in the world, angular velocity (3,) rad/s in its own axes."""

    name: str
    mass: float
    inertia: Array
    position: Array
    axes: Array
    velocity: Array
    angular_velocity: Array


@dataclass(frozen=True)
class Link:
    """A joint: its kind (a locked one is rigid), its geometry as drawn, the length of a rod (m), and the coordinates
    that drivers prescribe, counted from the drawn pose (angles) or from zero (lengths, m)."""

    name: str
    kind: str
    at: JointGeometry
    length: float
    driven: dict[str, TimeFunction]


@dataclass(frozen=True)
class Guided:
    """A body that follows a curve: its point (3,) m, arc length at the start (m), rows of the moving frame it keeps
    (0 for n, 1 for b; a direction of the body; the product of the two), and its arc length (m) as a driver
    prescribes it."""

    name: str
    body: int
    point: Array
    path: PathTable
    arc: float
    kept: tuple[tuple[int, Array, float], ...]
    driven: TimeFunction | None


@dataclass(frozen=True)
class Steered:
    """A coordinate of a body that a driver prescribes: x, y, z (m, in the world), or roll, pitch, yaw (rad)."""

    name: str
    body: int
    coordinate: str
    function: TimeFunction


@dataclass(frozen=True)
class Element:
    """A force element: its word, where it acts (`core.model.forces.base.Geometry`), its law, the two bodies, the
    numbers of its geometry as drawn: points (m), axes, where its coordinate counts from; inner: its internal unknowns
    at the start."""

    name: str
    word: str
    geometry: Geometry
    use: Use
    bodies: tuple[int, int]
    numbers: Array
    inner: Array


@dataclass(frozen=True)
class Load:
    """A force (N) at a point (3,) m of a body or, without one, a torque (N m): functions of time along the axes of the
    world or of the body; air: of wind, whose functions are its velocity (m/s): half of density times drag area (kg/m),
    and whether the motion of the body is left out."""

    name: str
    body: int
    point: Array | None
    in_body: bool
    components: tuple[TimeFunction, TimeFunction, TimeFunction]
    air: tuple[float, bool] | None = None


@dataclass(frozen=True)
class Touch:
    """Two surfaces that a contact makes touch: the name of the pair, that of the contact and what its type is called,
    the law of the normal force, and the contact as described; points: places (n, 3) m on the first in the axes of its
    body with their shares (n,) of the stiffness, where they touch by points."""

    name: str
    contact: str
    word: str
    first: Skin
    second: Skin
    use: Use
    fields: Any
    points: tuple[Array, Array] | None

    @property
    def by_points(self) -> bool:
        """Whether they touch by points on the first."""
        return self.points is not None


@dataclass(frozen=True)
class Pushed:
    """Force (n,) N along its curve on a guided point, at instants (n,) s: what devices of the track did in our run."""

    guide: str
    time: Array
    force: Array


@dataclass(frozen=True)
class Bending:
    """A flexible body: its number among the bodies, its reduced structure in a floating frame with the cloud of its
    mass, damping (modes, modes), the ends by which it is joined, and modal coordinates and speeds (modes,) at the
    start."""

    name: str
    body: int
    floating: Floating
    cloud: Cloud
    damping: Array
    ends: tuple[End, ...]
    modal: Array
    modal_speed: Array


@dataclass(frozen=True)
class Model:
    """A project as another engine gets it; the ground is body number `len(bodies)`. gravity (3,) m/s^2; duration s;
    redundant: whether some of its constraints are implied by others. Flexible bodies are among the bodies, the last,
    rigid as drawn."""

    name: str
    bodies: tuple[RigidBody, ...]
    links: tuple[Link, ...]
    guided: tuple[Guided, ...]
    steered: tuple[Steered, ...]
    elements: tuple[Element, ...]
    loads: tuple[Load, ...]
    touching: tuple[Touch, ...]
    pushed: tuple[Pushed, ...]
    bending: tuple[Bending, ...]
    gravity: Array
    duration: float
    redundant: bool


def read_model(project: Project, run: Results | None = None) -> Model:
    """The model of a project at the start of one of its runs, for as long as that took; without one as it is drawn.

    Raises InputError as compiling does.
    """
    built = track_of(project)
    flat = flatten(project, built, 0.0)
    flexible = add_flexible(flat)
    pose = Pose(flat)
    geometry = joint_geometries(flat.joints, pose)
    made = connectors_of(flat, pose, geometry, Rows())
    span = 0.0 if run is None else float(run.states.time[-1] - run.states.time[0])
    return Model(
        name=project.name,
        bodies=_bodies(flat, run),
        links=_links(flat, geometry),
        guided=() if built is None else _guided(flat, pose, built.paths, run),
        steered=_steered(flat, pose),
        elements=_elements(made, _inner(project, run) if any(made.internals()) else {}),
        loads=_loads(flat),
        touching=_touching(made),
        pushed=() if run is None else _pushed(flat, run),
        bending=tuple(_bending(one, run) for one in flexible),
        gravity=np.array(project.gravity),
        duration=span,
        redundant=run is not None and bool(run.size.redundant),
    )


def _bodies(flat: Flat, run: Results | None) -> tuple[RigidBody, ...]:
    starts: dict[str, tuple[Array, ...]] = dict(
        zip(
            flat.names,
            zip(flat.position, flat.orientation, flat.velocity, flat.angular_velocity, strict=True),
            strict=True,
        )
    )
    if run is not None:
        s = run.states
        lines = (s.position[0], s.orientation[0], s.velocity[0], s.angular_velocity[0])
        starts |= dict(zip(run.names.bodies, zip(*lines, strict=True), strict=True))
    out = []
    for name, body in zip(flat.names, flat.bodies, strict=True):
        r, p, v, w = starts[name]
        out.append(RigidBody(name, body.mass, body.inertia_tensor(), r, rotation_matrix(p), v, w))
    return tuple(out)


def _links(flat: Flat, geometry: dict[str, JointGeometry]) -> tuple[Link, ...]:
    out = []
    for placed in flat.joints:
        joint, at = placed.element, geometry[placed.name]
        length = getattr(joint, "length", None)
        driven = {}
        for driver in flat.drivers:
            one = driver.element
            if one.drives != "joint" or driver.scope + one.target != placed.name:
                continue
            drawn = at.travel if one.coordinate == "slide" and one.relative else 0.0
            driven[one.coordinate] = shifted(one.function, drawn)
        drawn_length = float(np.linalg.norm(at.gap)) if length is None else float(length)
        out.append(Link(placed.name, joint.held.kind, at, drawn_length, driven))
    return tuple(out)


def _guided(flat: Flat, pose: Pose, paths: dict[str, PathTable], run: Results | None) -> tuple[Guided, ...]:
    start = {} if run is None else dict(zip(run.names.guides, run.states.path_coordinate[0], strict=True))
    out = []
    for placed in flat.guides:
        guide = placed.element
        local, path = placed.bodies[guide.body], paths[guide.path]
        point = pose.world(local.body, local.point(guide.point))
        arc = float(start[placed.name]) if placed.name in start else path.nearest(point)
        frame = path.sample(arc)[0, 0]
        rows = {"point": (), "cylindrical": ((0, 0), (1, 0)), "full": ((0, 0), (1, 0), (0, 2))}[guide.kind]
        kept = []
        for vector, axis in rows:
            u = local.direction(tuple(np.eye(3)[axis]))
            m = frame[3 + 3 * vector : 6 + 3 * vector]
            kept.append((vector, u, float(m @ (pose.A[local.body] @ u))))
        driven = None
        for driver in flat.drivers:
            one = driver.element
            if one.drives == "guide" and driver.scope + one.target == placed.name:
                driven = shifted(one.function, arc if one.relative else 0.0)
        out.append(Guided(placed.name, local.body, local.point(guide.point), path, arc, tuple(kept), driven))
    return tuple(out)


def _steered(flat: Flat, pose: Pose) -> tuple[Steered, ...]:
    out = []
    for placed in flat.drivers:
        driver = placed.element
        if driver.drives != "body":
            continue
        body = placed.bodies[driver.target].body
        A, r = pose.A[body], pose.r[body]
        drawn = {
            "x": r[0], "y": r[1], "z": r[2], "roll": np.arctan2(A[2, 1], A[2, 2]),
            "pitch": np.arcsin(np.clip(-A[2, 0], -1.0, 1.0)), "yaw": np.arctan2(A[1, 0], A[0, 0]),
        }[driver.coordinate]  # fmt: skip
        function = shifted(driver.function, float(drawn) if driver.relative else 0.0)
        out.append(Steered(placed.name, body, driver.coordinate, function))
    return tuple(out)


def _inner(project: Project, run: Results | None) -> dict[str, Array]:
    """Internal unknowns of force elements at the start of a run, by their names."""
    if run is None:
        return {}
    system = compile_system(project, speed=run.provenance.get("start_speed"))
    return {c.name: run.states.internal[0, slice(*c.internal)] for c in system.connectors}


def _elements(made: Connectors, inner: dict[str, Array]) -> tuple[Element, ...]:
    none = np.zeros(0)
    return tuple(
        Element(
            e.placed.name,
            e.type.word,
            kind,
            e.use,
            e.who,
            np.array(e.numbers),
            inner.get(e.placed.name, none),
        )
        for kind, lowered in made.lowered.items()
        for e in lowered
    )


def _touching(made: Connectors) -> tuple[Touch, ...]:
    return tuple(
        Touch(pair.name, e.placed.name, e.type.word, pair.a, pair.b, use, e.placed.element, pair.points)
        for e in made.contacts.elements
        for pair, use in zip(e.pairs, e.uses, strict=True)
    )


def _pushed(flat: Flat, run: Results) -> tuple[Pushed, ...]:
    """What devices of the track do to each car, shared evenly by its guides."""
    time, force = run.states.time, run.states.device_force
    cars = [car for car in flat.cars if car.guides[1] > car.guides[0]] if force.shape[1] else []
    return tuple(
        Pushed(flat.guides[g].name, time, force[:, k] / (car.guides[1] - car.guides[0]))
        for k, car in enumerate(cars)
        for g in range(*car.guides)
    )


def _bending(one: Flexible, run: Results | None) -> Bending:
    m = len(one.floating.inertia)
    modal, speed = np.zeros(m), np.zeros(m)
    if run is not None:
        counts = run.names.flexible
        first = sum(counts[name] for name in list(counts)[: list(counts).index(one.name)])
        modal, speed = (part[0, first : first + m] for part in (run.states.modal, run.states.modal_speed))
    return Bending(
        one.name, one.body, one.floating, cloud_of(one.description, one.less)[2], damping_of(one), one.ends,
        modal, speed,
    )  # fmt: skip


def _loads(flat: Flat) -> tuple[Load, ...]:
    out = []
    for placed in flat.forces:
        e = placed.element
        found = type_of(e)
        if not e.enabled or found is None or found.place != "load":
            continue
        local = placed.bodies[e.body]  # type: ignore[attr-defined]
        if local.body < 0:
            continue
        point = getattr(e, "point", None)
        at = None if point is None else local.point(point)
        in_body = e.air is None and e.axes == "body"  # type: ignore[attr-defined]
        out.append(Load(placed.name, local.body, at, in_body, e.components, e.air))  # type: ignore[attr-defined]
    return tuple(out)
