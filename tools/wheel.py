"""Build a wheel of this platform that carries the kernels, compiled for a common processor.

    python -m tools.wheel [preview] [ride]

The kernels are those of a ride and of its preview, for the processors that core.jit.cache.BASELINE names. A wheel is
for the Python, the numba and the platform it was built with; with another numba, or on an older processor, the program
compiles its kernels as usual.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import sysconfig
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))
LEFT_OUT = shutil.ignore_patterns("__pycache__", "*.egg-info")
ALL = ("preview", "ride", "explicit")
COMPILE = """
import sys
from ridewright.core.warm_up.ahead import compile_missing
if not all(compile_missing(what) for what in sys.argv[1:]):
    raise SystemExit("the kernels could not be compiled")
"""


def copy_sources(tree: Path) -> None:
    """Put what a wheel is made of into a folder of its own: where it is built, files stay behind."""
    for room in ("app", "core", "resources"):
        shutil.copytree(ROOT / room, tree / room, ignore=LEFT_OUT)
    for name in ("pyproject.toml", "setup.py", "README.md", "LICENSE"):
        shutil.copy(ROOT / name, tree / name)


def main() -> None:
    """Compile into a copy of the sources, so that a stamp can only be that of what is shipped, and pack it."""
    from ridewright.core.jit.cache import BASELINE

    with tempfile.TemporaryDirectory() as folder:
        tree = Path(folder)
        copy_sources(tree)
        subprocess.run([ROOT / "tools" / "names.sh", tree / "names", tree], check=True)
        shipped = tree / "core" / "jit" / "shipped"
        made_for = {"NUMBA_CPU_NAME": BASELINE, "NUMBA_CPU_FEATURES": "", "NUMBA_CACHE_DIR": str(shipped)}
        environment = {**os.environ, **made_for, "PYTHONPATH": str(tree / "names")}
        subprocess.run(
            [sys.executable, "-c", COMPILE, *(sys.argv[1:] or ALL)], cwd=tree, env=environment, check=True
        )
        for lock in shipped.glob("*.lock"):
            lock.unlink()
        (shipped / BASELINE).write_text(
            "These kernels are for the processors that this file is named after.\n"
        )
        pip = [sys.executable, "-m", "pip", "wheel", "--no-deps", "--wheel-dir", str(tree), str(tree)]
        subprocess.run(pip, check=True)
        (plain,) = tree.glob("*.whl")
        version = f"cp{sys.version_info.major}{sys.version_info.minor}"
        platform = sysconfig.get_platform().replace("-", "_").replace(".", "_")
        tags = ["--python-tag", version, "--abi-tag", version, "--platform-tag", platform]
        subprocess.run([sys.executable, "-m", "wheel", "tags", *tags, "--remove", str(plain)], check=True)
        (made,) = tree.glob("*.whl")
        (ROOT / "dist").mkdir(exist_ok=True)
        print(shutil.copy(made, ROOT / "dist" / made.name))


if __name__ == "__main__":
    main()
