"""Files of Ansys: as its own package reads them, where it is installed, and one sentence for what cannot be read."""

from __future__ import annotations

import random
from pathlib import Path

import numpy as np
import pytest
from scipy.sparse import csc_matrix, csr_matrix, triu

from ridewright.core.base.errors import InputError
from ridewright.core.structure.ansys_files import read_full, read_nodes
from ridewright.core.structure.matrices import read_structure
from tests.core.structure.ansys_writer import write_arm, write_cdb, write_full


@pytest.fixture
def arm(tmp_path: Path) -> tuple[Path, csc_matrix, csc_matrix, np.ndarray]:
    """The shared arm as model.full, model.rst and model.cdb, nodes from 1 with a hole, in an order of Ansys."""
    return tmp_path, *write_arm(tmp_path, hole=100)


@pytest.mark.parametrize("nodes", ["model.rst", "model.cdb"])
def test_that_a_full_file_has_the_matrices_that_were_written(arm, nodes: str) -> None:
    folder, K, M, places = arm
    full = folder / "model.full"
    found = read_structure(full, full, folder / nodes)
    np.testing.assert_allclose(found.nodes, places, atol=1e-12)
    assert abs(found.K - K).max() == 0.0
    assert abs(found.M - M).max() == 0.0


def test_that_turns_of_solids_that_have_nothing_are_left_out(arm) -> None:
    folder, K, M, places = arm
    full, numbers = folder / "six.full", list(range(1, len(places) + 1))
    wide = csr_matrix(
        (
            np.ones(K.shape[0]),
            (6 * (np.arange(K.shape[0]) // 3) + np.arange(K.shape[0]) % 3, np.arange(K.shape[0])),
        ),
        shape=(2 * K.shape[0], K.shape[0]),
    )
    write_full(full, csc_matrix(wide @ K @ wide.T), csc_matrix(wide @ M @ wide.T), numbers, kinds=6)
    write_cdb(folder / "six.cdb", numbers, places)
    found = read_structure(full, full, folder / "six.cdb")
    assert abs(found.K - K).max() == 0.0


@pytest.mark.parametrize(
    ("change", "held", "sentence"),
    [
        (None, 7, "7 unknowns are held, node"),
        (lambda head: head.__setitem__(20, 5), 0, "5 constraint equations bind its nodes"),
        (lambda head: head.__setitem__(10, 1), 0, "has a lumped mass"),
        (lambda head: head.__setitem__(13, 1), 0, "has unsymmetric matrices"),
        (lambda head: head.__setitem__(8, 3), 0, "damaged, or packed"),
        (lambda head: head.__setitem__(18, 11), 0, "damaged, or packed"),
        (lambda head: head.__setitem__(1, 2_000_000), 0, "2000000 unknowns with"),
        (lambda head: head.__setitem__(26, 0), 0, "with the mass"),
    ],
)
def test_that_what_cannot_be_used_is_refused(arm, change, held: int, sentence: str) -> None:
    folder, K, M, places = arm
    full = folder / "other.full"
    numbers = list(range(1, len(places) + 1))
    write_full(full, K, M, numbers, change=change, held=held)
    write_cdb(folder / "other.cdb", numbers, places)
    with pytest.raises(InputError) as told:
        read_structure(full, full, folder / "other.cdb")
    assert sentence in str(told.value)
    assert str(told.value).startswith(str(full))


def test_that_nodes_of_another_model_are_named(arm) -> None:
    folder, _, _, places = arm
    full = folder / "model.full"
    count = len(places)
    write_cdb(folder / "few.cdb", list(range(1, count)), places[:-1])
    with pytest.raises(InputError, match=r"node \d+ is not in few\.cdb"):
        read_structure(full, full, folder / "few.cdb")
    write_cdb(folder / "more.cdb", list(range(1, count + 9)), np.vstack([places, np.ones((8, 3))]))
    with pytest.raises(InputError, match=r"node 102 of more\.cdb is not in it"):
        read_structure(full, full, folder / "more.cdb")
    (folder / "bad.cdb").write_text("NBLOCK,6,SOLID\n(3i9,6e21.13e3)\n        1        0        0   1.0x\n")
    with pytest.raises(InputError, match=r"bad\.cdb: line 3 is no node"):
        read_structure(full, full, folder / "bad.cdb")
    (folder / "empty.cdb").write_text("/PREP7\n")
    with pytest.raises(InputError, match=r"empty\.cdb: has no nodes"):
        read_structure(full, full, folder / "empty.cdb")


def refusal(folder: Path, name: str, numbers: np.ndarray) -> str | None:
    """What is said against a file, if anything."""
    try:
        if name == "model.full":
            read_full(folder / name, "K", numbers, folder / "model.rst")
        else:
            read_nodes(folder / name)
    except InputError as error:
        return str(error)
    return None


@pytest.mark.parametrize("name", ["model.full", "model.rst"])
def test_that_damaged_files_are_refused_by_their_name(arm, name: str) -> None:
    """Cut, or with words of the records changed: one sentence, or what was meant all the same."""
    folder = arm[0]
    whole, rng, refused = (folder / name).read_bytes(), random.Random(8), 0
    numbers, _ = read_nodes(folder / "model.rst")
    for k in range(60):
        data = bytearray(whole)
        if k % 3 == 0:
            data = data[: rng.randrange(len(data))]
        for _ in range(3 if k % 3 == 1 else 0):
            at = 4 * rng.randrange(266)
            data[at : at + 4] = rng.randrange(1 << 32).to_bytes(4, "little")
        for _ in range(400 if k % 3 == 2 else 0):
            data[rng.randrange(len(data))] = rng.randrange(256)
        (folder / name).write_bytes(data)
        told = refusal(folder, name, np.sort(numbers))
        assert told is None or told.startswith(str(folder / name))
        refused += told is not None
    assert refused > 30


def test_that_files_of_ansys_are_read_as_its_own_package_reads_them(arm) -> None:
    """Its examples are a beam of 40 hexahedra held at one end: of 321 nodes 900 free unknowns."""
    reader = pytest.importorskip("ansys.mapdl.reader", reason="the package ansys-mapdl-reader")
    folder, K, _, _ = arm
    beam = Path(reader.__file__).parent / "examples"
    numbers, places = read_nodes(beam / "file.rst")
    result = reader.read_binary(str(beam / "file.rst"))
    np.testing.assert_array_equal(result.mesh.nnum, numbers)
    np.testing.assert_array_equal(result.mesh.nodes[:, :3], places)
    same = read_nodes(beam / "HexBeam.cdb")
    np.testing.assert_array_equal(same[0], numbers)
    np.testing.assert_array_equal(same[1], places)
    with pytest.raises(InputError, match="63 unknowns are held, node 1 along x first"):
        read_full(beam / "file.full", "K", np.sort(numbers), beam / "file.rst")
    dof, stiffness, _ = reader.read_binary(str(folder / "model.full")).load_km(sort=True)
    assert len(dof) == K.shape[0]
    assert abs(stiffness - triu(K)).max() == 0.0
