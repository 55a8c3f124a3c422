"""The page of a study's report on who may ride."""

from __future__ import annotations

from ..base.units import percent as in_percent
from ..report.cells import figures, fixed, left, text
from ..report.document import Block, Cell, Column, Section, Table, Text, Tone
from .store import Table as Runs
from .who_may_ride import Ridden, answer_of, is_who

MAX_ROWS = 40  # on paper; the other forms have all
TONES: dict[str, Tone] = {
    "may ride": "inside", "beyond a limit": "outside", "leaves the seat": "outside", "does not fit": "outside",
}  # fmt: skip


def who_section(runs: Runs) -> Section | None:
    """Who is admitted, everybody who was looked at, and who governs each criterion; None for another study."""
    if not is_who(runs.study):
        return None
    found = answer_of(runs)
    blocks: list[Block] = [Text(text=sentence) for sentence in found.sentences()]
    blocks.append(
        Table(
            id="who_rows", title="Everybody who was looked at",
            columns=(
                left("body", "Body", 1.0), left("seat", "Seat"), left("restraint", "Restraint"), left("ride", "Ride"),
                left("verdict", "Verdict"), left("reason", "Because", 1.0),
                Column(key="margin", title="Margin", unit="%"),
                Column(key="airtime", title="Off the pan", unit="s"), Column(key="gap", title="By up to", unit="mm"),
                Column(key="load", title="Restraint bears", unit="N"),
            ),
            rows=tuple(_cells(row) for row in found.rows),
            note="Each rides freely on the seats of the study. Who does not fit is not ridden. Admitted are those who"
            " fit, stay in their seat and keep every limit.",
            printed_rows=MAX_ROWS, beyond=f"{len(found.rows) - MAX_ROWS} more are in the other forms.",
        )
    )  # fmt: skip
    if found.margins:
        rows = tuple(
            (text(one.criterion), text(in_percent(one.margin)), text(found.row(one.run).body), text(one.who))
            for one in found.margins
        )
        columns = (left("criterion", "Criterion", 1.0), Column(key="margin", title="Least margin"),
                   left("body", "Of"), left("who", "On", 1.0))  # fmt: skip
        blocks.append(Table(id="who_margins", title="Who governs each criterion", columns=columns, rows=rows))
    return Section(id="who_may_ride", title="Who may ride", page=True, blocks=tuple(blocks))


def _cells(row: Ridden) -> tuple[Cell, ...]:
    margin = None if row.margin is None else 100.0 * row.margin
    gap = None if row.gap is None else 1e3 * row.gap
    verdict = text(row.verdict, TONES[row.verdict]) if row.verdict in TONES else text(row.verdict)
    return (
        text(row.body), text(row.seat), text(row.restraint), text(row.ride), verdict, text(row.reason or row.misfits),
        fixed(margin, 0), fixed(row.airtime, 2), fixed(gap, 1), figures(row.load, 3),
    )  # fmt: skip
