"""The cases of `fuzz.py`: sound files, made once, and command lines over damaged copies of them, from a number."""

from __future__ import annotations

import contextlib
import json
import os
import random
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

from ridewright.core.exchange import formats, readers
from tests.core.damaged import fuzz_kinds, fuzz_more
from tests.core.damaged.fuzz_damage import (
    NUMBERS,
    damage_bytes,
    damage_json,
    damage_results,
    damage_text,
    leaves,
)

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[2]


def prepare(folder: Path) -> None:
    """The sound files that cases begin with; loads and compiles everything they need, but not what starts threads (the
    report's libraries): those do not survive a fork."""
    from ridewright.core.base.bundled import example_path
    from ridewright.core.cli import main

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
    from ridewright.core.project.project import load_project
    from ridewright.core.track.build import build_track

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
        fuzz_more.prepare(folder)
        fuzz_kinds.prepare(folder)


LONG = ("3", "0.5")  # s, that some rigs take more than a minute to compute, as they should
REPORT = ["--no-pdf", "--json"]
#: What a person may name as a file that is none, beside files in the way, folders and names no file system takes.
STRANGE = (
    "", ".", "..", "/dev/null", "/dev/full", "/dev/zero", "/dev/stdout", "/dev/stdin", "/proc/self/maps", "/proc",
    "/sys/x", "folder", "folder/", "missing/x", "file", "file/x", "loop", "dangling", "old.ridewright", "-", "~",
    "~nobody/x", "a" * 255, "a" * 256, "é" * 127, "\udcff", "a\nb", "a/" * 2100 + "b", "x.txt", "x.csv", "x.dxf",
    "nul\0x", "pipe",
)  # fmt: skip
FORMATS = tuple(entry.id for entry in formats())
READABLE = tuple(entry.id for entry in readers())
TEXTBOOK = (
    "--from=#", "--to=#", "--gravity=#", "--damping=#", "--mass=#", "--speed=#", "--duration=#", "--rate=#", "--step=#",
    "--start=#", "--rows=#", "--json",
)  # fmt: skip
FORMULAS = (
    "10*t", "cos(6*t)", "sin(2*pi*t)**2", "1/t", "t**999999", "0", "t", "-t", "sqrt(-t)", "exp(1e9*t)", "x", "t.real",
    "__import__('os')", "(" * 500 + "t" + ")" * 500, "9**9**9**9", "t if t else 0", "", " ", "abs(t-0.5)", "log(t)",
    "1e400", "[t]", "t;t", "lambda t: t", "tan(20*t)", "0*t", "10*t +", "٣*t", "2*t*(1-t)", "t^2", "floor(9*t)", "'t'",
    "t" * 5000,
)  # fmt: skip


def strange(folder: Path, rng: random.Random, reading: bool = False) -> str:
    """A path that is no plain file one could write or read; a name without a slash is inside the folder."""
    (folder / "folder" / "x").mkdir(parents=True, exist_ok=True)
    (folder / "file").write_text("something of somebody's")
    (folder / "old.ridewright").write_text("{")
    for link, target in (("loop", "loop"), ("dangling", "missing/there")):
        if not (folder / link).is_symlink():
            (folder / link).symlink_to(target)
    name = rng.choice(STRANGE)
    if name in ("pipe", "/dev/stdin") or (reading and name == "/dev/stdout"):  # they wait, as they should
        name = "file"
    inside = name and not name.startswith(("/", "~", "-", "."))
    return f"{folder}/{name}" if inside else name


@contextlib.contextmanager
def _quiet() -> Iterator[None]:
    with (
        open(os.devnull, "w") as nothing,
        contextlib.redirect_stdout(nothing),
        contextlib.redirect_stderr(nothing),
    ):
        yield


def _project_lines(file: str, out: str, rng: random.Random) -> list[str]:
    number = rng.choice([n for n in NUMBERS if n not in LONG]) if rng.random() < 0.15 else "0.02"
    tool = rng.choice(("bank", "smooth", "close", "supports", "speeds", "envelope"))
    ending = rng.choice((".csv", ".nl2elem", ".txt", ".dxf", ".obj", ".glb", ".profile.csv"))
    spacing = [f"--spacing={rng.choice(NUMBERS)}"] if rng.random() < 0.2 else []
    return rng.choice(
        [
            ["check", file],
            ["check", file, "--json"],
            ["simulate", file, f"--duration={number}", "--out", out],
            ["simulate", file, "--duration", "0.02", "--out", out],
            ["simulate", file, "--duration", "0.02", "--out", out, "--accuracy"],
            ["ride-point", file, "--csv", out],
            ["ride-point", file, "--json"],
            ["modes", file],
            ["modes", file, "--json", f"--lowest={rng.choice(NUMBERS)}"],
            ["modes", file, f"--time={number}"],
            ["design", tool, file, "--out", out],
            ["export-track", file, out + ending, *spacing],
            ["export-track", file, out + ".profile.csv", "--ride"],
            ["export-table", file, "--out", out],
        ]
    )


def _writing(sound: Path, out: str, rng: random.Random) -> tuple[str, ...]:
    """A sound command that writes to a place."""
    ride, results, record = (str(sound / name) for name in ("ride.ridewright", "results.h5", "record.csv"))
    return rng.choice(
        [
            ("simulate", ride, "--duration", "0.02", "--out", out),
            ("ride-point", ride, "--csv", out),
            ("design", "bank", ride, "--out", out),
            ("design", "supports", ride, "--out", out),
            ("export-track", ride, out, "--format", rng.choice(FORMATS)),
            ("export-track", ride, out),
            ("export-table", ride, "--out", out),
            ("import-track", str(sound / "shuttle.kex"), "--out", out),
            ("example", "straight", "--out", out),
            ("textbook", "--x", "10*t", "--y", "1-t", rng.choice(("--table", "--csv")), out, "--duration", "0.5"),
            ("report", results, "--no-pdf", rng.choice(("--json", "--csv")), out),
            ("criteria", record, "--against", out),
            ("report", results, "--no-pdf", "--against", out, "--json", "/dev/null"),
        ]
    )  # fmt: skip


def _reading(path: str, out: str, rng: random.Random) -> tuple[str, ...]:
    """A command that reads a place."""
    return rng.choice(
        [
            ("check", path), ("simulate", path, "--out", out), ("ride-point", path), ("modes", path), ("info", path),
            ("origin", path), ("report", path, *REPORT, out), ("criteria", path), ("export-table", path, "--out", out),
            ("import-track", path, "--out", out), ("export-track", path, f"{out}.csv"),
            ("design", "bank", path, "--out", out),
            ("import-track", path, "--out", out, "--format", rng.choice(READABLE)),
            ("example", path, "--out", out), ("limits", path), ("textbook", path),
        ]
    )  # fmt: skip


RECORD_OPTIONS: tuple[tuple[str, ...], ...] = (
    ("--level",), ("--json",), ("--with-gravity",), ("--without-gravity",), ("--extended-gz",), ("--no-headrest",),
    ("--unit", "g"), ("--unit", "m/s2"), ("--axes", "x -y z"), ("--axes", "z x y"), ("--offset", "0.1,0,0.5"),
    ("--filter", "CFC60"), ("--filter", "5 Hz"), ("--rate", "200"), ("--rate", "#"), ("--rest", "0,1"),
    ("--rest", "#,#"), ("--launch", "1,2"), ("--brake", "2,3"), ("--yaw", "#"), ("--restraint", "prone"),
    ("--restraint-class", "#"), ("--patron-height", "#"),
    ("--separator", "semicolon"), ("--columns", "t=1,ax=2,ay=3,az=4"), ("--time-unit", "ms"),
    ("--columns", "t=ax,ax=#"), ("--body", "#"), ("--part", "head"), ("--f2291-edition", "#"),
)  # fmt: skip


KINDS = {
    "project": 28, "record": 13, "track": 11, "results": 9, "limits": 4, "set": 5, "option": 3, "writes": 4, "reads": 3,
    "textbook": 3, "structure": 4, "study": 7, "judged": 5, "people": 3, "train": 4,
    "mesh": 4, "outline": 2, "assembly": 6, "formula": 3, "api": 6,
}  # fmt: skip
MORE: dict[str, Callable[[Path, Path, random.Random], list[str]]] = {
    "structure": fuzz_more.structure_case,
    "study": fuzz_more.study_case,
    "judged": fuzz_more.judged_case,
    "people": fuzz_more.people_case,
    "train": fuzz_more.train_case,
    "mesh": fuzz_kinds.mesh_case,
    "outline": fuzz_kinds.outline_case,
    "assembly": fuzz_kinds.assembly_case,
    "formula": fuzz_kinds.formula_case,
    "api": fuzz_kinds.api_case,
}


def kind_of(seed: int) -> str:
    """Of what kind the case of a number is."""
    return random.Random(seed).choices(list(KINDS), list(KINDS.values()))[0]


def case(seed: int, sound: Path, folder: Path) -> tuple[str, ...]:
    """Make the files of a case in a folder; returns its command line. The number says everything."""
    rng = random.Random(seed)
    out = str(folder / "out")
    kind = rng.choices(list(KINDS), list(KINDS.values()))[0]  # as `kind_of`
    if kind in MORE:
        return tuple(MORE[kind](sound, folder, rng))
    if kind == "writes":
        return _writing(sound, strange(folder, rng), rng)
    if kind == "reads":
        return _reading(strange(folder, rng, reading=True), out, rng)
    if kind == "textbook":
        own = [f"--x={rng.choice(FORMULAS)}", f"--y={rng.choice(FORMULAS)}"]
        options = [o.replace("#", rng.choice(NUMBERS)) for o in rng.sample(TEXTBOOK, rng.choice((0, 1, 2)))]
        return (
            "textbook",
            *(own if rng.random() < 0.7 else [rng.choice(("loop", "cycloid", "x"))]),
            *options,
        )
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
                           ("report", file, *REPORT, out, rng.choice(("--moments=", "--riders=", "--date=")) + "3"),
                           ("report", file, *REPORT, out, "--csv", str(folder / "tables")),
                           ("report", file, *REPORT, out, "--html", str(folder / "page")),
                           ("report", str(sound / "results.h5"), *REPORT, out, "--against", file),
                           ("criteria", str(sound / "record.csv"), "--against", file)])  # fmt: skip
    if kind == "limits":
        table = rng.choice(sorted((ROOT / "resources" / "limits").glob("*.json")))
        own = folder / "limits"
        own.mkdir()
        (own / table.name).write_bytes(damage_json(table.read_text(encoding="utf-8"), rng))
        os.environ["RIDEWRIGHT_LIMITS"] = str(own)
        return rng.choice([("limits",), ("limits", "--json"), ("limits", table.stem),
                           ("limits", table.stem, "--copy"),
                           ("criteria", str(sound / "record.csv")),
                           ("report", str(sound / "results.h5"), *REPORT, out)])  # fmt: skip
    file = str(sound / rng.choice(("ride.ridewright", "rig.ridewright")))
    if kind == "set":
        keys = [".".join(map(str, p)) for p in leaves(json.loads(Path(file).read_text(encoding="utf-8")))]
        changes = [
            f"{rng.choice(keys)}={rng.choice((*NUMBERS, '[]', '{}', 'null', 'true'))}"
            for _ in range(rng.choice((1, 1, 2)))
        ]
        return ("simulate", file, "--out", out, "--duration", "0.02", "--set", *changes)
    file = str(sound / "ride.ridewright")
    option = rng.choice(
        (
            "--max-cant",
            "--roll-speed",
            "--tube",
            "--reach",
            "--gy",
            "--spacing",
            "--lateral",
            "--speed",
            "--sections",
        )
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
