"""The criteria of a table: one result per direction and series, per pair of axes and per rule."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from ...base.arrays import Array
from ...base.evaluation import EvaluationOptions
from ..criteria.base import Criterion, CriterionTrace, Output, Signals, titled
from ..filters import FilterName
from ..held_limit import worst_held
from ..limits import ScalarLimit
from ..onset import WINDOW
from ..parts import PARTS, SEATED, Part
from ..result import About, CriterionResult
from ..rider_axes import Direction
from . import onsets, reversal, zones
from .combined import axes_of, pair_limits, quadrant_limits, used_by_pair
from .curves import choose_curve, held_against, held_rate, no_impact
from .rules import RuleValue
from .table import (
    AccelerationTable,
    AfterNegativeRule,
    AxisPair,
    Doubtful,
    OnsetRule,
    ReversalRule,
    VerticalOnsetRule,
)

Trace = Callable[[Signals, CriterionResult], CriterionTrace | None]


def table_criteria(table: AccelerationTable, options: EvaluationOptions) -> tuple[Criterion, ...]:
    """Criteria of a table for a rider.

    options: restraint and editions; results are evaluated with the options of the `Signals`, which must be the same.
    """
    if table.editions:
        table.chosen_edition(options)
    already = table.filter == "5 Hz" and options.standard_filter == "none"
    name: FilterName = "none" if already else table.filter
    criteria = [curve_criterion(table, name, direction, series) for direction, series in table.series()]
    if table.combined is not None:
        criteria += [_pair(table, name, pair) for pair in table.combined.pairs]
    if table.reversal is not None:
        criteria += [_reversal(table, name, axis, table.reversal) for axis in table.reversal.axes]
    if table.after_negative is not None:
        criteria.append(_after_negative(table, name, table.after_negative))
    if table.vertical_onset is not None:
        criteria.append(_vertical_onset(table, name, table.vertical_onset))
    if table.onset is not None:
        criteria += [_onset(table, name, axis, table.onset) for axis in table.onset.axes]
    if table.zones is not None:
        criteria.append(_zones(table, name))
    return tuple(criteria)


def _output(
    table: AccelerationTable,
    name: FilterName,
    what: str,
    title: str,
    unit: str,
    definition: str,
    part: Doubtful | None = None,
    **about: Any,
) -> Output:
    """about: what the output is about, as `About` has it; its table is known."""
    delay = "; times are those of the filtered record, 0.08 s late" if name == "5 Hz" else ""
    return Output(
        f"{table.prefix}_{what}",
        f"{_named(table, part)} {title}{table.doubt(part)}",
        unit,
        name,
        group=table.group,
        definition=definition + delay,
        applicability=table.applicability,
        about=About(table=table.prefix, **about),
    )


def _named(table: AccelerationTable, part: Doubtful | None) -> str:
    """The name before titles and rules: the table's, or that of a rule that is no part of it."""
    return (part.short if isinstance(part, OnsetRule) else "") or table.short


def _limit(
    table: AccelerationTable,
    value: float,
    unit: str,
    part: Doubtful | None = None,
) -> ScalarLimit:
    source = getattr(part, "source", table.source)
    title = table.shown_title
    if isinstance(part, OnsetRule) and part.short:
        title = f"{part.rule} ({table.status(part)})"
    return ScalarLimit(
        id=table.prefix,
        value=value,
        unit=unit,
        source=f"{title}. Source: {source}",
        confidence=(None if part is None else part.confidence) or table.confidence,
    )


def curve_criterion(
    table: AccelerationTable, name: FilterName, direction: Direction, series: str
) -> Criterion:
    """The criterion of one direction and series of a table; name: the filter of the signal."""
    what = direction + (f"_{series}" if series else "")
    main = [c for c in table.curves if direction in c.directions and c.series == series][-1]
    output = _output(
        table,
        name,
        what,
        direction + (f" {series.replace('_', ' ')}" if series else ""),
        "g",
        "level held without a break against the limit for that duration, at the duration with the least margin",
        main,
        direction=direction,
        chart="held",
    )

    def evaluate(signals: Signals) -> Iterator[CriterionResult]:
        chosen = choose_curve(table, direction, series, signals)
        if chosen is None:
            yield output.refused(signals, f"the table has no {direction} curve for this restraint")
            return
        curve = chosen.curve
        held = held_against(table, curve, signals, direction)
        where = f"held for {held.duration:.3g} s, the duration with the least margin"
        if held.duration < 1e-6:
            where = "the peak, which has the least margin"
        if held.used <= 0.0:
            where = f"not loaded in this direction for {held.duration:.3g} s"
        limit = _limit(table, held.limit, "g", curve)
        yield output.result(
            signals,
            held.level,
            (held.start, held.end),
            limit,
            "; ".join(text for text in (where, chosen.why, curve.note, _height(table, signals)) if text),
            exceeded=held.exceeded,
            rule=f"{table.short} {curve.name}" + (f": {curve.rule}" if curve.rule else ""),
            limit_status=table.status(curve),
            apart=no_impact(signals, direction, 0.5 * (held.start + held.end))
            if table.meant_for == "impacts"
            else "",
        )

    def trace(signals: Signals, result: CriterionResult) -> CriterionTrace:
        return signals.directional_trace(direction, name, held=True)

    return Criterion((output,), evaluate, needs=("gravity",), parts=_parts(table), trace=trace)


def _parts(table: AccelerationTable) -> tuple[Part, ...]:
    """What a table is applied to: limits for rides mean the seated body."""
    return SEATED if table.group.startswith("standard ") else PARTS


def _height(table: AccelerationTable, signals: Signals) -> str:
    """A remark when riders are admitted that the limits are not stated for."""
    height, least = signals.options.patron_height, table.least_height
    if height is None or least is None or height >= least:
        return ""
    return f"stated for patrons from {least:.2f} m, the smallest admitted is {height:.2f} m"


def _pair(table: AccelerationTable, name: FilterName, pair: AxisPair) -> Criterion:
    rule = table.combined
    assert rule is not None
    shape = "ellipse" if rule.form == "ellipse" else "polygon"
    output = _output(
        table,
        name,
        f"egg_{pair}",
        f"{pair[:2]} and {pair[2:]} combined",
        "1",
        f"part of the {shape} of both loads over their limits that is used without a break for {rule.hold:g} s",
        pair=pair,
        chart="pair",
    )

    def used_part(signals: Signals) -> tuple[Array, tuple[float, ...]] | None:
        sizes = pair_limits(quadrant_limits(table, rule, signals), pair)
        if sizes is None:
            return None
        acceleration = signals.acceleration(name)
        first, second = ("xyz".index(axis) for axis in axes_of(pair))
        return used_by_pair(acceleration[:, first], acceleration[:, second], sizes, rule), sizes

    def evaluate(signals: Signals) -> Iterator[CriterionResult]:
        found = used_part(signals)
        if found is None:
            yield output.refused(
                signals, f"the table has no curve at {rule.at_duration:g} s for one of the directions"
            )
            return
        used, sizes = found
        held = worst_held(signals.history.time, used, [rule.hold], [1.0])
        note = (
            f"limits +G{pair[1]} {sizes[0]:.3g}, -G{pair[1]} {sizes[1]:.3g}, +G{pair[3]} {sizes[2]:.3g}, "
            f"-G{pair[3]} {sizes[3]:.3g} g; without the hold the largest is {float(used.max()):.3g}"
        )
        yield output.result(
            signals,
            held.level,
            (held.start, held.end),
            _limit(table, 1.0, "1"),
            note,
            exceeded=held.exceeded,
            rule=f"{table.short}: {rule.rule}",
            limit_status=table.status(),
        )

    def trace(signals: Signals, result: CriterionResult) -> CriterionTrace | None:
        found = used_part(signals)
        title = titled(f"used of G{pair[1]} and G{pair[3]} combined", name)
        return None if found is None else signals.trace(found[0], "1", title, 1.0)

    return Criterion(
        (output,),
        evaluate,
        needs=("gravity",),
        rate=held_rate(table, name, rule.hold),
        parts=_parts(table),
        trace=trace,
    )


def _rule_criterion(
    table: AccelerationTable,
    name: FilterName,
    words: tuple[str, str, str, str],
    rule: str,
    shortest: float,
    find: Callable[[Signals], RuleValue],
    trace: Trace,
    part: Doubtful | None = None,
    **about: Any,
) -> Criterion:
    """A criterion whose rule gives a value, its limit, and when. words and about: as `_output` takes them; shortest:
    time (s) that it looks at."""
    output = _output(table, name, *words, part, **about)

    def evaluate(signals: Signals) -> Iterator[CriterionResult]:
        found = find(signals)
        yield output.result(
            signals,
            found.value,
            found.time,
            _limit(table, found.limit, output.unit, part),
            found.note,
            exceeded=found.exceeded,
            rule=f"{_named(table, part)}: {rule}",
            limit_status=table.status(part),
        )

    return Criterion(
        (output,),
        evaluate,
        needs=("gravity",),
        rate=held_rate(table, name, shortest),
        parts=_parts(table),
        trace=trace,
    )


def _reversal(table: AccelerationTable, name: FilterName, axis: str, rule: ReversalRule) -> Criterion:
    words = (
        f"reversal_{axis}",
        f"quick reversal of G{axis}",
        "1",
        f"part of {rule.factor:g} times the limit curve used by two loads of opposite sign, each longer than "
        f"{rule.sustained:g} s, with less than {rule.peak_to_peak:g} s between their peaks",
    )
    return _rule_criterion(
        table,
        name,
        words,
        rule.rule,
        rule.sustained,
        lambda signals: reversal.find_reversal(table, rule, signals, axis, name),
        lambda signals, result: signals.trace(
            signals.acceleration(name)[:, "xyz".index(axis)], "g", titled(f"G{axis}", name)
        ),
        axis=axis,
    )


def _after_negative(table: AccelerationTable, name: FilterName, rule: AfterNegativeRule) -> Criterion:
    words = (
        "+Gz_after_-Gz",
        "+Gz after -Gz",
        "1",
        f"part of the reduced +Gz curve used within {rule.lasts:g} s after more than {rule.longer_than:g} s of -Gz",
    )
    return _rule_criterion(
        table,
        name,
        words,
        rule.rule,
        rule.longer_than,
        lambda signals: onsets.find_after_negative(rule, signals, name),
        lambda signals, result: signals.directional_trace("+Gz", name),
        direction="+Gz",
    )


def _vertical_onset(table: AccelerationTable, name: FilterName, rule: VerticalOnsetRule) -> Criterion:
    words = (
        "onset_Gz",
        f"onset from {rule.from_g:g} to {rule.to_g:g} Gz",
        "g/s",
        f"steepest rise (slope fitted over 0.1 s) from {rule.from_g:g} Gz or less, held for {rule.hold:g} s, to "
        f"{rule.to_g:g} Gz or more",
    )
    return _rule_criterion(
        table,
        name,
        words,
        rule.rule,
        WINDOW,
        lambda signals: onsets.find_vertical_onset(rule, signals, name),
        lambda signals, result: signals.trace(
            signals.onset("z", name), "g/s", titled("onset of Gz", name), result.limit
        ),
        axis="z",
    )


def _onset(table: AccelerationTable, name: FilterName, axis: str, rule: OnsetRule) -> Criterion:
    words = (
        f"jerk_{axis}",
        f"onset (jerk) along {axis}",
        "g/s",
        "largest size of the slope of the load, fitted over 0.1 s",
    )
    return _rule_criterion(
        table,
        name,
        words,
        rule.rule,
        WINDOW,
        lambda signals: onsets.find_jerk(rule, signals, axis, name),
        lambda signals, result: signals.trace(
            np.abs(signals.onset(axis, name)),
            "g/s",
            titled(f"size of the onset along {axis}", name),
            result.limit,
        ),
        rule,
        axis=axis,
    )


def _zones(table: AccelerationTable, name: FilterName) -> Criterion:
    rule = table.zones
    assert rule is not None
    output = _output(
        table,
        name,
        "restraint_class",
        "class of restraint demanded",
        "class",
        f"highest class of restraint whose area of Gx and Gz is held for {rule.hold:g} s",
        rule,
    )

    def evaluate(signals: Signals) -> Iterator[CriterionResult]:
        found = zones.find_class(rule, signals, name)
        built_in = signals.options.restraint_class
        limit = None
        if built_in is not None:
            limit = _limit(table, float(built_in), "class", rule)
        result = output.result(
            signals,
            found.value,
            found.time,
            limit,
            found.note or ("no class of the restraint built in is given" if limit is None else ""),
            exceeded=found.exceeded,
            rule=f"{table.short}: {rule.rule}",
            limit_status=table.status(rule),
        )
        if result.verdict == "within 10 %":
            # A class is met or not: to have the class that is demanded is not to be near a limit.
            result = result.model_copy(update={"verdict": "inside"})
        yield result

    def trace(signals: Signals, result: CriterionResult) -> CriterionTrace:
        acceleration = signals.acceleration(name)
        demanded = zones.demanded_class(rule, acceleration[:, 0], acceleration[:, 2])
        title = titled("class of restraint demanded", name)
        return signals.trace(demanded.astype(np.float64), "class", title, result.limit)

    return Criterion(
        (output,),
        evaluate,
        needs=("gravity",),
        rate=held_rate(table, name, rule.hold),
        parts=_parts(table),
        trace=trace,
    )
