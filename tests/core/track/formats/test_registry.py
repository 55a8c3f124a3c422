"""The list of formats: everything in it works, guesses are right, refusals name what there is."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from ridewright.core.base.errors import InputError
from ridewright.core.cli import main
from ridewright.core.exchange import (
    ReadOptions,
    WriteOptions,
    export_track,
    format_named,
    formats,
    guess_reader,
    guess_writer,
    import_track,
    readers,
    writers,
)
from ridewright.core.exchange.accuracy import nearest_places
from ridewright.core.exchange.thesis_table import read_thesis_table
from ridewright.core.track.build import BuiltTrack, build_track
from ridewright.core.track.centreline import Centreline


def test_that_every_writer_writes_and_reports_a_figure(joined: BuiltTrack, tmp_path: Path) -> None:
    for entry in writers():
        target = tmp_path / entry.id / f"deep{entry.extensions[0]}"
        report = export_track(joined, target, WriteOptions(spacing=1.0))
        assert all(file.stat().st_size > 100 for file in report.files)
        assert len(report.sentences) >= 2
        assert guess_writer(target).id == entry.id
        assert not list(target.parent.glob("*.part"))


def test_that_what_is_read_is_guessed_by_ending_and_columns(joined: BuiltTrack, tmp_path: Path) -> None:
    for name in ("a.csv", "a.nl2elem"):
        export_track(joined, tmp_path / name)
        assert guess_reader(tmp_path / name).id == {"a.csv": "nl2", "a.nl2elem": "nl2elem"}[name]
    np.savetxt(tmp_path / "a.txt", np.ones((9, 9)))
    assert guess_reader(tmp_path / "a.txt").id == "table"
    (tmp_path / "A.KEX").write_bytes(b"")
    assert guess_reader(tmp_path / "A.KEX").id == "kex"
    (tmp_path / "rows.dat").write_text((tmp_path / "a.csv").read_text())
    assert guess_reader(tmp_path / "rows.dat").id == "nl2"
    track = import_track(tmp_path / "rows.dat", ReadOptions(name="n", gauge=1.3, closed=False)).track
    assert (track.name, track.gauge, track.closed) == ("n", 1.3, False)


def test_that_refusals_name_what_there_is(joined: BuiltTrack, tmp_path: Path) -> None:
    (tmp_path / "t.dxf").write_text("0\n")
    for act, message in (
        (lambda: import_track(tmp_path / "t.dxf"), r"can be written but not read; import one of .*\.kex"),
        (lambda: import_track(tmp_path / "no.csv"), "cannot be read"),
        (lambda: import_track(tmp_path / "no.kex"), "cannot be read"),
        (lambda: import_track(tmp_path / "t.dxf", format_id="dxf"), "choose one of kex, nl2, nl2elem, table"),
        (lambda: export_track(joined, tmp_path / "t.step"), r"says no format to write; choose one of \.csv"),
        (lambda: export_track(joined, tmp_path / "t.kex"), "says no format to write"),
        (lambda: export_track(joined, tmp_path / "t", format_id="kex"), "can be read but not written"),
        (lambda: format_named("stl"), "no format 'stl'; choose kex"),
        (lambda: export_track(joined, tmp_path / "t.dxf", WriteOptions(spacing=0.0)), "out of range"),
        (
            lambda: export_track(joined, tmp_path / "t.dxf", WriteOptions(spacing=float("nan"))),
            "out of range",
        ),
        (lambda: export_track(joined, tmp_path / "t.dxf" / "t.obj"), "cannot be written"),
    ):
        with pytest.raises(InputError, match=message):
            act()


class Torn(Centreline):
    """A centreline with a hole between 30 and 40 m."""

    def state(self, s: object, *, from_left: bool = False) -> object:  # type: ignore[override]
        state = super().state(s, from_left=from_left)  # type: ignore[arg-type]
        hole = (state.s > 30.0) & (state.s < 40.0)
        state.curve[hole], state.left[hole], state.up[hole] = np.nan, np.nan, np.nan
        return state


@pytest.mark.parametrize("ending", [".csv", ".nl2elem", ".dxf", ".obj", ".glb", ".profile.csv"])
def test_that_an_export_that_fails_names_the_section_and_place(
    joined: BuiltTrack, tmp_path: Path, ending: str
) -> None:
    torn = replace(joined, centreline=Torn(**vars(joined.centreline)))
    with pytest.raises(InputError, match=r"section 'turn' at s = 3\d\.\d\d m has no finite geometry"):
        export_track(torn, tmp_path / f"t{ending}")
    assert not list(tmp_path.iterdir())


def test_that_the_thesis_tables_are_those_of_the_paths(joined: BuiltTrack, tmp_path: Path) -> None:
    report = export_track(joined, tmp_path / "t.txt", WriteOptions(spacing=0.4))
    assert [file.name for file in report.files] == ["t.left.txt", "t.right.txt"]
    table = read_thesis_table(report.files[1])
    exact = joined.paths["right_rail"].sample(table[:, 0])[:, 0, :3]
    assert np.array_equal(table[:, 1:4], exact)
    again = build_track(
        import_track(_nine_columns(joined, tmp_path), ReadOptions(gauge=1.0)).track, ride=False
    )
    assert again.length == pytest.approx(joined.length, abs=0.05)


def _nine_columns(built: BuiltTrack, folder: Path) -> Path:
    state = built.centreline.state(np.linspace(0.0, built.length, 200))
    np.savetxt(folder / "in.txt", np.column_stack([state.curve[:, 0], state.left, state.up]))
    return folder / "in.txt"


def test_that_the_nearest_place_is_found_from_a_rough_guess(general: BuiltTrack) -> None:
    s = np.linspace(2.0, general.length - 2.0, 90)
    state = general.centreline.state(s)
    points = state.curve[:, 0] + 0.4 * state.left - 0.3 * state.up
    found = nearest_places(general.centreline, points, s + 1.5 * np.sin(3.0 * s))
    assert np.abs(found - s).max() < 1e-9


def test_that_ids_are_unique_and_every_format_can_do_something() -> None:
    assert len({entry.id for entry in formats()}) == len(formats())
    assert set(readers()) | set(writers()) == set(formats())
    for entry in formats():
        assert entry.title
        assert entry.holds.endswith(".")
        assert all(ending.startswith(".") for ending in entry.extensions)


@pytest.mark.parametrize("column", [1, 4, 8])
def test_that_rows_of_absurd_size_are_refused_without_a_warning(
    column: int, tmp_path, capsys, recwarn
) -> None:
    rows = np.tile([0.0, 0.0, 5.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0], (8, 1))
    rows[:, 0] = np.arange(8.0)
    rows[5, column] = -1e300
    file = tmp_path / "rows.txt"
    np.savetxt(file, rows)
    assert main(["import-track", str(file), "--out", str(tmp_path / "p.ridewright")]) == 2
    assert "row 6: a number is beyond 1e+07" in capsys.readouterr().err
    assert not recwarn.list
