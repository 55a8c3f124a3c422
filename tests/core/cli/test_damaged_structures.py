"""Two hundred damaged finite-element files: each ends with one sentence that names file, place and a way out."""

from __future__ import annotations

import gzip
import json
import random
import re
from collections.abc import Callable
from functools import cache
from pathlib import Path

import numpy as np
import pytest
from scipy.io import mmwrite
from scipy.sparse import coo_matrix, csc_matrix

from ridewright.core.cli.program import main
from ridewright.core.structure.solids import Solid, structure_of
from tests.core.cli.test_import_structure import _rig

pytest.importorskip("skfem", reason="has the shape functions (extra 'structure')")
meshio = pytest.importorskip("meshio", reason="reads meshes (extra 'structure')")

CASES = 200
#: What a sentence ends with: something to do.
WAY_OUT = re.compile(
    r"\b(add|choose|check|export|give|import|join|keep|look|make|mend|mesh|must|name|needs?|reduce|take|tie|write)\b"
)
FRAMES = [
    {"name": "root", "position": [0.0, 0.0, 0.0]},
    {"name": "tip", "position": [2.4, 0.25, 0.0]},
]
Damage = Callable[[Path, random.Random], tuple[str, list[str]]]


@cache
def _solid() -> Solid:
    from tests.core.structure.test_solids import brick

    return brick("hexahedron20", (4, 1, 1), (2.4, 0.3, 0.2))


@cache
def _matrices() -> tuple[csc_matrix, csc_matrix]:
    s = structure_of(_solid())
    return s.K, s.M


def _ends() -> list[list[int]]:
    x = _solid().nodes[:, 0]
    return [np.flatnonzero(np.abs(x - at) < 1e-9).tolist() for at in (0.0, 2.4)]


def _sound(folder: Path) -> None:
    """Sound files of both kinds."""
    K, M = _matrices()
    _write(folder / "K.mtx.gz", K)
    _write(folder / "M.mtx.gz", M)
    _nodes(folder, _solid().nodes)
    _frames(folder, [{**frame, "nodes": nodes} for frame, nodes in zip(FRAMES, _ends(), strict=True)])
    _mesh(folder, _solid().nodes, _solid().cells["hexahedron20"])


def _write(file: Path, matrix: csc_matrix, symmetry: str = "general") -> None:
    plain = file.with_suffix("")
    mmwrite(plain, coo_matrix(matrix), symmetry=symmetry, precision=16)
    file.write_bytes(gzip.compress(plain.read_bytes()))


def _nodes(folder: Path, nodes: np.ndarray) -> None:
    rows = [f"{k},{x!r},{y!r},{z!r}" for k, (x, y, z) in enumerate(nodes.tolist())]
    (folder / "nodes.csv").write_text("\n".join(["node,x,y,z", *rows]), encoding="utf-8")


def _frames(folder: Path, frames: list[dict[str, object]]) -> None:
    (folder / "frames.json").write_text(json.dumps({"interfaces": frames}), encoding="utf-8")


def _mesh(folder: Path, nodes: np.ndarray, cells: np.ndarray, kind: str = "hexahedron20") -> None:
    meshio.write(folder / "arm.vtu", meshio.Mesh(nodes, [(kind, cells)]))


def _read_frames(folder: Path) -> list[dict[str, object]]:
    found: list[dict[str, object]] = json.loads((folder / "frames.json").read_text())["interfaces"]
    return found


# -- damage: what it did, and which of --matrices and --mesh reads it


def _other_order(folder: Path, rng: random.Random) -> tuple[str, list[str]]:
    """Unknowns direction by direction, or nodes in another order than their table."""
    n = len(_solid().nodes)
    if rng.random() < 0.5:
        order = np.arange(3 * n).reshape(n, 3).T.ravel()
    else:
        order = (
            3 * np.random.default_rng(rng.randrange(1 << 30)).permutation(n)[:, None] + np.arange(3)
        ).ravel()
    for name, matrix in zip("KM", _matrices(), strict=True):
        _write(folder / f"{name}.mtx.gz", csc_matrix(matrix[order][:, order]))
    return "K.mtx.gz", []


def _missing_nodes(folder: Path, rng: random.Random) -> tuple[str, list[str]]:
    rows = (folder / "nodes.csv").read_text().splitlines()
    for _ in range(rng.randint(1, 4)):
        del rows[rng.randrange(1, len(rows))]
    (folder / "nodes.csv").write_text("\n".join(rows))
    return "nodes.csv", []


def _unsymmetric(folder: Path, rng: random.Random) -> tuple[str, list[str]]:
    name = rng.choice("KM")
    matrix = _matrices()["KM".index(name)].tocoo()
    k = rng.choice([k for k in range(matrix.nnz) if matrix.row[k] != matrix.col[k]])
    matrix.data = matrix.data.copy()
    matrix.data[k] += rng.choice((1.0, -0.3, 10.0)) * abs(matrix.data).max()
    _write(folder / f"{name}.mtx.gz", csc_matrix(matrix))
    return "K.mtx.gz", []


def _indefinite(folder: Path, rng: random.Random) -> tuple[str, list[str]]:
    """A spring of negative stiffness between two nodes: rigid motions still cost nothing."""
    K, nodes = _matrices()[0], _solid().nodes
    free = np.setdiff1d(np.arange(len(nodes)), np.concatenate(_ends()))
    a, b = rng.sample(free.tolist(), 2)
    along = (nodes[b] - nodes[a]) / np.linalg.norm(nodes[b] - nodes[a])
    v = np.zeros(K.shape[0])
    v[3 * a : 3 * a + 3], v[3 * b : 3 * b + 3] = -along, along
    size = rng.choice((0.3, 1.0, 10.0)) * abs(K).max()
    _write(folder / "K.mtx.gz", csc_matrix(K - size * csc_matrix(np.outer(v, v))))
    return "K.mtx.gz", []


def _tied_to_nothing(folder: Path, rng: random.Random) -> tuple[str, list[str]]:
    frames = _read_frames(folder)
    one = frames[rng.randrange(2)]
    nodes = one.pop("nodes")
    way = rng.randrange(5)
    if way == 0:
        one["nodes"] = []
    elif way == 1:
        one["nodes"] = [*nodes, rng.choice((-1, 10**6, len(_solid().nodes)))]  # type: ignore[misc]
    elif way == 2:
        one["within"] = rng.choice((1e-9, 0.0, -1.0))
    elif way == 3:
        one["set"] = rng.choice(("ROOT", "", "none"))
    _frames(folder, frames)
    return "frames.json", rng.choice(([], ["--mesh"]))


def _too_few(folder: Path, rng: random.Random) -> tuple[str, list[str]]:
    """A frame that turns freely, two that share a node, one that reaches across."""
    frames = _read_frames(folder)
    ends = _ends()
    nodes = rng.choice((ends[0][:1], ends[0][:2], [*ends[0], ends[1][0]], [*ends[0], ends[0][0]]))
    frames[0]["nodes"] = nodes
    _frames(folder, frames)
    return "", rng.choice(([], ["--mesh"]))


def _no_interface(folder: Path, rng: random.Random) -> tuple[str, list[str]]:
    return "frames.json", [
        *rng.choice(([], ["--mesh"])),
        "--join",
        rng.choice(("elbow", "Tip", "1")) + "=Head",
    ]


def _other_sizes(folder: Path, rng: random.Random) -> tuple[str, list[str]]:
    name = rng.choice("KM")
    matrix = _matrices()["KM".index(name)]
    size = matrix.shape[0]
    way = rng.randrange(3)
    if way == 0:
        left = size - 3 * rng.randint(1, 5)
        _write(folder / f"{name}.mtx.gz", csc_matrix(matrix[:left][:, :left]))
        return f"{name}.mtx.gz", []
    if way == 1:
        _write(folder / f"{name}.mtx.gz", csc_matrix(matrix[: size - 1]))
        return f"{name}.mtx.gz", []
    _nodes(folder, np.vstack([_solid().nodes, [[9.0, 9.0, 9.0]]]))
    return "nodes.csv", []


def _cut(folder: Path, rng: random.Random) -> tuple[str, list[str]]:
    """Truncated, or with bytes turned over."""
    name = rng.choice(("K.mtx.gz", "M.mtx.gz", "arm.vtu", "arm.msh", "arm.inp", "arm.bdf"))
    mesh = [] if name.endswith("gz") else ["--mesh", name]
    if mesh and name != "arm.vtu":
        forms = {"arm.msh": "gmsh", "arm.inp": "abaqus", "arm.bdf": "nastran"}
        nodes = np.round(_solid().nodes, 6)
        made = meshio.Mesh(nodes, [("hexahedron20", _solid().cells["hexahedron20"])])
        meshio.write(folder / name, made, forms[name])
    content = bytearray((folder / name).read_bytes())
    del content[rng.randrange(1, int(0.9 * len(content))) :]
    if rng.random() < 0.3:
        for _ in range(20):
            content[rng.randrange(len(content))] ^= 1 << rng.randrange(8)
    (folder / name).write_bytes(bytes(content))
    return name, mesh


def _wrong_figures(folder: Path, rng: random.Random) -> tuple[str, list[str]]:
    """Units wrong by a thousand, figures that are none."""
    way = rng.randrange(5)
    if way == 0:
        _nodes(folder, 1000.0 * _solid().nodes)
        _frames(
            folder, [{**f, "position": [1000.0 * x for x in f["position"]]} for f in _read_frames(folder)]
        )  # type: ignore[attr-defined]
        return "K.mtx.gz", []
    if way == 1:
        _write(folder / "K.mtx.gz", csc_matrix(1e-6 * _matrices()[0]))
        return "K.mtx.gz", []
    if way == 2:
        _mesh(folder, 1000.0 * _solid().nodes, _solid().cells["hexahedron20"])
        return "arm.vtu", ["--mesh"]
    if way == 3:
        return "", [
            "--mesh",
            "arm.vtu",
            *rng.choice((["--E", "2.1e5"], ["--density", "7.85e-9"], ["--poisson", "0.5"])),
        ]
    K = _matrices()[0].copy()
    K.data[rng.randrange(K.nnz)] = rng.choice((np.nan, np.inf, 1e200))
    _write(folder / "K.mtx.gz", K)
    return "K.mtx.gz", []


def _bad_mesh(folder: Path, rng: random.Random) -> tuple[str, list[str]]:
    """Folded elements, loose parts, first order, no solids."""
    nodes, cells = _solid().nodes.copy(), _solid().cells["hexahedron20"].copy()
    way, one = rng.randrange(4), rng.randrange(4)
    if way == 0:
        a, b = rng.choice(((0, 6), (0, 1), (2, 3), (4, 7)))
        cells[one, [a, b]] = cells[one, [b, a]]
    elif way == 1:
        count = len(nodes)
        nodes = np.vstack([nodes, nodes + np.array([0.0, rng.uniform(2.0, 9.0), 0.0])])
        cells = np.vstack([cells, cells + count])
    elif way == 2:
        cells = cells[:, :8]
    else:
        nodes[rng.choice(cells[one, :8].tolist())] = nodes[cells[one]].mean(axis=0) * [1.0, 9.0, 1.0]
    _mesh(folder, nodes, cells, {8: "hexahedron", 20: "hexahedron20"}[cells.shape[1]])
    return "arm.vtu", ["--mesh"]


DAMAGES: tuple[Damage, ...] = (
    _other_order, _missing_nodes, _unsymmetric, _indefinite, _tied_to_nothing, _too_few, _no_interface, _other_sizes,
    _cut, _wrong_figures, _bad_mesh,
)  # fmt: skip


def _line(folder: Path, more: list[str]) -> list[str]:
    given = list(more)
    line = ["import-structure", str(folder / "rig.ridewright"), "--frames", str(folder / "frames.json")]
    if given and given[0] == "--mesh":
        del given[0]
        name = given.pop(0) if given and not given[0].startswith("-") else "arm.vtu"
        line += ["--mesh", str(folder / name)]
    else:
        for key, name in (("stiffness", "K.mtx.gz"), ("mass", "M.mtx.gz"), ("nodes", "nodes.csv")):
            line += [f"--{key}", str(folder / name)]
    joined = [] if "--join" in given else ["--join", "root=ground", "tip=Head"]
    return [*line, "--modes", "3", "--out", str(folder / "out.ridewright"), *joined, *given]


@pytest.mark.nightly
def test_that_two_hundred_damaged_files_end_with_one_sentence_each(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    _rig(tmp_path / "rig.ridewright")
    for more in ([], ["--mesh"]):
        _sound(tmp_path)
        assert main(_line(tmp_path, more)) == 0, "what is not damaged is taken"
        (tmp_path / "out.ridewright").unlink()
    capsys.readouterr()
    wrong = []
    for k in range(CASES):
        rng, damage = random.Random(1000 + k), DAMAGES[k % len(DAMAGES)]
        _sound(tmp_path)
        blamed, more = damage(tmp_path, rng)
        code = main(_line(tmp_path, more))
        told = capsys.readouterr().err.strip()
        sound = code == 2 and "Traceback" not in told and "\n" not in told and told.endswith(".")
        if not (
            sound and blamed in told and WAY_OUT.search(told) and not (tmp_path / "out.ridewright").exists()
        ):
            wrong.append(f"{k} {damage.__name__} {more}: {code} {told[:300]}")
        (tmp_path / "out.ridewright").unlink(missing_ok=True)
    assert not wrong, "\n".join(wrong)
