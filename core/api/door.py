"""What every function of the Python door goes through: arguments that are what it takes, refusals that are sentences.

One mechanism for all of them: arguments are held against the function's own annotations, and what is no more than a
wrong argument deeper in (an empty path, a kind or a name that there is not) comes out as InputError, with what was
raised as its cause.
"""

from __future__ import annotations

import ast
import functools
import inspect
import itertools
import numbers
import types
from collections.abc import Callable, Collection, Iterator, Mapping
from collections.abc import Iterable as AnyIterable
from importlib import import_module
from pathlib import Path
from typing import Any, Literal, ParamSpec, TypeVar, Union, get_args, get_origin

from pydantic import ValidationError

from ..base.errors import InputError
from ..base.system_words import because
from ..base.wording import spoken

P = ParamSpec("P")
T = TypeVar("T")
#: What wrong arguments end in, in functions that do nothing but change a project.
WRONG = (LookupError, AttributeError, TypeError, ValueError, OverflowError, AssertionError, StopIteration)
LARGEST = 1e300  # beyond it, as well as what is no number, nothing that is measured lies
LONGEST = 60  # characters of an argument in a sentence


def door(function: Callable[P, T]) -> Callable[P, T]:
    """A function whose arguments are held against its annotations; wrong descriptions inside are InputErrors."""
    return _door(function, (ValidationError,))


def edit(function: Callable[P, T]) -> Callable[P, T]:
    """The same for an edit: whatever it raises about its arguments is an InputError."""
    return _door(function, WRONG)


def _door(function: Callable[P, T], wrong: tuple[type[Exception], ...]) -> Callable[P, T]:
    name, signature = function.__name__, inspect.signature(function)

    @functools.wraps(function)
    def guarded(*args: P.args, **kwargs: P.kwargs) -> T:
        try:
            bound = signature.bind(*args, **kwargs)
        except TypeError as error:
            raise InputError(f"{name}: {error}; it takes {', '.join(signature.parameters)}.") from None
        for argument, value in bound.arguments.items():
            bound.arguments[argument] = _taken(name, argument, value, _hint(function, argument))
        try:
            return function(*bound.args, **bound.kwargs)
        except InputError:
            raise
        except ValidationError as error:
            raise InputError(spoken(error, name)) from error
        except OSError as error:
            raise InputError(f"{name}: cannot be done ({because(error)}).") from error
        except wrong as error:
            stated = str(error).strip("'\"") or type(error).__name__
            if isinstance(error, LookupError):  # what a KeyError says is the key; others speak of the program
                known = isinstance(error, KeyError) and str(error)
                stated = f"there is no {error}" if known else "there is nothing there"
            given = ", ".join(
                f"{argument} {_shown(value)}" for argument, value in list(bound.arguments.items())[1:]
            )
            raise InputError(f"{name}: cannot be done with {given or 'that'} ({stated}).") from error

    return guarded


class _Names(dict[str, Any]):
    """The names of a module, and what it imports only while types are checked: loaded when an annotation names it."""

    def __missing__(self, name: str) -> Any:
        module = _imported_for_types(self["__file__"])[name]
        return getattr(import_module(module, self["__package__"]), name)


@functools.cache
def _imported_for_types(file: str) -> dict[str, str]:
    """From where a module imports the names that it knows only while types are checked."""
    tree = ast.parse(Path(file).read_text(encoding="utf-8"))
    blocks = [
        block.body
        for block in tree.body
        if isinstance(block, ast.If) and ast.unparse(block.test) == "TYPE_CHECKING"
    ]
    return {
        alias.name: "." * line.level + (line.module or "")
        for line in itertools.chain.from_iterable(blocks)
        if isinstance(line, ast.ImportFrom)
        for alias in line.names
    }


def _hint(function: Callable[..., Any], argument: str) -> Any:
    """The annotation of an argument; Any where it names what is not installed."""
    text = function.__annotations__.get(argument, Any)
    if not isinstance(text, str):
        return text
    try:
        return eval(text, {}, _Names(function.__globals__))
    except ImportError:
        return Any


def _taken(function: str, argument: str, value: Any, hint: Any) -> Any:
    """An argument as the function takes it: a list in place of a tuple is one. Raises InputError where it does not."""
    if isinstance(value, list) and not _fits(value, hint) and _fits(tuple(value), hint):
        value = tuple(value)
    if not _fits(value, hint):
        raise InputError(f"{function}: {argument} must be {_words(hint)}, found {_shown(value)}.")
    if any("\0" in text for text in _texts(value)):
        raise InputError(f"{function}: {argument} holds a null character, which no name can have.")
    return value


def _texts(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, tuple | list) and len(value) < 1000:
        for part in value:
            yield from _texts(part)


def _fits(value: Any, hint: Any) -> bool:
    """Whether a value is what an annotation says, as far as that can be seen without taking it apart."""
    origin, args = get_origin(hint), get_args(hint)
    if hint is Any:
        return True
    if origin in (Union, types.UnionType):
        return any(_fits(value, one) for one in args)
    if origin is Literal:
        return any(type(value) is type(one) and value == one for one in args)
    if hint is None or hint is type(None):
        return value is None
    if origin is tuple:
        return isinstance(value, tuple) and _parts_fit(value, args)
    if origin is not None:
        return _holds(value, origin, args)
    if hint is float:
        return _is_number(value)
    if hint is int:
        return isinstance(value, numbers.Integral) and not isinstance(value, bool)
    if isinstance(hint, type) and not getattr(hint, "_is_protocol", False):
        return isinstance(value, hint)
    return True


def _is_number(value: Any) -> bool:
    """Whether a value is a number of a size that something can have."""
    if isinstance(value, bool) or not isinstance(value, numbers.Real):
        return False
    compared: Any = value
    return bool(abs(compared) <= LARGEST)


def _parts_fit(value: tuple[Any, ...], args: tuple[Any, ...]) -> bool:
    if len(args) == 2 and args[1] is Ellipsis:
        return all(_fits(part, args[0]) for part in value)
    return len(value) == len(args) and all(_fits(p, a) for p, a in zip(value, args, strict=True))


def _holds(value: Any, origin: Any, args: tuple[Any, ...]) -> bool:
    """Whether a value is a container or a function as an annotation says."""
    if not isinstance(origin, type) or not isinstance(value, origin):
        return not isinstance(origin, type)
    held: Any = value
    if issubclass(origin, Mapping):
        return all(_fits(key, args[0]) for key in held)
    if issubclass(origin, AnyIterable) and isinstance(held, Collection):
        return not isinstance(held, str | bytes) and all(_fits(part, args[0]) for part in held)
    return True


WORDS = {float: "a number", int: "a whole number", str: "a text", bool: "True or False", type(None): "None"}


def _words(hint: Any) -> str:
    """An annotation in words."""
    origin, args = get_origin(hint), get_args(hint)
    if origin in (Union, types.UnionType):
        return " or ".join(dict.fromkeys(_words(one) for one in args))
    if origin is Literal:
        return " or ".join(repr(one) for one in args)
    if origin is tuple and len(args) == 2 and args[1] is Ellipsis:
        return f"a tuple, each part {_words(args[0])}"
    if origin is tuple:
        return f"a tuple of {len(args)}"
    if isinstance(origin, type):
        if issubclass(origin, Mapping):
            return "a dict"
        return "a function" if not issubclass(origin, AnyIterable) else f"a list, each part {_words(args[0])}"
    return WORDS.get(hint, getattr(hint, "__name__", str(hint)))


def _shown(value: Any) -> str:
    """A value in a sentence: short, and of large ones what it is."""
    if _plain(value):
        text = repr(value)
        return text if len(text) <= LONGEST else text[: LONGEST - 3] + "..."
    return f"a {type(value).__name__}"


def _plain(value: Any) -> bool:
    """Whether what Python shows of a value can stand in a sentence: texts and numbers, and a few of them together."""
    if isinstance(value, dict):
        return _plain([*value, *value.values()])
    if isinstance(value, tuple | list):
        return len(value) <= LONGEST and all(map(_plain, value))
    return type(value) in (str, int, float, bool, type(None))
