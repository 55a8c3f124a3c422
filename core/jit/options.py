"""How kernels are compiled: those that are called from Python, and inner ones, which only run as part of others.

numba makes machine code of every function it compiles. Here an inner kernel stays what it is after lowering; the
kernels it is linked into optimise it together with their own code, and only they become machine code.
"""
# mypy: disable-error-code="no-untyped-call,attr-defined,method-assign,assignment"

from __future__ import annotations

from typing import Any

from numba import _dynfunc
from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import CompilerBase, DefaultPassBuilder
from numba.core.compiler_machinery import register_pass
from numba.core.typed_passes import NativeLowering, NopythonRewrites
from numba.core.untyped_passes import (
    InlineClosureLikes,
    InlineInlinables,
    LiteralUnroll,
    MakeFunctionToJitFunction,
    WithLifting,
)


class InnerLibrary(JITCodeLibrary):
    """Code that is linked into other libraries and never made executable itself.

    It does not take in what it calls either: that goes along to where it is linked into, once however often it is
    called.
    """

    def finalize(self) -> None:
        """Nothing is linked and nothing optimised."""
        self._raise_if_finalized()
        for library in self._linking_libraries:
            self._reload_init.update(library._reload_init)
        self._finalize_final_module()

    def _finalize_final_module(self) -> None:
        self._finalize_dynamic_globals()
        self._finalized = True


def _take_along() -> None:
    """Let libraries that inner ones are linked into take along what those call."""
    add = JITCodeLibrary.add_linking_library

    def added(library: Any, other: Any) -> None:
        if other in library._linking_libraries:
            return
        add(library, other)
        if isinstance(other, InnerLibrary):
            for called in other._linking_libraries:
                added(library, called)

    JITCodeLibrary.add_linking_library = added


_take_along()


@register_pass(mutates_CFG=True, analysis_only=False)
class InnerLowering(NativeLowering):
    """Lowering into an `InnerLibrary`."""

    _name = "inner_lowering"

    def run_pass(self, state: Any) -> bool:
        """Lower, and make the kernel known to callers by a function object that has no code."""
        codegen, name = state.targetctx.codegen(), state.func_id.func_qualname
        state.library = library = InnerLibrary(codegen, name)
        state.flags.no_compile = True
        super().run_pass(state)
        fndesc, env = state.cr.fndesc, state.cr.env
        known = _dynfunc.make_function(fndesc.lookup_module(), name.split(".")[-1], "", 0, env, (library,))
        state.targetctx.insert_user_function(known, fndesc, [library])
        state.reload_init.extend(library._reload_init)
        state.cr = state.cr._replace(cfunc=known)
        return True


# What no kernel has in it: closures and comprehensions, `with`, loops over mixed tuples, functions to be written out
# where they are called, arithmetic of whole arrays.
UNUSED = (
    WithLifting,
    InlineClosureLikes,
    MakeFunctionToJitFunction,
    InlineInlinables,
    LiteralUnroll,
    NopythonRewrites,
)


class KernelCompiler(CompilerBase):
    """numba's pipeline without the passes that kernels have no use for."""

    lowering: Any = NativeLowering

    def define_pipelines(self) -> list[Any]:
        """The passes, see numba.core.compiler."""
        manager = DefaultPassBuilder.define_nopython_pipeline(self.state)
        passes = [(p, why) for p, why in manager.passes if p not in UNUSED]
        manager.passes = [(self.lowering if p is NativeLowering else p, why) for p, why in passes]
        manager.finalize()
        return [manager]


class InnerCompiler(KernelCompiler):
    """And with `InnerLowering` in the place of numba's own."""

    lowering = InnerLowering


# Kernels never serve as C callbacks, divide by zero as numpy does and allocate nothing, so that references to arrays
# need not be counted.
KERNEL: dict[str, Any] = {
    "cache": True,
    "nogil": True,
    "error_model": "numpy",
    "no_cfunc_wrapper": True,
    "_nrt": False,
    "pipeline_class": KernelCompiler,
}
# Inner ones are compiled as a part of the kernels that call them. They have no code of their own: calling one from
# Python ends the program (`inner.py_func(...)` runs its Python).
INNER: dict[str, Any] = {
    **KERNEL,
    "cache": False,
    "no_cpython_wrapper": True,
    "pipeline_class": InnerCompiler,
}
