"""A format is one file: that of the developer's page is read, written and guessed with no other file changed."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from ridewright.core import exchange
from ridewright.core.base.errors import InputError
from ridewright.core.cli import main
from ridewright.core.project.examples import load_example
from ridewright.core.project.project import load_project, save_project
from ridewright.core.track.build import build_track
from tests.one_file import exercise, standing_in


@pytest.fixture
def points(tmp_path: Path) -> Iterator[None]:
    with standing_in(exchange.__name__, exchange.formats, tmp_path, "points", exercise("formats")):
        yield


def test_that_a_format_of_one_file_goes_out_and_comes_back(points: None, tmp_path: Path, capsys) -> None:
    save_project(load_example("curve50"), tmp_path / "ride.ridewright")
    file, back = tmp_path / "track.points", tmp_path / "back.ridewright"
    assert main(["export-track", str(tmp_path / "ride.ridewright"), str(file)]) == 0
    assert "points about 1 m apart" in capsys.readouterr().out
    assert exchange.guess_reader(file).id == exchange.guess_writer(file).id == "points"
    assert main(["import-track", str(file), "--out", str(back)]) == 0
    assert "the roll is free" in capsys.readouterr().out
    before, after = (
        build_track(load_project(path).track, ride=False) for path in (tmp_path / "ride.ridewright", back)
    )
    assert after.length == pytest.approx(before.length, abs=0.02)
    s = np.linspace(0.0, 1.0, 50)
    off = after.centreline.position(s * after.length) - before.centreline.position(s * before.length)
    assert np.abs(off).max() < 0.02


def test_that_help_and_refusals_name_it(points: None, tmp_path: Path, capsys) -> None:
    for command in ("import-track", "export-track"):
        with pytest.raises(SystemExit):
            main([command, "--help"])
        assert "points (List of points, .points)" in " ".join(capsys.readouterr().out.split())
    with pytest.raises(InputError, match=r"choose one of .*\.points"):
        exchange.guess_writer(tmp_path / "t.step")
    (tmp_path / "t.points").write_text("0 0 0\n1 0 x\n")
    with pytest.raises(InputError, match=r"t\.points, line 2, column z: expected a number, found 'x'"):
        exchange.import_track(tmp_path / "t.points")


def test_that_it_is_gone_with_its_file(capsys) -> None:
    assert "points" not in {one.id for one in exchange.formats()}
    assert main(["import-track", "x", "--out", "y", "--format", "points"]) == 2
    assert "invalid choice" in capsys.readouterr().err
