"""Which program this is, to the last byte of what its numbers come from: its version and a digest of its files."""

from __future__ import annotations

from functools import cache
from hashlib import sha256
from pathlib import Path

from ..base.version import VERSION

CORE = Path(__file__).parents[1]
#: Data that numbers come from; examples and pages of the guide are none.
DATA = ("library", "limits")


@cache
def fingerprint() -> str:
    """The version with a digest of the modules of the core and of the data they read: "1.2.3+0f1e2d3c4b5a"."""
    found = sha256()
    resources = CORE.parent / "resources"
    files = [*CORE.rglob("*.py"), *(file for name in DATA for file in (resources / name).rglob("*.json"))]
    for name, file in sorted((file.relative_to(CORE.parent).as_posix(), file) for file in files):
        content = file.read_bytes()
        found.update(f"{name}\0{len(content)}\0".encode() + content)
    return f"{VERSION}+{found.hexdigest()[:12]}"
