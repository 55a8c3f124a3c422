"""Contacts in the report: the pairs that met, with what is said of them elsewhere."""

from __future__ import annotations

import pytest

from ridewright.core.outcome.touches import touches_of_pairs
from ridewright.core.project.examples import load_example
from ridewright.core.report.parts.contacts_part import contacts_section
from ridewright.core.report.run_view import RunView
from ridewright.core.run.simulate import simulate


def test_that_pairs_that_met_are_told_and_nothing_where_none_did() -> None:
    project = load_example("bouncing_ball")
    run = simulate(project)
    section = contacts_section(RunView(project, run))
    assert section is not None
    (table,) = section.blocks
    ((name, did),) = touches_of_pairs(run).items()
    (row,) = table.rows
    assert row[0].text == name.partition(": ")[2]
    shown = {column.key: cell for column, cell in zip(table.columns, row, strict=True)}
    assert shown["count"].value == did.count
    assert shown["force"].value == pytest.approx(did.force)
    assert shown["apart"].value == pytest.approx(1e3 * did.apart)
    assert shown["arc_length"].value is None  # a rig has no track

    short = project.model_copy(update={"scenario": project.scenario.model_copy(update={"duration": 0.1})})
    assert contacts_section(RunView(short, simulate(short))) is None
