"""The report that one signs: short enough, nothing cited that is not there, and every place of it says the same."""

from __future__ import annotations

import io
import re
from dataclasses import replace

import pytest

from ridewright.core.edits import couplings, train_gallery
from ridewright.core.injury.result import CriterionResult, Signal
from ridewright.core.multibody.compile import compile_system
from ridewright.core.outcome.headline import losses_text
from ridewright.core.outcome.rider_view import RiderJudgement
from ridewright.core.outcome.seats import assess_seats
from ridewright.core.outcome.summary import summarise
from ridewright.core.outcome.summary_text import summary_text
from ridewright.core.project.examples import load_example
from ridewright.core.project.project import Project
from ridewright.core.report.book import Book
from ridewright.core.report.content import build_content
from ridewright.core.report.document import Facts, ReportContent, Table, Text
from ridewright.core.report.parts.overview_part import title_block
from ridewright.core.report.run_view import RunView
from ridewright.core.report.write import report_pdf
from ridewright.core.results.results import Results
from ridewright.core.run.simulate import simulate
from tests.core.report.conftest import OPTIONS, Written, ridden

CITED = re.compile(r"\b(Table|Figure)\s(\d+)\b(?!\.\d)")  # a source's "Table 4.3" is its own
CAPTION = re.compile(r"\b(Table|Figure)\s(\d+)\.\s(?!\d)")


def pages_of(content: ReportContent, files: dict[str, bytes]) -> list[str]:
    pypdf = pytest.importorskip("pypdf")
    return [page.extract_text() for page in pypdf.PdfReader(io.BytesIO(report_pdf(content, files))).pages]


def five_cars() -> Project:
    """The first train of the gallery on the GateKeeper, for two seconds."""
    project = load_example("gatekeeper")
    choice = train_gallery.trains()[0]
    car = train_gallery.car_of(project, choice.car)
    spacing = choice.spacing or couplings.natural_spacing(car)
    project = couplings.make_train(project, car, choice.cars, spacing, choice.coupling, choice.riders)
    return project.model_copy(update={"scenario": project.scenario.model_copy(update={"duration": 2.0})})


def check_paper(pages: list[str], content: ReportContent) -> None:
    """Every table and figure that paper cites is on it, and nothing on it is a stub."""
    text = "\n".join(pages)
    there = set(CAPTION.findall(text))
    assert {n for kind, n in there if kind == "Table"} == {
        str(one.number) for one in content.tables() if one.printed
    }
    assert set(CITED.findall(text)) <= there
    for stub in ("too long for paper", "compared with nothing", "not meant for", "Data table"):
        assert stub not in " ".join(text.split()), stub


def test_that_paper_holds_every_table_and_figure_it_cites(written: Written) -> None:
    pypdf = pytest.importorskip("pypdf")
    pages = [page.extract_text() for page in pypdf.PdfReader(written.target.pdf).pages]
    check_paper(pages, written.content)
    assert len(pages) <= 20
    assert any(not one.printed for one in written.content.tables())  # they are in the other forms


def test_that_checks_left_out_on_paper_are_named_there(written: Written) -> None:
    (checks,) = [one for one in written.content.tables() if one.id == "limit_checks"]
    assert checks.printed_rows is not None
    assert 12 <= checks.printed_rows < len(checks.rows)
    key = [column.key for column in checks.columns].index("criterion")
    margin = [column.key for column in checks.columns].index("margin")
    left_out = checks.rows[checks.printed_rows :]
    assert all(row[margin].value >= 50.0 for row in left_out)
    (said,) = [b.text for b in written.content.blocks() if isinstance(b, Text) and "Further inside" in b.text]
    assert all(row[key].text in said for row in left_out)
    # the rules and sources that are printed are those of the printed checks
    rules = {row[-1].value for row in checks.rows[: checks.printed_rows]}
    (table,) = [one for one in written.content.tables() if one.id == "rules"]
    assert rules == {row[0].value for row in table.rows[: table.printed_rows]}


@pytest.mark.nightly
def test_that_one_rider_takes_at_most_20_pages_and_a_train_of_five_cars_30(drawing: None) -> None:
    whole = load_example("looping_star")
    for project, most in ((whole, 20), (five_cars(), 30)):
        book = Book(OPTIONS.model_copy(update={"moments": 6}))
        content = build_content(RunView(project, simulate(project)), book)
        pages = pages_of(content, book.files)
        check_paper(pages, content)
        assert len(pages) <= most


def fact(content: tuple, label: str) -> float:
    return next(one.cell.value for one in content if one.label == label)


def test_that_cover_and_summary_say_the_same_top_speed_checks_and_losses(
    view: RunView, drawing: None
) -> None:
    cover = title_block(view, Book(OPTIONS))
    summary = summarise(view.project, view.results)
    assert summary.speed is not None
    assert fact(cover.facts, "Top speed") == summary.speed.largest.value
    assert summary.verdict
    assert cover.verdict.text.startswith(summary.verdict)
    assert sum(summary.checks.values()) == sum(one.result.judged for one in view.judged) > 50
    assert summary.verdict in summary_text(summary)
    # The Looping Star rides without losses, and says so.
    words, slowed = losses_text(view.project)
    assert not slowed
    assert words.startswith("none")
    assert words in summary_text(summary)
    said = [b.text for b in build_content(view, Book(OPTIONS)).blocks() if isinstance(b, Text)]
    assert any(words in text and "slower towards its end" in text for text in said)


def test_that_a_train_that_goes_faster_backwards_has_that_top_speed(view: RunView) -> None:
    channels = {
        name: replace(one, values=-one.values) if name.endswith("/speed") else one
        for name, one in view.results.channels.items()
    }
    back = RunView(view.project, replace(view.results, channels=channels))
    there = fact(title_block(view, Book(OPTIONS)).facts, "Top speed")
    assert fact(title_block(back, Book(OPTIONS)).facts, "Top speed") == there
    assert summarise(back.project, back.results).speed.largest.value == there


def test_that_a_value_of_the_whole_ride_has_no_time_and_no_place_in_the_summary(view: RunView) -> None:
    summary = summarise(view.project, view.results)
    part = summary.riders["Car/Rider"]["pelvis"]
    whole = part.criteria[0].model_copy(
        update={"title": "whole ride", "time": (0.0, 40.0), "arc_length": 300.0, "margin": -1.0, "limit": 1.0,
                "value": 2.0, "verdict": "outside", "apart": ""}
    )  # fmt: skip
    short = whole.model_copy(update={"title": "short one", "time": (1.0, 2.0), "arc_length": 30.0})
    parts = {"pelvis": part.model_copy(update={"criteria": (whole, short)})}
    lines = summary_text(summary.model_copy(update={"riders": {"Car/Rider": parts}})).splitlines()
    assert next(line for line in lines if "whole ride" in line).split()[-2:] == ["-", "-"]
    assert next(line for line in lines if "short one" in line).split()[-2:] == ["1.500", "30.0"]


@pytest.fixture(scope="module")
def frisbee() -> tuple[Project, Results]:
    return ridden("frisbee", 46.0)


def test_that_the_cover_of_a_swinging_ride_counts_the_seats_outside(
    drawing: None, frisbee: tuple[Project, Results]
) -> None:
    project, results = frisbee
    seats = assess_seats(results, project.evaluation)
    beyond = sum(seat.margin is not None and seat.margin < 0.0 for seat in seats)
    assert beyond > 5
    view = RunView(project, results)
    cover = title_block(view, Book(OPTIONS))
    assert cover.verdict.tone == "outside"
    assert cover.verdict.text.startswith(f"{beyond} of 24 seats outside a limit; ")
    assert fact(cover.facts, "Seats") == 24
    assert cover.verdict.text.startswith(summarise(project, results).verdict)
    blocks = build_content(view, Book(OPTIONS)).blocks()
    tables = {b.id: b for b in blocks if isinstance(b, Table)}
    assert {
        "assumptions", "limit_worst", "limit_checks", "rules", "sources", "exceeded", "places",
    } <= tables.keys()  # fmt: skip
    # nothing is said of a track, nor of riders, where there are seats on a rig
    told = [b.text for b in blocks if isinstance(b, Text)] + [one.note or "" for one in tables.values()]
    assert [one for one in told if "rc length" in one or "first car" in one or "track" in one] == []
    assert tables["places"].note.startswith("All seats together; ")


@pytest.mark.parametrize("name", ["frisbee", "swing_beam", "pirate_ship"])
def test_that_the_masses_of_a_report_are_those_that_move(drawing: None, name: str) -> None:
    """Passengers and flexible bodies included: against the mass matrix of the compiled system."""
    project = load_example(name)
    system = compile_system(project)
    total = float(system.inertia[system.layout.rigid[:-1, 0]].sum())  # without the ground
    view = RunView(project, None)
    assert view.moving_mass == pytest.approx(total, rel=1e-9)


def result(value: float, limit: float, group: str) -> CriterionResult:
    return CriterionResult(
        criterion="c", title="c", value=value, unit="g", limit=limit, margin=1.0 - value / limit, verdict="inside",
        group=group, signal=Signal(body="pelvis", gravity="in", sample_rate=1e3),
    )  # fmt: skip


def test_that_nobody_is_worse_off_for_loss_of_consciousness_by_a_load_of_one_g() -> None:
    """Looping Star at 25.5 and 26 m/s: 0.915 g against 0.965 g, each of the level at its own time; the margin fell from
    88.8 to 87.4 % although the load did."""

    def compared(here: CriterionResult, there: CriterionResult) -> str | None:
        return RiderJudgement("a", "upper_torso", here, there).comparison

    assert compared(result(0.915, 7.237, "physiology"), result(0.965, 8.612, "physiology")) == "same"
    assert compared(result(2.0, 9.1, "physiology"), result(1.5, 9.1, "physiology")) == "same"
    # near a limit it counts, and so does a load of ride limits that is far inside one limit
    assert compared(result(6.0, 7.0, "physiology"), result(4.0, 8.0, "physiology")) == "worse"
    assert compared(result(2.0, 6.0, "standard F2291"), result(1.0, 6.0, "standard F2291")) == "worse"


def test_that_the_printed_document_names_its_author(view: RunView, drawing: None) -> None:
    pypdf = pytest.importorskip("pypdf")
    for author, named in (("Ann Author", "Ann Author"), ("", "ridewright")):
        book = Book(OPTIONS.model_copy(update={"author": author, "moments": 0, "riders_drawn": 0}))
        pdf = pypdf.PdfReader(io.BytesIO(report_pdf(build_content(view, book), book.files)))
        assert str(pdf.metadata.author).startswith(named)
        assert "21 November 2026" in pdf.pages[0].extract_text()


def test_that_paper_states_how_many_checks_there_are(view: RunView, drawing: None) -> None:
    blocks = build_content(view, Book(OPTIONS)).blocks()
    (facts,) = [one for one in blocks if isinstance(one, Facts) and one.id == "verdicts"]
    total, *parts = (one.cell.value for one in facts.entries)
    assert total == sum(parts)
