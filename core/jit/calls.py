"""Kernels called by their address: compiled only where they are needed, and no part of the kernels that call them.

A kernel contains what it calls, so that what few models use would be compiled for all. What is called by address is
compiled for itself, the first time that a model needs it. The caller knows nothing but the address, which stands in
an array of integers, together with the addresses of the arrays that the called kernel works on.
"""
# mypy: disable-error-code="no-untyped-def,no-untyped-call"

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from llvmlite import ir
from numba import cfunc, types
from numba.extending import intrinsic

# the directory of addresses, two lines of numbers, two numbers
_GIVEN = (
    types.CPointer(types.int64), types.CPointer(types.float64), types.CPointer(types.float64),
    types.float64, types.float64,
)  # fmt: skip
SIGNATURE = types.float64(*_GIVEN)


def address_of(function: Callable[..., float]) -> int:
    """Compile a kernel of the signature above, or load it, and tell its address; it stays loaded."""
    made: Any = cfunc(SIGNATURE, cache=True, error_model="numpy")(function)
    _KEPT.append(made)
    return int(made.address)


_KEPT: list[Any] = []


def _call_at(typingctx, address, directory, a, b, x, y):
    """Call what stands at an address (int64): directory (n,) int64, a and b C-contiguous float64, x and y numbers."""

    def lowered(context, builder, signature, values):
        double, word = ir.DoubleType(), ir.IntType(64)
        kinds = [word.as_pointer(), double.as_pointer(), double.as_pointer(), double, double]
        given = []
        for k, kind in enumerate(kinds):
            value, of = values[1 + k], signature.args[1 + k]
            if isinstance(of, types.Array):
                value = builder.bitcast(context.make_array(of)(context, builder, value).data, kind)
            given.append(value)
        function = builder.inttoptr(values[0], ir.FunctionType(double, kinds).as_pointer())
        return builder.call(function, given)

    return types.float64(address, directory, a, b, types.float64, types.float64), lowered


call_at: Any = intrinsic(_call_at)
"""As `_call_at`, in kernels; Python cannot call it."""


def _pointer(kind):
    @intrinsic
    def pointer(typingctx, address):
        made = types.CPointer(kind)

        def lowered(context, builder, signature, values):
            return builder.inttoptr(values[0], context.get_value_type(made))

        return made(types.int64), lowered

    return pointer


reals_at: Any = _pointer(types.float64)
"""The pointer to numbers of an address, for `numba.carray`."""
