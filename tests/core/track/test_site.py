"""The ground under a track: bilinear heights, grids from files, refusals that name the place."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from ridewright.core.base.errors import InputError
from ridewright.core.track.height_grid import read_height_field
from ridewright.core.track.site import HeightField, Site, ground_height


def plane(x: np.ndarray, y: np.ndarray) -> np.ndarray:
    return 3.0 + 0.2 * x - 0.1 * y + 0.01 * x * y  # what bilinear interpolation must give back exactly


def field_of(x: np.ndarray, y: np.ndarray, spacing: float) -> HeightField:
    rows = tuple(tuple(float(plane(a, b)) for a in x) for b in y)
    return HeightField(corner=(float(x[0]), float(y[0])), spacing=spacing, rows=rows)


def test_that_heights_between_the_values_of_a_bilinear_ground_are_exact() -> None:
    x, y = np.arange(-10.0, 31.0, 2.5), np.arange(5.0, 26.0, 2.5)
    site = Site(level=-4.0, field=field_of(x, y, 2.5))
    random = np.random.default_rng(1)
    a, b = random.uniform(-10, 30, 200), random.uniform(5, 25, 200)
    assert ground_height(site, a, b) == pytest.approx(plane(a, b), abs=1e-12)
    corners = ground_height(site, [x[0], x[-1]], [y[0], y[-1]])
    assert corners == pytest.approx([plane(x[0], y[0]), plane(x[-1], y[-1])])


def test_that_the_level_holds_outside_the_field_and_an_open_level_is_the_callers() -> None:
    site = Site(level=-4.0, field=field_of(np.arange(3.0), np.arange(3.0), 1.0))
    assert ground_height(site, [-1.0, 5.0], [1.0, 1.0]).tolist() == [-4.0, -4.0]
    assert ground_height(Site(), 3.0, 4.0, otherwise=-0.7) == pytest.approx(-0.7)


def test_that_an_ascii_grid_and_a_list_of_points_of_one_ground_agree(tmp_path: Path) -> None:
    x, y = np.arange(100.0, 130.0, 5.0), np.arange(-20.0, 0.0, 5.0)
    grid = plane(x[None, :], y[:, None])
    lines = ["ncols 6", "nrows 4", "xllcenter 100", "yllcenter -20", "cellsize 5", "NODATA_value -9999"]
    lines += [" ".join(repr(float(v)) for v in row) for row in grid[::-1]]
    (tmp_path / "g.asc").write_text("\n".join(lines))
    points = ["x;y;z"] + [f"{a};{b};{plane(a, b)!r}" for a in x.tolist() for b in y.tolist()]
    (tmp_path / "g.csv").write_text("\n".join(points))
    one, two = read_height_field(tmp_path / "g.asc"), read_height_field(tmp_path / "g.csv")
    assert one.corner == two.corner == (100.0, -20.0)
    assert np.array(one.rows) == pytest.approx(grid)
    assert np.array(two.rows) == pytest.approx(grid)


def test_that_a_large_grid_is_thinned_and_says_so(tmp_path: Path) -> None:
    n = 600
    head = f"ncols {n}\nnrows {n}\nxllcorner 0\nyllcorner 0\ncellsize 1\n"
    row = " ".join(str(i) for i in range(n))
    (tmp_path / "big.asc").write_text(head + "\n".join([row] * n))
    field = read_height_field(tmp_path / "big.asc")
    assert field.spacing == 2.0
    assert len(field.rows) == 300
    assert "every 2. value of 600 x 600" in field.source
    assert ground_height(Site(field=field), 100.5, 200.5) == pytest.approx(100.0)


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("ncols 2\nnrows 2\ncellsize 1\n1 2\n3 x\n", "line 5, column 2: expected a number, found 'x'"),
        ("ncols 2\nnrows 2\ncellsize 1\n1 2\n", "line 5: expected 2 heights, found 0"),
        ("ncols 2\nnrows 2\n1 2\n3 4\n", "'cellsize'"),
        ("ncols 2\nnrows 2\ncellsize 1\nnodata_value -1\n1 2\n3 -1\n", "line 6, column 2: no height"),
        ("ncols 1e300\nnrows 2\ncellsize 1\n1 2\n", "cannot be"),
        ("ncols -4\nnrows 2\ncellsize 1\n1 2\n", "cannot be"),
        ("ncols 2\nnrows 9000\ncellsize 1\n1 2\n", "line 5: expected 2 heights"),
        ("ncols 2\nnrows 2\ncellsize 0\n1 2\n3 4\n", "cannot be"),
        ("0 0 1\n0 1 1\n1 0 1\n1 1.5 1\n", "not on an even grid"),
        ("0 0 1\n0 1\n", "line 2: expected x, y and z"),
        ("0 0 1\n0 1 nan\n", "line 2, column 3"),
        ("", "has 0 points"),
    ],
)
def test_that_a_damaged_grid_is_refused_with_its_place(tmp_path: Path, text: str, says: str) -> None:
    (tmp_path / "bad.txt").write_text(text)
    with pytest.raises(InputError, match=r"^bad\.txt[:,] ") as refusal:
        read_height_field(tmp_path / "bad.txt")
    assert says in str(refusal.value)
