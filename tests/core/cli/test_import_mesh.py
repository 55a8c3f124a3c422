"""The solid arm, from its mesh into a rig: frequencies, stress of a run against statics, refusals."""

from __future__ import annotations

import itertools
import json
from pathlib import Path

import numpy as np
import pytest
from scipy.sparse.linalg import splu

pytest.importorskip("skfem", reason="has the shape functions (extra 'structure')")
pytest.importorskip("meshio", reason="reads meshes (extra 'structure')")

from ridewright.core.cli.program import main
from ridewright.core.edits.elements import set_element
from ridewright.core.outcome.stress import stress_of
from ridewright.core.project.project import load_project, save_project
from ridewright.core.results.file import write_results
from ridewright.core.run.simulate import simulate
from ridewright.core.solver.modes import modes_at_rest
from ridewright.core.structure.solids import nodal_stress, outer_faces
from tests.core.cli.test_import_structure import ARM, REFERENCE, _rig, _words
from tests.core.structure.test_solids import arm, mesh

FRAMES = (
    {"name": "root", "position": [0.0, 0.0, 0.0], "set": "ROOT"},
    {"name": "tip", "position": [2.4, 0.25, 0.0], "set": "TIP"},
)


def _imported(tmp_path: Path, *more: str, frames: object = FRAMES, mesh: Path = ARM / "arm.inp") -> int:
    _rig(tmp_path / "rig.ridewright")
    (tmp_path / "frames.json").write_text(json.dumps(frames), encoding="utf-8")
    out, given = tmp_path / "out.ridewright", tmp_path / "frames.json"
    words = [
        "import-structure",
        str(tmp_path / "rig.ridewright"),
        "--mesh",
        str(mesh),
        "--frames",
        str(given),
    ]
    return main([*words, "--name", "Arm", "--out", str(out), *more, "--join", "root=ground", "tip=Head"])


def test_that_an_arm_from_its_mesh_has_the_frequencies_of_its_whole_model(tmp_path: Path) -> None:
    assert _imported(tmp_path) == 0
    _, _, found = modes_at_rest(load_project(tmp_path / "out.ridewright"), 4)
    exact = np.array(REFERENCE["clamped_root_Hz"][:2])
    np.testing.assert_allclose([m.frequency for m in found][:2], exact, rtol=1e-4)


def test_that_the_stress_of_a_run_is_found_again_by_the_command(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """An arm that sinks under its own weight from straight, lightly damped: at most twice the stress at rest, and more
    than that."""
    assert _imported(tmp_path, "--modes", "2") == 0
    project = load_project(tmp_path / "out.ridewright")
    heavy = {"mass": 200.0, "inertia": (4.0, 5.0, 6.0)}
    project = set_element(project, "body", ("Head",), heavy).model_copy(update={"gravity": (0.0, 0.0, -9.81)})
    scenario = project.scenario.model_copy(update={"duration": 0.12})
    results = simulate(project.model_copy(update={"scenario": scenario}))
    (one,) = stress_of(results)
    envelope = one.superposition.envelope(one.modal)
    assert one.spot(0).part.startswith("node ")
    file = tmp_path / "results.h5"
    write_results(results, file)
    capsys.readouterr()
    assert main(["stress", str(file), "--json"]) == 0
    (told,) = json.loads(capsys.readouterr().out)
    assert told["largest_Pa"] == pytest.approx(envelope.worst.max(), rel=1e-6)
    # M z / I of the load at the tip where the box begins, 0.05 m from the root
    width, height = 0.2 - 0.08 * 0.05 / 2.4, 0.16 - 0.06 * 0.05 / 2.4
    inertia = (width * height**3 - (width - 0.02) * (height - 0.02) ** 3) / 12.0
    rest = (200.0 * 2.35 + REFERENCE["mass"] * 0.99) * 9.81 * height / 2.0 / inertia
    assert 1.2 * rest < told["largest_Pa"] < 2.6 * rest
    both = ["--cases", "tip", "root", "--cases", "root", "tip"]
    assert main(["stress", str(file), "--json", *both, "--factor", "1.2"]) == 0
    (told,) = json.loads(capsys.readouterr().out)
    for cases, (loaded, clamped) in zip(told["load_cases"], (("tip", "root"), ("root", "tip")), strict=True):
        loads = one.loads(loaded)
        np.testing.assert_allclose([cases["low"], cases["high"]], [loads.min(axis=0), loads.max(axis=0)])
        wanted = 1.2 * _worst_of_cases(np.array([cases["low"], cases["high"]]), loaded, clamped)
        assert cases["largest_Pa"] == pytest.approx(wanted, rel=1e-4)
    assert main(["stress", str(file), *both]) == 0
    words = " ".join(capsys.readouterr().out.split())
    assert "tip loaded MPa root loaded MPa" in words
    assert "root tip of the run" in words


def _worst_of_cases(box: np.ndarray, loaded: str, clamped: str) -> float:
    """Largest von Mises stress (Pa) on the outside of the whole mesh under every corner of a box of forces."""
    tied, solid = arm(), mesh().solid
    s = tied.structure
    free = np.setdiff1d(np.arange(s.size), s.of_frame(clamped))
    load = np.zeros((s.size, 64))
    corners = itertools.product(*box.T)
    load[s.of_frame(loaded)] = np.array(list(corners)).T
    q = np.zeros_like(load)
    q[free] = splu(s.K[free][:, free].tocsc()).solve(load[free])
    moves = (tied.T[: 3 * len(solid.nodes)] @ q).reshape(-1, 3, 64)
    x, y, z, xy, yz, xz = nodal_stress(solid, moves)[np.unique(outer_faces(solid))].transpose(1, 0, 2)
    mises = 0.5 * ((x - y) ** 2 + (y - z) ** 2 + (z - x) ** 2) + 3.0 * (xy**2 + yz**2 + xz**2)
    return float(np.sqrt(mises.max()))


def test_that_a_check_says_which_imported_structures_have_no_geometric_stiffening(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "out.ridewright"
    assert _imported(tmp_path) == 0
    assert main(["check", str(out)]) == 0
    assert "stiffening" not in capsys.readouterr().out
    assert main([*_words(tmp_path), "--join", "root=ground", "tip=Head"]) == 0
    capsys.readouterr()
    assert main(["check", str(out)]) == 0
    assert "Flexible body 'Arm': no geometric stiffening is known of it" in capsys.readouterr().out
    assert main(["simulate", str(out), "--out", str(tmp_path / "run")]) == 0
    assert "no geometric stiffening" in " ".join(capsys.readouterr().out.split())
    project = load_project(out)
    meant = set_element(project, "flexible", ("Arm",), {"stiffening": False})
    save_project(meant, out)
    assert main(["check", str(out)]) == 0
    assert "stiffening" not in capsys.readouterr().out


def test_that_matrices_without_elements_have_no_stress_and_say_so(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    _rig(tmp_path / "rig.ridewright")
    assert main([*_words(tmp_path), "--join", "root=ground", "tip=Head"]) == 0
    assert (
        "488 nodes are drawn without stress, for which a mesh is needed, and without geometric stiffening"
        in capsys.readouterr().out
    )
    results = simulate(load_project(tmp_path / "out.ridewright"))
    write_results(results, tmp_path / "results.h5")
    assert main(["stress", str(tmp_path / "results.h5")]) == 2
    assert "'Arm' has no stress: it was imported as matrices" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("more", "frame", "sentence"),
    [
        (("--E", "210000"), {}, "Young's modulus 210000 Pa"),
        (("--mass", "M.mtx"), {}, "but not both"),
        ((), {"set": "ELBOW"}, "is tied to set 'ELBOW', and the sets of the mesh are: 'ALL', 'ROOT', 'TIP'"),
        ((), {"set": None, "nodes": [0, 489]}, "tied to node 489, which no element of the mesh has"),
        ((), {"set": None, "within": 0.01}, "frames.json: Frame 'root' is tied to no node"),
        ((), {"set": None, "within": 5.0}, "m away in a structure of"),
        ((), {"set": None}, "needs one of 'nodes', 'set' and 'within'"),
    ],
)
def test_that_bad_input_is_one_sentence(
    more: tuple[str, ...],
    frame: dict[str, object],
    sentence: str,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    changed = {key: value for key, value in (FRAMES[0] | frame).items() if value is not None}
    assert _imported(tmp_path, *more, frames=[changed, FRAMES[1]]) == 2
    told = capsys.readouterr().err
    assert sentence in told
    assert not (tmp_path / "out.ridewright").exists()
