"""Force elements lowered to the tables of the connector loops, geometry by geometry."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from ..base.arrays import Array, Integers
from ..base.errors import InputError, located
from ..base.frames import from_matrix, rotation_matrix, rotation_vector
from ..model.forces import ElementType, ForceElement, Use, type_of
from ..model.forces.base import COMPONENTS, SEGMENT, Geometry
from ..model.joints.base import JointGeometry
from ..model.laws import COORDINATES
from . import arrays as t
from .contact_pairs import Expansion, Pair
from .contact_tables import UNKNOWNS, Contacts, contacts_of, lower, spans_of
from .flatten import Flat, Placed
from .force_kernels import STATIC_WIND, WIND
from .law_kernels import number_of
from .rows import Pose, Rows

# The geometries with outputs, in the order of these, with their tables, columns of numbers and rows of outputs.
WITH_OUTPUTS: dict[Geometry, tuple[int, int, int]] = {
    "distance": (t.E_DISTANCE, 7, 1), "angle": (t.E_ANGLE, 13, 1), "turn": (t.E_TURN, 9, 1),
    "slide": (t.E_SLIDE, 10, 1), "frame": (t.E_FRAME, 24, 6), "line": (t.E_LINE, 0, 1),
}  # fmt: skip
MEASURED: dict[Geometry, tuple[int, ...]] = {  # by the output rows: 0 a length, 1 an angle
    "distance": (0,), "angle": (1,), "turn": (1,), "slide": (0,), "frame": (0, 0, 0, 1, 1, 1), "line": (0,),
}  # fmt: skip
WITHOUT: dict[Geometry, tuple[int, int]] = {"speed": (t.E_SPEED, 0), "path": (t.E_PATH, 0)}


@dataclass(frozen=True)
class Connector:
    """An element as the kernels see it.

    first: its first row of outputs, -1 for none; origin: what its coordinate counts from; bodies: numbers of the two it
    joins, or of the one it acts on; memory and internal: its spans in Work.memory and Work.z; pairs: of surfaces
    that it makes touch.
    """

    name: str
    element: ForceElement
    type: ElementType
    geometry: Geometry
    first: int
    origin: float
    bodies: tuple[int, ...]
    use: Use | None
    memory: tuple[int, int]
    internal: tuple[int, int]
    pairs: tuple[Pair, ...] = ()


@dataclass
class _Lowered:
    """One element in the making: body numbers (or that of a guide) and numbers of its geometry; points: of a line, the
    body and the place on it of each."""

    placed: Placed[ForceElement]
    type: ElementType
    use: Use
    who: tuple[int, int]
    numbers: list[float]
    origin: float
    points: tuple[tuple[int, Array], ...] = ()

    @property
    def rows(self) -> int:
        """How many rows of outputs it has for one of its geometry."""
        return max(1, len(self.points) - 1)


@dataclass
class Connectors:
    """All enabled force elements of a system, by geometry."""

    lowered: dict[Geometry, list[_Lowered]] = field(
        default_factory=lambda: {name: [] for name in (*WITH_OUTPUTS, *WITHOUT)}
    )
    loads: list[tuple[int, Array, tuple[int, int, int], int, float]] = field(default_factory=list)
    contacts: Contacts = field(default_factory=Contacts)

    def names(self) -> tuple[str, ...]:
        """Names of the output rows."""
        made: list[str] = []
        for geometry, (_, _, rows) in WITH_OUTPUTS.items():
            for e in self.lowered[geometry]:
                parts = (
                    COMPONENTS
                    if rows > 1
                    else map(SEGMENT.format, range(1, e.rows + 1))
                    if e.points
                    else ("",)
                )
                made += [f"{e.placed.name} {part}".strip() for part in parts]
        return (*made, *self.contacts.names())

    def internals(self) -> tuple[int, ...]:
        """How many internal unknowns each element that has some has, in the order of the tables."""
        every = (e for geometry, _, _ in _kinds() for e in self.lowered[geometry])
        own = tuple(e.use.unknowns for e in every if e.use.unknowns)
        return (*own, *(UNKNOWNS for _ in self.contacts.elements))

    def tables(
        self, rows: Rows, pairs: dict[tuple[int, int], int]
    ) -> tuple[dict[int, Integers], dict[int, Array]]:
        """Tables of integers and numbers; `pairs` gets the pairs of bodies that the elements couple."""
        whole: dict[int, Integers] = {}
        numbers: dict[int, Array] = {}
        parameters: list[float] = []
        start: list[float] = []
        unknowns = wide = 0
        via: list[tuple[list[int], Array]] = []
        for geometry, kind, width in _kinds():
            index, what = [], []
            for e in self.lowered[geometry]:
                law, use, (i, j) = e.use.law, e.use, e.who
                pair = -1
                if e.points:
                    i, j = len(via), len(e.points)
                    via += _via(e.points, pairs)
                elif geometry in WITH_OUTPUTS:
                    pair = pairs.setdefault((max(i, j), min(i, j)), len(pairs))
                first, remembered, internal = len(parameters), len(start), unknowns
                parameters += use.parameters
                start += use.memory or (0.0,) * law.memory
                unknowns += use.unknowns
                fn = -1 if use.function is None else rows.function(use.function)
                index.append([
                    i, j, pair, number_of(law), first, len(parameters), remembered, len(start), internal, unknowns, fn,
                    use.levels, int(law.active), int(law.algebraic or use.algebraic), wide if law.wide else -1,
                ])  # fmt: skip
                wide += law.wide
                what.append(e.numbers)
            whole[kind] = np.array(index, dtype=np.int64).reshape(-1, t.COLUMNS)
            numbers[kind] = np.array(what, dtype=np.float64).reshape(len(index), width)
        whole[t.VIA] = np.array([row for row, _ in via], dtype=np.int64).reshape(-1, 1 + COORDINATES)
        numbers[t.VIA] = np.array([point for _, point in via]).reshape(-1, 3)
        whole[t.E_LOAD] = np.array(
            [[b, *fn, kind] for b, _, fn, kind, _ in self.loads], dtype=np.int64
        ).reshape(-1, 5)
        numbers[t.E_LOAD] = np.array(
            [[*s, factor] for _, s, _, _, factor in self.loads], dtype=np.float64
        ).reshape(-1, 4)
        measured = [
            row
            for geometry, kinds in MEASURED.items()
            for row in kinds * sum(e.rows for e in self.lowered[geometry])
        ]
        whole[t.TOUCH], numbers[t.TOUCH] = np.zeros((0, 1), dtype=np.int64), np.zeros((0, 1))
        if self.contacts.elements:
            laid = self.contacts.lay(pairs, len(start), unknowns, len(measured))
            whole[t.TOUCH], numbers[t.TOUCH] = laid[0].reshape(-1, 1), laid[1].reshape(-1, 1)
            start += self.contacts.start()
            measured += [0] * len(self.contacts.names())
        whole[t.EL] = np.array(measured, dtype=np.int64).reshape(-1, 1)
        numbers[t.PAR] = np.array(parameters, dtype=np.float64).reshape(-1, 1)
        numbers[t.START] = np.array(start, dtype=np.float64).reshape(-1, 1)
        return whole, numbers

    def described(self, whole: dict[int, Integers]) -> tuple[Connector, ...]:
        """The elements in the order of their outputs, those without outputs last."""
        made: list[Connector] = []
        row = 0
        for geometry, kind, _ in _kinds():
            step = WITH_OUTPUTS[geometry][2] if geometry in WITH_OUTPUTS else 0
            for e, index in zip(self.lowered[geometry], whole[kind].tolist(), strict=True):
                spans = (index[t.M0], index[t.M1]), (index[t.Z0], index[t.Z1])
                bodies = tuple(sorted({body for body, _ in e.points}))
                if not bodies:
                    bodies = (index[t.I],) if geometry in WITHOUT else (index[t.I], index[t.J])
                position = row if step else -1
                made.append(
                    Connector(
                        e.placed.name,
                        e.placed.element,
                        e.type,
                        geometry,
                        position,
                        e.origin,
                        bodies,
                        e.use,
                        *spans,
                    )
                )
                row += step * e.rows
        return (*made, *self._of_contacts(row, whole))

    def _of_contacts(self, row: int, whole: dict[int, Integers]) -> Iterator[Connector]:
        spans = spans_of(whole[t.TOUCH][:, 0]) if self.contacts.elements else []
        for e, (memory, internal) in zip(self.contacts.elements, spans, strict=True):
            bodies = tuple(sorted({skin.body for pair in e.pairs for skin in (pair.a, pair.b)}))
            yield Connector(
                e.placed.name, e.placed.element, e.type, "gap", row, 0.0, bodies, None, memory, internal,
                tuple(e.pairs),
            )  # fmt: skip
            row += 2 * len(e.pairs)


def _kinds() -> list[tuple[Geometry, int, int]]:
    return [
        *((name, kind, width) for name, (kind, width, _) in WITH_OUTPUTS.items()),
        *((name, kind, width) for name, (kind, width) in WITHOUT.items()),
    ]


def connectors_of(flat: Flat, pose: Pose, joints: dict[str, JointGeometry], rows: Rows) -> Connectors:
    """Lower the enabled force elements of a scenario; joints: by full name. Raises InputError naming the element."""
    made, touching = Connectors(), []
    expansion = Expansion(flat, joints)
    guides = [g.name for g in flat.guides]
    for placed in flat.forces:
        if not placed.element.enabled:
            continue
        with located(placed.where):
            found = type_of(placed.element)
            assert found is not None
            if found.place == "load":
                _add_load(made, placed, rows)
                continue
            joint = joints[placed.scope + placed.element.joint] if found.place == "joint" else None  # type: ignore[attr-defined]
            geometry = found.geometry(joint.kind if joint else "")
            assert found.law is not None
            use = found.law(placed.element, geometry)
            if found.place == "surfaces":
                touching.append(lower(placed, found, use, expansion))
                continue
            if found.place == "guide":
                guide = guides.index(placed.scope + placed.element.guide)  # type: ignore[attr-defined]
                lowered: _Lowered | None = _Lowered(placed, found, use, (guide, -1), [], 0.0)
            elif found.place == "body":
                body = placed.bodies[placed.element.body].body  # type: ignore[attr-defined]
                lowered = _Lowered(placed, found, use, (body, -1), [], 0.0) if body >= 0 else None
            elif joint is not None:
                lowered = _in_joint(placed, found, use, geometry, joint)
            elif found.place == "line":
                lowered = _along(placed, found, use, pose)
            else:
                lowered = _between(placed, found, use, pose)
            if lowered is not None:
                made.lowered[geometry].append(lowered)
    made.contacts = contacts_of(flat, expansion, [one for one in touching if one.pairs])
    return made


def _in_joint(
    placed: Placed[ForceElement],
    found: ElementType,
    use: Use,
    geometry: Geometry,
    geo: JointGeometry,
) -> _Lowered:
    index, origin = (geo.i, geo.j), use.origin
    given = getattr(placed.element, "zero", None)  # its angles count from there; from the drawn pose without
    start = geo.relative if given is None else geo.axes_i @ rotation_matrix(np.array(given)) @ geo.axes_j.T
    if geometry == "turn":
        return _Lowered(placed, found, use, index, start.ravel().tolist(), 0.0)
    if geometry == "slide":
        origin += geo.travel
        numbers = [*geo.a, *geo.point_i, *geo.point_j, origin]
    else:
        if given is not None:
            origin -= float(geo.a @ rotation_vector(from_matrix(geo.relative @ start.T)))
        numbers = [*geo.f, *geo.g, *geo.a, *geo.f_j, origin]
    return _Lowered(placed, found, use, index, numbers, origin)


def _along(placed: Placed[ForceElement], found: ElementType, use: Use, pose: Pose) -> _Lowered:
    """An element along a line of points, with what its law makes of their distances as drawn."""
    ends = [(placed.bodies[body], point) for body, point in placed.element.places]  # type: ignore[attr-defined]
    points = tuple((pose.index(local), local.point(point)) for local, point in ends)
    there = np.array([pose.r[body] + pose.A[body] @ point for body, point in points])
    assert use.drawn is not None
    parameters = use.drawn(np.linalg.norm(np.diff(there, axis=0), axis=1).tolist())
    return _Lowered(placed, found, replace(use, parameters=parameters), (0, 0), [], 0.0, points)


def _via(
    points: Sequence[tuple[int, Array]], pairs: dict[tuple[int, int], int]
) -> Iterator[tuple[list[int], Array]]:
    """Rows of the points of a line: body, pairs with the bodies of the points before, place; `pairs` gets new ones."""
    for k, (body, place) in enumerate(points):
        with_others = [-1] * COORDINATES
        for n, (other, _) in enumerate(points[:k]):
            if other != body:
                with_others[n] = pairs.setdefault((max(body, other), min(body, other)), len(pairs))
        yield [body, *with_others], place


def _between(placed: Placed[ForceElement], found: ElementType, use: Use, pose: Pose) -> _Lowered:
    e = placed.element
    names = [str(getattr(e, field)) for field in found.bodies()]
    li, lj = (placed.bodies[name] for name in names)
    i, j = pose.index(li), pose.index(lj)
    if i == j:
        raise InputError(
            f"{found.word.capitalize()} '{placed.name}' joins a body to itself; name two bodies."
        )
    numbers = [*li.point(e.point_i), *lj.point(e.point_j)]  # type: ignore[attr-defined]
    if found.place == "points":
        return _Lowered(placed, found, use, (i, j), [*numbers, use.origin], use.origin)
    axes_i = li.rotation @ rotation_matrix(np.array(e.orientation))  # type: ignore[attr-defined, operator]
    given = getattr(e, "orientation_j", None)
    # as drawn the two frames are parallel, unless said otherwise
    axes_j = (
        pose.A[j].T @ pose.A[i] @ axes_i if given is None else lj.rotation @ rotation_matrix(np.array(given))
    )
    return _Lowered(placed, found, use, (i, j), [*numbers, *axes_i.T.ravel(), *axes_j.T.ravel()], 0.0)


def _add_load(made: Connectors, placed: Placed[ForceElement], rows: Rows) -> None:
    e = placed.element
    local = placed.bodies[e.body]  # type: ignore[attr-defined]
    if local.body < 0:
        return
    fx, fy, fz = (rows.function(f) for f in e.components)  # type: ignore[attr-defined]
    point = getattr(e, "point", None)
    if e.air is not None:
        kind, factor = STATIC_WIND if e.air[1] else WIND, e.air[0]
    else:
        kind, factor = (2 if point is None else 0) + (e.axes == "body"), 0.0  # type: ignore[attr-defined]
    at = np.zeros(3) if point is None else local.point(point)
    made.loads.append((local.body, at, (fx, fy, fz), kind, factor))
