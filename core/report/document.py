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
    """A table; `number` is given when the report is put together. One that is not `printed` is too long for paper: the
    PDF says that it is in the other forms."""

    kind: Literal["table"] = "table"
    id: str
    number: int = 0
    title: str
    columns: tuple[Column, ...]
    rows: tuple[tuple[Cell, ...], ...]
    note: str = ""
    printed: bool = True


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
    """A numbered part of the report; `page`: a template may begin it on a new page (the program's own does not)."""

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
    """What stands on the first page, and in small at the head of every page; logo: a file among the figures, or ""."""

    project: str
    subtitle: str
    notes: str
    date: str
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
        return tuple(block for section in self.sections for block in _blocks(section))


def _blocks(section: Section) -> tuple[Block, ...]:
    return (*section.blocks, *(block for inner in section.sections for block in _blocks(inner)))


def numbered(sections: tuple[Section, ...]) -> tuple[Section, ...]:
    """The sections with their numbers, and tables and figures counted through the report."""
    counts = {"table": 0, "figure": 0}

    def block(one: Block) -> Block:
        if isinstance(one, Table | Figure):
            counts[one.kind] += 1
            return one.model_copy(update={"number": counts[one.kind]})
        return one

    def section(one: Section, number: str) -> Section:
        own = tuple(block(b) for b in one.blocks)
        inner = tuple(section(s, f"{number}.{k + 1}") for k, s in enumerate(one.sections))
        return one.model_copy(update={"number": number, "blocks": own, "sections": inner})

    return tuple(section(one, str(k + 1)) for k, one in enumerate(sections))
