"""What contacts did: of each rider whom something outside may touch, and of the pairs of surfaces that met."""

from __future__ import annotations

from collections.abc import Sequence

from ...outcome.contact_peaks import Peak, contact_peaks
from ...outcome.contact_stiffness import OFF, Stiffness, half_and_twice
from ...outcome.rider_view import Judgement
from ...outcome.touches import Touches, touches_of_pairs, touches_of_riders
from ..book import Book
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


def contacts_section(view: RunView, book: Book | None = None) -> Section | None:
    """Contacts of riders and of pairs, and the peaks that they caused; None where no surface met another.

    book: of a report that asks for sensitivity: these contacts are ridden half and twice as stiff, too.
    """
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
    blocks += _injury(view, ride=book is not None and book.options.sensitivity)
    return Section(id="contacts", title="Contacts", blocks=tuple(blocks))


def _injury(view: RunView, *, ride: bool) -> list[Block]:
    """Blows on heads, and peaks that contacts caused, with these half and twice as stiff where that is asked for."""
    found = contact_peaks(view.results, Judgement(tuple(view.judged)))
    blocks: list[Block] = []
    if found.blows:
        blocks.append(
            Table(
                id="contacts_heads", title="Each contact of a head, in its hardest time",
                columns=(
                    left("rider", "Rider"), left("contact", "Head on", 1.0),
                    Column(key="began", title="From", unit="s"),
                    Column(key="ended", title="To", unit="s"), Column(key="hic", title="HIC15"),
                    Column(key="clip", title="3 ms", unit="g"), Column(key="force", title="Largest force", unit="N"),
                ),
                rows=tuple(
                    (text(b.rider), text(b.contact), fixed(b.began, 2), fixed(b.ended, 2), figures(b.hic, 3),
                     figures(b.clip, 3), figures(b.force, 3)) for b in found.blows
                ),
                note="HIC15 and 3 ms value of the head within the time of touching.",
            )
        )  # fmt: skip
    if found.pressed:
        blocks.append(
            Table(
                id="contacts_pressed", title="Thighs and chest",
                columns=(
                    left("rider", "Rider", 1.0), Column(key="thigh", title="Thigh compressed", unit="N"),
                    Column(key="chest", title="Pads into the chest (proxy)", unit="mm"),
                ),
                rows=tuple(
                    (text(one.rider), figures(one.thigh, 3), fixed(None if one.chest is None else 1e3 * one.chest, 1))
                    for one in found.pressed
                ),
                note="Thigh: the largest force along it at its knee joint. Chest: how deep pads of the restraint are"
                " pressed into thorax and abdomen, pad and flesh together: a proxy of the compression of a chest, which"
                " a rigid thorax does not have.",
            )
        )  # fmt: skip
    if found.peaks:
        blocks.append(_peaks(found.peaks, half_and_twice(view.results, found.peaks) if ride else ()))
    return blocks


def _peaks(peaks: Sequence[Peak], ridden: Sequence[Stiffness]) -> Table:
    rows = []
    for k, peak in enumerate(peaks):
        ends = (ridden[k].half, ridden[k].twice) if ridden else ()
        around = tuple(
            text(
                "not repeated"
                if not ridden[k].holds
                else ""
                if e is None or e.value is None
                else f"{e.value:.4g}, {e.verdict}"
            )
            for e in ends
        )
        rows.append((
            text(peak.rider), text(peak.part.replace("_", " ")), text(peak.result.title.partition(" (")[0]),
            figures(peak.result.value), text(peak.result.unit), text(peak.result.verdict), text(peak.contact),
            fixed(100.0 * peak.share, 0), *around,
        ))  # fmt: skip
    columns = (
        left("rider", "Rider"), left("part", "Part"), left("criterion", "Criterion", 1.0),
        Column(key="value", title="Value"),
        left("unit", "Unit"), left("verdict", "Verdict"), left("contact", "Contact"),
        Column(key="share", title="Share", unit="%"),
        *((left("half", "Half as stiff"), left("twice", "Twice")) if ridden else ()),
    )  # fmt: skip
    note = (
        "In the window of the value a contact acts that met the body within 0.2 s before. Share: its largest force by"
        " the mass times the largest specific force there. These values depend on how stiff the contact is taken to be."
    )
    if any(one.alone for one in ridden):
        note += (
            " Half as stiff and twice: the rider rides again alone while the seat moves as in this run; not repeated:"
            f" with nothing changed that misses the value by more than {OFF:.0%} of the limit."
        )
    return Table(
        id="contacts_peaks", title="Peaks that a contact caused", columns=columns, rows=tuple(rows), note=note
    )


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
