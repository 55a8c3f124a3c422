"""Cases of `fuzz.py` around studies, structures, seats, stress, spectra and people of any size."""

from __future__ import annotations

import json
import random
import shutil
from pathlib import Path

from tests.core.damaged.fuzz_damage import NUMBERS, damage_json, damage_results, damage_text, leaves

HERE = Path(__file__).resolve().parent
RIGS = HERE.parents[2] / "resources" / "examples" / "rigs"
STUDY = {
    "format": "ridewright-study", "version": 1, "name": "rides", "project": "example:straight", "ride": "preview",
    "parameters": [
        {"name": "speed", "field": "scenario.speed", "unit": "m/s", "low": 9.0, "high": 12.0},
        {"name": "friction", "edit": "rolling resistance", "distribution": "normal", "mean": 0.004, "deviation": 1e-3},
        {"name": "day", "levels": [
            {"label": "cold", "changes": [{"edit": "rolling resistance", "value": 0.01}]}, {"label": "warm"}]},
    ],
    "plan": {"kind": "latin_hypercube", "runs": 6, "steps": 2, "seed": 2, "rows": []},
    "keep": {"criteria": ["f2291_+Gz"], "peaks": [{"name": "top", "channel": "speed", "of": "max"}], "results": [1]},
    "stop": {"failed": 3, "margin_below": -9.0, "interval": 0.01},
    "screen": [{"name": "end_speed", "low": 0.0, "high": 99.0}],
}  # fmt: skip


def prepare(folder: Path) -> None:
    """The sound files of these cases: a run with a beam, a study with its store, matrices, a measured ride."""
    from ridewright.core.cli import main

    rig = str(RIGS / "swing_beam.ridewright")
    assert main(["simulate", rig, "--duration", "0.1", "--out", str(folder / "bent")]) in (0, 1)
    shutil.move(folder / "bent" / "results.h5", folder / "bent.h5")
    shutil.copy(rig, folder)
    shutil.rmtree(folder / "bent")
    bent = str(folder / "bent.h5")
    main(["ride-point", str(folder / "ride.ridewright"), "--csv", str(folder / "measured.csv")])
    (folder / "a.study.json").write_text(json.dumps(STUDY))
    for line in (["stress", bent], ["spectrum", bent, "body/Beam/acceleration"], ["seats", bent], ["human", "--json"],
                 ["study", "check", str(folder / "a.study.json"), "--workers", "1"]):  # fmt: skip
        main(line)
    _store(folder)
    _matrices(folder)


def _store(folder: Path) -> None:
    from ridewright.core.cli import main
    from ridewright.core.studies.one_run import Runner
    from ridewright.core.studies.plan import planned
    from ridewright.core.studies.store import Row, Store
    from ridewright.core.studies.study import base_project, load_study

    study = load_study(folder / "a.study.json")
    base = base_project(study, folder)
    runner, store = Runner(study, base), Store.create(folder / "store", study, base)
    rows = [Row(k, tuple(map(float, v)), runner.run(v)) for k, v in enumerate(planned(study))]
    with store.writing():
        store.append(rows[:3])
        store.append(rows[3:])
        store.end("Enough.", 5)
    main(["study", "show", str(folder / "store")])


def _matrices(folder: Path) -> None:
    """Small matrices of a free lattice of bars, with its nodes and frames."""
    import numpy as np
    from scipy.io import mmwrite
    from scipy.sparse import csc_matrix, identity, tril

    from ridewright.core.cli import main

    places = np.array([(0.2 * x, 0.2 * y, 0.2 * z) for x in range(6) for y in range(2) for z in range(2)])
    K = np.zeros((places.size, places.size))
    for i, a in enumerate(places):
        for j in range(i):
            length = np.linalg.norm(a - places[j])
            if length < 0.4:
                at, along = (
                    [3 * j, 3 * j + 1, 3 * j + 2, 3 * i, 3 * i + 1, 3 * i + 2],
                    (a - places[j]) / length,
                )
                row = np.concatenate([-along, along])
                K[np.ix_(at, at)] += 1e7 / length * np.outer(row, row)
    for name, matrix in (("K", csc_matrix(K)), ("M", 0.5 * identity(len(K)))):
        mmwrite(str(folder / f"{name}.mtx"), tril(matrix), symmetry="symmetric", precision=17)
    rows = [f"{k},{x:.9g},{y:.9g},{z:.9g}" for k, (x, y, z) in enumerate(places)]
    (folder / "nodes.csv").write_text("\n".join(["node,x,y,z", *rows]) + "\n")
    frames = [
        {"name": "foot", "position": [0.0, 0.1, 0.1], "tie": "rigid", "nodes": [0, 1, 2, 3]},
        {"name": "tip", "position": [1.0, 0.1, 0.1], "tie": "averaging", "nodes": [20, 21, 22, 23]},
    ]
    (folder / "frames.json").write_text(json.dumps({"interfaces": frames}))
    assert main([*import_line(folder, folder, str(folder / "joined.ridewright"))]) == 0
    main(["modes", str(folder / "joined.ridewright")])


def import_line(files: Path, sound: Path, out: str) -> list[str]:
    """A sound command over the matrices in a folder."""
    given = {"stiffness": "K.mtx", "mass": "M.mtx", "nodes": "nodes.csv", "frames": "frames.json"}
    options = [word for key, name in given.items() for word in (f"--{key}", str(files / name))]
    return ["import-structure", str(sound / "rig.ridewright"), *options, "--join", "foot=ground", "tip=bob",
            "--modes", "2", "--out", out]  # fmt: skip


def structure_case(sound: Path, folder: Path, rng: random.Random) -> list[str]:
    """Matrices, nodes and frames, one of them damaged, or an option."""
    for name in ("K.mtx", "M.mtx", "nodes.csv", "frames.json"):
        shutil.copy(sound / name, folder / name)
    line = import_line(folder, sound, str(folder / "out"))
    how = rng.randrange(6)
    if how == 5:
        more = rng.choice(
            (["--modes", rng.choice(NUMBERS)], ["--name", rng.choice(("", "bob", "a/b", "x" * 5000))],
             ["--join", "foot=bob", "foot=slider"], ["--join", "=bob"], ["--join", "tip=bob", "foot=bob"],
             ["--join", "foot=slider", "tip=bob"], ["--join", f"tip={rng.choice(NUMBERS)}"])
        )  # fmt: skip
        return [*line, *([f"{more[0]}={more[1]}"] if len(more) == 2 else more)]
    name = rng.choice(("K.mtx", "M.mtx", "nodes.csv", "frames.json"))
    content = (folder / name).read_bytes()
    damaged = (
        damage_json(content.decode(), rng) if name.endswith("json") and how < 4 else damage_text(content, rng)
    )
    (folder / name).write_bytes(damaged)
    return line


def study_case(sound: Path, folder: Path, rng: random.Random) -> list[str]:
    """A damaged study, store, measured ride, or option."""
    how = rng.randrange(8)
    study, out = folder / "a.study.json", str(folder / "out")
    if how <= 3:
        text = json.dumps(STUDY)
        study.write_bytes(damage_json(text, rng))
        if rng.random() < 0.2:
            study = folder / "a.study.toml"
            study.write_bytes(
                damage_text(
                    b'format = "ridewright-study"\nname = "a"\nparameters = []\n[plan]\nruns = 3\n', rng
                )
            )
        if rng.random() < 0.06:
            return ["study", "run", str(study), "--out", out, "--workers", rng.choice(("1", *NUMBERS))]
        return [
            "study",
            "check",
            str(study),
            *rng.choice(([], ["--json"], ["--workers", rng.choice(NUMBERS)])),
        ]
    if how <= 5:
        store = folder / "store"
        shutil.copytree(sound / "store", store)
        if rng.random() < 0.8:
            file = rng.choice(sorted(store.rglob("*.*")))
            if file.suffix == ".h5":
                damage_results(file, rng)
            else:
                file.write_bytes(damage_json(file.read_text(encoding="utf-8"), rng))
        number = rng.choice(NUMBERS)
        return rng.choice([
            ["study", "show", str(store)], ["study", "show", str(store), "--json"],
            ["study", "show", str(store), "--response", rng.choice(("end_speed", "margin", *NUMBERS))],
            ["study", "show", str(store), "--response", "end_speed", f"--below={number}"],
            ["study", "show", str(store), "--csv", out], ["study", "remake", str(store), "2", "--out", out],
            ["study", "remake", str(store), "--out", out, "--", number],
            ["study", "run", str(sound / "a.study.json"), "--out", str(store), "--workers=x"],
        ])  # fmt: skip
    measured = folder / "measured.csv"
    measured.write_bytes(damage_text((sound / "measured.csv").read_bytes(), rng))
    fit = rng.choice(
        ([], ["--fit", "speed"], ["--fit", "friction", "drag"], ["--fit", str(study)], ["--fit", ""])
    )
    study.write_bytes(damage_json(json.dumps(STUDY), rng))
    return ["study", "calibrate", str(sound / "ride.ridewright"), str(measured), *fit, "--out", out]


SIGNALS = (
    "speed", "joint/Turntable/force", "body/Beam/acceleration", "element/x/force", "time", "", "/", "body", "body//",
    "../x", "energy",
)  # fmt: skip


def judged_case(sound: Path, folder: Path, rng: random.Random) -> list[str]:
    """Damaged results of a run with a beam, looked at by seats, stress and spectrum."""
    file = folder / "results.h5"
    shutil.copy(sound / rng.choice(("bent.h5", "bent.h5", "results.h5")), file)
    if rng.random() < 0.8:
        damage_results(file, rng)
    number = rng.choice(NUMBERS)
    switch = rng.choice(([], ["--json"]))
    line = rng.choice([
        ["seats", str(file)], ["stress", str(file)], ["stress", str(file), f"--spots={number}"],
        ["stress", str(file), f"--factor={number}", "--cases", "top", "seats"],
        ["stress", str(file), "--cases", rng.choice(("Top", "Seats", "")), rng.choice(("Hub", "Top", "x"))],
        ["spectrum", str(file), rng.choice(SIGNALS), f"--from={number}"],
        ["spectrum", str(file), rng.choice(SIGNALS), f"--to={number}"],
        ["spectrum", str(file), rng.choice(SIGNALS), f"--peaks={number}"],
        ["spectrum", str(file), rng.choice(SIGNALS)], ["spectrum", str(file), _any_signal(sound, rng)],
        ["info", str(file)], ["origin", str(file)],
    ])  # fmt: skip
    return [*line, *switch]


def _any_signal(sound: Path, rng: random.Random) -> str:
    import h5py

    names: list[str] = []
    with h5py.File(sound / "bent.h5", "r") as file:
        file.visit(names.append)
    return rng.choice(names)


PEOPLE: tuple[tuple[str, ...], ...] = (
    ("--height=#",), ("--mass=#",), ("--height=1.7",), ("--mass=70",), ("--sex=female",), ("--age=#",), ("--age=9",),
    ("--percentile=95",), ("--dummy=50M",), ("--dummy=#",), ("--scaling=child",), ("--scaling=regression_raw",),
    ("--posture=standing",), ("--hinges",), ("--json",), ("--scaling=de_leva",), ("--scaling=fractions",),
)  # fmt: skip


def people_case(sound: Path, folder: Path, rng: random.Random) -> list[str]:
    """People of absurd sizes, and projects they do not fit into."""
    options = [
        part.replace("#", rng.choice((*NUMBERS, "0.4", "2.6", "17", "500")))
        for option in rng.sample(PEOPLE, rng.choice((0, 1, 2, 3)))
        for part in option
    ]
    out = str(folder / "out.ridewright")
    if rng.random() < 0.5:
        source = rng.choice(sorted(sound.glob("*.ridewright")))
        file = folder / "damaged.ridewright"
        file.write_bytes(damage_json(source.read_text(encoding="utf-8"), rng))
        if rng.random() < 0.3:
            top = json.loads(source.read_text(encoding="utf-8"))
            names = [str(v) for p in leaves(top) if p[-1] == "name" for v in [_at(top, p)]]
            return ["seats", str(file), "--worst-pattern", rng.choice(names), "--out", out]
        return ["human", *options, "--into", str(file), "--out", out]
    return ["human", *options, *rng.choice(([], ["--out", out]))]


TRAIN = ("library", "make", "couple", "load", "move", "delete", "show")
KEYS = (
    "viegas2016",
    "balder",
    "ball_drawbar",
    "sprung_bar_slack",
    "e_type_long_shank",
    "none",
    "Car",
    "",
    "..",
    "\x85",
)


def train_case(sound: Path, folder: Path, rng: random.Random) -> list[str]:
    """Trains made, coupled, loaded and taken apart, of projects that are damaged or have none."""
    what, out = rng.choice(TRAIN), str(folder / "out.ridewright")
    if what == "library":
        return ["train", what, *rng.choice(([], ["--json"], ["more"]))]
    source = rng.choice(sorted(sound.glob("*.ridewright")))
    file, text = folder / "train.ridewright", source.read_text(encoding="utf-8")
    file.write_bytes(damage_json(text, rng) if rng.random() < 0.4 else text.encode())
    train = json.loads(text).get("train") or {}
    cars = [str(car["name"]) for car in train.get("children", ())] + ["Car 1", "Car 2", ""]
    seats = [str(s["name"]) for car in train.get("children", ()) for s in car["seats"]] + [
        "full",
        "empty",
        "Roof",
    ]
    given = {
        "--car": rng.choice((*KEYS, *cars)), "--cars": rng.choice((*NUMBERS, *cars, "3")), "--to": rng.choice(NUMBERS),
        "--coupling": rng.choice(KEYS), "--spacing": rng.choice(NUMBERS), "--rider": rng.choice(KEYS),
        "--seats": rng.choice(seats),
    }  # fmt: skip
    takes = {
        "make": ("--car", "--cars", "--coupling", "--spacing", "--seats"), "couple": ("--coupling",),
        "load": ("--seats", "--cars", "--rider"), "move": ("--car", "--to"), "delete": ("--car",), "show": (),
    }[what]  # fmt: skip
    needed = {"load": ("--seats",), "move": takes, "delete": takes}.get(what, ())
    chosen = [option for option in takes if option in needed or rng.random() < 0.5]
    options = [part for option in chosen for part in (option, given[option])]
    return ["train", what, str(file), *([] if what == "show" else ["--out", out]), *options]


def _at(node: object, path: tuple[object, ...]) -> object:
    for key in path:
        node = node[key]  # type: ignore[index]
    return node
