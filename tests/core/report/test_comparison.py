"""The comparison with another run, and what would change the governing values."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from ridewright.core.outcome.origin.sensitivity import Effect, Sensitivity
from ridewright.core.project.project import Project
from ridewright.core.report.book import Book
from ridewright.core.report.document import Facts, Section, Table
from ridewright.core.report.parts import comparison_part, sensitivity_part
from ridewright.core.report.parts.comparison_part import comparison_section
from ridewright.core.report.parts.moments_part import events_of
from ridewright.core.report.parts.sensitivity_part import sensitivity_section
from ridewright.core.report.run_view import OtherRun, RunView
from ridewright.core.results.results import Results
from tests.core.report.conftest import OPTIONS
from tests.core.report.test_content import column

Run = tuple[Project, Results]


def louder(results: Results, torso: float, head: float) -> Results:
    """A run in which the upper torsos and the heads feel so many times the load."""
    factors = {"upper_torso": torso, "head": head}
    channels = {
        name: replace(channel, values=factors.get(name.split("/")[-2], 1.0) * channel.values)
        if name.endswith("/acceleration")
        else channel
        for name, channel in results.channels.items()
    }
    return replace(results, channels=channels)


def compared(ride: Run, torso: float, head: float = 1.0) -> Section:
    project, results = ride
    found = comparison_section(
        RunView(project, results, OtherRun("other.h5", project, louder(results, torso, head)))
    )
    assert found is not None
    return found


def number(section: Section, label: str) -> float:
    facts = next(block for block in section.blocks if isinstance(block, Facts))
    return next(one.cell.value for one in facts.entries if one.label == label)


def changed(section: Section) -> Table:
    return next(block for block in section.blocks if isinstance(block, Table))


def test_that_nothing_is_compared_without_another_run(view: RunView) -> None:
    assert comparison_section(view) is None


def test_that_a_run_beside_itself_is_the_same_throughout(ride: Run, view: RunView) -> None:
    section = compared(ride, 1.0)
    judged = sum(one.result.margin is not None for one in view.judged)
    assert number(section, "The same") == judged
    assert number(section, "Better here") == number(section, "Worse here") == 0
    assert not any(isinstance(block, Table) for block in section.blocks)


def test_that_the_rider_is_better_off_than_where_the_load_is_stronger(ride: Run) -> None:
    table = changed(compared(ride, 1.5))
    assert set(column(table, "part")) == {"upper torso"}
    k = column(table, "criterion").index("F2291 +Gz †")
    # The value is proportional to the load, and the limit is the same.
    assert column(table, "other_value")[k] == pytest.approx(1.5 * column(table, "value")[k], rel=1e-9)
    assert column(table, "change")[k] == pytest.approx(-0.5 * column(table, "value")[k], rel=1e-9)
    assert column(table, "comparison")[k] == "better off"
    assert column(table, "gain")[k] > 0.0


def test_that_worse_criteria_come_first_and_the_greatest_loss_before_the_others(ride: Run) -> None:
    section = compared(ride, 0.7, 1.4)
    table = changed(section)
    gains = column(table, "gain")
    words = column(table, "comparison")
    worse = [gain for gain, word in zip(gains, words, strict=True) if word == "worse off"]
    better = gains[len(worse) :]
    assert min(len(worse), len(better)) > 5
    assert words == ["worse off"] * len(worse) + ["better off"] * len(better)
    assert worse == sorted(worse)
    assert better == sorted(better, reverse=True)
    assert number(section, "Worse here") == len(worse)
    assert number(section, "Better here") == len(better)


def test_that_of_too_many_changes_the_largest_are_printed(ride: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = changed(compared(ride, 0.7, 1.4))
    assert whole.printed
    monkeypatch.setattr(comparison_part, "MAX_ROWS", len(whole.rows) - 1)
    monkeypatch.setattr(comparison_part, "LARGEST", 10)
    short, every = [block for block in compared(ride, 0.7, 1.4).blocks if isinstance(block, Table)]
    assert (short.printed, every.printed) == (True, False)
    assert every.rows == whole.rows
    assert [row for row in whole.rows if row in short.rows] == list(short.rows)
    assert len(short.rows) == 10
    sizes = sorted((abs(gain) for gain in column(whole, "gain")), reverse=True)
    assert sorted((abs(gain) for gain in column(short, "gain")), reverse=True) == sizes[:10]


def test_that_a_rider_who_is_not_in_the_other_run_is_counted_and_not_judged(ride: Run) -> None:
    project, results = ride
    names = replace(results.names, riders={})
    section = comparison_section(
        RunView(project, results, OtherRun("other.h5", project, replace(results, names=names)))
    )
    assert section is not None
    assert number(section, "Without counterpart there") > 50
    assert number(section, "The same") == 0
    assert "both runs" in section.blocks[-1].text


def test_that_sensitivities_are_left_out_unless_asked_for(view: RunView) -> None:
    assert sensitivity_section(view, Book(OPTIONS), events_of(view, 1)) is None


def test_that_each_moment_shows_the_effects_found_for_it(
    view: RunView, monkeypatch: pytest.MonkeyPatch
) -> None:
    def found(project: object, results: object, row: object, **more: object) -> Sensitivity:
        more["on_progress"](0.5)
        effects = tuple(
            Effect(
                parameter=name, title="", step="", change=change, relative=change / 2.0, less=0.0, more=0.0
            )
            for name, change in (("cant", -0.25), ("speed", 0.04))
        )
        return Sensitivity(
            rider="", part="", criterion="", unit="g", value=2.0, again=2.0, reproduced=True, start=0.0,
            end=1.0, effects=effects, notes=("no springs.",),
        )  # fmt: skip

    monkeypatch.setattr(sensitivity_part, "sensitivity", found)
    shares: list[float] = []
    book = Book(OPTIONS.model_copy(update={"sensitivity": True}), lambda share, what: shares.append(share))
    events = events_of(view, 2)
    section = sensitivity_section(view, book, events)
    assert section is not None
    table = next(block for block in section.blocks if isinstance(block, Table))
    assert column(table, "mark") == [event.mark for event in events]
    assert column(table, "speed") == [0.04] * len(events)
    assert column(table, "cant_part") == [-12.5] * len(events)
    assert column(table, "damping") == ["–"] * len(events)
    assert [block.text for block in section.blocks[2:]] == [f"{event.mark}: no springs." for event in events]
    assert shares == sorted(shares)
    assert np.all((np.array(shares) >= 0.7) & (np.array(shares) <= 0.86))
