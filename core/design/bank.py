"""Auto-bank: the cant that takes the lateral load off the riders at the speed they have.

Where the lateral load at a height h above the track is to be f, the cant c(s) obeys a differential equation of
second order, because the heartline swings with the roll: with k the curvature vector of the centreline, w the turn
rate of the horizontal frame, l and u left and up, v the speed and a its rate,

    v^2 (k.l - 2 h' (c' + w) - h (c'' + w' + (k.u)(k.l))) - a h (c' + w) - g.l = f.

It is a boundary value problem like that of an upright pendulum: the roll begins a little before the curve does.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray
from scipy.interpolate import BSpline, make_interp_spline
from scipy.linalg import solve_banded

from ..base.arrays import Array
from ..base.errors import InputError
from ..base.sentence import say
from ..edits.changes import changed
from ..edits.places import section_named
from ..edits.points import with_section
from ..project.project import Project
from ..track.build import BuiltTrack, build_track
from ..track.description import RollPoint, SplineSection
from ..track.heartline import heartline_heights
from ..track.roll import STEEPEST, horizontal_rates
from .loads import heartline_loads, heights_law, refuse_weightless

SpeedOf = Callable[[BuiltTrack, Array], tuple[Array, Array]]
SPACING = 0.25  # m, of the grid of the boundary value problem
NEWTON_STEPS = 30
FIRST_GAP = 8.0  # m between roll points to begin with
MIN_GAP = 1.0  # m between roll points at the densest
LEAD = 15.0  # m, at most, over which the found cant goes over into that of the neighbour
OVERLAP = 60.0  # m a circuit is solved beyond its seam; what the far ends do has died away there
JUST_BEFORE = (
    0.01  # m before its end a section's last roll point lies; it holds there instead of the next cant
)
USUAL_LOAD = 3.0  # g, of a banked curve
ROUNDS = 5
PASSES = 3  # the cant moves the heartline, and with it the speed


@dataclass(frozen=True)
class BankWish:
    """What is wanted: lateral load (g, positive pushes to the left), at most max_cant (rad), at most roll_speed
    (rad/s) by which the cant changes in time, tolerance (g) to which the roll points follow the found cant."""

    lateral: float = 0.0
    max_cant: float = float(np.radians(120.0))
    roll_speed: float | None = None
    tolerance: float = 0.02


@dataclass(frozen=True)
class BankReport:
    """What auto-bank did: largest |lateral load - wanted| (g) in the chosen sections before and after and where it is
    left (s, m), the largest lateral load (g) on the leads to them, largest cant (rad) and roll speed (rad/s), roll
    points set, and where limits stood in the way."""

    before: float
    after: float
    worst_s: float
    on_leads: float
    largest_cant: float
    largest_roll_speed: float
    roll_points: int
    notes: tuple[str, ...]


@dataclass(frozen=True)
class _Run:
    """Neighbouring chosen sections without a steep place: grid s (n,) m, the cant found there (n,) rad, and the load
    (n,) g that a rad/m^2 of bending of the cant makes by swinging the heartline."""

    s: Array
    cant: Array
    swing: Array


def auto_bank(
    project: Project,
    sections: Sequence[str],
    speed_of: SpeedOf,
    *,
    wish: BankWish | None = None,
    height: float | None = None,
) -> tuple[Project, BankReport]:
    """Cant spline sections so that a rider at heart height feels the wanted lateral load.

    speed_of(built, s (n,) m) gives speed (m/s) and its rate (m/s^2) there, from a point ride for example; height (m)
    of the riders above the track, None for its heartline. The roll begins and ends up to 15 m outside the chosen
    sections where the neighbour is a spline, and goes over smoothly into the cant the track has there. The sections
    get roll points instead of the cants of their control points; steep places (loops) stay as they are. Raises
    InputError for sections of another kind, sections that are steep throughout, and where the ride has no speed.
    """
    wish = BankWish() if wish is None else wish
    if project.track is None:
        raise InputError("This project has no track to bank; add one.")
    refuse_weightless(project)
    for name in sections:
        section = section_named(project.track, name)
        if not isinstance(section, SplineSection):
            raise InputError(
                f"Section '{name}' is a {section.kind}; turn it into control points to bank it by the ride."
            )
    built = after = build_track(project.track, ride=False)
    notes: list[str] = []
    stretches = _stretches(built, sections)
    if not stretches:
        raise InputError("The chosen sections are steep throughout; there is nothing to bank.")
    banked, runs = project, []
    for _ in range(PASSES):
        notes.clear()
        runs = [
            _solve(built, s, share, _speeds(after, s, speed_of), wish, height, project, notes)
            for s, share in stretches
        ]
        banked, after, knots = _followed(project, built, runs, wish.tolerance)
    s = np.concatenate([run.s for run in runs])
    first, _ = _error(built, s, speed_of, wish, height, project)
    error, speed = _error(after, s, speed_of, wish, height, project)
    inside = np.array([built.section_at(float(position)) in sections for position in s])
    k = int(np.argmax(np.where(inside, np.abs(error), -1.0)))
    report = BankReport(
        before=float(np.abs(first[inside]).max()),
        after=float(np.abs(error[k])),
        worst_s=float(s[k]),
        on_leads=float(np.abs(error[~inside] + wish.lateral).max(initial=0.0)),
        largest_cant=float(np.abs(after.centreline.cant(s)).max()),
        largest_roll_speed=float(np.abs(after.centreline.cant_rate(s) * speed).max()),
        roll_points=sum(len(knot) for knot in knots),
        notes=tuple(dict.fromkeys(notes)),
    )
    return banked, report


def _speeds(built: BuiltTrack, s: Array, speed_of: SpeedOf) -> tuple[Array, Array]:
    """Speed (m/s) and its rate (m/s^2) at s (n,) m; InputError where the ride has none."""
    speed, rate = speed_of(built, built.centreline.wrap(s))
    if np.any(speed <= 0.1):
        where = float(s[int(np.argmin(speed))])
        raise InputError(
            say(
                "The ride comes to rest at {where:.0f m}; it needs speed where the track is banked.",
                where=where,
            )
        )
    return speed, rate


def _followed(
    project: Project, built: BuiltTrack, runs: list[_Run], tolerance: float
) -> tuple[Project, BuiltTrack, list[Array]]:
    """The project with as many roll points as follow the found cants within the tolerance (g), built, and their
    places (m)."""
    knots = [_first_knots(run, built) for run in runs]
    banked, after = project, built
    for _ in range(ROUNDS):
        banked = _with_roll_points(project, built, runs, knots)
        assert banked.track is not None
        after = build_track(banked.track, ride=False)
        finer = [_finer(after, run, knot, tolerance) for run, knot in zip(runs, knots, strict=True)]
        if all(len(a) == len(b) for a, b in zip(finer, knots, strict=True)):
            break
        knots = finer
    return banked, after, knots


def _error(
    built: BuiltTrack, s: Array, speed_of: SpeedOf, wish: BankWish, height: float | None, project: Project
) -> tuple[Array, Array]:
    """Lateral load less the wanted one (n,) g, and the speed (n,) m/s."""
    s = built.centreline.wrap(s)
    speed, rate = speed_of(built, s)
    loads = heartline_loads(built, s, speed, rate, height, np.array(project.gravity))
    return loads[:, 1] - wish.lateral, speed


def _joined(built: BuiltTrack, sections: Sequence[str]) -> list[tuple[float, float]]:
    """Ranges (m) of neighbouring chosen sections; on a closed track one may run on over the seam."""
    joined: list[list[float]] = []
    for span in built.sections:
        if span.name not in sections:
            continue
        if joined and abs(joined[-1][1] - span.s0) < 1e-9:
            joined[-1][1] = span.s1
        else:
            joined.append([span.s0, span.s1])
    if built.track.closed and len(joined) > 1 and joined[0][0] == 0.0 and joined[-1][1] == built.length:
        joined[-1][1] += joined.pop(0)[1]
    return [(a, b) for a, b in joined]


def _stretches(built: BuiltTrack, sections: Sequence[str]) -> list[tuple[Array, Array]]:
    """Grids (n,) m over neighbouring chosen sections and a lead on both sides, cut where the track is steep, and the
    share (n,) in [0, 1] the found cant has there.

    The share falls to zero over the lead, inside the stretch where there is none outside. The top of a loop stays as
    it is. A circuit chosen as a whole has no leads: it runs on over its seam on both sides, or, with a steep place,
    once round from there.
    """
    out = []
    for a, b in _joined(built, sections):
        whole = built.track.closed and b - a > built.length - 1e-9
        low, high = (a - OVERLAP, b + OVERLAP) if whole else (_lead(built, a, -1), _lead(built, b, 1))
        s, level = _level(built, low, high)
        if whole and level.all():
            out.append((s, np.ones(len(s))))
            continue
        if whole:
            a = float(s[int(np.argmin(level))])
            b = a + built.length
            s, level = _level(built, a, b)
        edges = np.flatnonzero(np.diff(np.concatenate([[False], level, [False]]).astype(np.int8)))
        for i, j in zip(edges[::2], edges[1::2], strict=True):
            upright = np.cos(built.centreline.cant(s[[i, j - 1]])).min() > 0.0  # not the top of a loop
            if j - i >= 8 and s[j - 1] > a and s[i] < b and upright:
                out.append((s[i:j], _share(s[i:j], a, b)))
    return out


def _level(built: BuiltTrack, low: float, high: float) -> tuple[Array, NDArray[np.bool_]]:
    """Grid s (n,) m from low to high, and where the track is not steep there (n,)."""
    s = np.linspace(low, high, max(8, round((high - low) / SPACING)) + 1)
    return s, np.abs(built.centreline.derivatives(s)[:, 1, 2]) < STEEPEST


def _lead(built: BuiltTrack, border: float, side: int) -> float:
    """Where the lead from a border (m) before (-1) or behind (+1) a stretch ends; at the border next to anything
    but a spline. Two stretches may lead into the same section: each takes less than half of it."""
    inside = float(built.centreline.wrap(border + 1e-6 * side)[0])
    span = next((span for span in built.sections if span.s0 <= inside < span.s1), None)
    if span is None or abs(inside - border) < 1e-9:
        return border
    kind = next(section.kind for section in built.track.sections if section.name == span.name)
    return border + side * min(LEAD, 0.45 * (span.s1 - span.s0)) if kind == "spline" else border


def _share(s: Array, a: float, b: float) -> Array:
    """Smooth step (degree 7, flat to the third derivative) up over the lead-in and down over the lead-out."""

    def step(x: Array) -> Array:
        x = np.clip(x, 0.0, 1.0)
        value: Array = x**4 * (35.0 - 84.0 * x + 70.0 * x**2 - 20.0 * x**3)
        return value

    lead_in = max(a - s[0], min(LEAD, 0.3 * (s[-1] - s[0])) if a - s[0] < 0.5 * LEAD else 0.0)
    lead_out = max(s[-1] - b, min(LEAD, 0.3 * (s[-1] - s[0])) if s[-1] - b < 0.5 * LEAD else 0.0)
    return step((s - s[0]) / lead_in) * step((s[-1] - s) / lead_out)


def _solve(
    built: BuiltTrack,
    s: Array,
    share: Array,
    speeds: tuple[Array, Array],
    wish: BankWish,
    height: float | None,
    project: Project,
    notes: list[str],
) -> _Run:
    """The cant on one stretch: boundary value problem by Newton's method on central differences."""
    v, a = speeds
    line = built.centreline
    state = line.state(s)
    t, k = state.curve[:, 1], state.curve[:, 2]
    flat = np.stack([-t[:, 1], t[:, 0], np.zeros(len(t))], axis=1)
    flat /= np.linalg.norm(flat, axis=1, keepdims=True)
    rise = np.cross(t, flat)
    turn = horizontal_rates(line, s)
    gravity = np.array(project.gravity)
    g = float(np.linalg.norm(gravity))
    h, h1, _ = heartline_heights(heights_law(built, height), line.wrap(s)).T
    before = np.unwrap(line.cant(s))
    cant = before.copy()
    step = float(s[1] - s[0])

    def equation(c: Array) -> tuple[Array, Array, Array]:
        """Residual at the inner places (m/s^2), and its derivatives by the cant there and by its rate."""
        left = np.cos(c)[:, None] * flat + np.sin(c)[:, None] * rise
        up = -np.sin(c)[:, None] * flat + np.cos(c)[:, None] * rise
        kl, ku = np.sum(k * left, axis=1), np.sum(k * up, axis=1)
        gl, gu = left @ gravity, up @ gravity
        rate, bend = np.gradient(c, step), np.zeros(len(c))
        bend[1:-1] = (c[2:] - 2.0 * c[1:-1] + c[:-2]) / step**2
        damping = 2.0 * v**2 * h1 + a * h
        residual = v**2 * (kl - h * (bend + turn[:, 1] + ku * kl)) - damping * (rate + turn[:, 0]) - gl
        slope = v**2 * (ku - h * (ku * ku - kl * kl)) - gu
        return residual - wish.lateral * g, slope, -damping

    for _ in range(NEWTON_STEPS):
        residual, slope, by_rate = equation(cant)
        bands = np.zeros((3, len(s)))
        bands[1, [0, -1]] = 1.0
        inner = slice(1, -1)
        bands[1, inner] = np.maximum(slope[inner], 1.0) + 2.0 * (h * v**2)[inner] / step**2
        bands[0, 2:] = (-h * v**2 / step**2 + by_rate / (2.0 * step))[inner]
        bands[2, :-2] = (-h * v**2 / step**2 - by_rate / (2.0 * step))[inner]
        right = -residual
        right[[0, -1]] = 0.0
        change = np.clip(solve_banded((1, 1), bands, right), -0.5, 0.5)
        cant = cant + change
        if np.abs(change).max() < 1e-9:
            break
    else:
        notes.append(f"No balanced cant was found near {s[len(s) // 2]:.0f} m; the closest one is used.")
    swing = np.abs(h) * v**2 / g
    found = _within_limits(s, cant, swing, v, wish, notes)
    return _Run(s, before + share * (found - before), swing)


def _within_limits(
    s: Array, cant: Array, swing: Array, speed: Array, wish: BankWish, notes: list[str]
) -> Array:
    """The cant held to the largest cant and to the roll speed, changed as little as possible, and smooth again.

    Of all courses that never change faster than a bound the middle of the upper and the lower envelope is the one
    whose largest change is smallest; a two-sided exponential average keeps its slope within the bound.
    """
    held = np.clip(cant, -wish.max_cant, wish.max_cant)
    if np.any(held != cant):
        notes.append(f"The cant stands at its limit of {np.degrees(wish.max_cant):.0f} deg in places.")
    if wish.roll_speed is not None:
        time = np.concatenate([[0.0], np.cumsum(np.diff(s) / (0.5 * (speed[1:] + speed[:-1])))])
        budget = time * wish.roll_speed
        upper = np.minimum(
            np.minimum.accumulate(held - budget) + budget,
            (np.minimum.accumulate((held + budget)[::-1])[::-1]) - budget,
        )
        lower = np.maximum(
            np.maximum.accumulate(held + budget) - budget,
            (np.maximum.accumulate((held - budget)[::-1])[::-1]) + budget,
        )
        slowed = 0.5 * (upper + lower)
        if np.abs(slowed - held).max() > 1e-6:
            notes.append(
                f"The roll speed stands at its limit of {np.degrees(wish.roll_speed):.0f} deg/s in places."
            )
        held = slowed
    if np.array_equal(held, cant):
        return cant
    reach = (swing / USUAL_LOAD).clip(0.5, 9.0)  # m^2, about the square of the problem's natural length
    step = float(s[1] - s[0])
    bands = np.zeros((3, len(s)))
    bands[1] = 1.0 + 2.0 * reach / step**2
    bands[0, 1:], bands[2, :-1] = -reach[:-1] / step**2, -reach[1:] / step**2
    bands[1, [0, -1]], bands[0, 1], bands[2, -2] = 1.0, 0.0, 0.0
    ends = held.copy()
    ends[[0, -1]] = cant[[0, -1]]
    smooth: Array = solve_banded((1, 1), bands, ends)
    return smooth


def _first_knots(run: _Run, built: BuiltTrack) -> Array:
    """Evenly spaced places (m) of roll points; over one lap when the stretch runs on over the seam."""
    low, high = float(run.s[0]), float(run.s[-1])
    if high - low > built.length:
        count = max(3, round(2.0 * built.length / FIRST_GAP))
        return np.linspace(low + OVERLAP, high - OVERLAP, count, endpoint=False)
    return np.linspace(low, high, max(2, round((high - low) / FIRST_GAP)) + 1)


def _course(run: _Run) -> BSpline:
    return make_interp_spline(run.s, run.cant, k=5)


def _with_roll_points(project: Project, built: BuiltTrack, runs: list[_Run], knots: list[Array]) -> Project:
    """The project whose sections follow the found cants by roll points at the knots."""
    assert project.track is not None
    for span in built.sections:
        section = section_named(project.track, span.name)
        if not isinstance(section, SplineSection):
            continue  # a stretch ends at its border, where the found cant has no share any more
        rolls: list[RollPoint] = []
        covered: list[tuple[float, float]] = []
        for run, knot in zip(runs, knots, strict=True):
            for lap in (-built.length, 0.0, built.length) if built.track.closed else (0.0,):
                rolls += _rolls(run, knot, lap, span.s0, span.s1)
                covered.append((float(knot[0]) + lap, float(knot[-1]) + lap))
        if not rolls:
            continue

        def free(s: float, taken: list[tuple[float, float]] = covered) -> bool:
            return not any(a - 1e-6 <= s <= b + 2.0 * JUST_BEFORE for a, b in taken)

        positions = built.point_places[span.name]
        points = tuple(
            point if free(position) else point.model_copy(update={"cant": None})
            for point, position in zip(section.points, positions, strict=True)
        )
        rolls += [roll for roll in section.roll_points if free(span.s0 + roll.at)]
        fields = {"points": points, "roll_points": tuple(sorted(rolls, key=lambda roll: roll.at))}
        project = with_section(project, span.name, changed(section, f"Section '{span.name}'", fields))
    return project


def _rolls(run: _Run, knot: Array, lap: float, s0: float, s1: float) -> list[RollPoint]:
    """Roll points of one stretch, moved on by `lap` (m), that lie on a section from s0 to s1 (m), the last one just
    before its end when the stretch goes on there."""
    course = _course(run)
    positions = knot + lap
    last = min(float(positions[-1]), s1 - JUST_BEFORE)
    if last < s0 or positions[0] > last:
        return []
    chosen = [*positions[(positions > s0 - 1e-9) & (positions < last - 0.5 * MIN_GAP)].tolist(), last]
    rolls = []
    for s in chosen:
        first, second, third = (float(course(s - lap, order)) for order in (1, 2, 3))
        rolls.append(
            RollPoint(at=max(0.0, s - s0), cant=float(course(s - lap)), rates=(first, second, third))
        )
    return rolls


def _finer(after: BuiltTrack, run: _Run, knot: Array, tolerance: float) -> Array:
    """Knots with one more in the middle of every gap in which the built roll strays from the found cant, or swings
    the heartline otherwise than it, by more than `tolerance` (g; a radian of cant counts as 3 g)."""
    line = after.centreline
    course = _course(run)
    out = [float(knot[0])]
    for a, b in pairwise(knot.tolist()):
        s = np.linspace(a, b, 9)
        strayed = np.abs(np.angle(np.exp(1j * (line.cant(s) - course(s))))).max()
        bend = np.abs(np.diff(line.cant_rate(s) - course(s, 1))).max() / (s[1] - s[0])
        swung = bend * float(np.interp(0.5 * (a + b), run.s, run.swing))
        if b - a > 2.0 * MIN_GAP and max(3.0 * strayed, swung) > tolerance:
            out.append(0.5 * (a + b))
        out.append(b)
    return np.array(out)
