"""From a run to the content of its report and the drawings that go with it."""

from __future__ import annotations

from .book import Book, Pictures
from .document import ReportContent, Section, numbered
from .parts.closing_parts import glossary_section, off_paper, provenance_section
from .parts.comparison_part import comparison_section
from .parts.contacts_part import contacts_section
from .parts.limits_part import limits_section
from .parts.loads_part import loads_section, riders_by_margin
from .parts.method_part import method_section, quality_section
from .parts.moments_part import events_of, expect, moments_section
from .parts.overview_part import summary_section, title_block
from .parts.second_engine_part import second_engine_section
from .parts.sensitivity_part import sensitivity_section
from .parts.steelwork_part import steelwork_section, with_verdict
from .parts.structure_part import structure_section
from .parts.swing_part import swing_section
from .parts.track_part import track_section
from .parts.train_part import train_section
from .parts.vehicle_part import vehicle_section
from .run_view import RunView


def build_content(view: RunView, book: Book, pictures: Pictures | None = None) -> ReportContent:
    """Every number and text of the report of a run; its drawings are collected in `book.files`.

    pictures: gives a PNG of a moment, or None where it cannot; then, and without it, moments are drawn as line
    drawings. Raises Stopped when the book's should_stop says so, InputError where matplotlib is missing.
    """
    book.step(0.02, "criteria")
    events = events_of(view, book.options.moments)
    expect(pictures, events)
    sections: list[Section | None] = [summary_section(view, events), comparison_section(view)]
    book.step(0.15, "track")
    if view.built is not None:
        sections.append(track_section(view, book, events))
    book.step(0.22, "vehicle")
    sections.append(vehicle_section(view, book))
    sections.append(train_section(view, book))
    sections.append(swing_section(view, book))
    sections.append(structure_section(view, book))
    steel = steelwork_section(view, book)
    sections.append(steel)
    sections.append(contacts_section(view, book))
    sections.append(method_section(view))
    if view.judged_on:
        drawn = riders_by_margin(view)[: book.options.riders_drawn]
        sections += [loads_section(view, book, drawn), limits_section(view, drawn)]
    book.step(0.6, "energy and constraints")
    quality = quality_section(view, book)  # its figures are drawn while pictures are waited for
    sections.append(moments_section(view, book, events, pictures))
    sections.append(sensitivity_section(view, book, events))
    sections.append(second_engine_section(view))
    sections += [quality, provenance_section(view, book), glossary_section()]
    title = title_block(view, book)
    if steel is not None:
        title, sections[0] = with_verdict(title, sections[0], steel)
    return ReportContent(
        title=title,
        sections=numbered(off_paper(tuple(one for one in sections if one is not None))),
    )
