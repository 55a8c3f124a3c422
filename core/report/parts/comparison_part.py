"""Comparison with another run: which criteria are better and which are worse than there."""

from __future__ import annotations

from ...outcome.rider_view import NOTICEABLE, Comparison, RiderJudgement
from ..cells import count, entry, figures, fixed, left, percent, text
from ..document import Block, Cell, Column, Facts, Section, Table, Text, Tone
from ..run_view import RunView
from .check_columns import whose_cells, whose_columns
from .words import DOUBT_NOTE, unit_cell, value_cell

MAX_ROWS = 120  # rows that are printed; of more the following number with the largest changes
LARGEST = 40
LARGE = (
    "changed_most",
    f"The {LARGEST} criteria that changed most, worse ones first, by the change of their margin",
)
EVERY = "changed", "Criteria that changed, worse ones first, by the change of their margin"
TONE: dict[Comparison, Tone] = {"better": "inside", "worse": "outside", "same": "none"}


def comparison_section(view: RunView) -> Section | None:
    """Criteria that changed, worse ones first; None where no other run is compared with."""
    other = view.other
    if other is None:
        return None
    compared = [one for one in view.judged if one.comparison is not None]
    counts = {word: sum(one.comparison == word for one in compared) for word in TONE}
    there = RunView(other.project, other.results)
    facts = Facts(
        id="compared",
        entries=(
            entry("Compared with", text(other.name)),
            entry("Project there", text(other.project.name)),
            entry("SHA-256 of the project there", text(there.project_hash)),
            entry("SHA-256 of the results there", text(there.results_hash)),
            entry("Duration there", fixed(float(other.results.states.time[-1]), 2), "s"),
            entry("Better here", count(counts["better"])),
            entry("Worse here", count(counts["worse"])),
            entry("The same", count(counts["same"])),
            entry("Without counterpart there", count(_alone(view))),
        ),
    )
    blocks: list[Block] = [
        Text(
            text=(
                "Both runs are judged by the limits and the restraint of this project. A rider is compared with the "
                "one of the same name. The same: the part of the limit that is used changed by less than "
                f"{percent(NOTICEABLE).text} % of itself."
            )
        ),
        facts,
    ]
    if not other.results.status.complete:
        blocks.append(
            Text(text=f"The run compared with ended early: {other.results.status.message}", tone="near")
        )
    changed = sorted(
        (one for one in compared if one.comparison != "same"),
        key=lambda one: (one.comparison != "worse", -abs(one.gain or 0.0)),
    )
    if len(changed) > MAX_ROWS:
        large = {id(one) for one in sorted(changed, key=lambda one: -abs(one.gain or 0.0))[:LARGEST]}
        blocks.append(_table(view, [one for one in changed if id(one) in large], LARGE))
    if changed:
        blocks.append(_table(view, changed, EVERY, printed=len(changed) <= MAX_ROWS))
    elif compared:
        blocks.append(Text(text="No criterion with a limit is noticeably better or worse than there."))
    else:
        blocks.append(Text(text="No criterion with a limit was judged in both runs.", tone="near"))
    return Section(id="comparison", title="Comparison with another run", page=True, blocks=tuple(blocks))


def _alone(view: RunView) -> int:
    """How many checks with a limit the other run has no result for."""
    return sum(one.result.judged and one.comparison is None for one in view.judged)


def _table(
    view: RunView, changed: list[RiderJudgement], named: tuple[str, str], printed: bool = True
) -> Table:
    return Table(
        id=named[0],
        title=named[1],
        columns=(
            *whose_columns(view),
            Column(key="value", title="here", group="Value"),
            Column(key="other_value", title="there", group="Value"),
            Column(key="change", title="change", group="Value"),
            left("unit", "Unit"),
            Column(key="margin", title="here", unit="%", group="Margin"),
            Column(key="other_margin", title="there", unit="%", group="Margin"),
            Column(key="gain", title="gain", unit="%", group="Margin"),
            left("comparison", "Rider is"),
        ),
        rows=tuple(_row(view, one) for one in changed),
        note="Gain: margin here less margin there, in parts of the limit. " + DOUBT_NOTE,
        printed=printed,
    )


def _row(view: RunView, one: RiderJudgement) -> tuple[Cell, ...]:
    assert one.other is not None
    assert one.comparison is not None
    unit = one.result.unit
    parts = one.result.margin, one.other.margin, one.gain
    return (
        *whose_cells(view, one),
        value_cell(one.result.value, unit, view.uncertainty.get(one.key)),
        value_cell(one.other.value, unit),
        figures(one.change, 3),
        unit_cell(one.result),
        *(fixed(None if part is None else 100.0 * part, 1) for part in parts),
        text(f"{one.comparison} off", TONE[one.comparison]),
    )
