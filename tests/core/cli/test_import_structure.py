"""The solid arm, from matrices into a rig, against the modes of its whole model."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from scipy.io import mmread
from scipy.sparse import csc_matrix
from scipy.sparse.linalg import eigsh

from ridewright.core.cli.program import main
from ridewright.core.model.assembly import Assembly
from ridewright.core.model.bodies import Body
from ridewright.core.project.project import Project, load_project, save_project
from ridewright.core.project.scenario import Rig
from ridewright.core.solver.modes import modes_at_rest
from tests.core.structure.ansys_writer import write_arm

ARM = Path(__file__).parents[1] / "structure" / "arm"
REFERENCE = json.loads((ARM / "reference.json").read_text(encoding="utf-8"))


def _rig(file: Path) -> None:
    head = Body(name="Head", mass=1e-6, inertia=(1e-9,) * 3, position=(2.4, 0.25, 0.0))
    top = Assembly(name="Rig", role="rig", bodies=(head,))
    save_project(Project(name="arm", gravity=(0.0, 0.0, 0.0), scenario=Rig(assembly=top, duration=0.1)), file)


def _words(tmp_path: Path, **changed: str) -> list[str]:
    given = {
        "stiffness": str(ARM / "K.mtx.gz"), "mass": str(ARM / "M.mtx.gz"), "nodes": str(ARM / "nodes.csv"),
        "frames": str(ARM / "interface.json"), "modes": "4", "name": "Arm", "out": str(tmp_path / "out.ridewright"),
        **changed,
    }  # fmt: skip
    options = [word for key, value in given.items() for word in (f"--{key}", value)]
    return ["import-structure", str(tmp_path / "rig.ridewright"), *options]


@pytest.mark.parametrize("of", ["Matrix Market", "Ansys"])
def test_that_an_imported_arm_has_the_frequencies_of_its_whole_model(tmp_path: Path, of: str) -> None:
    """Clamped at its root; Craig-Bampton with four modes: within 1.3e-4, and with static corrections better."""
    _rig(tmp_path / "rig.ridewright")
    changed = {}
    if of == "Ansys":
        write_arm(tmp_path, hole=100)
        full = str(tmp_path / "model.full")
        changed = {"stiffness": full, "mass": full, "nodes": str(tmp_path / "model.rst")}
    assert main([*_words(tmp_path, **changed), "--join", "root=ground", "tip=Head"]) == 0
    project = load_project(tmp_path / "out.ridewright")
    _, _, found = modes_at_rest(project, 4)
    exact = np.array(REFERENCE["clamped_root_Hz"][:4])
    np.testing.assert_allclose([m.frequency for m in found][:2], exact[:2], rtol=1.3e-4)
    assert [m.damping for m in found] == pytest.approx([0.05] * 4, rel=1e-3)
    assert project.assembly is not None
    assert project.assembly.mass() == pytest.approx(REFERENCE["mass"], rel=1e-6)


def test_that_a_reduced_arm_is_compared_with_the_whole_one(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Frequencies of the whole are those of the reference; kept modes are off by less than 1.3e-4 with MAC 0.999."""
    _rig(tmp_path / "rig.ridewright")
    assert main([*_words(tmp_path), "--check", "--join", "root=ground", "tip=Head"]) == 0
    rows = [line.split() for line in capsys.readouterr().out.splitlines()[3:]]
    whole = [float(row[2]) for row in rows]
    np.testing.assert_allclose(whole, REFERENCE["clamped_root_Hz"][: len(rows)], rtol=1e-5)
    assert len(rows) == 6
    for row in rows[:2]:
        assert 0.0 <= float(row[3]) < 1.3e-2
        assert float(row[4]) > 0.999
    assert max(float(row[7]) for row in rows) == pytest.approx(100.0 * first_share(), abs=0.1)


def first_share() -> float:
    """Of the mass, what swings up and down with the first such mode of the clamped arm, from its whole matrices."""
    K, M = (csc_matrix(mmread(ARM / f"{name}.mtx.gz")) for name in "KM")
    places = np.loadtxt(ARM / "nodes.csv", delimiter=",", skiprows=1)[:, 1:4]
    free = np.repeat(places[:, 0] > 1e-9, 3)
    shapes = eigsh(K[free][:, free], 4, M[free][:, free], sigma=0.0)[1]
    up = np.tile([0.0, 0.0, 1.0], len(places))
    moved = (shapes.T @ (M[free] @ up)) ** 2 / (up @ (M @ up))
    return float(moved.max())


@pytest.mark.parametrize(
    ("join", "changed", "sentence"),
    [
        (["root"], {}, "--join root: write FRAME=BODY"),
        (["elbow=Head"], {}, "there is no interface 'elbow'"),
        (["tip=Nobody"], {}, "refers to body 'Nobody', which does not exist"),
        (["tip=Head"], {"frames": str(ARM / "nodes.csv")}, "no list of interfaces"),
        (["tip=Head"], {"mass": str(ARM / "nodes.csv")}, "nodes.csv"),
        (["tip=Head"], {"modes": "400"}, "--modes 400: must be from 0 to 60"),
    ],
)
def test_that_bad_input_is_one_sentence(
    join: list[str],
    changed: dict[str, str],
    sentence: str,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    _rig(tmp_path / "rig.ridewright")
    assert main([*_words(tmp_path, **changed), "--join", *join]) == 2
    told = capsys.readouterr().err
    assert sentence in told
    assert "Traceback" not in told
    assert not (tmp_path / "out.ridewright").exists()
