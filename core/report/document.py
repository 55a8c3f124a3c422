"""What a report is made of. Everything that is shown, number by number, is in one `ReportContent`.

A number is held twice: as value, in the unit of its column or entry, and as the text that every form of the report
shows. PDF, HTML, CSV and JSON are all written from this one value and format nothing themselves.
"""

from __future__ import annotations

from typing import Annotated, Final, Literal

from pydantic import Field

from ..base.frozen import Frozen

VERSION: Final = 1
Tone = Literal["", "inside", "near", "outside", "none"]


class Cell(Frozen):
    """One shown entry: its text, the value behind it (None for plain text), and how a verdict is coloured."""

    text: str
    value: float | int | None = None
    tone: Tone = ""


class Column(Frozen):
    """A column of a table: key for programs, title and unit for people; `group` spans neighbouring columns.

    share: None for as wide as needed, else the part of what is left over.
    """

    key: str
    title: str
    unit: str = ""
    group: str = ""
    align: Literal["left", "right"] = "right"
    share: float | None = None


class Text(Frozen):
    """A paragraph."""

    kind: Literal["text"] = "text"
    text: str
    tone: Tone = ""


class Entry(Frozen):
    """A named figure: label, what it is, and its unit."""

    label: str
    cell: Cell
    unit: str = ""


class Facts(Frozen):
    """Named figures side by side."""

    kind: Literal["facts"] = "facts"
    id: str
    entries: tuple[Entry, ...]


class Table(Frozen):
    """A table; `number` is given when the report is put together: those on paper are counted through the report, those
    that are not `printed` by themselves, after them. printed_rows: how many rows, from the first, stand on paper (None
    for all); beyond: what paper says in place of the others."""

    kind: Literal["table"] = "table"
    id: str
    number: int = 0
    title: str
    columns: tuple[Column, ...]
    rows: tuple[tuple[Cell, ...], ...]
    note: str = ""
    printed: bool = True
    printed_rows: int | None = None
    beyond: str = ""

    @property
    def name(self) -> str:
        """What it is called in the forms that are not paper."""
        return f"Table {self.number}" if self.printed else f"Data table {self.number}"


class Figure(Frozen):
    """A drawing: `file` in the folder of figures, made from the same run; width as part of the text width."""

    kind: Literal["figure"] = "figure"
    id: str
    number: int = 0
    title: str
    caption: str
    file: str
    width: float = 1.0


class Moment(Frozen):
    """A moment of the ride: its picture beside what is known about it."""

    kind: Literal["moment"] = "moment"
    id: str
    mark: str
    title: str
    picture: str
    entries: tuple[Entry, ...]
    verdict: Cell
    note: str = ""


Block = Annotated[Text | Facts | Table | Figure | Moment, Field(discriminator="kind")]


class Section(Frozen):
    """A numbered part of the report; without a number where nothing of it stands on paper. `page`: a template may begin
    it on a new page (the program's own does not)."""

    id: str
    number: str = ""
    title: str
    page: bool = False
    blocks: tuple[Block, ...] = ()
    sections: tuple[Section, ...] = ()


class Signature(Frozen):
    """A line to sign on: what for, and who; the name may stay empty."""

    role: str
    name: str


class TitleBlock(Frozen):
    """What stands on the first page, and in small at the head of every page: date as ISO 8601 and in words; author:
    whom the report is by, or ""; logo: a file among the figures, or ""."""

    project: str
    subtitle: str
    notes: str
    date: str
    date_words: str = ""
    author: str = ""
    program: str
    project_hash: str
    results_hash: str
    verdict: Cell
    facts: tuple[Entry, ...]
    revision: str = ""
    signatures: tuple[Signature, ...] = ()
    logo: str = ""


class ReportContent(Frozen):
    """The whole report: layout of report.json. Values are in the unit named beside them."""

    format: Literal["ridewright-report"] = "ridewright-report"
    version: Literal[1] = VERSION
    title: TitleBlock
    sections: tuple[Section, ...]

    def tables(self) -> tuple[Table, ...]:
        """All tables in the order of the report."""
        return tuple(block for block in self.blocks() if isinstance(block, Table))

    def blocks(self) -> tuple[Block, ...]:
        """All blocks in the order of the report."""
        return blocks_of(self.sections)


def blocks_of(sections: tuple[Section, ...]) -> tuple[Block, ...]:
    """All blocks of some sections and those inside them."""
    return tuple(block for one in sections for block in (*one.blocks, *blocks_of(one.sections)))


def on_paper(section: Section) -> bool:
    """Whether anything of a section stands on paper."""
    own = any(not isinstance(block, Table) or block.printed for block in section.blocks)
    return own or any(on_paper(one) for one in section.sections)


def numbered(sections: tuple[Section, ...]) -> tuple[Section, ...]:
    """The sections with their numbers, and tables and figures counted through the report; what is not on paper by
    itself, so that paper has no gaps."""
    counts = {"Table": 0, "Data table": 0, "Figure": 0}

    def block(one: Block) -> Block:
        if not isinstance(one, Table | Figure):
            return one
        kind = "Figure" if isinstance(one, Figure) else "Table" if one.printed else "Data table"
        counts[kind] += 1
        return one.model_copy(update={"number": counts[kind]})

    def every(some: tuple[Section, ...], above: str) -> tuple[Section, ...]:
        found, count = [], 0
        for one in some:
            number = ""
            if on_paper(one):
                count += 1
                number = f"{above}{count}"
            own = tuple(block(b) for b in one.blocks)
            inner = every(one.sections, f"{number}.")
            found.append(one.model_copy(update={"number": number, "blocks": own, "sections": inner}))
        return tuple(found)

    return every(sections, "")
