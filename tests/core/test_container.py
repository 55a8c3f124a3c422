"""The program where it is installed for others: a read-only tree, a user without entry, home and display."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from ridewright.core.base.bundled import example_path
from ridewright.core.cli import main
from ridewright.core.jit.cache import PACKAGE, cache_folder

NOBODY = 54321
# reads whatever root may read, so that the interpreter of the tests serves, and writes nothing but what is its own
AS_NOBODY = [
    "setpriv", f"--reuid={NOBODY}", f"--regid={NOBODY}", "--clear-groups", "--inh-caps=+dac_read_search",
    "--ambient-caps=+dac_read_search", sys.executable,
]  # fmt: skip
SESSION = """
import json, os, sys
from ridewright.core.cli import main
assert os.getuid() == {uid} and not os.access({tree!r}, os.W_OK)
codes = [main(line) for line in json.loads(sys.argv[1])]
assert not [name for name in sys.modules if name.startswith("PySide6")]
sys.stderr.write("codes " + json.dumps(codes))
"""


def _why_not() -> str:
    if sys.platform != "linux" or os.geteuid() != 0:
        return "only root can become another user"
    if shutil.which("setpriv") is None:
        return "there is no setpriv"
    tried = subprocess.run([*AS_NOBODY, "-c", "import numba"], capture_output=True, text=True)
    return "" if tried.returncode == 0 else f"another user cannot be had here: {tried.stderr[-80:]!r}"


RIDE = ["simulate", str(example_path("straight")), "--duration", "0.02", "--out"]


@pytest.fixture
def tree(tmp_path: Path) -> Iterator[Path]:
    """A copy of the program nobody can write to, with the compiled kernels shipped as in a wheel; `out` belongs to the
    foreign user."""
    if why := _why_not():
        pytest.skip(why)
    assert main([*RIDE, str(tmp_path / "own")]) == 0  # compiles what is not compiled yet, before it is copied
    place = Path(tempfile.mkdtemp())
    place.chmod(0o755)
    root = place / "program"
    left_out = shutil.ignore_patterns("__pycache__")
    for name, source in (("", "core/ridewright"), ("core", "core"), ("resources", "resources")):
        shutil.copytree(
            PACKAGE.parent / source, root / "ridewright" / name, ignore=left_out, dirs_exist_ok=True
        )
    shutil.copytree(cache_folder(), root / "ridewright" / "core" / "jit" / "shipped", dirs_exist_ok=True)
    for path in (root, *root.rglob("*")):
        path.chmod(0o555 if path.is_dir() else 0o444)
    (place / "out").mkdir()
    os.chown(place / "out", NOBODY, NOBODY)
    yield place
    shutil.rmtree(place)


def test_that_a_user_without_home_on_a_read_only_tree_rides_and_judges(tmp_path: Path, tree: Path) -> None:
    record = tmp_path / "record.csv"
    record.write_text("t,ax,ay,az\n" + "".join(f"{k / 1000},0.1,0.2,1.0\n" for k in range(2000)))
    straight, out, program = str(example_path("straight")), tree / "out", tree / "program"
    lines = [
        [*RIDE, str(out / "run")],
        ["info", str(out / "run" / "results.h5")],
        ["criteria", str(record)],
        ["check", straight],
        ["export-track", straight, str(out / "track.csv")],
        ["limits"],
    ]
    code = SESSION.format(uid=NOBODY, tree=str(program / "ridewright" / "core"))
    told = subprocess.run(
        [*AS_NOBODY, "-c", code, json.dumps(lines)],
        cwd="/",
        env={"PATH": os.environ["PATH"], "PYTHONPATH": str(program)},
        capture_output=True,
        text=True,
        timeout=300,
    )
    assert told.returncode == 0, told.stderr
    assert told.stderr.endswith("codes " + json.dumps([0] * len(lines))), told.stderr
    assert told.stderr.count("Compiled kernels are kept for this session only") == 1
    assert {"run", "track.csv"} <= {path.name for path in out.iterdir()}
    for path in out.rglob("*"):
        assert path.stat().st_uid == NOBODY
