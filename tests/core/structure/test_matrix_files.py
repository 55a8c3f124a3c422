"""Matrices of Nastran and CalculiX: the same structure as by our own way, and one sentence for what is none."""

from __future__ import annotations

import gzip
import random
import sys
from pathlib import Path

import numpy as np
import pytest
from scipy.sparse import csc_matrix

from ridewright.core.base.errors import InputError
from ridewright.core.structure.matrices import read_structure
from ridewright.core.structure.model import NONE, Structure
from ridewright.core.structure.reduction import lowest_modes

BOX = Path(__file__).parent / "calculix"


@pytest.fixture
def box(tmp_path: Path) -> Path:
    """What CalculiX wrote of two skewed hexahedra."""
    for name in ("box.csv", "box.dof", "box.inp"):
        (tmp_path / name).write_bytes((BOX / name).read_bytes())
    for name in ("box.sti", "box.mas"):
        (tmp_path / name).write_bytes(gzip.decompress((BOX / f"{name}.gz").read_bytes()))
    return tmp_path


def _read(folder: Path) -> Structure:
    return read_structure(folder / "box.sti", folder / "box.mas", folder / "box.csv")


def _elastic(s: Structure) -> np.ndarray:
    """The six lowest frequencies (Hz) of the free structure above rigid motions."""
    return np.asarray(lowest_modes(s, 12, np.zeros(0, int))[0][6:] / (2.0 * np.pi))


def test_that_matrices_of_calculix_are_those_of_our_own_elements(box: Path) -> None:
    pytest.importorskip("skfem")
    from ridewright.core.structure.meshes import read_mesh
    from ridewright.core.structure.solids import Material, structure_of

    found, own = _read(box), structure_of(read_mesh(box / "box.inp", Material()).solid)
    assert found.size == own.size == 96
    np.testing.assert_allclose(_elastic(found), _elastic(own), rtol=1e-6)
    order = [int(np.linalg.norm(own.nodes - place, axis=1).argmin()) for place in found.nodes]
    rows = own.unknowns[order, :3].ravel()
    exact = own.K[rows][:, rows]
    assert abs(found.K - exact).max() < 1e-7 * abs(exact).max()


def test_that_the_order_of_unknowns_is_taken_from_their_names(box: Path) -> None:
    before = _read(box)
    names = (box / "box.dof").read_text().split()
    size, rng = len(names), random.Random(5)
    turn = list(range(size))
    rng.shuffle(turn)
    place = {old: new + 1 for new, old in enumerate(turn)}
    (box / "box.dof").write_text("\n".join(names[k] for k in turn))
    for name in ("box.sti", "box.mas"):
        rows = [line.split() for line in (box / name).read_text().splitlines()]
        moved = [(*sorted((place[int(i) - 1], place[int(j) - 1])), value) for i, j, value in rows]
        (box / name).write_text("\n".join(f"{i} {j} {value}" for i, j, value in moved))
    after = _read(box)
    assert abs(after.K - before.K).max() == 0.0
    assert abs(after.M - before.M).max() == 0.0


@pytest.mark.parametrize(
    ("name", "change", "sentence"),
    [
        ("box.dof", lambda text: text.replace("5.2\n", "", 1), "node 5 along y is not in it"),
        ("box.dof", lambda text: text.replace("5.2\n", "5.1\n", 1), "node 5 along x is in it twice"),
        (
            "box.dof",
            lambda text: text.replace("5.2\n", "6.2\n", 1),
            "unknown 6.2 belongs to no node of box.csv",
        ),
        ("box.dof", lambda text: text.replace("5.2\n", "5.4\n", 1), "unknown 5.4 belongs to no node"),
        ("box.dof", lambda text: "x" + text, "no list of unknowns"),
        ("box.dof", lambda text: "", "node 5 along x is not in it"),
        ("box.sti", lambda text: "2 1 3.0\n" + text, "outside the upper half of 96 unknowns"),
        ("box.sti", lambda text: text + "97 97 1.0\n", "outside the upper half"),
        ("box.sti", lambda text: text[: text.rindex(" ")], "two numbers and a value"),
        ("box.sti", lambda text: "1 1 nan\n" + text, "rows of row, column and value"),
        ("box.mas", lambda text: "", "box.mas"),
        ("box.dof", lambda text: text.replace("5.1", f"{10**30}.1"), "no list of unknowns"),
        ("box.dof", lambda text: text.replace("5.1\n5.2", "5\n1\n5\n2"), "no list of unknowns"),
        ("box.csv", lambda text: text + "500, 0, 0, 3\n", "node 500 along x is not in it"),
        (
            "box.csv",
            lambda text: text + f"{2**63}, 0, 0, 3\n",
            "has node number 9223372036854775808; number nodes from 1",
        ),
        ("box.csv", lambda text: text + f"{-(2**70)}, 0, 0, 3\n", "has node number -1180591620717411303424"),
    ],
)
def test_that_damaged_matrices_of_calculix_are_refused_with_file_and_place(
    box: Path, name: str, change, sentence: str
) -> None:
    file = box / name
    file.write_text(change(file.read_text()))
    with pytest.raises(InputError) as told:
        _read(box)
    assert sentence in str(told.value)
    assert str(told.value).startswith(str(box))


def test_that_a_list_of_unknowns_that_is_missing_is_named(box: Path) -> None:
    (box / "box.dof").unlink()
    with pytest.raises(InputError, match=r"box\.dof: cannot be read"):
        _read(box)


@pytest.fixture
def given(box: Path) -> Structure:
    """The structure of the matrices, and nodes.csv in its order, numbered on."""
    found = _read(box)
    lines = [f"{k}, {x!r}, {y!r}, {z!r}" for k, (x, y, z) in enumerate(found.nodes.tolist())]
    (box / "nodes.csv").write_text("\n".join(lines))
    return found


def _six(matrix: csc_matrix) -> csc_matrix:
    """With three turns a node, that have nothing, as Nastran has them for solids."""
    whole = matrix.tocoo()
    size = 2 * matrix.shape[0]
    place = [6 * (index // 3) + index % 3 for index in (whole.row, whole.col)]
    return csc_matrix((whole.data, tuple(place)), shape=(size, size))


@pytest.mark.parametrize(
    ("sparse", "binary", "six"),
    [("bigmat", True, True), ("nonbigmat", True, False), ("dense", True, False), ("bigmat", False, False)],
)
def test_that_op4_comes_back_as_it_was_written(
    box: Path, given: Structure, sparse: str, binary: bool, six: bool
) -> None:
    op4 = pytest.importorskip("pyyeti.nastran.op4")
    K, M = (_six(one) if six else one for one in (given.K, given.M))
    file = box / "box.op4"
    op4.write(str(file), ["KGG", "MGG", "PG"], [K, M, np.ones((3, 1))], binary=binary, sparse=sparse)
    found = read_structure(file, file, box / "nodes.csv")
    assert np.all(found.unknowns[:, 3:] == NONE)
    assert abs(found.K - given.K).max() <= 1e-15 * abs(given.K).max()
    assert abs(found.M - given.M).max() <= 1e-15 * abs(given.M).max()


def test_that_op4_that_is_none_is_refused_with_a_sentence(box: Path, given: Structure) -> None:
    op4 = pytest.importorskip("pyyeti.nastran.op4")
    file = box / "box.op4"

    def refused(sentence: str) -> None:
        with pytest.raises(InputError) as told:
            read_structure(file, file, box / "nodes.csv")
        assert sentence in str(told.value)
        assert "box.op4" in str(told.value)

    op4.write(str(file), ["KGG", "KAA"], [given.K, given.M], sparse="bigmat")
    refused("(KGG, KAA) one is to have a name that begins with K")
    op4.write(str(file), ["KGG", "A"], [given.K, given.M], sparse="bigmat")
    refused("(KGG, A) one is to have a name that begins with M")
    op4.write(str(file), ["K", "M"], [given.K[:9, :9], given.M[:9, :9]])
    refused("9 unknowns are neither three nor six for each of the 32 nodes")
    op4.write(str(file), ["K", "M"], [given.K[:9], given.M])
    refused("9 by 96")
    op4.write(str(file), ["K", "M"], [given.K * 1j, given.M], sparse="bigmat")
    refused("real matrix")
    op4.write(str(file), ["K", "M"], [given.K, given.M], sparse="bigmat")
    whole, rng = file.read_bytes(), random.Random(1)
    for k in range(12):
        cut = rng.randrange(len(whole) // 2)
        file.write_bytes(whole[:cut] if k % 2 else rng.randbytes(3000))
        with pytest.raises(InputError):
            read_structure(file, file, box / "nodes.csv")
    file.unlink()
    refused("cannot be read")


def test_that_the_extra_is_named_where_its_reader_is_missing(
    box: Path, given: Structure, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("pyyeti", "pyyeti.nastran", "pyyeti.nastran.op4"):
        monkeypatch.setitem(sys.modules, name, None)
    (box / "K.op4").write_bytes(b"")
    with pytest.raises(InputError, match=r'need pyyeti: pip install "ridewright\[nastran\]"'):
        read_structure(box / "K.op4", box / "K.op4", box / "nodes.csv")
