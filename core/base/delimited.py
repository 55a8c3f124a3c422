"""Tables of numbers as text, from files and from the clipboard: encoding, lines, separators, cells, decimal commas.

One reader for whatever people bring along: measured records, track tables, height grids, outlines, curves and pasted
rows. What a table means stands with what reads it; what is wrong is told by its line and column.
"""

from __future__ import annotations

import csv
import math
import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import overload

from .errors import InputError
from .reading import read_file
from .wording import in_words

#: Separators in the order in which they are looked for; blanks only where a table may use them.
SEPARATORS = ("\t", ";", ",", "|")
BLANKS = " "
BEGINNING = 4096  # characters of a text in which there is no zero
MAX_ROWS = 500_000
SHOWN = 40  # characters of a cell in a sentence
COMMA_OR_BLANKS = re.compile(r"\s*,\s*|\s+")
UNIT = re.compile(r"\[\s*([^\]\s]+)\s*\]")


def text_of(file: Path, maximum: int, what: str, *, code_page: bool = False) -> str:
    """The text of a file of at most so many bytes: UTF-8, UTF-16 by its mark, or with `code_page` that of Windows.

    what: what it should be, with its article. Raises InputError when it cannot be read, is too large or no text.
    """
    raw = read_file(file, maximum, what)
    encoding = "utf-16" if raw.startswith((b"\xff\xfe", b"\xfe\xff")) else "utf-8-sig"
    try:
        text = raw.decode(encoding)
    except UnicodeDecodeError:
        if not code_page:
            raise InputError(f"{file}: is not a text file; expected {what}.") from None
        text = raw.decode("latin-1")
    if "\x00" in text[:BEGINNING]:
        raise InputError(f"{file}: is not a text file; expected {what}.")
    return text


def lines_of(text: str, comment: str = "#") -> list[tuple[int, str]]:
    """Lines that hold something with their numbers from 1, blanks at their ends taken off; without those that begin
    with the mark of a comment ("" for none)."""
    plain = text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n")
    lines = []
    for number, line in enumerate(plain.split("\n"), start=1):
        kept = line.strip(" ")
        # A tab may stand before a comment or alone in a line; all else is told by the first character.
        if kept[:1] > "#" or (kept.strip() and not (comment and kept.lstrip().startswith(comment))):
            lines.append((number, kept))
    if len(lines) > 1 and all(
        line[0] == '"' and line[-1] == '"' and line.count('"') == 2 for _, line in lines
    ):
        # Some exports put each whole line in quotes.
        lines = [(number, line[1:-1]) for number, line in lines]
    return lines


def separator_of(line: str, minimum: int = 1) -> str | None:
    """What separates the cells of a line, there at least so many times; None where nothing does."""
    return next((one for one in SEPARATORS if line.count(one) >= minimum), None)


def cells_of(line: str, separator: str) -> list[str]:
    """Cells of a line, quotes taken off; separator `BLANKS` parts at blanks and commas alike.

    Raises InputError, without a place, for quotes that do not end.
    """
    if separator == BLANKS:
        return COMMA_OR_BLANKS.split(line.replace('"', " ").strip())
    if '"' not in line:
        return line.split(separator)
    try:
        return next(csv.reader([line], delimiter=separator))
    except csv.Error as error:
        raise InputError(f"the line cannot be read as CSV ({in_words(error)}).") from None


def number_of(cell: str, separator: str) -> float | None:
    """The finite number of a cell, with a decimal comma where commas do not separate; None for anything else."""
    text = cell.strip().replace("−", "-")
    if separator != ",":
        text = text.replace(",", ".")
    try:
        value = float(text)
    except ValueError:
        return None
    # Python would read 1_000 as a number, nothing else writes that.
    return value if math.isfinite(value) and "_" not in text else None


def typed_cells(line: str) -> list[str]:
    """Cells of a line as people type them: tabs part them, else blanks and semicolons; a comma is a decimal one."""
    return cells_of(line, "\t") if "\t" in line else line.replace(";", " ").split()


@dataclass(frozen=True)
class Row:
    """A line of a table: its number and its cells."""

    line: int
    cells: tuple[str, ...]

    @property
    def units(self) -> list[str]:
        """What stands in square brackets in a heading, in order."""
        return UNIT.findall(" ".join(self.cells))


class Rows(Sequence[Row]):
    """Rows of a table, parted into cells when they are looked at: as text a long table takes a tenth of the memory."""

    def __init__(self, lines: Sequence[tuple[int, str]], separator: str, width: int) -> None:
        self._lines, self._separator, self._width = lines, separator, width

    def __len__(self) -> int:
        return len(self._lines)

    @overload
    def __getitem__(self, at: int) -> Row: ...

    @overload
    def __getitem__(self, at: slice) -> Rows: ...

    def __getitem__(self, at: int | slice) -> Row | Rows:
        if isinstance(at, slice):
            return Rows(self._lines[at], self._separator, self._width)
        number, line = self._lines[at]
        return Row(number, tuple(cell.strip() for cell in cells_of(line, self._separator)[: self._width]))


@dataclass(frozen=True)
class TextTable:
    """where: what sentences begin with, a file, or nothing for what was pasted; separator; header: the first line,
    where none of its cells is a number; rows: the others; whole: whether the last line ends."""

    where: str
    separator: str
    header: Row | None
    rows: Rows
    whole: bool

    def place(self, row: Row, column: str | int | None = None) -> str:
        """A row, or a cell of it, in words: "file, line 7, column x"."""
        line = f"{self.where}, line {row.line}" if self.where else f"Line {row.line}"
        return line if column is None else f"{line}, column {column}"

    def check_width(self, row: Row, minimum: int, maximum: int | None = None, of: str = "") -> None:
        """Refuse a row of other than so many cells; of: what they are. Raises InputError."""
        found = len(row.cells)
        if minimum <= found <= (minimum if maximum is None else maximum):
            return
        if (
            found < minimum
            and not self.whole
            and self.where
            and self.rows[0].line < row.line == self.rows[-1].line
        ):
            raise InputError(
                f"{self.place(row)}: expected {minimum} columns, found {found}: the file ends in the middle of a row;"
                " copy or export it again."
            )
        raise InputError(f"{self.place(row)}: expected {of or f'{minimum} columns'}, found {found}.")

    def number(self, row: Row, index: int, column: str | int, largest: float = math.inf) -> float:
        """The number in a cell; column: its name or number for the sentence. Raises InputError."""
        cell = row.cells[index] if index < len(row.cells) else ""
        value = number_of(cell, self.separator)
        if value is None and _odd(cell) is None:
            raise InputError(f"{self.place(row, column)}: expected a number, found '{cell.strip()[:SHOWN]}'.")
        if value is None or abs(value) > largest:
            bound = f" and at most {largest:.0f}" if math.isfinite(largest) else ""
            raise InputError(
                f"{self.place(row, column)}: the number must be finite{bound}, found '{cell.strip()[:SHOWN]}'."
            )
        return value

    def numbers(self, names: Sequence[str | int], largest: float = math.inf) -> list[list[float]]:
        """All rows as numbers; names of their columns, all of them. Raises InputError."""
        out = []
        for row in self.rows:
            self.check_width(row, len(names))
            out.append([self.number(row, k, name, largest) for k, name in enumerate(names)])
        return out

    def column(self, index: int, name: str) -> list[float]:
        """One column as numbers. Raises InputError."""
        return [self.number(row, index, name) for row in self.rows]


def _odd(cell: str) -> float | None:
    """What Python takes for a number, not finite."""
    try:
        value = float(cell.strip().replace("_", "x"))
    except ValueError:
        return None
    return None if math.isfinite(value) else value


def table_of(
    text: str, where: str = "", *, blanks: bool = False, comment: str = "#", most: int = MAX_ROWS
) -> TextTable:
    """A text as rows of cells, blank lines and comments left out.

    where: what sentences begin with; blanks: whether cells may be parted by blanks (and commas) where no tab, semicolon
    or bar is; comment: its mark; most: rows there may be. Columns that are empty in all rows at the end are left out.
    Raises InputError for more rows, and for a line with quotes that do not end.
    """
    lines = lines_of(text, comment)
    if len(lines) > most + 1:
        raise InputError(f"{where or 'The text'}: more than {most} rows; thin them out.")
    last = lines[-1][1].strip() if lines else ""
    separator = separator_of(last) or (BLANKS if blanks else ",")
    if blanks and separator == "," and any(" " in cell.strip() for cell in last.split(",")):
        separator = BLANKS
    kept, width = [], 0
    for number, line in lines:
        try:
            filled = [k for k, cell in enumerate(cells_of(line, separator), start=1) if cell.strip()]
        except InputError as error:
            raise InputError(f"{where + ', line' if where else 'Line'} {number}: {error}") from None
        if filled:
            kept.append((number, line))
            width = max(width, filled[-1])
    rows = Rows(kept, separator, width)
    header = rows[0] if rows and not any(_is_number(cell) for cell in rows[0].cells) else None
    return TextTable(where, separator, header, rows[1:] if header else rows, text.endswith(("\n", "\r")))


def _is_number(cell: str) -> bool:
    return number_of(cell, ";") is not None or _odd(cell) is not None


def records_of(text: str) -> tuple[dict[str, str], ...]:
    """The rows of a comma separated table of words by the names in its header; comments left out."""
    return tuple(csv.DictReader(line for _, line in lines_of(text)))
