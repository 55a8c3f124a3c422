"""The time cursor: it follows the wall clock, keeps within the run, loops and runs backwards."""

from __future__ import annotations

import pytest

from ridewright.app.document import playback as module
from ridewright.app.document.playback import FRAME, Playback


class Clock:
    """A wall clock that goes when told."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.now = 100.0
        monkeypatch.setattr(module.time, "perf_counter", lambda: self.now)

    def run(self, playback: Playback, seconds: float, ticks: int = 10) -> None:
        for _ in range(ticks):
            self.now += seconds / ticks
            if playback.playing:
                playback._tick()


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    return Clock(monkeypatch)


@pytest.fixture
def ride(playback: Playback) -> Playback:
    playback.set_duration(10.0)
    return playback


def test_that_without_a_run_nothing_plays(playback: Playback) -> None:
    playback.play()
    assert not playback.playing


@pytest.mark.parametrize("rate", [0.1, 1.0, 2.5])
@pytest.mark.parametrize("ticks", [1, 7, 200])
def test_that_time_is_wall_clock_times_rate_however_often_it_ticks(
    ride: Playback, clock: Clock, rate: float, ticks: int
) -> None:
    ride.seek(1.0)
    ride.set_rate(rate)
    ride.play()
    clock.run(ride, 2.0, ticks)
    assert ride.time == pytest.approx(1.0 + 2.0 * rate)


def test_that_a_change_of_rate_does_not_jump(ride: Playback, clock: Clock) -> None:
    ride.play()
    clock.run(ride, 1.0)
    ride.set_rate(4.0)
    assert ride.time == pytest.approx(1.0)
    clock.run(ride, 1.0)
    assert ride.time == pytest.approx(5.0)
    ride.set_rate(-0.5)
    clock.run(ride, 2.0)
    assert ride.time == pytest.approx(4.0)


def test_that_it_stops_at_the_end_and_begins_again(ride: Playback, clock: Clock) -> None:
    ride.seek(9.5)
    ride.play()
    clock.run(ride, 2.0)
    assert ride.time == 10.0
    assert not ride.playing
    ride.play()
    assert ride.time == 0.0


def test_that_backwards_it_stops_at_the_start_and_begins_at_the_end(ride: Playback, clock: Clock) -> None:
    ride.set_rate(-1.0)
    ride.play()
    assert ride.time == 10.0
    clock.run(ride, 11.0)
    assert ride.time == 0.0
    assert not ride.playing


@pytest.mark.parametrize("rate", [1.0, -1.0])
def test_that_a_loop_is_not_left(ride: Playback, clock: Clock, rate: float) -> None:
    ride.set_loop(6.0, 4.0)
    assert ride.loop == (4.0, 6.0)
    ride.seek(5.0)
    ride.set_rate(rate)
    ride.play()
    for _ in range(100):
        clock.run(ride, 0.11, 1)
        assert 4.0 <= ride.time <= 6.0
    assert ride.playing


def test_that_rates_and_times_are_kept_within_bounds(ride: Playback) -> None:
    ride.set_rate(99.0)
    assert ride.rate == 4.0
    ride.set_rate(-0.001)
    assert ride.rate == -0.1
    ride.seek(-3.0)
    assert ride.time == 0.0
    ride.seek(30.0)
    assert ride.time == 10.0


def test_that_a_step_is_one_frame_and_pauses(ride: Playback) -> None:
    ride.play()
    ride.step(3)
    assert not ride.playing
    assert ride.time == pytest.approx(3 * FRAME, abs=0.01)
    at = ride.time
    ride.step(-1)
    assert ride.time == pytest.approx(at - FRAME)


def test_that_a_shorter_run_keeps_the_time_inside(ride: Playback) -> None:
    heard: list[float] = []
    ride.seek(8.0)
    ride.time_changed.connect(heard.append)
    ride.set_duration(5.0)
    assert ride.time == 5.0
    assert heard == [5.0]


def test_that_the_timer_really_plays(qtbot, ride: Playback) -> None:
    ride.play()
    with qtbot.waitSignals([ride.time_changed] * 3, timeout=5000):
        pass
    assert 0.0 < ride.time < 10.0
