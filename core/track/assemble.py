"""From laid sections to the curve with its roll: the centreline, where its nodes lie, the roll law."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ..base.arrays import Array
from ..base.errors import InputError
from ..base.sentence import say
from ..base.where import section_where
from .centreline import Centreline, make_centreline
from .course import Laid, lay
from .description import Section, SplineSection
from .laying import FittedTable, Laying
from .programs.leg import ElementLeg
from .roll import TableRoll, reference_cant, roll_law, usable

WEAKEST = 0.1  # part of an orientation vector perpendicular to the track that is needed to tell the roll


def _row_rolls(line: Centreline, fitted: FittedTable, s: Array) -> tuple[Array, Array]:
    """Roll (rad, continuous) against the rotation-minimising vector and place of the rows that tell it."""
    section, kept = fitted.section, fitted.kept
    state = line.state(s)
    if section.cant is not None:
        cants = np.array([np.nan if section.cant[i] is None else section.cant[i] for i in kept], dtype=float)
        good = np.isfinite(cants) & usable(line, s)
        rolls = cants[good] - reference_cant(line, s[good])
        return s[good], np.unwrap(rolls)
    vectors = np.array(section.left if section.left is not None else section.up)[kept]
    size = np.linalg.norm(vectors, axis=-1)
    if np.any(size < 1e-6):
        row = int(kept[int(np.argmin(size))]) + 1
        raise InputError(
            f"Section '{section.name}', row {row}: the orientation vector is zero; give its direction.",
            section_where(section.name),
        )
    t = state.tangent
    left = vectors if section.left is not None else np.cross(vectors, t)
    left = left - np.sum(left * t, axis=-1, keepdims=True) * t
    part = np.linalg.norm(left, axis=-1) / size
    if np.any(part < WEAKEST):
        row = int(kept[int(np.argmin(part))]) + 1
        raise InputError(
            f"Section '{section.name}', row {row}: the orientation vector points along the track; give left or up.",
            section_where(section.name),
        )
    side = np.cross(t, state.reference)
    rolls = np.arctan2(np.sum(left * side, -1), np.sum(left * state.reference, -1))
    return s, np.unwrap(rolls)


def table_rolls(
    line: Centreline, placed: Sequence[tuple[FittedTable, Array]], gauge: float, *, whole: bool
) -> list[TableRoll]:
    """Smoothed rolls of all table sections that tell their roll, one for every run that continues.

    placed: table sections in running order, each with the arc lengths (k,) m of its kept rows. whole: the tables
    are the entire closed track and the frame has to close.
    Raises InputError naming the row whose vector is zero or along the track.
    """
    runs: list[list[tuple[FittedTable, Array]]] = []
    for fitted, s in placed:
        joined = fitted.section.continues and runs and fitted.leg == runs[-1][-1][0].leg + 1
        if joined:
            runs[-1].append((fitted, s))
        else:
            runs.append([(fitted, s)])
    rolls = [_run_roll(line, run, gauge, whole) for run in runs]
    return [roll for roll in rolls if roll is not None]


def _run_roll(
    line: Centreline, run: list[tuple[FittedTable, Array]], gauge: float, whole: bool
) -> TableRoll | None:
    """Smoothed roll of a run of tables, or None when its rows say nothing about it.

    The angle tolerance is the one that moves a rail by the tolerance of the run: tolerance / (gauge / 2).
    """
    from .table_fit import smooth  # brings scipy along, which other tracks do without

    messages = [
        _row_rolls(line, fitted, s)
        for fitted, s in run
        if (fitted.section.left, fitted.section.up, fitted.section.cant) != (None, None, None)
    ]
    if sum(len(s) for s, _ in messages) < 6:
        return None
    positions = np.concatenate([s for s, _ in messages])
    rolls = np.unwrap(np.concatenate([roll for _, roll in messages]))
    tolerance = min(fitted.section.tolerance for fitted, _ in run) / (0.5 * gauge)
    if whole:
        closing = 2.0 * np.pi * np.round((rolls[-1] - rolls[0] + line.holonomy) / (2.0 * np.pi))
        rate = (closing - line.holonomy) / line.length
        loop = np.append(positions, positions[0] + line.length)
        fit = smooth(loop, (rolls - rate * positions)[:, None], tolerance, closed=True)
        drift = rate
    else:
        fit = smooth(positions, rolls[:, None], tolerance, closed=False)
        drift = 0.0
    coef = np.zeros((len(fit.coef), 8))
    coef[:, :6] = fit.coef[:, :, 0]
    coef[:, 0] += drift * fit.breaks[:-1]
    coef[:, 1] += drift
    breaks = fit.breaks.copy()
    if whole:
        breaks[[0, -1]] = 0.0, line.length
    return TableRoll(breaks, coef)


CLOSEST_CANTS = 0.05  # m; the cant of a control point nearer than this to a roll point gives way to it
SHORTEST = 0.1  # m; nothing can be ridden on less
LONGEST = 20_000.0  # m; the longest coaster is 4 km, anything beyond is a mistake in the numbers


@dataclass(frozen=True)
class FitReport:
    """How well a table section was fitted: largest distance (m) of a row from the curve, that row (counted from
    1), the arc length s (m) there, the tolerance (m) and the numbers of the rows left out (coincident or
    running backward)."""

    section: str
    largest_deviation: float
    row: int
    s: float
    tolerance: float
    dropped_rows: tuple[int, ...]


@dataclass(frozen=True)
class Assembled:
    """The curve of laid sections: line with its roll, node_s (n,) m of every node, fits of the tables, borders
    (sections + 1,) m."""

    line: Centreline
    node_s: Array
    fits: tuple[FitReport, ...]
    borders: list[float]


def _fit_report(line: Centreline, fitted: FittedTable, positions: Array) -> FitReport:
    worst = int(np.argmax(fitted.deviation))
    return FitReport(
        fitted.section.name,
        float(fitted.deviation[worst]),
        int(fitted.kept[worst]) + 1,
        float(positions[worst]),
        fitted.section.tolerance,
        fitted.dropped,
    )


def _cants(
    sections: tuple[Section, ...], nodes: list[tuple[float, float | None]], borders: list[float]
) -> tuple[Array, Array, Array]:
    """Arc lengths (n,) m, cants (n,) rad and their derivatives (n, 3), NaN where free, of all points that prescribe
    a cant, in running order."""
    free = (np.nan, np.nan, np.nan)
    rolls = [
        (s0 + point.at, point.cant, *(free if point.rates is None else point.rates))
        for section, s0, s1 in zip(sections, borders[:-1], borders[1:], strict=True)
        if isinstance(section, SplineSection)
        for point in section.roll_points
        if s0 + point.at < s1
    ]
    taken = np.array([roll[0] for roll in rolls])
    given = [
        (s, cant, *free)
        for s, cant in nodes
        if cant is not None and not (rolls and np.any(np.abs(taken - s) < CLOSEST_CANTS))
    ]
    table = np.array(sorted(given + rolls), dtype=float).reshape(-1, 5)
    return table[:, 0], table[:, 1], table[:, 2:]


def _element_rolls(line: Centreline, laying: Laying, node_s: Array) -> list[TableRoll]:
    """Rolls of the element legs: what they turn since their start, on top of the roll they start with."""
    positions = [k for k, leg in enumerate(laying.course.legs) if isinstance(leg, ElementLeg)]
    if not positions:
        return []
    state = line.state(node_s[positions])
    side = np.cross(state.tangent, state.reference)
    rolls = []
    for i, k in enumerate(positions):
        leg = laying.course.legs[k]
        assert isinstance(leg, ElementLeg)
        angle = float(np.arctan2(leg.left @ side[i], leg.left @ state.reference[i]))
        s = node_s[k] + leg.u
        s[-1] = node_s[k + 1] if k + 1 < len(node_s) else line.length
        coef = leg.roll.copy()
        coef[:, 0] += angle
        rolls.append(TableRoll(s, coef, steady=True))
    return rolls


def assemble(laying: Laying, *, closed: bool) -> Assembled:
    """Draw what has been laid and give it its roll.

    Raises InputError for tracks that cannot be built; see `build_track`.
    """
    laid: Laid = lay(laying.course)
    if laid.u[-1] > LONGEST:
        raise InputError(
            say(
                "The track is {length:.0f km} long, at most {most:.0f km} are allowed; positions are in metres.",
                length=laid.u[-1],
                most=LONGEST,
            )
        )
    if laid.u[-1] < SHORTEST:
        raise InputError(
            say(
                "The track is {length:.2g m} long, at least {least:g m} are needed; positions are in metres.",
                length=laid.u[-1],
                least=SHORTEST,
            )
        )
    line = make_centreline(laid.u, laid.coef, closed)
    node_s = line.arc_length_of(laid.node_u)
    placed = [
        (fitted, line.arc_length_of(np.minimum(laid.node_u[fitted.leg] + fitted.u, laid.u[-1])))
        for fitted in laying.tables
    ]
    fits = tuple(_fit_report(line, fitted, positions) for fitted, positions in placed)
    tables = table_rolls(line, placed, laying.track.gauge, whole=closed and laying.alone)
    tables = sorted([*tables, *_element_rolls(line, laying, node_s)], key=lambda roll: float(roll.s[0]))
    borders = [*(float(node_s[k]) for k in laying.starts), line.length]
    nodes = [(float(s), node.cant) for s, node in zip(node_s, laying.course.nodes, strict=True)]
    given = _cants(laying.track.sections[: len(laying.starts)], nodes, borders)
    line = line.with_roll(roll_law(line, given[0], given[1], tables, given[2]))
    return Assembled(line, node_s, fits, borders)
