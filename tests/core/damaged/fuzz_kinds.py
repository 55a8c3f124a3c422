"""Cases of `fuzz.py` around meshes, outlines, assemblies, formulas and calls of the Python door."""

from __future__ import annotations

import copy
import importlib.util
import inspect
import itertools
import json
import math
import random
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from tests.core.damaged.fuzz_damage import NASTY, NUMBERS, damage_bytes, damage_json, damage_text

CUBES, SIDE = 3, 0.2  # of the mesh: in a row, m
EDGES = (
    (0, 1),
    (1, 2),
    (0, 2),
    (0, 3),
    (1, 3),
    (2, 3),
)  # of a tetrahedron, in the order of its nodes in the middle
CARDS = (
    "*INCLUDE, INPUT=/dev/zero", "*INCLUDE, INPUT=../mesh.inp", "*INCLUDE, INPUT=mesh.inp", "*INCLUDE",
    "INCLUDE 'x.bdf'", "INCLUDE '/etc/passwd'", "*MATERIAL, NAME=ALU", "*ELASTIC", "2.1e11, 0.5", "0., 0.",
    "*DENSITY", "-7850.", "nan", "*MASS, ELSET=E", "1e300,", "*ELEMENT, TYPE=MASS, ELSET=E", "99999, 1",
    "*ELEMENT, TYPE=S4, ELSET=Q", "*BOUNDARY", "*NSET, NSET=TIP, GENERATE", "1, 100000000, 1", "*NSET, NSET=ROOT",
    "*COUPLING, REF NODE=1, SURFACE=S", "*KINEMATIC", "CONM2,9,1,,1e300", "CONM2,9,1,,-5.", "SPC,1,1,123456,0.",
    "CQUAD4,7,1,1,2,3,4", "MAT1,1,nan,,0.3,7850.", "MAT1,1,-1.,,0.3,7850.", "MAT1,1,2.1+11,,.5,7850.", "PSOLID,1,2",
    "RBE2,8,1,123456,1", "RBE3,8,,1,123", "GRID,1,,1e300,0.,0.", "CTETRA,1,1,1,1,1,1", "BEGIN BULK", "ENDDATA", "$",
    "*END PART", "**", "+,1,2,3", "*HEADING", "\0", "*NODE",
)  # fmt: skip
OUTLINES = (
    "y,z\n0,0\n{a},0\n{a},{b}\n0,{b}\n", "0,0\n{a},0\n0,{b}\n", "0,0\n{a},{b}\n{a},0\n0,{b}\n", "0,0\n{a},0\n{c},0\n",
    "-1,-1\n1,-1\n1,1\n-1,1\n\n{a},{a}\n{a},{b}\n{b},{b}\n{b},{a}\n", "0,0\n{a},0\n{a},{b}\n0,{b}\n0,0\n0,0\n",
    "-1,-1\n1,-1\n1,1\n-1,1\n\n-1,-1\n1,-1\n1,1\n-1,1\n", "0,0\n1e-9,0\n1e-9,{b}\n0,{b}\n", "{a},{b}\n" * 5,
)  # fmt: skip


def prepare(folder: Path) -> None:
    """The sound files of these cases: meshes of a bar in forms that can be read here, and what loads their readers."""
    from ridewright.core.cli import main

    nodes, cells = _mesh()
    ends = [[k for k, (x, _, _) in enumerate(nodes, 1) if abs(x - at) < 1e-9] for at in (0.0, CUBES * SIDE)]
    (folder / "mesh.inp").write_text(_abaqus(nodes, cells, ends))
    (folder / "mesh.bdf").write_text(_nastran(nodes, cells, ends))
    if importlib.util.find_spec("meshio") is not None:
        import meshio

        mesh = meshio.Mesh(nodes, [("tetra10", [[k - 1 for k in cell] for cell in cells])])
        mesh.write(folder / "mesh.vtu", binary=True)
        mesh.write(folder / "mesh.msh", file_format="gmsh22", binary=False)
    (folder / "mesh_frames.json").write_text(
        json.dumps([{"name": "root", "position": [0.0, 0.1, 0.1], "nodes": [k - 1 for k in ends[0]]},
                    {"name": "tip", "position": [CUBES * SIDE, 0.1, 0.1], "nodes": [k - 1 for k in ends[1]]}])
    )  # fmt: skip
    for name in ("mesh.inp", "mesh.bdf"):
        main(_mesh_line(folder / name, folder, str(folder / "meshed.ridewright"), frames=False))
    (folder / "outline.csv").write_text(
        "0,0\n0.2,0\n0.2,0.1\n0,0.1\n\n0.05,0.02\n0.1,0.02\n0.1,0.08\n0.05,0.08\n"
    )
    main(["section", str(folder / "outline.csv")])
    (folder / "meshed.ridewright").unlink(missing_ok=True)


def _mesh() -> tuple[list[tuple[float, float, float]], list[list[int]]]:
    """Nodes and tetrahedra of ten (numbers from 1) of cubes in a row, six in each."""
    number: dict[tuple[int, int, int], int] = {}
    cells = []
    for cube in range(CUBES):
        for way in itertools.permutations(range(3)):
            corner = [2 * cube, 0, 0]
            corners = [tuple(corner)]
            for axis in way:
                corner[axis] += 2
                corners.append(tuple(corner))
            if (way[0] - way[1]) * (way[1] - way[2]) * (way[2] - way[0]) < 0:  # so that none is inside out
                corners[1], corners[2] = corners[2], corners[1]
            middle = [
                tuple((a + b) // 2 for a, b in zip(corners[i], corners[j], strict=True)) for i, j in EDGES
            ]
            cells.append([number.setdefault(p, len(number) + 1) for p in (*corners, *middle)])  # type: ignore[arg-type]
    return [tuple(0.5 * SIDE * c for c in p) for p in number], cells  # type: ignore[misc]


def _abaqus(nodes: list[tuple[float, float, float]], cells: list[list[int]], ends: list[list[int]]) -> str:
    lines = [
        "*HEADING",
        "bar",
        "*NODE",
        *(f"{k}, {x:.6f}, {y:.6f}, {z:.6f}" for k, (x, y, z) in enumerate(nodes, 1)),
    ]
    lines += ["*ELEMENT, TYPE=C3D10, ELSET=ALL"]
    lines += [f"{k}, {', '.join(map(str, cell))}" for k, cell in enumerate(cells, 1)]
    for name, end in zip(("ROOT", "TIP"), ends, strict=True):
        lines += [
            f"*NSET, NSET={name}",
            *(", ".join(map(str, end[k : k + 8])) for k in range(0, len(end), 8)),
        ]
    lines += ["*MATERIAL, NAME=STEEL", "*ELASTIC", "2.1e11, 0.3", "*DENSITY", "7850.,"]
    return "\n".join([*lines, "*SOLID SECTION, ELSET=ALL, MATERIAL=STEEL", ""])


def _nastran(nodes: list[tuple[float, float, float]], cells: list[list[int]], ends: list[list[int]]) -> str:
    lines = [
        "CEND",
        "BEGIN BULK",
        *(f"GRID,{k},,{x:.6f},{y:.6f},{z:.6f}" for k, (x, y, z) in enumerate(nodes, 1)),
    ]
    for k, cell in enumerate(cells, 1):
        lines += [f"CTETRA,{k},1,{','.join(map(str, cell[:6]))}", f"+,{','.join(map(str, cell[6:]))}"]
    lines += [
        "PSOLID,1,1",
        "MAT1,1,2.1+11,,0.3,7850.",
        "GRID,901,,0.,0.1,0.1",
        f"GRID,902,,{CUBES * SIDE},0.1,0.1",
    ]
    for k, end in enumerate(ends, 1):
        words = [str(900 + k), "123456", *map(str, end)]
        lines.append(",".join(("RBE2", str(800 + k), *words[:7])))
        lines += [",".join(("+", *words[i : i + 8])) for i in range(7, len(words), 8)]
    return "\n".join([*lines, "CONM2,950,902,,5.", "ENDDATA", ""])


def _mesh_line(mesh: Path, sound: Path, out: str, *, frames: bool = True) -> list[str]:
    if mesh.suffix == ".bdf" and not frames:
        joined = ["--join", "901=ground", "902=bob"]
    else:
        joined = ["--frames", str(sound / "mesh_frames.json"), "--join", "root=ground", "tip=bob"]
    return [
        "import-structure",
        str(sound / "rig.ridewright"),
        "--mesh",
        str(mesh),
        *joined,
        "--modes",
        "2",
        "--out",
        out,
    ]


def mesh_case(sound: Path, folder: Path, rng: random.Random) -> list[str]:
    """A mesh with damaged bytes, cells or cards of another kind, or frames that do not fit it."""
    source = rng.choice(sorted(sound.glob("mesh.*")))
    mesh, content, how = folder / source.name, source.read_bytes(), rng.randrange(5)
    plain = source.suffix in (".inp", ".bdf")
    if plain and how <= 1:
        rows = content.decode().splitlines()
        for _ in range(rng.choice((1, 1, 2, 4))):
            rows.insert(rng.randrange(len(rows) + 1), rng.choice(CARDS))
        content = "\n".join(rows).encode()
    elif how <= 3:
        for _ in range(rng.choice((1, 1, 3))):
            content = (damage_text if plain or rng.random() < 0.3 else damage_bytes)(content, rng)
    mesh.write_bytes(content)
    line = _mesh_line(mesh, sound, str(folder / "out"), frames=rng.random() < 0.6)
    if how == 4 and "--frames" in line:
        frames = folder / "mesh_frames.json"
        frames.write_bytes(damage_json((sound / "mesh_frames.json").read_text(), rng))
        line[line.index("--frames") + 1] = str(frames)
    return [*line, *rng.choice(([], [], ["--check"], [f"--modes={rng.choice(NUMBERS)}"]))]


def outline_case(sound: Path, folder: Path, rng: random.Random) -> list[str]:
    """Outlines of beams that are damaged, cross, have no area, or holes outside."""
    file = folder / "outline.csv"
    if rng.random() < 0.4:
        content = damage_text((sound / "outline.csv").read_bytes(), rng)
    else:
        sizes = {
            name: f"{rng.choice((1.0, rng.uniform(-2, 2), 10 ** rng.uniform(-9, 1.9))):.12g}"
            for name in "abc"
        }
        content = rng.choice(OUTLINES).format(**sizes).encode()
        if rng.random() < 0.2:
            content = damage_text(content, rng)
    file.write_bytes(content)
    return ["section", str(file), *rng.choice(([], ["--json"]))]


def assembly_case(sound: Path, folder: Path, rng: random.Random) -> list[str]:
    """Assemblies put into one another, doubled, renamed to what others are called, or cut off from what names them."""
    source = rng.choice(sorted(sound.glob("*.ridewright")))
    data = json.loads(source.read_text(encoding="utf-8"))
    for _ in range(rng.choice((1, 1, 2, 4))):
        _rebuilt(data, rng)
    file = folder / "assemblies.ridewright"
    text = json.dumps(data)
    file.write_bytes(damage_json(text, rng) if rng.random() < 0.15 else text.encode("utf-8", "surrogatepass"))
    out = str(folder / "out")
    return rng.choice([["check", str(file)], ["check", str(file), "--json"], ["modes", str(file)],
                       ["simulate", str(file), "--duration", "0.02", "--out", out], ["train", "show", str(file)],
                       ["seats", str(file), "--worst-pattern", "Car 1", "--out", out]])  # fmt: skip


LISTS = (
    "children",
    "bodies",
    "joints",
    "guides",
    "drivers",
    "forces",
    "seats",
    "surfaces",
    "flexibles",
    "couplings",
)


def _assemblies(node: Any) -> Iterator[dict[str, Any]]:
    """The assemblies of a project in JSON, and whatever else has lists of such names."""
    if isinstance(node, dict):
        if "role" in node:
            yield node
        node = list(node.values())
    for one in node if isinstance(node, list) else ():
        yield from _assemblies(one)


def _rebuilt(data: dict[str, Any], rng: random.Random) -> None:
    every = list(_assemblies(data))
    if not every:
        return
    one, other, how = rng.choice(every), rng.choice(every), rng.randrange(8)
    if how == 0:
        one.setdefault("children", []).append(copy.deepcopy(other))
    elif how == 1:
        for _ in range(rng.choice((1, 3, 40))):  # deep
            inner = {**copy.deepcopy(one), "children": [], "name": rng.choice((one.get("name"), "x", "a"))}
            one.setdefault("children", []).append(inner)
            one = inner
    elif how == 2:
        one["role"] = rng.choice(("rig", "train", "car", "rider", "part", "", None))
    elif how == 3:
        one["name"] = rng.choice((other.get("name"), "", "a/b", "ground", *(str(x)[:50] for x in NASTY)))
    elif how == 4:
        filled = [name for name in LISTS if one.get(name)]
        if filled:
            one[rng.choice(filled)] = []
    elif how == 5:
        name = rng.choice(LISTS)
        one[name] = copy.deepcopy(other.get(rng.choice((name, name, rng.choice(LISTS))), []))
    elif how == 6:
        named = [entry for name in LISTS for entry in one.get(name) or [] if isinstance(entry, dict)]
        if named:
            entry = rng.choice(named)
            others = [
                str(e.get("name")) for name in LISTS for e in other.get(name) or [] if isinstance(e, dict)
            ]
            key = rng.choice(
                [k for k in entry if k in ("name", "body", "body_i", "body_j", "path")] or ["name"]
            )
            entry[key] = rng.choice(
                [*others, "ground", f"{other.get('name')}/{rng.choice(others or ['x'])}", ".."]
            )
    else:
        for name in ("position", "orientation"):
            if name in one:
                one[name] = [rng.choice((0.0, 1.0, 1e9, rng.gauss(0, 1))) for _ in one[name] or ()]


def formula_case(sound: Path, folder: Path, rng: random.Random) -> list[str]:
    """Curves from formulas of any shape, most of them arithmetic."""
    duration = rng.choice(("0.2", "0.2", "0.05", *NUMBERS))
    return ["textbook", f"--x={_formula(rng, 4)}", f"--y={_formula(rng, 4)}", f"--duration={duration}",
            *rng.choice(([], ["--json"], [f"--to={rng.choice(NUMBERS)}"]))]  # fmt: skip


def _formula(rng: random.Random, deep: int) -> str:
    if deep == 0 or rng.random() < 0.2:
        return rng.choice(
            ("t", "t", "t", "1", "10", "0.5", "pi", "e", "1e9", "1e-9", f"{rng.gauss(0, 3):.3g}", "0")
        )
    a, b = _formula(rng, deep - 1), _formula(rng, deep - 1)
    how = rng.randrange(12)
    if how <= 6:
        return (
            f"({a} {rng.choice('++--*/')} {b})"
            if how
            else f"({a})**{rng.choice(('2', '3', '-1', '0.5', '(' + b + ')'))}"
        )
    if how <= 9:
        called = rng.choice(
            ("sin", "cos", "tan", "exp", "log", "sqrt", "abs", "tanh", "asin", "min", "eval", "floor")
        )
        return f"{called}({a})"
    if how == 10:
        return f"-{a}"
    return rng.choice((f"{a} if {b} else t", f"[{a}]", f"{a}.real", f"({a}, {b})", f"{a} // {b}", f"{a} % {b}", f"t{a}",
                       f"{a} {b}", f"lambda: {a}", f"{a} < {b}", f"t[{a}]", f"f'{a}'", f"{a}\n{b}"))  # fmt: skip


def api_case(sound: Path, folder: Path, rng: random.Random) -> list[str]:
    """A number from which `call` makes its calls; the files are those of the folder."""
    return ["api", str(rng.getrandbits(48)), str(sound), str(folder)]


def call(line: list[str]) -> int:
    """Calls of the Python door with arguments of any kind, as a script would make them: 0, or 2 with the sentences
    of those that were refused."""
    import sys

    import ridewright as rw
    from ridewright.core.base.errors import InputError

    rng, sound, folder = random.Random(int(line[1])), Path(line[2]), Path(line[3])
    code = 0
    values = _values(rng, sound, folder)
    for _ in range(6):
        function = rng.choice(_functions(rw))
        arguments, named = _arguments(function, values, rng, folder)
        try:
            made = function(*arguments, **named)
        except InputError as error:
            code = 2
            print(f"ridewright: {error}", file=sys.stderr)
            continue
        if made is not None and len(repr(made)) > 100_000:
            raise AssertionError(f"the text of what {function} gives is too long")
        values.append(made)
    return code


#: Left out: what draws, reports or makes many rides starts threads and workers, which a forked process cannot do.
THREADS = ("plot", "report", "run_study", "calibrate", "rigid_run")
#: What the program makes and hands out, and nobody makes from nothing: `Results.of_signals` makes results of arrays.
HANDED_OUT = ("Check", "InputError", "Judgement", "Modes", "Results", "edits")


def _functions(rw: Any) -> list[Callable[..., Any]]:
    own = [getattr(rw, name) for name in rw.__all__ if name not in (*THREADS, *HANDED_OUT)]
    made = [rw.Results.of_signals, *(getattr(rw.edits, name) for name in rw.edits.__all__[::4])]
    return [one for one in (*own, *made) if callable(one)]


def _values(rng: random.Random, sound: Path, folder: Path) -> list[Any]:
    import numpy as np

    import ridewright as rw

    file = folder / "call.ridewright"
    file.write_bytes(
        damage_json(rng.choice(sorted(sound.glob("*.ridewright"))).read_text(encoding="utf-8"), rng)
    )
    short = rw.edits.set_scenario(rw.open(sound / "rig.ridewright"), {"duration": 0.02})
    arrays = [
        np.zeros(3),
        np.full((4, 3), math.nan),
        np.arange(20.0),
        np.ones((20, 3)),
        np.array(["x"]),
        np.zeros((0, 3)),
    ]
    signals = {
        "rider/Car/Me/head/acceleration": rng.choice(arrays),
        rng.choice(("x", "a/b", "seat/x/acceleration")): arrays[3],
    }
    paths = [
        str(file),
        str(sound / "results.h5"),
        folder,
        sound / "rig.ridewright",
        "nowhere",
        folder / "out.h5",
    ]
    return [
        *NASTY,
        *NUMBERS,
        *arrays,
        *paths,
        short,
        short,
        rw.results(sound / "results.h5"),
        signals,
        object(),
        str,
        len,
    ]


def _arguments(
    function: Callable[..., Any], values: list[Any], rng: random.Random, folder: Path
) -> tuple[list[Any], dict[str, Any]]:
    """Arguments that mostly fit the annotations of a function; what is written goes into the folder."""
    from ridewright.core.api.door import _fits, _hint

    inner = inspect.unwrap(function)
    arguments: list[Any] = []
    named: dict[str, Any] = {}
    try:
        parameters = list(inspect.signature(function).parameters.values())
    except (ValueError, TypeError):
        parameters = []
    for parameter in parameters:
        if parameter.kind in (parameter.VAR_POSITIONAL, parameter.VAR_KEYWORD):
            continue
        if parameter.default is not parameter.empty and rng.random() < 0.5:
            continue
        if parameter.name in ("on_progress", "should_stop"):
            continue
        if parameter.name == "path" and "save" in getattr(inner, "__name__", ""):
            value: Any = rng.choice((folder / "out.h5", folder, folder / "file" / "x", "\0", 3))
        else:
            fitting = values
            if rng.random() < 0.8 and inspect.isfunction(inner):
                hint = _hint(inner, parameter.name)
                fitting = [value for value in values if _fits(value, hint)] or values
            value = rng.choice(fitting)
        if parameter.kind is parameter.KEYWORD_ONLY:
            named[parameter.name] = value
        else:
            arguments.append(value)
    return arguments, named
