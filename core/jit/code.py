"""What numba makes of array elements, rows of arrays and loops over ranges: the same in fewer instructions.

numba writes fifty instructions for an element of an array and fifty more to begin a loop, of which its optimiser
leaves a handful; writing them, passing them on as text and taking them away again is half of the time of compiling.
Its ways are replaced as long as numba is as it is known here, and where an array or an index is not of the plain kind
they are called as before.
"""
# mypy: disable-error-code="no-untyped-call,attr-defined,method-assign,no-untyped-def"

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any

import numba.cpython.rangeobj  # noqa: F401 - for what it registers
from llvmlite import ir
from numba.core import cgutils, types
from numba.core.base import BaseContext
from numba.core.datamodel import default_manager
from numba.core.imputils import builtin_registry, impl_ret_borrowed, impl_ret_untracked
from numba.core.lowering import Lower
from numba.np import arrayobj

Emit = Callable[[Any, Any, Any, Any], Any]
WORD = ir.IntType(64)
FIELDS = ("meminfo", "parent", "nitems", "itemsize", "data", "shape", "strides")
OWNER, PARENT, ITEMS, ITEM_SIZE, DATA, SHAPE, STRIDES = range(7)


def write_less() -> None:
    """Have all code from here on written this way."""
    state, iterator = types.range_state64_type, types.range_iter64_type
    model = default_manager[types.Array(types.float64, 1, "C")]
    known = (
        tuple(getattr(model, "_fields", ())) == FIELDS,
        tuple(default_manager[state]._fields) == ("start", "stop", "step"),
        tuple(default_manager[iterator]._fields) == ("iter", "stop", "step", "count"),
    )
    if not all(known):
        return
    _replace(operator.getitem, (types.Buffer, types.Integer), _element)
    _replace(operator.getitem, (types.Buffer, types.BaseTuple), _element)
    _replace(operator.setitem, (types.Buffer, types.Any, types.Any), _set_element)
    _replace(range, (types.int64,), _range)
    _replace(range, (types.int64, types.int64), _range)
    _replace("getiter", (state,), _begin)
    _replace("iternext", (iterator,), _advance)
    BaseContext.pair_first = lambda context, builder, pair, kind: _part(builder, pair, 0)
    BaseContext.pair_second = lambda context, builder, pair, kind: _part(builder, pair, 1)
    _forget_quickly()


def array_value(
    context: Any,
    builder: Any,
    kind: types.Array,
    data: Any,
    shape: list[Any],
    owner: tuple[Any, Any] | None = None,
) -> Any:
    """A contiguous array from a pointer to its data and its sizes; owner: of the data, and its Python object."""
    stride = WORD(context.get_abi_sizeof(context.get_data_type(kind.dtype)))
    out = ir.Constant(context.get_value_type(kind), None)
    if owner is not None:
        out = builder.insert_value(out, owner[0], OWNER)
        out = builder.insert_value(out, owner[1], PARENT)
    out = builder.insert_value(out, stride, ITEM_SIZE)
    out = builder.insert_value(out, data, DATA)
    items: Any = None
    for k in reversed(range(len(shape))):
        out = builder.insert_value(out, shape[k], (SHAPE, k))
        out = builder.insert_value(out, stride, (STRIDES, k))
        items = shape[k] if items is None else builder.mul(items, shape[k])
        if k > 0:
            stride = builder.mul(stride, shape[k])
    return builder.insert_value(out, items, ITEMS)


def _replace(function: Any, signature: tuple[Any, ...], make: Callable[[Emit], Emit]) -> None:
    """Replace what emits the code of a function for a signature; make: gets the way of before."""
    known = builtin_registry.functions
    for place, (emit, name, given) in enumerate(known):
        if name == function and tuple(given) == signature:
            known[place] = make(emit), name, given


def _part(builder: Any, value: Any, place: int) -> Any:
    """A member of a tuple: as it was put there, if that can be seen."""
    while isinstance(value, ir.instructions.InsertValue) and value.indices[0] != place:
        value = value.operands[0]
    if isinstance(value, ir.instructions.InsertValue) and len(value.indices) == 1:
        return value.operands[1]
    if isinstance(value, ir.Constant) and isinstance(value.constant, (list, tuple)):
        return value.constant[place]
    return builder.extract_value(value, place)


def _indices(context: Any, builder: Any, array: Any, kind: Any, index: Any) -> list[tuple[Any, Any]] | None:
    """Types and values of the indices where all are integers, into an array without gaps; None for others."""
    kinds = kind.types if isinstance(kind, types.BaseTuple) else (kind,)
    plain = isinstance(array, types.Array) and array.layout == "C" and not context.enable_boundscheck
    if not plain or not kinds or not all(isinstance(one, types.Integer) for one in kinds):
        return None
    if not isinstance(kind, types.BaseTuple):
        return [(kind, index)]
    return [(one, _part(builder, index, k)) for k, one in enumerate(kinds)]


def _place(context: Any, builder: Any, array: Any, view: Any, indices: list[tuple[Any, Any]]) -> Any:
    """Pointer to where indices lead; sizes of the axes are read as needed."""
    at: Any = None
    for axis in range(array.ndim):
        kind, index = indices[axis] if axis < len(indices) else (None, None)
        size: Any = None
        if kind is not None:
            index = context.cast(builder, index, kind, types.intp if kind.signed else types.uintp)
            sure = isinstance(index, ir.Constant) and isinstance(index.constant, int) and index.constant >= 0
            if kind.signed and not sure:
                size = builder.extract_value(view, (SHAPE, axis))
                index = builder.select(
                    builder.icmp_signed("<", index, index.type(0)), builder.add(index, size), index
                )
        if at is not None:
            at = builder.mul(at, builder.extract_value(view, (SHAPE, axis)) if size is None else size)
        if index is not None:
            at = index if at is None else builder.add(at, index)
    return builder.gep(builder.extract_value(view, DATA), [at])


def _element(general: Emit) -> Emit:
    def emit(context, builder, signature, values):
        array, kind = signature.args
        indices = _indices(context, builder, array, kind, values[1])
        if indices is None:
            return general(context, builder, signature, values)
        view, result = values[0], signature.return_type
        at = _place(context, builder, array, view, indices)
        if not isinstance(result, types.Array):
            return impl_ret_borrowed(
                context, builder, result, arrayobj.load_item(context, builder, array, at)
            )
        shape = [builder.extract_value(view, (SHAPE, k)) for k in range(len(indices), array.ndim)]
        owner = tuple(builder.extract_value(view, k) for k in (OWNER, PARENT)) if context.enable_nrt else None
        return impl_ret_borrowed(
            context, builder, result, array_value(context, builder, result, at, shape, owner)
        )

    return emit


def _set_element(general: Emit) -> Emit:
    def emit(context, builder, signature, values):
        array, kind, given = signature.args
        indices = _indices(context, builder, array, kind, values[1])
        if indices is None or len(indices) != array.ndim:
            return general(context, builder, signature, values)
        at = _place(context, builder, array, values[0], indices)
        value = context.cast(builder, values[2], given, array.dtype)
        arrayobj.store_item(context, builder, array, value, at)
        return None

    return emit


def _range(general: Emit) -> Emit:
    def emit(context, builder, signature, values):
        out = ir.Constant(context.get_value_type(signature.return_type), [WORD(0), WORD(0), WORD(1)])
        for place, value in zip((1,) if len(values) == 1 else (0, 1), values, strict=True):
            out = builder.insert_value(out, value, place)
        return impl_ret_untracked(context, builder, signature.return_type, out)

    return emit


def _begin(general: Emit) -> Emit:
    def emit(context, builder, signature, values):
        start, stop, step = (_part(builder, values[0], k) for k in range(3))
        if not isinstance(step, ir.Constant) or step.constant != 1:
            return general(context, builder, signature, values)
        item, count = cgutils.alloca_once(builder, WORD), cgutils.alloca_once(builder, WORD)
        builder.store(start, item)
        builder.store(builder.sub(stop, start), count)
        out = ir.Constant(
            context.get_value_type(signature.return_type),
            [item.type(None), WORD(0), WORD(1), count.type(None)],
        )
        for value, place in ((item, 0), (stop, 1), (count, 3)):
            out = builder.insert_value(out, value, place)
        return impl_ret_untracked(context, builder, signature.return_type, out)

    return emit


def _advance(general: Emit) -> Emit:
    def emit(context, builder, signature, values):
        at, step, left = (_part(builder, values[0], k) for k in (0, 2, 3))
        item, count = builder.load(at), builder.load(left)
        valid = builder.icmp_signed(">", count, WORD(0))
        builder.store(builder.sub(count, WORD(1), flags=["nsw"]), left)
        builder.store(builder.add(item, step), at)
        out = ir.Constant(context.get_value_type(signature.return_type), ir.Undefined)
        return builder.insert_value(builder.insert_value(out, item, 0), valid, 1)

    return emit


def _forget_quickly() -> None:
    """Leave variables as they are when they are used no more, where nothing hangs on that."""
    general = Lower.delvar

    def forget(lower: Any, name: str) -> None:
        if lower.context.enable_nrt:
            general(lower, name)
            return
        if name not in lower._blk_local_varmap and not lower._disable_sroa_like_opt:
            lower._singly_assigned_vars.discard(name)
        lower._alloca_var(name, lower.typeof(name))

    Lower.delvar = forget
