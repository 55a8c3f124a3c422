"""NoLimits 2 spline CSV and track elements, both ways: accuracy stated and held, borders kept, damage refused."""

from __future__ import annotations

import json
from importlib import resources
from pathlib import Path

import numpy as np
import pytest
from scipy.interpolate import BSpline, CubicSpline
from scipy.spatial import cKDTree

from ridewright.core.base.errors import InputError
from ridewright.core.exchange import ReadOptions, WriteOptions, export_track, import_track
from ridewright.core.exchange.accuracy import deviation_from
from ridewright.core.exchange.nl2_csv import parse_rows
from ridewright.core.exchange.nl2_elem import parse_element, sample, stretches
from ridewright.core.project.project import Project, load_project, save_project
from ridewright.core.track.build import BuiltTrack, build_track
from ridewright.core.track.description import TableSection, Track

EXAMPLES = Path(str(resources.files("ridewright.resources"))) / "examples"
REAL_EXPORT = Path(__file__).parent / "data" / "tccoasters_nl2_sample3.csv"


def curve_of_rows(rows: np.ndarray, closed: bool) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Dense positions, left and up vectors (m, 3) of rows (n, 12), by cubic splines over the chord length."""
    loop = np.vstack([rows, rows[:1]]) if closed else rows
    u = np.concatenate([[0.0], np.cumsum(np.linalg.norm(np.diff(loop[:, :3], axis=0), axis=1))])
    fine = np.linspace(0.0, u[-1], 100 * len(rows))
    spline = CubicSpline(u, loop[:, [0, 1, 2, *range(6, 12)]], bc_type="periodic" if closed else "not-a-knot")
    values = spline(fine)
    return values[:, :3], values[:, 3:6], values[:, 6:]


def apart(rows: np.ndarray, others: np.ndarray, closed: bool) -> tuple[float, float]:
    """Largest distance (m) of rows from the curve of others, and largest roll (deg) of their left vectors there."""
    positions, left, up = curve_of_rows(others, closed)
    distance, nearest = cKDTree(positions).query(rows[:, :3])
    sine, cosine = (np.sum(rows[:, 6:9] * v[nearest], axis=1) for v in (up, left))
    return float(distance.max()), float(np.abs(np.degrees(np.arctan2(sine, cosine))).max())


def through_a_project(source: Path, folder: Path) -> tuple[np.ndarray, np.ndarray, bool]:
    """Rows of a CSV, and those written again after import, saving and loading of a project."""
    track = import_track(source).track
    save_project(Project(name=track.name, track=track), folder / "p.ridewright")
    again = load_project(folder / "p.ridewright").track
    assert again is not None
    export_track(build_track(again, ride=False), folder / "again.csv")
    rows = parse_rows(source.read_text(), "first")
    return rows, parse_rows((folder / "again.csv").read_text(), "second"), again.closed


def test_that_the_shared_track_survives_the_round_trip_within_5_mm_and_a_fifth_of_a_degree(
    tmp_path: Path,
) -> None:
    rows, again, closed = through_a_project(EXAMPLES / "veloci2_nl2.csv", tmp_path)
    for a, b in ((rows, again), (again, rows)):
        distance, angle = apart(a, b, closed)
        assert distance < 0.005
        assert angle < 0.2


@pytest.mark.parametrize("name", ["looping_star", "gatekeeper"])
def test_that_the_example_tracks_survive_the_round_trip_with_their_borders(name: str, tmp_path: Path) -> None:
    track = load_project(EXAMPLES / f"{name}.ridewright").track
    assert track is not None
    built = build_track(track, ride=False)
    export_track(built, tmp_path / "once.csv")
    rows, again, closed = through_a_project(tmp_path / "once.csv", tmp_path)
    distance, angle = apart(again, rows, closed)
    assert distance < 0.005
    assert angle < 0.2
    imported = build_track(import_track(tmp_path / "once.csv").track, ride=False)
    assert [span.name for span in imported.sections] == [span.name for span in built.sections]
    for mine, theirs in zip(imported.sections, built.sections, strict=True):
        assert mine.s0 == pytest.approx(theirs.s0, abs=0.01)
    assert imported.track.clearance == track.clearance
    assert imported.track.heartline == track.heartline


def test_that_the_errors_a_report_states_are_those_of_the_file(general: BuiltTrack, tmp_path: Path) -> None:
    """Rows every 3 m are measurably off: the stated figure is that of an independent interpolation."""
    report = export_track(general, tmp_path / "g.csv", WriteOptions(spacing=3.0))
    rows = parse_rows((tmp_path / "g.csv").read_text(), "g")
    positions, left, _ = curve_of_rows(rows, closed=True)
    s = np.linspace(0.0, general.length, len(positions))
    found = deviation_from(general, positions @ _Z_UP, left @ _Z_UP, s)
    stated = float(report.sentences[1].split("at most ")[1].split(" mm")[0])
    assert found.distance * 1000 == pytest.approx(stated, rel=0.25)
    assert stated > 1.0


_Z_UP = np.array(
    [[1.0, 0.0, 0.0], [0.0, 0.0, 1.0], [0.0, -1.0, 0.0]]
)  # rows (x, y, z) of the file to (x, -z, y)


def test_that_the_spacing_sets_the_error_with_fourth_order(general: BuiltTrack, tmp_path: Path) -> None:
    errors = []
    for spacing in (2.0, 1.0):
        report = export_track(general, tmp_path / f"{spacing}.nl2elem", WriteOptions(spacing=spacing))
        errors.append(float(report.sentences[1].split("at most ")[1].split(" mm")[0]))
    assert 3.0 < np.log2(errors[0] / max(errors[1], 1e-9)) < 5.5


def test_that_the_rows_are_written_as_nolimits_writes_them(joined: BuiltTrack, tmp_path: Path) -> None:
    export_track(joined, tmp_path / "j.csv")
    ours = (tmp_path / "j.csv").read_bytes().split(b"\r\n")
    theirs = REAL_EXPORT.read_bytes().split(b"\r\n")
    assert ours[0] == theirs[0]
    for line in (ours[1], theirs[1]):
        cells = line.split(b"\t")
        assert len(cells) == 13
        assert all(len(cell.split(b".")[1]) == 6 for cell in cells[1:])
    rows = parse_rows((tmp_path / "j.csv").read_text(), "j")
    frame = rows[:, 3:].reshape(-1, 3, 3)
    assert np.abs(np.cross(frame[:, 2], frame[:, 0]) - frame[:, 1]).max() < 3e-6  # left = up x front
    real = parse_rows(REAL_EXPORT.read_text(), "real")[:, 3:].reshape(-1, 3, 3)
    assert np.abs(np.cross(real[:, 2], real[:, 0]) - real[:, 1]).max() < 3e-6


def test_that_a_border_is_no_join(tmp_path: Path) -> None:
    """A track divided by its side file is the same curve as without it: position, roll and four derivatives."""
    track = load_project(EXAMPLES / "looping_star.ridewright").track
    assert track is not None
    export_track(build_track(track, ride=False), tmp_path / "t.csv")
    divided = build_track(import_track(tmp_path / "t.csv").track, ride=False)
    (tmp_path / "t.ridewright-sections.json").rename(tmp_path / "elsewhere.json")
    whole = build_track(import_track(tmp_path / "t.csv").track, ride=False)
    assert (len(whole.sections), len(divided.sections)) == (1, len(track.sections))
    borders = np.array([span.s0 for span in divided.sections[1:]])
    for from_left in (False, True):
        a, b = (built.centreline.state(borders, from_left=from_left) for built in (whole, divided))
        assert np.abs(a.curve - b.curve).max() < 1e-8
        assert np.abs(a.left - b.left).max() < 1e-9
        assert np.abs(a.twist - b.twist).max() < 1e-8


def test_that_a_table_that_continues_from_elsewhere_is_refused_by_name() -> None:
    x = np.arange(0.0, 20.0, 0.5)
    rows = np.stack([x, 0.1 * np.sin(x), 0.0 * x], axis=-1)
    parts = (rows[:20], rows[20:] + np.array([30.0, 0.0, 0.0]))
    sections = [
        {"kind": "table", "name": name, "positions": part.tolist(), "continues": name == "b"}
        for name, part in zip("ab", parts, strict=True)
    ]
    with pytest.raises(InputError, match=r"'b' is to continue 'a' but begins 30.5 m from its end"):
        build_track(Track.model_validate({"name": "t", "sections": sections}))


def test_that_borders_follow_rows_that_were_scaled_since(tmp_path: Path, joined: BuiltTrack) -> None:
    export_track(joined, tmp_path / "j.csv")
    lines = (tmp_path / "j.csv").read_text().splitlines()
    cells = [line.split("\t") for line in lines[1:]]
    grown = [[c[0], *(f"{2.0 * float(v):.6f}" for v in c[1:4]), *c[4:]] for c in cells]
    (tmp_path / "j.csv").write_text("\n".join([lines[0], *("\t".join(c) for c in grown)]))
    imported = import_track(tmp_path / "j.csv")
    built = build_track(imported.track, ride=False)
    assert built.sections[1].s0 == pytest.approx(2.0 * joined.sections[1].s0, rel=0.01)
    assert any("check them" in note for note in imported.notes)


def test_that_a_damaged_side_file_is_refused_by_name(tmp_path: Path, joined: BuiltTrack) -> None:
    export_track(joined, tmp_path / "j.csv")
    side = tmp_path / "j.ridewright-sections.json"
    good = json.loads(side.read_text())
    turned = good | {"sections": list(reversed(good["sections"]))}
    unknown = good | {"track": good["track"] | {"gauge": -1.0}}
    for content, message in (
        ("{", "is not a list of sections"),
        (json.dumps(good | {"version": 9}), "version 9 is not known"),
        (json.dumps(turned), "starts of the sections must rise"),
        (json.dumps(unknown), "gauge"),
        ("[]", "is not a list of sections"),
    ):
        side.write_text(content)
        with pytest.raises(InputError, match=message):
            import_track(tmp_path / "j.csv")


# damaged files ----------------------------------------------------------------------------------------------------


def damaged() -> dict[str, tuple[str, str]]:
    """Name -> (text, pattern of the refusal), from 40 good rows of the shared track."""
    lines = (EXAMPLES / "veloci2_nl2.csv").read_text().splitlines()[:41]

    def with_cell(line: int, column: int, cell: str) -> str:
        cells = lines[line].split("\t")
        cells[column] = cell
        return "\n".join([*lines[:line], "\t".join(cells), *lines[line + 1 :]])

    def without_column(column: int, header: bool = True) -> str:
        kept = lines if header else lines[1:]
        return "\n".join("\t".join(c for k, c in enumerate(line.split("\t")) if k != column) for line in kept)

    return {
        "a column is missing": (without_column(8), "line 1: the header lacks the column LeftY"),
        "a column is missing without header": (without_column(8, False), "line 1: 12 columns of which the first"),
        "a cell is missing in one row": ("\n".join([*lines[:9], lines[9].rpartition("\t")[0], *lines[10:]]),
                                         "line 10: expected 13 columns, found 12"),
        "text in a number": (with_cell(12, 2, "1.9x"), "line 13, column PosY: expected a number, found '1.9x'"),
        "empty cell": (with_cell(12, 2, ""), "line 13, column PosY: expected a number, found ''"),
        "not a number": (with_cell(20, 11, "NaN"), "line 21, column UpY: the number must be finite"),
        "infinite": (with_cell(20, 3, "-inf"), "line 21, column PosZ: the number must be finite"),
        "far away": (with_cell(20, 3, "1e9"), "line 21, column PosZ: the number must be finite and at most"),
        "wrong separator": ("\n".join(lines).replace("\t", "/"), "line 2: expected 13 columns .* found 1"),
        "comma for everything": ("\n".join(lines[1:]).replace(".", ",").replace("\t", ","),
                                 "line 1: expected 13 columns .*decimal commas need tabs"),
        "a row is repeated": ("\n".join([*lines[:15], lines[14], *lines[15:]]),
                              "line 16, column No.: 14 does not come after 14"),
        "numbers decrease": ("\n".join([lines[0], *reversed(lines[1:])]),
                             "line 3, column No.: 39 does not come after 40"),
        "number is no number": (with_cell(5, 0, "five"), "line 6, column No.: expected a number"),
        "only a header": (lines[0], "there is a header but no row"),
        "left vector is zero in one row": (
            "\n".join([*lines[:7], "\t".join([*lines[7].split("\t")[:7], *["0"] * 6]), *lines[8:]]),
            "row 7: the up vector is zero although others are given"),
    }  # fmt: skip


@pytest.mark.parametrize("name", list(damaged()))
def test_that_a_damaged_csv_is_refused_naming_row_and_column(name: str, tmp_path: Path) -> None:
    text, message = damaged()[name]
    file = tmp_path / "bad.csv"
    file.write_text(text)
    with pytest.raises(InputError, match=message) as refused:
        import_track(file)
    assert "bad.csv" in str(refused.value)


@pytest.mark.parametrize("change", ["no header", "decimal commas", "header in another order"])
def test_that_readable_variants_are_read_alike(change: str, tmp_path: Path) -> None:
    lines = (EXAMPLES / "veloci2_nl2.csv").read_text().splitlines()[:41]
    expected = parse_rows("\n".join(lines), "plain")
    text = "\n".join(lines)
    if change == "no header":
        text = "\n".join(lines[1:])
    elif change == "decimal commas":
        text = "\n".join([lines[0], *(line.replace(".", ",") for line in lines[1:])])
    else:
        order = [0, 10, 11, 12, 7, 8, 9, 4, 5, 6, 1, 2, 3]
        text = "\n".join("\t".join(line.split("\t")[k] for k in order) for line in lines)
    assert np.array_equal(parse_rows(text, change), expected)


def test_that_rows_without_numbers_may_run_along_x_in_whole_metres() -> None:
    """Not to be taken for row numbers with a column missing."""
    lines = [f"{x}\t1.5\t0\t1\t0\t0\t0\t0\t-1\t0\t1\t0" for x in range(12)]
    assert np.array_equal(parse_rows("\n".join(lines), "x")[:, 0], np.arange(12.0))


def test_that_no_damage_of_a_byte_gives_a_traceback() -> None:
    """300 single random changes of a good file: either it still reads, or it is refused with a sentence."""
    good = "\n".join((EXAMPLES / "veloci2_nl2.csv").read_text().splitlines()[:12])
    random = np.random.default_rng(5)
    letters = list('0123456789.,-+eE\t\n"; xNaN\0é')
    sentences = []
    for _ in range(300):
        k = int(random.integers(len(good)))
        bad = good[:k] + letters[int(random.integers(len(letters)))] + good[k + int(random.integers(0, 3)) :]
        try:
            rows = parse_rows(bad, "fuzz")
            assert rows.shape[1] == 12
            assert np.isfinite(rows).all()
        except InputError as error:
            sentences.append(str(error))
    assert len(sentences) > 30
    assert all("fuzz" in sentence for sentence in sentences)


# elements ---------------------------------------------------------------------------------------------------------


def test_that_the_curve_of_vertices_is_the_clamped_uniform_cubic() -> None:
    """Against the textbook B-spline: knots by hand, and the midpoint rule (1, 4, 1) / 6 inside."""
    random = np.random.default_rng(3)
    vertices = np.cumsum(random.uniform(0.5, 2.0, (9, 3)), axis=0)
    (piece,) = stretches(vertices, np.zeros(9, dtype=bool))
    knots = np.array([0, 0, 0, 0, 1, 2, 3, 4, 5, 6, 6, 6, 6], dtype=float)
    u = np.linspace(0.0, 6.0, 50)
    assert np.allclose(piece.spline(u), BSpline(knots, vertices, 3)(u), atol=1e-12)
    assert np.allclose(piece.spline([0.0, 6.0]), vertices[[0, -1]])
    assert np.allclose(piece.spline(3.0), (vertices[3] + 4.0 * vertices[4] + vertices[5]) / 6.0)


def test_that_strict_vertices_are_met_and_joined_by_straight_lines() -> None:
    vertices = np.array(
        [[0, 0, 0], [4, 1, 0], [8, 1, 0], [12, 0, 1], [16, 0, 2], [20, 0, 3], [24, 3, 3], [28, 3, 3]],
        dtype=float,
    )
    strict = np.array([False, False, False, True, True, True, False, False])
    pieces = stretches(vertices, strict)
    assert [piece.spans for piece in pieces] == [1, 1, 1, 1]
    assert [piece.spline.k for piece in pieces] == [3, 1, 1, 2]
    rows = sample(pieces, 0.1)
    for vertex in vertices[[0, 3, 4, 5, 7]]:
        assert np.linalg.norm(rows.position - vertex, axis=1).min() < 1e-12
    straight = (rows.vertex >= 3.0) & (rows.vertex <= 5.0)
    away = np.cross(rows.position[straight] - vertices[3], (vertices[5] - vertices[3]) / np.sqrt(68.0))
    assert np.abs(away).max() < 1e-12
    chords = np.linalg.norm(np.diff(rows.position, axis=0), axis=1)
    assert rows.run[-1] == pytest.approx(chords.sum(), rel=1e-4)


@pytest.mark.parametrize("name", ["looping_star", "gatekeeper", "veloci2"])
def test_that_a_track_comes_back_from_its_element(name: str, tmp_path: Path) -> None:
    track = load_project(EXAMPLES / f"{name}.ridewright").track
    assert track is not None
    built = build_track(track, ride=False)
    export_track(built, tmp_path / "t.nl2elem", WriteOptions(spacing=1.0))
    imported = import_track(tmp_path / "t.nl2elem")
    again = build_track(imported.track, ride=False)
    assert [span.name for span in again.sections] == [span.name for span in built.sections]
    assert again.track.closed == track.closed
    s = np.linspace(0.0, again.length, 4000)[:-1]
    state = again.centreline.state(s)
    off = deviation_from(built, state.curve[:, 0], state.left, s * built.length / again.length)
    assert off.distance < 0.005
    assert off.roll < np.radians(0.25)
    assert "frames point along the curve within" in imported.notes[0]


def test_that_the_heartline_height_shifts_the_rails_along_up(general: BuiltTrack, tmp_path: Path) -> None:
    export_track(general, tmp_path / "t.nl2elem", WriteOptions(spacing=0.5, heartline=1.3))
    low = import_track(tmp_path / "t.nl2elem", ReadOptions(heartline=0.8, closed=False)).track.sections[0]
    assert isinstance(low, TableSection)
    assert low.up is not None
    raised = np.array(low.positions) - 0.5 * np.array(low.up)
    s = np.linspace(0.0, general.length, len(raised))
    assert (
        deviation_from(general, raised, np.cross(low.up, general.centreline.state(s).tangent), s).distance
        < 2e-3
    )


def test_that_damaged_elements_are_refused_naming_vertex_and_tag(general: BuiltTrack, tmp_path: Path) -> None:
    export_track(general, tmp_path / "t.nl2elem")
    good = (tmp_path / "t.nl2elem").read_text()
    vertex = good[good.index("<vertex>") : good.index("</vertex>") + len("</vertex>")]
    number = vertex[vertex.index("<y>") + 3 : vertex.index("</y>")]
    roll = good[good.index("<ux>") : good.index("</ux>") + 5]
    for text, message in (
        (good.replace(f"<y>{number}</y>", "<y>up</y>", 1), "vertex 1, <y>: expected a number, found 'up'"),
        (good.replace(f"<y>{number}</y>", "", 1), "vertex 1, <y>: expected a number, found ''"),
        (good.replace(f"<y>{number}</y>", "<y>nan</y>", 1), "vertex 1, <y>: the number must be finite"),
        (good.replace(vertex, vertex + vertex, 1), "vertices 1 and 2 are at the same place"),
        (good.replace(roll, "<ux>x</ux>", 1), "roll point 1, <ux>: expected a number"),
        (good[: len(good) // 2], "is not a readable XML file"),
        (good.replace("element>", "other>"), "there is no <element>"),
        ('<!DOCTYPE r [<!ENTITY a "aaaa">]>' + good[good.index("<root>") :], "no document type"),
        ("<root><element/></root>", "only 0 vertices"),
    ):
        with pytest.raises(InputError, match=message):
            parse_element(text.encode(), "t")
