"""What numba asks for the place and the age of a kernel of this program (see `kernel_cache`)."""
# mypy: disable-error-code="no-untyped-call,attr-defined,method-assign,assignment"

from __future__ import annotations

import os
from functools import cache
from pathlib import Path
from types import FunctionType
from typing import Any

from numba.core.caching import IndexDataCacheFile, _CacheLocator
from numba.np import linalg

from core.jit.cache import cache_folder, source_stamp
from core.jit.code import write_less
from core.jit.compiling import (
    compare_settings_quickly,
    list_variables_quickly,
    remember_arguments,
    remember_calls,
    remember_sizes,
    spare_clocks,
    spare_colours,
)
from core.jit.memory import keep_memory_functions, parse_when_linked

PACKAGE = Path(__file__).resolve().parents[1]


def _load_array_functions() -> None:
    """Load numba's array functions without the linear algebra of scipy.

    numba tries it out there and then, which takes 0.15 s and 25 MB; a kernel that uses it tries again.
    """
    trial = linalg.ensure_blas
    linalg.ensure_blas = lambda: None
    try:
        import numba.np.arraymath  # noqa: F401 - for what it registers
    finally:
        linalg.ensure_blas = trial


def _pass_over_strangers() -> None:
    """Take the kernels of another version of this program, which may be made of things that this one has not, for none
    at all: numba reads the whole list of them before it looks at their stamp."""
    read = IndexDataCacheFile._load_index

    def listed(file: Any) -> Any:
        try:
            return read(file)
        except OSError:
            raise
        except Exception:  # reading can end in anything
            return {}

    IndexDataCacheFile._load_index = listed


_load_array_functions()
_pass_over_strangers()
compare_settings_quickly()
remember_calls()
remember_sizes()
remember_arguments()
list_variables_quickly()
spare_colours()
spare_clocks()
write_less()
keep_memory_functions()
parse_when_linked()


@cache
def _stamp(file: Path) -> str:
    """The stamp of a file; its kernels share it, and sources do not change under a running program."""
    return source_stamp(PACKAGE, file)


@cache
def _home(py_file: str) -> tuple[Path, Path] | None:
    """The file of a kernel of this program and the folder its kernels are kept in; None for other files and when
    nothing can be kept."""
    file = Path(py_file).resolve()
    place = cache_folder()
    if place is None or not file.is_relative_to(PACKAGE):
        return None
    folder = place / ".".join(file.relative_to(PACKAGE).with_suffix("").parts)
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError:
        return None
    return (file, folder) if os.access(folder, os.W_OK) else None


class KernelLocator(_CacheLocator):
    """Keeps the kernels of a file in a folder of its own, stamped with all sources they are made of."""

    def __init__(self, function: FunctionType, file: Path, folder: Path) -> None:
        self._line = function.__code__.co_firstlineno
        self._file = file
        self._py_file = str(file)
        self._folder = folder

    def get_cache_path(self) -> str:
        return str(self._folder)

    def get_source_stamp(self) -> str:
        return _stamp(self._file)

    def get_disambiguator(self) -> str:
        return str(self._line)

    @classmethod
    def from_function(cls, py_func: FunctionType, py_file: str) -> KernelLocator | None:
        """The locator of a kernel of this program; None for others and when nothing can be written."""
        home = _home(py_file)
        return None if home is None else cls(py_func, *home)
