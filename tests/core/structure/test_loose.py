"""What is loose, held, or without mass is refused with its node; matrix files are looked at before they are read."""

from __future__ import annotations

import gzip
from collections.abc import Callable, Iterable
from pathlib import Path

import numpy as np
import pytest
from scipy.sparse import csc_matrix, identity

from ridewright.core.base.arrays import Array
from ridewright.core.base.errors import InputError
from ridewright.core.model.flexible import BeamPart, BeamSection, FlexibleBody, Interface, Node
from ridewright.core.multibody.flexible import reduced_body
from ridewright.core.structure import matrices
from ridewright.core.structure.beams import Beam, frame, lay_out
from ridewright.core.structure.floating import cloud_of_beams, cloud_of_matrices, floating
from ridewright.core.structure.matrices import read_structure
from ridewright.core.structure.model import NONE, Structure, check_structure
from ridewright.core.structure.reduction import craig_bampton
from ridewright.core.structure.sections import box
from ridewright.core.structure.ties import Tie, tie

SECTION = box(0.1, 0.08, 0.004)
PLACES = {"root": (0.1, 0.2, 0.3), "knee": (1.6, 0.5, 0.2), "tip": (1.9, 0.4, 1.5)}


def lattice() -> Structure:
    """A free lattice of bars, skew in space, with as much mass at every node."""
    A = np.linalg.qr(np.random.default_rng(2).standard_normal((3, 3)))[0]
    nodes = (
        np.array([(0.2 * x, 0.2 * y, 0.2 * z) for x in range(5) for y in range(2) for z in range(2)]) @ A.T
    )
    K = np.zeros((nodes.size, nodes.size))
    for i in range(len(nodes)):
        for j in range(i):
            length = np.linalg.norm(nodes[i] - nodes[j])
            if length < 0.4:
                at = np.r_[3 * j : 3 * j + 3, 3 * i : 3 * i + 3]
                row = np.concatenate([nodes[j] - nodes[i], nodes[i] - nodes[j]]) / length
                K[np.ix_(at, at)] += 1e7 / length * np.outer(row, row)
    unknowns = np.full((len(nodes), 6), NONE, dtype=np.int64)
    unknowns[:, :3] = np.arange(nodes.size).reshape(-1, 3)
    return Structure(nodes, unknowns, csc_matrix(K), csc_matrix(0.5 * identity(nodes.size)))


def bent(first: str = "", second: str = "", frames: tuple[str, ...] = ("root", "tip")) -> None:
    """Two beams with hinges at the ends of the first, at the knee of the second, in a floating frame."""
    beams = [
        Beam("root", "knee", SECTION, hinges_i=first, hinges_j=second, elements=3),
        Beam("knee", "tip", SECTION, up=(0.0, 1.0, 0.1), hinges_i=second, elements=3),
    ]
    s = frame(PLACES, beams)
    pieces = lay_out(PLACES, beams)[2]
    floating(craig_bampton(s, frames, 2), cloud_of_beams(s, pieces), pieces=pieces)


def tied(nodes: tuple[int, ...], kind: str = "rigid") -> None:
    s = lattice()
    t = tie(s, [Tie("foot", tuple(s.nodes[0]), nodes, kind)])  # type: ignore[arg-type]
    floating(craig_bampton(t.structure, ("foot",), 2), cloud_of_matrices(s, t.T[: s.size]))


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda: bent(first="y"), r"Frame 'root' at \(0.1, 0.2, 0.3\) m turns about"),
        (lambda: bent(first="yz"), r"Frame 'root' .* turns about"),
        (lambda: bent(first="y", frames=("knee", "tip")), ""),
        (
            lambda: bent(second="y", frames=("root",)),
            r"move within itself while .* most at node .* take a hinge out",
        ),
        (lambda: bent(second="y", frames=("root", "tip")), r"move within itself"),
        (lambda: tied((0,)), r"Frame 'foot' .* turns about"),
        (lambda: tied((0, 1)), r"Frame 'foot' .* tie it to nodes that span a plane"),
        (lambda: tied((0, 4, 8, 12)), r"Frame 'foot' .* turns about"),
        (lambda: tied((0, 1, 2)), ""),
        (lambda: tied((0, 0, 1, 2)), "names node 0 twice"),
        (lambda: tied((0, 1), "averaging"), "nodes on a line"),
        (lambda: tied((0, 1, 2, 2), "averaging"), "names node 2 twice"),
    ],
)
def test_that_frames_that_turn_freely_and_mechanisms_are_refused_with_their_place(
    make: Callable[[], None], words: str
) -> None:
    if not words:
        make()
        return
    with pytest.raises(InputError, match=words):
        make()


def changed(K: Array | None = None, M: Array | None = None) -> list[str]:
    s = lattice()
    made = [s_ if own is None else csc_matrix(own) for own, s_ in ((K, s.K), (M, s.M))]
    return list(check_structure(Structure(s.nodes, s.unknowns, *made)))


def test_that_held_nodes_loose_nodes_and_missing_mass_are_told_with_their_node() -> None:
    s = lattice()
    K = s.K.toarray()
    assert changed() == []
    held = K.copy()
    held[21:24, 21:24] += 1e9 * np.eye(3)
    assert "resists a rigid" in changed(K=held)[0]
    assert "at node 7 " in changed(K=held)[0]
    loose = K.copy()
    loose[9:12] = loose[:, 9:12] = 0.0
    assert "at node 3 " in changed(K=loose)[0]
    assert "join a beam or an element to the node" in changed(K=loose)[0]
    assert "no mass of a body" in changed(M=0.0 * s.M.toarray())[0]
    assert "SI units" in changed(K=1e30 * K)[0]


def body(**more: object) -> FlexibleBody:
    part = BeamPart(start="root", end="knee", section=BeamSection(width=0.1, height=0.08, wall=0.004))
    given = {
        "name": "arm", "nodes": tuple(Node(name=n, position=p) for n, p in PLACES.items()),
        "beams": (part, part.model_copy(update={"start": "knee", "end": "tip"})),
        "interfaces": (Interface(node="root", body="hub"), Interface(node="tip", body="head")), **more,
    }  # fmt: skip
    return FlexibleBody.model_validate(given)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({}, ""),
        ({"beams": "first"}, r"'arm': The stiffness at node 'tip' .* join a beam or an element"),
        ({"density": 1e-12}, r"'arm': It weighs .* look at densities and sections"),
        ({"torsion": 1e-20}, r"'arm': .* at node "),
        ({"up": (0.0, 0.0, 0.0)}, r"'arm': The beam from 'root' to 'knee' has no up direction"),
        ({"elements": 1, "nodes": "two"}, r"'arm': There is no node between the interfaces; give a beam two elements"),
    ],
)  # fmt: skip
def test_that_a_described_body_is_refused_with_its_name_and_a_way_out(
    change: dict[str, object], words: str, recwarn: pytest.WarningsRecorder
) -> None:
    beams = list(body().beams)
    more: dict[str, object] = {}
    for name, value in change.items():
        if name == "torsion":
            own = BeamSection(
                shape="own",
                area=1e-3,
                moment_y=1e-6,
                moment_z=1e-6,
                torsion=value,
                shear_y=1e-3,
                shear_z=1e-3,
            )  # type: ignore[arg-type]
            beams = [beam.model_copy(update={"section": own}) for beam in beams]
        elif name not in ("beams", "nodes"):
            beams = [beam.model_copy(update={name: value}) for beam in beams]
    if change.get("beams") == "first":
        beams = beams[:1]
    if change.get("nodes") == "two":
        beams, more = beams[:1], {"nodes": body().nodes[:2], "interfaces": (
            Interface(node="root", body="hub"), Interface(node="knee", body="head"))}  # fmt: skip
    made = body(beams=tuple(beams), **more)
    if words:
        with pytest.raises(InputError, match=words):
            reduced_body(made)
    else:
        assert reduced_body(made).mass > 1.0
    assert not [w for w in recwarn if issubclass(w.category, RuntimeWarning)]


HEAD = b"%%MatrixMarket matrix coordinate real symmetric\n% from a program\n\n"


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (HEAD + b"3 3 1\n1 1 1.0\n", "no positive|as if nothing"),
        (HEAD + b"3000000000 3000000000 1\n1 1 1\n", "neither three nor six"),
        (HEAD + b"3 3 99999999999\n1 1 1\n", "more than can be reduced"),
        (HEAD + b"3 3 2\n1 1 1\n", "is to have 2 entries"),
        (HEAD + b"3 3 1\n1 1 1\n2 2 1\n", "is to have 1 entries .* has more"),
        (HEAD + b"3 3 1\n4 1 1.0\n", "outside its 3 rows"),
        (HEAD + b"3 3 1\n1.5 1 1.0\n", "outside its 3 rows"),
        (HEAD + b"3 3 1\n1 1 \x00\x00\n", "not two numbers and a value"),
        (HEAD + b"3 3 1\n1 1 1.0 7\n", "is to have 1 entries of row"),
        (HEAD.replace(b"coordinate", b"array") + b"3 3 1\n", "square, real, sparse"),
        (HEAD.replace(b"real", b"complex") + b"3 3 1\n1 1 1 0\n", "square, real, sparse"),
        (HEAD.replace(b"symmetric", b"skew-symmetric") + b"3 3 1\n1 1 1\n", "general or symmetric"),
        (HEAD, "no readable Matrix Market"),
        (b"", "no readable Matrix Market"),
        (b"\x1f\x8b\x08\x00 cut", "cannot be unpacked"),
        (gzip.compress(HEAD + b"%" * 200_000 + b"\n3 3 1\n1 1 1\n"), "larger than 0 MB when it is unpacked"),
    ],
)
def test_that_a_damaged_matrix_is_refused_before_it_is_read(
    content: bytes, words: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(matrices, "LARGEST", 100_000)
    (tmp_path / "nodes.csv").write_text("node,x,y,z\n0,0,0,0\n")
    (tmp_path / "K.mtx").write_bytes(content)
    with pytest.raises(InputError, match=words):
        read_structure(tmp_path / "K.mtx", tmp_path / "K.mtx", tmp_path / "nodes.csv")


@pytest.mark.parametrize(
    "content",
    ["", "node,x,y,z\n", "0,0,0,1e300\n", "0,0,nan,0\n", '0,"' + "x" * 200_000, "0,1,2,3\n2,1,2,3\n"],
)
def test_that_damaged_nodes_are_refused(content: str, tmp_path: Path) -> None:
    (tmp_path / "nodes.csv").write_text(content)
    with pytest.raises(InputError, match=r"nodes\.csv(: |, line \d+)"):
        read_structure(Path("/dev/zero"), Path("/dev/zero"), tmp_path / "nodes.csv")


def test_that_a_matrix_without_end_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(matrices, "LARGEST", 100_000)
    (tmp_path / "nodes.csv").write_text("0,0,0,0\n")
    with pytest.raises(InputError, match="/dev/zero: larger than"):
        read_structure(Path("/dev/zero"), Path("/dev/zero"), tmp_path / "nodes.csv")


@pytest.mark.parametrize(
    ("heavy", "kept", "words"),
    [
        (range(4), 2, r"2 modes .* 0 have mass, at node 4 .* spread the mass over all nodes"),
        ((0, 1, 2, 3, 10), 2, r"3 have mass.* Keep fewer modes"),
        (range(4), 0, "take a rigid one"),
        (range(20), 40, ""),
    ],
)
def test_that_nodes_without_mass_are_told(heavy: Iterable[int], kept: int, words: str) -> None:
    s = lattice()
    mass = np.zeros((len(s.nodes), 3))
    mass[list(heavy)] = 0.5
    light = Structure(s.nodes, s.unknowns, s.K, csc_matrix(np.diag(mass.ravel())))
    t = tie(light, [Tie("foot", tuple(s.nodes[0]), (0, 1, 2, 3))])

    def make() -> None:
        floating(craig_bampton(t.structure, ("foot",), kept), cloud_of_matrices(light, t.T[: s.size]))

    if words:
        with pytest.raises(InputError, match=words):
            make()
    else:
        make()
