"""How much source there is: `python -m tools.count [TREE ...]`, lines of Python by room, of several trees side by side.

Counted are the lines of `core` and `app` that are not blank; docstrings and comments are part of the source.
"""

from __future__ import annotations

import sys
from collections import Counter
from pathlib import Path


def lines_by_room(tree: Path) -> Counter[str]:
    """Lines that are not blank, for every room of `core` and `app` in a tree."""
    found: Counter[str] = Counter()
    for top in ("core", "app"):
        for file in sorted((tree / top).rglob("*.py")):
            parts = file.relative_to(tree).parts
            room = "/".join(parts[:2]) if len(parts) > 2 else top
            found[room] += sum(1 for line in file.read_text(encoding="utf-8").splitlines() if line.strip())
    return found


def main() -> None:
    """Print the table."""
    counts = [lines_by_room(Path(name)) for name in sys.argv[1:] or ["."]]
    for room in sorted(set().union(*counts)):
        print(f"{room:24}", *(f"{count[room]:8}" for count in counts))
    print(f"{'all':24}", *(f"{sum(count.values()):8}" for count in counts))


if __name__ == "__main__":
    main()
