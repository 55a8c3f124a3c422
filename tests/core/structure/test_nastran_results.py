"""Files of results of Nastran: a space frame of 117 bars that Nastran solved, as the tests of pyyeti bring it along."""

from __future__ import annotations

import random
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pytest
from scipy.sparse import csc_matrix

from ridewright.core.base.errors import InputError
from ridewright.core.cli.program import main
from ridewright.core.multibody.import_structure import Wanted, imported
from ridewright.core.project.examples import load_example
from ridewright.core.project.project import save_project
from ridewright.core.structure import matrices, reduction_error
from ridewright.core.structure.beams import Beam, frame
from ridewright.core.structure.model import Structure
from ridewright.core.structure.nastran_results import read_op2_modes, read_op2_nodes
from ridewright.core.structure.reduction import craig_bampton, lowest_modes
from ridewright.core.structure.reduction_error import beside
from ridewright.core.structure.sections import Material, Section

pyyeti = pytest.importorskip("pyyeti")
FOLDER = Path(pyyeti.__file__).parent / "tests" / "nas2cam_extseout"
TIED = "33", "330"  # nodes at one place, held together by an RBE2
STIFF = 1e3  # of their tie, times that of what it ties
ELASTIC = 6  # the first mode that is no rigid motion, of a free frame


@dataclass(frozen=True)
class Model:
    """What the input of Nastran says: places (mm) of nodes, bars with the number of their section."""

    nodes: dict[str, tuple[float, float, float]]
    beams: list[Beam]


@pytest.fixture(scope="module")
def model() -> Model:
    """The input file, its numbers as they stand: mm, kg, s, so that stresses are in kPa."""
    nodes: dict[str, tuple[float, float, float]] = {}
    sections: dict[str, Section] = {}
    bars = []
    for line in (FOLDER / "full.dat").read_text().splitlines():
        kind, *cells = (line[k : k + 8].strip() for k in range(0, 72, 8))
        if kind == "GRID":
            x, y, z = (float(cell) for cell in cells[2:5])
            nodes[cells[0]] = (x, y, z)
        elif kind == "PBAR":
            area, one, two, torsion = (float(cell) for cell in cells[2:6])
            sections[cells[0]] = Section(area, two, one, torsion, 1e8 * area, 1e8 * area)  # stiff in shear
        elif kind == "CBAR":
            bars.append(cells[1:4])
    own = Material(6.894e7, 2.62e7, 2.74e-6)
    beams = []
    for number, start, end in bars:
        along = np.subtract(nodes[end], nodes[start])
        up = (0.0, 0.0, 1.0) if np.hypot(*along[:2]) > 1.0 else (1.0, 0.0, 0.0)
        beams.append(Beam(start, end, sections[number], own, up, elements=1))
    return Model(nodes, beams)


@pytest.fixture(scope="module")
def free(model: Model) -> Structure:
    """Our frame, its two nodes at one place tied by a stiff spring."""
    made = frame(model.nodes, model.beams)
    names = list(model.nodes)
    one, other = (made.unknowns[names.index(name)] for name in TIED)
    K = made.K.tolil()
    for i, j in zip(one, other, strict=True):
        stiff = STIFF * (made.K[i, i] + made.K[j, j])
        for a, b, sign in ((i, i, 1), (j, j, 1), (i, j, -1), (j, i, -1)):
            K[a, b] += sign * stiff
    return Structure(made.nodes, made.unknowns, csc_matrix(K), made.M)


def test_that_our_frame_has_the_frequencies_that_nastran_found(free: Structure) -> None:
    # Nastran's bars have no rotary inertia of their sections; ours do, and are slower by 2e-4 at most
    numbers, _ = read_op2_nodes(FOLDER / "full.op2")
    found = read_op2_modes(FOLDER / "full.op2", numbers).hertz[ELASTIC:33]
    own = lowest_modes(free, 33, np.zeros(0, int))[0][ELASTIC:] / (2.0 * np.pi)
    np.testing.assert_allclose(own, found, rtol=4e-4)
    np.testing.assert_allclose(own[:3], found[:3], rtol=1e-5)
    assert np.all(own < found)


def test_that_modes_of_nastran_are_those_of_our_matrices(model: Model, free: Structure) -> None:
    order = np.argsort([int(node) for node in model.nodes])
    sorted_ = Structure(free.nodes[order], free.unknowns[order], free.K, free.M, {"in": 31, "out": 24})
    numbers, places = read_op2_nodes(FOLDER / "full.op2")
    np.testing.assert_allclose(places, sorted_.nodes)
    found = read_op2_modes(FOLDER / "full.op2", numbers)
    for modes, worst in ((20, 0.9998), (1, 0.0)):
        reduced = craig_bampton(sorted_, ("in", "out"), modes)
        both = beside(sorted_, reduced.basis, float(reduced.frequencies()[ELASTIC]), found)
        np.testing.assert_allclose([mode.here for mode in both], [mode.there for mode in both], rtol=4e-4)
        shares = [mode.share for mode in both]
        assert worst <= min(shares)
        assert max(shares) < 1.0 + 1e-9
    assert min(shares) < 0.5  # beyond what one mode between the interfaces can do


@pytest.fixture
def wanted(model: Model, free: Structure, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Wanted:
    """The frame as Nastran would write it: matrices in op4, of masses in its nodes, nodes and modes in op2. It is in
    mm, which is refused where units are looked at; here it is let pass."""
    from pyyeti.nastran import op4

    monkeypatch.setattr(matrices, "FASTEST_SOUND", 1e8)
    rows = free.unknowns[np.argsort([int(node) for node in model.nodes])].ravel()
    moves = np.ravel(rows.reshape(-1, 6)[:, :3])
    lumps = np.zeros(free.size)
    lumps[moves] = np.repeat(free.M[moves[::3]][:, moves[::3]].sum(axis=1).A1, 3)
    for name, matrix in (("K", free.K[rows][:, rows].toarray()), ("M", np.diag(lumps[rows]))):
        op4.write(str(tmp_path / f"{name}GG.op4"), [f"{name}GG"], [matrix])
    (tmp_path / "interface.json").write_text(
        '[{"name": "inboard", "position": [2100, 0, 0], "nodes": [31]},'
        ' {"name": "outboard", "position": [0, 0, 0], "nodes": [24]}]'
    )
    return Wanted(
        tmp_path / "KGG.op4", None, tmp_path / "MGG.op4", FOLDER / "full.op2", tmp_path / "interface.json",
        {"inboard": "A", "outboard": "B"}, 20, "Truss", results=FOLDER / "full.op2",
    )  # fmt: skip


def test_that_modes_of_another_model_are_refused(wanted: Wanted) -> None:
    # with its masses in its nodes the frame is slower
    with pytest.raises(InputError, match=r"its mode 7 has 1\.6988 Hz, and with these matrices 1\.6687 Hz"):
        imported(wanted)


def test_that_the_command_shows_modes_of_nastran_beside_its_own(
    wanted: Wanted, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(reduction_error, "OTHER_MODEL", 0.3)
    project, out = tmp_path / "rig.ridewright", tmp_path / "out.ridewright"
    save_project(load_example("swing_beam"), project)
    assert wanted.frames is not None
    status = main(
        ["import-structure", str(project), "--stiffness", str(wanted.file), "--mass", str(wanted.mass), "--nodes",
         str(wanted.nodes), "--results", str(wanted.results), "--frames", str(wanted.frames), "--join",
         "outboard=Seats", "--modes", "20", "--out", str(out)]
    )  # fmt: skip
    told, said = capsys.readouterr()
    assert status == 0, said
    assert "3.34544 kg" in told  # as Nastran's own list of weights has it
    rows = [line.split() for line in told[told.index("of the file Hz") :].splitlines()[1:]]
    figures = [[float(cell) for cell in row] for row in rows if row and row[0][0].isdigit()]
    assert len(figures) == 12
    assert figures[0] == pytest.approx([1.6988, 1.66874, -1.8, 100.0], rel=1e-4)


def _all_of(file: Path) -> None:
    read_op2_modes(file, read_op2_nodes(file)[0])


@pytest.mark.parametrize(
    ("name", "sentence"),
    [
        ("nas2cam_extseout/assemble.op2", "unknown 1995001 is a scalar point"),
        ("nastran_op2_data/tugd_2020_32bit.op2", "has no modes; ask for DISPLACEMENT"),
        ("nas2cam/no_se_nas2cam.op2", "has no table of nodes"),
        ("nas2cam_extseout/inboard.op4", "this is no readable op2 file"),
    ],
)
def test_that_what_is_not_there_is_said(name: str, sentence: str) -> None:
    with pytest.raises(InputError, match=sentence):
        _all_of(FOLDER.parent / name)


def test_that_nodes_without_modes_are_named(wanted: Wanted) -> None:
    with pytest.raises(InputError, match="do not move node 900"):
        read_op2_modes(FOLDER / "full.op2", np.array([1, 900]))


def test_that_millimetres_are_refused(wanted: Wanted, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.undo()
    with pytest.raises(InputError, match="export in N/m, kg and m"):
        imported(wanted)


def test_that_damaged_results_are_read_or_refused_in_one_sentence(tmp_path: Path) -> None:
    good = (FOLDER.parent / "nastran_op2_data" / "tugd_2020_32bit.op2").read_bytes()
    rng, refused, bad = random.Random(3), 0, tmp_path / "bad.op2"
    for _ in range(40):
        content = bytearray(good)
        for _ in range(rng.choice((1, 4, 30))):
            content[rng.randrange(len(content))] = rng.randrange(256)
        bad.write_bytes(content[: rng.choice((len(content), rng.randrange(len(content))))])
        sentence = _refusal(bad)
        refused += bool(sentence)
        assert sentence == "" or sentence.startswith(str(bad))
    assert refused > 10


def _refusal(file: Path) -> str:
    """Why a file is refused; nothing when it is read."""
    try:
        assert len(read_op2_nodes(file)[0])
    except InputError as error:
        return str(error)
    return ""
