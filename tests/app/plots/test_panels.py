"""The panels of plots as a person meets them: mouse, cursor, abscissa, runs over each other, units, theme."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import fields, replace

import numpy as np
import pytest
from PySide6.QtCore import QEvent, QObject, QPoint, QPointF, Qt
from PySide6.QtGui import QColor, QMouseEvent, QResizeEvent, QWheelEvent
from PySide6.QtWidgets import QApplication, QToolButton, QWidget
from pytestqt.qtbot import QtBot

from ridewright.app.document.document import Document
from ridewright.app.document.playback import Playback
from ridewright.app.document.runs import Run
from ridewright.app.plots.channels import ChannelsPanel
from ridewright.app.plots.couplers import CouplersPanel
from ridewright.app.plots.loads import LoadsPanel
from ridewright.app.plots.pane import Pane
from ridewright.app.plots.plot_grid import PlotGrid, columns_for
from ridewright.app.plots.quality import QualityPanel
from ridewright.app.widgets import refresh, theme
from ridewright.app.widgets.live_curve import LiveCurve
from ridewright.app.widgets.settings import Settings
from ridewright.app.widgets.turning_splitter import TurningSplitter
from ridewright.core.charts.chart import Axis, Chart, Colour, Curve
from ridewright.core.results.results import Ledger, Violations
from tests.app.settling import until_drawn

Show = Callable[..., QWidget]


@pytest.fixture
def loads(with_run: Document, playback: Playback, settings: Settings, shown: Show) -> LoadsPanel:
    panel = LoadsPanel(with_run, playback, settings)
    shown(panel)
    return panel


def test_that_the_chart_of_the_couplings_is_not_cut_in_a_column(
    with_run: Document, playback: Playback, settings: Settings, shown: Show
) -> None:
    panel = CouplersPanel(with_run, playback, settings)
    shown(panel)
    splitter = panel.findChild(TurningSplitter)
    assert splitter is not None
    for size, way in (((740, 720), Qt.Orientation.Vertical), ((1000, 300), Qt.Orientation.Horizontal)):
        splitter.resize(*size)
        QApplication.sendEvent(splitter, QResizeEvent(splitter.size(), splitter.size()))
        assert splitter.orientation() == way
        assert splitter.sizes()[0] >= 0.4 * (size[1] if way == Qt.Orientation.Vertical else size[0])


@pytest.mark.parametrize(
    ("low", "high", "least"),
    [(19.9997, 20.0013, 0.01), (10.0, 10.011, 0.011), (-1e-3, 1e-3, 2e-3), (5.0, 5.0, 0.0025)],
)
def test_that_a_plot_never_shows_less_than_its_numbers_can_tell(
    qtbot: QtBot, low: float, high: float, least: float
) -> None:
    pane = Pane()
    qtbot.addWidget(pane)
    curve = Curve("", np.arange(3.0), np.array([low, high, low]), Colour("series", 0))
    pane.set_content(Chart("v", "Speed", Axis("Time", "s"), Axis("Speed", "m/s"), (curve,)), 1.0, "s")
    pane.fit_values()
    bottom, top = pane.box.viewRange()[1]
    assert least <= top - bottom
    assert bottom <= low <= high <= top
    assert top - bottom <= 1.13 * max(high - low, least) or low == high


def place_of(pane: Pane, x: float) -> QPoint:
    """Where an abscissa (as drawn) is on the canvas of a pane, at half height."""
    (_, _), (y0, y1) = pane.box.viewRange()
    scene = pane.box.mapViewToScene(QPointF(x, 0.5 * (y0 + y1)))
    return pane.canvas.mapFromScene(scene)


def move(pane: Pane, at: QPoint, buttons: Qt.MouseButton, modifiers: Qt.KeyboardModifier) -> None:
    """A move of the mouse with buttons held, which QTest cannot make."""
    viewport = pane.canvas.viewport()
    none = Qt.MouseButton.NoButton
    event = QMouseEvent(
        QEvent.Type.MouseMove, QPointF(at), QPointF(viewport.mapToGlobal(at)), none, buttons, modifiers
    )
    QApplication.sendEvent(viewport, event)


def drag(qtbot: object, pane: Pane, x0: float, x1: float, modifiers: Qt.KeyboardModifier) -> None:
    viewport, left = pane.canvas.viewport(), Qt.MouseButton.LeftButton
    start, end = place_of(pane, x0), place_of(pane, x1)
    qtbot.mousePress(viewport, left, modifiers, start)  # type: ignore[attr-defined]
    for k in range(1, 9):
        move(pane, start + (end - start) * k / 8, left, modifiers)
        qtbot.wait(12)  # type: ignore[attr-defined] - pyqtgraph ignores moves that follow faster than a frame
    qtbot.mouseRelease(viewport, left, modifiers, end)  # type: ignore[attr-defined]


def value_at(panel: LoadsPanel, key: str, time: float, column: int | None = None) -> float:
    """A channel of the shown run at a time, straight between samples."""
    run = panel.document.current_run
    assert run is not None
    values = run.results.channels[key].values
    if column is not None:
        values = values[:, column]
    return float(np.interp(time, run.results.sample_time, values))


def test_that_without_a_run_the_panels_say_how_to_get_curves(
    document: Document, playback: Playback, settings: Settings, shown: Show
) -> None:
    for kind in (LoadsPanel, QualityPanel, ChannelsPanel):
        panel = kind(document, playback, settings)
        shown(panel)
        assert panel.pages.currentWidget() is panel.empty
        assert "F5" in panel.empty.text()


def test_that_the_cursor_of_every_plot_follows_the_playback(loads: LoadsPanel, playback: Playback) -> None:
    playback.seek(1.25)
    assert len(loads.grid.panes) == 6
    for pane in loads.grid.panes:
        assert pane.cursor_line.value == pytest.approx(1.25)


def at_rest(loads: LoadsPanel, qtbot: QtBot) -> None:
    """Wait until plots that have just come have found their sizes and painted their curves for them."""
    quiet = 0

    def rests() -> bool:
        nonlocal quiet
        busy = not loads.grid.complete or any(pane._later.isActive() for pane in loads.grid.panes)
        quiet = 0 if busy else quiet + 1
        return quiet > 30  # turns of 10 ms

    qtbot.waitUntil(rests, timeout=20_000)


def columns_in(pane: Pane, colour: str, height: float) -> list[int]:
    """Pixels across of a colour at a share of the height of a plot, as the screen shows it."""
    view = pane.canvas.viewport()
    corner, window = view.mapTo(view.window(), QPoint()), view.window()
    seen = window.screen().grabWindow(window.winId(), corner.x(), corner.y(), view.width(), view.height())
    picture, wanted = seen.toImage(), QColor(colour).getRgb()
    y = int(height * (picture.height() - 1))
    away = [
        np.abs(np.subtract(picture.pixelColor(x, y).getRgb(), wanted)).max() for x in range(picture.width())
    ]
    return np.flatnonzero(np.array(away) < 9).tolist()  # a display of 16 bits rounds colours


def test_that_the_cursor_is_painted_where_it_stands_and_nowhere_else(
    loads: LoadsPanel, playback: Playback, qtbot: QtBot
) -> None:
    at_rest(loads, qtbot)
    pane, cursor = loads.grid.panes[0], theme.current().cursor
    for time in (1.25, 2.0, 0.75, 1.6):
        playback.seek(time)
        at = pane.canvas.mapFromScene(pane.box.mapViewToScene(QPointF(time, 0.0))).x()
        qtbot.waitUntil(
            lambda at=at: any(abs(x - at) <= 1 for x in columns_in(pane, cursor, 0.5)), timeout=5000
        )
        assert len(columns_in(pane, cursor, 0.5)) == 1
        assert columns_in(pane, cursor, 1.0) == []  # below the box


def test_that_a_step_of_the_playback_brings_the_window_to_the_screen_once_for_all_plots(
    loads: LoadsPanel, playback: Playback, qtbot: QtBot
) -> None:
    class Counter(QObject):
        seen = 0

        def eventFilter(self, watched: QObject, event: QEvent) -> bool:
            self.seen += event.type() == QEvent.Type.UpdateRequest
            return False

    counter = Counter()
    loads.window().installEventFilter(counter)
    for time in (0.5, 2.5, 0.7):
        at_rest(loads, qtbot)
        counter.seen = 0
        playback.seek(time)
        at_rest(loads, qtbot)
        assert counter.seen == 1
    loads.window().removeEventFilter(counter)


def test_that_the_values_beside_the_names_are_those_at_the_cursor(
    loads: LoadsPanel, playback: Playback
) -> None:
    playback.seek(1.2345)
    pane = loads.grid.pane("gz")
    assert pane is not None
    expected = value_at(loads, "rider/Car/Rider/head/acceleration", 1.2345, 2)
    assert float(pane.readout.values()[0].replace("−", "-")) == pytest.approx(expected, abs=6e-3)


def test_that_a_click_in_a_plot_moves_the_time(loads: LoadsPanel, playback: Playback, qtbot: object) -> None:
    pane = loads.grid.panes[1]
    at = place_of(pane, 0.8)
    qtbot.mouseClick(pane.canvas.viewport(), Qt.MouseButton.LeftButton, pos=at)  # type: ignore[attr-defined]
    assert playback.time == pytest.approx(0.8, abs=0.02)


def test_that_a_drag_scrubs_and_leaves_the_stretch_alone(
    loads: LoadsPanel, playback: Playback, qtbot: object
) -> None:
    before = loads.grid.x_range()
    seen: list[float] = []
    playback.time_changed.connect(seen.append)
    drag(qtbot, loads.grid.panes[0], 0.3, 1.6, Qt.KeyboardModifier.NoModifier)
    assert playback.time == pytest.approx(1.6, abs=0.02)
    assert len(seen) > 3
    assert loads.grid.x_range() == before


def test_that_shift_and_drag_zoom_every_plot_to_the_same_stretch(loads: LoadsPanel, qtbot: object) -> None:
    drag(qtbot, loads.grid.panes[2], 0.5, 1.5, Qt.KeyboardModifier.ShiftModifier)
    assert loads.grid.x_range() == pytest.approx((0.5, 1.5), abs=0.02)
    ranges = {pane.x_range() for pane in loads.grid.panes}
    assert len(ranges) == 1


def test_that_the_wheel_zooms_all_plots_around_the_mouse_and_a_double_click_shows_everything(
    loads: LoadsPanel, qtbot: object
) -> None:
    pane = loads.grid.panes[0]
    whole = loads.grid.x_range()
    at = place_of(pane, 1.0)
    viewport = pane.canvas.viewport()
    event = QWheelEvent(
        QPointF(at),
        QPointF(viewport.mapToGlobal(at)),
        QPoint(),
        QPoint(0, 360),
        Qt.MouseButton.NoButton,
        Qt.KeyboardModifier.NoModifier,
        Qt.ScrollPhase.NoScrollPhase,
        False,
    )
    QApplication.sendEvent(viewport, event)
    for other in loads.grid.panes:
        x0, x1 = other.x_range()
        assert x1 - x0 < 0.9 * (whole[1] - whole[0])
        assert x0 < 1.0 < x1
    qtbot.mouseDClick(viewport, Qt.MouseButton.LeftButton, pos=at)  # type: ignore[attr-defined]
    qtbot.mouseRelease(viewport, Qt.MouseButton.LeftButton, pos=at)  # type: ignore[attr-defined]
    assert loads.grid.x_range() == pytest.approx(whole)


def test_that_the_mouse_over_a_plot_shows_the_values_under_it(loads: LoadsPanel, playback: Playback) -> None:
    playback.seek(0.2)
    pane, other = loads.grid.panes[0], loads.grid.pane("speed")
    assert other is not None
    at = place_of(pane, 1.5)
    move(pane, at, Qt.MouseButton.NoButton, Qt.KeyboardModifier.NoModifier)
    x = other.pointer_line.value
    assert x == pytest.approx(1.5, abs=0.02)
    shown_value = float(other.readout.values()[0])
    assert shown_value == pytest.approx(value_at(loads, "car/Car/speed", x), abs=6e-3)
    QApplication.sendEvent(pane.canvas, QEvent(QEvent.Type.Leave))
    assert other.pointer_line.value is None
    assert float(other.readout.values()[0]) == pytest.approx(value_at(loads, "car/Car/speed", 0.2), abs=6e-3)


def test_that_over_arc_length_the_cursor_stands_at_the_place_of_the_car(
    loads: LoadsPanel, playback: Playback, qtbot: object
) -> None:
    loads.set_abscissa("place")
    playback.seek(1.0)  # the car's arc length is 5 + 11 t
    pane = loads.grid.panes[0]
    assert pane.cursor_line.value == pytest.approx(16.0)
    at = place_of(pane, 21.5)
    qtbot.mouseClick(pane.canvas.viewport(), Qt.MouseButton.LeftButton, pos=at)  # type: ignore[attr-defined]
    assert playback.time == pytest.approx(1.5, abs=0.02)


def test_that_runs_are_drawn_over_each_other_in_their_own_colours(
    loads: LoadsPanel, with_run: Document, make_run: Callable[..., Run], qtbot: object
) -> None:
    with_run.add_run(make_run("Softer", 11))
    until_drawn(qtbot, loads)
    pane = loads.grid.pane("gz")
    assert pane is not None
    assert [curve.run for curve in pane.content.curves] == ["Softer", "Run 1"]
    assert [curve.colour for curve in pane.content.curves] == [("series", 1), ("series", 0)]
    drawn = [line.item.opts["pen"].color().name() for line in pane._lines]
    assert drawn == [*theme.current().series[1::-1]]
    with_run.compare(with_run.compared[0], False)
    until_drawn(qtbot, loads)
    assert [curve.run for curve in pane.content.curves] == ["Softer"]


def test_that_over_arc_length_another_run_is_read_at_the_same_place_not_the_same_time(
    loads: LoadsPanel, with_run: Document, playback: Playback, make_run: Callable[..., Run], qtbot: object
) -> None:
    slow = make_run("Slow", 7)
    place = slow.results.channels["car/Car/arc_length"]
    slow.results.channels["car/Car/arc_length"] = type(place)(
        5.0 + 5.5 * slow.results.sample_time, place.unit, place.frame, place.description
    )
    with_run.add_run(slow)
    with_run.show_run(with_run.runs[0])
    with_run.compare(with_run.runs[1], True)
    until_drawn(qtbot, loads)
    loads.set_abscissa("place")
    playback.seek(0.5)  # at 10.5 m; the slow run is there at t = 1 s
    pane = loads.grid.pane("speed")
    assert pane is not None
    speeds = [float(text) for text in pane.readout.values()]
    assert speeds[0] == pytest.approx(12.0 - 2.0 * 0.5 + 0.5**2, abs=6e-3)
    assert speeds[1] == pytest.approx(12.0 - 2.0 * 1.0 + 1.0**2, abs=6e-3)


def test_that_the_difference_of_two_runs_is_drawn_at_the_same_place(
    loads: LoadsPanel, with_run: Document, make_run: Callable[..., Run], qtbot: object
) -> None:
    slow = make_run("Slow", 7)
    place = slow.results.channels["car/Car/arc_length"]
    slow.results.channels["car/Car/arc_length"] = type(place)(
        5.0 + 5.5 * slow.results.sample_time, place.unit, place.frame, place.description
    )
    (button,) = [b for b in loads.findChildren(QToolButton) if b.text() == "Difference"]
    assert not button.isEnabled()
    with_run.add_run(slow)
    with_run.show_run(with_run.runs[0])
    with_run.compare(with_run.runs[1], True)
    loads.refresh()
    loads.set_abscissa("place")
    assert button.isEnabled()
    button.click()
    pane = loads.grid.pane("speed")
    assert pane is not None
    (curve,) = pane.content.curves
    # at 10.5 m, where the first is at t = 0.5 s and the slow one at 1 s
    assert curve.at_time(0.5) == pytest.approx((12.0 - 1.0 + 0.25) - (12.0 - 2.0 + 1.0), abs=6e-3)
    assert pane.content.title.endswith("Run 1 − Slow")
    assert not loads.grid.pane("gz").content.bands
    button.click()
    assert len(loads.grid.pane("speed").content.curves) == 2


def test_that_the_filter_the_part_and_the_plots_can_be_chosen_and_are_remembered(
    loads: LoadsPanel, with_run: Document, playback: Playback, settings: Settings
) -> None:
    loads._filter.setCurrentIndex(loads._filter.findData("both"))
    loads._filter.activated.emit(loads._filter.currentIndex())
    loads._part.setCurrentIndex(loads._part.findData("All"))
    loads._part.activated.emit(loads._part.currentIndex())
    loads.show_plot("nca", False)
    again = LoadsPanel(with_run, playback, settings)
    again.refresh()
    for panel in (loads, again):
        gz = panel.grid.pane("gz")
        assert gz is not None
        assert len(gz.content.curves) == 6
        assert panel.grid.pane("nca") is None
    again.deleteLater()


def test_that_us_units_reach_values_axes_and_the_cursor(
    loads: LoadsPanel, playback: Playback, settings: Settings, qtbot: object
) -> None:
    settings.units = "US"
    until_drawn(qtbot, loads)
    loads.set_abscissa("place")
    playback.seek(1.0)
    pane = loads.grid.pane("speed")
    assert pane is not None
    assert pane.unit_label == "ft/s"
    assert float(pane.readout.values()[0]) == pytest.approx(11.0 / 0.3048, abs=0.06)
    assert pane.cursor_line.value == pytest.approx(16.0 / 0.3048)
    settings.units = "SI"


def test_that_the_theme_changes_with_the_application(
    loads: LoadsPanel, qapp: QApplication, qtbot: object
) -> None:
    theme.apply(qapp, "light")
    pane = loads.grid.panes[0]
    pen = lambda: pane._lines[0].item.opts["pen"].color().name()  # noqa: E731
    qtbot.waitUntil(lambda: pen() == theme.LIGHT.series[0], timeout=5000)  # type: ignore[attr-defined]
    assert pane.canvas.backgroundBrush().color().name() == theme.LIGHT.base
    theme.apply(qapp, "dark")


def test_that_speed_and_loads_of_a_run_in_progress_grow_in_their_plots(
    qtbot: object, document: Document, playback: Playback, settings: Settings, shown: Show
) -> None:
    panel = LoadsPanel(document, playback, settings)
    shown(panel)
    loads = np.array([[0.1, 0.2, 1.0], [0.1, 0.3, 3.5], [0.1, -0.9, -1.5]])
    panel.show_live(LiveCurve((0.5, 1.0), (0.2, 0.2), (20.0, 21.0), {"Car/Rider": loads[:2]}))
    qtbot.waitUntil(lambda: panel.grid.pane("speed") is not None, timeout=5000)  # type: ignore[attr-defined]
    panel.show_live(LiveCurve((0.5, 1.0, 40.0), (0.9, 0.9, 0.9), (20.0, 21.0, 30.0), {"Car/Rider": loads}))
    speed, lifted, sideways = (panel.grid.pane(key) for key in ("speed", "gz", "gy"))
    assert speed is not None
    assert lifted is not None
    assert sideways is not None
    assert speed.x_range()[1] > 40.0
    assert speed.box.viewRange()[1][1] > 30.0
    assert lifted.box.viewRange()[1][0] <= -1.5
    assert lifted.box.viewRange()[1][1] > 3.5
    np.testing.assert_allclose(sideways._live.getData()[1], loads[:, 1])
    panel.end_live()
    panel.refresh()
    assert panel.pages.currentWidget() is panel.empty


def test_that_the_ledger_and_the_violations_are_drawn(
    with_run: Document, playback: Playback, settings: Settings, shown: Show
) -> None:
    panel = QualityPanel(with_run, playback, settings)
    shown(panel)
    playback.seek(1.0)
    residual, gaps = panel.grid.pane("residual"), panel.grid.pane("position")
    assert residual is not None
    assert gaps is not None
    run = with_run.current_run
    assert run is not None
    ledger, time = run.results.energy, run.results.states.time
    expected = float(np.interp(1.0, time, ledger.residual)) * residual.factor
    assert float(residual.readout.values()[0].replace("−", "-")) == pytest.approx(expected, rel=5e-3)
    assert gaps.content.y.log
    assert gaps.readout.values() == ("1.0·10⁻⁹", "1.0·10⁻⁸")
    worst = np.abs(ledger.residual).max() / ledger.kinetic.max()
    assert f"{worst:.1e}"[:3] in panel.said.text()


def test_that_a_channel_is_found_by_search_and_plotted_by_its_tick(
    with_run: Document, playback: Playback, settings: Settings, shown: Show, qtbot: object
) -> None:
    panel = ChannelsPanel(with_run, playback, settings)
    shown(panel)
    qtbot.keyClicks(panel._search, "front left force")  # type: ignore[attr-defined]
    shown_leaves = [leaf for leaf in panel._leaves() if not leaf.isHidden()]
    assert len(shown_leaves) == 3
    shown_leaves[0].setCheckState(0, Qt.CheckState.Checked)
    assert panel.chosen == ("guide/Car/Front left wheel on rail/force",)
    assert len(panel.grid.panes) == 1
    assert len(panel.grid.panes[0].content.curves) == 4
    shown_leaves[0].setCheckState(0, Qt.CheckState.Unchecked)
    assert panel.chosen == ()
    assert not panel.grid.isVisible()


@pytest.mark.parametrize("instants", [1, 2, 400])
def test_that_a_rig_and_a_run_stopped_at_once_are_shown_for_what_they_have(
    document: Document,
    playback: Playback,
    settings: Settings,
    shown: Show,
    make_run: Callable[..., Run],
    instants: int,
) -> None:
    run = make_run()
    states = run.results.states
    kept = replace(states, **{f.name: getattr(states, f.name)[:instants] for f in fields(states)})
    energy = replace(
        run.results.energy, **{f.name: getattr(run.results.energy, f.name)[:instants] for f in fields(Ledger)}
    )
    off = replace(
        run.results.violations,
        **{f.name: getattr(run.results.violations, f.name)[:instants] for f in fields(Violations)},
    )
    names = replace(run.results.names, riders={})
    results = replace(
        run.results,
        states=kept,
        energy=energy,
        violations=off,
        names=names,
        channels={},
        sample_time=run.results.sample_time[: instants - 1 or 1],
    )
    document.add_run(replace(run, results=results))
    loads, quality = LoadsPanel(document, playback, settings), QualityPanel(document, playback, settings)
    channels = ChannelsPanel(document, playback, settings)
    channels.choose("joint/Car/Roll joint/force")
    for panel in (loads, quality, channels):
        shown(panel)
    assert "no riders" in loads.empty.text()
    assert loads.pages.currentWidget() is loads.empty
    assert quality.grid.count == 5
    assert len(channels.grid.panes[0].content.curves) == 4


@pytest.mark.parametrize(
    ("count", "size", "columns"),
    [(6, (1280, 260), 3), (6, (600, 900), 1), (6, (1900, 260), 3), (1, (1900, 90), 1)],
)
def test_that_flat_docks_put_plots_side_by_side(count: int, size: tuple[int, int], columns: int) -> None:
    assert columns_for(count, *size) == columns


def test_that_the_riders_of_the_project_can_be_chosen_before_there_is_a_run(
    document: Document, playback: Playback, settings: Settings, shown: Show
) -> None:
    panel = LoadsPanel(document, playback, settings)
    shown(panel)
    assert [panel._rider.itemData(k) for k in range(panel._rider.count())] == ["Car/Rider"]
    assert panel._rider.isEnabled()


def test_that_plots_come_one_after_the_other_and_all_at_once_when_asked(
    with_run: Document, playback: Playback, settings: Settings, qtbot: object
) -> None:
    panel = LoadsPanel(with_run, playback, settings)
    qtbot.addWidget(panel)  # type: ignore[attr-defined]
    panel.resize(1280, 320)
    panel.refresh(gradually=True)
    assert len(panel.grid.panes) == 1
    assert not panel.grid.complete
    assert len(panel.grid.contents()) == panel.grid.count > 1
    assert panel.grid.complete
    ranges = {pane.x_range() for pane in panel.grid.panes}
    assert len(ranges) == 1


def test_that_two_panels_never_draw_a_plot_in_one_turn(
    with_run: Document,
    playback: Playback,
    settings: Settings,
    qtbot: QtBot,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    turn = 0
    drawn: list[tuple[int, PlotGrid]] = []
    begun, shown_next = refresh._Turns._next, PlotGrid._show_next

    def begin(turns: refresh._Turns) -> None:
        nonlocal turn
        turn += 1
        begun(turns)

    def show(grid: PlotGrid) -> None:
        drawn.append((turn, grid))
        shown_next(grid)

    monkeypatch.setattr(refresh._Turns, "_next", begin)
    monkeypatch.setattr(PlotGrid, "_show_next", show)
    panels = [LoadsPanel(with_run, playback, settings) for _ in range(2)]
    for panel in panels:
        qtbot.addWidget(panel)
        panel.resize(1280, 320)
        panel.refresh(gradually=True)
    qtbot.waitUntil(lambda: all(panel.grid.complete for panel in panels))
    later = [one for one, _ in drawn if one]
    assert len(later) == len(set(later)) == len(drawn) - 2
    assert {grid for one, grid in drawn if one} == {panel.grid for panel in panels}
