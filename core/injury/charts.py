"""What the charts of acceleration limits show: held g against duration, and pairs of axes with their figure.

Pure data for whoever draws: the studio and the report use the same values.
"""

from __future__ import annotations

from dataclasses import dataclass

from ..base.arrays import Array
from ..base.errors import InputError
from ..base.evaluation import EvaluationOptions
from .criteria.base import Signals
from .filters import FilterName
from .held_level import duration_grid, held_levels
from .held_limit import worst_held
from .history import History
from .intervals import Interval
from .limits import Confidence
from .rider_axes import DIRECTIONS, Direction
from .standards.combined import (
    axes_of,
    figure,
    pair_limits,
    quadrant_limits,
    used_by_pair,
)
from .standards.curves import choose_curve, held_against, table_filter, unfit
from .standards.files import load_table
from .standards.table import AccelerationTable, AxisPair


@dataclass(frozen=True, eq=False)
class LimitCurve:
    """A curve to draw: name; title, which says so when the curve is not confirmed; confidence; source; rule; duration
    (m,) s and level (m,) g, corners joined by straight lines on linear axes (draw them as given on any axes)."""

    name: str
    title: str
    confidence: Confidence
    source: str
    rule: str
    duration: Array
    level: Array


@dataclass(frozen=True)
class WorstPoint:
    """Where the least of a curve is left: its name, duration s, level and limit g, margin, time (start, end) s and
    arc length m (None without a track)."""

    curve: str
    duration: float
    level: float
    limit: float
    margin: float
    time: Interval
    arc_length: float | None


@dataclass(frozen=True, eq=False)
class DurationChart:
    """Held g against duration in one direction.

    direction; filter of the signal; duration (k,) s, logarithmic; level (k,) g held at least that long (negative: never
    loaded that way so long); start, end (k,) s of the stretch; limits, those that count for the rider; worst over all
    of them, None without limits; exceeded: intervals (s) in which any is exceeded; note.
    """

    direction: Direction
    filter: FilterName
    duration: Array
    level: Array
    start: Array
    end: Array
    limits: tuple[LimitCurve, ...]
    worst: WorstPoint | None
    exceeded: tuple[Interval, ...]
    note: str


@dataclass(frozen=True, eq=False)
class EggChart:
    """The loads of two axes with the figure they must stay in.

    pair, e.g. "GyGz"; labels of both axes; filter; title, which says so when the limit is not confirmed; confidence;
    source; rule; figure (m, 2) g, closed, or None when the table has no rule for the pair; time (n,) s; samples (n, 2)
    g; arc_length (n,) m or None; used (n,) part of the limit used (None without figure); hold (s): a load counts when
    held that long; worst: the level of `used` that is held so long, with its time and arc length; exceeded: intervals
    (s) outside the figure for longer than hold.
    """

    pair: AxisPair
    labels: tuple[str, str]
    filter: FilterName
    title: str
    confidence: Confidence
    source: str
    rule: str
    figure: Array | None
    time: Array
    samples: Array
    arc_length: Array | None
    used: Array | None
    hold: float
    worst: WorstPoint | None
    exceeded: tuple[Interval, ...]


def duration_charts(
    history: History, standard: str = "astm_f2291", options: EvaluationOptions | None = None
) -> tuple[DurationChart, ...]:
    """Charts of held g against duration, one per direction in the order of `DIRECTIONS`.

    Parameters
    ----------
    history
        As `History` describes, gravity in.
    standard
        Id of a table of acceleration limits ("astm_f2291", "en13814_gb8408", "sustained_g_brulle",
        "nasa_std_3001", "eiband", ...; see `core.injury.standards.files`).
    options
        Restraint and editions.

    Returns
    -------
    The charts.

    Raises
    ------
    InputError
        For an unknown table, a record without gravity, or one too short.
    """
    table, signals = load_table(standard), _signals(history, options)
    return tuple(_duration_chart(table, signals, direction) for direction in DIRECTIONS)


def egg_charts(
    history: History, standard: str = "astm_f2291", options: EvaluationOptions | None = None
) -> tuple[EggChart, ...]:
    """Charts of the loads of two axes, for the pairs GxGy, GxGz and GyGz.

    Parameters
    ----------
    history
        As `History` describes, gravity in.
    standard
        Id of a table of acceleration limits.
    options
        Restraint and editions.

    Returns
    -------
    The charts. A pair for which the table has no rule comes without figure, used and worst.

    Raises
    ------
    InputError
        As `duration_charts`.
    """
    table, signals = load_table(standard), _signals(history, options)
    pairs: tuple[AxisPair, ...] = ("GxGy", "GxGz", "GyGz")
    limits = {} if table.combined is None else quadrant_limits(table, table.combined, signals)
    return tuple(_egg_chart(table, signals, pair, limits) for pair in pairs)


def _signals(history: History, options: EvaluationOptions | None) -> Signals:
    if not history.contains_gravity:
        raise InputError("Acceleration limits hold for records with gravity; this one has it taken out.")
    return Signals(history, options)


def _duration_chart(table: AccelerationTable, signals: Signals, direction: Direction) -> DurationChart:
    history, name = signals.history, table_filter(table, signals)
    limits: list[LimitCurve] = []
    worst: WorstPoint | None = None
    exceeded: list[Interval] = []
    notes: list[str] = []
    corners: list[float] = []
    for of, series in table.series():
        chosen = choose_curve(table, direction, series, signals) if of == direction else None
        if chosen is None:
            continue
        d, g = chosen.curve.corners()
        limits.append(
            LimitCurve(
                name=chosen.curve.name,
                title=f"{table.short} {chosen.curve.name}" + table.doubt(chosen.curve),
                confidence=chosen.curve.confidence or table.confidence,
                source=table.source,
                rule=chosen.curve.rule,
                duration=d,
                level=g,
            )
        )
        corners += [point[0] for point in chosen.curve.points]
        notes += [text for text in (chosen.why, chosen.curve.note) if text]
        if why := unfit(table, float(d[0]), signals, name):
            notes.append(f"{chosen.curve.name}: {why}")
            continue
        held = held_against(table, chosen.curve, signals, direction)
        exceeded += held.exceeded
        if worst is None or 1.0 - held.used < worst.margin:
            place = history.arc_length_at(held.start, held.end)
            worst = WorstPoint(
                chosen.curve.name, held.duration, held.level, held.limit, 1.0 - held.used,
                (held.start, held.end), place,
            )  # fmt: skip
    grid = duration_grid(history.time, corners)
    level, start, end = held_levels(history.time, signals.directional(direction, name), grid)
    return DurationChart(
        direction=direction,
        filter=name,
        duration=grid,
        level=level,
        start=start,
        end=end,
        limits=tuple(limits),
        worst=worst,
        exceeded=tuple(sorted(set(exceeded))),
        note="; ".join(dict.fromkeys(notes)),
    )


def _egg_chart(
    table: AccelerationTable, signals: Signals, pair: AxisPair, limits: dict[Direction, float]
) -> EggChart:
    history, name, rule = signals.history, table_filter(table, signals), table.combined
    first, second = ("xyz".index(axis) for axis in axes_of(pair))
    samples = signals.acceleration(name)[:, [first, second]]
    sizes = None if rule is None or pair not in rule.pairs else pair_limits(limits, pair)
    outline = used = worst = None
    exceeded: tuple[Interval, ...] = ()
    if rule is not None and sizes is not None:
        outline = figure(sizes, rule)
        used = used_by_pair(samples[:, 0], samples[:, 1], sizes, rule)
        if not unfit(table, rule.hold, signals, name):
            held = worst_held(history.time, used, [rule.hold], [1.0])
            exceeded = held.exceeded
            worst = WorstPoint(
                f"{table.short} {pair}", held.duration, held.level, 1.0, 1.0 - held.used,
                (held.start, held.end), history.arc_length_at(held.start, held.end),
            )  # fmt: skip
    return EggChart(
        pair=pair,
        labels=(f"G{pair[1]} / g", f"G{pair[3]} / g"),
        filter=name,
        title=f"{table.short} {pair[:2]} and {pair[2:]}" + table.doubt(),
        confidence=table.confidence,
        source=table.source,
        rule="" if outline is None or rule is None else rule.rule,
        figure=outline,
        time=history.time,
        samples=samples,
        arc_length=history.arc_length,
        used=used,
        hold=0.0 if rule is None else rule.hold,
        worst=worst,
        exceeded=exceeded,
    )
