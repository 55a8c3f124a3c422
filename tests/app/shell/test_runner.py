"""The runner: off the window's thread, progress, stop, failure, queue, safe end."""

from __future__ import annotations

import inspect
import math
import time
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import pytest
from PySide6.QtCore import QTimer

from ridewright.app.document.document import Run
from ridewright.app.widgets.live_curve import MAX_SAMPLES, LiveCurve, LiveRecorder
from ridewright.app.work import threads
from ridewright.app.work.runner import Job, Runner, _expected
from ridewright.core.base.time_left import AFTER, TimeLeft
from ridewright.core.project.examples import load_example
from ridewright.core.project.project import Project
from ridewright.core.run.simulate import simulate


def shortened(name: str = "looping_star", duration: float = 3.0) -> Project:
    project = load_example(name)
    ride = project.scenario.model_copy(update={"duration": duration, "end_place": None})
    return project.model_copy(update={"scenario": ride})


def test_that_a_run_in_the_worker_equals_one_in_the_open(qtbot, runner: Runner) -> None:
    project = shortened()
    with qtbot.waitSignal(runner.finished, timeout=180_000) as done:
        runner.start(project, "Mine")
        assert runner.running
    run: Run = done.args[0]
    assert run.name == "Mine"
    assert run.project is project
    assert run.results.status.complete
    alone = simulate(project)
    assert np.array_equal(run.results.states.position, alone.states.position)
    assert not runner.running


def test_that_progress_and_the_live_curve_grow(qtbot, runner: Runner) -> None:
    fractions: list[float] = []
    curves: list[LiveCurve] = []
    runner.progressed.connect(lambda fraction, *_: fractions.append(fraction))
    runner.partial.connect(curves.append)
    with qtbot.waitSignal(runner.finished, timeout=180_000):
        runner.start(load_example("looping_star"))
    assert len(fractions) > 3
    assert fractions == sorted(fractions)
    assert 0.0 <= fractions[0] < fractions[-1] <= 1.0
    assert len(np.atleast_1d(curves[-1].time)) > len(np.atleast_1d(curves[0].time))


@dataclass(frozen=True)
class Moment:
    """A sample as the solver tells it."""

    time: float
    speed: float
    rider_g: dict[str, tuple[float, float, float]]


def test_that_the_live_curve_is_what_the_samples_say_thinned() -> None:
    recorder = LiveRecorder()
    recorder.add(0.5, 10.0)
    count = 3 * MAX_SAMPLES
    for k in range(count):
        recorder.take(Moment(0.01 * k, 20.0 - 0.001 * k, {"Car/Rider": (0.1 * k, -1.0, 2.0)}))
    curve = recorder.curve()
    assert curve.known
    np.testing.assert_allclose(np.asarray(curve.fraction)[[0, -1]], 0.5)
    assert len(curve.time) == MAX_SAMPLES
    np.testing.assert_allclose(np.asarray(curve.speed), 20.0 - 0.1 * np.asarray(curve.time))
    np.testing.assert_allclose(curve.loads["Car/Rider"][:, 0], 10.0 * np.asarray(curve.time))
    np.testing.assert_allclose(curve.loads["Car/Rider"][:, 2], 2.0)


def test_that_a_rig_has_loads_and_how_much_is_done_but_no_speed() -> None:
    recorder = LiveRecorder()
    recorder.add(0.0, 0.0)
    recorder.add(0.5, 1.0)
    for k in range(5):
        recorder.take(Moment(0.2 * k, float("nan"), {"Rider": (0.0, 0.1 * k, 1.0)}))
    curve = recorder.curve()
    assert curve.known
    assert len(np.atleast_1d(curve.speed)) == 0
    np.testing.assert_allclose(np.asarray(curve.fraction), 0.1 * np.arange(5))
    assert curve.loads["Rider"].shape == (5, 3)


def test_that_a_run_without_samples_shows_how_much_is_done_and_no_speed() -> None:
    recorder = LiveRecorder()
    recorder.add(0.1, 0.3)
    recorder.add(0.1, 0.3)
    recorder.add(0.2, 0.6)
    curve = recorder.curve()
    assert not curve.known
    assert np.asarray(curve.time).tolist() == [0.3, 0.6]
    assert np.asarray(curve.fraction).tolist() == [0.1, 0.2]


@pytest.mark.skipif(
    "on_sample" not in inspect.signature(simulate).parameters, reason="the solver tells no samples"
)
def test_that_live_speed_and_loads_are_those_of_the_ride() -> None:
    recorder = LiveRecorder()
    results = simulate(shortened(duration=6.0), on_sample=recorder.take)
    curve = recorder.curve()
    time = np.asarray(curve.time)
    assert time[-1] > 5.0
    inside = (time > 0.5) & (time < 5.5)
    for live, name in (
        (np.asarray(curve.speed), "car/Car/speed"),
        (curve.loads["Car/Rider"][:, 2], "rider/Car/Rider/head/acceleration"),
    ):
        values = results.channels[name].values
        values = values if values.ndim == 1 else values[:, 2]
        truth = np.interp(time[inside], results.sample_time, values)
        assert np.max(np.abs(live[inside] - truth)) < 0.02 * np.max(np.abs(truth)) + 0.05


def test_that_stop_keeps_what_there_is(qtbot, runner: Runner) -> None:
    runner.progressed.connect(lambda fraction, *_: runner.stop() if fraction > 0.2 else None)
    with qtbot.waitSignal(runner.finished, timeout=180_000) as done:
        runner.start(load_example("looping_star"))
    run: Run = done.args[0]
    assert run.results.status.name == "stopped"
    assert 2.0 < run.duration < 38.0
    assert len(run.results.channels["car/Car/speed"].values) == len(run.results.sample_time) > 1000


def test_that_the_window_breathes_while_it_runs(qtbot, runner: Runner) -> None:
    beats: list[float] = []
    timer = QTimer()
    timer.timeout.connect(lambda: beats.append(time.perf_counter()))
    timer.start(5)
    with qtbot.waitSignal(runner.finished, timeout=180_000):
        runner.start(shortened("looping_star", 8.0))
    timer.stop()
    gaps = np.diff(beats)
    # ten beats in a row late by chance are not a frozen window; half of the time without a beat would be
    assert np.median(gaps) < 0.05
    assert len(beats) > 50


def test_that_bad_input_is_one_sentence_and_the_runner_goes_on(qtbot, runner: Runner) -> None:
    project = load_example("straight")
    ride = project.scenario.model_copy(update={"start": 500.0, "end_place": None})
    with qtbot.waitSignal(runner.failed, timeout=180_000) as failed:
        runner.start(project.model_copy(update={"scenario": ride}))
    assert str(failed.args[0]).endswith(".")
    assert "Traceback" not in str(failed.args[0])
    with qtbot.waitSignal(runner.finished, timeout=180_000):
        runner.start(shortened("straight", 0.5))


def test_that_an_error_nobody_expected_does_not_end_the_worker(
    qtbot, runner: Runner, monkeypatch: pytest.MonkeyPatch
) -> None:

    def broken(*_: object, **__: object) -> None:
        raise ZeroDivisionError("division by zero")

    with monkeypatch.context() as patch:
        patch.setattr("ridewright.core.run.simulate.simulate", broken)
        with qtbot.waitSignal(runner.failed, timeout=60_000) as failed:
            runner.start(shortened())
    assert "ZeroDivisionError" in str(failed.args[0])
    with qtbot.waitSignal(runner.finished, timeout=180_000):
        runner.start(shortened("straight", 0.5))


def test_that_a_queue_is_worked_off_in_order(
    qtbot, runner: Runner, wait_for_run: Callable[[Runner], None]
) -> None:
    names: list[str] = []
    runner.finished.connect(lambda run: names.append(run.name))
    runner.start_batch([Job(f"Run at {k}", shortened("straight", 0.2 + 0.1 * k)) for k in range(3)])
    assert len(runner.queue) == 2
    wait_for_run(runner)
    assert names == ["Run at 0", "Run at 1", "Run at 2"]


@pytest.mark.usefixtures("no_window")
def test_that_a_runner_can_be_closed_in_the_middle_of_a_run(qtbot) -> None:
    runner = Runner()
    with qtbot.waitSignal(runner.progressed, timeout=180_000):
        runner.start(load_example("looping_star"))
    runner.close()
    assert threads.running() == ()


def test_that_warming_up_is_told(qtbot, runner: Runner) -> None:
    assert not runner.ready
    with qtbot.waitSignal(runner.warmed, timeout=180_000) as warmed:
        runner.warm_up()
    assert warmed.args == [""]
    assert runner.ready


def test_that_the_time_left_is_right_within_a_factor_of_one_and_a_half_after_ten_seconds() -> None:
    # a lift of 25 s over 60 of 800 m, then 40 s; every second of the ride costs 0.3 to 0.6 s; a third comes after
    ride, dt = 65.0, 0.05
    left, wall, known = TimeLeft(ride), 0.0, []
    for k in range(round(ride / dt)):
        now = (k + 1) * dt
        wall += dt * (0.45 + 0.15 * math.sin(0.4 * now))
        way = 60.0 * now / 25.0 if now < 25.0 else 60.0 + 740.0 * (now - 25.0) / 40.0
        left.take(way / 800.0, now, wall)
        known.append((wall, left.seconds))
    end = 4.0 / 3.0 * wall
    told = [(wall, said) for wall, said in known if wall > 10.0]
    assert all(1 / 1.5 < said / (end - wall) < 1.5 for wall, said in told)
    # by the share of the way it is wrong by far more, which is what this test is about
    by_way = [10.0 * (1.0 - 60.0 / 800.0 * 0.9) / (60.0 / 800.0 * 0.9)]
    assert by_way[0] / (end - 10.0) > 3.0
    left.end(end)
    assert left.pace == pytest.approx(1.0 / 3.0 / AFTER, abs=0.03)


def test_that_what_many_riders_feel_counts_in_the_time_left() -> None:
    """Three minutes on a swing of 24 seats: 2.4 s of motion, then 5.5 s for what they feel, as was measured. A second
    run on a machine of half the speed is told from the first."""
    total, seats = 180.0, 24
    first = TimeLeft(total, total * seats)
    for k in range(1, 241):
        first.take(k / 240.0, k * 0.75, 0.01 * k)
    assert first.seconds == pytest.approx(5.5, rel=0.3)
    first.end(2.0 * (2.4 + 5.5) - 2.4)
    second = TimeLeft(total, total * seats, first.pace)
    for k in range(1, 241):
        second.take(k / 240.0, k * 0.75, 0.01 * k)
    assert second.seconds == pytest.approx(2.0 * (2.4 + 5.5) - 4.8, rel=0.05)


def test_that_the_time_of_a_ride_is_expected_from_the_train_as_points() -> None:
    project = load_example("looping_star")
    assert _expected(project) == pytest.approx(38.8, abs=0.8)  # as the run takes
    ride = project.scenario.model_copy(update={"end_place": None, "duration": 7.5})
    assert _expected(project.model_copy(update={"scenario": ride})) == 7.5
    ride = project.scenario.model_copy(update={"end_place": 20.0})
    short = _expected(project.model_copy(update={"scenario": ride}))
    assert short == pytest.approx(18.0 / 26.0, rel=0.1)  # from 2 m at 26 m/s
