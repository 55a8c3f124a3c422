"""What loading kernels costs in memory and time: less than numba takes by itself.

Two habits of numba cost a program that has its kernels from the cache a fifth of its memory. They are changed as long
as numba is as it is known here; otherwise it keeps them, and nothing else changes.
"""
# mypy: disable-error-code="no-untyped-call,attr-defined,method-assign,assignment"

from __future__ import annotations

from contextlib import suppress
from typing import Any

import llvmlite
import numba
from llvmlite import binding
from numba import config
from numba.core import caching
from numba.core.codegen import JITCodeLibrary, JitEngine
from numba.core.runtime import nrtdynmod

from core.jit.cache import cache_folder

MEMORY_FUNCTIONS = "numba.memory_functions"  # name of their files in the cache


class Lent(bytes):
    """Code that a kernel lends to others it is linked into, as it is stored; names: of what it defines."""

    names: frozenset[str]


def keep_memory_functions() -> None:
    """Keep numba's own memory functions in the cache too.

    numba compiles these few lines anew at every start, and wakes all of the compiler for it: 20 MB.
    """
    if not (hasattr(nrtdynmod, "create_nrt_module") and hasattr(caching, "IndexDataCacheFile")):
        return
    compile_anew = nrtdynmod.compile_nrt_functions

    def kept(context: Any) -> Any:
        folder, codegen = cache_folder(), context.codegen()
        if folder is None or config.DEBUG_NRT:
            return compile_anew(context)
        stamp = (numba.__version__, llvmlite.__version__)
        file, key = caching.IndexDataCacheFile(str(folder), MEMORY_FUNCTIONS, stamp), codegen.magic_tuple()
        found, damaged = None, False
        try:
            found = file.load(key)
        except Exception:  # what is read can be anything
            damaged = True
        if found is not None:
            return codegen.unserialize_library(found)
        code, library = nrtdynmod.create_nrt_module(context)
        library.enable_object_caching()
        library.add_ir_module(code)
        library.finalize()
        with suppress(OSError):  # a full disk
            if damaged:
                file.flush()
            file.save(key, library.serialize_using_object_code())
        return library

    nrtdynmod.compile_nrt_functions = kept


def parse_when_linked() -> None:
    """Leave code that a kernel lends to others as it is stored until there is another to link it into.

    numba parses it when the kernel is loaded, only to see what it defines, and holds on to all of it: 15 MB and 0.1 s.
    """
    known = ("_get_module_for_linking", "_set_compiled_object", "_finalize_final_module", "_unserialize")
    if not all(hasattr(JITCodeLibrary, name) for name in known) or not hasattr(JitEngine, "add_module"):
        return
    store, lend = JITCodeLibrary.serialize_using_object_code, JITCodeLibrary._get_module_for_linking
    load = JITCodeLibrary._unserialize.__func__

    def stored(library: Any) -> Any:
        name, kind, (compiled, code) = store(library)
        module, lent = library._get_module_for_linking(), Lent(code)
        symbols = (*module.functions, *module.global_variables)
        lent.names = frozenset(symbol.name for symbol in symbols if not symbol.is_declaration)
        return name, kind, (compiled, lent)

    def loaded(family: type[JITCodeLibrary], codegen: Any, state: Any) -> Any:
        name, kind, data = state
        defined = getattr(codegen._engine, "_defined_symbols", None)
        if kind != "object" or not isinstance(data[1], Lent) or defined is None:
            return load(family, codegen, state)
        library = codegen.create_library(name)
        library.enable_object_caching()
        library._set_compiled_object(data[0])
        library._finalize_final_module()
        defined |= data[1].names
        library._lent = data[1]
        return library

    def lent(library: Any) -> Any:
        code = library.__dict__.pop("_lent", None)
        if code is not None:
            library._shared_module = binding.parse_bitcode(code)
        return lend(library)

    JITCodeLibrary.serialize_using_object_code, JITCodeLibrary._get_module_for_linking = stored, lent
    JITCodeLibrary._unserialize = classmethod(loaded)
