"""What contacts did: of each rider whom something outside may touch, and of the pairs of surfaces that met."""

from __future__ import annotations

from ...outcome.touches import Touches, touches_of_pairs, touches_of_riders
from ..cells import count, figures, fixed, left, text
from ..document import Block, Cell, Column, Section, Table
from ..run_view import RunView

ON_PAPER = 20  # pairs, the hardest first
MEASURED = (
    Column(key="count", title="Touches"),
    Column(key="force", title="Largest force", unit="N"),
    Column(key="time", title="At", unit="s"),
    Column(key="arc_length", title="Arc length", unit="m"),
    Column(key="speed", title="Fastest impact", unit="m/s"),
    Column(key="impulse", title="Impulse", unit="N s"),
    Column(key="longest", title="Longest without", unit="s"),
    Column(key="apart", title="Widest gap", unit="mm"),
)


def contacts_section(view: RunView) -> Section | None:
    """Contacts of riders and of pairs; None where no surface met another."""
    met = {name: one for name, one in touches_of_pairs(view.results).items() if one.count}
    if not met:
        return None
    blocks: list[Block] = []
    riders = touches_of_riders(view.results)
    note = (
        "Normal forces as computed, unfiltered. Impulse: of the normal force over the whole run. Longest without: the"
        " longest time without contact after the first one; widest gap: of the nearest surfaces in such a time."
    )
    if riders:
        rows = tuple((text(name), *_cells(one)) for name, one in riders.items())
        columns = (left("rider", "Rider", 1.0), *MEASURED)
        together = (
            " A rider: all contacts with what is not the rider's own together, force: of the hardest pair."
        )
        blocks.append(
            Table(
                id="contacts_riders",
                title="Contacts of riders",
                columns=columns,
                rows=rows,
                note=note + together,
            )
        )
    hardest = sorted(met.items(), key=lambda entry: -entry[1].force)[:ON_PAPER]
    more = f" {len(met) - ON_PAPER} more are less hard." if len(met) > ON_PAPER else ""
    blocks.append(
        Table(
            id="contacts_pairs",
            title="Surfaces that met, the hardest first",
            columns=(left("pair", "Surfaces", 1.0), *MEASURED),
            rows=tuple((text(name.partition(": ")[2]), *_cells(one)) for name, one in hardest),
            note=note + more,
        )
    )
    return Section(id="contacts", title="Contacts", blocks=tuple(blocks))


def _cells(one: Touches) -> tuple[Cell, ...]:
    never = one.count == 0
    return (
        count(one.count),
        figures(None if never else one.force),
        fixed(None if never else one.force_time, 2),
        fixed(None if never else one.arc_length, 1),
        figures(one.speed, 3),
        figures(None if never else one.impulse, 3),
        fixed(one.longest, 3),
        figures(None if one.apart is None else 1e3 * one.apart, 3),
    )
