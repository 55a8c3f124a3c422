"""How kernels are compiled. Every kernel of this program has one of these decorators; Python can call all of them.

    @kernel       called from Python and by other kernels; compiled code is kept on disk
    @allocating   the same for kernels that make arrays
    @inner        a helper of kernels, compiled into each of them; Python runs it as Python
    @shared       a larger helper, which each kernel contains once however often it calls it
    @part         a piece of one kernel, written into it before types are settled; calls large kernels

A kernel contains what it calls: a piece that calls large kernels would optimise all of them once more than its caller
does, and with three such pieces on top of one another the first compile takes half as long again. A `part` does not;
but numba takes long to write many statements into one another, so that only those few are parts.
"""
# mypy: disable-error-code="no-untyped-call"

from __future__ import annotations

from typing import Any

from numba import njit
from numba.extending import register_jitable

# They never serve as C callbacks. What is not set is taken over from the caller, so inlining is said here.
_PLAIN: dict[str, Any] = {"no_cfunc_wrapper": True, "forceinline": False}
# And divide by zero as numpy does and allocate nothing, so that references to arrays need not be counted: worth a
# fifth of the speed. `_nrt` has an underscore, but numba shows it in the documentation of `register_jitable`. It stands
# nowhere else.
_LEAN: dict[str, Any] = {**_PLAIN, "error_model": "numpy", "_nrt": False}


def kernel(function: Any) -> Any:
    """A kernel that makes no arrays: it writes into its arguments."""
    return njit(cache=True, nogil=True, **_LEAN)(function)


def allocating(function: Any) -> Any:
    """A kernel that makes arrays. It divides by zero as Python does: ZeroDivisionError."""
    return njit(cache=True, nogil=True, **_PLAIN)(function)


def inner(function: Any) -> Any:
    """A helper of kernels that makes no arrays; it stays the Python function that it is."""
    return register_jitable(**{**_LEAN, "forceinline": True})(function)


def shared(function: Any) -> Any:
    """As `inner`, for a helper that is large and called from several places of a kernel. Hand it what it needs and no
    named tuples, which go by value."""
    return register_jitable(**_LEAN)(function)


def part(function: Any) -> Any:
    """A piece of one kernel, with a name of its own for the reader."""
    return njit(nogil=True, inline="always", **_LEAN)(function)


def interpreted(made: Any) -> Any:
    """The Python function of a kernel: to run it once where compiling would take longer than running it."""
    return getattr(made, "py_func", made)
