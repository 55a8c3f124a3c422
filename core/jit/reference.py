"""Named tuples of arrays and numbers that compiled code takes by reference.

numba passes a tuple to a kernel value by value: a dozen arrays become hundreds of arguments, taken apart and put
together again at every call and unpacked from Python objects at every entry, and most of the time of compiling goes
into that. Here a kernel gets one pointer, to a list of where the arrays lie and of their sizes, and reads from it
what it uses. The list is made once for a tuple; neither it nor the tuple changes, only what the arrays hold.
"""
# mypy: disable-error-code="no-untyped-def,no-untyped-call,override"

from __future__ import annotations

import zlib
from contextlib import ExitStack
from functools import cached_property
from typing import Any, TypeVar

import numpy as np
from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.core.imputils import impl_ret_borrowed
from numba.core.typing.templates import AttributeTemplate
from numba.core.typing.typeof import typeof, typeof_impl
from numba.extending import (
    NativeValue,
    infer_getattr,
    lower_getattr_generic,
    models,
    register_model,
    unbox,
)

from core.jit.code import array_value

Kind = TypeVar("Kind", bound=type)
WORD = ir.IntType(64)


class Reference(types.Opaque):
    """Type of a reference to a named tuple; names and fields: its fields and their types."""

    def __init__(self, kind: str, names: tuple[str, ...], fields: tuple[Any, ...]) -> None:
        self.names, self.fields = names, fields
        places = np.cumsum([0, *(1 + getattr(field, "ndim", 0) for field in fields)])
        self.places = tuple(int(place) for place in places)
        # it becomes part of the names of functions, and has to be short there
        super().__init__(name=f"{kind}.{zlib.crc32(repr((names, fields)).encode()):08x}")


@register_model(Reference)
class _ReferenceModel(models.PrimitiveModel):
    def __init__(self, manager, kind):
        super().__init__(manager, kind, WORD.as_pointer())


def by_reference(kind: Kind) -> Kind:
    """Have instances of a NamedTuple class, all of whose fields are contiguous arrays, numbers of 8 bytes or booleans,
    taken by reference.

    Raises TypeError where an instance with another field is given to a kernel.
    """
    body = {
        "__doc__": kind.__doc__,
        "__module__": kind.__module__,
        "__qualname__": kind.__qualname__,
        "_described": cached_property(_described),
        "address": cached_property(lambda values: values._described.ctypes.data),
        "__getstate__": lambda values: None,  # copies lie elsewhere
    }
    made: Any = type(kind.__name__, (kind,), body)
    typeof_impl.register(made)(_typeof)
    return made  # type: ignore[no-any-return]


def _typeof(values: Any, c: Any) -> Reference:
    fields = tuple(typeof(value) for value in values)
    for name, field in zip(values._fields, fields, strict=True):
        array = isinstance(field, types.Array) and field.layout == "C" and field.aligned
        if not array and field not in (types.float64, types.int64, types.boolean):
            raise TypeError(
                f"Field '{name}' of {type(values).__name__} cannot be referred to: it is {field}, and would have to be"
                " a C-contiguous array, a float64, an int64 or a boolean."
            )
    return Reference(type(values).__name__, values._fields, fields)


def _described(values: Any) -> Any:
    """What a pointer to it stands for: numbers, and of arrays the address and the sizes; one word each."""
    words: list[Any] = []
    for value in values:
        if isinstance(value, np.ndarray):
            words += [np.int64(value.ctypes.data), *np.array(value.shape, dtype=np.int64)]
        else:
            words.append(np.asarray(value, dtype=np.float64 if isinstance(value, float) else np.int64)[()])
    return np.frombuffer(b"".join(word.tobytes() for word in words), dtype=np.int64)


@unbox(Reference)
def _unbox(kind, given, c):
    pointer = cgutils.alloca_once(c.builder, WORD.as_pointer())
    failed = cgutils.alloca_once_value(c.builder, cgutils.true_bit)
    with ExitStack() as stack:
        number = c.pyapi.object_getattr_string(given, "address")
        with cgutils.early_exit_if_null(c.builder, stack, number):
            pass
        address = c.pyapi.number_as_ssize_t(number)
        c.pyapi.decref(number)
        c.builder.store(c.builder.inttoptr(address, WORD.as_pointer()), pointer)
        c.builder.store(cgutils.false_bit, failed)
    return NativeValue(c.builder.load(pointer), is_error=c.builder.load(failed))


@infer_getattr
class _Fields(AttributeTemplate):
    key = Reference

    def generic_resolve(self, kind, name):
        """Type of a field."""
        return kind.fields[kind.names.index(name)] if name in kind.names else None


@lower_getattr_generic(Reference)
def _field(context, builder, kind, value, name):
    number = kind.names.index(name)
    return impl_ret_borrowed(
        context, builder, kind.fields[number], field(context, builder, kind, value, number)
    )


def field(context: Any, builder: Any, kind: Reference, value: Any, number: int) -> Any:
    """Code that reads a field, by its number, through a pointer."""
    held, first = kind.fields[number], kind.places[number]
    if held == types.boolean:
        return builder.icmp_unsigned("!=", _word(builder, value, first), WORD(0))
    if not isinstance(held, types.Array):
        return _word(builder, value, first, context.get_value_type(held))
    shape = [_word(builder, value, first + 1 + k) for k in range(held.ndim)]
    return array_value(context, builder, held, data_of(context, builder, kind, value, number), shape)


def data_of(context: Any, builder: Any, kind: Reference, value: Any, number: int) -> Any:
    """Code that reads where the data of a field lie that is an array."""
    item = context.get_data_type(kind.fields[number].dtype)
    return builder.inttoptr(_word(builder, value, kind.places[number]), item.as_pointer())


def _word(builder: Any, pointer: Any, place: int, kind: Any = WORD) -> Any:
    at = builder.gep(pointer, [ir.IntType(32)(place)], inbounds=True)
    read = builder.load(builder.bitcast(at, kind.as_pointer()) if kind is not WORD else at)
    read.set_metadata("invariant.load", builder.module.add_metadata([]))
    return read
