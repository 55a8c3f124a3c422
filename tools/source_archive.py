"""Pack the sources into dist/ridewright-VERSION.tar.gz, which builds and tests: `python -m tools.source_archive`."""

from __future__ import annotations

import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Final

from . import sources

DIST: Final = sources.ROOT / "dist"
PACK: Final = "import sys; from setuptools.build_meta import build_sdist; build_sdist(sys.argv[1])"


def build(target: Path = DIST) -> Path:
    """Pack the sources with the number of their version written in, and return where the archive is."""
    with tempfile.TemporaryDirectory() as folder:
        tree, environment = Path(folder, "tree"), Path(folder, "environment")
        tree.mkdir()
        number = sources.copy(tree, everything=True)
        subprocess.run([sys.executable, "-m", "venv", environment], check=True)
        own = environment / "bin" / "python"
        subprocess.run([own, "-m", "pip", "-q", "install", "--no-compile", "setuptools>=77"], check=True)
        target.mkdir(exist_ok=True)
        subprocess.run([own, "-c", PACK, target], cwd=tree, check=True, stdout=subprocess.DEVNULL)
    return target / f"ridewright-{number}.tar.gz"


if __name__ == "__main__":
    print(build())
