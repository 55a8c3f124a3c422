"""Kinds of a family, each made of one file that a test writes, as if it stood in the family's folder."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from importlib import import_module, resources
from pathlib import Path
from typing import Any


def exercise(page: str) -> str:
    """The code of the exercise on a developer page."""
    guide = Path(str(resources.files("ridewright.resources"))) / "guide" / "developing"
    (code,) = re.findall(
        r"```python\n(.*?)```", (guide / f"{page}.md").read_text(encoding="utf-8"), flags=re.S
    )
    return code


@contextmanager
def standing_in(
    package: str, registry: Callable[[], Any], folder: Path, name: str, code: str
) -> Iterator[None]:
    """A file of a name with this code stands in the folder of a package, which its registry (cached) looks through."""
    (folder / f"{name}.py").write_text(code, encoding="utf-8")
    family = import_module(package)
    own = family.__path__
    family.__path__ = [*own, str(folder)]
    registry.cache_clear()  # type: ignore[attr-defined]
    try:
        yield
    finally:
        family.__path__ = own
        registry.cache_clear()  # type: ignore[attr-defined]
        sys.modules.pop(f"{package}.{name}", None)
        vars(family).pop(name, None)
