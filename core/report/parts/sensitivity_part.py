"""What would change the governing values: short rides about each moment with one thing changed at a time."""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import partial
from typing import get_args

from ...base.errors import InputError
from ...outcome.origin.sensitivity import TITLES, Effect, Parameter, Sensitivity, sensitivity
from ..book import Book, Event
from ..cells import NOTHING, fixed, left, text
from ..document import Block, Cell, Column, Section, Table, Text
from ..run_view import RunView
from .words import title_of, unit_cell, value_cell, whose

START, WIDTH = 0.7, 0.15  # of the progress
STEPS = {"speed": "+1 %", "cant": "+1°", "radius": "+1 %", "stiffness": "+10 %", "damping": "+10 %"}
PARAMETERS: tuple[Parameter, ...] = get_args(Parameter)
METHOD = (
    "About each governing moment a few seconds are ridden again from the stored state, with one thing at a time "
    "changed to both sides; the table gives half the difference. Speed is that at the peak; cant is rolled about the "
    "peak, positive with the left side up; the radius is that of all curves; the suspension is every spring of the "
    "cars. The effects of cant, radius and suspension are corrected to the speed of the unchanged ride."
)


def sensitivity_section(view: RunView, book: Book, events: tuple[Event, ...]) -> Section | None:
    """A row for each governing moment; None where nobody asked for it or there are no moments."""
    if not book.options.sensitivity or not events:
        return None
    rows: list[tuple[Cell, ...]] = []
    notes: list[str] = []
    for k, event in enumerate(events):
        share = START + WIDTH * k / len(events)
        try:
            found = sensitivity(
                view.project,
                view.results,
                event.judged,
                on_progress=_reporter(book, share, WIDTH / len(events), event.mark),
                should_stop=book.should_stop,
            )
        except InputError as error:
            notes.append(f"{event.mark}: {error}")
            continue
        book.step(
            share + WIDTH / len(events), f"what would change {event.mark}"
        )  # ends here where the short rides were stopped
        rows.append(_row(view, event, found))
        notes += [f"{event.mark}: {note}" for note in found.notes]
    blocks: list[Block] = [Text(text=METHOD)]
    if rows:
        blocks.append(_table(tuple(rows)))
    blocks += [Text(text=note) for note in notes]
    return Section(id="sensitivity", title="What would change the governing values", blocks=tuple(blocks))


def _reporter(book: Book, start: float, width: float, mark: str) -> Callable[[float], None]:
    def tell(share: float, what: str) -> None:
        if book.on_progress is not None:
            book.on_progress(start + width * share, what)

    return partial(tell, what=f"what would change {mark}")


def _table(rows: tuple[tuple[Cell, ...], ...]) -> Table:
    effects: list[Column] = []
    for name in PARAMETERS:
        title = name.capitalize()
        effects += [
            Column(key=name, title="change", group=f"{title} {STEPS[name]}"),
            Column(key=f"{name}_part", title="part", unit="%", group=f"{title} {STEPS[name]}"),
        ]
    return Table(
        id="sensitivity",
        title="Change of the governing values for a step of one thing",
        columns=(left("mark", "Moment"), left("whose", "Value of", 1.0), Column(key="value", title="Value"),
                 left("unit", "Unit"), *effects),
        rows=rows,
        note="Change in the unit of the value, and as part of it. Steps: "
        + "; ".join(f"{title} by {step}" for title, step in TITLES.values())
        + ".",
    )  # fmt: skip


def _row(view: RunView, event: Event, found: Sensitivity) -> tuple[Cell, ...]:
    one = event.judged
    by_name: dict[str, Effect] = {effect.parameter: effect for effect in found.effects}
    # As many places as the value itself has with three figures.
    decimals = max(0, 2 - math.floor(math.log10(abs(found.value) or 1.0)))
    cells: list[Cell] = []
    for name in PARAMETERS:
        effect = by_name.get(name)
        cells += (
            [NOTHING, NOTHING]
            if effect is None
            else [fixed(effect.change, decimals), fixed(100.0 * effect.relative, 1)]
        )
    named = f"{title_of(one.result)}, {whose(one, view.judged_on)}"
    return (
        text(event.mark),
        text(named),
        value_cell(one.result.value, one.result.unit, view.uncertainty.get(one.key)),
        unit_cell(one.result),
        *cells,
    )
