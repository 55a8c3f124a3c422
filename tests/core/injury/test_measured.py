"""Accelerometer files: the ways they are written, and the ways they are broken."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from ridewright.core.base.errors import InputError
from ridewright.core.cli import main
from ridewright.core.injury import csv_text, measured
from ridewright.core.injury.measured import read_accelerometer_csv

T = np.arange(40) / 100.0
A = np.column_stack([0.3 * np.sin(20.0 * T), 0.2 * np.cos(11.0 * T), 1.0 + 0.5 * np.sin(9.0 * T)])
W = np.column_stack([np.sin(5.0 * T), 0.5 * T, np.cos(7.0 * T)])


def rows(data, separator=",", decimal="."):
    return "\n".join(separator.join(f"{v:.9f}".replace(".", decimal) for v in row) for row in data) + "\n"


def write(folder, content, name="ride.csv"):
    path = folder / name
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return path


TABLE = np.column_stack([T, A])
SI = np.column_stack([T, 9.81 * A])
WIDE = np.column_stack([T, A, W])
GOOD = {
    "plain": "t,ax,ay,az\n" + rows(TABLE),
    "no header": rows(TABLE),
    "semicolon and decimal comma": "t;ax;ay;az\n" + rows(TABLE, ";", ","),
    "tab": "Time\tAcc_X\tAcc_Y\tAcc_Z\n" + rows(TABLE, "\t"),
    "byte order mark and CRLF": b"\xef\xbb\xbf"
    + ("t,ax,ay,az\n" + rows(TABLE)).replace("\n", "\r\n").encode(),
    "carriage returns alone": ("t,ax,ay,az\n" + rows(TABLE)).replace("\n", "\r"),
    "UTF-16": ("t,ax,ay,az\n" + rows(TABLE)).encode("utf-16"),
    "units in brackets": "Time [s],Acceleration x [g],Acceleration y [g],Acceleration z [g]\n" + rows(TABLE),
    "SI in brackets": "time (s),ax (m/s^2),ay (m/s^2),az (m/s^2)\n" + rows(SI),
    "SI with superscript in latin-1": ("t,ax (m/s²),ay (m/s²),az (m/s²)\n" + rows(SI)).encode("latin-1"),
    "SI after a slash": "t / s;ax / m/s2;ay / m/s2;az / m/s2\n" + rows(SI, ";"),
    "SI found by its size": "t,ax,ay,az\n" + rows(SI),
    "milliseconds": "t [ms],ax [g],ay [g],az [g]\n" + rows(TABLE * [1e3, 1, 1, 1]),
    "milli-g": "t,ax (mg),ay (mg),az (mg)\n" + rows(TABLE * [1, 1e3, 1e3, 1e3]),
    "names of the axes alone": "time,x,y,z\n" + rows(TABLE),
    "other order and more columns": "temp,az,note,ay,ax,t\n"
    + "".join(f"21,{a[2]:.9f},ok,{a[1]:.9f},{a[0]:.9f},{t:.9f}\n" for t, a in zip(T, A, strict=True)),
    "quoted cells": '"t","ax","ay","az"\n'
    + rows(TABLE).replace(",", '","').replace("\n", '"\n"')[:-1].join(['"', ""]),
    "quoted lines": "".join(f'"{line}"\n' for line in ("t,ax,ay,az\n" + rows(TABLE)).splitlines()),
    "comments and blank lines": "# logger 7\n\nt,ax,ay,az\n# begin\n" + rows(TABLE).replace("\n", "\n\n"),
}


@pytest.mark.parametrize("kind", GOOD)
def test_that_the_usual_ways_of_writing_give_the_same_history(kind, tmp_path):
    history = read_accelerometer_csv(write(tmp_path, GOOD[kind]))
    assert history.time == pytest.approx(T, abs=1e-9)
    assert history.acceleration == pytest.approx(A, abs=2e-9)
    assert history.rotation_rate is None
    assert history.sample_rate == pytest.approx(100.0)
    assert any("Acceleration" in note for note in history.notes)


@pytest.mark.parametrize(
    ("header", "factor"),
    [
        ("t,ax,ay,az,wx,wy,wz\n", 1.0),
        ("", 1.0),
        ("t,ax,ay,az,gyro_x (deg/s),gyro_y (deg/s),gyro_z (deg/s)\n", 180.0 / np.pi),
    ],
)
def test_that_rotation_rates_are_read(header, factor, tmp_path):
    history = read_accelerometer_csv(
        write(tmp_path, header + rows(WIDE * [1, 1, 1, 1, factor, factor, factor]))
    )
    assert history.rotation_rate == pytest.approx(W, abs=1e-8)
    assert history.acceleration == pytest.approx(A, abs=1e-8)


def test_that_the_unit_asked_for_wins_and_gravity_and_body_are_kept(tmp_path):
    path = write(tmp_path, "t,ax,ay,az\n" + rows(SI))
    history = read_accelerometer_csv(path, unit="g", body="head", contains_gravity=False)
    assert history.acceleration == pytest.approx(9.81 * A, abs=1e-8)
    assert (history.body, history.contains_gravity) == ("head", False)
    assert read_accelerometer_csv(path, unit="m/s2", gravity=9.0).acceleration == pytest.approx(
        9.81 / 9.0 * A, abs=1e-8
    )


def test_that_an_uneven_file_is_resampled_with_a_note(tmp_path):
    t = T + 0.003 * np.sin(50.0 * T)
    history = read_accelerometer_csv(
        write(tmp_path, "t,ax,ay,az\n" + rows(np.column_stack([t, t, -t, 1.0 + t])))
    )
    assert history.acceleration[:, 0] == pytest.approx(history.time, abs=1e-8)
    assert any("Resampled" in note for note in history.notes)


def test_that_doubtful_files_say_so(tmp_path):
    slow = read_accelerometer_csv(write(tmp_path, "t,ax,ay,az\n" + rows(TABLE * [1000, 1, 1, 1])))
    assert any("samples per second" in note for note in slow.notes)
    down = read_accelerometer_csv(write(tmp_path, "t,ax,ay,az\n" + rows(TABLE * [1, 1, 1, -1])))
    assert any("z point down" in note for note in down.notes)


def test_that_a_record_without_gravity_or_with_gaps_says_so(tmp_path):
    still = np.tile([0.0, 0.01, 0.0, 0.02], (200, 1))
    still[:, 0] = np.arange(200) / 100.0
    plain = write(tmp_path, "t,ax,ay,az\n" + rows(still))
    with pytest.raises(InputError, match=r"quiet at 0\.022 g.*state whether gravity"):
        read_accelerometer_csv(plain)
    out = read_accelerometer_csv(plain, contains_gravity=True)
    assert any("WARNING" in note and "gravity is said to be in it" in note for note in out.notes)
    assert out.contains_gravity
    header = ",".join(f"Linear Acceleration {axis} (m/s^2)" for axis in "xyz")
    phone = read_accelerometer_csv(write(tmp_path, f"Time (s),{header}\n" + rows(still)))
    assert not phone.contains_gravity
    holed = np.delete(still, slice(50, 120), axis=0)
    holed = write(tmp_path, "t,ax,ay,az\n" + rows(holed))
    notes = read_accelerometer_csv(holed, unit="g", contains_gravity=False).notes
    assert any("1 of more than 0.2 s, 0.71 s in all" in note for note in notes)
    assert not any("gaps" in note for note in out.notes)


@pytest.mark.parametrize("unit", [1.0, 9.81])
@pytest.mark.parametrize("still", [0.0, 4.0])
def test_that_a_ride_without_gravity_under_a_plain_header_is_not_judged_in_silence(
    unit, still, tmp_path, capsys
):
    """Linear acceleration of a ride, with or without a stop at its start, in g or m/s2: stated or refused."""
    t = np.arange(6000) / 100.0
    moving = t >= still
    turn = np.column_stack([0.1 * np.sin(1.3 * t), 0.3 * np.cos(0.7 * t), np.cos(0.2 * t + 0.5)])
    felt = np.where(moving[:, None], turn * (1.0 + 1.2 * np.sin(0.9 * t)[:, None]), [0.0, 0.0, 1.0])
    name = "g" if unit == 1.0 else "m/s2"
    header = f"t,ax ({name}),ay ({name}),az ({name})\n"
    linear = felt - [0.0, 0.0, 1.0] if still else 0.3 * felt
    path = write(tmp_path, header + rows(np.column_stack([t, unit * linear])))
    assert main(["criteria", str(path)]) == 2
    assert "--with-gravity or --without-gravity" in capsys.readouterr().err
    assert main(["criteria", str(path), "--without-gravity", "--json"]) == 0
    judged = json.loads(capsys.readouterr().out)["criteria"]
    assert not any(r["verdict"] != "not applicable" for r in judged if r["criterion"].startswith("f2291_"))
    assert main(["criteria", str(path), "--with-gravity"]) == 0
    assert "WARNING" in capsys.readouterr().out
    with_gravity = write(tmp_path, header + rows(np.column_stack([t, unit * felt])))
    if still:
        assert main(["criteria", str(with_gravity)]) == 0
        assert "WARNING" not in capsys.readouterr().out
        assert main(["criteria", str(with_gravity), "--without-gravity"]) == 0
        assert "gravity seems to be in it" in capsys.readouterr().out


def test_that_the_clock_from_the_start_is_taken_where_there_are_two(tmp_path):
    since = TABLE[:, 0]
    for names, columns in (
        ("time,seconds_elapsed", (1e9 * since + 1.7e18, since)),
        ("seconds_elapsed,time", (since, 1e9 * since + 1.7e18)),
    ):
        both = np.column_stack([*columns, TABLE[:, 3], TABLE[:, 2], TABLE[:, 1]])
        text = f"{names},z,y,x\n" + "\n".join(",".join(repr(float(x)) for x in row) for row in both)
        history = read_accelerometer_csv(write(tmp_path, text), unit="g")
        assert history.time == pytest.approx(since)
        assert history.acceleration == pytest.approx(TABLE[:, 1:])
        assert any("time" in note for note in history.notes)


def broken(row, column, cell):
    """The plain file with one cell replaced; row counted in the file, column from 1."""
    lines = [line.split(",") for line in GOOD["plain"].splitlines()]
    lines[row - 1][column - 1] = cell
    return "\n".join(",".join(line) for line in lines)


LINES = GOOD["plain"].splitlines()
DAMAGED = {
    "empty": ("", "is empty"),
    "blank": (" \n\n \n", "is empty"),
    "comments only": ("# t,ax,ay,az\n", "is empty"),
    "header only": ("t,ax,ay,az\n", "at least 2"),
    "one row": ("t,ax,ay,az\n0,0,0,1\n", "at least 2"),
    "one row without header": ("0,0,0,1\n", "at least 2"),
    "binary": (bytes(range(256)) * 9, "not a text file|expected at least 4"),
    "zip": (b"PK\x03\x04\x14\x00\x00\x00\x08\x00", "not a text file"),
    "prose": ("The ride was nice.\nReally.\n", "row 1: expected at least 4 columns"),
    "spaces": (rows(TABLE, " "), "row 1: expected at least 4 columns"),
    "three columns": (rows(TABLE[:, :3]), "row 1: expected at least 4 columns"),
    "five columns, no header": (rows(WIDE[:, :5]), "found 5"),
    "six columns, no header": (rows(WIDE[:, :6]), "found 6"),
    "no time": ("a,ax,ay,az\n" + rows(TABLE), "no column for t"),
    "no az": ("t,ax,ay,temp\n" + rows(TABLE), "no column for az"),
    "two ax": ("t,ax,ax,az\n" + rows(TABLE), "column 3: 'ax' names ax again"),
    "ax twice in other words": ("t,ax,ay,az,acc x\n" + rows(WIDE[:, :5]), "column 5: 'acc x' names ax again"),
    "rotation rates incomplete": ("t,ax,ay,az,wx,wy\n" + rows(WIDE[:, :6]), "all of wx, wy, wz"),
    "unknown unit": ("t,ax [ft/s2],ay,az\n" + rows(TABLE), "column 2: unknown unit 'ft/s2'"),
    "unknown time unit": ("t [h],ax,ay,az\n" + rows(TABLE), "column 1: unknown unit 'h'"),
    "unknown rotation unit": ("t,ax,ay,az,wx (rpm),wy,wz\n" + rows(WIDE), "column 5: unknown unit 'rpm'"),
    "unit for one axis only": ("t,ax [g],ay,az\n" + rows(TABLE), "for some of ax, ay, az only"),
    "units nobody can tell": (
        "t,ax,ay,az\n" + rows(TABLE * [1, 3.2, 3.2, 3.2]),
        "state the unit of acceleration",
    ),
    "a word": (broken(7, 3, "n/a"), "row 7, column 3 .ay.: expected a finite number, found 'n/a'"),
    "an empty cell": (broken(20, 4, ""), "row 20, column 4 .az.: .* found ''"),
    "a NaN": (broken(5, 2, "NaN"), "row 5, column 2 .ax.: .* found 'NaN'"),
    "an infinity": (broken(9, 2, "inf"), "row 9, column 2"),
    "an overflow": (broken(9, 2, "1e999"), "row 9, column 2"),
    "two points": (broken(9, 2, "0.1.2"), "row 9, column 2"),
    "an underscore": (broken(9, 2, "1_0"), "row 9, column 2"),
    "a broken exponent": (broken(30, 4, "1.5e"), "row 30, column 4"),
    "a unit in a cell": (broken(6, 4, "1.0 g"), "row 6, column 4"),
    "an error value of a spreadsheet": (broken(6, 4, "#REF!"), "row 6, column 4"),
    "a huge number": (broken(11, 4, "3e7"), "row 11, column 4 .az.: 3e.07 g cannot be right"),
    "a number that overflows later": (
        broken(11, 2, "3e200"),
        "row 11, column 2 .ax.: 3e.200 cannot be right",
    ),
    "a time that overflows later": (broken(41, 1, "3e200"), "row 41, column 1 .t.: 3e.200 cannot be right"),
    "time goes back": (broken(12, 1, "0.01"), "row 12, column 1 .t.: time 0.01 does not come after"),
    "time stands still": (broken(12, 1, LINES[10].split(",")[0]), "row 12, column 1"),
    "a time of day": (broken(3, 1, "12:30:05"), "row 3, column 1"),
    "a row too short": ("\n".join([*LINES[:15], "0.14,0.2", *LINES[16:]]), "row 16.*found 2 columns.* 4"),
    "a row too long": (
        "\n".join([*LINES[:15], LINES[15] + ",9", *LINES[16:]]),
        "row 16.*found 5 columns.* 4",
    ),
    "cut off in the middle": (GOOD["plain"][:-25], "row 41"),
    "decimal commas with commas": ("t,ax,ay,az\n" + rows(TABLE, ",", ","), "row 2.*found 8 columns"),
    "thousands separators": ("t;ax;ay;az\n0;1.000,5;0;1\n1;0;0;1\n", "row 2, column 2"),
    "header in the middle": ("\n".join([*LINES[:15], LINES[0], *LINES[15:]]), "row 16, column 1"),
    "an open quote": (broken(8, 2, '"0.1'), "row 8"),
    "a cell without end": (broken(8, 2, '"' + "9" * 200_000 + '"'), "row 8: the line cannot be read as CSV"),
    "times a billion apart": ("t,ax,ay,az\n0,0,0,1\n1e-9,0,0,1\n2e-9,0,0,1\n5,0,0,1\n", "samples"),
}


@pytest.mark.parametrize("kind", DAMAGED)
def test_that_damaged_files_are_refused_with_the_place(kind, tmp_path, monkeypatch):
    content, words = DAMAGED[kind]
    # As if there were many more rows: no share of them may be bad.
    monkeypatch.setattr(csv_text, "MAX_DROPPED", 0.0)
    monkeypatch.setattr(measured, "MAX_DROPPED", 0.0)
    with pytest.raises(InputError, match=words) as caught:
        read_accelerometer_csv(write(tmp_path, content, "broken.csv"))
    message = str(caught.value)
    assert "\n" not in message
    assert message.endswith(".")


def test_that_files_that_cannot_be_read_are_refused(tmp_path):
    with pytest.raises(InputError, match="does not exist"):
        read_accelerometer_csv(tmp_path / "none.csv")
    with pytest.raises(InputError, match="cannot be read"):
        read_accelerometer_csv(tmp_path)
    path = write(tmp_path, GOOD["plain"])
    with pytest.raises(InputError, match="unit"):
        read_accelerometer_csv(path, unit="ft")
    with pytest.raises(InputError, match="Gravity"):
        read_accelerometer_csv(path, gravity=0.0)
    with pytest.raises(InputError, match="state the unit"):
        read_accelerometer_csv(path, contains_gravity=False)


def test_that_a_list_of_numbers_may_begin_with_a_minus(tmp_path, capsys):
    path = write(tmp_path, GOOD["plain"])
    assert main(["criteria", str(path), "--unit", "g", "--offset", "-0.02,0.01,0", "--json"]) == 0
    assert any("-0.02, 0.01, 0" in note for note in json.loads(capsys.readouterr().out)["notes"])
    assert main(["criteria", str(path), "--offset", "-x"]) == 2


def phone(count: int = 400) -> list[str]:
    t = np.arange(count) / 100.0
    return [f"{x:.3f},{0.1 * np.sin(x):.5f},0.02,1.0" for x in t]


def test_that_a_few_bad_rows_are_left_out_counted_and_told_all_at_once(tmp_path):
    """An empty cell, NaN, the header again, a clock a few ms back, a last line cut off: 5 of 400 rows."""
    head = "t,ax (g),ay (g),az (g)\n"
    lines = phone()
    clean = read_accelerometer_csv(write(tmp_path, head + "\n".join(lines)))
    lines[50] = lines[50].replace(",0.02,", ",,")
    lines[100] = lines[100].replace("1.0", "NaN")
    lines[200] = head.strip()
    lines[300] = "2.978" + lines[300][5:]
    lines[-1] = lines[-1][:9]
    found = read_accelerometer_csv(write(tmp_path, head + "\n".join(lines)))
    told = " ".join(found.notes)
    places = ("empty cell (row 52)", "(row 102)", "header again (row 202)", "cut short (row 401)")
    for words in ("4 of 400 rows left out", "1 of 396 rows left out", *places):
        assert words in told
    truth = np.interp(found.time, clean.time, clean.acceleration[:, 0])
    assert found.acceleration[:, 0] == pytest.approx(truth, abs=2e-4)
    # Beyond the share that is allowed: refused, with all reasons and their places.
    for k in range(0, 400, 15):
        lines[k] = lines[k].replace(",0.02,", ",,")
    with pytest.raises(InputError, match=r"allowed are 5 %") as caught:
        read_accelerometer_csv(write(tmp_path, head + "\n".join(lines)))
    for words in ("empty cell", "header again", "cut short", "no finite number"):
        assert words in str(caught.value)


EPOCH = 1.7637338e9


@pytest.mark.parametrize(
    ("header", "scale", "start"),
    [
        ("time_ms", 1e3, 0.0), ("t_us", 1e6, 0.0), ("timestamp_ns", 1e9, 0.0), ("Time (ms)", 1e3, 5.0),
        ("timestamp", 1e3, EPOCH), ("time", 1e6, EPOCH), ("t", 1.0, EPOCH), ("epoch_ms", 1e3, EPOCH),
    ],
)  # fmt: skip
def test_that_clocks_of_phones_are_read_in_their_unit(header, scale, start, tmp_path):
    t = np.arange(300) / 100.0
    clock = [round((x + start) * scale) if scale > 1 else f"{x + start:.3f}" for x in t]
    text = f"{header},ax (g),ay (g),az (g)\n" + "".join(f"{x},0,0,1\n" for x in clock)
    found = read_accelerometer_csv(write(tmp_path, text))
    assert found.duration == pytest.approx(2.99, abs=1e-4)
    assert found.own_rate == pytest.approx(100.0, rel=0.01)


def test_that_columns_can_be_named_and_telemetry_in_g_reads(tmp_path, capsys):
    body = "".join(f"x,{k / 100},9,0.1,0.2,1.0\n" for k in range(300))
    odd = write(tmp_path, "note,Uhr,temp,vorn,links,oben\n" + body, "odd.csv")
    with pytest.raises(InputError, match="no column for"):
        read_accelerometer_csv(odd)
    numbers = {"t": "2", "ax": "4", "ay": "5", "az": "6"}
    for mapping in (numbers, {"t": "Uhr", "ax": "vorn", "ay": "links", "az": "oben"}):
        found = read_accelerometer_csv(odd, columns=mapping, unit="g")
        assert found.acceleration[7] == pytest.approx([0.1, 0.2, 1.0])
    assert main(["criteria", str(odd), "--columns", "t=2,ax=4,ay=5,az=6", "--unit", "g"]) == 0
    capsys.readouterr()
    for wrong in ("t=2,ax=9,ay=5,az=6", "t=2,q=4", "t", "t=Zeit", f"t={'9' * 5000}"):
        assert main(["criteria", str(odd), "--columns", wrong]) == 2
    bare = write(tmp_path, body.replace("x,", "7,"), "bare.csv")
    assert read_accelerometer_csv(bare, columns=numbers, unit="g").duration == pytest.approx(2.99)
    head = "Time,Speed,G-Force Vertical,G-Force Lateral,Longitudinal G\n"
    text = head + "".join(f"{k / 100},20,1.0,0.2,0.1\n" for k in range(300))
    telemetry = read_accelerometer_csv(write(tmp_path, text, "telemetry.csv"))
    assert telemetry.acceleration[7] == pytest.approx([0.1, 0.2, 1.0])


def lively(mean):
    """A ride of 40 s that is never quiet, about a mean of gravity."""
    t = np.arange(4000) / 100.0
    parts = (0.4 * np.sin(0.5 * t + 0.3), 0.5 * np.sin(0.8 * t + 1.0), 1.3 * np.sin(0.6 * t + 2.0))
    rough = 0.05 * np.random.default_rng(3).standard_normal((t.size, 3))
    return np.column_stack([t, np.column_stack(parts) + rough + mean])


def test_that_a_lively_record_without_gravity_is_told_by_its_mean(tmp_path):
    """Never quiet, and mostly about 1 g: only the mean, which is gravity from rest to rest, shows that it is out."""
    out = write(tmp_path, "t,ax,ay,az\n" + rows(lively([0.0, 0.0, 0.0])))
    with pytest.raises(InputError, match=r"averages to 0\.\d+ g over 39\.99 s.*state whether gravity"):
        read_accelerometer_csv(out)
    assert any(
        "WARNING: The record averages" in n for n in read_accelerometer_csv(out, contains_gravity=True).notes
    )
    for up in ([0.0, 0.0, 1.0], [0.3, -0.6, 0.5]):  # a sensor askew shows it as well
        kept = read_accelerometer_csv(write(tmp_path, "t,ax,ay,az\n" + rows(lively(up))))
        assert kept.contains_gravity
        assert not any("averages" in note for note in kept.notes)


@pytest.mark.parametrize(
    "name", ["userAcceleration{} (g)", "motionUserAcceleration{}(G)", "Linear Acceleration {} (g)"]
)
def test_that_headers_of_phones_say_that_gravity_is_out(name, tmp_path):
    header = ",".join(["t", *(name.format(axis) for axis in "XYZ")])
    assert not read_accelerometer_csv(write(tmp_path, header + "\n" + rows(TABLE))).contains_gravity


def test_that_a_record_that_ends_under_a_load_is_warned_of(tmp_path):
    """A causal filter shows a blow after it: cut right behind it, 50 g of 80 ms pass for 12 g instead of 28."""
    t = np.arange(2000) / 1000.0
    blow = 1.0 + np.where((t > 1.0) & (t < 1.08), 50.0 * np.sin(np.pi * (t - 1.0) / 0.08), 0.0)
    table = np.column_stack([t, 0.0 * t, 0.0 * t, blow])
    for end, told in ((2000, False), (1500, False), (1085, True), (1040, True)):
        notes = read_accelerometer_csv(write(tmp_path, "t,ax,ay,az\n" + rows(table[:end])), unit="g").notes
        assert any("ends within 0.3 s of a load" in note for note in notes) == told


def test_that_held_samples_count_once(tmp_path, capsys):
    """10 a second written as 100: the rate of the file is not that of the record, and no filter takes it."""
    held = np.column_stack(
        [np.arange(2000) / 100.0, np.repeat(lively([0.0, 0.0, 1.0])[:200, 1:], 10, axis=0)]
    )
    file = write(tmp_path, "t,ax,ay,az\n" + rows(held))
    history = read_accelerometer_csv(file)
    assert (history.sample_rate, history.own_rate) == pytest.approx((100.0, 10.0))
    assert any("stand 10 times in a row" in note for note in history.notes)
    assert main(["criteria", str(file), "--filter", "5 Hz"]) == 2
    assert "the record has 10" in capsys.readouterr().err
    still = lively([0.0, 0.0, 1.0])
    still[1000:3500, 1:] = [0.0, 0.0, 1.0]  # a coarse sensor at rest repeats itself as well
    assert read_accelerometer_csv(write(tmp_path, "t,ax,ay,az\n" + rows(still))).own_rate == pytest.approx(
        100.0
    )


@pytest.mark.parametrize("digits", [4, 6, 9])
def test_that_samples_between_samples_add_nothing(digits, tmp_path, capsys):
    """10 a second joined by straight lines of 100, as a spreadsheet does it."""
    slow = lively([0.0, 0.0, 1.0])[::10]
    t = np.arange(0.0, slow[-1, 0], 0.01)
    drawn = np.column_stack([t, *(np.interp(t, slow[:, 0], column) for column in slow.T[1:])]).round(digits)
    file = write(tmp_path, "t,ax,ay,az\n" + rows(drawn))
    history = read_accelerometer_csv(file)
    assert history.own_rate == pytest.approx(10.0, rel=0.2)
    assert any("straight lines of 10" in note for note in history.notes)
    assert main(["criteria", str(file), "--filter", "5 Hz"]) == 2
    assert "the record has 10" in capsys.readouterr().err
    fast = lively([0.0, 0.0, 1.0])
    for rounded in (2, 3, 6):
        fast[:, 1:] = fast[:, 1:].round(rounded)
        assert read_accelerometer_csv(write(tmp_path, "t,ax,ay,az\n" + rows(fast))).own_rate == pytest.approx(
            100.0
        )


def test_that_a_short_lively_piece_without_gravity_is_warned_of(tmp_path):
    piece = lively([0.0, 0.0, 0.0])[1500:2100]
    notes = read_accelerometer_csv(write(tmp_path, "t,ax,ay,az\n" + rows(piece))).notes
    assert any("too short to tell whether gravity is in it" in note for note in notes)
    piece = lively([0.0, 0.0, 1.0])[1500:2100]
    notes = read_accelerometer_csv(write(tmp_path, "t,ax,ay,az\n" + rows(piece))).notes
    assert not any("too short to tell" in note for note in notes)


@pytest.mark.parametrize(
    ("header", "factor"),
    [("time_msec", 1e3), ("timestamp (usec)", 1e6), ("t_microseconds", 1e6), ("time [milliseconds]", 1e3),
     ("timestamp_ns", 1e9), ("elapsed_millis", 1e3), ("Time (minutes)", 1.0 / 60.0), ("t_nanoseconds", 1e9)],
)  # fmt: skip
def test_that_time_is_read_in_the_unit_its_header_says(header, factor, tmp_path):
    scaled = TABLE.copy()
    scaled[:, 0] *= factor
    history = read_accelerometer_csv(write(tmp_path, f"{header},ax,ay,az\n" + rows(scaled)))
    assert history.duration == pytest.approx(TABLE[-1, 0] - TABLE[0, 0])


def test_that_zeros_of_a_logger_that_lost_power_are_left_out(tmp_path):
    text = "t,ax,ay,az\n" + rows(lively([0.0, 0.0, 1.0]))
    cut = text[:-30] + "\0" * 5000
    history = read_accelerometer_csv(write(tmp_path, cut))
    assert len(history.time) >= 3998
    inside = text[:90_000] + "\0" * 60 + text[90_060:]
    history = read_accelerometer_csv(write(tmp_path, inside))
    assert any("rows left out" in note for note in history.notes)
    with pytest.raises(InputError, match="not a text file"):
        read_accelerometer_csv(write(tmp_path, "t,ax\0" + text))


def test_that_empty_cells_behind_every_row_are_left_out(tmp_path):
    for more in (",", ",,", ",,,,"):
        history = read_accelerometer_csv(
            write(tmp_path, "t,ax,ay,az\n" + rows(TABLE).replace("\n", f"{more}\n"))
        )
        assert len(history.time) == len(TABLE)
    with pytest.raises(InputError, match="found 6 columns"):
        read_accelerometer_csv(write(tmp_path, "t,ax,ay,az\n" + rows(TABLE).replace("\n", ",,1\n")))


MS = "t,ax,ay,az\nms,m/s^2,m/s^2,m/s^2\n"


@pytest.mark.parametrize(
    "content",
    [
        MS + rows(np.column_stack([1e3 * T, 9.81 * A])),
        "t;ax;ay;az\n[s];[g];[g];[g]\n" + rows(TABLE, ";"),
        "Device: telephone\nDate: 2025-03-01\n\nt,ax,ay,az\n" + rows(TABLE),
        "Device,telephone\nApp,logger\n" + MS + rows(np.column_stack([1e3 * T, 9.81 * A])),
        "t;ax;ay;az\n" + rows(TABLE, ";").replace("\n", ";\n"),
    ],
    ids=["units below", "in brackets", "lines above", "both", "a separator too many"],
)
def test_that_units_below_a_header_lines_above_and_last_separators_are_read(content, tmp_path):
    history = read_accelerometer_csv(write(tmp_path, content))
    assert history.time == pytest.approx(T, abs=1e-8)
    assert history.acceleration == pytest.approx(A, abs=1e-8)
    assert not any("WARNING" in note for note in history.notes)


def test_that_a_column_is_named_once(tmp_path):
    content = write(tmp_path, "zeit,a,b,c\n" + rows(TABLE))
    with pytest.raises(InputError, match="column 'a' is named for ay and another"):
        read_accelerometer_csv(content, columns={"t": "1", "ax": "a", "ay": "a", "az": "c"})


def test_that_a_record_too_long_for_the_memory_is_refused_before_it_is_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from ridewright.core.injury import csv_text

    t = np.arange(0.0, 4.0, 0.002)
    path = tmp_path / "long.csv"
    plain = np.column_stack([t, 0.0 * t, 0.0 * t, 1.0 + 0.0 * t])
    np.savetxt(path, plain, fmt="%.4f", delimiter=",", header="t (s),ax (g),ay (g),az (g)", comments="")
    assert len(read_accelerometer_csv(path).time) == 2000
    monkeypatch.setattr(csv_text, "MAX_NUMBERS", 4 * 2000 - 1)
    with pytest.raises(InputError, match=r"more than can be judged at once .* cut out the ride"):
        read_accelerometer_csv(path)
    monkeypatch.setattr(csv_text, "MAX_ROWS", 1999)
    monkeypatch.setattr(csv_text, "text_of", lambda *_: pytest.fail("was read"))
    with pytest.raises(InputError, match=r"long\.csv: has 0\.002 million rows"):
        read_accelerometer_csv(path)
    monkeypatch.setattr(csv_text, "MAX_ROWS", 10_000)
    monkeypatch.setattr(csv_text, "MAX_READING", 100_000)
    with pytest.raises(InputError, match="more than can be judged at once"):
        read_accelerometer_csv(path)


@pytest.mark.nightly
def test_that_the_longest_record_is_judged_within_a_gigabyte(tmp_path: Path) -> None:
    import resource
    import subprocess
    import sys

    path, rng = tmp_path / "long.csv", np.random.default_rng(1)
    with path.open("w") as file:
        file.write("t (s),ax (g),ay (g),az (g)\n")
        for k in range(0, 1_900_000, 100_000):
            a = rng.normal((0.0, 0.0, 1.0), 0.2, (100_000, 3))
            np.savetxt(file, np.column_stack([1e-3 * (k + np.arange(100_000)), a]), fmt="%.4f", delimiter=",")
    code = "import sys; from ridewright.core.cli import main; sys.exit(main(sys.argv[1:]))"
    done = subprocess.run([sys.executable, "-c", code, "criteria", str(path)], capture_output=True)
    assert done.returncode == 0, done.stderr
    assert resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss < 1_000_000  # kB
