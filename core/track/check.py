"""The check of a track: its figures with their places, and findings a designer should look at."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ..base.arrays import Array
from ..base.finding import Finding, Severity
from ..base.frozen import Frozen, Named, Vec3
from ..base.sentence import say
from ..base.where import Where
from .as_built import RailsAsBuilt
from .build import BuiltTrack, build_track
from .clearance import self_approaches
from .course import REVERSAL
from .description import SplineSection, StraightSection, TableSection, Track
from .envelope import ground_stretches
from .raw_checks import chord_turns, row_kinks
from .table_run import usable_rows

STEP = 0.1  # m, spacing of the places looked at
JUMP_DISTANCE = 1.0  # m over which the change of curvature is reported as a jump
KINK_TURN = np.radians(0.1)  # excess turn at one row of a table that is named
KINK_OF_LINE = np.radians(0.001)  # kink of the finished centreline that is named
KINK_SEVERE = np.radians(0.5)
ROW_JUMP = 0.02  # 1/m, jump of the curvature between rows of a table that is named
JUMP_LIMIT = 0.05  # 1/m within JUMP_DISTANCE
JOIN_JUMP = 1e-6  # 1/m and rad/m, jump of curvature and of roll rate where two sections meet that is named
JOIN_SEVERE = 0.005  # 1/m and rad/m, from which such a jump is a warning
CANT_RATE_LIMIT = 0.35  # rad/m, 20 deg a metre
TIGHT_RADIUS = 4.0  # m
REVERSED_TURN = np.radians(100.0)
SPIKE_FACTOR, MIN_SPIKE = 1.6, 0.02  # against the curvature at the points around; 1/m
GAUGE_ERROR = 1e-6  # m
INVERTED, UPRIGHT = -0.1, 0.1  # vertical part of up where an inversion begins and ends
MAX_OF_A_KIND = 50


class Extreme(Frozen):
    """A largest or smallest value with its place: s (m) on the centreline, position (m), section."""

    value: float
    s: float
    position: Vec3
    section: str


class TrackReport(Named):
    """Figures of a track and findings.

    length (m); lowest and highest (m, z of the centreline); smallest_radius (m) of the curve in space,
    smallest_vertical_radius and smallest_lateral_radius (m) of its part in the plane of t and up, and of t and
    left, of the track; 0 curvature gives a radius of None. largest_cant_rate (rad/m): turn of the track about its
    tangent. largest_curvature_jump (1/m): change of the curvature vector within 1 m. gauge_error (m): largest
    difference of the distance between the rails from the gauge. inversions: times the track turns upside down.
    """

    name: str
    closed: bool
    length: float
    left_rail_length: float
    right_rail_length: float
    lowest: Extreme
    highest: Extreme
    smallest_radius: Extreme | None
    smallest_vertical_radius: Extreme | None
    smallest_lateral_radius: Extreme | None
    largest_cant: Extreme
    largest_cant_rate: Extreme
    largest_curvature_jump: Extreme
    gauge_error: float
    inversions: int
    findings: tuple[Finding, ...]


class _Checker:
    """Dense samples of a built track and the findings collected so far."""

    def __init__(self, built: BuiltTrack) -> None:
        self.built = built
        line = built.centreline
        self.s = np.linspace(0.0, line.length, max(int(line.length / STEP), 20) + 1)
        self.state = line.state(self.s)
        self.findings: list[Finding] = []

    def place(self, s: float) -> tuple[float, Vec3, str]:
        x, y, z = self.built.centreline.position(s)[0]
        return s, (float(x), float(y), float(z)), self.built.section_at(s)

    def extreme(self, values: Array, *, smallest: bool = False, at: Array | None = None) -> Extreme:
        k = int(np.argmin(values) if smallest else np.argmax(values))
        s, position, section = self.place(float((self.s if at is None else at)[k]))
        return Extreme(value=float(values[k]), s=s, position=position, section=section)

    def radius(self, curvature: Array) -> Extreme | None:
        maximum = self.extreme(curvature)
        return None if maximum.value < 1e-9 else maximum.model_copy(update={"value": 1.0 / maximum.value})

    def add(self, kind: str, severity: Severity, s: float, message: str, row: int | None = None) -> None:
        """Keep a finding at s (m); row: of the table there (counted from 1)."""
        location, position, section = self.place(s)
        path = ("track", "sections", section, *(() if row is None else ("positions", row - 1)))
        where = Where(path, location, position, section)
        self.findings.append(Finding(kind=kind, severity=severity, where=where, message=message))

    def stretches(self, mask: NDArray[np.bool_], values: Array) -> list[int]:
        """Index of the largest value in each connected stretch where mask holds."""
        edges = np.diff(np.concatenate([[0], mask.astype(int), [0]]))
        begins, ends = np.flatnonzero(edges == 1).tolist(), np.flatnonzero(edges == -1).tolist()
        return [int(a + np.argmax(values[a:b])) for a, b in zip(begins, ends, strict=True)]


def _curvature_jump(c: _Checker) -> Array:
    """Change of the curvature vector within JUMP_DISTANCE ahead (1/m), (n,).

    Compared in the rotation-minimising frame, in which an even bend stays put however the track rolls.
    """
    line, state = c.built.centreline, c.state
    bend, side = state.curve[:, 2], np.cross(state.tangent, state.reference)
    k = np.stack([np.sum(bend * state.reference, -1), np.sum(bend * side, -1)], axis=-1)
    ahead = max(1, round(JUMP_DISTANCE / float(c.s[1] - c.s[0])))
    over = np.repeat(k[-1:], ahead, axis=0)
    if c.built.track.closed:  # the frame has turned by the holonomy when it comes round
        cosine, sine = np.cos(line.holonomy), np.sin(line.holonomy)
        over = k[1 : ahead + 1] @ np.array([[cosine, -sine], [sine, cosine]])
    jump: Array = np.linalg.norm(np.vstack([k[ahead:], over]) - k, axis=-1)
    return jump


def _table_findings(c: _Checker) -> None:
    line = c.built.centreline
    reports = {fit.section: fit for fit in c.built.fits}
    for section in c.built.track.sections:
        if not isinstance(section, TableSection):
            continue
        rows = np.array(section.positions)
        kept = usable_rows(rows)
        alone = c.built.track.closed and len(c.built.track.sections) == 1
        if alone and np.linalg.norm(rows[kept[-1]] - rows[kept[0]]) < 1e-6:
            kept = kept[:-1]
        fit = reports[section.name]
        c.add(
            "fit",
            "note",
            fit.s,
            say(
                "The fitted curve misses row {row} of '{section}' by {miss:.2f mm} at most (tolerance"
                " {tolerance:.2f mm}).",
                row=fit.row, section=section.name, miss=fit.largest_deviation, tolerance=fit.tolerance,
            ),
            fit.row,
        )  # fmt: skip
        path = c.built.paths["centreline"]
        for row in fit.dropped_rows[:MAX_OF_A_KIND]:
            s = path.nearest(rows[row - 1])
            c.add(
                "dropped_row",
                "warning",
                s,
                f"Row {row} of '{section.name}' repeats or runs back from the row before; it was left out.",
                row,
            )
        kinks = row_kinks(rows[kept], alone, float(KINK_TURN), ROW_JUMP)
        worst = sorted(kinks, key=lambda k: -(k.turn / KINK_TURN + k.curvature_jump / ROW_JUMP))[
            :MAX_OF_A_KIND
        ]
        for kink in sorted(worst, key=lambda k: k.row):
            number = int(kept[kink.row]) + 1
            s = float(line.wrap(path.nearest(rows[kept[kink.row]]))[0])
            if kink.turn > KINK_TURN:
                severity: Severity = "warning" if kink.turn > KINK_SEVERE else "note"
                c.add(
                    "kink",
                    severity,
                    s,
                    say(
                        "Row {row} of '{section}' has a kink of {turn:.2f deg}, smoothed within the tolerance.",
                        row=number, section=section.name, turn=kink.turn,
                    ),
                    number,
                )  # fmt: skip
            else:
                c.add(
                    "curvature_jump",
                    "note",
                    s,
                    say(
                        "At row {row} of '{section}' the curvature jumps by {jump:.3f 1/m}, smoothed within the"
                        " tolerance.",
                        row=number, section=section.name, jump=kink.curvature_jump,
                    ),
                    number,
                )  # fmt: skip


def _line_kinks(c: _Checker) -> None:
    """Kinks of the finished centreline, where two fixed legs meet."""
    line = c.built.centreline
    borders = line.piece_s if c.built.track.closed else line.piece_s[1:-1]
    if not len(borders):
        return
    wrapped = np.where(borders >= line.length, 0.0, borders)
    before = line.state(np.where(wrapped == 0.0, line.length, wrapped), from_left=True).tangent
    after = line.state(wrapped).tangent
    angle = np.arctan2(np.linalg.norm(np.cross(before, after), axis=1), np.sum(before * after, axis=1))
    for k in np.flatnonzero(angle > KINK_OF_LINE).tolist():
        c.add(
            "kink",
            "error",
            float(wrapped[k]),
            say("The track has a kink of {turn:.3f deg}; line up the straights there.", turn=angle[k]),
        )


def _join_findings(c: _Checker) -> None:
    """Jumps of curvature and of roll rate where two sections meet."""
    line = c.built.centreline
    spans = c.built.sections if c.built.track.closed else c.built.sections[1:]
    positions = np.array([span.s0 for span in spans])
    if not len(positions):
        return
    before = line.state(np.where(positions == 0.0, line.length, positions), from_left=True)
    after = line.state(positions)
    bends = np.linalg.norm(after.curve[:, 2] - before.curve[:, 2], axis=1)
    rolls = np.abs(after.twist[:, 0] - before.twist[:, 0])
    for k, span in enumerate(spans):
        if bends[k] > JOIN_JUMP:
            c.add(
                "curvature_jump",
                "warning" if bends[k] > JOIN_SEVERE else "note",
                span.s0,
                say(
                    "Where section '{section}' begins the curvature jumps by {jump:.3g 1/m}; ease it in with a"
                    " transition.",
                    section=span.name, jump=bends[k],
                ),
            )  # fmt: skip
        if rolls[k] > JOIN_JUMP:
            c.add(
                "cant_rate_jump",
                "warning" if rolls[k] > JOIN_SEVERE else "note",
                span.s0,
                say(
                    "Where section '{section}' begins the roll rate jumps by {jump:.3g deg a metre}; let the cant run"
                    " in smoothly.",
                    section=span.name, jump=rolls[k],
                ),
            )  # fmt: skip


def _point_findings(c: _Checker) -> None:
    stations = c.built.stations
    points = c.built.centreline.position([st.s for st in stations])
    steep = np.hypot(*c.built.centreline.derivatives([st.s for st in stations])[:, 1, :2].T) < 0.1
    # between the rows of a table and along an element the track may turn as far as it likes
    plain = all(isinstance(section, SplineSection | StraightSection) for section in c.built.track.sections)
    turns = np.zeros(len(stations)) if not plain else chord_turns(points, c.built.track.closed)
    for k, station in enumerate(stations):
        if turns[k] > REVERSED_TURN:
            c.add(
                "reversed",
                "warning",
                station.s,
                say(
                    "At {station} the track doubles back by {turn:.0f deg} (refused beyond {most:.0f (deg)}); check the"
                    " order of the points.",
                    station=station.label, turn=turns[k], most=REVERSAL,
                ),
            )  # fmt: skip
        if steep[k] and station.cant is not None:
            c.add(
                "vertical_cant",
                "warning",
                station.s,
                f"At {station.label} the track is within 6 deg of vertical, where a cant against the horizontal means"
                " nothing; it is not used, leave it empty.",
            )


def _spike_findings(c: _Checker) -> None:
    """Curvature between two points far above that at the points around: the spline overshoots."""
    splines = {section.name for section in c.built.track.sections if isinstance(section, SplineSection)}
    stations = c.built.stations
    positions = np.array([st.s for st in stations])
    at = c.built.centreline.curvature(positions)
    curvature = np.linalg.norm(c.state.curve[:, 2], axis=-1)
    count = len(stations)
    for k in range(count if c.built.track.closed else count - 1):
        start = positions[k]
        end = positions[k + 1] if k + 1 < count else c.built.length
        if c.built.section_at(0.5 * (start + end)) not in splines:
            continue
        inside = np.flatnonzero((c.s > start) & (c.s < end))
        if not len(inside):
            continue
        near = (
            [at[j % count] for j in range(k - 1, k + 3)]
            if c.built.track.closed
            else at[max(k - 1, 0) : k + 3]
        )
        peak = int(inside[np.argmax(curvature[inside])])
        if curvature[peak] > SPIKE_FACTOR * max(near) + MIN_SPIKE:
            c.add(
                "curvature_spike",
                "warning",
                float(c.s[peak]),
                say(
                    "After {station} the curvature rises to {peak:.3f 1/m}, far above that at the points around; space"
                    " the points more evenly or ease the curve in.",
                    station=stations[k].label, peak=curvature[peak],
                ),
            )  # fmt: skip


def _rate_findings(c: _Checker, rate: Array, jump: Array, curvature: Array) -> None:
    for k in c.stretches(rate > CANT_RATE_LIMIT, rate):
        c.add(
            "cant_rate",
            "warning",
            float(c.s[k]),
            say(
                "The track rolls by {rate:.1f deg a metre} (more than {limit:.0f (deg a metre)}); spread the change of"
                " cant.",
                rate=rate[k], limit=CANT_RATE_LIMIT,
            ),
        )  # fmt: skip
    for k in c.stretches(jump > JUMP_LIMIT, jump)[:MAX_OF_A_KIND]:
        c.add(
            "curvature_jump",
            "warning",
            float(c.s[k]),
            say(
                "The curvature changes by {jump:.3f 1/m} within {within:.0f m}; ease the curve in.",
                jump=jump[k], within=JUMP_DISTANCE,
            ),
        )  # fmt: skip
    for k in c.stretches(curvature > 1.0 / TIGHT_RADIUS, curvature):
        c.add(
            "tight_curve",
            "warning",
            float(c.s[k]),
            say(
                "The track bends with a radius of {radius:.2f m}, tighter than {limit:.0f m}.",
                radius=1.0 / curvature[k], limit=TIGHT_RADIUS,
            ),
        )  # fmt: skip


def _ground_findings(c: _Checker) -> None:
    shallow = c.built.track.clearance.depth_below  # the rails themselves are still above the ground
    for stretch in ground_stretches(c.built):
        end = float(c.built.centreline.wrap(stretch.s1)[0])
        what = "runs in a tunnel" if stretch.kind == "tunnel" else "is in the ground"
        c.add(
            "ground",
            "note" if stretch.kind == "tunnel" or stretch.deepest < shallow else "warning",
            stretch.s0,
            say(
                "The clearance envelope {what} from {begin:.0f (m)} to {end:.0f m}, up to {deep:.1f m} deep.",
                what=what, begin=stretch.s0, end=end, deep=stretch.deepest,
            ),
        )  # fmt: skip


def _gauge_error(c: _Checker) -> float:
    left, right = c.built.rail_of_centreline(c.s)
    apart = (
        c.built.paths["left_rail"].sample(left)[:, 0, :3]
        - c.built.paths["right_rail"].sample(right)[:, 0, :3]
    )
    error = np.abs(np.linalg.norm(apart, axis=1) - c.built.track.gauge)
    k = int(np.argmax(error))
    if error[k] > GAUGE_ERROR and c.built.track.as_built == RailsAsBuilt():
        text = say("The rails are {off:.4f mm} off the gauge.", off=error[k])
        c.add("gauge", "error", float(c.s[k]), text)
    return float(error[k])


def _inversions(up: Array) -> int:
    count, inverted = 0, False
    for z in up:
        if not inverted and z < INVERTED:
            count, inverted = count + 1, True
        elif inverted and z > UPRIGHT:
            inverted = False
    return count


def shape_along(built: BuiltTrack) -> dict[str, Array]:
    """What findings on the shape of a track are about, along it: places s (n,) m, curvature (1/m), its jump within
    JUMP_DISTANCE ahead (1/m), cant_rate (rad/m)."""
    c = _Checker(built)
    return {
        "s": c.s,
        "curvature": np.linalg.norm(c.state.curve[:, 2], axis=-1),
        "jump": _curvature_jump(c),
        "cant_rate": np.abs(c.state.twist[:, 0]),
    }


def check_track(track: Track, built: BuiltTrack | None = None) -> TrackReport:
    """Figures and findings of a track.

    Parameters
    ----------
    track
        As described.
    built
        The built track if it is at hand; otherwise it is built here.

    Returns
    -------
    Figures (m, rad, 1/m) with their places, and findings sorted by place.

    Raises
    ------
    InputError
        For a track that cannot be built.
    """
    built = build_track(track) if built is None else built
    c = _Checker(built)
    bend = c.state.curve[:, 2]
    curvature = np.linalg.norm(bend, axis=-1)
    jump = _curvature_jump(c)
    rate = np.abs(c.state.twist[:, 0])
    _table_findings(c)
    _line_kinks(c)
    _join_findings(c)
    _point_findings(c)
    _spike_findings(c)
    _rate_findings(c, rate, jump, curvature)
    _ground_findings(c)
    gauge_error = _gauge_error(c)
    for one in self_approaches(built)[:MAX_OF_A_KIND]:
        side = "left" if one.across >= 0.0 else "right"
        level = "above" if one.above >= 0.0 else "below"
        c.add(
            "self_approach",
            "error",
            one.s,
            say(
                "The track at s = {other:.1f m} enters the clearance envelope of s = {s:.1f m} ({across:.2f m} to the"
                " {side}, {above:.2f m} {level} the rails); move the two apart.",
                other=one.other_s, s=one.s, across=abs(one.across), side=side, above=abs(one.above), level=level,
            ),
        )  # fmt: skip
    height = c.state.curve[:, 0, 2]
    return TrackReport(
        name=track.name,
        closed=track.closed,
        length=built.length,
        left_rail_length=built.paths["left_rail"].length,
        right_rail_length=built.paths["right_rail"].length,
        lowest=c.extreme(height, smallest=True),
        highest=c.extreme(height),
        smallest_radius=c.radius(curvature),
        smallest_vertical_radius=c.radius(np.abs(np.sum(bend * c.state.up, axis=-1))),
        smallest_lateral_radius=c.radius(np.abs(np.sum(bend * c.state.left, axis=-1))),
        largest_cant=c.extreme(np.abs(c.state.cant)),
        largest_cant_rate=c.extreme(rate),
        largest_curvature_jump=c.extreme(jump),
        gauge_error=gauge_error,
        inversions=_inversions(c.state.up[:, 2]),
        findings=tuple(sorted(c.findings, key=lambda f: f.s or 0.0)),
    )
