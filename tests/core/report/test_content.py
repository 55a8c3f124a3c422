"""What the report says, against the run itself."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest

from ridewright.core.base.evaluation import EvaluationOptions
from ridewright.core.injury import criteria
from ridewright.core.injury.assumptions import assumptions
from ridewright.core.injury.filters import ride_filter
from ridewright.core.injury.result import CriterionResult, Signal
from ridewright.core.outcome.rider_view import Judgement, RiderJudgement, judge_riders
from ridewright.core.outcome.seats import Verdicts, assess_seats, judge_run
from ridewright.core.project.examples import load_example
from ridewright.core.project.project import Project
from ridewright.core.report.book import Book
from ridewright.core.report.content import build_content
from ridewright.core.report.document import Section, Table, Text
from ridewright.core.report.figures.canvas import thin, upper_edge
from ridewright.core.report.parts.exceedances import exceedance_tables, places_table
from ridewright.core.report.parts.limits_part import limits_section
from ridewright.core.report.parts.moments_part import SAME_MOMENT, events_of
from ridewright.core.report.parts.overview_part import title_block
from ridewright.core.report.parts.track_part import figures_of
from ridewright.core.report.run_view import RunView
from ridewright.core.results.file import read_results, write_results
from ridewright.core.results.results import Results, Status
from tests.core.report.conftest import OPTIONS, Written, ridden
from tests.one_file import exercise, standing_in

Run = tuple[Project, Results]


def table(written: Written, name: str) -> Table:
    return next(one for one in written.content.tables() if one.id == name)


def column(found: Table, key: str) -> list[float | str | None]:
    k = [one.key for one in found.columns].index(key)
    return [row[k].text if row[k].value is None else row[k].value for row in found.rows]


def test_that_the_limit_checks_are_the_judgement_of_the_run_sorted_by_margin(written: Written) -> None:
    project, results = written.run
    rows = [r.result for r in judge_riders(results, project.evaluation).rows if r.result.judged]
    checks = table(written, "limit_checks")
    assert column(checks, "value") == [one.value for one in rows]
    assert column(checks, "limit") == [one.limit for one in rows]
    margins = column(checks, "margin")
    assert margins == pytest.approx([100.0 * one.margin for one in rows])
    assert margins == sorted(margins)
    assert column(checks, "verdict") == [one.verdict for one in rows]


def test_that_verdicts_that_are_known_are_not_made_again_and_others_would_be_told(written: Written) -> None:
    project, results = written.run
    seats = assess_seats(results, project.evaluation)
    known = Verdicts(judge_run(results, project.evaluation, seats), seats)
    found = build_content(RunView(project, results, known=known), Book(OPTIONS))
    assert found == build_content(RunView(project, results), Book(OPTIONS))
    other = replace(known.judgement, rows=known.judgement.rows[:-1])
    assert RunView(project, results, known=known._replace(judgement=other)).judged == other.rows


def test_that_the_report_states_what_its_verdicts_assume(view: RunView) -> None:
    """Edition, restraint, class, headrest, smallest rider, the 0.2 s rule, filter and bodies; the class that is
    demanded stands beside the one built in and not under values without a limit."""
    options = {"restraint_class": 3, "patron_height": 1.1, "headrest": False, "f2291_edition": "06a"}
    project = view.project.model_copy(update={"evaluation": EvaluationOptions(**options)})
    for one, built_in in ((RunView(project, view.results), 3), (view, None)):
        section = limits_section(one, one.riders)
        tables = {block.id: block for block in section.blocks if isinstance(block, Table)}
        stated = " ".join(cell.text for row in tables["assumptions"].rows for cell in row)
        for words in ("0.2 s", "5 Hz", "pelvis", "head", "base case", "binding"):
            assert words in stated
        if built_in:
            assert set(column(tables["restraint"], "built_in")) == {built_in}
        else:  # nothing to compare with: a sentence, and no rows
            assert "restraint" not in tables
            (said,) = [b.text for b in section.blocks if isinstance(b, Text) and "class built in" in b.text]
            assert "By F2291 the loads demand restraint of class" in said
        values = [t for inner in section.sections for t in inner.blocks if isinstance(t, Table)]
        assert not any("demanded" in cell.text for t in values for row in t.rows for cell in row)
    stated = " ".join(f"{name}: {words}" for name, words in assumptions(project.evaluation, ["pelvis"]))
    for words in ("F2291-06a", "none: +Gx has lower limits", "1.10 m", "stated for riders from 1.22 m"):
        assert words in stated
    plain = " ".join(words for _, words in assumptions(EvaluationOptions(), ["pelvis"]))
    assert "F2291-26 is cited" in plain
    notes = judge_riders(view.results, EvaluationOptions(f2291_edition="07")).notes
    assert any("no edition '07'; there are 25, 06a, 26" in note for note in notes)


def test_that_a_criterion_of_one_file_is_among_the_limit_checks(view: RunView, tmp_path: Path) -> None:
    with standing_in(criteria.__name__, criteria.criteria, tmp_path, "jolt", exercise("criteria")):
        section = limits_section(RunView(view.project, view.results), view.riders)
    (checks,) = (block for block in section.blocks if isinstance(block, Table) and block.id == "limit_checks")
    assert "jolt" in column(checks, "criterion")


def test_that_every_unconfirmed_limit_carries_its_mark(written: Written) -> None:
    project, results = written.run
    rows = [r.result for r in judge_riders(results, project.evaluation).rows if r.result.judged]
    titles = column(table(written, "limit_checks"), "criterion")
    assert any(one.limit_status for one in rows)
    assert [str(title).endswith("†") for title in titles] == [bool(one.limit_status) for one in rows]


def test_that_what_belongs_to_the_whole_ride_has_no_place(view: RunView) -> None:
    short, long = made_up("a_-Gx", -0.3, 1.0), made_up("b", 0.1, 1.0)
    long = replace(long, result=long.result.model_copy(update={"time": (0.0, 6.0), "arc_length": 30.0}))
    short = replace(short, result=short.result.model_copy(update={"title": "limit -Gx", "arc_length": 20.0}))
    (found,) = (
        block for block in limits_section(judged_as(view, short, long), ()).blocks
        if isinstance(block, Table) and block.id == "limit_checks"
    )  # fmt: skip
    assert column(found, "time") == [1.0, "–"]
    assert column(found, "place") == [20.0, "–"]
    assert column(found, "criterion")[0] == "limit −Gx"


def test_that_every_rule_number_leads_to_the_source_of_the_limit(written: Written) -> None:
    project, results = written.run
    rows = [r.result for r in judge_riders(results, project.evaluation).rows if r.result.judged]
    numbers = column(table(written, "limit_checks"), "rule")
    rules, sources = table(written, "rules"), column(table(written, "sources"), "source")
    for result, number in zip(rows, numbers, strict=True):
        row = column(rules, "number").index(number)
        assert sources[int(column(rules, "source")[row]) - 1] in (result.limit_source or "")
        assert column(rules, "confidence")[row] == result.confidence


def test_that_the_sections_show_the_ride_over_them(view: RunView) -> None:
    project, results = view.project, view.results
    place, speed = view.channel("Car", "arc_length"), view.channel("Car", "speed")
    smooth = view.smooth("Car/Rider", "upper_torso")
    found = {one.stretch.name: one for one in figures_of(view)}
    climb = found["climb"]
    inside = (place >= climb.stretch.s0) & (place < climb.stretch.s1)
    assert inside.any()
    assert climb.speed_in == pytest.approx(np.interp(climb.stretch.s0, place, speed), abs=0.02)
    assert climb.loads[2] == (smooth[inside, 2].min(), smooth[inside, 2].max())
    assert found["curve 7"].speed_in is None
    assert found["curve 7"].loads is None
    # The last curve is given as 29.4 m by its points; the curvature is that of the finite differences.
    s = np.linspace(found["curve 7"].stretch.s0, found["curve 7"].stretch.s1, 4001)
    xyz = view.built.centreline.position(s)
    d1, d2 = np.gradient(xyz, s, axis=0), np.gradient(np.gradient(xyz, s, axis=0), s, axis=0)
    kappa = np.linalg.norm(np.cross(d1, d2), axis=1)[5:-5].max()
    assert found["curve 7"].min_radius == pytest.approx(1.0 / kappa, rel=1e-3)
    assert sum(one.stretch.s1 - one.stretch.s0 for one in found.values()) == pytest.approx(view.built.length)
    assert project.name == "Looping Star"
    assert len(results.sample_time) == len(place)


def test_that_a_track_of_one_imported_table_is_cut_into_pieces_that_cover_it() -> None:
    project = load_example("veloci2")
    made = RunView(project, None)
    assert len(project.track.sections) == 1
    borders = [(one.s0, one.s1) for one in made.stretches]
    assert borders[0][0] == 0.0
    assert borders[-1][1] == pytest.approx(made.built.length)
    assert all(a[1] == b[0] for a, b in pairwise(borders))
    assert all(80.0 < s1 - s0 < 125.0 for s0, s1 in borders)
    assert made.stretch_at(made.built.length + 150.0) == made.stretches[1]


def made_up(
    criterion: str, margin: float, time: float, exceeded: tuple[tuple[float, float], ...] = ()
) -> RiderJudgement:
    """A judgement of the upper torso with its window at a time (s)."""
    signal = Signal(body="upper torso", gravity="in", sample_rate=1000.0)
    result = CriterionResult(
        criterion=criterion, title=criterion, value=1.0 - margin, unit="g", limit=1.0, margin=margin,
        verdict="outside" if margin < 0.0 else "inside", time=(time, time), exceeded=exceeded, signal=signal,
    )  # fmt: skip
    return RiderJudgement("Car/Rider", "upper_torso", result)


def judged_as(view: RunView, *rows: RiderJudgement) -> RunView:
    """The same run under another judgement."""
    other = RunView(view.project, view.results)
    other.__dict__["judgement"] = Judgement(tuple(sorted(rows, key=lambda one: one.result.margin)))
    return other


def test_that_governing_moments_lie_apart_and_keep_what_happens_with_them(view: RunView) -> None:
    rows = (made_up("a", -0.3, 1.0), made_up("b", -0.2, 1.0 + 0.9 * SAME_MOMENT), made_up("c", 0.1, 2.3))
    events = events_of(judged_as(view, *rows), 5)
    assert [(one.mark, one.judged.result.criterion) for one in events] == [("A", "a"), ("B", "c")]
    assert [one.result.criterion for one in events[0].others] == ["b"]
    assert events[0].place == pytest.approx(
        np.interp(1.0, view.results.sample_time, view.channel("Car", "arc_length"))
    )


def test_that_the_place_of_a_filtered_value_is_before_it_by_the_delay_of_the_filter(view: RunView) -> None:
    row = made_up("a", -0.3, 1.5)
    signal = row.result.signal.model_copy(update={"filter": "5 Hz"})
    row = replace(row, result=row.result.model_copy(update={"signal": signal}))
    (event,) = events_of(judged_as(view, row), 1)
    # A slow ramp through the filter of the core comes out later by the delay that the report takes off.
    time = np.arange(4000) / 1000.0
    late = time[2500] - ride_filter(time, np.stack([time] * 3, axis=1))[2500, 0]
    assert 1.5 - event.time == pytest.approx(late, rel=2e-3)
    arc = view.channel("Car", "arc_length")
    assert event.place == pytest.approx(np.interp(1.5 - late, view.results.sample_time, arc), abs=0.01)


def test_that_no_more_moments_are_named_than_asked_for(view: RunView) -> None:
    rows = [made_up(f"c{k}", 0.1 * k, 0.1 + 0.8 * k) for k in range(3)]
    assert [one.judged.result.criterion for one in events_of(judged_as(view, *rows), 2)] == ["c0", "c1"]


def test_that_exceedances_near_one_another_are_one_place_and_are_located(view: RunView) -> None:
    rows = (
        made_up("a", -0.3, 0.5, ((0.4, 0.6), (1.9, 2.1))),
        made_up("b", -0.1, 0.7, ((0.7, 0.9),)),
    )
    other = judged_as(view, *rows)
    places = places_table(other)
    assert column(places, "start") == [0.4, 1.9]
    assert column(places, "end") == [0.9, 2.1]
    assert column(places, "exceedances") == [2, 1]
    assert column(places, "criteria") == ["a, b", "a"]
    arc = view.channel("Car", "arc_length")
    assert column(places, "s1") == pytest.approx(np.interp([0.9, 2.1], view.results.sample_time, arc))
    (every,) = exceedance_tables(other)
    assert column(every, "start") == [0.4, 0.7, 1.9]
    assert column(every, "duration") == pytest.approx([0.2, 0.2, 0.2])


def test_that_nothing_exceeded_gives_no_table(view: RunView) -> None:
    inside = judged_as(view, made_up("a", 0.5, 0.5))
    assert places_table(inside) is None
    assert exceedance_tables(inside) == ()


@pytest.mark.parametrize(
    ("margins", "tone", "word"),
    [
        ((0.5, -0.01), "outside", "1 of 2"),
        ((0.5, 0.05), "near", "within 10 %"),
        ((0.5, 0.2), "inside", "All 2"),
    ],
)
def test_that_the_first_page_says_the_worst(
    view: RunView, margins: tuple[float, ...], tone: str, word: str
) -> None:
    rows = [made_up(f"c{k}", margin, 1.0) for k, margin in enumerate(margins)]
    rows = [
        replace(one, result=one.result.model_copy(update={"verdict": "within 10 %"}))
        if 0.0 <= one.result.margin < 0.1
        else one
        for one in rows
    ]
    found = title_block(judged_as(view, *rows), Book(OPTIONS)).verdict
    assert found.tone == tone
    assert word in found.text


def test_that_a_run_that_broke_off_is_never_called_inside(view: RunView) -> None:
    broken = replace(
        view.results, status=Status("failed", "No step converges any more.", "Look at the track.")
    )
    other = judged_as(RunView(view.project, broken), made_up("a", 0.5, 1.0))
    found = title_block(other, Book(OPTIONS)).verdict
    assert found.tone == "outside"
    assert "ended early" in found.text


def test_that_the_hash_of_results_is_that_of_their_file_and_sees_one_changed_sample(
    ride: Run, tmp_path: Path
) -> None:
    project, results = ride
    write_results(results, tmp_path / "r.h5", compact=True)
    kept = read_results(tmp_path / "r.h5")
    assert RunView(project, kept).results_hash == RunView(project, results).results_hash
    name = "car/Car/speed"
    values = results.channels[name].values.copy()
    values[100] += 2.0 * project.settings.tolerance  # what a file keeps
    touched = results.channels | {name: replace(results.channels[name], values=values)}
    assert (
        RunView(project, replace(results, channels=touched)).results_hash
        != RunView(project, results).results_hash
    )


def test_that_the_hash_of_a_project_sees_any_field() -> None:
    project = load_example("straight")
    other = project.model_copy(update={"notes": project.notes + "."})
    assert RunView(project, None).project_hash != RunView(other, None).project_hash
    assert RunView(project, None).project_hash == RunView(load_example("straight"), None).project_hash


def test_that_a_rig_without_track_and_riders_is_reported(drawing: None) -> None:
    run = ridden("spatial_double_pendulum", 0.5)
    book = Book(OPTIONS)
    content = build_content(RunView(*run), book)
    ids = [one.id for one in content.sections]
    assert ids == ["summary", "vehicle", "method", "quality", "provenance", "glossary"]
    assert [one.number for one in content.sections] == ["1", "2", "3", "4", "5", "6"]
    assert "vehicle_1.svg" in book.files


def test_that_tables_and_figures_are_counted_through(written: Written) -> None:
    def files(section: Section) -> list[int]:
        own = [block.number for block in section.blocks if block.kind == "figure"]
        return own + [number for inner in section.sections for number in files(inner)]

    drawn = [number for section in written.content.sections for number in files(section)]
    assert drawn == list(range(1, len(drawn) + 1))
    for printed in (True, False):  # what is not on paper is counted by itself, so that paper has no gaps
        tables = [one.number for one in written.content.tables() if one.printed == printed]
        assert len(tables) > 2
        assert tables == list(range(1, len(tables) + 1))


@pytest.mark.parametrize("size", [50, 10_007, 38_795])
def test_that_a_thinned_curve_keeps_its_samples_and_every_peak(size: int) -> None:
    generator = np.random.default_rng(size)
    x, y = np.sort(generator.uniform(0.0, 60.0, size)), np.cumsum(generator.normal(size=size))
    thin_x, thin_y = thin(x, y, 400)
    assert len(thin_x) <= max(size, 0) if size < 1200 else len(thin_x) < 2 * 400 + 110
    assert set(zip(thin_x, thin_y, strict=True)) <= set(zip(x, y, strict=True))
    assert (thin_y.min(), thin_y.max()) == (y.min(), y.max())
    assert (thin_x[0], thin_x[-1]) == (x[0], x[-1])
    assert np.all(np.diff(thin_x) > 0.0)
    edge_x, edge_y = upper_edge(x, y, 400)
    assert set(zip(edge_x, edge_y, strict=True)) <= set(zip(x, y, strict=True))
