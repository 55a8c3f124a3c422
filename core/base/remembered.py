"""What is found of values that do not change, found once for the last few that were asked about."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from functools import wraps
from typing import ParamSpec, Protocol, TypeVar

P = ParamSpec("P")
T = TypeVar("T")


class Remembering(Protocol):
    """What makes a function remember."""

    def __call__(self, find: Callable[P, T], /) -> Callable[P, T]: ...


def remembered(size: int, of: Callable[..., tuple[object, ...]] | None = None) -> Remembering:
    """A function that is called once for the last `size` calls with the same arguments: the very same objects, or equal
    numbers and texts. They are kept as long, and nobody may change them or what is found of them.

    of: what the answer depends on, where that is less than the arguments.
    """

    def made(find: Callable[P, T]) -> Callable[P, T]:
        kept: deque[tuple[tuple[object, ...], T]] = deque(maxlen=size)

        @wraps(find)
        def found(*args: P.args, **named: P.kwargs) -> T:
            asked = (*args, *named, *named.values()) if of is None else of(*args, **named)
            for key, known in tuple(kept):
                if len(key) == len(asked) and all(map(_same, key, asked)):
                    return known
            kept.append((asked, answer := find(*args, **named)))
            return answer

        return found

    return made


def _same(one: object, other: object) -> bool:
    return one is other or (isinstance(one, (int, float, str)) and type(one) is type(other) and one == other)
