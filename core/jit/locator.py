"""What numba asks for the place and the age of a kernel of this program (see `core.jit.cache`).

numba reads the name of this class from NUMBA_CACHE_LOCATOR_CLASSES, which is documented; its base class is private.
"""
# mypy: disable-error-code="no-untyped-call"

from __future__ import annotations

from functools import cache
from pathlib import Path
from types import FunctionType

from numba.core.caching import _CacheLocator

from .cache import kept_in


@cache  # a file's kernels share it, and sources do not change under a running program
def _home(py_file: str) -> tuple[Path, str] | None:
    return kept_in(Path(py_file))


class KernelLocator(_CacheLocator):
    """Keeps the kernels of a file in a folder of its own, stamped with all sources they are made of."""

    def __init__(self, function: FunctionType, py_file: str, home: tuple[Path, str]) -> None:
        self._line = function.__code__.co_firstlineno
        self._py_file = py_file
        self._folder, self._stamp = home

    def get_cache_path(self) -> str:
        return str(self._folder)

    def get_source_stamp(self) -> str:
        return self._stamp

    def get_disambiguator(self) -> str:
        return str(self._line)

    @classmethod
    def from_function(cls, py_func: FunctionType, py_file: str) -> KernelLocator | None:
        """The locator of a kernel of this program; None for others and when nothing can be written."""
        home = _home(py_file)
        return None if home is None else cls(py_func, py_file, home)
