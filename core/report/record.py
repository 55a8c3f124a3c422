"""The report of a measured ride: what an accelerometer felt, judged as a run is, without a motion behind it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from hashlib import sha256
from pathlib import Path

from ..base.errors import InputError
from ..base.evaluation import EvaluationOptions
from ..base.reading import read_file
from ..base.version import VERSION
from ..injury.csv_text import MAX_BYTES
from ..injury.evaluate import criterion_ids, evaluate_history
from ..injury.history import History
from ..injury.parts import PARTS
from ..injury.standards.files import table_faults
from ..outcome.headline import verdict_counts
from ..outcome.rider_view import Judged, Judgement, RiderJudgement, by_margin, existing_tables
from ..project.project import Project
from ..results.results import Channel, Results
from .book import Book, Progress, ReportOptions
from .cells import entry, fixed, text
from .dates import date_words, time_words
from .document import Block, Facts, ReportContent, Section, Text, TitleBlock, numbered
from .parts.closing_parts import glossary_section, off_paper
from .parts.exceedances import places_table
from .parts.limits_part import limits_section
from .parts.loads_part import charts, components
from .parts.overview_part import SHORT_HASH, check_counts, logo, nearest, signatures, verdict_cell
from .parts.words import part_name
from .run_view import RunView
from .template import NAMES, template_text
from .write import ReportTarget, refuse_target, write_forms

WEARER = "the rider"


@dataclass(frozen=True)
class Record:
    """A measured ride: the file, the history in rider axes, how it is judged, where the sensor was (a part of the
    rider, or the seat), and how the file was read, in words."""

    file: Path
    history: History
    options: EvaluationOptions
    part: Judged = "seat"
    reading: tuple[tuple[str, str], ...] = ()


class RecordView(RunView):
    """A measured ride as the report reads a run."""

    assumed_where = "Given with the command."
    figures = "Values to three digits."

    def __init__(self, record: Record) -> None:
        """Raises InputError for a name of the file that no project can have."""
        project = Project(name=record.file.stem[:120] or "Record", evaluation=record.options)
        path = "seat/the seat" if record.part == "seat" else f"rider/{WEARER}/{record.part}"
        felt = Channel(record.history.acceleration, "g", "rider axes", "measured")
        super().__init__(project, Results.of_signals(record.history.time, {f"{path}/acceleration": felt}))
        self.record = record
        self.worn = "the seat" if record.part == "seat" else WEARER

    def history(self, rider: str, part: str) -> History | None:
        """The record, where it was worn."""
        return self.record.history if (rider, part) == (self.worn, self.record.part) else None

    @cached_property
    def judged_on(self) -> tuple[str, ...]:
        """Whoever wore the sensor."""
        return (self.worn,)

    @cached_property
    def judgement(self) -> Judgement:
        """Every criterion that applies where it was worn."""
        options, gone = existing_tables(self.record.options)
        part = "pelvis" if self.record.part == "seat" else self.record.part
        found = evaluate_history(self.record.history, criterion_ids(options, part), options)
        rows = [RiderJudgement(self.worn, self.record.part, one) for one in found]
        return Judgement(tuple(by_margin(rows)), (*gone, *table_faults()))


def write_record_report(
    record: Record,
    target: ReportTarget,
    *,
    options: ReportOptions,
    on_progress: Progress | None = None,
    should_stop: Callable[[], bool] | None = None,
) -> tuple[Path, ...]:
    """Write the report of a measured ride; returns the files written. Raises as `write_report`."""
    refuse_target(options, target)
    if record.part not in (*PARTS, "seat"):
        raise InputError(f"part: one of {', '.join(PARTS)}, seat; found {record.part!r}.")
    book = Book(options, on_progress, should_stop)
    logo(book)
    template_text(NAMES[0], options.template)
    content = record_content(record, book)
    return write_forms(content, book, target)


def record_content(record: Record, book: Book) -> ReportContent:
    """Every number and text of the report of a measured ride; its drawings are collected in `book.files`."""
    view = RecordView(record)
    digest = sha256(read_file(record.file, MAX_BYTES, "a record")).hexdigest()
    book.step(0.1, "criteria")
    sections = (
        _summary(view),
        _loads(view, book),
        limits_section(view, ()),
        _record(view),
        _provenance(view, book, digest),
        glossary_section(),
    )
    title = TitleBlock(
        project=view.project.name,
        subtitle="Report on a measured ride",
        notes="",
        date=book.options.date,
        date_words=date_words(book.options.date),
        author=book.options.author,
        program=f"ridewright {VERSION}",
        project_hash=view.project_hash[:SHORT_HASH],
        results_hash=digest[:SHORT_HASH],
        verdict=verdict_cell(view),
        facts=(
            entry("Duration", fixed(record.history.duration, 2), "s"),
            entry("Samples a second", fixed(record.history.own_rate, 0), "Hz"),
            entry("Sensor at", text(part_name(record.part))),
        ),
        revision=book.options.revision,
        signatures=signatures(book.options),
        logo=logo(book),
    )
    return ReportContent(title=title, sections=numbered(off_paper(sections)))


def _summary(view: RecordView) -> Section:
    counts = verdict_counts(view.judged)
    blocks: list[Block] = [
        Text(
            text="Measured: nothing is known of the motion, of places on the track, of losses or of other parts of the"
            " rider than the one where the sensor was."
        ),
        *(Text(text=note) for note in view.record.history.notes),
    ]
    if sum(counts.values()):
        blocks.append(check_counts(counts))
    blocks += nearest(view)
    positions = places_table(view)
    if positions is not None:
        blocks.append(positions)
    return Section(id="summary", title="Summary", blocks=tuple(blocks))


def _loads(view: RecordView, book: Book) -> Section:
    """Components over time, and levels against duration under every table of limits."""
    part, felt = view.record.part, "in" if view.record.history.contains_gravity else "out"
    drawn, beyond = components(view, view.worn, part)
    where = part_name(part)
    blocks: list[Block] = [
        book.figure(
            "loads",
            f"Specific force at the {where}",
            f"Rider axes, gravity {felt}. "
            + (
                "Shaded: a limit on this component is exceeded."
                if beyond
                else "No limit on a component is exceeded."
            ),
            drawn,
        )
    ]
    for standard in view.record.options.standards:
        blocks += charts(view, book, 0, view.worn, standard, part)
    return Section(id="loads", title=f"Loads at the {where}", page=True, blocks=tuple(blocks))


def _record(view: RecordView) -> Section:
    history = view.record.history
    facts = [
        entry("File", text(view.record.file.name)),
        entry("From", fixed(float(history.time[0]), 3), "s"),
        entry("To", fixed(float(history.time[-1]), 3), "s"),
        entry("Samples a second", fixed(history.own_rate, 1), "Hz"),
        entry("Judged at", fixed(history.sample_rate, 1), "Hz"),
        entry("Gravity", text("in the record" if history.contains_gravity else "taken out")),
        entry(
            "Rotation rates",
            text("in the record" if history.rotation_rate is not None else "not in the record"),
        ),
        *(entry(name, text(words)) for name, words in view.record.reading),
    ]
    return Section(
        id="record",
        title="The record and how it was read",
        blocks=(Facts(id="record", entries=tuple(facts)),),
    )


def _provenance(view: RecordView, book: Book, digest: str) -> Section:
    entries = [
        entry("Report made", text(time_words(book.options.date))),
        entry("Report made by", text(f"ridewright {VERSION}")),
        entry("SHA-256 of how it is judged", text(view.project_hash)),
        entry("SHA-256 of the file", text(digest)),
    ]
    if book.options.author:
        entries.insert(1, entry("Author", text(book.options.author)))
    sentence = (
        "A record holds for its sensor, its place and its ride. It is no certificate of safety: tolerance scatters"
        " widely between people, and limits that are marked come from secondary sources. The same file and the same"
        " options give the same report but for its date."
    )
    return Section(
        id="provenance",
        title="Provenance",
        blocks=(Facts(id="provenance", entries=tuple(entries)), Text(text=sentence)),
    )
