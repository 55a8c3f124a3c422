"""A compiled kernel is stale when anything it is made of has changed, and only then."""

from __future__ import annotations

import os
import pickle
import subprocess
import sys
from pathlib import Path

import core
from core.jit.cache import _imported, _text, source_stamp
from core.solver.ldl import factorise

KERNEL = "from numba import njit\n{imports}\n@njit(cache=True)\ndef {name}(x):\n    return x + 1\n"


def stamp(root: Path, name: str) -> str:
    _text.cache_clear()
    _imported.cache_clear()
    return source_stamp(root, root / name)


def test_that_a_stamp_follows_the_kernels_called_and_constants_used_and_nothing_else(tmp_path: Path) -> None:
    (tmp_path / "room").mkdir()
    (tmp_path / "room" / "__init__.py").write_text("")
    files = {
        "room/low.py": KERNEL.format(imports="from core.sizes import N", name="low"),
        "room/middle.py": KERNEL.format(imports="from core.room.low import low", name="middle"),
        "top.py": KERNEL.format(imports="from core.room.middle import middle", name="top"),
        "beside.py": KERNEL.format(imports="", name="beside"),
        "sizes.py": "from core.far import M\nN = 1\n",
        "far.py": "M = 1\n",
    }
    for name, text in files.items():
        (tmp_path / name).write_text(text)
    before = {name: stamp(tmp_path, name) for name in files}
    for changed, stale in {
        "room/low.py": {"room/low.py", "room/middle.py", "top.py"},
        "sizes.py": {"sizes.py", "room/low.py", "room/middle.py", "top.py"},
        "beside.py": {"beside.py"},
        "far.py": {"far.py", "sizes.py"},
    }.items():
        (tmp_path / changed).write_text(files[changed] + "# changed\n")
        assert {name for name in files if stamp(tmp_path, name) != before[name]} == stale, changed
        (tmp_path / changed).write_text(files[changed])


def test_that_numba_keeps_this_program_s_kernels_by_these_stamps() -> None:
    package = Path(core.__file__).parent
    file = package / "solver" / "ldl.py"
    locator = factorise._cache._impl.locator
    assert Path(locator.get_cache_path()).name == "solver.ldl"
    assert locator.get_source_stamp() == source_stamp(package, file)


def test_that_looking_at_core_alone_does_not_load_numba() -> None:
    code = "import core, sys; sys.exit('numba' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_that_kernels_are_kept_so_too_when_numba_was_there_first() -> None:
    code = (
        "import numba, sys; from core.base.frames import rotation_matrix_kernel as k;"
        " sys.exit(type(k._cache._impl.locator).__name__)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.stderr.strip() == "KernelLocator"


def test_that_what_numba_makes_of_kernels_is_in_every_stamp(tmp_path: Path) -> None:
    (tmp_path / "low.py").write_text(KERNEL.format(imports="", name="low"))
    (tmp_path / "jit").mkdir()
    (tmp_path / "jit" / "code.py").write_text("A = 1\n")
    before = stamp(tmp_path, "low.py")
    (tmp_path / "jit" / "code.py").write_text("A = 2\n")
    assert stamp(tmp_path, "low.py") != before


def test_that_kernels_made_of_things_this_version_has_not_are_compiled_anew(tmp_path: Path) -> None:
    """As when a user goes back to a version before."""
    code = """
import sys
import core
import numpy as np
from core.base.frames import rotate_by_vector_kernel as kernel
out = np.zeros(4)
kernel(np.array([1.0, 0.0, 0.0, 0.0]), 0.0, 0.0, 0.3, out)
index = kernel._cache._cache_file._index_path
print(index, sum(kernel.stats.cache_hits.values()), out[3])
"""

    def run() -> list[str]:
        done = subprocess.run(
            [sys.executable, "-c", code], env={**os.environ, "NUMBA_CACHE_DIR": str(tmp_path)}, check=True,
            capture_output=True, text=True,
        )  # fmt: skip
        return done.stdout.split()

    index, hits, value = run()
    assert hits == "0"
    assert run() == [index, "1", value]
    file = Path(index)
    with file.open("rb") as stream:
        version = pickle.load(stream)
    strange = b"cno.such.room\nThing\n."  # a pickle of a class that is not there
    file.write_bytes(pickle.dumps(version) + strange)
    assert run() == [index, "0", value]
    assert run() == [index, "1", value]
