"""The page of the report on what a second engine says."""

from __future__ import annotations

from typing import Any

from ridewright.core.outcome.second_engine import CrossCheck, design_hash
from ridewright.core.project.examples import load_example
from ridewright.core.report.document import Section, Table, Text
from ridewright.core.report.parts.second_engine_part import second_engine_section
from ridewright.core.report.run_view import RunView
from tests.second_engine import lower_bar_differs


def section(check: CrossCheck | None) -> Section | None:
    results: Any = None  # the page is about the design
    return second_engine_section(RunView(load_example("double_pendulum"), results, second=check))


def texts(found: Section) -> str:
    return "\n".join(block.text for block in found.blocks if isinstance(block, Text))


def test_that_what_differs_and_what_was_left_out_stand_on_the_page() -> None:
    found = section(lower_bar_differs())
    assert found is not None
    assert found.title == "Checked by a second engine"
    tables = {block.id: block for block in found.blocks if isinstance(block, Table)}
    (place, velocity) = tables["second_engine"].rows
    assert [cell.text for cell in place[:3]] == ["place", "Lower bar", "0.02"]
    assert (place[-1].text, place[-1].tone) == ("differs", "outside")
    assert (velocity[-1].text, velocity[-1].tone) == ("agrees", "inside")
    assert [cell.text for cell in tables["not_handed_over"].rows[0]] == [
        "Shoulder",
        "joint",
        "it is not wanted",
    ]
    assert tables["not_handed_over"].note.startswith("It moves the ride by up to 0.1 m (Lower bar")
    said = texts(found)
    assert "Lower bar: other inertia" in said
    assert "has been changed since" in said


def test_that_a_check_of_this_design_that_agrees_says_so() -> None:
    of_this = design_hash(load_example("double_pendulum"))
    found = section(lower_bar_differs(design=of_this, findings=(), left_out=(), cost=None))
    assert found is not None
    assert "Both engines agree within their own errors." in texts(found)
    assert "Everything of the design was handed over." in texts(found)
    assert "has been changed since" not in texts(found)


def test_that_there_is_no_page_where_none_was_asked() -> None:
    assert section(None) is None
