"""Values that a contact caused are marked in the table and told; asked for, they are ridden with other stiffness."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from PySide6.QtWidgets import QWidget

from ridewright.app.document.document import Document
from ridewright.app.document.playback import Playback
from ridewright.app.document.runs import Run
from ridewright.app.injury_panel.contacts import ASK, WHOLE, ContactCauses
from ridewright.app.injury_panel.panel import InjuryPanel
from ridewright.app.widgets.settings import Settings
from ridewright.app.work.task import end_tasks
from ridewright.core.outcome import contact_stiffness
from ridewright.core.project.project import parse_project
from tests.core.outcome.test_contact_peaks import fallen


@pytest.fixture
def by_hand(monkeypatch: pytest.MonkeyPatch) -> None:
    """No ride is made unasked."""
    monkeypatch.setattr(ContactCauses, "look", lambda *_: None)


@pytest.fixture
def panel(
    qtbot: Any,
    document: Document,
    playback: Playback,
    settings: Settings,
    shown: Callable[[QWidget], QWidget],
) -> Iterator[InjuryPanel]:
    """The injury panel of a run in which a head meets a headrest."""
    results = fallen()
    document.add_run(Run("Run 1", results, parse_project(results.provenance["project"], "run")))
    made = InjuryPanel(document, playback, settings)
    shown(made)
    qtbot.waitUntil(lambda: bool(made.model.caused), timeout=60_000)
    yield made
    end_tasks(made)


def choose_marked(panel: InjuryPanel) -> None:
    """Choose a value of the head that is marked."""
    panel._which.setCurrentIndex(panel._which.findData("all"))
    panel._filter()
    panel._choose(
        next(row.key for row in panel.model.shown() if row.part == "head" and row.key in panel.model.caused)
    )


def test_that_values_of_a_contact_are_marked_and_told(by_hand: None, panel: InjuryPanel) -> None:
    choose_marked(panel)
    row, verdict = panel.chosen, panel.model.column("Verdict")
    assert row is not None
    at = panel.table.currentIndex()
    assert str(at.siblingAtColumn(verdict).data()).endswith(", by contact")
    assert "Headrest" in panel.model.caused[row.key]
    assert "Caused by a contact:</b> Headrest, met at " in panel.detail.words.text()
    assert "Head on Headrest alone: HIC15 0.52" in panel.detail.words.text()
    assert ", 3 ms 4.33 g, 156 N.<br>" in panel.detail.words.text()
    assert f"href='{ASK}'" in panel.detail.words.text()
    marked = [row for row in panel.model.rows() if row.key in panel.model.caused]
    assert 0 < len(marked) < len(panel.model.rows())
    panel._search.setText("by contact")
    assert {row.key for row in panel.model.shown()} == {row.key for row in marked}


def test_that_half_and_twice_the_stiffness_are_ridden_by_itself(qtbot: Any, panel: InjuryPanel) -> None:
    """For every value of the rider that the contact caused."""
    choose_marked(panel)
    qtbot.waitUntil(lambda: "the verdict" in panel.detail.words.text(), timeout=300_000)
    assert "half as stiff" in panel.detail.words.text()
    others = [row for row in panel.model.shown() if "Headrest" in panel.model.caused.get(row.key, "")]
    assert len(others) > 3
    for row in others:
        panel._choose(row.key)
        assert "the verdict" in panel.detail.words.text()


def test_that_the_whole_train_rides_by_a_link_where_the_rider_alone_misses_the_run(
    qtbot: Any, panel: InjuryPanel, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(contact_stiffness, "LIGHT", 0)  # as one of many riders
    monkeypatch.setattr(contact_stiffness, "OFF", -1.0)
    choose_marked(panel)
    qtbot.waitUntil(lambda: "would say nothing" in panel.detail.words.text(), timeout=300_000)
    assert f"href='{WHOLE}'" in panel.detail.words.text()
    panel.detail.words.linkActivated.emit(WHOLE)
    qtbot.waitUntil(lambda: "the verdict" in panel.detail.words.text(), timeout=300_000)
    assert f"href='{WHOLE}'" not in panel.detail.words.text()


def test_that_another_contact_waits_until_the_one_before_has_been_ridden(
    qtbot: Any, panel: InjuryPanel
) -> None:
    choose_marked(panel)
    other = next(
        row for row in panel.model.shown() if "Headrest" not in panel.model.caused.get(row.key, "Headrest")
    )
    panel._choose(other.key)
    qtbot.waitUntil(lambda: "the verdict" in panel.detail.words.text(), timeout=300_000)


def test_that_half_and_twice_the_stiffness_are_ridden_when_asked(
    qtbot: Any, by_hand: None, panel: InjuryPanel
) -> None:
    choose_marked(panel)
    panel.detail.words.linkActivated.emit(ASK)
    assert "Riding with it half and twice as stiff" in panel.detail.words.text()
    qtbot.waitUntil(lambda: "the verdict" in panel.detail.words.text(), timeout=300_000)
    words = panel.detail.words.text()
    assert "half as stiff" in words
    assert "twice" in words
    assert f"href='{ASK}'" not in words
