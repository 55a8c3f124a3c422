"""What riders reach along a track: the space of hands, feet and heads of a chosen body on every seat, with a margin,
against track, supports, ground and the room of a train elsewhere on the track.

Cars stand on their guides at every place as a run starts them; seats that tilt or swing by hinges are looked at all
over the ranges of these (`seat_tilts`). Cars that are guided alike go over the same places, so seats that are alike are
looked at once.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..base.arrays import Array, Integers
from ..base.bundled import figures, source_of
from ..base.finding import Finding, Severity
from ..base.frozen import Vec3
from ..base.sentence import Sentence, say
from ..base.where import Where
from ..human.population import Named, admitted_by, bodies
from ..human.reach import reach_from
from ..project.project import Project
from ..results.results import Results
from ..track.build import BuiltTrack, build_track
from ..track.clearance import entries, neighbours
from ..track.description import Clearance
from ..track.envelope import envelope_rings
from ..track.site import ground_height
from ..track.supports import place_supports
from .seat_paths import Rooms, SeatPath, ridden_seats, standing_seats

TABLE: Final = "clearances"
SPACED = 0.2  # m between points of rails, spine, columns and the outline of a train
JOINED = 3.0  # m of track between two intrusions below which they count as one
GROUND_BLOCK = 32  # places looked at together
#: What may be in the way, in words.
OBSTACLES: Final = {
    "track": "the track",
    "own track": "the rails under the car",
    "supports": "a support",
    "ground": "the ground",
    "train": "the room of a train",
}


@dataclass(frozen=True)
class Intrusion:
    """What comes into the space of a limb on a stretch of the track, s0 to s1 (m), worst at s.

    seat: its path; tilt: how it is tilted then, in words. deep (m): how far it lies in the space, along the line from
    the limb's joint; margin (m): of the limb; position (3,) m: of the point that lies deepest, in the world; other_s
    (m): its own place on the track, None of what has none.
    """

    seat: str
    limb: str
    obstacle: str
    s0: float
    s1: float
    s: float
    deep: float
    margin: float
    position: Vec3
    other_s: float | None
    tilt: Sentence | str = ""

    @property
    def on(self) -> Sentence:
        """The seat, and how it is tilted."""
        named = say("'{seat}'", seat=self.seat)
        return say("{seat} ({tilt})", seat=named, tilt=self.tilt) if self.tilt else named

    @property
    def reached(self) -> bool:
        """Whether it is within reach itself, not only within the margin."""
        return self.deep > self.margin

    @property
    def beyond(self) -> float:
        """By how much (m) more is reached than it takes; negative: what is left between."""
        return self.deep - self.margin

    @property
    def what(self) -> Sentence:
        """What is in the way, in words."""
        if self.other_s is None:
            return say("{what}", what=OBSTACLES[self.obstacle])
        return say("{what} at s = {other:.0f m}", what=OBSTACLES[self.obstacle], other=self.other_s)

    @property
    def result(self) -> Sentence:
        """How it ends, in words."""
        if self.reached:
            return say("reaches {what} with {spare:.2f m} to spare", what=self.what, spare=self.beyond)
        return say(
            "comes within {gap:.2f m} of {what}, the margin is {margin:.2f m}",
            gap=-self.beyond, what=self.what, margin=self.margin,
        )  # fmt: skip


@dataclass(frozen=True)
class Encounter:
    """What comes into the space of riders on a stretch of the track, s0 to s1 (m): intrusions of one thing, the worst
    first."""

    s0: float
    s1: float
    intrusions: tuple[Intrusion, ...]

    @property
    def worst(self) -> Intrusion:
        """The one that reaches farthest."""
        return self.intrusions[0]

    @property
    def limbs(self) -> tuple[str, ...]:
        """All limbs that are in it, the worst first."""
        return tuple(dict.fromkeys(one.limb for one in self.intrusions))

    @property
    def short(self) -> Sentence:
        """It in few words, where the body is known."""
        return say(
            "{begin:.0f (m)} to {end:.0f m}: the {limb} on {seat} {result}.",
            begin=self.s0, end=self.s1, limb=self.worst.limb, seat=self.worst.on, result=self.worst.result,
        )  # fmt: skip

    def sentence(self, body: str) -> Sentence:
        """It in words; body: whose limbs they are."""
        worst, others = self.worst, self.limbs[1:]
        also = f"; also the {', '.join(others)}" if others else ""
        return say(
            "s = {begin:.0f (m)} to {end:.0f m}: the {limb} of the {body} on {seat} {result}{also}.",
            begin=self.s0, end=self.s1, limb=worst.limb, body=body, seat=worst.on, result=worst.result,
            also=also,
        )  # fmt: skip


def encounters(intrusions: Sequence[Intrusion]) -> tuple[Encounter, ...]:
    """Intrusions of the same thing on stretches that overlap, of all limbs and seats, put together; in the order of
    the track."""
    found: list[Encounter] = []
    for obstacle in OBSTACLES:
        own = sorted((one for one in intrusions if one.obstacle == obstacle), key=lambda one: one.s0)
        groups: list[list[Intrusion]] = []
        for one in own:
            if groups and one.s0 <= max(other.s1 for other in groups[-1]) + JOINED:
                groups[-1].append(one)
            else:
                groups.append([one])
        for group in groups:
            ranked = tuple(sorted(group, key=lambda one: -one.beyond))
            found.append(Encounter(group[0].s0, max(one.s1 for one in group), ranked))
    return tuple(sorted(found, key=lambda one: one.s0))


@dataclass(frozen=True, eq=False)
class RiderClearance:
    """What riders reach along a track: of whom, with which margins (m) by limb, from which seats, and what is in the
    way."""

    body: str
    margins: dict[str, float]
    seats: tuple[SeatPath, ...]
    intrusions: tuple[Intrusion, ...]

    @property
    def encounters(self) -> tuple[Encounter, ...]:
        """What is in the way, put together."""
        return encounters(self.intrusions)

    @property
    def findings(self) -> tuple[Finding, ...]:
        """A finding for each encounter, at its worst place: an error within reach, a warning within the margin; what is
        under the car a note, for its floor is not known."""
        made = []
        for one in self.encounters:
            worst = one.worst
            severity: Severity = "error" if worst.reached else "warning"
            if worst.obstacle == "own track":
                severity = "note"
            made.append(
                Finding(
                    kind="rider_reach",
                    severity=severity,
                    message=one.sentence(self.body),
                    value=worst.beyond,
                    unit="m",
                    where=Where(s=worst.s, position=worst.position),
                )
            )
        return tuple(made)


def chosen_body(project: Project) -> Named:
    """Whose reach a project's track asks for; the heaviest is the one whom the project admits."""
    assert project.track is not None
    return bodies(admitted_by(project.evaluation))[project.track.clearance.body]


def margins_of(clearance: Clearance) -> dict[str, float]:
    """The margins (m) by limb, sides left out, of the standard that a track asks for."""
    found: dict[str, float] = figures(TABLE)["margins"][clearance.margin]
    return found


def margin_source() -> str:
    """Where margins are from, and how sure they are."""
    return source_of(TABLE)


def asks_for_reach(project: Project) -> bool:
    """Whether a project asks for what riders reach, and has a track and a train for it."""
    track = project.track
    return track is not None and track.clearance.room == "reach" and project.train is not None


def reach_findings(project: Project, built: BuiltTrack | None = None) -> tuple[Finding, ...]:
    """What riders reach along a project's track.

    Parameters
    ----------
    project
        Whose track says who reaches out (`Clearance`).
    built
        The built track if it is at hand.

    Returns
    -------
    A finding for each encounter; none where the track asks for the box alone.

    Raises
    ------
    InputError
        As `rider_clearance`.
    """
    return rider_clearance(project, built).findings if asks_for_reach(project) else ()


def rider_clearance(
    project: Project,
    built: BuiltTrack | None = None,
    results: Results | None = None,
    fineness: float = 1.0,
) -> RiderClearance:
    """What riders on the seats of a train reach along its track.

    Parameters
    ----------
    project
        With a track and a train. Its track says who reaches out and with which margin (`Clearance`).
    built
        The built track if it is at hand.
    results
        A run of the project: seats go as they were ridden then, swung and tilted as the train was; without one as cars
        stand on their guides, at every tilt that their hinges allow.
    fineness
        How many times as many postures as usual are tried.

    Returns
    -------
    The paths of seats and what comes into their space, the deepest of each stretch, in the order of the track.

    Raises
    ------
    InputError
        For a track that cannot be built, and a body that cannot be made.
    """
    track, train = project.track, project.train
    assert track is not None
    assert train is not None
    built = build_track(track) if built is None else built
    body, margins = chosen_body(project), margins_of(track.clearance)
    reached = Rooms(partial(reach_from, body.person, fineness=fineness), margins)
    paths = (
        standing_seats(train, built, reached)
        if results is None
        else ridden_seats(train, built, reached, results)
    )
    seats = tuple(paths)
    points = _points(project, built)
    found: list[Intrusion] = []
    for seat in seats:
        found += _of_points(seat, built, points, margins)
        found += _of_ground(seat, built, margins)
    return RiderClearance(body.label, margins, seats, tuple(sorted(found, key=lambda one: one.s)))


# -- what may be in the way


class _Points(NamedTuple):
    """Points (m, 3) m of things with radii (m,) m: numbers of their kinds (m,) in OBSTACLES, their own places s (m,)
    on the track (m), not a number where they have none."""

    at: Array
    thick: Array
    kind: Integers
    s: Array


def _points(project: Project, built: BuiltTrack) -> _Points:
    kinds = list(OBSTACLES)
    rules, track = project.steelwork, built.track
    s = np.linspace(0.0, built.length, max(2, int(built.length / SPACED)), endpoint=not track.closed)
    state = built.centreline.state(s)
    centre, left, up = state.curve[:, 0], state.left, state.up
    rails = [centre + 0.5 * side * track.gauge * left for side in (1.0, -1.0)]
    spine = centre - rules.depth * up
    largest = 0.5 * max(rule.diameter for rule in rules.spines)
    parts = [(one, 0.5 * rules.rail_diameter, "track", s) for one in rails] + [(spine, largest, "track", s)]
    for a, b, radius in zip(*place_supports(built, rules.spacing).legs(), strict=True):
        along = np.linspace(0.0, 1.0, max(2, int(np.linalg.norm(b - a) / SPACED) + 1))[:, None]
        leg = a + along * (b - a)
        parts.append((leg, float(radius), "supports", np.full(len(leg), np.nan)))
    ring = envelope_rings(built, s)
    for k in range(4):
        for share in np.arange(0.0, 1.0, SPACED / 2.0):
            parts.append((ring[:, k] + share * (ring[:, (k + 1) % 4] - ring[:, k]), 0.0, "train", s))
    return _Points(
        np.vstack([one[0] for one in parts]),
        np.concatenate([np.full(len(one[0]), one[1]) for one in parts]),
        np.concatenate([np.full(len(one[0]), kinds.index(one[2])) for one in parts]),
        np.concatenate([one[3] for one in parts]),
    )


class _Hits(NamedTuple):
    """Intrusions of single points: places of the seat, limbs, kinds, depths (m), points (n, 3) m, their s (m)."""

    place: Integers
    limb: Integers
    kind: Integers
    deep: Array
    at: Array
    s: Array


def _of_points(
    seat: SeatPath, built: BuiltTrack, points: _Points, margins: dict[str, float]
) -> list[Intrusion]:
    kinds = list(OBSTACLES)
    train, own = kinds.index("train"), kinds.index("own track")
    reach = seat.room.radius
    hits: list[_Hits] = []

    def near(place: Integers, point: Integers) -> NDArray[np.bool_]:
        close: NDArray[np.bool_] = neighbours(
            built, seat.s[place], np.nan_to_num(points.s[point], nan=np.inf), reach
        )
        return close

    def apart(place: Integers, point: Integers) -> NDArray[np.bool_]:
        there: NDArray[np.bool_] = ~((points.kind[point] == train) & near(place, point))
        return there

    for one in entries(seat.positions, seat.axes, seat.room, points.at, points.thick, apart):
        for limb in range(len(seat.room.names)):
            inside = one.depth[limb] >= 0.0
            place, point = one.place[inside], one.point[inside]
            kind = points.kind[point].copy()
            kind[(kind == kinds.index("track")) & near(place, point)] = own
            which, deep = np.full(len(place), limb), one.depth[limb, inside]
            hits.append(_Hits(place, which, kind, deep, points.at[point], points.s[point]))  # fmt: skip
    return _stretches(seat, built, hits, margins)


def _of_ground(seat: SeatPath, built: BuiltTrack, margins: dict[str, float]) -> list[Intrusion]:
    """Where what is reached lies in the ground of the site; none when it leaves its ground open."""
    site = built.track.site
    if site.level is None and site.field is None:
        return []
    otherwise = -np.inf if site.level is None else site.level
    middle, reach = seat.positions + seat.axes @ seat.room.centre, seat.room.radius
    around = reach * np.array([[0, 0], [1, 0], [-1, 0], [0, 1], [0, -1]])
    below = np.max(
        [ground_height(site, middle[:, 0] + x, middle[:, 1] + y, otherwise=otherwise) for x, y in around],
        axis=0,
    )
    places = np.flatnonzero(middle[:, 2] - reach < below)
    hits: list[_Hits] = []
    for limb in range(len(seat.room.names)):
        surface = seat.room.surface(limb)[seat.room.profiles[limb] > 0.0]
        for k in range(0, len(places), GROUND_BLOCK):
            block = places[k : k + GROUND_BLOCK]
            world = seat.positions[block][:, None] + np.einsum("nij,pj->npi", seat.axes[block], surface)
            ground = ground_height(site, world[..., 0], world[..., 1], otherwise=otherwise)
            depth = ground - world[..., 2]
            worst = depth.argmax(axis=1)
            deep = depth[np.arange(len(block)), worst]
            inside = deep >= 0.0
            at = world[np.arange(len(block)), worst][inside]
            n = len(at)
            kind = np.full(n, list(OBSTACLES).index("ground"))
            hits.append(_Hits(block[inside], np.full(n, limb), kind, deep[inside], at, np.full(n, np.nan)))
    return _stretches(seat, built, hits, margins)


def _stretches(
    seat: SeatPath, built: BuiltTrack, hits: Sequence[_Hits], margins: dict[str, float]
) -> list[Intrusion]:
    """Intrusions of points as stretches of the track: per limb, thing, and place of that thing, the deepest one."""
    if not hits:
        return []
    place, limb, kind, deep, at, other = (np.concatenate([one[k] for one in hits]) for k in range(6))
    found = []
    for which in np.unique(np.stack([limb, kind], axis=1), axis=0).tolist():
        own = np.flatnonzero((limb == which[0]) & (kind == which[1]))
        own = own[np.lexsort((-deep[own], place[own]))]
        own = own[np.append(True, np.diff(place[own]) > 0)]  # the deepest of each place
        s = seat.s[place[own]]
        elsewhere = np.nan_to_num(other[own])
        new = (np.abs(np.diff(s)) > JOINED) | (
            (np.abs(np.diff(elsewhere)) > 10.0 * JOINED) & (which[1] != list(OBSTACLES).index("own track"))
        )
        for run in np.split(np.arange(len(own)), np.flatnonzero(new) + 1):
            k = run[np.argmax(deep[own[run]])]
            x, y, z = at[own[k]].tolist()
            name, obstacle = seat.room.names[which[0]], list(OBSTACLES)[which[1]]
            alone = obstacle == "own track" or np.isnan(other[own[k]])
            found.append(
                Intrusion(
                    seat.seat,
                    name,
                    obstacle,
                    float(s[run[0]]),
                    float(s[run[-1]]),
                    float(s[k]),
                    float(deep[own[k]]),
                    margins.get(name.split()[-1], 0.0),
                    (x, y, z),
                    None if alone else float(other[own[k]]),
                    seat.tilt,
                )
            )
    return found
