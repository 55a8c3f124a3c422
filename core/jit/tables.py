"""Tables that lie in a pool one behind the other, seen by compiled code as views and nothing else.

The general way (a slice, reshaped, with checks) takes longer to compile in every kernel than the kernel's own code.
"""
# mypy: disable-error-code="no-untyped-def,no-untyped-call"

from __future__ import annotations

from typing import Any

from numba import types
from numba.extending import lower_builtin, type_callable


def compile_view(accessor: Any, where: int, pool: int, *, flat: bool) -> None:
    """Have `accessor(S, kind)` compiled as the view of a table; Python calls the function itself.

    S: a named tuple of contiguous arrays; where, pool: its fields with the directory (kinds, 3) of int64: first
    entry, rows, columns; and with the entries, of 8 bytes each. flat: (rows,) instead of (rows, columns).
    """

    @type_callable(accessor)
    def typed(context):
        def answer(S, kind):
            if isinstance(S, types.NamedTuple) and isinstance(kind, types.Integer):
                return types.Array(S.types[pool].dtype, 1 if flat else 2, "C")
            return None

        return answer

    @lower_builtin(accessor, types.NamedTuple, types.Integer)
    def lowered(context, builder, signature, values):
        (S, given), result = signature.args, signature.return_type
        word = context.get_value_type(types.intp)
        directory, entries = (
            context.make_array(S.types[k])(context, builder, builder.extract_value(values[0], k)).data
            for k in (where, pool)
        )
        kind = context.cast(builder, values[1], given, types.intp)
        row = builder.gep(directory, [builder.mul(kind, word(3))])
        first, rows, columns = (builder.load(builder.gep(row, [word(c)])) for c in range(3))
        size = word(8)
        shape, strides = ([rows], [size]) if flat else ([rows, columns], [builder.mul(columns, size), size])
        view = context.make_array(result)(context, builder)
        view.meminfo, view.parent = view.meminfo.type(None), view.parent.type(None)  # whoever owns S owns it
        view.nitems = rows if flat else builder.mul(rows, columns)
        view.itemsize = size
        view.data = builder.gep(entries, [first])
        counts = types.UniTuple(types.intp, len(shape))
        view.shape = context.make_tuple(builder, counts, shape)
        view.strides = context.make_tuple(builder, counts, strides)
        return view._getvalue()
