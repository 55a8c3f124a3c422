"""Edits of element sections: insert one from the catalogue, duplicate a section, turn any section into control
points."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from ..base.arrays import Array
from ..base.errors import InputError
from ..base.sentence import say
from ..project.project import Project
from ..track.build import BuiltTrack, SectionSpan, build_track
from ..track.description import (
    ControlPoint,
    RollPoint,
    Section,
    SplineSection,
    StraightSection,
    TableSection,
    Track,
)
from ..track.elements import Element, StartPose, element_entry, kind_of, name_by_direction
from ..track.elements.base import GRAVITY
from .changes import changed, free_name, set_track, the_track
from .places import section_named

FASTEST_GUESS, SLOWEST_GUESS = 45.0, 8.0  # m/s, of the entry speed guessed from the height
STEEP = 0.985  # vertical part of the tangent from which a cant against the horizontal is not given
MIN_SPACING, MAX_SPACING = 0.5, 200.0  # m
FIRST_SPACING = 10.0  # m, tried first for a tolerance
STEEP_ROLL = 0.9  # vertical part of the tangent from which no roll points are set
END = 0.01  # m before the end of a section its last roll point lies
GRID = 0.05  # m, of the places the cant's rates are taken from
SHRINK = 0.75  # of the spacing from one try to the next
ENDS = (
    np.inf,
    0.5,
    0.03,
)  # m, closest points at the end of a section that others hang on, one after the other
NEARLY = 1e-6  # 1/m
TAIL = 0.1  # m, of the straight piece at the end of a section that another begins straight behind
SHORT = 8  # points of a spline whose free end depends on how many there are
COMPARED_EVERY = 0.02  # m


@dataclass(frozen=True)
class Conversion:
    """How a section became control points: their number, their spacing (m), the largest distance (m) of the old
    centreline from the new one and the largest difference (rad) of their cant direction, anywhere on the track;
    roll_points: how many keep its roll, none where the cants of the control points do."""

    points: int
    spacing: float
    distance: float
    roll: float
    roll_points: int = 0

    @property
    def sentence(self) -> str:
        return (
            f"{self.points} control points about {self.spacing:.1f} m apart; the track moved by at most"
            f" {1000.0 * self.distance:.1f} mm and {np.degrees(self.roll):.2f} deg."
            + (" Roll points keep its cant." if self.roll_points else "")
        )


def guessed_speed(built: BuiltTrack, s: float) -> float:
    """Speed (m/s) at s (m) of a ride that comes freely over the highest point before, within sensible limits."""
    positions = np.linspace(0.0, built.length, max(int(built.length), 20))
    height = built.centreline.position(positions)[:, 2]
    here = float(built.centreline.position(s)[0, 2])
    before = height[positions <= s + 1e-6]
    drop = float(before.max()) - here if len(before) else 0.0
    return float(np.clip(np.sqrt(2.0 * GRAVITY * max(drop, 0.0)), SLOWEST_GUESS, FASTEST_GUESS))


def insert_element(
    project: Project,
    built: BuiltTrack | None,
    id: str,
    *,
    after: str | None = None,
    before: str | None = None,
    speed: float | None = None,
) -> tuple[Project, str]:
    """Insert an element of the catalogue, sized for the speed (m/s) of the ride there.

    after, before: name of the section it goes behind, or in front of; with neither it goes to the end. speed None
    guesses it from the height. A project without a track gets one that begins with the element. Sections behind it
    that follow from the track before (elements, straights by length) move along, control points stay where they
    are. Returns the project and the name of the new section.
    """
    try:
        entry = element_entry(id)
    except KeyError:
        raise InputError(f"There is no element '{id}' in the catalogue.") from None
    if project.track is None:
        made = _named(entry.make(entry.title, speed), entry.title, ()).model_copy(
            update={"pose": StartPose()}
        )
        track = Track.model_validate({"name": "Track", "sections": (made,)})
        return changed(project, "Project", {"track": track}), made.name
    track = the_track(project)
    at = _place(track, after, before)
    if speed is None and built is not None:
        spans = built.sections
        speed = guessed_speed(built, spans[at].s0 if at < len(spans) else built.length)
    made = _named(entry.make(entry.title, speed), entry.title, (s.name for s in track.sections))
    sections: list[Section] = list(track.sections)
    sections.insert(at, made)
    if at == 0:
        sections[0], sections[1] = _new_first(made, sections[1], built)
    return set_track(project, {"sections": tuple(sections)}), made.name


def _named(section: Element, title: str, taken: Iterable[str]) -> Element:
    return section.model_copy(update={"name": free_name(name_by_direction(section, title), taken)})


def _place(track: Track, after: str | None, before: str | None) -> int:
    if after is not None and before is not None:
        raise InputError("Give either the section it goes behind or the one it goes in front of, not both.")
    name = after if after is not None else before
    if name is None:
        return len(track.sections)
    return track.sections.index(section_named(track, name)) + (after is not None)


def pose_at(built: BuiltTrack, s: float) -> StartPose:
    """Start pose of an element that begins at s (m) of the centreline."""
    state = built.centreline.state(s)
    x, y, z = (float(v) for v in state.curve[0, 0])
    t = state.tangent[0]
    pitch = float(np.clip(np.arctan2(t[2], np.hypot(t[0], t[1])), -1.5, 1.5))
    heading = float(np.arctan2(t[1], t[0]))
    return StartPose(position=(x, y, z), heading=heading, pitch=pitch, cant=float(state.cant[0]))


def _new_first(made: Element, second: Section, built: BuiltTrack | None) -> tuple[Section, Section]:
    """A new first element begins where the track began; what was first loses its own start."""
    pose = StartPose() if built is None else pose_at(built, 0.0)
    if isinstance(second, Element):
        second = second.model_copy(update={"pose": None})
    elif isinstance(second, StraightSection):
        second = second.model_copy(update={"start": None})
    return made.model_copy(update={"pose": pose}), second


def duplicate_section(project: Project, name: str) -> tuple[Project, str]:
    """A copy of an element or of a straight by length right behind it. Returns the project and the new name.

    Raises InputError for sections that are tied to places in the world.
    """
    track = the_track(project)
    section = section_named(track, name)
    copy_name = free_name(name, (s.name for s in track.sections))
    if isinstance(section, Element):
        fields: dict[str, object] = {"name": copy_name, "pose": None}
    elif isinstance(section, StraightSection) and section.length is not None:
        fields = {"name": copy_name, "start": None}
    else:
        raise InputError(
            f"Section '{name}' is tied to its places in the world; a copy of it would lie on top of it."
        )
    k = track.sections.index(section)
    sections = (*track.sections[: k + 1], section.model_copy(update=fields), *track.sections[k + 1 :])
    return set_track(project, {"sections": sections}), copy_name


def difference(old: BuiltTrack, new: BuiltTrack) -> tuple[float, float]:
    """Largest distance (m) and difference of the left vectors (rad) between two built tracks, anywhere."""
    from scipy.spatial import cKDTree  # not needed to show the window

    s = np.linspace(0.0, old.length, max(int(old.length / 0.5), 50))
    a = old.centreline.state(s)
    grid = np.linspace(0.0, new.length, max(int(new.length / COMPARED_EVERY), 100))
    b = new.centreline.state(grid)
    # a track may pass the same place twice: only what lies about as far along is compared
    window = 0.02 * max(old.length, new.length) + 5.0
    scale = 1e3 / window
    tree = cKDTree(np.column_stack([b.curve[:, 0], grid / scale / window]))
    _, near = tree.query(np.column_stack([a.curve[:, 0], s * (new.length / old.length) / scale / window]))
    apart = a.curve[:, 0] - b.curve[near, 0]
    tangent = b.tangent[near]
    apart -= np.sum(apart * tangent, axis=1, keepdims=True) * tangent
    turn = np.arccos(np.clip(np.sum(a.left * b.left[near], axis=1), -1.0, 1.0))
    return float(np.linalg.norm(apart, axis=1).max()), float(turn.max())


def _points_at(built: BuiltTrack, s: Array) -> tuple[ControlPoint, ...]:
    """Control points on the centreline at s (n,)."""
    state = built.centreline.state(s)
    steep = np.abs(state.curve[:, 1, 2]) > STEEP
    return tuple(
        ControlPoint(
            x=float(p[0]), y=float(p[1]), z=float(p[2]), cant=None if steep[k] else float(state.cant[k])
        )
        for k, p in enumerate(state.curve[:, 0])
    )


def _as_spline(
    built: BuiltTrack,
    span: SectionSpan,
    spacing: float,
    loop: bool,
    with_roll: bool,
    closest: float = np.inf,
    tail: bool = False,
) -> SplineSection:
    """A section as a spline with points `spacing` (m) apart, halved again and again towards its end until two are
    `closest` (m) together; tail: its last piece is short and exactly straight."""
    count = max(3, int(np.ceil((span.s1 - span.s0) / spacing - 1e-9)))
    s = np.linspace(span.s0, span.s1, count + 1)
    last = float(s[-1] - s[-2])
    halvings = int(np.ceil(np.log2(max(last / closest, 1.0))))
    s = np.concatenate([s[:-1], s[-1] - last * 0.5 ** np.arange(1, halvings + 1), s[-1:]])
    if tail:
        s = np.concatenate([s[s < span.s1 - 2.0 * TAIL], [span.s1 - TAIL, span.s1]])
    points = _points_at(built, s[:-1] if loop else s)
    if tail:
        points = (*points[:-2], points[-2].model_copy(update={"straight": True}), points[-1])
    if not with_roll:
        return SplineSection(name=span.name, points=points)
    rolls = _roll_points(built, span, s)
    free = tuple(point.model_copy(update={"cant": None}) for point in points)
    return SplineSection(name=span.name, points=free, roll_points=rolls)


def _roll_points(built: BuiltTrack, span: SectionSpan, s: Array) -> tuple[RollPoint, ...]:
    """Roll points at s (n,) m of a section, where it is not steep, with the rates its cant has there."""
    from scipy.interpolate import make_interp_spline  # not needed to show the window

    inside = np.append(s[s < span.s1 - END], span.s1 - END)
    grid = np.linspace(span.s0, span.s1 - END, max(int((span.s1 - span.s0) / GRID), 60))
    level = np.abs(built.centreline.derivatives(grid)[:, 1, 2]) < STEEP_ROLL
    edges = np.flatnonzero(np.diff(np.concatenate([[False], level, [False]]).astype(np.int8)))
    rolls = []
    for a, b in zip(edges[::2], edges[1::2], strict=True):
        if b - a < 10:
            continue
        cants = np.unwrap(built.centreline.cant(grid[a:b]))
        course = make_interp_spline(grid[a:b], cants, k=5)
        for position in inside[(inside >= grid[a] - 1e-9) & (inside <= grid[b - 1] + 1e-9)].tolist():
            first, second, third = (float(course(position, order)) for order in (1, 2, 3))
            if not span.s0 + END < position < span.s1 - 2.0 * END:
                third = 0.0  # it may jump at the borders, and would make the neighbours swing
            at = max(position - span.s0, 0.0)
            rolls.append(RollPoint(at=at, cant=float(course(position)), rates=(first, second, third)))
    return tuple(rolls)


def held(built: BuiltTrack, section: SplineSection, at: Array, extra: Array) -> tuple[SplineSection, Array]:
    """A spline with more points on its curve: at s `extra` (m), its own points lying at s `at`; pieces that are
    straight stay without. Also where all its points lie then (n,) m."""
    rows = [(float(s), point) for s, point in zip(at, section.points, strict=True)]
    for s, point in zip(extra, _points_at(built, extra), strict=True):
        before = [own for position, own in rows if position <= s]
        if np.abs(at - s).min() > 0.2 and not (before and before[-1].straight):
            rows.append((float(s), point))
    rows.sort(key=lambda row: row[0])
    positions = np.array([position for position, _ in rows])
    return section.model_copy(update={"points": tuple(point for _, point in rows)}), positions


def _with_neighbours(built: BuiltTrack, spline: SplineSection, spacing: float) -> list[Section]:
    """All sections with one replaced by a spline.

    Splines next to it get points towards it, ever closer, because they would otherwise swing where widely spaced
    points meet close ones, and one in the middle of every stretch, because short ones end differently once they go
    on.
    """
    track = built.track
    positions = built.point_places
    k = [s.name for s in track.sections].index(spline.name)
    span = built.sections[k]
    out: list[Section] = list(track.sections)
    out[k] = spline
    steps = spacing * 2.0 ** np.arange(12)
    for j, border, sign in ((k - 1, span.s0, -1.0), (k + 1, span.s1, 1.0)):
        section = out[j] if 0 <= j < len(out) else None
        if not isinstance(section, SplineSection):
            continue
        at = np.array(positions[section.name])
        away = sign * (at - border)
        room = away[away > 1e-3].min(initial=np.inf)
        extra = border + sign * steps[steps < 0.6 * room] if np.isfinite(room) else np.zeros(0)
        if len(at) < SHORT:
            extra = np.concatenate([extra, 0.5 * (at[1:] + at[:-1])])
        out[j], _ = held(built, section, at, np.sort(extra))
    return out


def _straight_as_spline(built: BuiltTrack, section: StraightSection, span: SectionSpan) -> SplineSection:
    state = built.centreline.state([span.s0, span.s1])
    points = [
        ControlPoint(x=float(p[0]), y=float(p[1]), z=float(p[2]), cant=section.cant, straight=k == 0)
        for k, p in enumerate(state.curve[:, 0])
    ]
    return SplineSection(name=section.name, points=tuple(points))


def to_control_points(
    project: Project,
    built: BuiltTrack,
    name: str,
    *,
    spacing: float | None = None,
    tolerance: float | None = None,
    roll_tolerance: float = np.radians(1.0),
    keep_roll: bool = True,
) -> tuple[Project, Conversion]:
    """Turn any section into a spline through control points on its curve.

    built: the built track of the project. Give spacing (m) of the points, or tolerance (m) within which the whole
    track has to stay, with roll_tolerance (rad) for its cant; the spacing is then made smaller until it does, and
    splines next to the section get some points near it. keep_roll: within a tolerance, the cant is set as roll points
    with its rates, so that the lateral loads stay; else, and where that is not possible, as cants of the control
    points, between which the roll is then drawn anew.
    Returns the project and what changed. Raises InputError for a spline, for values out of range and when the
    tolerance cannot be kept with points 0.5 m apart.
    """
    track = the_track(project)
    section = section_named(track, name)
    if isinstance(section, SplineSection):
        raise InputError(f"Section '{name}' consists of control points already.")
    if (spacing is None) == (tolerance is None):
        raise InputError("Give either a spacing or a tolerance for the control points.")
    if spacing is not None and not MIN_SPACING <= spacing <= MAX_SPACING:
        raise InputError(
            say("A spacing of {spacing:g m} is out of range; choose 0.5 to 200 m.", spacing=spacing)
        )
    if tolerance is not None and not 1e-5 <= tolerance <= 10.0:
        raise InputError(
            say(
                "A tolerance of {tolerance:g m} is out of range; choose 0.00001 to 10 m.", tolerance=tolerance
            )
        )
    if spacing is not None:
        return _converted(project, built, section, (np.inf, np.inf), spacing, False)
    assert tolerance is not None
    maximum = (tolerance, roll_tolerance)
    if keep_roll and not isinstance(section, StraightSection):
        try:
            return _converted(project, built, section, maximum, FIRST_SPACING, True)
        except InputError:  # where the curvature jumps at its border its roll cannot be kept, its cant can
            pass
    return _converted(project, built, section, maximum, FIRST_SPACING, False)


def _converted(
    project: Project,
    built: BuiltTrack,
    section: Section,
    maximum: tuple[float, float],
    step: float,
    with_roll: bool,
) -> tuple[Project, Conversion]:
    """As `to_control_points` from the spacing `step` (m), until the track has moved by no more than `maximum` (m, rad).

    What goes on from the end of the section swings about it with the direction there: where evenly spaced points do
    not hold that, ever closer ones at the end do.
    """
    track = the_track(project)
    ends = ENDS if np.isfinite(maximum[0]) and _carries(track, section.name) else ENDS[:1]
    for closest in ends:
        try:
            return _evenly(project, built, section, maximum, step, with_roll, closest)
        except InputError:
            if closest is ends[-1]:
                raise
    raise AssertionError("unreachable")


def _evenly(
    project: Project,
    built: BuiltTrack,
    section: Section,
    maximum: tuple[float, float],
    step: float,
    with_roll: bool,
    closest: float,
) -> tuple[Project, Conversion]:
    """As `_converted` with points that come as close as `closest` (m) at the end of the section."""
    track = the_track(project)
    name = section.name
    span = next(s for s in built.sections if s.name == name)
    loop = track.closed and len(track.sections) == 1
    tail = np.isfinite(maximum[0]) and _ends_straight(built, track, span)
    exactly = bool(np.isinf(maximum[0]))
    while True:
        if isinstance(section, StraightSection):
            spline = _straight_as_spline(built, section, span)
        else:
            spline = _before_rows(track, _as_spline(built, span, step, loop, with_roll, closest, tail))
        if exactly:
            sections = [spline if s.name == name else s for s in track.sections]
        else:
            sections = _with_neighbours(built, spline, step)
        made = set_track(project, {"sections": tuple(sections)})
        last = exactly or step <= MIN_SPACING or isinstance(section, StraightSection)
        try:
            distance, roll = difference(built, build_track(the_track(made), ride=False))
        except InputError:  # a tight loop is no track any more when its points are far apart
            if last:
                raise
            distance = roll = np.inf
        if distance <= maximum[0] and roll <= maximum[1]:
            rolled = len(spline.roll_points)
            return made, Conversion(len(spline.points), step, distance, roll, rolled)
        if last:
            raise InputError(
                say(
                    "Section '{name}' cannot be kept within {maximum:g m} by control points 0.5 m apart (it"
                    " misses by {distance:.3g m} and {roll:.2f deg}); {track}.",
                    name=name,
                    maximum=maximum[0],
                    distance=distance,
                    roll=roll,
                    track=_way_out(track, name, distance > maximum[0]),
                )
            )
        step = max(step * SHRINK, MIN_SPACING)


def _before_rows(track: Track, spline: SplineSection) -> SplineSection:
    """A spline in front of a table leaves the border to its first row: the curve through the rows misses that by a
    little, and a point beside it would bend the track through the gap."""
    k = [s.name for s in track.sections].index(spline.name) + 1
    behind = track.sections[k % len(track.sections)] if k < len(track.sections) or track.closed else None
    if len(spline.points) < 3 or behind is None or not isinstance(behind, TableSection):
        return spline
    return spline.model_copy(update={"points": spline.points[:-1]})


def _way_out(track: Track, name: str, carried: bool) -> str:
    """What to do where a section cannot be kept: an element goes on from how the curvature changes before it, and a
    spline ends with a curvature that does not change; carried: places are off, not the roll alone."""
    k = [s.name for s in track.sections].index(name) + 1
    behind = track.sections[k] if k < len(track.sections) else None
    if not (carried and isinstance(behind, Element)):
        return "allow more"
    return (
        f"'{behind.name}' goes on from how the curve changes at its end, which control points do not hand on:"
        f" turn '{behind.name}' into control points first, or allow more"
    )


def _ends_straight(built: BuiltTrack, track: Track, span: SectionSpan) -> bool:
    """Whether a section ends straight and an element behind it would ease what is not."""
    k = [s.name for s in track.sections].index(span.name) + 1
    behind = track.sections[k] if k < len(track.sections) else None
    kind = kind_of(behind)
    if kind is None or kind.goes_on:
        return False
    state = built.centreline.state([span.s1 - 1e-6])
    return bool(np.linalg.norm(state.curve[0, 2]) < NEARLY)


def _carries(track: Track, name: str) -> bool:
    """Whether the section behind a section goes on from where it ends and where it leads to."""
    k = [s.name for s in track.sections].index(name) + 1
    behind = track.sections[k] if k < len(track.sections) else None
    return isinstance(behind, Element) or (isinstance(behind, StraightSection) and behind.length is not None)
