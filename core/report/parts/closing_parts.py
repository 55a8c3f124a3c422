"""What closes the report: provenance and hashes, and the glossary."""

from __future__ import annotations

import tomllib
from importlib import resources
from typing import Any

from ...base.errors import InputError
from ...base.version import VERSION
from ..book import Book
from ..cells import entry, left, text
from ..dates import time_words
from ..document import Facts, Section, Table, Text, blocks_of
from ..run_view import RunView


def provenance_section(view: RunView, book: Book) -> Section:
    """Which program, project and run the report is about."""
    origin = view.results.provenance
    status = view.results.status
    options = book.options
    entries = [
        entry("Report made", text(time_words(options.date))),
        entry("Report made by", text(f"ridewright {VERSION}")),
        entry("Run made", text(_when(origin.get("created")))),
        entry("Run made by", text(f"{origin.get('program', '')} {origin.get('version', '')}".strip())),
        entry("The run ended", text(f"{status.name}: {status.message}")),
        entry("SHA-256 of the project", text(view.project_hash)),
        entry("SHA-256 of the results", text(view.results_hash)),
    ]
    if options.author:
        entries.insert(1, entry("Author", text(options.author)))
    if status.advice:
        entries.append(entry("Advice", text(status.advice)))
    return Section(
        id="provenance",
        title="Provenance",
        blocks=(
            Facts(id="provenance", entries=tuple(entries)),
            Text(
                text=(
                    "The figures are an engineering estimate by simulation and no certificate of safety: tolerance "
                    "scatters widely between people, and limits that are marked come from secondary sources."
                )
            ),
            Text(
                text=(
                    "The hash of the project is taken over its canonical JSON (keys sorted, no spaces); that of the "
                    "results over the sample grid, all signals, energies and violations as 64-bit numbers in the order "
                    "of their names. The same run gives the same report but for its date."
                )
            ),
        ),
    )


def _when(created: Any) -> str:
    """A time in words, or as it was kept."""
    try:
        return time_words(str(created)) if created else ""
    except InputError:
        return str(created)


def off_paper(sections: tuple[Section, ...]) -> tuple[Section, ...]:
    """The sections with a sentence on what is not on paper, at the end of the provenance."""
    tables = [one for one in blocks_of(sections) if isinstance(one, Table) and not one.printed]
    if not tables:
        return sections
    whole = dict.fromkeys(one.title.partition(",")[0] for one in tables)
    words = f" Not on paper: {'; '.join(whole)}."
    stated = Text(
        text="Paper has what is near a limit; every row of every table is in the HTML, CSV and JSON forms of this"
        f" report, which are made with it, or later from the same results.{words}"
    )
    return tuple(
        one.model_copy(update={"blocks": (*one.blocks, stated)}) if one.id == "provenance" else one
        for one in sections
    )


def glossary_section() -> Section:
    """Terms and signs."""
    data = (
        resources.files("ridewright.resources")
        .joinpath("report", "glossary.toml")
        .read_text(encoding="utf-8")
    )
    rows = tuple((text(term["name"]), text(term["meaning"])) for term in tomllib.loads(data)["term"])
    table = Table(
        id="glossary",
        title="Terms and signs",
        columns=(
            left("term", "Term"),
            left("meaning", "Meaning", 1.0),
        ),
        rows=rows,
    )
    return Section(id="glossary", title="Glossary", blocks=(table,))
