"""A kind of a family in one file beside the program: found where the folder of the family is looked into, in a program
of its own, with kernels run as Python."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

AHEAD = """
import importlib, sys
import importlib.util as util
family = {family!r}
spec = util.find_spec(family)
module = util.module_from_spec(spec)
module.__path__.append({folder!r})
sys.modules[family] = module
spec.loader.exec_module(module)
"""


def with_kind(
    family: str, name: str, source: str, script: str, folder: Path, *, compiled: bool = False
) -> Any:
    """What `script` prints as JSON on its last line when the folder of a family also holds the file `name`.py.

    family: the package of the family ("ridewright.core.track.devices"). compiled: with compiled kernels, kept apart.
    """
    (folder / f"{name}.py").write_text(source, encoding="utf-8")
    code = AHEAD.format(family=family, folder=str(folder)) + script
    kernels = {"NUMBA_CACHE_DIR": str(folder / "kernels")} if compiled else {"NUMBA_DISABLE_JIT": "1"}
    done = subprocess.run(
        [sys.executable, "-c", code],
        env={**os.environ, **kernels},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr[-4000:]
    return json.loads(done.stdout.splitlines()[-1])
