"""The table of criteria as a file."""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence
from pathlib import Path

from ...core.base.errors import InputError
from ...core.base.text_table import plain_cell
from ...core.outcome.rider_view import RiderJudgement
from ...core.project.project import write_atomically
from .table import CriteriaModel

FURTHER = ("signal", "definition", "source of the limit", "status of the limit", "exceeded (s)", "note")


def save_rows(path: Path, model: CriteriaModel, rows: Sequence[RiderJudgement]) -> None:
    """Write rows as CSV with the columns of the table and the sources. Raises InputError."""
    if not rows:
        raise InputError("There is no criterion to save; run the project first.")
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow([*(plain_cell(column.title) for column in model.columns), *FURTHER])
    for row in rows:
        result = row.result
        signal = f"{result.signal.body}, filter {result.signal.filter}, gravity {result.signal.gravity}"
        exceeded = "; ".join(f"{start:.3f} to {end:.3f}" for start, end in result.exceeded)
        source = result.limit_source or ""
        further = [signal, result.definition, source, result.limit_status, exceeded, result.note]
        writer.writerow(
            [*(plain_cell(column.text(row)) for column in model.columns), *map(plain_cell, further)]
        )
    write_atomically(path, text.getvalue())
