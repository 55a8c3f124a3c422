"""Calls between large kernels that do not compile the called one again.

numba copies everything a kernel calls into it before optimising, so that constraints, forces and tangent would be
optimised once more in every kernel that uses them. `call` goes through an address instead: the called kernel is
compiled once, for one signature, and callers compile in a fraction of the time. Addresses belong to a process;
they live in scratch memory (`Work`, `Factor`) and never in files.
"""
# mypy: disable-error-code="no-untyped-def,no-untyped-call"

from __future__ import annotations

from typing import Any

import numpy as np
from numba import typeof, types
from numba.core import cgutils
from numba.core.errors import TypingError
from numba.extending import intrinsic
from numpy.typing import NDArray

_signatures: dict[Any, tuple[Any, ...]] = {}


def addresses(*kernels: tuple[Any, tuple[Any, ...]]) -> NDArray[np.int64]:
    """Addresses of compiled kernels for `call`; each comes with examples of its arguments, whose types set the one
    signature it can be called with."""
    found = []
    for kernel, examples in kernels:
        signature = tuple(typeof(x) for x in examples)
        kernel.compile(signature)
        _signatures[kernel] = signature
        compiled = kernel.overloads[signature]
        found.append(compiled.library.get_pointer_to_function(compiled.fndesc.llvm_func_name))
    return np.array(found, dtype=np.int64)


def _call(typing_context, address, kernel, arguments):
    """kernel(*arguments) through its address (int64) from `addresses`; arguments: a tuple of exactly its types.

    Raises TypingError, when the caller is compiled, for other types than those the address was taken for.
    """
    dispatcher = kernel.dispatcher
    given, wanted = tuple(arguments.types), _signatures.get(dispatcher)
    if wanted is not None and given != wanted:
        raise TypingError(f"{dispatcher.__name__} is called with {given}, its address is for {wanted}")
    dispatcher.compile(given)
    result = dispatcher.overloads[given].signature.return_type

    def generate(context, builder, signature, values):
        kind = context.call_conv.get_function_type(result, given)
        pointer = builder.inttoptr(values[0], kind.as_pointer())
        unpacked = cgutils.unpack_tuple(builder, values[2], len(given))
        status, value = context.call_conv.call_function(builder, pointer, result, given, unpacked)
        with cgutils.if_unlikely(builder, status.is_error):
            context.call_conv.return_status_propagate(builder, status)
        return value

    return result(types.int64, kernel, arguments), generate


call: Any = intrinsic(_call)
