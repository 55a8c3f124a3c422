"""The program's own sources, for tests of its order: only what has a word that is asked for is parsed."""

from __future__ import annotations

import ast
import re
from collections.abc import Collection, Iterator
from functools import cache
from pathlib import Path

ROOT = Path(__file__).parents[1]
RELATIVE = re.compile(r"^ *(from \.[.\w]* import (?:\([^)]*\)|[^\n]+))", re.MULTILINE)


@cache
def texts(*folders: str) -> dict[Path, str]:
    """The text of every source file of some folders of the tree; by default of the program's rooms."""
    return {
        path: path.read_text(encoding="utf-8")
        for folder in folders or ("core", "app")
        for path in sorted((ROOT / folder).rglob("*.py"))
    }


def naming(words: Collection[str], left_out: Collection[Path] = ()) -> Iterator[tuple[str, ast.Module]]:
    """Places and trees of the files of the program that have one of some words, but those in folders left out."""
    assert len(texts()) > 400
    one = re.compile(rf"\b(?:{'|'.join(map(re.escape, sorted(words)))})\b")
    for path, text in texts().items():
        if path.parent not in left_out and one.search(text):
            yield str(path.relative_to(ROOT)), ast.parse(text)


@cache
def imports(path: Path) -> tuple[ast.ImportFrom, ...]:
    """What a file of the program imports from the package itself, in functions or outside."""
    nodes = (ast.parse(found).body[0] for found in RELATIVE.findall(texts()[path]))
    return tuple(node for node in nodes if isinstance(node, ast.ImportFrom))
