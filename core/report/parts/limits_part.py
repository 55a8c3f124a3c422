"""Limit checks: every criterion that has a limit, the stretches beyond one, and what has none."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import takewhile

from ...injury.assumptions import assumptions, demanded_classes
from ...injury.filters import FilterName
from ...injury.result import LONGEST
from ...outcome.headline import verdict_counts
from ...outcome.rider_view import FAR, RiderJudgement
from ...outcome.uncertainty import Uncertainty
from ..cells import NOTHING, count, left, percent, text
from ..document import Block, Cell, Column, Section, Table, Text
from ..run_view import RunView
from .check_columns import check_cells, check_columns
from .exceedances import exceedance_tables
from .words import (
    DOUBT,
    DOUBT_NOTE,
    direction_text,
    part_name,
    rider_name,
    signal_text,
    time_cell,
    title_of,
    unit_cell,
    value_cell,
    where_cell,
    whose,
)

WORST = "limit_worst", "Limit checks, for each the rider with the least margin"
WORST_SEAT = "limit_worst", "Limit checks, for each the seat with the least margin"
OUTSIDE_PURPOSE = "limits_apart", "Limits of single impacts, not counted"
MIN_ROWS = 12  # of the checks that are printed, however far inside they are
UNCERTAINTY = (
    "±: change of the value when the run is computed again at ten times its tolerance, which bounds the error of the "
    "integration alone and not that of the model; values end at its first digit."
)
EVERY = "limit_checks", "Limit checks, the least margin first"
BELOW_ALL = "below the first band"  # of what symptoms are known of
UNLIKELY = 1.0  # %, of an injury
FILTERS_SHOWN: tuple[FilterName, ...] = ("none", "5 Hz", "CFC60", "CFC180")


def limits_section(view: RunView, drawn: tuple[str, ...]) -> Section:
    """Criteria sorted by margin over all riders, exceedances, values without limit, what was refused.

    drawn: the riders nearest to a limit; values of the first of them are printed. Paper has of the checks what is not
    far inside, and the rest by name; every form but paper has all of every rider.
    """
    judged = [one for one in view.judged if one.result.judged]
    apart = [one for one in view.judged if one.result.apart]
    several = len(view.judged_on) > 1
    shown = _worst_of_riders(judged) if several else judged
    near = _on_paper(shown)
    rules = _rules((*shown, *judged, *apart))
    blocks: list[Block] = [Text(text=_words(view, judged)), *_assumptions(view)]
    blocks += [Text(text=note) for note in view.judgement.notes]
    if judged:
        named = (WORST if view.riders else WORST_SEAT) if several else EVERY
        blocks.append(_checks(view, shown, rules, named, near))
        blocks += _far_inside(shown[near:])
    if several and judged:
        blocks.append(_checks(view, judged, rules, EVERY, printed=False))
    if apart:
        blocks += [
            Text(text=_apart_words(apart)),
            _checks(view, apart, rules, OUTSIDE_PURPOSE, printed=False),
        ]
    if rules:
        blocks += _rule_tables(rules, len(_rules(shown[:near])))
    without = _without_limit(view, drawn)
    inner = [Section(id="limits_values", title="Values without a limit", blocks=without)] if without else []
    every = exceedance_tables(view)
    if every:
        inner.insert(0, Section(id="limits_exceeded", title="Every exceedance", blocks=every))
    refused = [one for one in view.judged if one.result.value is None]
    if refused:
        inner.append(Section(id="limits_refused", title="Criteria not judged", blocks=(_refused(refused),)))
    return Section(id="limits", title="Limit checks", page=True, blocks=tuple(blocks), sections=tuple(inner))


def _on_paper(shown: Sequence[RiderJudgement]) -> int:
    """How many checks are printed, the least margin first: those that are not far inside."""
    near = sum(1 for _ in takewhile(lambda one: (one.result.margin or 0.0) < FAR, shown))
    return max(near, min(MIN_ROWS, len(shown)))


def _far_inside(rest: Sequence[RiderJudgement]) -> list[Text]:
    """The checks that are not in the table on paper, by name with the least margin of all parts."""
    if not rest:
        return []
    minimum: dict[str, float] = {}
    for one in rest:
        minimum.setdefault(title_of(one.result), one.result.margin or 0.0)
    words = "; ".join(f"{title} {percent(margin).text}\u00a0%" for title, margin in minimum.items())
    return [Text(text=f"Further inside, by the least margin of all parts: {words}.")]


def _apart_words(apart: Sequence[RiderJudgement]) -> str:
    """Limits of single impacts that say nothing about this ride, in a sentence instead of rows."""
    titles = dict.fromkeys(title_of(one.result) for one in apart)
    return (
        f"Not counted, because they come from tests of single impacts and the loads found here last longer: "
        f"{'; '.join(titles)}."
    )


def _words(view: RunView, judged: Sequence[RiderJudgement]) -> str:
    if not judged:
        return "No criterion with a limit could be applied to this run."
    counts = verdict_counts(judged)
    seats = " Every assessed seat is judged by the acceleration there." if view.seats else ""
    return (
        f"{len(judged)} checks against a limit: {counts['outside']} outside, {counts['within 10 %']} within 10 % of "
        f"the limit, {counts['inside']} inside.{seats} Margin is the part of the limit that is left. Limits that carry "
        "a dagger (†) were not confirmed by the standard or source itself and must be checked before they are relied "
        "on."
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
            note=f"{view.assumed_where} A verdict holds under these only.",
        )
    ]
    demanded = [one for one in view.judged if one.result in demanded_classes([one.result])]
    by_standard: dict[str, list[RiderJudgement]] = {}
    for one in demanded:
        by_standard.setdefault(one.result.criterion, []).append(one)
    stated = [ones for ones in by_standard.values() if ones[0].result.limit is not None]
    blocks += [_unstated(ones, view) for ones in by_standard.values() if ones not in stated]
    if stated:
        blocks.append(_classes([one for ones in stated for one in _worst_of_riders(ones)], view))
    return blocks


def _unstated(ones: Sequence[RiderJudgement], view: RunView) -> Text:
    """The class that loads demand after a standard, where none built in is stated."""
    worst = max(ones, key=lambda one: one.result.value or 0.0)
    said = (
        f"By {_standard(worst)} the loads demand restraint of class {round(worst.result.value or 0.0)} "
        f"({whose(worst, view.judged_on)}); the project does not state the class built in, so that there is no verdict"
        f" on it. {_sentence(worst.result.note)}"
    )
    return Text(text=said.strip())


def _classes(worst: Sequence[RiderJudgement], view: RunView) -> Table:
    """The class that loads demand of every rider, after each standard, beside that built in."""
    return Table(
        id="restraint",
        title="Class of restraint demanded by the loads",
        columns=(
            left("rider", view.who),
            left("standard", "By"),
            left("part", "Part"),
            Column(key="demanded", title="Demanded"),
            Column(key="built_in", title="Built in"),
            left("verdict", "Verdict"),
            left("note", "Note", 1.0),
        ),
        rows=tuple(
            (
                text(rider_name(one.rider, view.judged_on)),
                text(_standard(one)),
                text(part_name(one.part)),
                count(round(one.result.value or 0.0)),
                count(round(one.result.limit or 0.0)),
                text(one.result.verdict),
                text(one.result.note),
            )
            for one in worst
        ),
    )


def _standard(one: RiderJudgement) -> str:
    """What a class of restraint is counted after."""
    return one.result.title.partition(" class of restraint")[0]


def _sentence(words: str) -> str:
    return f"{words[:1].upper()}{words[1:]}." if words else ""


Rule = tuple[str, str, str, str, str]  # rule, signal, confidence, status, source


def _rule_of(one: RiderJudgement) -> Rule:
    result = one.result
    # The source of a limit in a table names table and rule first, which stand in columns of their own here.
    source = (result.limit_source or "").rpartition("Source: ")[2]
    rule = direction_text(result.rule_text) or title_of(result)
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
    rows: int | None = None,
    *,
    printed: bool = True,
) -> Table:
    """rows: how many of them are printed."""
    return Table(
        id=named[0],
        title=named[1],
        printed=printed,
        printed_rows=rows,
        beyond=""
        if rows is None
        else f"{len(judged) - rows} more leave at least {percent(FAR).text} % of their limit; they are named below.",
        columns=(
            *check_columns(view),
            left("confidence", "Confidence"),
            Column(key="rule", title="Rule"),
        ),
        rows=tuple(
            (*check_cells(view, one), text(one.result.confidence or ""), count(rules[_rule_of(one)]))
            for one in judged
        ),
        note=f"{UNCERTAINTY if view.uncertainty else view.figures} Rule: number in the table of rules. t, s: middle"
        " of the window that gave the value, for values through the 5 Hz ride filter 0.08 s late by its delay; a dash"
        f" for windows of more than {LONGEST:g} s. " + DOUBT_NOTE,
    )


def _rule_tables(rules: dict[Rule, int], printed: int) -> tuple[Table, Table]:
    """The rules by number, and the sources they come from; printed: how many of the rules are, from the first."""
    sources: dict[str, int] = {}
    for *_, source in rules:
        sources.setdefault(source, len(sources) + 1)
    cited = len({source for *_, source in list(rules)[:printed]})
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
            printed_rows=printed,
        ),
        Table(
            id="sources",
            title="Sources of the limits",
            columns=(
                Column(key="number", title="Source"),
                left("source", "Where the limit is from", 1.0),
            ),
            rows=tuple((count(number), text(source)) for source, number in sources.items()),
            printed_rows=cited,
        ),
    )


def _is_peak(one: RiderJudgement) -> bool:
    return one.result.group == "peaks"


def _without_limit(view: RunView, drawn: tuple[str, ...]) -> tuple[Block, ...]:
    values = [one for one in view.judged if one.result.value is not None and one.result.margin is None]
    blocks: list[Block] = []
    for k, rider in enumerate(view.riders):
        own = [one for one in values if one.rider == rider]
        peaks = [one for one in own if _is_peak(one)]
        tail = "" if len(view.judged_on) == 1 else f", {rider_name(rider, view.judged_on)}"
        printed = rider in drawn[:1]
        if peaks:
            blocks.append(_peaks(f"peaks_{k + 1}", f"Peaks{tail}", peaks, printed, view.uncertainty))
        rest = [one for one in own if not _is_peak(one) and not demanded_classes([one.result])]
        if rest:
            rest.sort(key=_quiet)
            blocks.append(
                _values(f"values_{k + 1}", f"Further values{tail}", rest, printed, view.uncertainty)
            )
    return tuple(blocks)


def _quiet(one: RiderJudgement) -> bool:
    """Whether a value without limit says that there is hardly any load."""
    result = one.result
    return BELOW_ALL in result.note or (result.unit == "%" and (result.value or 0.0) < UNLIKELY)


def _peaks(
    table_id: str, title: str, peaks: Sequence[RiderJudgement], printed: bool, doubts: Uncertainty
) -> Table:
    found = {
        (one.part, one.result.about.direction or "resultant", one.result.signal.filter): one for one in peaks
    }
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
        key, group = name.lower().replace(" ", ""), "unfiltered" if name == "none" else f"filter {name}"
        columns += [
            Column(key=f"{key}_peak", title="peak", unit="g", group=group),
            Column(key=f"{key}_time", title="t", unit="s", group=group),
        ]
    return Table(id=table_id, title=title, columns=tuple(columns), rows=tuple(rows), printed=printed)


def _values(
    table_id: str, title: str, rest: Sequence[RiderJudgement], printed: bool, doubts: Uncertainty
) -> Table:
    quiet = sum(map(_quiet, rest))
    return Table(
        id=table_id,
        title=title,
        printed=printed,
        printed_rows=len(rest) - quiet,
        beyond=f"{quiet} more are left out on paper: probabilities of less than {UNLIKELY:g} %, and loads "
        "below those of any known symptom.",
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
