"""The injury panel: every criterion with its margin, a click moves time and place, two runs side by side."""

from __future__ import annotations

import csv
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QWidget

from app import theme
from app.document import Document
from app.injury_panel.panel import InjuryPanel
from app.injury_panel.behind import trace
from app.injury_panel.table import CriteriaModel, change_text
from app.playback import Playback
from app.runs import Run
from app.settings import Settings
from core.injury.sustained import sustained_g
from core.results import Names
from core.rider_view import Judgement, RiderJudgement, count_text, judge_part, judge_riders, rider_history


@pytest.fixture
def panel(
    with_run: Document,
    playback: Playback,
    settings: Settings,
    shown: Callable[..., QWidget],
    qtbot: object,
) -> InjuryPanel:
    made = InjuryPanel(with_run, playback, settings)
    shown(made)
    qtbot.waitUntil(lambda: made.model.rowCount() > 0, timeout=120_000)  # type: ignore[attr-defined]
    yield made
    made.shutdown()


def cell(panel: InjuryPanel, row: int, title: str) -> str:
    return str(panel.model.index(row, panel.model.column(title)).data() or "")


def click(panel: InjuryPanel, row: int, qtbot: object) -> RiderJudgement:
    index = panel.model.index(row, 0)
    at = panel.table.visualRect(index).center()
    qtbot.mouseClick(panel.table.viewport(), Qt.MouseButton.LeftButton, pos=at)  # type: ignore[attr-defined]
    found = panel.model.row(index)
    assert found is not None
    return found


def test_that_the_table_holds_what_the_core_finds(panel: InjuryPanel, with_run: Document) -> None:
    run = with_run.current_run
    assert run is not None
    found = {(r.part, r.result.criterion): r.result for r in panel.model.rows()}
    expected = judge_part(run.results, "Car/Rider", "head")
    assert len(expected) > 40
    for result in expected:
        assert found["head", result.criterion] == result
    assert ("pelvis", "hic15") not in found  # head injury is about the head alone
    assert ("pelvis", "sustained_+Gz") in found


def test_that_the_worst_margin_stands_first_and_sorting_turns_around(panel: InjuryPanel) -> None:
    margins = [panel.model.row(panel.model.index(k, 0)).result.margin for k in range(panel.model.rowCount())]
    assert None not in margins
    assert margins == sorted(margins)
    panel._which.setCurrentIndex(panel._which.findData("all"))
    panel._which.activated.emit(panel._which.currentIndex())
    panel.table.sortByColumn(panel.model.column("Value"), Qt.SortOrder.DescendingOrder)
    values = [panel.model.row(panel.model.index(k, 0)).result.value for k in range(panel.model.rowCount())]
    known = [value for value in values if value is not None]
    assert len(known) < len(values)  # 1000 samples a second are too few for CFC1000
    assert known == sorted(known, reverse=True)
    assert values[: len(known)] == known  # what has no value stays below


def test_that_a_click_moves_time_and_selects_the_place(
    panel: InjuryPanel, with_run: Document, playback: Playback, qtbot: object
) -> None:
    row = click(panel, 2, qtbot)
    assert row.result.time is not None
    assert playback.time == pytest.approx(sum(row.result.time) / 2)
    assert with_run.selection.kind == "place"
    assert with_run.selection.s == pytest.approx(5.0 + 11.0 * playback.time, abs=0.05)
    assert panel.chosen is row


def test_that_a_place_of_a_later_lap_is_selected_on_the_track(
    panel: InjuryPanel, with_run: Document, qtbot: object
) -> None:
    built = with_run.built()
    assert built is not None
    row = panel.model.rows()[0]
    later = replace(row, result=row.result.model_copy(update={"arc_length": built.length + 12.5}))
    panel.model.set_rows([later])
    panel.go_to(panel.model.index(0, 0))
    assert with_run.selection.s == pytest.approx(12.5)
    assert "12.5 m" in cell(panel, 0, "Where")


def test_that_the_keyboard_goes_through_the_table_and_enter_goes_to_the_moment(
    panel: InjuryPanel, playback: Playback, qtbot: object
) -> None:
    panel.table.setFocus()
    panel.table.setCurrentIndex(panel.model.index(0, 0))
    qtbot.keyClick(panel.table, Qt.Key.Key_Down)  # type: ignore[attr-defined]
    row = panel.model.row(panel.model.index(1, 0))
    assert panel.chosen is row
    panel.table.activated.emit(panel.table.currentIndex())
    assert row is not None
    assert playback.time == pytest.approx(row.moment)


def test_that_the_window_of_the_head_injury_criterion_is_shaded(panel: InjuryPanel, qtbot: object) -> None:
    qtbot.keyClicks(panel._search, "hic15")  # type: ignore[attr-defined]
    row = click(panel, 0, qtbot)
    assert row.key.criterion == "hic15"
    assert panel.detail.pages.currentWidget() is panel.detail.grid
    content = panel.detail.grid.contents()[0]
    assert (content.spans[0].start, content.spans[0].end) == row.result.time
    x0, x1 = panel.detail.grid.x_range()
    assert x0 < row.result.time[0] < row.result.time[1] < x1


def test_that_sustained_g_is_drawn_over_its_limit_curve(
    panel: InjuryPanel, with_run: Document, qtbot: object
) -> None:
    qtbot.keyClicks(panel._search, "sustained +gz pelvis")  # type: ignore[attr-defined]
    row = click(panel, 0, qtbot)
    chart = panel.detail.chart
    assert panel.detail.pages.currentWidget() is chart
    run = with_run.current_run
    assert run is not None
    values = run.results.channels["rider/Car/Rider/pelvis/acceleration"].values
    drawn = chart._held[0].curve
    expected = sustained_g(run.results.sample_time, values, "+Gz", durations=drawn.duration)
    assert drawn.level == pytest.approx(expected.level)
    assert drawn.limit is not None
    assert float(np.min(drawn.margin)) == pytest.approx(row.result.margin)
    assert "tolerated" in chart.head.text()


def test_that_every_criterion_has_a_picture_whose_signal_gives_its_value(with_run: Document) -> None:
    run = with_run.current_run
    assert run is not None
    judged, notes = judge(run.results)
    assert notes == ()
    peaks = 0
    for key, result in judged.items():
        if result.value is None or key.criterion.startswith("sustained_"):
            continue
        found = trace(run.results, key, result)
        assert found.unit == ("1" if result.unit == "1" else result.unit) or result.unit == "1"
        if key.criterion.startswith("peak_"):
            peaks += 1
            assert found.values.max() == pytest.approx(result.value)
    assert peaks > 30


def test_that_two_runs_are_compared_and_what_got_worse_is_named(
    panel: InjuryPanel, with_run: Document, make_run: Callable[..., Run], qtbot: object
) -> None:
    first = with_run.current_run
    assert first is not None
    harder = make_run("Harder", 7)
    for name, channel in list(harder.results.channels.items()):
        if name.endswith("acceleration"):
            harder.results.channels[name] = replace(channel, values=1.5 * channel.values)
    with_run.add_run(harder)
    qtbot.waitUntil(lambda: panel.compared is first and cell(panel, 0, "Compared") != "", timeout=60_000)  # type: ignore[attr-defined]
    assert not panel.table.isColumnHidden(panel.model.column("Change"))
    rows = [row for row in panel.model.rows() if row.judgement is not None]
    assert "worse" in {row.judgement for row in rows}
    assert "better" not in {row.judgement for row in rows}
    clip = next(row for row in rows if row.key.criterion == "clip_3ms")
    assert clip.result.value == pytest.approx(1.5 * clip.other.value)
    assert "worse" in panel._count.text()
    # the other way round
    with_run.show_run(first)
    with_run.compare(with_run.runs[-1], True)
    qtbot.wait(50)  # type: ignore[attr-defined]
    assert "worse" not in {row.judgement for row in panel.model.rows()}
    assert "better" in {row.judgement for row in panel.model.rows()}


def test_that_levels_held_for_different_times_are_compared_by_their_margins(with_run: Document) -> None:
    run = with_run.current_run
    assert run is not None
    judged, _ = judge(run.results)
    key = next(key for key in judged if key.criterion == "sustained_+Gz" and key.part == "pelvis")
    now = judged[key].model_copy(update={"value": 4.0, "limit": 8.0, "margin": 0.5})
    before = judged[key].model_copy(update={"value": 4.5, "limit": 12.0, "margin": 0.625})
    row = rows_of({key: now}, {key: before})[0]
    assert row.judgement == "worse"  # although the value is smaller
    column = next(c for c in CriteriaModel(str).columns if c.title == "Change")
    assert column.text(row) == "margin −12 %, worse"
    same = rows_of({key: now}, {key: now.model_copy(update={"value": 4.01, "margin": 0.49875})})[0]
    assert column.text(same) == "−0.01 g, same"


def test_that_verdicts_are_counted(with_run: Document) -> None:
    run = with_run.current_run
    assert run is not None
    judged, _ = judge(run.results)
    some = list(judged.items())[:3]
    verdicts = ("outside", "inside", "outside")
    counted = {
        key: result.model_copy(update={"verdict": verdict})
        for (key, result), verdict in zip(some, verdicts, strict=True)
    }
    assert count_text(rows_of(counted, None)) == "2 outside their limit, 0 within 10 % of it, 1 inside"


def test_that_a_limit_that_is_passed_is_said_in_words(
    panel: InjuryPanel, with_run: Document, make_run: Callable[..., Run], qtbot: object
) -> None:
    wild = make_run("Wild", 7)
    for name, channel in list(wild.results.channels.items()):
        if name.endswith("head/acceleration"):
            wild.results.channels[name] = replace(channel, values=60.0 * channel.values)
    with_run.add_run(wild)
    qtbot.waitUntil(lambda: cell(panel, 0, "Verdict") == "outside", timeout=60_000)  # type: ignore[attr-defined]
    assert panel._count.text().split()[0] != "0"
    assert cell(panel, 0, "Margin").startswith("−")


def test_that_a_run_without_riders_says_so(
    panel: InjuryPanel, with_run: Document, make_run: Callable[..., Run], qtbot: object
) -> None:
    run = make_run("Empty car", 5)
    names = replace(run.results.names, riders={})
    assert isinstance(names, Names)
    with_run.add_run(replace(run, results=replace(run.results, names=names)))
    qtbot.wait(50)  # type: ignore[attr-defined]
    assert "no riders" in panel.empty.text()
    assert panel.pages.currentWidget() is panel.empty


def test_that_the_shown_rows_are_saved_with_their_sources(panel: InjuryPanel, tmp_path: Path) -> None:
    panel.save_table(tmp_path / "injury.csv")
    with (tmp_path / "injury.csv").open(encoding="utf-8", newline="") as file:
        head, *rows = csv.reader(file)
    assert len(rows) == panel.model.rowCount()
    assert rows[0][head.index("Criterion")] == cell(panel, 0, "Criterion")
    assert all(row[head.index("source of the limit")] for row in rows)


def test_that_the_panel_follows_the_theme_and_leaves_no_thread(
    with_run: Document, playback: Playback, settings: Settings, qapp: QApplication, qtbot: object
) -> None:
    made = InjuryPanel(with_run, playback, settings)
    qtbot.addWidget(made)  # type: ignore[attr-defined]
    thread = made._work._thread
    made.show()
    theme.apply(qapp, "light")
    qtbot.waitUntil(lambda: made.model.rowCount() > 0, timeout=60_000)  # type: ignore[attr-defined]
    theme.apply(qapp, "dark")
    assert thread.isRunning()
    made.shutdown()
    assert not thread.isRunning()
    made.shutdown()
