"""What decks say of materials, masses and other files beside nodes and elements: read, or named with its line."""

from __future__ import annotations

import os
import zlib
from base64 import b64encode
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("skfem", reason="has the shape functions (extra 'structure')")
pytest.importorskip("meshio", reason="reads meshes (extra 'structure')")

from ridewright.core.base.arrays import Array
from ridewright.core.base.errors import InputError
from ridewright.core.model.bodies import Body
from ridewright.core.model.joints import Joint
from ridewright.core.multibody.import_structure import (
    Wanted,
    check_scale,
    flexible_of,
    imported,
    source_of_mesh,
)
from ridewright.core.solver.modes import modes_at_rest
from ridewright.core.structure.decks import Deck
from ridewright.core.structure.meshes import read_mesh
from ridewright.core.structure.reduction import modes as modes_of
from ridewright.core.structure.solids import Material, Solid, nodal_stress
from tests.core.solver.flexible_rigs import rig
from tests.core.structure.test_solids import brick

L, A = 2.0, 0.1
ARM = 0.3
STEEL, ALUMINIUM = (2.1e11, 0.0, 7850.0), (7e10, 0.0, 2700.0)
HEAD = 5.0


def bar() -> Solid:
    """A bar along x of eight elements of one row."""
    return brick("hexahedron20", (8, 1, 1), (L, A, A))


def _ends(solid: Solid) -> tuple[list[int], list[int]]:
    x = solid.nodes[:, 0]
    first, last = (np.flatnonzero(np.abs(x - at) < 1e-9) + 1 for at in (0.0, L))
    return first.tolist(), last.tolist()


def _halves(solid: Solid) -> list[bool]:
    """Whether each element is in the first half."""
    return [bool(solid.nodes[cell, 0].mean() < 0.5 * L) for cell in solid.cells["hexahedron20"]]


def bdf(tmp_path: Path, more: str = "", *, begin: str = "BEGIN BULK\n", mass: str = "") -> Path:
    """The bar, its first half of steel and its second of aluminium, held and tied at its ends."""
    solid, order = bar(), (*range(12), *range(16, 20), *range(12, 16))
    lines = [f"GRID,{k},,{x:.9f},{y:.9f},{z:.9f}" for k, (x, y, z) in enumerate(solid.nodes.tolist(), 1)]
    for k, (cell, steel) in enumerate(zip(solid.cells["hexahedron20"], _halves(solid), strict=True), 1):
        n = [str(int(cell[i]) + 1) for i in order]
        lines += [
            f"CHEXA,{k},{1 if steel else 2},{','.join(n[:6])}",
            f"+,{','.join(n[6:14])}",
            f"+,{','.join(n[14:])}",
        ]
    lines += ["GRID,9001,,0.,0.05,0.05", f"GRID,9002,,{L},0.05,0.05"]
    for number, nodes in zip((9001, 9002), _ends(solid), strict=True):
        text = [str(number - 9000), str(number), "123456", *map(str, nodes)]
        lines += [",".join(("RBE2" if k == 0 else "+", *text[k : k + 8])) for k in range(0, len(text), 8)]
    lines += ["PSOLID,1,11", "PSOLID,2,12", "MAT1,11,2.1+11,,0.,7850."]
    lines += ["MAT1*   12              7.E+10", "*       2700."]
    file = tmp_path / "bar.bdf"
    file.write_text(begin + "\n".join(lines) + "\n" + mass + more + "ENDDATA\n", encoding="ascii")
    return file


def inp(tmp_path: Path, more: str = "", *, before: str = "") -> Path:
    """The same for Abaqus."""
    solid = bar()
    lines = [
        "*NODE",
        *(f"{k}, {x:.9f}, {y:.9f}, {z:.9f}" for k, (x, y, z) in enumerate(solid.nodes.tolist(), 1)),
    ]
    for name, first in (("STEEL", True), ("ALU", False)):
        lines.append(f"*ELEMENT, TYPE=C3D20R, ELSET={name}")
        lines += [
            ", ".join(map(str, (k, *(cell + 1).tolist())))
            for k, (cell, steel) in enumerate(
                zip(solid.cells["hexahedron20"], _halves(solid), strict=True), 1
            )
            if steel == first
        ]
    first, last = (", ".join(map(str, nodes)) for nodes in _ends(solid))
    lines += [
        "*NODE", "9001, 0, 0.05, 0.05", f"9002, {L}, 0.05, 0.05", "*NSET, NSET=first", first, "*NSET, NSET=last", last,
        "*SURFACE, NAME=F, TYPE=NODE", "first", "*SURFACE, NAME=L, TYPE=NODE", "last",
        "*COUPLING, CONSTRAINT NAME=RBE2 1, REF NODE=9001, SURFACE=F", "*KINEMATIC",
        "*COUPLING, CONSTRAINT NAME=RBE2 2, REF NODE=9002, SURFACE=L", "*KINEMATIC",
        "*MATERIAL, NAME=s", "*ELASTIC", "2.1e11, 0.", "*DENSITY", "7850.",
        "*MATERIAL, NAME=a", "*DENSITY", "2700.", "*ELASTIC, TYPE=ISOTROPIC", "7e10, 0.",
        "*SOLID SECTION, ELSET=STEEL, MATERIAL=S", "*SOLID SECTION, ELSET=ALU, MATERIAL=A",
    ]  # fmt: skip
    file = tmp_path / "bar.inp"
    file.write_text(before + "\n".join(lines) + "\n" + more, encoding="ascii")
    return file


JOINED = {"RBE2 1": "ground", "RBE2 2": "Head"}


@pytest.mark.parametrize("write", [bdf, inp])
def test_that_each_element_has_its_own_material(write: object, tmp_path: Path) -> None:
    """A bar half of steel and half of aluminium: its mass, and how far a pull stretches it, F L / 2 A (1 / E1 +
    1 / E2); stress is F / A on both sides of where they meet. With the given steel it weighed half as much again."""
    source = source_of_mesh(write(tmp_path), Material())  # type: ignore[operator]
    made = flexible_of(source, None, JOINED, 6, "Bar")
    assert made.body.mass() == pytest.approx(0.5 * L * A * A * (7850.0 + 2700.0), rel=1e-9)
    assert made.notes == ("materials of the file: 210 GPa, 7850 kg/m³ and 70 GPa, 2700 kg/m³",)
    assert made.notes[0] in made.body.imported.source  # type: ignore[union-attr]
    solid, whole = source.mesh.solid, source.whole  # type: ignore[union-attr]
    x = solid.nodes[:, 0]
    stretched = np.where(x < 0.5 * L, x / STEEL[0], (x - 0.5 * L) / ALUMINIUM[0] + 0.5 * L / STEEL[0]) / (
        A * A
    )
    moves = np.zeros((len(x), 3, 1))
    moves[:, 0, 0] = stretched
    force = whole.K @ moves.ravel()
    assert force.reshape(-1, 3)[np.abs(x - L) < 1e-9, 0].sum() == pytest.approx(1.0, rel=1e-9)
    assert np.abs(force.reshape(-1, 3)[(x > 1e-9) & (x < L - 1e-9)]).max() < 1e-9
    np.testing.assert_allclose(nodal_stress(solid, moves)[:, 0, 0], 1.0 / (A * A), rtol=1e-9)


def test_that_the_stress_where_materials_meet_is_that_of_the_stiffer() -> None:
    """Two halves stretched alike: E1 e in the steel and at the border, E2 e beyond."""
    solid = bar()
    of = np.array([0 if steel else 1 for steel in _halves(solid)])
    solid = replace(solid, materials=(Material(*STEEL), Material(*ALUMINIUM)), of={"hexahedron20": of})
    moves = np.zeros((len(solid.nodes), 3, 1))
    moves[:, 0, 0] = 1e-3 * solid.nodes[:, 0]
    wanted = 1e-3 * np.where(solid.nodes[:, 0] <= 0.5 * L + 1e-9, STEEL[0], ALUMINIUM[0])
    np.testing.assert_allclose(nodal_stress(solid, moves)[:, 0, 0], wanted, rtol=1e-9)


def _first(file: Path) -> float:
    """First frequency (Hz) along the bar's axis of the free body, with its ends rigid."""
    return flexible_of(source_of_mesh(file, Material()), None, JOINED, 20, "Bar").first


@pytest.mark.parametrize("write", [bdf, inp])
def test_that_masses_of_the_file_weigh(write: object, tmp_path: Path) -> None:
    """One on the frame of an end, one on a node of an element: mass, centre, moment, and the same as the arithmetic of
    matrices by hand has it for the frequencies."""
    at = _ends(bar())[1][0]
    text = {
        bdf: f"CONM2,1,9002,,{HEAD}\nCONM2,2,{at},,2.\n",
        inp: "*ELEMENT, TYPE=MASS, ELSET=HEAD\n901, 9002\n*MASS, ELSET=HEAD\n5.\n"
        f"*ELEMENT, TYPE=MASS, ELSET=SMALL\n902, {at}\n*MASS, ELSET=SMALL\n2.\n",
    }[write]  # type: ignore[index]
    source = source_of_mesh(write(tmp_path, text), Material())  # type: ignore[operator]
    heavy = flexible_of(source, None, JOINED, 6, "Bar")
    own = 0.5 * L * A * A * np.array([7850.0, 2700.0])
    assert heavy.body.mass() == pytest.approx(own.sum() + 7.0, rel=1e-9)
    x = (own @ [0.25 * L, 0.75 * L] + 7.0 * L) / (own.sum() + 7.0)
    assert heavy.body.imported.centre[0] == pytest.approx(x, rel=1e-9)  # type: ignore[union-attr]
    assert "2 masses of the file: 7 kg" in heavy.notes
    light = flexible_of(source_of_mesh(write(tmp_path), Material()), None, JOINED, 6, "Bar")  # type: ignore[operator]
    assert heavy.first < 0.97 * light.first
    assert all(heavy.body.imported.stiffened)  # type: ignore[union-attr]


def test_that_a_mass_with_moments_and_an_offset_turns_with_its_tie(tmp_path: Path) -> None:
    """CONM2 at the frame of an end: the tensor of the whole about its centre, by Steiner."""
    mass = "CONM2,1,9002,,5.,0.3,-0.1,0.2,\n+,0.4,0.02,0.5,-0.01,0.03,0.6\n"
    with_mass, without = (
        flexible_of(
            source_of_mesh(bdf(tmp_path, mass=text), Material()), None, JOINED, 4, "Bar"
        ).body.imported
        for text in (mass, "")
    )
    assert with_mass is not None
    assert without is not None
    own = np.array([[0.4, -0.02, 0.01], [-0.02, 0.5, -0.03], [0.01, -0.03, 0.6]])
    places = [np.array(without.centre), np.array([L + 0.3, 0.05 - 0.1, 0.05 + 0.2])]
    masses, tensors = [without.mass, HEAD], [np.reshape(without.inertia, (3, 3)), own]
    centre = (masses[0] * places[0] + masses[1] * places[1]) / sum(masses)
    wanted = sum(
        J + m * ((d @ d) * np.eye(3) - np.outer(d, d))
        for m, J, d in zip(masses, tensors, (p - centre for p in places), strict=True)
    )
    np.testing.assert_allclose(with_mass.centre, centre, rtol=1e-9)
    np.testing.assert_allclose(np.reshape(with_mass.inertia, (3, 3)), wanted, rtol=1e-6)


def test_that_a_mass_at_a_tie_changes_frequencies_as_one_at_its_nodes(tmp_path: Path) -> None:
    """At the frame of a rigid end, a mass is one on the diagonal of the frame's translations."""
    source = source_of_mesh(bdf(tmp_path, mass="CONM2,1,9002,,5.\n"), Material())
    made = flexible_of(source, None, JOINED, 6, "Bar")
    plain = source_of_mesh(bdf(tmp_path), Material())
    from ridewright.core.structure.reduction import craig_bampton
    from ridewright.core.structure.ties import tie

    s = tie(plain.whole, list(plain.mesh.ties.values())).structure  # type: ignore[union-attr]
    M = s.M.tolil()
    for own in s.of_frame("RBE2 2")[:3]:
        M[own, own] += 5.0
    reduced = craig_bampton(replace(s, M=M.tocsc()), ("RBE2 1", "RBE2 2"), 6, centrifugal=True)
    speeds = modes_of(reduced.K, reduced.M)[0]
    assert made.first == pytest.approx(speeds[6] / (2.0 * np.pi), rel=1e-6)


def _pulled(tmp_path: Path, write: object, pull: float, *, own: bool) -> Array:
    """Squares of the speeds (rad^2/s^2) of the bar held at one end, a heavy head at the other under a pull along it
    (m/s^2); the head is a mass of the file, or a body."""
    if write is bdf:
        mass = f"CONM2,1,9002,,200.,{ARM},,,\n+,0.5,0.,0.6,0.,0.,0.7\n"
        file, arm, moments = bdf(tmp_path, mass=mass if own else ""), ARM, (0.5, 0.6, 0.7)
    else:
        mass = "*ELEMENT, TYPE=MASS, ELSET=HEAD\n901, 9002\n*MASS, ELSET=HEAD\n200.\n"
        file, arm, moments = inp(tmp_path, mass if own else ""), 0.0, (1e-6,) * 3
        text = file.read_text(encoding="ascii")
        at = text.rindex("*KINEMATIC")
        file.write_text(text[:at] + "*DISTRIBUTING" + text[at + 10 :], encoding="ascii")
    joined = {"RBE2 1": "hub"} if own else JOINED | {"RBE2 1": "hub"}
    body = flexible_of(source_of_mesh(file, Material()), None, joined, 12, "Bar").body
    hub = Body(name="hub", mass=1.0, inertia=(1.0,) * 3, position=(0.0, 0.05, 0.05))
    head = Body(name="Head", mass=200.0, inertia=moments, position=(L + arm, 0.05, 0.05))
    held = Joint(name="held", kind="rigid", body_i="ground", body_j="hub", point_i=(0.0, 0.05, 0.05))
    _, _, found = modes_at_rest(
        rig((hub,) if own else (hub, head), body, (held,), gravity=(pull, 0.0, 0.0)), 3
    )
    return np.square(sorted(abs(mode.pole) for mode in found))


@pytest.mark.parametrize("write", [bdf, inp])
def test_that_a_mass_of_the_file_stiffens_as_a_body_there_does(write: object, tmp_path: Path) -> None:
    """With an arm and moments at a rigid end, in one point at an averaged one: the squares of the speeds, and what a
    pull adds to them, are those with a rigid body joined to the same frame."""
    found = {
        (own, pull): _pulled(tmp_path, write, pull, own=own) for own in (True, False) for pull in (0.0, 900.0)
    }
    np.testing.assert_allclose(found[True, 0.0], found[False, 0.0], rtol=5e-4)
    added = [(found[own, 900.0] - found[own, 0.0])[:2] for own in (True, False)]
    assert np.min(added[1] / found[False, 0.0][:2]) > 0.1
    np.testing.assert_allclose(added[0], added[1], rtol=1e-2)


@pytest.mark.parametrize(
    ("card", "words"),
    [
        ("MAT1,11,2.1+5,,0.3,7.85-9\n", "Young's modulus 210000 Pa"),
        ("PSOLID,1,77\n", "PSOLID 1 is of material 77, of which there is no MAT1"),
        ("CONM2,9,9003,,3.\nGRID,9003,,0.,0.,0.\n", "CONM2 9 is at a node that no element and no tie has"),
        ("CONM2,9,1,,3.,0.1\n", "CONM2 9 has an offset or moments of inertia"),
        ("CONM2,9,1,,-3.\n", "CONM2 9 has a mass of -3 kg"),
        ("CONM2,9,1,,nan\n", "CONM2 9 has 'nan' where a number belongs"),
        ("PARAM,WTMASS,.00259\n", "PARAM WTMASS .00259 turns weights into masses"),
        ("GRID,9004,3,0.,0.,0.\n", "GRID 9004 is placed in frame 3"),
        ("CTETRA,99,1,1,2,3,4,5\n", "CTETRA 99 has 5 nodes; it needs 4 or 10"),
        (
            "CPENTA,99,1,1,2,3,4,5,6\n+,7,8,9,10,11,12,13,14\n+,15\n",
            "1 elements of kind wedge15, without which it has",
        ),
    ],
)
def test_that_cards_that_cannot_be_meant_are_refused(card: str, words: str, tmp_path: Path) -> None:
    with pytest.raises(InputError, match=words.replace("(", r"\(")):
        read_mesh(bdf(tmp_path, card), Material())


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("*SOLID SECTION, ELSET=STEEL, MATERIAL=BRASS\n", "is of material 'BRASS', which has no \\*ELASTIC"),
        ("*MATERIAL, NAME=S\n*ELASTIC\n2e11, 0.3, 20.\n1e11, 0.3, 600.\n", "depends on temperature"),
        ("*MATERIAL, NAME=S\n*ELASTIC, TYPE=ORTHOTROPIC\n1., 2.\n", "is not isotropic"),
        ("*NGEN\n1, 2, 1\n", "\\*NGEN is not read"),
        ("*INSTANCE, NAME=A, PART=P\n1000., 0., 0.\n", "\\*INSTANCE moves a part"),
        ("*MASS, ELSET=STEEL\n3.\n", "which is no element of type MASS"),
    ],
)
def test_that_keywords_that_cannot_be_meant_are_refused(text: str, words: str, tmp_path: Path) -> None:
    with pytest.raises(InputError, match=rf"bar\.inp: line \d+: .*{words}"):
        read_mesh(inp(tmp_path, text), Material())


def test_that_what_is_left_out_is_named_with_line_and_count(tmp_path: Path) -> None:
    file = bdf(tmp_path, "CQUAD4,501,3,1,2,3,4\nCQUAD4,502,3,1,2,3,4\nSPC1,1,123,1,2\n")
    lines = file.read_text(encoding="ascii").splitlines()
    shell, held = (
        next(k for k, line in enumerate(lines, 1) if line.startswith(x)) for x in ("CQUAD4", "SPC1")
    )
    assert read_mesh(file, Material()).left_out == (f"2 CQUAD4 (line {shell})", f"1 SPC1 (line {held})")
    file = inp(tmp_path, "*ELEMENT, TYPE=S3, ELSET=SKIN\n700, 1, 2, 3\n701, 2, 3, 4\n*BOUNDARY\n1, 1, 3\n")
    lines = file.read_text(encoding="ascii").splitlines()
    shell, held = (lines.index(x) + 1 for x in ("*ELEMENT, TYPE=S3, ELSET=SKIN", "*BOUNDARY"))
    source = source_of_mesh(file, Material())
    assert source.mesh is not None
    assert source.mesh.left_out == (f"2 *ELEMENT of type S3 (line {shell})", f"1 *BOUNDARY (line {held})")
    assert (
        f"left out: 2 *ELEMENT of type S3 (line {shell})" in flexible_of(source, None, JOINED, 2, "B").words
    )


def test_that_a_node_of_a_set_that_is_not_there_is_named_and_one_of_a_range_is_not(tmp_path: Path) -> None:
    """A tie by such a set holds less than the file says."""
    more = "*NSET, NSET=Held\n1, 2, 999999\n*NSET, NSET=RANGE, GENERATE\n1, 100000, 1\n"
    file = inp(tmp_path, more)
    line = file.read_text(encoding="ascii").splitlines().index("1, 2, 999999") + 1
    found = read_mesh(file, Material())
    assert found.left_out == (f"1 node of set 'Held' that is not in the file (line {line})",)
    assert len(found.sets["Held"]) == 2


@pytest.mark.parametrize("more", ["*NSET, NSET=A\n{}\n", "*ELSET, ELSET=B\n{}\n"])
def test_that_a_number_of_thousands_of_digits_is_refused(tmp_path: Path, more: str) -> None:
    """Python makes none of it, with an error of its own."""
    with pytest.raises(InputError, match="where a number belongs"):
        read_mesh(inp(tmp_path, more.format("9" * 5000)), Material())


def test_that_bulk_data_without_its_head_are_read(tmp_path: Path) -> None:
    """As Gmsh writes them; it was called damaged."""
    same = read_mesh(bdf(tmp_path, begin="$ Created by Gmsh\n"), Material())
    np.testing.assert_array_equal(same.solid.nodes, read_mesh(bdf(tmp_path), Material()).solid.nodes)


def test_that_a_structure_of_another_unit_of_length_is_refused(tmp_path: Path) -> None:
    """By the places of the bodies it is joined to, and by its weight."""
    file, none = bdf(tmp_path), Path()
    wanted = Wanted(file, Material(), none, none, None, JOINED, 2, "Bar", bodies={"Head": (L, 0.0, 0.0)})
    assert imported(wanted).body.mass() > 100.0
    body = imported(wanted).body
    far = body.model_copy(update={"nodes": tuple(
        node.model_copy(update={"position": tuple(100.0 * x for x in node.position)}) for node in body.nodes
    )})  # fmt: skip
    with pytest.raises(InputError, match="would be at them if its lengths were in centimetres"):
        check_scale(far, wanted.bodies, "far.bdf")
    for place in ((0.02, 0.0, 0.0), (0.0, 0.0, 0.0), (-1.0, 0.0, 0.5)):
        check_scale(body, {"Head": place}, "near.bdf")
    with pytest.raises(InputError, match="every element has a material of the file"):
        imported(replace(wanted, asked=True))


# -- files of files


def test_that_included_files_are_read_from_the_folder_of_the_deck(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Not from the working directory; faults are told with the file and line they are in."""
    whole = inp(tmp_path)
    lines = whole.read_text(encoding="ascii").splitlines()
    (tmp_path / "parts").mkdir()
    (tmp_path / "parts" / "nodes.inp").write_text("\n".join(lines[:40]), encoding="ascii")
    rest = "\n".join(lines[40:])
    deck = tmp_path / "deck.inp"
    deck.write_text(f"*INCLUDE, INPUT=parts/nodes.inp\n{rest}\n", encoding="ascii")
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    monkeypatch.chdir(elsewhere)
    read = read_mesh(deck, Material())
    np.testing.assert_array_equal(read.solid.nodes, read_mesh(whole, Material()).solid.nodes)
    (tmp_path / "parts" / "nodes.inp").write_text("\n".join((*lines[:39], "7, here, 0, 0")), encoding="ascii")
    with pytest.raises(InputError, match=r"nodes\.inp: line 40: NODE has 'here'"):
        read_mesh(deck, Material())
    bulk = bdf(tmp_path, "INCLUDE 'parts/more.bdf'\n")
    (tmp_path / "parts" / "more.bdf").write_text("CQUAD4,501,3,1,2,3,4\n", encoding="ascii")
    assert read_mesh(bulk, Material()).left_out == ("1 CQUAD4 (more.bdf, line 1)",)


@pytest.mark.parametrize(
    "name", ["/dev/zero", "../outside.inp", "pipe", "away", "deck.inp", "none.inp", "", "\x00"]
)
def test_that_a_deck_includes_only_plain_files_below_its_folder(name: str, tmp_path: Path) -> None:
    """No devices, pipes, links that lead out, itself, or what is not there: none of them is opened."""
    (tmp_path / "outside.inp").write_text("*NODE\n1, 0, 0, 0\n", encoding="ascii")
    folder = tmp_path / "folder"
    folder.mkdir()
    if hasattr(os, "mkfifo"):
        os.mkfifo(folder / "pipe")
    (folder / "away").symlink_to("/dev/zero")
    deck = folder / "deck.inp"
    deck.write_text(f"*HEADING\n*INCLUDE, INPUT={name}\n", encoding="latin-1")
    with pytest.raises(InputError, match=r"deck\.inp: line 2: includes"):
        Deck(deck, "abaqus")
    bulk = folder / "deck.bdf"
    bulk.write_text(f"$\nINCLUDE '{name}'\n", encoding="latin-1")
    with pytest.raises(InputError, match=r"line 2: includes|no solid elements"):
        read_mesh(bulk, Material())


def test_that_a_small_file_that_opens_to_gigabytes_is_refused_before_it_is_opened(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """120 MB of zeros in 160 kB, where 100 MB are allowed."""
    monkeypatch.setattr("ridewright.core.structure.meshes.MAX_OPENED", 10**8)
    piece, count = zlib.compress(bytes(10**7), 9), 12
    head = np.array([count, 10**7, 0, *[len(piece)] * count], dtype="<u4").tobytes()
    packed = (b64encode(head) + b64encode(piece * count)).decode()
    file = tmp_path / "bomb.vtu"
    file.write_text(
        '<VTKFile type="UnstructuredGrid" version="0.1" byte_order="LittleEndian" header_type="UInt32"'
        ' compressor="vtkZLibDataCompressor"><UnstructuredGrid><Piece NumberOfPoints="1" NumberOfCells="0"><Points>'
        f'<DataArray type="Float64" NumberOfComponents="3" format="binary">{packed}</DataArray></Points></Piece>'
        "</UnstructuredGrid></VTKFile>",
        encoding="ascii",
    )
    with pytest.raises(InputError, match=r"bomb\.vtu: its arrays open to more than 0.1 GB"):
        read_mesh(file, Material())
