"""Fitted tables, the tables of the thesis and the NoLimits 2 CSV."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from ridewright.core.base.errors import InputError
from ridewright.core.exchange.nl2_csv import read_nl2_csv, track_from_text
from ridewright.core.exchange.thesis_table import (
    parse_thesis_table,
    read_thesis_input,
    read_thesis_table,
    table_text,
    thesis_table,
    track_from_rows,
    write_thesis_table,
)
from ridewright.core.track.build import BuiltTrack, build_track
from ridewright.core.track.description import TableSection, Track
from ridewright.core.track.table_fit import smooth

HEADER = "\t".join(
    f'"{name}"' for name in ("No.", *(f"{v}{a}" for v in ("Pos", "Front", "Left", "Up") for a in "XYZ"))
)


def table_track(rows: np.ndarray, closed: bool = False, **fields: object) -> Track:
    return Track.model_validate(
        {"name": "t", "closed": closed,
         "sections": [{"kind": "table", "name": "rows", "positions": rows.tolist(), **fields}]}
    )  # fmt: skip


def test_that_a_smooth_table_is_met_within_its_tolerance_and_close_to_its_curvature(
    general: BuiltTrack,
) -> None:
    s = np.linspace(0.0, general.length, 400, endpoint=False)
    exact = general.centreline.position(s)
    built = build_track(table_track(exact, closed=True))
    assert built.fits[0].largest_deviation <= 0.005
    assert built.length == pytest.approx(general.length, abs=0.05)
    away = [np.linalg.norm(built.paths["centreline"].sample(built.paths["centreline"].nearest(p))[0, 0, :3] - p)
            for p in exact[::23]]  # fmt: skip
    assert max(away) <= 0.005
    where = [built.paths["centreline"].nearest(p) for p in exact[::23]]
    assert np.abs(built.centreline.curvature(where) - general.centreline.curvature(s[::23])).max() < 0.02


def test_that_the_fit_report_names_the_row_that_is_missed_most() -> None:
    x = np.arange(0.0, 60.0, 0.5)
    rows = np.stack([x, 0.002 * x**2, 0.0 * x], axis=-1)
    rows[77, 2] += 0.02  # one row stands out by 2 cm
    built = build_track(table_track(rows, tolerance=0.015))
    fit = built.fits[0]
    assert fit.row == 78
    assert 0.005 < fit.largest_deviation <= 0.015
    assert fit.s == pytest.approx(built.paths["centreline"].nearest(rows[77]), abs=0.05)


def test_that_smoothing_spreads_a_kink_and_uses_its_tolerance() -> None:
    """Two straights at 2 deg: the curve stays within tolerance and its bend is spread over metres."""
    x = np.arange(-30.0, 30.01, 0.5)
    rows = np.stack([x, np.where(x > 0.0, np.tan(np.radians(2.0)) * x, 0.0), 0.0 * x], axis=-1)
    peaks = []
    for tolerance in (0.002, 0.02):
        built = build_track(table_track(rows, tolerance=tolerance))
        assert 0.6 * tolerance < built.fits[0].largest_deviation <= tolerance
        peaks.append(built.centreline.curvature(np.linspace(0.0, built.length, 3000)).max())
    raw = np.radians(2.0) / 0.5
    assert peaks[1] < 0.5 * peaks[0] < 0.5 * raw


def test_that_the_smoothing_keeps_parabolas_whatever_the_tolerance() -> None:
    """The third derivative is what is penalised, so quadratics pass unchanged (null space of the penalty)."""
    u = np.cumsum(np.random.default_rng(2).uniform(0.3, 0.8, 90))
    rows = np.stack([u, 0.3 * u - 0.01 * u**2, 0.004 * u**2], axis=-1)
    fit = smooth(u, rows, 0.5, closed=False)
    assert fit.deviation.max() < 1e-4
    assert np.abs(fit.coef[:, 3:]).max() < 1e-5


def test_that_left_up_and_cant_columns_give_the_same_roll(general: BuiltTrack) -> None:
    s = np.linspace(0.0, general.length, 380, endpoint=False)
    state = general.centreline.state(s)
    rows = state.curve[:, 0]
    crooked = (1.7 * state.up + 0.2 * state.tangent).tolist()
    choices = {"left": (0.6 * state.left).tolist(), "up": crooked, "cant": state.cant.tolist()}
    for key, values in choices.items():
        built = build_track(table_track(rows, closed=True, **{key: values}))
        places = np.array([built.paths["centreline"].nearest(p) for p in rows[::20]])
        _, left, _ = built.frame_at(places)
        assert np.abs(np.arccos(np.sum(left * state.left[::20], axis=1).clip(-1, 1))).max() < 0.02
        end, start = built.centreline.state([built.length], from_left=True), built.centreline.state([0.0])
        assert np.abs(end.left - start.left).max() < 1e-9
        assert np.abs(end.twist - start.twist).max() < 1e-6


def test_that_a_table_joins_straight_and_spline_sections_smoothly() -> None:
    a = np.linspace(0.0, 1.2, 60)
    ease = np.stack([30.0 * np.sin(a) * 1.0, 30.0 * a**3 / 3.0, 2.0 * a**4], axis=-1)
    ease -= ease[0]
    ahead = (ease[-1] - ease[-2]) / np.linalg.norm(ease[-1] - ease[-2])
    track = Track.model_validate({"name": "mixed", "sections": [
        {"kind": "spline", "name": "in", "points": [
            {"x": -40, "y": 0, "z": 0.5, "cant": 0}, {"x": -25, "y": 0.2, "z": 0.2, "cant": 0},
            {"x": -10, "y": 0, "z": 0, "cant": 0.1}]},
        {"kind": "table", "name": "rows", "positions": ease.tolist(), "cant": (0.1 + 0.1 * a).tolist()},
        {"kind": "spline", "name": "out", "points": [
            {"x": p[0], "y": p[1], "z": p[2], "cant": 0.0} for p in (ease[-1] + d * ahead for d in (9.0, 20.0))]},
        {"kind": "straight", "name": "end", "end": (ease[-1] + 45.0 * ahead).tolist(), "cant": 0.0},
    ]})  # fmt: skip
    built = build_track(track)
    names = [span.name for span in built.sections]
    assert names == ["in", "rows", "out", "end"]
    line = built.centreline
    borders = np.array([span.s0 for span in built.sections[1:]])
    before, after = line.state(borders, from_left=True), line.state(borders)
    assert np.abs(before.curve[:, :4] - after.curve[:, :4]).max() < 1e-6
    assert np.abs(before.left - after.left).max() < 1e-8
    assert np.abs(before.twist[:, :2] - after.twist[:, :2]).max() < 1e-6
    assert np.linalg.norm(line.position(borders[:1])[0] - ease[0]) < 1e-6
    assert line.cant([borders[0]])[0] == pytest.approx(0.1, abs=1e-6)
    assert [built.section_at(b + 0.1) for b in borders] == names[1:]


def test_that_coincident_and_backward_rows_are_left_out_and_listed() -> None:
    x = np.arange(0.0, 40.0, 0.5)
    rows = np.stack([x, np.sin(x / 15.0), 0.0 * x], axis=-1)
    rows = np.insert(rows, 30, rows[29], axis=0)
    rows = np.insert(rows, 50, rows[49] - [0.2, 0.0, 0.0], axis=0)
    built = build_track(table_track(rows))
    assert built.fits[0].dropped_rows == (31, 51)


def test_that_orientation_rows_that_say_nothing_are_refused_by_number() -> None:
    x = np.arange(0.0, 20.0, 0.5)
    rows = np.stack([x, 0 * x, 0 * x], axis=-1)
    up = np.tile([0.0, 0.0, 1.0], (len(x), 1))
    up[11] = [0.0, 0.0, 0.0]
    with pytest.raises(InputError, match="'rows', row 12: the orientation vector is zero"):
        build_track(table_track(rows, up=up.tolist()))
    up[11] = [1.0, 0.0, 0.0]
    with pytest.raises(InputError, match=r"'rows', row 12: .* along the track"):
        build_track(table_track(rows, up=up.tolist()))


# the 37 columns ----------------------------------------------------------------------------------------------------


def test_that_the_thesis_table_holds_the_path_and_its_derivatives(general: BuiltTrack) -> None:
    path = general.paths["left_rail"]
    table = thesis_table(path, 0.2)
    assert table.shape == (int(path.length / 0.2) + 2, 37)
    assert np.allclose(np.diff(table[:-1, 0]), 0.2, atol=1e-10)
    assert table[-1, 0] == path.length
    triples = table[:, 1:].reshape(len(table), 12, 3)
    position, d1, d2, t, t1, t2, n, n1, n2, b, b1, b2 = (triples[:, k] for k in range(12))
    assert np.array_equal(d1, t)
    assert np.array_equal(d2, t1)
    assert np.abs(np.cross(t, n) - b).max() < 1e-8
    h = 0.02
    fine = thesis_table(path, h)[:, 1:].reshape(-1, 12, 3)
    position, d1, _, t, t1, t2, n, n1, n2, b, b1, b2 = (fine[:, k] for k in range(12))
    inner = slice(2, -3)
    for value, slope in ((position, d1), (t, t1), (t1, t2), (n, n1), (n1, n2), (b, b1), (b1, b2)):
        central = (8.0 * (value[3:-2] - value[1:-4]) - (value[4:-1] - value[:-5])) / (12.0 * h)
        assert np.abs(central - slope[inner]).max() < 5e-4


def test_that_the_thesis_table_survives_writing_and_reading(general: BuiltTrack, tmp_path: Path) -> None:
    path = general.paths["right_rail"]
    file = tmp_path / "rail.txt"
    write_thesis_table(path, file, 0.7)
    assert np.array_equal(read_thesis_table(file), thesis_table(path, 0.7))
    assert [entry.name for entry in tmp_path.iterdir()] == ["rail.txt"]


def test_that_damaged_thesis_tables_are_refused_with_their_place(joined: BuiltTrack) -> None:
    lines = table_text(thesis_table(joined.paths["left_rail"], 2.0)).splitlines()
    cells = lines[4].split()
    for broken, message in (
        ([*lines[:4], " ".join([*cells[:6], "x7", *cells[7:]]), *lines[5:]], "f, line 5, column 7: .*'x7'"),
        ([*lines[:4], " ".join(cells[:-1]), *lines[5:]], "f, line 5: expected 37 columns, found 36"),
        (
            [*lines[:4], " ".join([*cells[:6], "nan", *cells[7:]]), *lines[5:]],
            "column 7: the number must be finite",
        ),
        ([lines[0], lines[3], lines[2]], "does not increase"),
        ([lines[0]], "no row"),
    ):
        with pytest.raises(InputError, match=message):
            parse_thesis_table("\n".join(broken), "f")


def test_that_a_track_comes_back_from_the_input_rows_of_the_thesis(
    general: BuiltTrack, tmp_path: Path
) -> None:
    s = np.linspace(0.0, general.length, 500, endpoint=False)
    _, left, up = general.frame_at(s)
    rows = np.column_stack([general.centreline.position(s), left, up])
    file = tmp_path / "input.txt"
    np.savetxt(file, rows, header="x y z nx ny nz bx by bz")
    for track in (
        read_thesis_input(file, closed=True, gauge=1.1),
        track_from_rows(rows * np.repeat([1.0, -1.0, -1.0], 3), "flipped", name="f", closed=True, gauge=1.1),
    ):
        built = build_track(track)
        _, again, _ = built.frame_at(built.paths["centreline"].nearest(rows[123, :3]))
        assert np.abs(again[0] - left[123]).max() < 0.02
        assert built.paths["left_rail"].length == pytest.approx(general.paths["left_rail"].length, abs=0.1)


# NoLimits 2 --------------------------------------------------------------------------------------------------------


def nl2_rows(count: int = 40) -> np.ndarray:
    """Rows of a banked left-hand half ring in the axes of the file (y up), 13 columns."""
    a = np.linspace(0.0, np.pi, count)
    zero = 0.0 * a
    position = np.stack([20.0 * np.cos(a), 3.0 + 0.5 * a, -20.0 * np.sin(a)], axis=-1)
    front = np.stack([-20.0 * np.sin(a), 0.5 + zero, -20.0 * np.cos(a)], axis=-1)
    front /= np.linalg.norm(front, axis=1, keepdims=True)
    level = np.cross([0.0, 1.0, 0.0], front)
    level /= np.linalg.norm(level, axis=1, keepdims=True)
    flat_up = np.cross(front, level)
    left = np.cos(-0.4) * level + np.sin(-0.4) * flat_up
    up = np.cross(front, left)
    return np.column_stack([np.arange(1, count + 1), position, front, left, up])


def as_text(rows: np.ndarray, separator: str = "\t", header: bool = True, number: bool = True) -> str:
    first = 0 if number else 1
    lines = [HEADER.replace("\t", separator)] if header else []
    for k, row in enumerate(rows, start=1):
        cells = [f"{k}", *(f"{value:.6f}" for value in row[1:])][first:]
        lines.append(separator.join(cells))
    return "\n".join(lines) + "\n"


def variants() -> dict[str, bytes]:
    rows = nl2_rows()
    plain = as_text(rows)
    bare = rows.copy()
    bare[:, 4:10] = 0.0
    quoted = "\n".join(f'"{line}"' for line in as_text(rows, ",", header=False).splitlines())
    cells = "\n".join(
        "\t".join(f'"{c}"' for c in line.split("\t")) for line in as_text(rows, header=False).splitlines()
    )
    return {
        "plain": plain.encode(),
        "byte order mark": b"\xef\xbb\xbf" + plain.encode(),
        "utf-16": plain.encode("utf-16"),
        "windows line ends": plain.replace("\n", "\r\n").encode(),
        "no header": as_text(rows, header=False).encode(),
        "quoted lines": quoted.encode(),
        "quoted cells": cells.encode(),
        "zero front and left": as_text(bare).encode(),
        "comma": as_text(rows, ",").encode(),
        "semicolon": as_text(rows, ";").encode(),
        "semicolon and decimal comma": as_text(rows, ";").replace(".", ",").encode(),
        "blanks": as_text(rows, " ").encode(),
        "without numbers": as_text(rows, number=False, header=False).encode(),
        "blank lines": plain.replace("\n", "\n\n").encode(),
    }


@pytest.mark.parametrize("variant", list(variants()))
def test_that_every_variant_of_the_csv_gives_the_same_track(variant: str, tmp_path: Path) -> None:
    file = tmp_path / "ride.csv"
    file.write_bytes(variants()[variant])
    track = read_nl2_csv(file)
    section = track.sections[0]
    assert isinstance(section, TableSection)
    expected = nl2_rows()
    x, y, z = expected[:, 1], expected[:, 2], expected[:, 3]
    assert np.allclose(section.positions, np.stack([x, -z, y], axis=-1), atol=1e-6)
    assert track.name == "ride"
    assert not track.closed
    built = build_track(track)
    middle = built.length / 2.0
    assert built.centreline.cant([middle])[0] == pytest.approx(-0.4, abs=2e-3)
    assert (
        built.centreline.derivatives([middle])[0, 2] @ built.frame_at([middle])[1][0] > 0.0
    )  # a turn to the left
    assert built.centreline.curvature([middle])[0] == pytest.approx(20.0 / (20.0**2 + 0.25), rel=0.02)


def test_that_a_meeting_end_closes_the_track_unless_told_otherwise() -> None:
    a = np.linspace(0.0, 2.0 * np.pi, 120, endpoint=False)
    zero = 0.0 * a
    rows = np.column_stack([a, 15 * np.cos(a), 2 + zero, -15 * np.sin(a), *[zero] * 6, zero, 1 + zero, zero])
    for text in (as_text(rows), as_text(np.vstack([rows, rows[:1]]))):
        assert track_from_text(text, "f").closed
        built = build_track(track_from_text(text, "f"))
        assert built.length == pytest.approx(30.0 * np.pi, abs=0.04)
        assert not track_from_text(text, "f", closed=False).closed
    assert not track_from_text(as_text(rows[:-10]), "f").closed


def test_that_bad_cells_of_the_csv_are_refused_with_line_and_column(tmp_path: Path) -> None:
    lines = as_text(nl2_rows()).splitlines()

    def broken(cell: str) -> str:
        cells = lines[6].split("\t")
        cells[5] = cell
        return "\n".join([*lines[:6], "\t".join(cells), *lines[7:]])

    for text, message in (
        (broken("abc"), "ride, line 7, column FrontY: expected a number, found 'abc'"),
        (broken("nan"), "ride, line 7, column FrontY: the number must be finite"),
        (broken("1e300"), "ride, line 7, column FrontY: the number must be finite and at most"),
        (
            "\n".join([*lines[:6], lines[6] + "\t9", *lines[7:]]),
            "ride, line 7: expected 13 columns, found 14",
        ),
        ("", "ride: the file is empty"),
        (lines[0], "ride: there is a header but no row"),
        ("\n".join(lines[:4]), "ride: only 3 rows"),
        ("1,2,3\n4,5,6\n", "ride, line 1: expected 13 columns .* found 3"),
    ):
        with pytest.raises(InputError, match=message):
            track_from_text(text, "ride")
    binary = tmp_path / "b.csv"
    binary.write_bytes(bytes(range(128, 256)) * 4)
    for file, message in (
        (binary, "not a text file"),
        (tmp_path / "no.csv", "cannot be read"),
        (tmp_path, "cannot be"),
    ):
        with pytest.raises(InputError, match=message):
            read_nl2_csv(file)


def test_that_a_real_export_is_parsed_row_by_row() -> None:
    """Three rows of a NoLimits 2 export (TC-Coasters test data): too short for a track, but every cell is read."""
    text = HEADER + "\n" + "\n".join([
        "1\t43.345145\t8.695299\t-33.675375\t0.005115\t0.425082\t-0.905141\t-0.938856\t-0.309581\t-0.150694"
        "\t-0.344272\t0.850568\t0.397507",
        "2\t43.350331\t8.906957\t-34.128325\t0.020909\t0.419768\t-0.907390\t-0.941258\t-0.297695\t-0.159407"
        "\t-0.337040\t0.857422\t0.388886",
        "3\t43.942754\t10.606781\t-38.238981\t0.261420\t0.323027\t-0.909568\t-0.943069\t0.286225\t-0.169398"
        "\t0.205621\t0.902069\t0.379462",
    ])  # fmt: skip
    with pytest.raises(InputError, match="only 3 rows"):
        track_from_text(text, "export")


@pytest.fixture(scope="module")
def kinked() -> Callable[[], np.ndarray]:
    """Rows every half metre of two arcs with a kink of 1.2 deg between them."""

    def rows() -> np.ndarray:
        heading = np.concatenate([np.linspace(0.0, 0.8, 80), np.radians(1.2) + np.linspace(0.8, 1.4, 80)])
        steps = 0.5 * np.stack([np.cos(heading), np.sin(heading), 0.02 + 0 * heading], axis=-1)
        return np.vstack([np.zeros(3), np.cumsum(steps, axis=0)])

    return rows


def test_that_a_kink_of_an_imported_table_is_smoothed_within_tolerance(
    kinked: Callable[[], np.ndarray],
) -> None:
    rows = kinked()
    built = build_track(table_track(rows))
    assert built.fits[0].largest_deviation <= 0.005
    assert abs(built.fits[0].row - 81) <= 2
    line = built.centreline
    before, after = line.state(line.piece_s[1:-1], from_left=True).curve, line.state(line.piece_s[1:-1]).curve
    assert np.abs(before[:, :4] - after[:, :4]).max() < 1e-8
