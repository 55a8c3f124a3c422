"""Ties of mesh files: RBE2 and RBE3 of Nastran, couplings of Abaqus, and what is refused with its line."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from ridewright.core.base.errors import InputError
from ridewright.core.multibody.import_structure import flexible_of, source_of_mesh
from ridewright.core.structure.meshes import FORMATS, Mesh, read_mesh
from ridewright.core.structure.solids import Material, structure_of
from ridewright.core.structure.ties import Tie, tie
from tests.core.structure.test_solids import mesh

meshio = pytest.importorskip("meshio", reason="reads meshes (extra 'structure')")

ROOT, TIP = ("ROOT", (0.0, 0.0, 0.0)), ("TIP", (2.4, 0.25, 0.0))
FIRST = 9001  # number of the node that the root's tie is about


def _plain(tmp_path: Path, suffix: str) -> str:
    """The arm as a file without ties."""
    file = tmp_path / f"plain{suffix}"
    cells = mesh().solid.cells["hexahedron20"]
    meshio.write(
        file, meshio.Mesh(np.round(mesh().solid.nodes, 9), [("hexahedron20", cells)]), FORMATS[suffix]
    )
    return file.read_text(encoding="ascii")


def _nodes(name: str) -> list[int]:
    """Numbers of the nodes of an end, as the files have them."""
    return [int(k) + 1 for k in mesh().sets[name]]


def _grid(number: int, place: tuple[float, float, float]) -> str:
    return f"GRID,{number},,{place[0]},{place[1]},{place[2]}\n"


def _small(name: str, fields: list[str]) -> str:
    """A card in small fields with continuations."""
    lines = [fields[k : k + 8] for k in range(0, len(fields), 8)]
    heads = [name, *["+" for _ in lines[1:]]]
    text = ["".join(f"{x:<8}" for x in (head, *line)) for head, line in zip(heads, lines, strict=True)]
    return "\n".join(text) + "\n"


def _large(name: str, fields: list[str]) -> str:
    """The same in fields of double width."""
    lines = [fields[k : k + 4] for k in range(0, len(fields), 4)]
    heads = [name + "*", *["*" for _ in lines[1:]]]
    text = [f"{head:<8}" + "".join(f"{x:<16}" for x in line) for head, line in zip(heads, lines, strict=True)]
    return "\n".join(text) + "\n"


def _free(name: str, fields: list[str]) -> str:
    lines = [fields[k : k + 8] for k in range(0, len(fields), 8)]
    return (
        "\n".join(",".join([head, *line]) for head, line in zip([name, *["+"] * 99], lines, strict=False))
        + "\n"
    )


def _nastran(tmp_path: Path, write: object, more: str = "", weights: tuple[str, str] = ("1.", "1.")) -> Path:
    """The arm with a rigid root and an averaged tip."""
    text = _plain(tmp_path, ".bdf").replace("ENDDATA\n", "")
    tip = [str(n) for n in _nodes("TIP")]
    half = len(tip) // 2
    mean = [
        "102",
        "",
        str(FIRST + 1),
        "123456",
        weights[0],
        "123",
        *tip[:half],
        weights[1],
        "123",
        *tip[half:],
    ]
    held = ["101", str(FIRST), "123456", *(str(n) for n in _nodes("ROOT"))]
    cards = write("RBE2", held) + write("RBE3", mean)  # type: ignore[operator]
    file = tmp_path / "arm.bdf"
    grids = _grid(FIRST, ROOT[1]) + _grid(FIRST + 1, TIP[1])
    file.write_text(f"{text}{grids}$ what holds it\n{cards}{more}ENDDATA\n", encoding="ascii")
    return file


def _same(read: Mesh, root: str, tip: str) -> None:
    for name, (of, place), kind in ((root, ROOT, "rigid"), (tip, TIP, "averaging")):
        one = read.ties[name]
        assert one.kind == kind
        assert one.place == pytest.approx(place)
        assert sorted(one.nodes) == sorted(mesh().sets[of].tolist())


@pytest.mark.parametrize("write", [_small, _large, _free])
def test_that_ties_of_nastran_are_those_of_the_same_nodes(write: object, tmp_path: Path) -> None:
    read = read_mesh(_nastran(tmp_path, write), Material())
    _same(read, "RBE2 101", "RBE3 102")
    assert read.ties["RBE3 102"].weights == ()
    made = flexible_of(
        source_of_mesh(tmp_path / "arm.bdf", Material()),
        None,
        {"RBE2 101": "ground", "RBE3 102": "Head"},
        2,
        "Arm",
    )
    assert [node.position for node in made.body.nodes] == [pytest.approx(ROOT[1]), pytest.approx(TIP[1])]


def test_that_a_mean_is_weighted_as_the_file_says(tmp_path: Path) -> None:
    """Half of the nodes count three times: the frame goes with the weighted mean when they move alone."""
    read = read_mesh(_nastran(tmp_path, _small, weights=("3.", "1.0+0")), Material())
    one = read.ties["RBE3 102"]
    place = np.average(read.solid.nodes[list(one.nodes)], axis=0, weights=one.weights)
    about = Tie(
        one.frame, (float(place[0]), float(place[1]), float(place[2])), one.nodes, one.kind, one.weights
    )
    tied = tie(structure_of(read.solid), [about])
    s = tied.structure
    T = tied.T.toarray()
    # T q with the frame at rest and turning held: weighted means of what its nodes then do vanish
    others = np.setdiff1d(np.arange(s.size), s.of_frame(one.frame))
    moved = T[: 3 * len(read.solid.nodes)][:, others].reshape(-1, 3, len(others))[list(one.nodes)]
    mean = np.einsum("n,ncm->cm", np.array(one.weights), moved)
    assert np.abs(mean).max() < 1e-9
    assert np.abs(moved.sum(axis=0)).max() > 0.1


ABAQUS = """*NODE
9001, 0.0, 0.0, 0.0
9002, 2.4, 0.25, 0.0
*NSET, NSET=TIP
{tip}
*NSET, NSET=tip frame
9002
*ELSET, ELSET=FIRST
{elements}
*SURFACE, NAME=Root side, TYPE=ELEMENT
FIRST, {side}
*SURFACE, NAME=TIP SIDE, TYPE=NODE
TIP, 1.
*COUPLING, CONSTRAINT NAME=Root, REF NODE=9001,
 SURFACE=Root side
*KINEMATIC
1, 6
** the other end
*COUPLING, CONSTRAINT NAME=Tip, REF NODE=tip frame, SURFACE=TIP SIDE
*DISTRIBUTING
1, 3
"""


def _abaqus(tmp_path: Path, change: tuple[str, str] = ("", "")) -> Path:
    cells = mesh().solid.cells["hexahedron20"]
    at_root = set(mesh().sets["ROOT"].tolist())
    inside = [k for k, cell in enumerate(cells) if len(at_root & set(cell.tolist())) == 8]
    sides = {
        k + 1
        for k, face in enumerate(
            ((0, 1, 2, 3), (4, 7, 6, 5), (0, 4, 5, 1), (1, 5, 6, 2), (2, 6, 7, 3), (3, 7, 4, 0))
        )
        if all(set(cells[e][list(face)].tolist()) <= at_root for e in inside)
    }
    assert len(sides) == 1
    tip = ",\n".join(str(n) for n in _nodes("TIP"))
    elements = ", ".join(str(k + 1) for k in inside)
    more = ABAQUS.format(tip=tip, elements=elements, side=f"S{sides.pop()}").replace(*change)
    file = tmp_path / "arm.inp"
    file.write_text(_plain(tmp_path, ".inp") + more, encoding="latin-1")
    return file


def test_that_couplings_of_abaqus_are_ties_of_the_same_nodes(tmp_path: Path) -> None:
    """One of sides of elements, one of nodes; their reference nodes stand in a block of their own."""
    read = read_mesh(_abaqus(tmp_path), Material())
    _same(read, "Root", "Tip")
    assert len(read.solid.nodes) == len(mesh().solid.nodes)


def test_that_a_list_of_interfaces_names_ties_of_the_mesh_and_others_hold_on(tmp_path: Path) -> None:
    source = source_of_mesh(_abaqus(tmp_path), Material())
    frames = tmp_path / "frames.json"
    frames.write_text(
        '[{"name": "head", "coupling": "Tip"}, {"name": "Root", "coupling": "Root"}]', encoding="ascii"
    )
    both = flexible_of(source, frames, {"Root": "ground", "head": "Head"}, 2, "Arm")
    frames.write_text('[{"name": "head", "coupling": "Tip"}]', encoding="ascii")
    one = flexible_of(source, frames, {"head": "Head"}, 8, "Arm")
    # the root is rigid in both: free frequencies differ by the modes that are kept alone
    assert one.first == pytest.approx(both.first, rel=2e-3)
    frames.write_text('[{"name": "head", "coupling": "Neck"}]', encoding="ascii")
    with pytest.raises(InputError, match=r"'Neck' of the mesh, whose couplings are: 'Root', 'Tip'"):
        flexible_of(source, frames, {"head": "Head"}, 2, "Arm")
    with pytest.raises(
        InputError, match=r"no interface 'Neck' to join; name one that is there: 'Root', 'Tip'"
    ):
        flexible_of(source, None, {"Neck": "Head"}, 2, "Arm")


@pytest.mark.parametrize(
    ("card", "words"),
    [
        ("RBAR,103,1,2,123456,,,\n", "RBAR is not read; tie nodes by RBE2 or RBE3"),
        ("RBE2,103,9001,12,1,2\n", "RBE2 103 holds '12' of its nodes"),
        ("RBE2,103,9001,123456,77777\n", "RBE2 103 names node 77777, which is not in the file"),
        ("RBE2,103,9001,123456\n", "RBE2 103 ties no node"),
        (
            "GRID,9003,,0.,0.,0.\nRBE2,103,9003,123456,9002\n",
            r"RBE2 103 ties a node at \(2.4, 0.25, 0\) m, which no element has",
        ),
        ("RBE2,101,9001,123456,1,2\n", "there are two ties 'RBE2 101'"),
        ("RBE2,103,9001,123456,1,2\n", "RBE2 103 is about the same node as RBE2 101"),
        ("RBE2,103,9001,123456,one\n", "RBE2 103 has 'one' where the number of a node belongs"),
        ("RBE3,103,,9001,123,1.,123,1,2\n+,3\n", "RBE3 103 moves '123' of node 9001"),
        ("RBE3,103,,9001,123456,1.,12,1,2\n+,3\n", "RBE3 103 takes '12' of its nodes"),
        ("RBE3,103,,9001,123456,-1.,123,1,2\n", "RBE3 103 has a weight that is not above 0"),
        (
            "RBE3,103,,9001,123456,1.,123,1,2\n+,1.+9,123,3\n",
            r"RBE3 103 has weights that are more than 1e\+06",
        ),
        ("RBE3,103,,9001,123456,1.,123,1,2\n+,UM,1,123\n", r"RBE3 103 names dependent unknowns \(UM\)"),
        ("RBE3,103,,5,123456,1.,123,1,2\n", "RBE3 103 moves a node of an element"),
    ],
)
def test_that_ties_of_nastran_that_are_not_read_are_named_with_their_line(
    card: str, words: str, tmp_path: Path
) -> None:
    file = _nastran(tmp_path, _free, card)
    lines = file.read_text(encoding="ascii").splitlines()
    first = next(line for line in card.splitlines() if line.startswith("R"))
    at = len(lines) - lines[::-1].index(first)
    with pytest.raises(InputError, match=rf"arm\.bdf: line {at}: {words}"):
        read_mesh(file, Material())


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (("*KINEMATIC\n1, 6", "*RIGID BODY, REF NODE=9001"), "'Root' is not followed by"),
        (("*DISTRIBUTING", "*DISTRIBUTING, WEIGHTING METHOD=CUBIC"), "'Tip' has WEIGHTING METHOD=CUBIC"),
        (("1, 6", "1, 2"), r"\*KINEMATIC of 'Root' holds 12"),
        (("SURFACE=TIP SIDE", "SURFACE=TOP"), "is of surface 'TOP', of which there is none"),
        (("REF NODE=tip frame", "REF NODE=TIP"), "'Tip' has 40 reference nodes"),
        (("REF NODE=tip frame", "REF NODE=top"), "there is no set 'top' above this line"),
        (("FIRST, S", "FIRST, P"), "has no side 'P"),
        (("** the other end", "*EQUATION\n1"), r"\*EQUATION is not read"),
        (
            ("** the other end", "*ELSET, ELSET=ALL, GENERATE\n1, 99999999, 1"),
            "set 'ALL' goes from 1 to 99999999",
        ),
        (("** the other end", "*ELSET, ELSET=ALL\n\u00b2"), "there is no set '\u00b2' above this line"),
    ],
)
def test_that_couplings_that_are_not_read_are_named_with_their_line(
    change: tuple[str, str], words: str, tmp_path: Path
) -> None:
    with pytest.raises(InputError, match=rf"arm\.inp: line \d+: .*{words}"):
        read_mesh(_abaqus(tmp_path, change), Material())
