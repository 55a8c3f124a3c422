"""The report of a study: what was varied, what came of it, and what it answers, in the style of the report of a run."""

from __future__ import annotations

import re
from hashlib import sha256
from pathlib import Path

import numpy as np

from ..base.errors import InputError
from ..base.fields import told
from ..base.version import VERSION
from ..injury.assumptions import assumptions
from ..injury.result import CriterionResult
from ..outcome.headline import losses_text
from ..outcome.rider_view import existing_tables
from ..report.book import Book, ReportOptions
from ..report.cells import count, entry, figures, fixed, left, text
from ..report.dates import date_words, time_words
from ..report.document import (
    Block,
    Cell,
    Column,
    Entry,
    Facts,
    ReportContent,
    Section,
    Table,
    Text,
    TitleBlock,
    Tone,
    numbered,
)
from ..report.parts.overview_part import logo, signatures
from ..report.parts.words import MARK, direction_text, title_of, unit_cell
from ..report.write import ReportTarget, refuse_target, write_forms
from .admitted import admitted_of
from .answers import MinMargin, min_margins
from .answers_section import Asked, answers_section
from .front import Design, Front, front_of
from .one_run import MARGIN, STATES, UNFINISHED
from .pictures import front_picture
from .plan import bounds
from .store import Store
from .store import Table as Runs
from .study import Parameter, Plan, Study
from .who_closes import closes_of
from .who_section import who_section
from .words import WORDS, criteria_of

NEAR = 0.1  # margin that counts as near, as in the report of a run
SHORT_HASH = 12
MAX_ROWS = 40  # of a table on paper; the other forms have all
NUMBER = re.compile(r"-?\d+(\.\d+)?(e-?\d+)?")


def write_study_report(
    store: Store, target: ReportTarget, options: ReportOptions, asked: Asked | None = None
) -> tuple[Path, ...]:
    """Write the report of a study in the forms that are asked for.

    Parameters
    ----------
    store
        Of the study.
    target
        Which files.
    options
        As for the report of a ride.
    asked
        What is shown; None for the usual.

    Returns
    -------
    The files written.

    Raises
    ------
    InputError
        As `study_content`, where typst is missing for a PDF, for a date that is none, and when a file cannot be
        written.
    """
    refuse_target(options, target)
    book = Book(options)
    return write_forms(study_content(store, book, asked), book, target)


def study_content(store: Store, book: Book, asked: Asked | None = None) -> ReportContent:
    """Every number and text of the report of a study; its drawings are collected in `book.files`.

    Raises InputError for a store without runs, a response that no run has kept, and where matplotlib is missing.
    """
    asked = asked or Asked()
    runs = store.table()
    if not len(runs):
        raise InputError(f"{store.folder}: has no runs yet, so that there is nothing to report.")
    if asked != Asked():
        runs.named(asked.response)
    best = front_of(runs) if runs.study.optimise is not None else None
    sections = [
        _summary(store, runs),
        _set_up(store, runs),
        None if best is None else _designs(runs, best, book),
        answers_section(runs, asked, book),
        _who(store, runs),
        _unfinished(runs),
        _provenance(store, runs, book.options),
    ]
    return ReportContent(
        title=_title(store, runs, best, book), sections=numbered(tuple(s for s in sections if s is not None))
    )


def _who(store: Store, runs: Runs) -> Section | None:
    titles = {name: title_of(criterion) for name, criterion in criteria_of(store).items()}
    return who_section(runs, closes_of(store), titles, admitted_of(store))


def _title(store: Store, runs: Runs, best: Front | None, book: Book) -> TitleBlock:
    study = runs.study
    return TitleBlock(
        project=study.name,
        subtitle="Report on a study",
        notes=" ".join(study.notes.split()),
        date=book.options.date,
        date_words=date_words(book.options.date),
        author=book.options.author,
        program=f"ridewright {VERSION}",
        project_hash=store.digest[:SHORT_HASH],
        results_hash=_hash(runs)[:SHORT_HASH],
        verdict=_verdict(runs) if best is None else _found(best),
        facts=_counts(runs),
        revision=book.options.revision,
        signatures=signatures(book.options),
        logo=logo(book),
    )


def _counts(runs: Runs) -> tuple[Entry, ...]:
    found = [entry("Runs", count(len(runs)))]
    for k, state in enumerate(STATES):
        number = int((runs.state == k).sum())
        if number:
            found.append(entry(WORDS[state].capitalize(), count(number)))
    return tuple(found)


def _tone(margin: float) -> Tone:
    return "outside" if margin < 0.0 else "near" if margin < NEAR else "inside"


def _hash(runs: Runs) -> str:
    """SHA-256 of numbers, states, values and kept numbers of all runs, the latter in the order of their names."""
    parts = [runs.run, runs.state, runs.values, *(runs.numbers[name] for name in sorted(runs.numbers))]
    return sha256(b"".join(np.ascontiguousarray(part).tobytes() for part in parts)).hexdigest()


def _found(best: Front) -> Cell:
    """One line over a search, most designs of which are not meant to be built."""
    if not best.runs:
        return text(f"Nothing feasible among {best.made} designs", "outside")
    if len(best.runs) == 1:
        return text(f"One best design among {best.made}: run {best.runs[0]}", "none")
    return text(f"{len(best.runs)} of {best.made} designs, none of which is better in every goal", "none")


def _verdict(runs: Runs) -> Cell:
    """One line over all runs."""
    finished = runs.is_state("done")
    if not finished.any():
        return text("No run was finished", "outside")
    if MARGIN not in runs.numbers:
        return text("No limit was asked about", "none")
    margins = runs.numbers[MARGIN][finished]
    beyond, of = int((margins < 0.0).sum()), int((~np.isnan(margins)).sum())
    if not of:
        return text("No finished run has a limit that applies", "none")
    early = runs.numbers[MARGIN][runs.is_state("early")]
    too = int((early < 0.0).sum())
    more = f"; {too} of {len(early)} that ended early exceed one" if too else ""
    if beyond:
        return text(f"{beyond} of {of} finished runs exceed a limit{more}", "outside")
    if too:
        return text(f"No limit is exceeded in {of} finished runs{more}", "outside")
    return text(f"No limit is exceeded in {of} finished runs", _tone(float(np.nanmin(margins))))


def _summary(store: Store, runs: Runs) -> Section:
    blocks: list[Block] = []
    if runs.ended:
        blocks.append(Text(text=f"The study ended before its plan: {runs.ended}", tone="near"))
    margins = min_margins(runs)
    known = criteria_of(store) if margins else {}
    ended = {int(run): WORDS[STATES[state]] for run, state in zip(runs.run, runs.state, strict=True)}
    if margins:
        rows = tuple(
            (
                text(_title_of(known.get(one.criterion), one.criterion)),
                fixed(one.margin, 3, _tone(one.margin)),
                figures(one.value),
                unit_cell(known[one.criterion]) if one.criterion in known else text(""),
                text(_confidence(known.get(one.criterion))),
                count(one.run),
                text(ended[one.run]),
                text(one.who),
                fixed(one.s, 1),
                fixed(one.time, 2),
            )
            for one in margins
        )
        columns = (
            left("criterion", "Criterion", 1.0),
            Column(key="margin", title="Least margin"),
            Column(key="value", title="Value"),
            left("unit", "Unit"),
            left("confidence", "Confidence"),
            Column(key="run", title="Run"),
            left("ended", "State"),
            left("who", "On"),
            Column(key="s", title="At", unit="m"),
            Column(key="time", title="At", unit="s"),
        )
        note = (
            "Margin: part of the limit that is left. Run: the one that governs, which `study remake` makes again; runs "
            f"that ended early count as far as they came. {MARK}: the limit was not confirmed by the "
            "standard or source itself."
        )
        blocks.append(
            Table(
                id="margins",
                title="Least margin of every criterion over all runs",
                columns=columns,
                rows=rows,
                note=note,
            )
        )
        blocks += _assumed(store, margins)
    else:
        blocks.append(Text(text="No criterion with a limit was kept of these runs."))
    return Section(id="summary", title="Least margins", blocks=tuple(blocks))


def _title_of(known: CriterionResult | None, criterion: str) -> str:
    return criterion if known is None else title_of(known)


def _confidence(known: CriterionResult | None) -> str:
    return "" if known is None else known.confidence or ""


def _assumed(store: Store, margins: tuple[MinMargin, ...]) -> list[Block]:
    """What the margins take for granted, as in the report of a run."""
    if store.base is None:
        return []
    bodies = [one.who.partition(" of ")[0] for one in margins if one.who]
    options, gone = existing_tables(store.base.evaluation)
    found = [*assumptions(options, bodies), *(("Left out", words) for words in gone)]
    table = Table(
        id="assumptions",
        title="What the margins assume",
        columns=(left("what", "What"), left("assumed", "Assumed", 1.0)),
        rows=tuple((text(what), text(direction_text(words))) for what, words in found),
        note="Set in the scenario of the base project (Rider assessment); a parameter of the study may change it.",
    )
    return [table]


def _set_up(store: Store, runs: Runs) -> Section:
    study = runs.study
    rows = tuple((text(p.name), text(_goes_to(p)), text(p.unit), text(_range(p))) for p in study.parameters)
    plan = study.plan
    how = study.optimise
    facts = [
        entry("Base project", text(f"none, {study.function}" if store.base is None else store.base.name)),
        entry("A run is", text(_titled(study, "ride"))),
    ]
    if store.base is not None:
        facts.append(entry("Losses of the base project", text(losses_text(store.base)[0])))
    if how is None:
        facts += [entry("Plan", text(_titled(plan, "kind"))), entry("Seed", count(plan.seed))]
    else:
        goals = ", ".join(f"{goal.name} {goal.sense}d" for goal in how.goals)
        facts += [
            entry("Method", text(how.method)),
            entry("Goals", text(goals)),
            entry("Constraints", text(_bounds_text(study))),
            entry("Designs of a generation", count(how.population)),
            entry("Generations", count(how.generations)),
            entry("Seed", count(how.seed)),
        ]
    table = Table(
        id="parameters",
        title="What is varied",
        columns=(
            left("name", "Parameter"),
            left("goes_to", "Goes to", 1.0),
            left("unit", "Unit"),
            left("range", "Range"),
        ),
        rows=rows,
    )
    return Section(id="study", title="The study", blocks=(Facts(id="plan", entries=tuple(facts)), table))


def _titled(one: Study | Plan, name: str) -> str:
    """The word of a choice as a person reads it."""
    value = str(getattr(one, name))
    return str(told(type(one).model_fields[name], "words", {}).get(value, value))


def _bounds_text(study: Study) -> str:
    assert study.optimise is not None
    parts = []
    for bound in study.optimise.constraints:
        low = "" if bound.low is None else f"{bound.low:g} ≤ "
        high = "" if bound.high is None else f" ≤ {bound.high:g}"
        parts.append(f"{low}{bound.name}{high}")
    return ", ".join(parts)


def _goes_to(parameter: Parameter) -> str:
    if parameter.levels:
        return "several"
    fields = parameter.fields_of
    if not fields:
        return parameter.edit or "the function"
    return fields[0] + (f" and {len(fields) - 1} more" if len(fields) > 1 else "")


def _range(parameter: Parameter) -> str:
    if parameter.levels:
        return ", ".join(level.label for level in parameter.levels)
    if parameter.values:
        return ", ".join(f"{value:g}" for value in parameter.values)
    if parameter.distribution in ("normal", "lognormal"):
        return f"{parameter.distribution}, {parameter.mean:g} ± {parameter.deviation:g}"
    low, high = bounds(parameter)
    return f"{low:g} to {high:g}" + ("" if parameter.distribution == "uniform" else ", triangular")


def _designs(runs: Runs, best: Front, book: Book) -> Section:
    """The best designs beside the one the search began with."""
    study = runs.study
    assert study.optimise is not None
    if not len(best.runs):
        nothing = f"Nothing is feasible among {best.made} designs; {best.nearest}"
        return Section(id="designs", title="Best designs", blocks=(Text(text=nothing, tone="outside"),))
    columns = [left("run", "Run")]
    columns += [Column(key=f"p{k}", title=p.name, unit=p.unit) for k, p in enumerate(study.parameters)]
    columns += [Column(key=f"g{k}", title=goal.name) for k, goal in enumerate(study.optimise.goals)]
    table = Table(
        id="designs",
        title="Best designs",
        columns=tuple(columns),
        rows=_design_rows(study, best),
        note="None of them is better than another in every goal. Goals are in SI units, or g as their channel.",
        printed_rows=MAX_ROWS,
        beyond=f"{len(best.runs) - MAX_ROWS} more are in the other forms.",
    )
    made = f"{best.made} designs were made; {len(best.runs)} of them are best."
    blocks: list[Block] = [Text(text=made), *front_picture(runs, best, book), table]
    return Section(id="designs", title="Best designs", blocks=tuple(blocks))


def _design_rows(study: Study, best: Front) -> tuple[tuple[Cell, ...], ...]:
    start = (
        () if best.start is None else ((text(f"{best.start.run}, the start"), *_design(study, best.start)),)
    )
    return (*start, *((text(str(design.run)), *_design(study, design)) for design in best.designs))


def _design(study: Study, design: Design) -> tuple[Cell, ...]:
    shown = [
        text(p.shown(v)) if p.levels else figures(v)
        for p, v in zip(study.parameters, design.values, strict=True)
    ]
    return (*shown, *(figures(goal) for goal in design.goals))


def _unfinished(runs: Runs) -> Section | None:
    """Runs that failed or ended early, by sentences that are one but for their numbers."""
    found: dict[str, list[int]] = {}
    for k in range(len(runs)):
        if STATES[runs.state[k]] in UNFINISHED:
            found.setdefault(NUMBER.sub("#", runs.message[k]), []).append(k)
    if not found:
        return None
    rows = tuple(
        (count(len(these)), count(int(runs.run[these[0]])), text(runs.message[these[0]]))
        for these in sorted(found.values(), key=len, reverse=True)
    )
    table = Table(
        id="unfinished",
        title="Runs that failed or ended early",
        columns=(
            Column(key="runs", title="Runs"),
            Column(key="first", title="First"),
            left("reason", "Reason, of the first", 1.0),
        ),
        rows=rows,
        printed_rows=MAX_ROWS,
        beyond=f"{len(rows) - MAX_ROWS} more reasons are in the other forms.",
    )
    return Section(id="unfinished", title="What was not finished", blocks=(table,))


def _provenance(store: Store, runs: Runs, options: ReportOptions) -> Section:
    entries = [
        entry("Report made", text(time_words(options.date))),
        entry("Report made by", text(f"ridewright {VERSION}")),
        entry("Runs made by", text(f"ridewright {store.made_by}")),
        entry("SHA-256 of study and base project", text(store.digest)),
        entry("SHA-256 of the runs", text(_hash(runs))),
    ]
    if options.author:
        entries.insert(1, entry("Author", text(options.author)))
    sentence = (
        "The figures are an engineering estimate by simulation and no certificate of safety. Any run is made again from"
        " its number, the study and the base project in the folder of the runs."
    )
    blocks = (Facts(id="provenance", entries=tuple(entries)), Text(text=sentence))
    return Section(id="provenance", title="Provenance", blocks=blocks)
