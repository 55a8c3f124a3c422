"""Track and supports in the report: only where it is asked for, with what an engineer signs."""

from __future__ import annotations

from ridewright.core.report.book import Book, ReportOptions
from ridewright.core.report.document import Figure, Table, Text
from ridewright.core.report.parts.overview_part import summary_section, title_block
from ridewright.core.report.parts.steelwork_part import steelwork_section, with_verdict
from ridewright.core.report.run_view import RunView
from ridewright.core.track.actions import Actions
from tests.core.report.conftest import DATE, ridden


def test_that_the_part_is_there_only_where_it_is_asked_for(view: RunView) -> None:
    assert steelwork_section(view, Book(ReportOptions(date=DATE))) is None


def test_that_it_has_model_combinations_members_details_and_reactions() -> None:
    view = RunView(*ridden("straight", 0.1))
    book = Book(ReportOptions(date=DATE, steelwork=True))
    section = steelwork_section(view, book)
    assert section is not None
    verdict = section.blocks[0]
    assert isinstance(verdict, Text)
    assert verdict.text.startswith("Track and supports: ")
    assert all(
        word in verdict.text for word in ("details last the planned", "strength and buckling", "deflection")
    )
    for tone in ("inside", "outside"):
        found = section.model_copy(update={"blocks": (verdict.model_copy(update={"tone": tone}),)})
        first, summary = with_verdict(title_block(view, book), summary_section(view, ()), found)
        assert first.verdict.text.endswith(f"; track and supports {tone}")
        assert (first.verdict.tone == "outside") == (tone == "outside")
        assert summary is not None
        assert summary.blocks[0] == found.blocks[0]
    tables = {one.id: one for one in section.blocks if isinstance(one, Table)}
    names = {one.name for one in Actions().combinations}
    assert {row[0].text for row in tables["steelwork_combinations"].rows} == names
    reactions = tables["steelwork_reactions"]
    assert not reactions.printed
    assert {row[0].text for row in reactions.rows} == names | {"Train and weight"}
    feet = tables["steelwork_footings"].rows
    assert len(reactions.rows) == (1 + len(names)) * len(feet)
    used = [row[2].value for row in tables["steelwork_governing"].rows]
    assert used == sorted(used, reverse=True)
    details = tables["steelwork_details"].rows
    assert {row[0].text for row in details} >= {
        row[0].text for row in feet if row[0].text.startswith("column")
    }
    assert [one.file for one in section.blocks if isinstance(one, Figure)] == list(book.files)
    down = {row[0].text: row[6].value for row in feet}
    own = {row[1].text: row[14].value for row in reactions.rows if row[0].text == "Train and weight"}
    assert all(abs(own[name] - 1e3 * most) < 1e-6 * own[name] for name, most in down.items())
