"""Kernels from the cache: not parsed before they are linked, numba's memory functions with them, results as ever."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from core.jit.memory import MEMORY_FUNCTIONS

KERNEL = """
import numpy as np
from numba import njit
@njit(cache=True)
def halves(x):
    out = np.empty_like(x)  # takes memory, by numba's own functions
    for k in range(len(x)):
        out[k] = 0.5 * x[k]
    return out
"""
# One kernel from the cache or compiled, then another into which it is linked and which takes memory too.
USE = """
import json, sys
if sys.argv[1] == "strange":  # a numba that is not known
    from numba.core.codegen import JITCodeLibrary
    from numba.core.runtime import nrtdynmod
    known = nrtdynmod.create_nrt_module
    def compile_nrt_functions(context):
        module, library = known(context)
        library.add_ir_module(module)
        library.finalize()
        return library
    nrtdynmod.compile_nrt_functions = compile_nrt_functions
    del nrtdynmod.create_nrt_module
    import core.jit.memory
    core.jit.memory.JitEngine = object
import core.jit.locator
import numpy as np
from numba import njit
from numba.core.runtime import rtsys
from halving import halves
first = halves(np.arange(4.0)).tolist()
library = next(iter(halves.overloads.values())).library
cached = sum(halves.stats.cache_hits.values())
parsed = library._shared_module is not None
@njit
def quarters(x):
    return [halves(halves(x)), x][0]
second = quarters(np.arange(4.0)).tolist()
print(json.dumps({
    "first": first, "second": second, "cached": cached, "parsed": parsed,
    "parsed_at_last": library._shared_module is not None, "functions_cached": rtsys.library._disable_inspection
    and not rtsys.library._compiled,
}))
"""


@pytest.fixture
def run(tmp_path: Path) -> Any:
    (tmp_path / "halving.py").write_text(KERNEL)
    root = Path(__file__).resolve().parents[3]
    places = {
        "PYTHONPATH": f"{tmp_path}{os.pathsep}{root}",
        "NUMBA_CACHE_DIR": str(tmp_path),
        "NUMBA_CACHE_LOCATOR_CLASSES": "",
    }

    def once(numba: str = "known") -> dict[str, Any]:
        done = subprocess.run(
            [sys.executable, "-c", USE, numba],
            env={**os.environ, **places},
            cwd=tmp_path,
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, done.stderr
        found: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
        assert found.pop("first") == [0.0, 0.5, 1.0, 1.5]
        assert found.pop("second") == [0.0, 0.25, 0.5, 0.75]
        return found

    return once


def test_that_code_from_the_cache_is_parsed_when_it_is_linked_and_not_before(run: Any) -> None:
    compiled, loaded = run(), run()
    assert compiled == {"cached": 0, "parsed": True, "parsed_at_last": True, "functions_cached": False}
    assert loaded == {"cached": 1, "parsed": False, "parsed_at_last": True, "functions_cached": True}


def test_that_damaged_memory_functions_are_compiled_again(run: Any, tmp_path: Path) -> None:
    run()
    kept = list(tmp_path.glob(f"{MEMORY_FUNCTIONS}*"))
    assert len(kept) == 2
    for file in kept:
        whole = file.read_bytes()
        file.write_bytes(whole[: len(whole) // 2])
        assert not run()["functions_cached"]
    assert run()["functions_cached"]


def test_that_a_numba_that_is_not_known_keeps_its_ways(run: Any) -> None:
    run()
    assert run("strange") == {"cached": 1, "parsed": True, "parsed_at_last": True, "functions_cached": False}
