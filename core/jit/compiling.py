"""What compiling kernels costs in time: less than numba takes by itself.

Most of that time goes into Python: numba settles the types of every call anew by trying one way after the other to
make it. Its habits are changed as long as numba is as it is known here; otherwise it keeps them, and nothing else
changes.
"""
# mypy: disable-error-code="no-untyped-call,attr-defined,method-assign,assignment"

from __future__ import annotations

from functools import cache
from typing import Any

from llvmlite.binding import ffi
from numba.core import base, errors, ir, types
from numba.core.targetconfig import ConfigStack, TargetConfig
from numba.core.types.functions import BaseFunction

PLAIN = (
    types.Number,
    types.Boolean,
    types.Literal,
    types.Array,
    types.BaseTuple,
    types.NoneType,
    types.Opaque,
)


def compare_settings_quickly() -> None:
    """Compare the settings that a kernel is compiled with by what is set in them.

    numba looks them up at every call it compiles, builds all of them anew for that, defaults included, and spends a
    quarter of the time of compiling on it. What is equal here is equal there; where other things are set it goes its
    own way.
    """
    thorough = TargetConfig.__eq__
    digests: dict[type, int] = {}

    def equal(one: TargetConfig, other: object) -> bool:
        if type(one) is type(other) and one._values.keys() == other._values.keys():
            return bool(one._values == other._values)
        return bool(thorough(one, other))

    def digest(one: TargetConfig) -> int:
        kind = type(one)
        if kind not in digests:  # of the names of all settings, as numba's own
            digests[kind] = hash(tuple(sorted(kind.options)))
        return digests[kind]

    def values(one: TargetConfig) -> dict[str, object]:
        return {**{name: option.default for name, option in one.options.items()}, **one._values}

    TargetConfig.__eq__, TargetConfig.__hash__, TargetConfig.values = equal, digest, values


def remember_calls() -> None:
    """Remember how a call of one of numba's functions was made, by the types of its arguments and the settings.

    A product of two numbers is made the same way the thousandth time as the first.
    """
    if not hasattr(BaseFunction, "get_call_type") or not hasattr(ConfigStack, "top_or_none"):
        return
    settle = BaseFunction.get_call_type
    known: dict[Any, tuple[Any, Any]] = {}

    def settled(function: Any, context: Any, args: Any, kws: Any) -> Any:
        if kws or not all(isinstance(kind, PLAIN) for kind in args):
            return settle(function, context, args, kws)
        settings = ConfigStack.top_or_none()
        key = (function, context, args, settings)
        found = known.get(key)
        if found is None:
            signature: Any = settle(function, context, args, kws)
            own = None if settings is None else settings.copy()  # they can be set differently later on
            known[(function, context, args, own)] = signature, function._impl_keys[signature.args]
            return signature
        signature, made = found
        function._impl_keys[signature.args] = made
        return signature

    BaseFunction.get_call_type = settled


def list_variables_quickly() -> None:
    """Tell what an instruction holds by the type of it, found out once, where numba asks four times for every part."""
    if not all(hasattr(ir, name) for name in ("Inst", "Var")) or not hasattr(ir.Inst, "_rec_list_vars"):
        return
    leaf, variable, instruction, several, named = range(5)
    shapes: dict[type, int] = {}

    def shape(kind: type) -> int:
        asked = ((ir.Var, variable), (ir.Inst, instruction), ((list, tuple), several), (dict, named))
        shapes[kind] = next((what for family, what in asked if issubclass(kind, family)), leaf)
        return shapes[kind]

    def variables(owner: Any, held: Any) -> list[Any]:
        what = shapes.get(type(held))
        if what is None:
            what = shape(type(held))
        if what == variable:
            return [held]
        if what == instruction:
            found: list[Any] = held.list_vars()
            return found
        if what == leaf:
            return []
        out = []
        for part in held.values() if what == named else held:
            inner = shapes.get(type(part))
            if inner == variable:
                out.append(part)
            elif inner != leaf:
                out += variables(owner, part)
        return out

    ir.Inst._rec_list_vars = variables


def spare_colours() -> None:
    """Leave what numba says of the ways that it tries in vain without colours: nobody sees it."""
    scheme = getattr(errors, "HighlightColorScheme", None)
    if scheme is not None and hasattr(scheme, "_markup"):
        scheme._markup = lambda scheme, text, *style: text


def remember_sizes() -> None:
    """Remember the size of a type, for which numba has a module written and read every time it asks."""
    ask = base.BaseContext.get_abi_sizeof

    def size(context: Any, kind: Any) -> int:
        known: dict[str, int] = context.__dict__.setdefault("_sizes", {})
        name = str(kind)
        if name not in known:
            known[name] = ask(context, kind)
        return known[name]

    base.BaseContext.get_abi_sizeof = size


def remember_arguments() -> None:
    """Remember which of numba's functions want to know the line of the source, instead of inspecting them anew."""
    if hasattr(base, "_has_loc"):
        base._has_loc = cache(base._has_loc)


def spare_clocks() -> None:
    """Do not measure how long LLVM's lock is held: at every call of LLVM two events would be built and broadcast."""
    listening = getattr(getattr(ffi.lib, "_lock", None), "_cblist", None)
    if isinstance(listening, list):
        listening.clear()
