"""Records of a sensor that sat askew, with offsets and noise, come back in rider axes; and lie on the ride in time."""

from __future__ import annotations

import json

import numpy as np
import pytest
from pydantic import ValidationError
from scipy.spatial.transform import Rotation

from ridewright.core.base.errors import InputError
from ridewright.core.cli.program import main
from ridewright.core.injury.align import align
from ridewright.core.injury.evaluate import evaluate_history
from ridewright.core.injury.filters import apply_filter
from ridewright.core.injury.history import History
from ridewright.core.injury.measured import conditioned, read_accelerometer_csv
from ridewright.core.injury.mounting import Mounting, find_rest, mounted
from ridewright.core.outcome.rider_view import rider_history
from ridewright.core.results.file import write_results

RATE = 200.0
T = np.arange(int(60 * RATE)) / RATE


def ride():
    """What the rider feels: rest to 4 s, a launch straight ahead to 7 s, then hills and curves to the end."""
    a = np.tile([0.0, 0.0, 1.0], (T.size, 1))
    a[:, 0] += 0.45 * np.clip((T - 4.0) / 0.3, 0, 1) * np.clip((7.0 - T) / 0.3, 0, 1)
    rolling = np.clip((T - 8.0) / 2.0, 0.0, 1.0)[:, None]
    # Tones that do not fit one another: a ride does not repeat itself.
    a += rolling * np.column_stack(
        [0.3 * np.sin(0.9 * T), 0.8 * np.sin(0.7 * T + 0.4) * np.cos(0.23 * T), 1.1 * np.sin(0.0137 * T**2)]
    )
    w = rolling * np.column_stack([0.5 * np.sin(0.8 * T), 1.2 * np.cos(0.5 * T), 0.7 * np.sin(1.1 * T + 1.0)])
    return a, w


SEATS = (("xyz", (10.0, -20.0, 35.0)), ("zyx", (170.0, 60.0, -100.0)), ("yzx", (-95.0, 15.0, 88.0)))


@pytest.mark.parametrize("seat", SEATS, ids=str)
@pytest.mark.parametrize("push", ["launch", "brake"])
def test_that_a_sensor_askew_with_bias_and_noise_comes_back_in_rider_axes(seat, push):
    a, w = ride()
    if push == "brake":
        a[:, 0] *= -1.0
    turn = Rotation.from_euler(seat[0], seat[1], degrees=True).as_matrix()
    rng = np.random.default_rng(4)
    bias = np.array([0.05, -0.08, 0.11])
    seen = History(
        T,
        a @ turn.T + 0.01 * rng.standard_normal(a.shape),
        rotation_rate=w @ turn.T + bias + 0.01 * rng.standard_normal(w.shape),
    )
    back = mounted(seen, Mounting(push=(4.3, 6.7), push_is=push))
    assert back.acceleration == pytest.approx(a, abs=0.06)
    assert np.abs((back.acceleration - a).mean(axis=0)).max() < 2e-3
    assert back.rotation_rate == pytest.approx(w, abs=0.06)
    assert np.abs((back.rotation_rate - w).mean(axis=0)).max() < 3e-3
    assert any("At rest" in note and "found" in note for note in back.notes)
    peak = {r.criterion: r.value for r in evaluate_history(back, ["peak_+Gz_5hz", "peak_-Gx_5hz"])}
    truth = {r.criterion: r.value for r in evaluate_history(History(T, a), ["peak_+Gz_5hz", "peak_-Gx_5hz"])}
    assert peak == pytest.approx(truth, abs=0.01)


def test_that_without_a_push_the_sensor_axis_made_level_is_forward_and_yaw_turns_it():
    a, _ = ride()
    tilt = Rotation.from_euler("yx", [25.0, 10.0], degrees=True).as_matrix()
    seen = History(T, a @ tilt)
    back = mounted(seen, Mounting())
    level = back.acceleration[T < 4.0].mean(axis=0)
    assert level == pytest.approx([0.0, 0.0, 1.0], abs=1e-9)
    turned = mounted(seen, Mounting(yaw=0.3)).acceleration
    expected = back.acceleration @ Rotation.from_euler("z", 0.3).as_matrix()
    assert turned == pytest.approx(expected, abs=1e-12)


def test_that_named_axes_are_swapped_and_an_offset_is_taken_off_before():
    a, w = ride()
    swapped = np.column_stack([a[:, 1], -a[:, 0], a[:, 2]])  # x to the left, y backward
    seen = History(
        T, swapped + np.array([0.1, -0.2, 0.3]), rotation_rate=np.column_stack([w[:, 1], -w[:, 0], w[:, 2]])
    )
    back = mounted(seen, Mounting(axes="-y x z", offset=(0.1, -0.2, 0.3), level=False))
    assert back.acceleration == pytest.approx(a, abs=1e-12)
    assert back.rotation_rate == pytest.approx(w, abs=1e-12)
    assert len(back.notes) == 2
    upright = mounted(History(T, a[:, [2, 0, 1]]), Mounting(axes="y z x"))
    assert upright.acceleration == pytest.approx(a, abs=1e-12)


def test_that_an_offset_by_rest_leaves_one_g_at_rest():
    a, _ = ride()
    seen = History(T, a + np.array([0.0, 0.0, 0.07]))
    assert mounted(seen, Mounting(offset="rest")).acceleration == pytest.approx(a, abs=1e-12)
    plain = mounted(seen, Mounting())
    assert plain.acceleration[0] == pytest.approx([0.0, 0.0, 1.07])
    assert any("1.07 g" in note for note in plain.notes)


def test_that_rest_is_the_first_quiet_stretch_and_not_the_shaking_before_it():
    a, _ = ride()
    rng = np.random.default_rng(2)
    a[T < 1.5] += 0.3 * rng.standard_normal((int(1.5 * RATE), 3))
    rest = find_rest(History(T, a))
    assert 1.45 <= rest.start <= 1.55
    assert rest.end - rest.start == pytest.approx(2.0, abs=0.02)
    asked = mounted(History(T, a), Mounting(rest=(2.0, 3.0)))
    assert any("2 to 3 s, as asked" in note for note in asked.notes)


def test_that_what_cannot_be_levelled_is_refused_with_a_way_out():
    a, _ = ride()
    shaken = History(T, a + 0.5 * np.random.default_rng(1).standard_normal(a.shape))
    with pytest.raises(InputError, match=r"nowhere rests.*switch levelling off"):
        mounted(shaken, Mounting())
    with pytest.raises(InputError, match="without gravity"):
        mounted(History(T, a, contains_gravity=False), Mounting())
    with pytest.raises(InputError, match=r"mean push is only 0 g|mean push is only \S+e-"):
        mounted(History(T, a), Mounting(push=(1.0, 3.0)))
    with pytest.raises(InputError, match="stands upright"):
        mounted(History(T, a), Mounting(axes="z x y", rest=(0.0, 3.0)))
    with pytest.raises(InputError, match=r"0.0 to 2.0 s.*'z x y' calls up"):
        mounted(History(T, a), Mounting(axes="z x y"))
    with pytest.raises(InputError, match="less than three samples"):
        mounted(History(T, a), Mounting(rest=(100.0, 110.0)))
    for wrong in ({"axes": "x y"}, {"axes": "x x z"}, {"axes": "x y -z"}, {"rest": (3.0, 2.0)}):
        with pytest.raises(ValidationError):
            Mounting(**wrong)
    with pytest.raises(ValidationError, match="need level"):
        Mounting(level=False, push=(1.0, 2.0))


@pytest.mark.parametrize("shift", [12.345, -7.002, 0.0])
def test_that_a_noisy_record_is_found_on_the_ride(shift):
    """Another rate, a scale of 1.1, noise, cut at both ends; the simulated time is measured time plus the offset."""
    a, _ = ride()
    simulated = History(T, a)
    time = np.arange(int(40 * 97.0)) / 97.0 + 9.0
    there = np.clip(time, T[0], T[-1])
    seen = np.column_stack([np.interp(there, T, column) for column in a.T])
    rng = np.random.default_rng(6)
    measured = History(time - shift, 1.1 * seen + 0.1 * rng.standard_normal(seen.shape))
    found = align(measured, simulated)
    assert found.offset == pytest.approx(shift, abs=0.01)
    assert found.correlation > 0.97
    assert found.quality == "good"
    assert found.scale == pytest.approx(1.1, abs=0.03)
    assert found.overlap == pytest.approx(40.0, abs=0.1)
    assert min(found.axes) > 0.9


def test_that_another_ride_and_a_repeating_one_are_told():
    a, _ = ride()
    rng = np.random.default_rng(9)
    other = History(T, np.cumsum(rng.standard_normal(a.shape), axis=0) * 0.05)
    assert align(other, History(T, a)).quality in ("poor", "fair", "ambiguous")
    assert align(other, History(T, a)).correlation < 0.8
    wave = np.column_stack([np.sin(2.0 * T), np.cos(2.0 * T), np.sin(2.0 * T)])
    assert align(History(T[: T.size // 2], wave[: T.size // 2]), History(T, wave)).quality == "ambiguous"


def test_that_records_that_cannot_be_compared_are_refused():
    a, _ = ride()
    with pytest.raises(InputError, match="contains gravity"):
        align(History(T, a, contains_gravity=False), History(T, a))
    with pytest.raises(InputError, match="too short"):
        align(History(T[:100], a[:100]), History(T, a))
    with pytest.raises(InputError, match="does not change"):
        align(History(T, np.ones_like(a)), History(T, a))


def write(folder, header, rows, separator=","):
    path = folder / "ride.csv"
    path.write_text(header + "\n" + "\n".join(separator.join(row) for row in rows) + "\n", encoding="utf-8")
    return path


DATES = {
    "dates with T and Z": "2026-11-21T23:59:{:09.6f}Z",
    "dates with a space": "2026-11-21 23:59:{:09.6f}",
    "times of day": "23:59:{:09.6f}",
}


@pytest.mark.parametrize("kind", DATES)
@pytest.mark.parametrize("header", ["timestamp;ax [g];ay [g];az [g]", "0"])
def test_that_dates_and_times_of_day_count_from_the_first_row_even_over_midnight(kind, header, tmp_path):
    seconds = 59.0 + np.arange(40) / 20.0
    form = DATES[kind]
    rows = []
    for k, s in enumerate(seconds):
        text = (
            form.format(s)
            if s < 60.0
            else form.format(s - 60.0).replace("23:59", "00:00").replace("-21", "-22")
        )
        rows.append([text, "0.1", "0", f"{1.0 + 0.01 * k:.4f}"])
    path = write(tmp_path, header, rows, ";")
    if header == "0":
        path.write_text("\n".join(";".join(row) for row in rows), encoding="utf-8")
    history = read_accelerometer_csv(path)
    assert history.time == pytest.approx(np.arange(40) / 20.0, abs=1e-6)
    assert history.acceleration[:, 2] == pytest.approx(1.0 + 0.01 * np.arange(40))
    assert any("dates or times of day" in note for note in history.notes)


def test_that_a_broken_date_is_refused_with_its_row(tmp_path):
    rows = [[f"2026-11-21T10:00:{k:02d}", "0", "0", "1"] for k in range(10)]
    rows[6][0] = "2026-11-21T10:xx:06"
    with pytest.raises(InputError, match=r"row 8, column 1 \(t\): expected a date"):
        read_accelerometer_csv(write(tmp_path, "t,ax,ay,az", rows))


WIDE = [[f"{k / 50.0:.3f}", "0", "0", "1", f"{100.0 * np.sin(k / 9.0):.4f}", "0", "0"] for k in range(100)]


def test_that_separator_and_units_can_be_asked_for(tmp_path):
    spaced = write(tmp_path, "t ax ay az", [row[:4] for row in WIDE], "   ")
    assert read_accelerometer_csv(spaced, delimiter=" ", unit="g").time[-1] == pytest.approx(1.98)
    bars = write(tmp_path, "t|ax|ay|az", [row[:4] for row in WIDE], "|")
    assert read_accelerometer_csv(bars).sample_rate == pytest.approx(50.0)
    path = write(tmp_path, "t,ax,ay,az,wx,wy,wz", WIDE)
    slow = read_accelerometer_csv(path, time_unit="ms", rotation_unit="rad/s")
    assert slow.time[-1] == pytest.approx(1.98e-3)
    assert slow.rotation_rate.max() == pytest.approx(100.0, rel=0.01)
    for wrong in ({"delimiter": "x"}, {"time_unit": "h"}, {"rotation_unit": "rpm"}):
        with pytest.raises(InputError, match="must be"):
            read_accelerometer_csv(path, **wrong)


@pytest.mark.parametrize(("factor", "unit"), [(1.0, "deg/s"), (0.05, "rad/s"), (0.2, None)])
def test_that_the_unit_of_rotation_is_told_by_its_size_or_asked_for(factor, unit, tmp_path):
    rows = [[*row[:4], f"{factor * float(row[4]):.5f}", *row[5:]] for row in WIDE]
    path = write(tmp_path, "t,ax,ay,az,wx,wy,wz", rows)
    if unit is None:
        with pytest.raises(InputError, match="state the unit of rotation"):
            read_accelerometer_csv(path)
        return
    history = read_accelerometer_csv(path)
    largest = 100.0 * factor * (np.pi / 180.0 if unit == "deg/s" else 1.0)
    assert history.rotation_rate.max() == pytest.approx(largest, rel=0.01)
    assert any(f"taken as {unit}" in note for note in history.notes)
    half = write(tmp_path, "t,ax,ay,az,wx (deg/s),wy,wz", rows)
    with pytest.raises(InputError, match="for some of wx, wy, wz only"):
        read_accelerometer_csv(half)


def test_that_a_record_is_filtered_and_resampled_with_all_its_channels():
    a, w = ride()
    history = History(T, a, rotation_rate=w, arc_length=10.0 * T)
    slow = conditioned(history, filter_name="5 Hz", rate=50.0)
    assert slow.sample_rate == pytest.approx(50.0, rel=1e-3)
    for channel, raw in ((slow.acceleration, a), (slow.rotation_rate, w)):
        smooth = apply_filter(T, raw, "5 Hz")
        for k in range(3):
            assert channel[:, k] == pytest.approx(np.interp(slow.time, T, smooth[:, k]), abs=1e-9)
    assert slow.arc_length == pytest.approx(10.0 * slow.time)
    assert len(slow.notes) == 2
    assert "folds" in " ".join(conditioned(history, rate=50.0).notes)
    same = conditioned(history)
    assert np.array_equal(same.acceleration, history.acceleration)
    assert same.notes == history.notes


def test_that_the_command_turns_the_record_and_lays_it_over_a_run(tmp_path, capsys, make_results):
    results = make_results(instants=3000, duration=30.0)
    (rider,) = results.names.riders
    truth = rider_history(results, rider, "head")
    write_results(results, tmp_path / "run.h5")
    turn = Rotation.from_euler("zyx", [40.0, 20.0, -15.0], degrees=True).as_matrix()
    time = truth.time[2000:22_000:10]
    rest = np.arange(-400, 0) / 100.0
    seen = np.vstack([np.tile([0.0, 0.0, 1.0], (400, 1)), truth.acceleration[2000:22_000:10]]) @ turn.T
    rows = np.column_stack([np.concatenate([rest + time[0], time]) + 100.0, seen])
    lines = "\n".join(",".join(f"{v:.6f}" for v in row) for row in rows)
    (tmp_path / "ride.csv").write_text("t,ax (g),ay (g),az (g)\n" + lines + "\n", encoding="utf-8")
    command = ["criteria", str(tmp_path / "ride.csv"), "--level", "--rest", "98.1,101.9", "--body", "head"]
    # Without a push, forward is the sensor's x axis made level: that lies this far to the left of the rider's.
    yaw = np.degrees(np.arctan2(turn[0, 1], turn[0, 0]))
    command += ["--yaw", f"{-yaw:.9f}", "--against", str(tmp_path / "run.h5"), "--json"]
    assert main(command) == 0
    printed = json.loads(capsys.readouterr().out)
    assert printed["alignment"]["offset"] == pytest.approx(-100.0, abs=0.02)
    assert printed["alignment"]["correlation"] > 0.9
    values = {c["criterion"]: c["value"] for c in printed["criteria"]}
    inside = truth.acceleration[2000:22_000:10]
    assert values["peak_+Gy"] == pytest.approx(inside[:, 1].max(), abs=2e-3)
    assert values["peak_-Gx"] == pytest.approx(-inside[:, 0].min(), abs=2e-3)


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (["--launch", "1,2", "--brake", "3,4"], "not both"),
        (["--offset", "1,2"], "needs 3 numbers"),
        (["--axes", "x y q"], "expected three of x, y, z"),
        (["--rest", "a,b"], "needs 2 numbers"),
        (["--against", "none.h5"], "none.h5"),
    ],
)
def test_that_wrong_options_are_one_sentence(options, words, tmp_path, capsys):
    path = write(tmp_path, "t,ax,ay,az", [[f"{k / 10}", "0", "0", "1"] for k in range(50)])
    assert main(["criteria", str(path), *options]) != 0
    message = capsys.readouterr().err
    assert words in message
    assert "Traceback" not in message


def lift_ride(slope, start, lasts, station=0.0, end=0.0):
    """A coasting ride with a quiet lift hill of a slope (degrees) and, if long enough, rest at start and end (s)."""
    a, _ = ride()
    a[:, 0] -= 0.45 * np.clip((T - 4.0) / 0.3, 0, 1) * np.clip((7.0 - T) / 0.3, 0, 1)
    rough = 0.15 * np.random.default_rng(8).standard_normal(a.shape)
    moving = (station <= T) & (T[-1] - end > T)
    on_lift = (start <= T) & (start + lasts > T)
    a = np.where((moving & ~on_lift)[:, None], a + rough, [0.0, 0.0, 1.0])
    lean = np.radians(slope)
    a[on_lift] = [np.sin(lean), 0.0, np.cos(lean)]
    return History(T, a)


@pytest.mark.parametrize("slope", [20.0, 28.0, 45.0])
@pytest.mark.parametrize("start", [0.0, 12.0, 50.0])
def test_that_a_lift_hill_is_not_taken_for_rest(slope, start):
    """Quiet near 1 g at any place of the record: asked about, not levelled by; with rest beside it that one counts."""
    with pytest.raises(InputError, match=r"lift hill.*state the stretch of rest"):
        mounted(lift_ride(slope, start, 9.0), Mounting())
    shift = 5.0 if start == 0.0 else start
    for station, end in ((4.0, 0.0), (0.0, 0.5 if start == 50.0 else 4.0)):
        if end == 0.5:
            continue
        both = lift_ride(slope, shift, 8.0, station, end)
        back = mounted(both, Mounting())
        assert back.acceleration == pytest.approx(both.acceleration, abs=1e-9)
        assert any(f"({slope:.0f} degrees from the first)" in note for note in back.notes)
    asked = mounted(lift_ride(slope, start, 9.0), Mounting(rest=(start + 1.0, start + 5.0)))
    assert any("WARNING" in note and "degrees from what is felt" in note for note in asked.notes)


def test_that_rest_in_the_middle_of_a_record_is_warned_of_and_the_axes_named_count():
    seen = lift_ride(0.0, 25.0, 6.0)
    back = mounted(seen, Mounting())
    assert back.acceleration == pytest.approx(seen.acceleration, abs=1e-9)
    assert any("WARNING" in note and "neither at the start nor at the end" in note for note in back.notes)
    # Too little of a ride to show where up is: only the axes named can tell a slope.
    short = lift_ride(28.0, 25.0, 6.0)
    cut = (T > 21.0) & (T < 33.0)
    part = History(T[cut], short.acceleration[cut])
    with pytest.raises(InputError, match="'x y z' calls up"):
        mounted(part, Mounting(axes="x y z"))


def test_that_a_short_piece_of_a_lift_hill_is_not_taken_for_rest():
    """Too little is in motion to show where up is, and no axes are given: only a straight sensor is believed."""
    whole = lift_ride(28.0, 25.0, 6.0)
    for begin, end in ((21.0, 33.0), (25.5, 37.0), (25.5, 30.0)):
        cut = (begin < T) & (end > T)
        with pytest.raises(InputError, match=r"all axes of the sensor.*state the stretch of rest"):
            mounted(History(T[cut], whole.acceleration[cut]), Mounting())
    straight = lift_ride(6.0, 25.0, 6.0)
    cut = (T > 21.0) & (T < 33.0)
    notes = mounted(History(T[cut], straight.acceleration[cut]), Mounting()).notes
    assert any("WARNING" in note and "Nothing else shows where up is" in note for note in notes)
    assert any("neither at the start nor at the end" in note for note in notes)


def test_that_the_command_asks_for_rest_and_lists_the_candidates(tmp_path, capsys):
    history = lift_ride(28.0, 12.0, 9.0)
    path = tmp_path / "lift.csv"
    rows = np.column_stack([T, history.acceleration])
    np.savetxt(path, rows, delimiter=",", header="t,ax (g),ay (g),az (g)", comments="")
    assert main(["criteria", str(path), "--level"]) == 2
    error = capsys.readouterr().err
    assert "12.0 to 14.0 s" in error
    assert "--rest" in error
