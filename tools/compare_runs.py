"""Whether two source trees compute the same: `python -m tools.compare_runs A B`.

Every bundled example and rig of tree A (folders that hold `core`) is run in both trees at the same settings: the
program's own method at a fixed step, so that its error measure has no say, and the other methods as described.
States have to agree to 1e-10 of the largest value of their kind over the first second, and afterwards to a hundred
times what rounding grows to: A runs each example a second time with masses, inertias and gravity changed by 1e-15 of
themselves, and the largest difference up to an instant is what rounding has grown to by then. A table says how far
each example is apart; the exit code is 1 when any is too far, 2 when a tree cannot be run.

--as-written keeps the error control of the examples, for trees with the same error measure; --only and --seconds
(s, of every run) make it quicker; --settings gives solver settings as JSON; --keep names a folder in which runs are
stored under the digest of the sources and are not repeated.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import subprocess
import sys
import tempfile
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np

STEP = 1e-3  # s
MIN_STEPS = 300  # of a run
PERTURBATION = 1e-15
SAME = 1e-10  # over the first second
GROWTH = 100.0  # times what rounding grows to
CHILD = "--run"  # first argument of the processes that run an example
KINDS = {
    "place": ("position", "path_coordinate"),
    "turn": ("orientation",),
    "speed": ("velocity", "path_speed"),
    "spin": ("angular_velocity",),
}
OTHERS = ("acceleration", "angular_acceleration", "path_acceleration", "reactions", "spring_force")


def main() -> int:
    """Compare two trees as the command line says."""
    parser = argparse.ArgumentParser(prog="compare_runs", description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("trees", nargs=2, type=Path, metavar="TREE")
    parser.add_argument("--only", nargs="+", default=[], metavar="EXAMPLE")
    parser.add_argument("--seconds", type=float, help="end runs then")
    parser.add_argument("--as-written", action="store_true", help="with the examples' own error control")
    parser.add_argument("--settings", type=json.loads, default={}, help="solver settings, JSON")
    parser.add_argument("--keep", type=Path, help="folder for runs that need not be repeated")
    given = parser.parse_args()
    first, second = (tree.resolve() for tree in given.trees)
    files = {path.stem: path for path in sorted((first / "resources" / "examples").rglob("*.ridewright"))}
    unknown = [name for name in given.only if name not in files]
    if unknown:
        parser.error(f"no example is called {', '.join(unknown)}; there are {', '.join(files)}")
    worst = 0
    print(f"{'example':26}{'instants':>9}{'first second':>14}{'whole run':>12}{'rounding':>12}{'forces':>12}")
    with tempfile.TemporaryDirectory() as scratch:
        store = given.keep or Path(scratch)
        store.mkdir(parents=True, exist_ok=True)
        for name in given.only or files:
            data = json.loads(files[name].read_text(encoding="utf-8"))
            _set(data, given.settings, given.seconds, given.as_written)
            try:
                a, b, changed = (
                    _run(tree, text, store)
                    for tree, text in ((first, data), (second, data), (first, _perturbed(data)))
                )
            except subprocess.CalledProcessError as error:
                print(f"{name:26}cannot be run: {error.stderr.strip().splitlines()[-1]}")
                worst = 2
                continue
            worst = max(worst, _judge(name, a, b, changed))
    return worst


def _set(data: dict[str, Any], given: dict[str, Any], seconds: float | None, as_written: bool) -> None:
    """Settings of a comparison in the JSON data of a project."""
    settings, scenario = data.setdefault("settings", {}), data["scenario"]
    settings |= given
    duration = scenario.get("duration")
    if seconds is not None:
        duration = scenario["duration"] = min(seconds, duration or seconds)
    if settings.get("method", "generalized_alpha") == "generalized_alpha" and not as_written:
        settings["fixed_step"] = min(STEP, (duration or 1.0) / MIN_STEPS)


def _perturbed(node: Any, sign: float = 1.0) -> Any:
    """JSON data with every mass, inertia and gravity changed by about PERTURBATION of itself."""
    if isinstance(node, list):
        return [_perturbed(part, -sign if k % 2 else sign) for k, part in enumerate(node)]
    if not isinstance(node, dict):
        return node
    out = {}
    for key, value in node.items():
        if key in ("mass", "inertia", "gravity") and not isinstance(value, bool | None):
            factor = 1.0 + sign * PERTURBATION
            out[key] = [x * factor for x in value] if isinstance(value, list) else value * factor
        else:
            out[key] = _perturbed(value, sign)
    return out


def _run(tree: Path, data: dict[str, Any], store: Path) -> dict[str, Any]:
    """The states of a run in a tree, by an interpreter of its own."""
    text = json.dumps(data, sort_keys=True)
    digest = hashlib.sha256(text.encode())
    for path in sorted((tree / "core").rglob("*.py")):
        digest.update(path.read_bytes())
    out = store / f"{digest.hexdigest()[:32]}.npz"
    if not out.exists():
        env = os.environ | {"PYTHONPATH": str(_importable(tree, store))}
        command = [sys.executable, str(Path(__file__).resolve()), CHILD, str(tree), str(out)]
        subprocess.run(command, input=text, cwd=tree, env=env, check=True, text=True, capture_output=True)
    with np.load(out) as arrays:
        return {key: arrays[key] for key in arrays.files}


def _importable(tree: Path, store: Path) -> Path:
    """The folder from which a tree is imported: as the package `ridewright`, or itself where `core` stood by itself."""
    if not (tree / "core" / "ridewright").is_dir():
        return tree
    place = store / hashlib.sha256(str(tree).encode()).hexdigest()[:16]
    subprocess.run([Path(__file__).with_name("names.sh"), place, tree], check=True)
    return place


def _judge(name: str, a: dict[str, Any], b: dict[str, Any], changed: dict[str, Any]) -> int:
    """Print how far two runs are apart; 1 when that is more than rounding."""
    if sorted(a["bodies"]) != sorted(b["bodies"]) or str(a["status"]) != str(b["status"]):
        print(f"{name:26}other bodies, or another end: {a['status']} and {b['status']}")
        return 1
    n = len(a["time"])
    if not np.array_equal(a["bodies"], b["bodies"]):
        order = [list(b["bodies"]).index(body) for body in a["bodies"]]
        for key in ("position", "orientation", "velocity", "angular_velocity"):
            b[key] = b[key][:, order]
    if all(np.array_equal(a[key], b[key]) for key in a):
        print(f"{name:26}{n:9d}{'identical':>14}")
        return 0
    apart, rounding = _apart(a, b), _apart(a, changed)
    early = a["time"][: len(apart)] <= a["time"][0] + 1.0
    allowed = np.maximum(SAME, GROWTH * np.pad(rounding, (0, n - len(rounding)), "edge"))[: len(apart)]
    ends = len(b["time"]) == n or len(changed["time"]) != n
    good = ends and bool(np.all(apart <= allowed))
    sizes = (apart[early].max(initial=0.0), apart[-1], rounding[-1], _forces(a, b))
    print(f"{name:26}{n:9d}{sizes[0]:14.1e}" + "".join(f"{x:12.1e}" for x in sizes[1:]), end="")
    if not ends:
        print(f"   {len(b['time'])} instants", end="")
    print("" if good else "   APART")
    return 0 if good else 1


def _apart(a: dict[str, Any], b: dict[str, Any]) -> Any:
    """Largest difference of states up to each instant (n,), relative to the largest value of their kind, at least 1 m,
    rad, m/s or rad/s; of instants, which belong to the states, against the length of the run, at least 1 s."""
    n = min(len(a["time"]), len(b["time"]))
    worst = np.abs(a["time"][:n] - b["time"][:n]) / max(1.0, float(a["time"][-1]))
    for keys in KINDS.values():
        scale = max(1.0, *(float(np.max(np.abs(a[key]), initial=0.0)) for key in keys))
        for key in keys:
            gap = np.abs(a[key][:n] - b[key][:n]).reshape(n, -1)
            worst = np.maximum(worst, np.max(gap, axis=1, initial=0.0) / scale)
    return np.maximum.accumulate(worst)


def _forces(a: dict[str, Any], b: dict[str, Any]) -> float:
    """Largest difference of accelerations and forces, relative to the largest of their kind; for information: forces of
    rows that others imply are told apart by rounding only."""
    worst, n = 0.0, min(len(a["time"]), len(b["time"]))
    for key in OTHERS:
        if a[key].shape[1:] == b[key].shape[1:]:
            scale = max(1.0, float(np.max(np.abs(a[key]), initial=0.0)))
            worst = max(worst, float(np.max(np.abs(a[key][:n] - b[key][:n]), initial=0.0)) / scale)
    return worst


def _child(tree: Path, out: Path) -> None:
    """Run the project on stdin in a tree and store its states."""
    core = "ridewright.core" if (tree / "core" / "ridewright").is_dir() else "core"
    room = "run" if (tree / "core" / "run").is_dir() else "solver"  # where trees of before had it
    project, run = (import_module(f"{core}.{name}") for name in ("project.project", f"{room}.simulate"))
    if tree not in Path(str(run.__file__)).resolve().parents:
        raise SystemExit(f"{run.__file__} is not of the tree {tree}")
    results = run.simulate(project.parse_project(json.loads(sys.stdin.read()), "example"))
    found: dict[str, Any] = {key: v for key, v in vars(results.states).items() if isinstance(v, np.ndarray)}
    found |= {"bodies": np.array(results.names.bodies), "status": np.array(results.status.name)}
    part = out.with_suffix(".part.npz")
    np.savez(part, **found)
    part.replace(out)


if __name__ == "__main__":
    if sys.argv[1:2] == [CHILD]:
        _child(Path(sys.argv[2]), Path(sys.argv[3]))
    else:
        sys.exit(main())
