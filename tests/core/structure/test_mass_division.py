"""Masses at frames instead of a mass matrix: how far off a uniform beam is, and the command that tells."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from ridewright.core.base.errors import InputError
from ridewright.core.cli.program import main
from ridewright.core.project.examples import load_example
from ridewright.core.project.project import save_project
from ridewright.core.structure.beams import Beam, frame
from ridewright.core.structure.mass_division import KEPT, SHARES, Row, mass_division
from ridewright.core.structure.model import Structure
from ridewright.core.structure.sections import Section, box

BOX = box(0.1, 0.1, 0.005)
#: Slender and stiff in shear: Euler's beam, bending first along z.
EULER = Section(BOX.area, BOX.Iy, 1.7 * BOX.Iz, BOX.torsion, 1e3 * BOX.shear_y, 1e3 * BOX.shear_z)


def _beam(elements: int = 40) -> Structure:
    ends = {"root": (0.0, 0.0, 0.0), "tip": (30.0, 0.0, 0.0)}
    return frame(ends, [Beam("root", "tip", EULER, elements=elements)])


def _row(rows: tuple[Row, ...], way: str, kept: int = 0) -> Row:
    return next(row for row in rows if row.way == way and row.modes == kept)


def test_that_a_uniform_beam_is_off_by_what_independent_figures_say() -> None:
    """Consistent reduction +4.8e-4, with two modes +7.9e-6; all mass on the middle +2.0e-2 and 5/48 instead of 1/8 of
    the sag under own weight; HRZ lumps -1.13e-1. A force at the free end bends all of them alike."""
    found = mass_division(_beam(), "root", "tip")
    euler = 1.8751040687**2 / (2.0 * np.pi) * np.sqrt(2.1e11 * EULER.Iy / (7850.0 * EULER.area)) / 30.0**2
    assert found.first == pytest.approx(euler, rel=1e-4)
    assert _row(found.rows, "consistent").frequency == pytest.approx(4.8e-4, rel=0.03)
    assert _row(found.rows, "consistent", 2).frequency == pytest.approx(7.9e-6, rel=0.03)
    middle = _row(found.rows, "1e-06 % on each end")
    assert middle.frequency == pytest.approx(2.0e-2, abs=5e-4)
    assert middle.weight == pytest.approx(5.0 / 48.0 * 8.0 - 1.0, rel=1e-4)
    lumps = [_row(found.rows, "HRZ lumps", kept) for kept in KEPT]
    assert [row.frequency for row in lumps] == pytest.approx([-0.113] * len(KEPT), abs=2e-3)
    assert np.ptp([row.frequency for row in lumps]) < 1e-9
    assert max(abs(row.force) for row in found.rows) < 1e-6
    consistent = [row for row in found.rows if row.way == "consistent"]
    assert max(abs(row.weight) for row in consistent) < 1e-6


def test_that_less_mass_on_the_ends_is_further_off_and_makes_the_model_stiffer() -> None:
    """As in table 2, where 1 % is 2.72 % off and 0.000001 % is 4.50 % off."""
    rows = mass_division(_beam(), "root", "tip").rows[-len(SHARES) :]
    off = [row.frequency for row in rows]
    assert off == sorted(off)
    assert off[-1] - off[-2] < 0.01 * off[-1]
    assert rows[-1].highest > 100.0 * rows[0].highest


def test_that_a_mass_at_the_free_end_hides_how_the_rest_is_divided() -> None:
    """Four times the beam's mass: 3 E I / L^3 over the mass and 33/140 of the beam's, Rayleigh's figure."""
    structure = _beam()
    heavy = 4.0 * structure.mass
    found = mass_division(structure, "root", "tip", np.diag([heavy] * 3 + [0.0] * 3))
    stiffness = 3.0 * 2.1e11 * EULER.Iy / 30.0**3
    rayleigh = np.sqrt(stiffness / (heavy + 33.0 / 140.0 * structure.mass)) / (2.0 * np.pi)
    assert found.first == pytest.approx(rayleigh, rel=1e-3)
    alone = mass_division(structure, "root", "tip")
    for way in ("HRZ lumps", "0.01 % on each end"):
        ratio = _row(found.rows, way).frequency / _row(alone.rows, way).frequency
        assert 0.0 < ratio < 0.4
        assert _row(found.rows, way).weight == pytest.approx(_row(alone.rows, way).weight, rel=1e-6)


def test_that_the_command_prints_the_table_and_refuses_in_one_sentence(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = str(tmp_path / "swing.ridewright")
    save_project(load_example("swing_beam"), file)
    assert main(["mass-division", file, "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["first"] == pytest.approx(8.80, abs=5e-3)
    assert len(told["rows"]) == 2 * len(KEPT) + len(SHARES)
    assert main(["mass-division", file, "--at-free", "4000"]) == 0
    assert "0.01 % on each end" in capsys.readouterr().out
    for words, sentence in (
        (["--free", "x"], "no interface at node 'x'; it has some at 'top', 'bottom'"),
        (["--free", "top"], "'top' cannot be clamped and free"),
        (["--body", "Nobody"], "does not have the flexible body 'Nobody'; it has: 'Main beam'"),
        (["--at-free", "-1"], "--at-free -1: must be 0 kg or more"),
    ):
        assert main(["mass-division", file, *words]) == 2
        assert sentence in capsys.readouterr().err
    with pytest.raises(InputError, match="no node between its ends"):
        mass_division(_beam(1), "root", "tip")
