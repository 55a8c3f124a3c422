"""The first pages: title block and the summary of what matters."""

from __future__ import annotations

from ...base.errors import InputError
from ...base.reading import read_file
from ...base.user_folders import expanded
from ...base.version import VERSION
from ...injury.result import Verdict
from ...outcome.headline import losses_text, top_speed, verdict_counts, verdict_line
from ...outcome.run_findings import findings_of
from ..book import Book, Event, ReportOptions
from ..cells import TONES, count, energy, entry, fixed, left, text
from ..dates import date_words
from ..document import (
    Block,
    Cell,
    Entry,
    Facts,
    Section,
    Signature,
    Table,
    Text,
    TitleBlock,
)
from ..run_view import RunView
from .check_columns import check_cells, check_columns
from .exceedances import places_table
from .words import (
    DOUBT_NOTE,
)

SHORT_HASH = 12
LOGOS = (".png", ".jpg", ".jpeg", ".svg")
LARGEST_LOGO = 5_000_000  # bytes
MAX_NEAR = 8


def title_block(view: RunView, book: Book) -> TitleBlock:
    """What stands on the first page."""
    scenario = view.project.scenario.kind
    lines = [line.strip() for line in view.project.notes.splitlines() if line.strip()]
    return TitleBlock(
        project=view.project.name,
        subtitle="Report on a simulated ride" if scenario == "ride" else "Report on a simulated rig",
        notes=" ".join(lines),
        date=book.options.date,
        date_words=date_words(book.options.date),
        author=book.options.author,
        program=f"ridewright {VERSION}",
        project_hash=view.project_hash[:SHORT_HASH],
        results_hash=view.results_hash[:SHORT_HASH],
        verdict=verdict_cell(view),
        facts=_facts(view),
        revision=book.options.revision,
        signatures=signatures(book.options),
        logo=logo(book),
    )


def signatures(options: ReportOptions) -> tuple[Signature, ...]:
    """Prepared, checked and approved, each with a line, as soon as one of the names is given."""
    named = (
        ("Prepared by", options.author), ("Checked by", options.checker), ("Approved by", options.approver)
    )  # fmt: skip
    return tuple(Signature(role=role, name=name) for role, name in named) if any(n for _, n in named) else ()


def logo(book: Book) -> str:
    """Keep the picture of the options among the drawings; its name there, "" without one.

    Raises InputError when it cannot be read or is no picture of a kind that all forms show.
    """
    if not book.options.logo:
        return ""
    path = expanded(book.options.logo)
    ending = path.suffix.lower()
    if ending not in LOGOS:
        raise InputError(f"{path}: a logo is a {', '.join(LOGOS)} file; save it as one of these.")
    book.files[f"logo{ending}"] = read_file(path, LARGEST_LOGO, "a logo")
    return f"logo{ending}"


def verdict_cell(view: RunView) -> Cell:
    """One line over all limits. A run that failed cannot be called inside."""
    if not view.results.status.complete:
        return text(f"The run ended early: {view.results.status.message}", "outside")
    words = verdict_line(view.judged)
    if not words:
        return text("No limit applies to this run", "none")
    counts = verdict_counts(view.judged)
    worst: Verdict = next((verdict for verdict, number in counts.items() if number), "inside")
    return text(words + _doubted(view, worst), TONES[worst])


def _doubted(view: RunView, verdict_: Verdict) -> str:
    """How many checks with that verdict rest on a limit that its source has not confirmed."""
    number = sum(
        bool(one.result.limit_status) and one.result.verdict == verdict_
        for one in view.judged
        if one.result.judged
    )
    return f", {number} of them by limits not confirmed by their source" if number else ""


def _facts(view: RunView) -> tuple[Entry, ...]:
    results = view.results
    entries = [entry("Duration", fixed(float(results.states.time[-1] - results.states.time[0]), 2), "s")]
    report = view.track_report
    if report is not None:
        entries += [
            entry("Track", fixed(report.length, 0), "m"),
            entry("Height", fixed(report.highest.value - report.lowest.value, 1), "m"),
            entry("Inversions", count(report.inversions)),
        ]
    speed = view.channel(view.cars[0], "speed") if view.cars else None
    if speed is not None:
        entries += [
            entry("Top speed", fixed(top_speed(results), 1), "m/s"),
            entry("Least speed", fixed(float(speed.min()), 1), "m/s"),
        ]
    numbers = {"Cars": len(view.cars), "Riders": len(view.riders), "Seats": len(view.seats)}
    entries += [entry(name, count(number)) for name, number in numbers.items() if number]
    return (*entries, entry("Moving mass", fixed(view.moving_mass, 0), "kg"))


def summary_section(view: RunView, events: tuple[Event, ...]) -> Section:
    """The judgement in words and the checks nearest to their limits."""
    counts = verdict_counts(view.judged)
    total = sum(counts.values())
    blocks: list[Block] = []
    if not view.results.status.complete:
        status = view.results.status
        blocks.append(Text(text=f"{status.message} {status.advice}".strip(), tone="outside"))
    for finding in findings_of(view.results, view.project):
        blocks.append(Text(text=finding.message, tone="" if finding.severity == "note" else "outside"))
    blocks.append(_losses(view))
    if total:
        blocks.append(check_counts(counts))
    blocks += nearest(view, events)
    positions = places_table(view)
    if positions is not None:
        blocks.append(positions)
    if not view.judged_on:
        blocks.append(Text(text="The run has no riders and no assessed seats, so that no criterion applies."))
    return Section(id="summary", title="Summary", blocks=tuple(blocks))


def nearest(view: RunView, events: tuple[Event, ...] = ()) -> list[Block]:
    """The checks nearest to their limits, with the letters of the moments that are pictured; nothing without checks."""
    near = [one for one in view.judged if one.result.judged][:MAX_NEAR]
    if not near:
        return []
    marks = {id(one): event.mark for event in events for one in (event.judged, *event.others)}
    letter = (left("mark", "Moment"),) if events else ()
    message = "Moment: letter under which the moment is pictured in the section on governing moments. "
    return [
        Table(
            id="nearest",
            title="The checks with the least margins",
            columns=(*letter, *check_columns(view)),
            rows=tuple(
                (*((text(marks.get(id(one), "")),) if events else ()), *check_cells(view, one))
                for one in near
            ),
            note=(message if events else "") + DOUBT_NOTE,
        )
    ]


def _losses(view: RunView) -> Text:
    """What takes energy from the ride, so that nobody takes a ride without losses for a real one."""
    ledger = view.results.energy
    residual = max((abs(float(x)) for x in ledger.residual), default=0.0)
    taken = [
        energy(float(term[-1] - term[0]) if len(term) else 0.0, residual)
        for term in (ledger.drag, ledger.dissipated)
    ]
    words, slowed = losses_text(view.project)
    air, damped = (
        f"{cell.text} {unit}".replace("<", "less than") if cell.value else "nothing" for cell, unit in taken
    )
    track = view.project.track is not None
    caution = " A real train is slower towards its end." if track and not slowed else ""
    return Text(
        text=f"Losses: {words}; wheels and air took {air}, dampers, friction and stops {damped}.{caution}",
        tone="near" if caution else "",
    )


def check_counts(counts: dict[Verdict, int]) -> Facts:
    """Checks against limits over all riders, body parts and assessed seats."""
    total = sum(counts.values())
    return Facts(
        id="verdicts",
        entries=(
            entry("Checks against a limit", count(total)),
            *(
                entry(
                    f"Checks {word}", count(number).model_copy(update={"tone": TONES[word] if number else ""})
                )
                for word, number in counts.items()
            ),
        ),
    )
