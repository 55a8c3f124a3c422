"""Damaged inputs without end, each from a number of its own: files of every kind, options, and commands over them.

    python tests/core/damaged/fuzz.py --count 500            new numbers
    python tests/core/damaged/fuzz.py --only 123456789       one case again, with what was shown
    python tests/core/damaged/fuzz.py --only 123456789 --keep FOLDER   and its files kept

A case is right when the program ends by itself with 0, 1 or 2, with no traceback, within TIME and MEMORY; and when a
refusal is one sentence that does not speak of the libraries underneath. Each runs in a process forked from one that
has everything loaded, so that it costs what the command costs.
"""

from __future__ import annotations

import argparse
import contextlib
import copy
import json
import os
import random
import resource
import secrets
import shutil
import signal
import struct
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[2]
if __name__ == "__main__":
    sys.path.insert(0, str(ROOT))

TIME, MEMORY = 60.0, 2 * 10**9  # s, bytes
ROOM = 12 * 2**30  # bytes of addresses a case may have, so that a bad one ends before the machine does
FOREIGN = (
    "Traceback", "Input should be", "Value error", "Errno", "np.", "numpy", "h5py", "pydantic", "Unable to",
    "object at", "Expecting", "KeyError", "validation error", "codec can't", "invalid literal", "NoneType", "<class",
    "unsupported", "RuntimeWarning", "array(", "list index", "could not convert", "dtype",
)  # fmt: skip


@dataclass(frozen=True)
class Outcome:
    """What became of a case: its number, command line, exit code, time (s), memory (bytes), what it showed, and what
    is wrong with that, empty when nothing is."""

    seed: int
    line: tuple[str, ...]
    code: int
    seconds: float
    memory: int
    shown: str
    fault: str

    def __str__(self) -> str:
        return (
            f"seed {self.seed}: {self.fault}\n  {' '.join(map(repr, self.line))}\n  exit {self.code},"
            f" {self.seconds:.1f} s, {self.memory / 1e6:.0f} MB\n  {self.shown[-1500:]}"
        )


# -- what a value may be that has no business there

NASTY: tuple[Any, ...] = (
    None, True, False, 0, -1, 1, 2, 1e-300, -1e-300, 1e300, -1e300, 1e9, 1e6, 1e-9, 10**30, 2**31, 2**63, -0.0,
    float("nan"), float("inf"), float("-inf"), "", " ", "nan", "1e5", "1,5", "name", "\0", "<b>x</b>", "=1+1",
    "../../x", "x" * 5000, "\u202e", "\ud800", "car/1", [], {}, [[]], [0], [1, 2, 3], [0, 0, 0], [1e20, 0, 0],
    {"kind": "ride"}, [[0, 0], [0, 0]], {"a": {"a": {}}},
)  # fmt: skip
NUMBERS = (
    "", "soon", "nan", "inf", "-inf", "-1", "0", "-0", "1e-300", "1e300", "1e999", "1,5", "0x10", "1e-7", "1e7", "3",
    "0.5", "١", "1_000", "--", "1;2", "٣",
)  # fmt: skip


def _leaves(node: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    entries = node.items() if isinstance(node, dict) else enumerate(node) if isinstance(node, list) else ()
    found = [path] if path else []
    for key, value in entries:
        found += _leaves(value, (*path, key))
    return found


def damage_json(text: str, rng: random.Random) -> bytes:
    """One to three places of a JSON text changed, or the text itself."""
    if rng.random() < 0.2:
        return damage_text(text.encode(), rng)
    data = json.loads(text)
    for _ in range(rng.choice((1, 1, 1, 2, 3))):
        paths = _leaves(data)
        if not paths:
            break
        path = rng.choice(paths)
        parent = data
        for key in path[:-1]:
            parent = parent[key]
        value, how = parent[path[-1]], rng.randrange(9)
        is_number = isinstance(value, int | float) and not isinstance(value, bool)
        if how <= 3 and is_number:  # what is well formed goes further into the program than what is not
            size = rng.choice((0.3, 1.0, 3.0, 12.0))
            parent[path[-1]] = rng.choice(
                (value * 10.0 ** rng.uniform(-size, size), -value, 0, value + 1, rng.gauss(0, 3))
            )
        elif how <= 3:
            parent[path[-1]] = copy.deepcopy(rng.choice(NASTY))
        elif how == 4 and isinstance(parent, dict):
            del parent[path[-1]]
        elif how == 5 and isinstance(value, list) and value:
            parent[path[-1]] = value * rng.choice((2, 2, 3, 30, 300))
        elif how == 6 and isinstance(value, list):
            rng.shuffle(value)
        elif how == 7 and isinstance(value, str):
            others = [t for p in paths if isinstance(t := _at(data, p), str)]
            parent[path[-1]] = rng.choice(others)
        elif how == 8:
            parent[path[-1]] = copy.deepcopy(_at(data, rng.choice(paths)))
    try:
        return json.dumps(data).encode("utf-8", "surrogatepass")
    except RecursionError:
        return b"["


def _at(node: Any, path: tuple[Any, ...]) -> Any:
    for key in path:
        node = node[key]
    return node


def damage_bytes(content: bytes, rng: random.Random) -> bytes:
    """Bytes flipped, cut, doubled, put in, or numbers of a binary file set to what is none."""
    data = bytearray(content)
    for _ in range(rng.choice((1, 1, 2, 8))):
        if not data:
            break
        at, how = rng.randrange(len(data)), rng.randrange(7)
        if how == 0:
            data[at] ^= 1 << rng.randrange(8)
        elif how == 1:
            del data[at:]
        elif how == 2:
            data[at:at] = rng.randbytes(rng.choice((1, 4, 100)))
        elif how == 3:
            end = min(len(data), at + rng.choice((1, 8, 200, 5000)))
            data[at:end] = data[at:end] * 2
        elif how == 4:
            del data[at : at + rng.choice((1, 2, 8, 500))]
        elif how == 5:
            wild = rng.choice((float("nan"), float("inf"), 1e300, -1.0, 1e20, 0.0, 1e-40))
            kind = rng.choice(["<d", "<f", ">d", ">f"])
            with contextlib.suppress(OverflowError):
                made = struct.pack(kind, wild)
                data[at : at + len(made)] = made
        else:
            data[at : at + 4] = struct.pack("<i", rng.choice((-1, 0, 1, 2**31 - 1, -(2**31), 10**6, 10**9)))
    return bytes(data)


def damage_text(content: bytes, rng: random.Random) -> bytes:
    """A text of rows or tags: cells, rows, separators, encodings and ends changed."""
    how = rng.randrange(14)
    text = content.decode("utf-8", "replace")
    rows = text.splitlines()
    k = rng.randrange(max(len(rows), 1))
    if how == 0:
        return damage_bytes(content, rng)
    if how == 1:
        return text.encode(rng.choice(("utf-16", "utf-8-sig", "utf-32", "latin-1")), "replace")
    if how == 2:
        text = text.replace("\n", rng.choice(("\r\n", "\r", "\n\n", "\0", "\u2028")))
    elif how == 3:
        text = text.replace(
            rng.choice((",", ".", " ", "\t", '"', "<", ">", ":")), rng.choice(("", ";", ",", ", ", "\t"))
        )
    elif how == 4:
        rows.insert(k, rng.choice(rows) if rows else "x")
    elif how == 5 and rows:
        del rows[k : k + rng.choice((1, 1, 20))]
    elif how == 6 and rows:
        rows[k] = rows[k][: rng.randrange(len(rows[k]) + 1)]
    elif how == 7:
        rng.shuffle(rows)
    elif how == 8:
        rows = rows[:1] + rows[1:] * rng.choice((2, 10, 100, 400))
    elif how == 9:
        rows = [*rows[: rng.choice((0, 1, 2, 3, 4, 9))]]
    elif how in (10, 11, 12) and rows:
        for _ in range(rng.choice((1, 1, 3, 30))):
            k = rng.randrange(len(rows))
            cells = _cells(rows[k])
            numbers = [i for i, cell in enumerate(cells) if _is_number(cell)]
            if numbers:
                i = rng.choice(numbers)
                wild = (*NUMBERS, f"{float(cells[i]) * 10.0 ** rng.uniform(-9, 9):.9g}", f"-{cells[i]}")
                cells[i] = rng.choice(wild)
                rows[k] = "".join(cells)
    else:
        rows = [rows[0] if rows else ""] + [row for row in rows[1:] if rng.random() < 0.5]
    joined = text if how in (2, 3) else "\n".join(rows)
    return joined.encode("utf-8", "replace")


def _cells(row: str) -> list[str]:
    import re

    return re.split(r"([,;\t <>\"=]+)", row)


def _is_number(cell: str) -> bool:
    try:
        float(cell)
    except ValueError:
        return False
    return len(cell) < 40


def damage_results(path: Path, rng: random.Random) -> None:
    """A results file with bytes flipped, or with data sets and attributes that do not fit one another."""
    if rng.random() < 0.4:
        path.write_bytes(damage_bytes(path.read_bytes(), rng))
        return
    import h5py
    import numpy as np

    with h5py.File(path, "r+") as file:
        names: list[str] = []
        file.visit(names.append)
        for _ in range(rng.choice((1, 1, 2, 4))):
            name = rng.choice(names)
            if name not in file:
                continue
            node, how = file[name], rng.randrange(7)
            if how == 0:
                del file[name]
            elif how == 1 and isinstance(node, h5py.Dataset) and node.shape and node.size:
                data = node[()]
                del file[name]
                file[name] = data[: rng.randrange(len(data) + 1)]
            elif how == 2 and isinstance(node, h5py.Dataset) and node.dtype.kind == "f" and node.size:
                wild = rng.choice((np.nan, np.inf, -1e300, 0.0, 1e30))
                flat = node[()].reshape(-1)
                flat[rng.randrange(flat.size) :: rng.choice((1, 7, 10**6))] = wild
                node[...] = flat.reshape(node.shape)
            elif how == 3 and isinstance(node, h5py.Dataset):
                del file[name]
                file[name] = rng.choice(
                    (np.array("text", dtype="S4"), np.zeros((2, 3)), np.array(3), np.zeros(0))
                )
            elif how == 4:
                file.move(name, f"{name}_moved")
            elif how == 5 and isinstance(node, h5py.Group):
                del file[name]
                file[name] = np.arange(3.0)
            elif len(node.attrs):
                attribute = rng.choice(sorted(node.attrs))
                node.attrs[attribute] = rng.choice((-1, "x", 1e300, np.zeros(2), "{", 10**9))


# -- sound files, made once, and the command lines over them


def prepare(folder: Path) -> None:
    """The sound files that cases begin with; loads and compiles everything they need, but not what starts threads (the
    report's libraries): those do not survive a fork."""
    from core.base.bundled import example_path
    from core.cli import main

    examples = ROOT / "resources" / "examples"
    for source in (HERE / "ride.ridewright", HERE / "rig.ridewright", examples / "straight.ridewright",
                   examples / "curve50.ridewright", example_path("veloci2"), examples / "kex" / "shuttle.kex",
                   examples / "kex" / "veloci2.kex",
                   *sorted((examples / "rigs").glob("*.ridewright"))[::6]):  # fmt: skip
        shutil.copy(source, folder / Path(source).name)
    with _quiet():
        ride = str(folder / "ride.ridewright")
        assert main(["simulate", ride, "--duration", "0.4", "--out", str(folder / "run")]) in (0, 1)
        shutil.move(folder / "run" / "results.h5", folder / "results.h5")
        for ending in ("csv", "nl2elem"):
            assert main(["export-track", ride, str(folder / f"track.{ending}"), "--spacing", "1"]) == 0
        for line in (["ride-point", ride], ["modes", ride], ["check", ride], ["info", str(folder / "results.h5")],
                     ["origin", str(folder / "results.h5")], ["design", "bank", ride, "--out", str(folder / "run/x")],
                     ["simulate", str(folder / "rig.ridewright"), "--duration", "0.01", "--out", str(folder / "run/r")],
                     ["import-track", str(folder / "shuttle.kex"), "--out", str(folder / "run/k")]):  # fmt: skip
            main(line)
    shutil.rmtree(folder / "run")
    from core.project.project import load_project
    from core.track.build import build_track

    line = build_track(load_project(folder / "ride.ridewright").track, ride=False).centreline
    state = line.state([0.5 * k for k in range(int(2.0 * line.length))])
    table = [
        " ".join(f"{v:.4f}" for v in (*p, *n, *b))
        for p, n, b in zip(state.curve[:, 0], state.up, state.left, strict=True)
    ]
    (folder / "thesis.txt").write_text("\n".join(table) + "\n")
    rows = ["t,ax,ay,az"] + [
        f"{k / 200:.3f},{0.1 * (k % 5):.2f},0.02,{1.0 + 0.3 * (k % 7 == 0):.3f}" for k in range(1500)
    ]
    (folder / "record.csv").write_text("\n".join(rows) + "\n")
    phone = [
        ";".join(
            (
                '"Time (ms)"',
                *(f'"Acceleration {c} (m/s^2)"' for c in "xyz"),
                *(f'"Gyroscope {c} (rad/s)"' for c in "xyz"),
            )
        )
    ]
    phone += [f"{1763733800000 + 10 * k};0,12;{k % 3},5;9,81;0,01;0,02;0,03" for k in range(900)]
    (folder / "phone.csv").write_text("\n".join(phone) + "\n")
    with _quiet():
        main(["criteria", str(folder / "record.csv")])


REPORT = ["--no-pdf", "--no-uncertainty", "--json"]


@contextlib.contextmanager
def _quiet() -> Iterator[None]:
    with (
        open(os.devnull, "w") as nothing,
        contextlib.redirect_stdout(nothing),
        contextlib.redirect_stderr(nothing),
    ):
        yield


def _project_lines(file: str, out: str, rng: random.Random) -> list[str]:
    number = rng.choice(NUMBERS) if rng.random() < 0.15 else "0.02"
    return rng.choice(
        [
            ["check", file],
            ["check", file, "--json"],
            ["simulate", file, f"--duration={number}", "--out", out],
            ["simulate", file, "--duration", "0.02", "--out", out],
            ["ride-point", file, "--csv", out],
            ["ride-point", file, "--json"],
            ["modes", file],
            ["modes", file, "--json", f"--lowest={rng.choice(NUMBERS)}"],
            [
                "design",
                rng.choice(("bank", "smooth", "close", "supports", "speeds", "envelope")),
                file,
                "--out",
                out,
            ],
            [
                "export-track",
                file,
                out + rng.choice((".csv", ".nl2elem", ".txt", ".dxf", ".obj", ".glb", ".profile.csv")),
            ],
            ["export-table", file, "--out", out],
        ]
    )


RECORD_OPTIONS: tuple[tuple[str, ...], ...] = (
    ("--level",), ("--json",), ("--with-gravity",), ("--without-gravity",), ("--extended-gz",), ("--no-headrest",),
    ("--unit", "g"), ("--unit", "m/s2"), ("--axes", "x -y z"), ("--axes", "z x y"), ("--offset", "0.1,0,0.5"),
    ("--filter", "CFC60"), ("--filter", "5 Hz"), ("--rate", "200"), ("--rate", "#"), ("--rest", "0,1"),
    ("--rest", "#,#"), ("--launch", "1,2"), ("--brake", "2,3"), ("--yaw", "#"), ("--restraint", "prone"),
    ("--restraint-class", "#"), ("--patron-height", "#"),
    ("--separator", "semicolon"), ("--columns", "t=1,ax=2,ay=3,az=4"), ("--time-unit", "ms"),
    ("--columns", "t=ax,ax=#"), ("--body", "#"), ("--part", "head"), ("--f2291-edition", "#"),
)  # fmt: skip


def case(seed: int, sound: Path, folder: Path) -> tuple[str, ...]:
    """Make the files of a case in a folder; returns its command line. The number says everything."""
    rng = random.Random(seed)
    out = str(folder / "out")
    kind = rng.choices(
        ("project", "record", "track", "results", "limits", "set", "option"), (40, 18, 16, 10, 6, 6, 4)
    )[0]
    if kind == "project":
        source = rng.choice(sorted(sound.glob("*.ridewright")))
        file = folder / "damaged.ridewright"
        file.write_bytes(damage_json(source.read_text(encoding="utf-8"), rng))
        return tuple(_project_lines(str(file), out, rng))
    if kind == "record":
        source = sound / rng.choice(("record.csv", "phone.csv"))
        content = source.read_bytes()
        for _ in range(rng.choice((0, 1, 1, 2))):
            content = damage_text(content, rng)
        (folder / "record.csv").write_bytes(content)
        options = [
            part for o in rng.sample(RECORD_OPTIONS, rng.choice((0, 0, 1, 2, 3))) for part in _filled(o, rng)
        ]
        return ("criteria", str(folder / "record.csv"), *options)
    if kind == "track":
        source = rng.choice(
            [
                p
                for p in sorted(sound.iterdir())
                if p.suffix in (".kex", ".nl2elem", ".txt") or p.stem == "track"
            ]
        )
        damage = damage_bytes if source.suffix == ".kex" else damage_text
        file = folder / source.name
        file.write_bytes(damage(source.read_bytes(), rng))
        side = sound / f"{source.stem}.ridewright-sections.json"
        if side.exists() and rng.random() < 0.4:
            (folder / side.name).write_bytes(damage_json(side.read_text(encoding="utf-8"), rng))
            file.write_bytes(source.read_bytes())
        options = [part for o in rng.sample(TRACK_OPTIONS, rng.choice((0, 0, 1))) for part in _filled(o, rng)]
        return ("import-track", str(file), "--out", out, *options)
    if kind == "results":
        shutil.copy(sound / "results.h5", folder / "results.h5")
        damage_results(folder / "results.h5", rng)
        file = str(folder / "results.h5")
        return rng.choice([("info", file), ("info", file, "--json"), ("origin", file), ("origin", file, "--json"),
                           ("report", file, *REPORT, out),
                           ("criteria", str(sound / "record.csv"), "--against", file)])  # fmt: skip
    if kind == "limits":
        table = rng.choice(sorted((ROOT / "resources" / "limits").glob("*.json")))
        own = folder / "limits"
        own.mkdir()
        (own / table.name).write_bytes(damage_json(table.read_text(encoding="utf-8"), rng))
        os.environ["RIDEWRIGHT_LIMITS"] = str(own)
        return rng.choice([("limits",), ("limits", "--json"), ("limits", table.stem),
                           ("criteria", str(sound / "record.csv")),
                           ("report", str(sound / "results.h5"), *REPORT, out)])  # fmt: skip
    file = str(sound / "ride.ridewright")
    if kind == "set":
        keys = [".".join(map(str, p)) for p in _leaves(json.loads(Path(file).read_text(encoding="utf-8")))]
        changes = [
            f"{rng.choice(keys)}={rng.choice((*NUMBERS, '[]', '{}', 'null', 'true'))}"
            for _ in range(rng.choice((1, 1, 2)))
        ]
        return ("simulate", file, "--out", out, "--duration", "0.02", "--set", *changes)
    option = rng.choice(
        ("--max-cant", "--roll-speed", "--tube", "--reach", "--gy", "--spacing", "--lateral", "--speed")
    )
    tool = rng.choice(("bank", "smooth", "close", "launch", "supports"))
    return ("design", tool, file, "--out", out, f"{option}={rng.choice(NUMBERS)}")


TRACK_OPTIONS: tuple[tuple[str, ...], ...] = (
    ("--closed",), ("--open",), ("--gauge=#",), ("--tolerance=#",), ("--heartline=#",), ("--name", "#"),
    ("--format", "kex"), ("--format", "table"), ("--format", "nl2"), ("--format", "nl2elem"),
)  # fmt: skip


def _filled(option: tuple[str, ...], rng: random.Random) -> list[str]:
    made = [part.replace("#", rng.choice(NUMBERS), 1).replace("#", rng.choice(NUMBERS)) for part in option]
    return [f"{made[0]}={made[1]}"] if len(made) == 2 and made[0].startswith("--") else made


def run(seed: int, sound: Path, keep: Path | None = None) -> Outcome:
    """Run one case in a process of its own; see the module."""
    folder = Path(tempfile.mkdtemp(prefix="fuzz-")) if keep is None else keep
    folder.mkdir(exist_ok=True, parents=True)
    shown, told = folder / "shown", folder / "line"
    began = time.monotonic()
    process = os.fork()
    if process == 0:
        _child(seed, sound, folder, shown, told)
    usage = _wait(process, began)
    seconds = time.monotonic() - began
    code = os.waitstatus_to_exitcode(usage[0])
    text = shown.read_text(encoding="utf-8", errors="replace") if shown.exists() else ""
    line = tuple(json.loads(told.read_text(encoding="utf-8"))) if told.exists() else ()
    memory = usage[1].ru_maxrss * 1024
    outcome = Outcome(seed, line, code, seconds, memory, text, _fault(code, seconds, memory, text))
    if keep is None:
        shutil.rmtree(folder, ignore_errors=True)
    return outcome


def _child(seed: int, sound: Path, folder: Path, shown: Path, told: Path) -> None:
    code = 99
    try:
        stream = os.open(shown, os.O_CREAT | os.O_WRONLY | os.O_TRUNC)
        os.dup2(stream, 2)
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
        sys.stdout, sys.stderr = (
            os.fdopen(k, "w", encoding="utf-8", errors="replace", closefd=False) for k in (1, 2)
        )
        resource.setrlimit(resource.RLIMIT_AS, (ROOM, ROOM))
        line = case(seed, sound, folder)
        told.write_text(json.dumps(line), encoding="utf-8")
        from core.cli import main

        code = main(list(line))
    except SystemExit as end:
        code = end.code if isinstance(end.code, int) else 98
    except BaseException:
        import traceback

        traceback.print_exc()
    finally:
        sys.stderr.flush()
        os._exit(code)


def _wait(process: int, began: float) -> tuple[int, resource.struct_rusage]:
    pause = 0.002
    while True:
        found, status, usage = os.wait4(process, os.WNOHANG)
        if found:
            return status, usage
        if time.monotonic() - began > TIME:
            os.kill(process, signal.SIGKILL)
            _, status, usage = os.wait4(process, 0)
            return status, usage
        time.sleep(pause)
        pause = min(2.0 * pause, 0.05)


def _fault(code: int, seconds: float, memory: int, text: str) -> str:
    if seconds > TIME:
        return f"does not end within {TIME:g} s"
    if memory > MEMORY:
        return f"takes {memory / 1e9:.1f} GB"
    if code not in (0, 1, 2):
        return f"ends with {code}"
    lines = [line for line in text.splitlines() if line.strip()]
    foreign = [word for word in FOREIGN if any(word in line for line in lines)]
    if code == 2 and (not lines or not lines[-1].startswith("ridewright: ")):
        return "is refused without a sentence"
    return f"speaks of {foreign}" if foreign else ""


def seeds(count: int, first: int | None = None) -> list[int]:
    """So many numbers of cases, new ones every time unless the first is given."""
    start = secrets.randbits(48) if first is None else first
    return [start + k for k in range(count)]


def all_of(numbers: list[int], report: Callable[[Outcome], None] | None = None) -> list[Outcome]:
    """Run cases; returns those that are wrong."""
    wrong = []
    with tempfile.TemporaryDirectory(prefix="fuzz-sound-") as made:
        prepare(Path(made))
        for number in numbers:
            outcome = run(number, Path(made))
            if outcome.fault:
                wrong.append(outcome)
            if report is not None:
                report(outcome)
    return wrong


def _program() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--count", type=int, default=500)
    parser.add_argument("--first", type=int)
    parser.add_argument("--only", type=int)
    parser.add_argument("--keep", type=Path)
    given = parser.parse_args()
    if given.only is not None:
        with tempfile.TemporaryDirectory(prefix="fuzz-sound-") as made:
            prepare(Path(made))
            print(run(given.only, Path(made), given.keep))
        return 0
    numbers = seeds(given.count, given.first)
    print(f"cases {numbers[0]} to {numbers[-1]}", flush=True)
    codes: dict[int, int] = {}

    def tell(outcome: Outcome) -> None:
        codes[outcome.code] = codes.get(outcome.code, 0) + 1
        if outcome.fault:
            print(outcome, flush=True)

    wrong = all_of(numbers, tell)
    print(f"{len(wrong)} of {len(numbers)} wrong; exit codes {dict(sorted(codes.items()))}")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(_program())
