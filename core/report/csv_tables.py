"""The tables of a report as CSV files, with the numbers as they are and not as they are shown."""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence

from ..base.text_table import plain_cell
from .document import Cell, Column, Facts, Moment, ReportContent, Table

FACTS_NAME = "figures.csv"


def report_csv(content: ReportContent) -> dict[str, str]:
    """Text of each CSV file by its name: one a table, and one with all named figures. Comma, UTF-8, CRLF-free."""
    files = {table_file(table): _table(table) for table in content.tables()}
    rows = [("where", "figure", "value", "unit")]
    rows += [("title", plain_cell(one.label), _plain(one.cell), one.unit) for one in content.title.facts]
    for block in content.blocks():
        if isinstance(block, Facts | Moment):
            rows += [(block.id, plain_cell(one.label), _plain(one.cell), one.unit) for one in block.entries]
    return {FACTS_NAME: _text(rows), **files}


def table_file(table: Table) -> str:
    """The file of a table; those that are not on paper come after the others."""
    return f"{'' if table.printed else 'data_'}{table.number:02d}_{table.id}.csv"


def _table(table: Table) -> str:
    rows = [tuple(_head(column) for column in table.columns)]
    rows += [tuple(_plain(cell) for cell in row) for row in table.rows]
    return _text(rows)


def _head(column: Column) -> str:
    return plain_cell(f"{column.key} [{column.unit}]" if column.unit else column.key)


def _plain(cell: Cell) -> str:
    return plain_cell(cell.text.strip()) if cell.value is None else repr(cell.value)


def _text(rows: Sequence[tuple[str, ...]]) -> str:
    out = io.StringIO()
    csv.writer(out, lineterminator="\n").writerows(rows)
    return out.getvalue()
