"""The page of a study's report on who may ride."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from ..base.sentence import counted
from ..base.units import percent as in_percent
from ..report.cells import figures, fixed, left, text
from ..report.document import Block, Cell, Column, Section, Table, Text, Tone
from ..report.parts.words import DOUBT
from .by_ride import AT, ByRide, End
from .store import Table as Runs
from .who_closes import Closes
from .who_fits import HEAVY_AT
from .who_may_ride import Ridden, answer_of, is_who

MAX_ROWS = 40  # on paper; the other forms have all
TONES: dict[str, Tone] = {
    "may ride": "inside", "beyond a limit": "outside", "leaves the seat": "outside", "does not fit": "outside",
}  # fmt: skip


def who_section(
    runs: Runs,
    closes: Sequence[Closes] = (),
    titles: Mapping[str, str] | None = None,
    admitted: Sequence[ByRide] = (),
) -> Section | None:
    """Who is admitted, everybody who was looked at, who governs each criterion, onto whom restraints close, and between
    which sizes people may ride; None for another study. titles: of criteria, by their ids."""
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
            (
                text((titles or {}).get(one.criterion, one.criterion)),
                text(in_percent(one.margin)),
                text(_named(found.row(one.run))),
                text(one.who),
            )
            for one in found.margins
        )
        columns = (left("criterion", "Criterion", 1.0), Column(key="margin", title="Least margin"),
                   left("body", "Of"), left("who", "On", 1.0))  # fmt: skip
        blocks.append(
            Table(
                id="who_margins",
                title="Who governs each criterion",
                columns=columns,
                rows=rows,
                note="Among those who stay in their seats to the end of the ride.",
            )
        )
    if closes:
        blocks += _closes(closes)
    if admitted:
        blocks += _admitted(admitted)
    return Section(id="who_may_ride", title="Who may ride", page=True, blocks=tuple(blocks))


def _because(row: Ridden) -> str:
    """Why, without what a limit is taken from."""
    what, comma, who = row.reason.rpartition(", ")
    return f"{DOUBT.sub('', what)}{comma}{who}" or row.misfits


def _named(row: Ridden) -> str:
    return ", ".join(word for word in (row.body, row.seat, row.restraint, row.ride) if word)


def _closes(closes: Sequence[Closes]) -> list[Block]:
    """Statures and masses that fit, and whom the project admits beyond."""
    masses = [stature for stature, _ in closes[0].fits.masses] or [*HEAVY_AT]
    rows = tuple(
        (
            text(one.seat or "as it is"), text(one.restraint or "as it is"), fixed(one.fits.low, 2),
            fixed(one.fits.high, 2), *(fixed(dict(one.fits.masses).get(stature), 0) for stature in masses),
            text(str(one.fits.beyond(one.admitted)).partition(": ")[2] or "nobody"),
        )
        for one in closes
    )  # fmt: skip
    heavy = (
        Column(key=f"mass_{k}", title=f"Heaviest at {stature:.4g} m", unit="kg")
        for k, stature in enumerate(masses)
    )
    table = Table(
        id="who_fits", title="Onto whom restraints close",
        columns=(
            left("seat", "Seat"), left("restraint", "Restraint"), Column(key="low", title="From", unit="m"),
            Column(key="high", title="To", unit="m"), *heavy, left("beyond", "Admitted beyond", 1.0),
        ),
        rows=rows,
        note="By geometry: statures at median masses, to 5 mm, from 0.95 to 2.05 m; masses to 1 kg, up to 140 kg.",
    )  # fmt: skip
    return [Text(text=f"The project admits people {closes[0].admitted.sentence}."), table]


def _admitted(admitted: Sequence[ByRide]) -> list[Block]:
    """Statures and masses between which people may ride by the outcome of rides, beside those who fit, and why."""
    columns = (
        left("seat", "Seat"), left("restraint", "Restraint"), left("ride", "Ride"), left("who", "Who"),
        Column(key="low", title="From", unit="m"), left("smaller", "Smaller ones", 1.0),
        Column(key="high", title="To", unit="m"), left("taller", "Taller ones", 1.0),
        Column(key="mass", title=f"Heaviest at {AT:.4g} m", unit="kg"), left("heavier", "Heavier ones", 1.0),
    )  # fmt: skip
    table = Table(
        id="who_admitted", title="Between which statures and masses people may ride",
        columns=columns, rows=tuple(row for one in admitted if one.finished for row in _ranges(one)),
        note="Statures at median masses, to 1 cm, and masses to 1 kg, bisected by rides from the ends that fit; some"
        " sizes between were ridden as well. Who keeps the limits stays in the seat too.",
    )  # fmt: skip
    remarks = [Text(text=said) for one in admitted for said in _remarks(one)]
    missing = sum(not one.finished for one in admitted)
    if missing:
        remarks.append(
            Text(
                text=f"{counted(missing, 'combination')} of seat, restraint and ride: not ridden to the end yet.",
                tone="near",
            )
        )
    return [table, *remarks]


def _remarks(one: ByRide) -> Iterator[str]:
    """What the table does not say: exceptions, and which limits are left out."""
    before = f"{one.what}: " if one.what else ""
    for who, found in (("in the seat", one.stays), ("limits", one.keeps)):
        yield from (f"{before}{who}, {said}." for said in found.exceptions)
    yield from (f"{before}{said}" for said in one.left_out)


def _ranges(one: ByRide) -> Iterator[tuple[Cell, ...]]:
    where = (text(one.seat or "as it is"), text(one.restraint or "as it is"), text(one.ride or "as it is"))
    fits, heaviest = one.fits, dict(one.fits.masses).get(AT)
    yield (
        *where, text("fit"), fixed(fits.low, 2), text(""), fixed(fits.high, 2), text(""), fixed(heaviest, 0), text("")
    )  # fmt: skip
    for who, found in (("stay in the seat", one.stays), ("keep the limits", one.keeps)):
        cells = [
            cell
            for end, digits in ((found.smallest, 2), (found.tallest, 2), (found.heaviest, 0))
            for cell in (fixed(None if end is None else end.value, digits), text(_why(end, found.nobody)))
        ]
        yield (*where, text(who), *cells)


def _why(end: End | None, nobody: str) -> str:
    if end is None:
        return nobody
    return "none looked at" if end.decides == "nothing looked at" else f"by the {end.decides}: {end.why}"


def _cells(row: Ridden) -> tuple[Cell, ...]:
    margin = None if row.margin is None else 100.0 * row.margin
    gap = None if row.gap is None else 1e3 * row.gap
    verdict = text(row.verdict, TONES[row.verdict]) if row.verdict in TONES else text(row.verdict)
    return (
        text(row.body), text(row.seat), text(row.restraint), text(row.ride), verdict, text(_because(row)),
        fixed(margin, 0), fixed(row.airtime, 2), fixed(gap, 1), figures(row.load, 3),
    )  # fmt: skip
