"""Cross-sections from outlines, against closed forms."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

from ridewright.core.base.errors import InputError
from ridewright.core.cli.program import main
from ridewright.core.model.flexible import BeamSection
from ridewright.core.structure.outlines import Outline, read_outlines, section_of


def corners(width: float, height: float, y: float = 0.0, z: float = 0.0) -> tuple[tuple[float, float], ...]:
    """Of a rectangle about a place."""
    b, h = 0.5 * width, 0.5 * height
    return ((y - b, z - h), (y + b, z - h), (y + b, z + h), (y - b, z + h))


def test_that_outlines_are_read_with_their_holes_and_faults_are_said_with_the_line(tmp_path: Path) -> None:
    file = tmp_path / "outline.csv"
    file.write_text("y, z\n0, 0\n2, 0\n2, 1\n0, 1\n\n0.5, 0.5\n1, 0.5\n1, 0.7\n")
    outside, hole = read_outlines(file)
    assert outside == ((0.0, 0.0), (2.0, 0.0), (2.0, 1.0), (0.0, 1.0))
    assert hole[2] == (1.0, 0.7)
    for text, sentence in (
        ("0,0\n1,x\n", "line 2, column z: expected a number, found 'x'"),
        ("0,0\n1\n", "line 2: expected two numbers, y and z, found 1"),
        ("0,0\n1,0\n\n1,1\n", "outline 1 has fewer than three points"),
        ("y,z\n", "it has no points"),
        ("0,0\n1000,0\n1,1\n", "line 2 lies beyond 100 m"),
        ("0,0\nnan,0\n1,1\n", "line 2, column y: the number must be finite"),
    ):
        file.write_text(text)
        with pytest.raises(InputError, match=sentence) as told:
            read_outlines(file)
        assert str(told.value).startswith(str(file))


def test_that_the_extra_is_named_where_its_package_is_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "sectionproperties", None)
    monkeypatch.setitem(sys.modules, "sectionproperties.analysis", None)
    with pytest.raises(
        InputError, match=r"o\.csv: figures of an outline need .* 'ridewright\[sections\]'|sections"
    ):
        section_of((corners(1.0, 1.0),), "o.csv")


def test_that_a_square_bar_has_the_figures_of_saint_venant(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """a^4 / 12, 0.140577 a^4, 0.208 a^3 (largest shear stress at the middle of a side), 5/6 of the area; off its own
    axes it has them all the same."""
    pytest.importorskip("sectionproperties", reason="finds figures of outlines (extra 'sections')")
    a = 0.1
    file = tmp_path / "square.csv"
    file.write_text("\n".join(f"{y},{z}" for y, z in corners(a, a, 3.0, -1.0)))
    assert main(["section", str(file), "--json"]) == 0
    made = BeamSection.model_validate(json.loads(capsys.readouterr().out))
    assert made.area == pytest.approx(a**2, rel=1e-9)
    assert (made.moment_y, made.moment_z) == pytest.approx((a**4 / 12.0,) * 2, rel=1e-9)
    assert made.torsion == pytest.approx(0.140577 * a**4, rel=1e-3)
    assert made.twist == pytest.approx(0.2082 * a**3, rel=0.02)
    assert (made.shear_y, made.shear_z) == pytest.approx((5.0 / 6.0 * a**2,) * 2, rel=1e-3)
    assert (made.half_y, made.half_z) == pytest.approx((0.5 * a, 0.5 * a))
    assert main(["section", str(file)]) == 0
    assert "moment_y" in capsys.readouterr().out


def test_that_axes_that_are_not_those_of_the_section_are_refused_with_the_turn() -> None:
    """An angle of like legs lies along the diagonals."""
    pytest.importorskip("sectionproperties", reason="finds figures of outlines (extra 'sections')")
    angle = ((0.0, 0.0), (0.1, 0.0), (0.1, 0.01), (0.01, 0.01), (0.01, 0.1), (0.0, 0.1))
    with pytest.raises(InputError, match=r"turn the outline by -?45 degrees"):
        section_of((angle,), "angle")
    with pytest.raises(InputError, match="the outlines cross"):
        section_of((((0.0, 0.0), (1.0, 1.0), (1.0, 0.0), (0.0, 1.0)),), "bow")
    flat = section_of((corners(0.2, 0.1),), "flat")
    assert flat.Iz == pytest.approx(4.0 * flat.Iy, rel=1e-9)  # y is along the wide side
    assert flat.reach == pytest.approx((0.1, 0.05))
    assert flat.torsion == pytest.approx(0.229 * 0.2 * 0.1**3, rel=2e-3)


def test_that_a_turned_angle_is_taken_as_the_sentence_says() -> None:
    pytest.importorskip("sectionproperties", reason="finds figures of outlines (extra 'sections')")
    import math
    import re

    angle = ((0.0, 0.0), (0.1, 0.0), (0.1, 0.012), (0.01, 0.012), (0.01, 0.06), (0.0, 0.06))
    with pytest.raises(InputError) as told:
        section_of((angle,), "angle")
    found = re.search(r"by (-?[\d.]+) degrees", str(told.value))
    assert found is not None
    t = math.radians(float(found[1]))
    turned = tuple((y * math.cos(t) - z * math.sin(t), y * math.sin(t) + z * math.cos(t)) for y, z in angle)
    assert section_of((turned,), "angle").area == pytest.approx(0.1 * 0.012 + 0.01 * 0.048)


@pytest.mark.parametrize(
    ("outlines", "sentence"),
    [
        ((corners(0.2, 0.1, 0.1, 0.05), ((0.05, 0.02), (0.2, 0.0), (0.1, 0.08))), "two outlines touch"),
        (
            (corners(0.2, 0.1), corners(0.05, 0.05, -0.025), corners(0.05, 0.05, 0.025)),
            "outlines cross|touch",
        ),
        ((corners(1e-9, 0.3),), "give the corners in metres"),
        ((corners(1e-4, 0.5),), "too thin"),
        ((corners(1.0, 1.0), corners(1.0 - 1e-4, 1.0 - 1e-4)), "too thin"),
    ],
)
def test_that_outlines_that_no_mesh_can_be_made_of_are_refused(
    outlines: tuple[Outline, ...], sentence: str
) -> None:
    """Where two touched the mesher ended the program; a wall of a nanometre took all memory there is."""
    pytest.importorskip("sectionproperties", reason="finds figures of outlines (extra 'sections')")
    with pytest.raises(InputError, match=sentence):
        section_of(outlines, "o.csv")


def test_that_a_closed_outline_is_that_without_its_corner_again() -> None:
    """With its first corner at its end once more, torsion and shear were those of singular equations."""
    pytest.importorskip("sectionproperties", reason="finds figures of outlines (extra 'sections')")
    plain = corners(0.2, 0.1)
    assert section_of(((*plain, plain[0], plain[0]),), "o.csv") == section_of((plain,), "o.csv")
    with pytest.raises(InputError, match="fewer than three different corners"):
        section_of(((plain[0], plain[0], plain[1]),), "o.csv")
