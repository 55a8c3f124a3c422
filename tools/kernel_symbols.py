"""Which glibc compiled kernels need: `python tools/kernel_symbols.py FOLDER` prints the tag that they earn.

auditwheel looks at shared libraries only and takes a wheel without any for pure Python; numba keeps kernels as object
code in files of its own, which is linked when it is loaded. The rule is the same: a name that the object code asks for
is defined in another kernel, brought by numba itself, or is one of glibc, and the tag is that of the oldest glibc that
has all of those. Needs numba and pyelftools in the Python it is run with.
"""

from __future__ import annotations

import ctypes
import io
import platform
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Final

OLDEST: Final = (
    17  # what Python's own index calls the oldest that is in use: manylinux_2_17, once manylinux2014
)
MAGIC: Final = b"\x7fELF"
RUNTIME: Final = "NRT_"  # of numba, which tells LLVM of them when it compiles something for the first time
LIBRARIES: Final = ("libc.so.6", "libm.so.6")
#: Versions of names: 2.17 is one of many; the first ones have a third number.
VERSIONS: Final = (
    *((2, f"2.2.{part}") for part in (5, 6)),
    *((3, f"2.3{part}") for part in ("", ".2", ".3", ".4")),
    *((minor, f"2.{minor}") for minor in range(4, 80)),
)


def objects(folder: Path) -> Iterator[bytes]:
    """The object code in the files that numba has kept in a folder."""
    for file in sorted(folder.rglob("*.nbc")):
        data = file.read_bytes()
        start = data.find(MAGIC)
        while start >= 0:
            yield data[start:]
            start = data.find(MAGIC, start + len(MAGIC))


def names(data: bytes) -> tuple[set[str], set[str]]:
    """Names that object code defines, and those that it asks for."""
    from elftools.elf.elffile import ELFFile
    from elftools.elf.sections import SymbolTableSection

    defined, wanted = set[str](), set[str]()
    for section in ELFFile(io.BytesIO(data)).iter_sections():
        if isinstance(section, SymbolTableSection):
            for symbol in section.iter_symbols():
                if symbol.name:
                    (wanted if symbol["st_shndx"] == "SHN_UNDEF" else defined).add(symbol.name)
    return defined, wanted


def since(name: str) -> int | None:
    """The minor version of glibc that has a name first; None where glibc has it not."""
    found = ctypes.CDLL(None).dlvsym
    found.restype, found.argtypes = ctypes.c_void_p, (ctypes.c_void_p, ctypes.c_char_p, ctypes.c_char_p)
    for library in LIBRARIES:
        handle = ctypes.CDLL(library)
        if not hasattr(handle, name):
            continue
        for minor, version in VERSIONS:
            if found(handle._handle, name.encode(), f"GLIBC_{version}".encode()):
                return minor
    return None


def tag(folder: Path) -> str:
    """The tag of the kernels in a folder. Raises SystemExit for names that nobody brings."""
    import llvmlite.binding
    from numba.core.registry import cpu_target

    _ = cpu_target.target_context  # numba tells LLVM what it brings
    pairs = [names(one) for one in objects(folder)]
    if not pairs:
        raise SystemExit(f"There are no kernels in {folder}.")
    outside = set().union(*(wanted for _, wanted in pairs)) - set().union(*(defined for defined, _ in pairs))
    needed = {name: minor for name in outside if (minor := since(name)) is not None}
    unknown = sorted(
        name
        for name in outside - set(needed)
        if not name.startswith(RUNTIME) and llvmlite.binding.address_of_symbol(name) is None
    )
    if unknown:
        raise SystemExit(
            f"Neither glibc nor numba has these names that kernels ask for: {', '.join(unknown)}."
        )
    said = ", ".join(f"{name} (2.{minor})" for name, minor in sorted(needed.items()))
    print(
        f"{len(pairs)} kernels ask glibc for {said}; numba for {len(outside) - len(needed)} names",
        file=sys.stderr,
    )
    return f"manylinux_2_{max(OLDEST, *needed.values())}_{platform.machine()}"


if __name__ == "__main__":
    print(tag(Path(sys.argv[1])))
