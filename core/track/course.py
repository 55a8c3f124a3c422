"""The course of a track: nodes and the legs between them, and how curves are drawn through runs of legs."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from ..base.arrays import Array
from ..base.errors import InputError
from ..base.sentence import say
from ..base.where import Where, section_where
from . import centreline_kernels as kernels
from .quintic import closed_spline, open_spline

SAME_PLACE = 1e-6  # m, points closer than this are one point
REVERSAL = np.radians(135.0)  # a turn of the chords beyond this cannot be a track
KINK_LIMIT = np.radians(1.0)  # largest kink between legs that are both fixed: the rails would break apart


@dataclass
class Node:
    """A point of the course: world position (3,) m, cant or None (rad), what it is called, its section, and where
    in the project it is."""

    position: Array
    cant: float | None
    label: str
    section: str
    where: Where


@dataclass
class FittedLeg:
    """A leg whose shape is already known, as polynomial pieces with near unit speed.

    u (m+1,), coef (m, 6, 3) as in `Centreline`; start, end (3, 3): derivatives 1..3 by arc length there; matched: how
    many of them a spline next to it takes over.
    """

    u: Array
    coef: Array
    start: Array = field(default_factory=lambda: np.zeros((3, 3)))
    end: Array = field(default_factory=lambda: np.zeros((3, 3)))
    matched: int = 3

    def __post_init__(self) -> None:
        rows = np.empty((5, 3))
        for at, coef, target in (
            (0.0, self.coef[0], "start"),
            (self.u[-1] - self.u[-2], self.coef[-1], "end"),
        ):
            kernels.polynomial(np.ascontiguousarray(coef), float(at), rows)
            kernels.chain_to_unit_speed(rows)
            setattr(self, target, rows[1:4].copy())


Leg = FittedLeg | str  # "curve" or "straight" or a fitted leg


@dataclass
class Course:
    """What the sections lay down, in running order: legs[i] leads from nodes[i] to the next node.

    pace: at nodes where a spline was drawn with a free end, its |dc/du| and the derivative of that by u.
    """

    closed: bool
    nodes: list[Node] = field(default_factory=list)
    legs: list[Leg] = field(default_factory=list)
    section: str = ""
    pending: Leg = "curve"
    section_first: int = -1
    pace: dict[int, tuple[float, float]] = field(default_factory=dict)

    def begin(self, section: str) -> None:
        """Start of a section: nodes added from now on belong to it."""
        self.section = section
        self.section_first = -1

    def add(self, position: Array, cant: float | None, location: str, point: int | None = None) -> None:
        """Append a node; the leg to it is the pending one. A point repeated at a section border is merged.

        location: what it is called within the section; point: which of its control points it is, counted from 0.
        """
        label, where = f"section '{self.section}', {location}", section_where(self.section, point)
        merged = False
        if self.nodes:
            last = self.nodes[-1]
            if (
                not isinstance(self.pending, FittedLeg)
                and np.linalg.norm(position - last.position) < SAME_PLACE
            ):
                if last.section == self.section:
                    first = last.label[:1].upper() + last.label[1:]
                    raise InputError(
                        f"{first} and {location} are at the same place; remove one or move it.", last.where
                    )
                self.nodes[-1] = Node(
                    position, cant if last.cant is None else last.cant, label, self.section, where
                )
                merged = True
            else:
                self.legs.append(self.pending)
                self.pending = "curve"
        if not merged:
            self.nodes.append(Node(position, cant, label, self.section, where))
        if self.section_first < 0:
            self.section_first = len(self.nodes) - 1

    def close(self) -> None:
        """Finish the course: a closed one gets its last leg, an open one must have a leg."""
        if not self.closed:
            if len(self.nodes) < 2:
                raise InputError("The track has fewer than 2 points; add control points.")
            return
        first, last = self.nodes[0], self.nodes[-1]
        if len(self.nodes) > 1 and np.linalg.norm(first.position - last.position) < SAME_PLACE:
            first.cant = last.cant if first.cant is None else first.cant
            self.nodes.pop()
        else:
            self.legs.append(self.pending)
        fitted = any(isinstance(leg, FittedLeg) for leg in self.legs)
        if len(self.nodes) < 3 and not fitted:
            raise InputError("A closed track needs at least 3 points; add points or open the track.")

    def chords(self) -> Array:
        """Vectors from the start to the end of every leg, (legs, 3) m."""
        positions = np.array([node.position for node in self.nodes])
        ahead = np.vstack([positions[1:], positions[:1]])
        difference: Array = (ahead - positions)[: len(self.legs)]
        return difference

    def chord(self, leg: int) -> Array:
        """Vector from the start to the end of a leg, (3,) m."""
        end = self.nodes[(leg + 1) % len(self.nodes)]
        return end.position - self.nodes[leg].position


@dataclass(frozen=True)
class Laid:
    """The finished shape: u (p+1,), coef (p, 6, 3) as in `Centreline`, node_u (n,) parameter at every node,
    straight (p,) bool."""

    u: Array
    coef: Array
    node_u: Array
    straight: NDArray[np.bool_]


def _end_derivatives(course: Course, leg: int, at_end: bool) -> Array:
    """Derivatives a fixed leg hands to its neighbour, (3, 3), or (2, 3) from those that hand on no third."""
    kind = course.legs[leg]
    if isinstance(kind, FittedLeg):
        return (kind.end if at_end else kind.start)[: kind.matched]
    chord = course.chord(leg)
    return np.stack([chord / np.linalg.norm(chord), np.zeros(3), np.zeros(3)])


def _refuse_reversals(course: Course) -> None:
    chords = course.chords()
    chords = chords / np.linalg.norm(chords, axis=1).clip(1e-300)[:, None]
    cosine = np.sum(chords * np.roll(chords, 1, axis=0), axis=1)
    fitted = np.array([isinstance(leg, FittedLeg) for leg in course.legs])
    cosine[fitted | np.roll(fitted, 1)] = 1.0
    if not course.closed:
        cosine[0] = 1.0
    back = np.flatnonzero(cosine < np.cos(REVERSAL))
    if len(back):
        angle = np.arccos(np.clip(cosine[back[0]], -1.0, 1.0))
        raise InputError(
            say(
                "At {place} the track reverses its direction ({angle:.0f deg}); put the points in running order or add"
                " points for the turn.",
                place=course.nodes[back[0]].label, angle=angle,
            ),
            course.nodes[back[0]].where,
        )  # fmt: skip


def _refuse_kinks(course: Course) -> None:
    count = len(course.legs)
    for leg in range(count):
        before = leg - 1
        if (before < 0 and not course.closed) or "curve" in (course.legs[leg], course.legs[before]):
            continue
        a = _end_derivatives(course, before, True)[0]
        b = _end_derivatives(course, leg, False)[0]
        angle = float(np.arctan2(np.linalg.norm(np.cross(a, b)), a @ b))
        if angle > KINK_LIMIT:
            raise InputError(
                say(
                    "At {place} the straight meets its neighbour with a kink of {angle:.2f deg} (1 deg is allowed);"
                    " line it up or put a curve between them.",
                    place=course.nodes[leg].label, angle=angle,
                ),
                course.nodes[leg].where,
            )  # fmt: skip


def _curve_runs(course: Course) -> list[list[int]]:
    """Runs of consecutive curve legs; in a closed course a run may go on over the start."""
    count = len(course.legs)
    order = list(range(count))
    if course.closed:
        fixed = [i for i in order if course.legs[i] != "curve"]
        if not fixed:
            return []
        order = order[fixed[0] :] + order[: fixed[0]]
    runs: list[list[int]] = []
    previous_is_curve = False
    for leg in order:
        if course.legs[leg] == "curve":
            if not previous_is_curve:
                runs.append([])
            runs[-1].append(leg)
        previous_is_curve = course.legs[leg] == "curve"
    return runs


def _lay_run(course: Course, run: list[int]) -> dict[int, tuple[Array, Array]]:
    """Pieces of every leg of one run of curves: leg -> (widths, coef)."""
    count = len(course.nodes)
    points = np.array(
        [course.nodes[leg].position for leg in run] + [course.nodes[(run[-1] + 1) % count].position]
    )
    u = np.concatenate([[0.0], np.cumsum(np.linalg.norm(np.diff(points, axis=0), axis=1))])
    before, after = run[0] - 1, run[-1] + 1
    start = _end_derivatives(course, before, True) if course.closed or before >= 0 else None
    has_next = course.closed or after < len(course.legs)
    end = _end_derivatives(course, after % len(course.legs), False) if has_next else None
    if end is not None and len(end) == 2 and after in course.pace:
        # with the pace of the free end as well the curve stays what it was when nothing came behind it
        pace, gain = course.pace[after]
        end = np.stack([pace * end[0], pace**2 * end[1] + gain * end[0]])
    return _by_leg(run, u, *open_spline(u, points, start, end))


def free_end(course: Course) -> Array:
    """Derivatives by arc length (2 or 3, 3) at the last node of what is laid so far, drawn with a free end there;
    the pace there is noted."""
    last = course.legs[-1]
    if last != "curve":
        return _end_derivatives(course, len(course.legs) - 1, True)
    first = len(course.legs) - 1
    while first > 0 and course.legs[first - 1] == "curve":
        first -= 1
    so_far = Course(False, course.nodes, course.legs)
    widths, coef = _lay_run(so_far, list(range(first, len(course.legs))))[len(course.legs) - 1]
    rows = np.empty((5, 3))
    kernels.polynomial(np.ascontiguousarray(coef[-1]), float(widths[-1]), rows)
    pace = float(np.linalg.norm(rows[1]))
    course.pace[len(course.legs)] = (pace, float(rows[1] @ rows[2]) / pace)
    kernels.chain_to_unit_speed(rows)
    return rows[1:4].copy()


def _by_leg(run: list[int], u: Array, breaks: Array, coef: Array) -> dict[int, tuple[Array, Array]]:
    middle = 0.5 * (breaks[:-1] + breaks[1:])
    owner = np.searchsorted(u, middle, side="right") - 1
    widths = np.diff(breaks)
    cuts = np.searchsorted(owner, np.arange(len(run) + 1)).tolist()
    return {leg: (widths[cuts[i] : cuts[i + 1]], coef[cuts[i] : cuts[i + 1]]) for i, leg in enumerate(run)}


def lay(course: Course) -> Laid:
    """Draw the curve of a course: quintic splines through runs of curves, exact straights, fitted legs as are.

    Raises InputError for points that reverse and for straights that meet their neighbour with a kink.
    """
    _refuse_reversals(course)
    _refuse_kinks(course)
    pieces: dict[int, tuple[Array, Array]] = {}
    if all(leg == "curve" for leg in course.legs) and course.closed:
        everyone = list(range(len(course.legs)))
        u = np.concatenate([[0.0], np.cumsum(np.linalg.norm(course.chords(), axis=1))])
        points = np.array([node.position for node in course.nodes])
        pieces = _by_leg(everyone, u, *closed_spline(u, points))
    for run in _curve_runs(course):
        pieces.update(_lay_run(course, run))
    for i, leg in enumerate(course.legs):
        if isinstance(leg, FittedLeg):
            pieces[i] = (np.diff(leg.u), leg.coef)
        elif leg == "straight":
            chord = course.chord(i)
            width = float(np.linalg.norm(chord))
            coef = np.zeros((1, 6, 3))
            coef[0, 0], coef[0, 1] = course.nodes[i].position, chord / width
            pieces[i] = (np.array([width]), coef)
    widths = np.concatenate([pieces[i][0] for i in range(len(course.legs))])
    counts = [len(pieces[i][0]) for i in range(len(course.legs))]
    u = np.concatenate([[0.0], np.cumsum(widths)])
    node_u = u[np.concatenate([[0], np.cumsum(counts)])][: len(course.nodes)]
    straight = np.repeat([leg == "straight" for leg in course.legs], counts)
    return Laid(u, np.concatenate([pieces[i][1] for i in range(len(course.legs))]), node_u, straight)
