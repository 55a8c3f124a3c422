"""One kernel that calls one of several by its number."""
# mypy: disable-error-code="no-untyped-def"

from __future__ import annotations

from typing import Any

from .decorators import inner


def choice(found: list[tuple[int, Any]]) -> Any:
    """A kernel that calls the one whose number it is given, with what else it is given.

    It asks on which side of the middle the number lies: a kernel contains what it calls, so that in a chain of n the
    first link would contain all others, the second all but one, and so on.
    """
    if len(found) == 1:
        kernel = found[0][1]

        @inner
        def only(number, *given):
            return kernel(*given)

        return only
    half = len(found) // 2
    border, low, high = found[half][0], choice(found[:half]), choice(found[half:])

    @inner
    def pick(number, *given):
        if number < border:
            return low(number, *given)
        return high(number, *given)

    return pick
