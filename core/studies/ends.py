"""The ends of what holds along a row of sizes, each of which costs a ride to know.

Sizes are asked first evenly between the two ends, none farther apart than `EVERY` steps. The longest stretch of them
that holds is what is looked for; its ends are then bisected, to the step of the row. Sizes that hold beyond such an end
are told: what was asked does not fall off monotonically there.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Final, NamedTuple

EVERY: Final = 10  # steps of the row between two sizes asked first, at most


class Ends(NamedTuple):
    """What is to be asked next, by index, and how much at most with what comes after it; when that is nothing: the
    first and the last that holds, with all between them that were asked (None where none holds), and those beyond the
    ends that hold as well."""

    asked: tuple[int, ...] = ()
    most: int = 0
    low: int | None = None
    high: int | None = None
    again: tuple[int, ...] = ()


def find_ends(first: int, last: int, count: int, known: Mapping[int, bool]) -> Ends:
    """The ends of the longest stretch that holds, as far as it is known.

    Parameters
    ----------
    first, last
        Indices between which it is looked for; of their neighbours outside it is asked why they do not hold.
    count
        Sizes of the row.
    known
        Whether a size holds, of those that were asked.

    Returns
    -------
    Indices to ask next, or the ends. The same answers lead to the same questions in the same order.
    """
    if last < first:
        return Ends()
    grid = _grid(first, last)
    beside = [k for k in (first - 1, last + 1) if 0 <= k < count]
    asked = [k for k in (*grid, *beside) if k not in known]
    if asked:
        return Ends(
            tuple(sorted(asked)),
            len(asked) + 2 * _halvings(max((b - a for a, b in pairwise(grid)), default=1)),
        )
    start, end = longest([known[k] for k in grid])
    if start is None or end is None:
        return Ends()
    below = grid[start - 1] if start else first - 1
    above = grid[end + 1] if end + 1 < len(grid) else last + 1
    ends = [_bisected(grid[start], below, known), _bisected(grid[end], above, known)]
    asked = [(inside + outside) // 2 for inside, outside in ends if abs(outside - inside) > 1]
    if asked:
        return Ends(tuple(asked), sum(_halvings(abs(outside - inside)) for inside, outside in ends))
    # the neighbour of an end was asked for its reason; it may hold all the same
    low, high = (outside if known.get(outside, False) else inside for inside, outside in ends)
    again = tuple(k for k, holds in sorted(known.items()) if holds and not low <= k <= high)
    return Ends((), 0, low, high, again)


def _halvings(gap: int) -> int:
    """How often a gap is halved until it is one."""
    return math.ceil(math.log2(max(gap, 1)))


def _grid(first: int, last: int) -> list[int]:
    parts = max(1, -(-(last - first) // EVERY))
    return sorted({round(first + k * (last - first) / parts) for k in range(parts + 1)})


def _bisected(inside: int, outside: int, known: Mapping[int, bool]) -> tuple[int, int]:
    """The last that is known to hold from inside towards one outside, and the one that does not nearest to it."""
    while abs(outside - inside) > 1 and (middle := (inside + outside) // 2) in known:
        inside, outside = (middle, outside) if known[middle] else (inside, middle)
    return inside, outside


def longest(inside: Sequence[bool]) -> tuple[int | None, int | None]:
    """First and last of the longest stretch that is so."""
    best: tuple[int | None, int | None] = (None, None)
    first = None
    for k, so in enumerate((*inside, False)):
        first = k if so and first is None else first
        if not so and first is not None:
            if best[0] is None or best[1] is None or k - first > best[1] - best[0] + 1:
                best = (first, k - 1)
            first = None
    return best
