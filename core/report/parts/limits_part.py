"""Limit checks: every criterion that has a limit, the stretches beyond one, and what has none."""

from __future__ import annotations

from collections.abc import Sequence

from ...injury.assumptions import assumptions, demanded_classes
from ...injury.filters import FilterName
from ...outcome.rider_view import RiderJudgement
from ...outcome.uncertainty import Uncertainty
from ..cells import NOTHING, count, left, text
from ..document import Block, Cell, Column, Section, Table, Text
from ..run_view import RunView
from .check_columns import check_cells, check_columns
from .exceedances import exceedance_table
from .words import (
    DOUBT,
    DOUBT_NOTE,
    LONGEST,
    direction_text,
    part_name,
    rider_name,
    signal_text,
    time_cell,
    title_of,
    unit_cell,
    value_cell,
    where_cell,
)

WORST = "limit_worst", "Limit checks, for each the rider with the least margin"
OUTSIDE_PURPOSE = "limits_apart", "Limits that are not meant for the load found"
APART = (
    "The limits below come from tests of single impacts. The loads found here last longer, so that the verdicts say "
    "nothing about them; they are not counted above."
)
UNCERTAINTY = (
    "±: change of the value when the run is computed again at ten times its tolerance, which bounds the error of the "
    "integration alone and not that of the model; values end at its first digit."
)
FIGURES = "Values to three digits; how many of them the tolerance of the run carries was not looked for."
EVERY = "limit_checks", "Limit checks, the least margin first"
#: Seconds after a start out of balance in which a value is laid to the start.
SETTLING = 0.5
FILTERS_SHOWN: tuple[FilterName, ...] = ("none", "5 Hz", "CFC60", "CFC180")


def limits_section(view: RunView, drawn: tuple[str, ...]) -> Section:
    """Criteria sorted by margin over all riders, exceedances, values without limit, what was refused.

    drawn: the riders whose values are printed; those of the others are in the other forms of the report.
    """
    judged = [one for one in view.judged if one.result.judged]
    apart = [one for one in view.judged if one.result.apart]
    rules = _rules((*judged, *apart))
    blocks: list[Block] = [Text(text=_words(judged)), *_assumptions(view)]
    blocks += [Text(text=note) for note in view.judgement.notes]
    blocks += _of_the_start(view)
    if judged and len(view.riders) > 1:
        blocks.append(_checks(view, _worst_of_riders(judged), rules, WORST))
    if judged:
        blocks.append(_checks(view, judged, rules, EVERY, printed=len(view.riders) == 1))
    if apart:
        blocks += [Text(text=APART), _checks(view, apart, rules, OUTSIDE_PURPOSE)]
    if rules:
        blocks += _rule_tables(rules)
    without = _without_limit(view, drawn)
    inner = [Section(id="limits_values", title="Values without a limit", blocks=without)] if without else []
    every = exceedance_table(view)
    if every is not None:
        inner.insert(0, Section(id="limits_exceeded", title="Every exceedance", blocks=(every,)))
    refused = [one for one in view.judged if one.result.value is None]
    if refused:
        inner.append(Section(id="limits_refused", title="Criteria not judged", blocks=(_refused(refused),)))
    return Section(id="limits", title="Limit checks", page=True, blocks=tuple(blocks), sections=tuple(inner))


def verdict_counts(judged: Sequence[RiderJudgement]) -> dict[str, int]:
    """How many criteria are outside, within 10 % of and inside their limits."""
    words = [one.result.verdict for one in judged if one.result.judged]
    return {word: words.count(word) for word in ("outside", "within 10 %", "inside")}


def _words(judged: Sequence[RiderJudgement]) -> str:
    if not judged:
        return "No criterion with a limit could be applied to this run."
    counts = verdict_counts(judged)
    return (
        f"{len(judged)} checks against a limit: {counts['outside']} outside, {counts['within 10 %']} within 10 % of "
        f"the limit, {counts['inside']} inside. Margin is the part of the limit that is left. Limits that carry a "
        "dagger (†) were not confirmed by the standard or source itself and must be checked before they are relied on."
    )


def _assumptions(view: RunView) -> list[Block]:
    """What the verdicts take for granted, and the class of restraint that the loads demand."""
    options = view.project.evaluation
    bodies = [part_name(part) for part in dict.fromkeys(one.part for one in view.judged)]
    blocks: list[Block] = [
        Table(
            id="assumptions",
            title="What the verdicts assume",
            columns=(left("what", "What"), left("assumed", "Assumed", 1.0)),
            rows=tuple(
                (text(what), text(direction_text(words))) for what, words in assumptions(options, bodies)
            ),
            note="Set in the scenario of the project (Rider assessment). A verdict holds under these only.",
        )
    ]
    demanded = [one for one in view.judged if one.result in demanded_classes([one.result])]
    if demanded:
        blocks.append(
            Table(
                id="restraint",
                title="Class of restraint demanded by the loads",
                columns=(
                    left("rider", "Rider"),
                    left("part", "Part"),
                    Column(key="demanded", title="Demanded"),
                    left("built_in", "Built in"),
                    left("verdict", "Verdict"),
                    left("note", "Note", 1.0),
                ),
                rows=tuple(
                    (
                        text(rider_name(one.rider, view.riders)),
                        text(part_name(one.part)),
                        count(round(one.result.value or 0.0)),
                        text(
                            "not stated" if options.restraint_class is None else str(options.restraint_class)
                        ),
                        text("compared with nothing" if one.result.limit is None else one.result.verdict),
                        text(one.result.note),
                    )
                    for one in demanded
                ),
            )
        )
    return blocks


def _of_the_start(view: RunView) -> list[Block]:
    """Names the values found while riders who were not started in balance settle: they say nothing about the track."""
    if getattr(view.project.scenario, "settled", True) or not view.results.states.time.size:
        return []
    until = float(view.results.states.time[0]) + SETTLING
    early = [one.result for one in view.judged if one.result.value and one.result.time is not None]
    names = dict.fromkeys(title_of(result) for result in early if result.time and result.time[1] < until)
    if not names:
        return []
    words = (
        f"Found in the first {SETTLING:g} s, where riders settle from the pose they are drawn in, and therefore no "
        f"property of the ride: {'; '.join(names)}. A run that starts settled is free of them."
    )
    return [Text(text=words, tone="near")]


Rule = tuple[str, str, str, str, str]  # rule, signal, confidence, status, source


def _rule_of(one: RiderJudgement) -> Rule:
    result = one.result
    # The source of a limit in a table names table and rule first, which stand in columns of their own here.
    source = (result.limit_source or "").rpartition("Source: ")[2]
    rule = direction_text(result.rule) or title_of(result)
    return rule, signal_text(result), result.confidence or "", result.limit_status, source


def _rules(judged: Sequence[RiderJudgement]) -> dict[Rule, int]:
    """Each rule with its number, in the order of the checks."""
    found: dict[Rule, int] = {}
    for one in judged:
        found.setdefault(_rule_of(one), len(found) + 1)
    return found


def _worst_of_riders(judged: Sequence[RiderJudgement]) -> list[RiderJudgement]:
    """For each criterion and part the rider with the least margin; judged: the least margin first."""
    worst: dict[tuple[str, str], RiderJudgement] = {}
    for one in judged:
        worst.setdefault((one.part, one.result.criterion), one)
    return list(worst.values())


def _checks(
    view: RunView,
    judged: Sequence[RiderJudgement],
    rules: dict[Rule, int],
    named: tuple[str, str],
    printed: bool = True,
) -> Table:
    return Table(
        id=named[0],
        title=named[1],
        printed=printed,
        columns=(
            *check_columns(view),
            left("confidence", "Confidence"),
            Column(key="rule", title="Rule"),
        ),
        rows=tuple(
            (*check_cells(view, one), text(one.result.confidence or ""), count(rules[_rule_of(one)]))
            for one in judged
        ),
        note=f"{UNCERTAINTY if view.uncertainty else FIGURES} Rule: number in the table of rules. t, s: middle of the "
        "window that gave the value, for values through "
        f"the 5 Hz ride filter 0.08 s late by its delay; a dash for windows of more than {LONGEST:g} s. "
        + DOUBT_NOTE,
    )


def _rule_tables(rules: dict[Rule, int]) -> tuple[Table, Table]:
    """The rules by number, and the sources they come from."""
    sources: dict[str, int] = {}
    for *_, source in rules:
        sources.setdefault(source, len(sources) + 1)
    return (
        Table(
            id="rules",
            title="Rules behind the limits",
            note="Signal: the filter before the criterion; accelerations with gravity in.",
            columns=(
                Column(key="number", title="Rule"),
                left("rule", "Clause, figure, table or curve", 1.0),
                left("signal", "Signal"),
                left("confidence", "Confidence"),
                left("status", "Status of the limit", 1.0),
                Column(key="source", title="Source"),
            ),
            rows=tuple(
                (
                    count(number),
                    text(rule),
                    text(signal),
                    text(confidence),
                    text(status),
                    count(sources[source]),
                )
                for (rule, signal, confidence, status, source), number in rules.items()
            ),
        ),
        Table(
            id="sources",
            title="Sources of the limits",
            columns=(
                Column(key="number", title="Source"),
                left("source", "Where the limit is from", 1.0),
            ),
            rows=tuple((count(number), text(source)) for source, number in sources.items()),
        ),
    )


def _is_peak(one: RiderJudgement) -> bool:
    return one.result.criterion.startswith("peak_") and one.result.unit == "g"


def _without_limit(view: RunView, drawn: tuple[str, ...]) -> tuple[Block, ...]:
    values = [one for one in view.judged if one.result.value is not None and one.result.margin is None]
    blocks: list[Block] = []
    for k, rider in enumerate(view.riders):
        own = [one for one in values if one.rider == rider]
        peaks = [one for one in own if _is_peak(one)]
        tail = "" if len(view.riders) == 1 else f", {rider_name(rider, view.riders)}"
        if peaks:
            blocks.append(_peaks(f"peaks_{k + 1}", f"Peaks{tail}", peaks, rider in drawn, view.uncertainty))
        rest = [one for one in own if not _is_peak(one) and not demanded_classes([one.result])]
        if rest:
            blocks.append(
                _values(f"values_{k + 1}", f"Further values{tail}", rest, rider in drawn, view.uncertainty)
            )
    return tuple(blocks)


def _peaks(
    table_id: str, title: str, peaks: Sequence[RiderJudgement], printed: bool, doubts: Uncertainty
) -> Table:
    found = {(one.part, one.result.criterion.split("_")[1], one.result.signal.filter): one for one in peaks}
    shown = [name for name in FILTERS_SHOWN if any(key[2] == name for key in found)]
    rows = []
    for part, what in dict.fromkeys((part, what) for part, what, _ in found):
        cells: list[Cell] = []
        for name in shown:
            one = found.get((part, what, name))
            if one is None:
                cells += [NOTHING, NOTHING]
            else:
                cells += [value_cell(one.result.value, "g", doubts.get(one.key)), time_cell(one.result)]
        rows.append((text(part_name(part)), text(direction_text(what)), *cells))
    columns = [
        left("part", "Part"),
        left("what", "Direction"),
    ]
    for name in shown:
        key, group = name.lower().replace(" ", ""), "as computed" if name == "none" else f"filter {name}"
        columns += [
            Column(key=f"{key}_peak", title="peak", unit="g", group=group),
            Column(key=f"{key}_time", title="t", unit="s", group=group),
        ]
    return Table(id=table_id, title=title, columns=tuple(columns), rows=tuple(rows), printed=printed)


def _values(
    table_id: str, title: str, rest: Sequence[RiderJudgement], printed: bool, doubts: Uncertainty
) -> Table:
    return Table(
        id=table_id,
        title=title,
        printed=printed,
        columns=(
            left("part", "Part"),
            left("criterion", "Criterion", 0.7),
            Column(key="value", title="Value"),
            left("unit", "Unit"),
            Column(key="time", title="t", unit="s"),
            Column(key="place", title="s", unit="m"),
            left("note", "Note", 1.3),
        ),
        rows=tuple(
            (
                text(part_name(one.part)),
                text(title_of(one.result)),
                value_cell(one.result.value, one.result.unit, doubts.get(one.key)),
                unit_cell(one.result),
                time_cell(one.result),
                where_cell(one.result),
                text("" if one.result.note == "no limit for this value" else one.result.note),
            )
            for one in rest
        ),
    )


def _refused(refused: Sequence[RiderJudgement]) -> Table:
    reasons: dict[str, dict[str, None]] = {}
    for one in refused:
        reason = one.result.note.removeprefix("not applicable: ")
        reasons.setdefault(reason, {})[DOUBT.sub("", one.result.title)] = None
    return Table(
        id="refused",
        title="Criteria that could not be applied",
        columns=(
            left("criteria", "Criteria", 1.0),
            left("reason", "Why", 1.0),
        ),
        rows=tuple((text("; ".join(titles)), text(reason)) for reason, titles in reasons.items()),
    )
