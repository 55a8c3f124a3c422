"""What a wheel, an archive of sources and a bundle are made from: the sources, the number of the version written in.

`core/base/version.py` has the number that the next release will have; the tag of a release is `v` and that number. What
is built on a tag has the number itself; what is built in between says so: `0.2.0.dev12+g1a2b3c4`, twelve commits after
the last release. Without a history - an unpacked archive of sources, a plain copy - the number stays as it stands.
"""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).resolve().parents[1]
WHEEL: Final = ("app", "core", "resources", "pyproject.toml", "setup.py", "README.md", "LICENSE")
REST: Final = (
    *("tests", "tools", ".ci", "Makefile", "MANIFEST.in", ".gitignore", ".gitattributes"),
    *("CHANGELOG.md", "CITATION.cff", "CONTRIBUTING.md", "SECURITY.md"),
)
LEFT_OUT: Final = shutil.ignore_patterns("__pycache__", "*.egg-info", "shipped")
PLACE: Final = Path("core", "base", "version.py")
LINE: Final = re.compile(r'^VERSION = "([^"]+)"$', re.MULTILINE)
TAGS: Final = "v[0-9]*"


def number(root: Path = ROOT) -> str:
    """The number of what is built from a tree. Raises SystemExit where tag and file contradict one another."""
    said = stated(root)
    if _git(root, "rev-parse", "--show-toplevel") != str(root.resolve()):
        return said  # no history, or that of a tree around this one
    changed = _git(root, "status", "--porcelain", "--untracked-files=no")
    here = (_git(root, "tag", "--points-at", "HEAD", "--list", TAGS) or "").split()
    if here and not changed:
        if f"v{said}" not in here:
            raise SystemExit(
                f"This commit is tagged {here[0]}, but {PLACE} says {said}: one of them is wrong."
            )
        return said
    last = _git(root, "describe", "--tags", "--abbrev=0", "--match", TAGS)
    if last == f"v{said}":
        raise SystemExit(f"{said} is released already; write the number of the next release into {PLACE}.")
    commits = _git(root, "rev-list", "--count", f"{last}..HEAD" if last else "HEAD")
    return f"{said}.dev{commits}+g{_git(root, 'rev-parse', '--short', 'HEAD')}{'.changed' if changed else ''}"


def stated(root: Path = ROOT) -> str:
    """The number that stands in the sources. Raises SystemExit where none does."""
    found = LINE.search((root / PLACE).read_text(encoding="utf-8"))
    if found is None:
        raise SystemExit(f'{PLACE} has no line VERSION = "...".')
    return found[1]


def copy(tree: Path, *, everything: bool = False) -> str:
    """Put the sources into a folder of their own: where something is built, files stay behind.

    everything: tests, tools and what else belongs to an archive of sources as well. Returns the number written in.
    """
    for name in (*WHEEL, *REST) if everything else WHEEL:
        source = ROOT / name
        if source.is_dir():
            shutil.copytree(source, tree / name, ignore=LEFT_OUT)
        else:
            shutil.copy(source, tree / name)
    found = number()
    place = tree / PLACE
    place.write_text(LINE.sub(f'VERSION = "{found}"', place.read_text(encoding="utf-8")), encoding="utf-8")
    return found


def _git(root: Path, *words: str) -> str | None:
    """What git says, None where there is none or nothing to say."""
    try:
        done = subprocess.run(["git", "-C", str(root), *words], capture_output=True, text=True, check=False)
    except OSError:
        return None
    return done.stdout.strip() if done.returncode == 0 else None
