"""Track and supports in the report: only where it is asked for, with what an engineer signs."""

from __future__ import annotations

from ridewright.core.report.book import Book, ReportOptions
from ridewright.core.report.document import Figure, Table
from ridewright.core.report.parts.steelwork_part import steelwork_section
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
