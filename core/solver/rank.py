"""Rank of a constraint Jacobian, found body by body, at a cost linear in the number of bodies for trees.

Orthogonal elimination in fronts (Liu 1986, "On general row merging schemes for sparse Givens transformations"): all
rows that touch a body are turned so that as many of them as its columns can hold stay with it, and the others do
without it; those go on to its neighbours. What is left over without any column is implied. Turning keeps lengths, so
that a rank is judged by the size of what is left, as in a singular value decomposition of the whole, which costs the
cube.
"""

from __future__ import annotations

from itertools import pairwise

import numpy as np

from ..base.arrays import Array, Integers
from ..multibody.layout import Layout

SMALL = 1e-8  # of a row's length; less counts as nothing
Front = tuple[list[int], Array]  # blocks of columns, rows (n, widths of the blocks side by side)


def rank_of(g_row: Integers, g_col: Integers, values: Array, layout: Layout) -> int:
    """Rank of the matrix with rows g_row[k]:g_row[k + 1] of (g_col, values), its rows scaled to unit length.

    layout: whose blocks the columns are; those of the ground do not count.
    """
    widths = np.diff(layout.blocks)
    fronts = _rows(g_row, g_col, values, layout.blocks, widths)
    at: dict[int, set[int]] = {}
    for key, (blocks, _) in fronts.items():
        for block in blocks:
            at.setdefault(block, set()).add(key)
    near = {block: {b for k in keys for b in fronts[k][0]} for block, keys in at.items()}
    rank, fresh = 0, len(fronts)
    while near:
        block = min(near, key=lambda b: (len(near[b]), b))
        keys = at.pop(block)
        found, (blocks, rest) = _eliminate(block, [fronts.pop(k) for k in sorted(keys)], widths)
        rank += found
        around = near.pop(block) - {block}
        for other in around:
            near[other] = (near[other] | around) - {block}
            at[other] -= keys
            if len(rest):
                at[other].add(fresh)
        if len(rest) and blocks:
            fronts[fresh] = blocks, rest
        fresh += 1
    return rank


def _rows(
    g_row: Integers, g_col: Integers, values: Array, firsts: Integers, widths: Integers
) -> dict[int, Front]:
    """Scaled rows, those with the same blocks together."""
    joined: dict[tuple[int, ...], list[Array]] = {}
    for a, b in pairwise(g_row.tolist()):
        keep = g_col[a:b] < firsts[-1]
        columns, entries = g_col[a:b][keep], values[a:b][keep]
        length = float(np.linalg.norm(entries))
        if length == 0.0:
            continue
        block = np.searchsorted(firsts, columns, side="right") - 1
        inside = columns - firsts[block]
        blocks = sorted(set(block.tolist()))
        starts = _starts(blocks, widths)
        row = np.zeros(starts[-1])
        np.add.at(
            row, [starts[blocks.index(k)] + c for k, c in zip(block, inside, strict=True)], entries / length
        )
        joined.setdefault(tuple(blocks), []).append(row)
    return {k: (list(blocks), np.array(rows)) for k, (blocks, rows) in enumerate(joined.items())}


def _starts(blocks: list[int], widths: Integers) -> list[int]:
    """First columns of blocks side by side, and behind them their width."""
    return [0, *np.cumsum(widths[blocks]).tolist()]


def _eliminate(block: int, parts: list[Front], widths: Integers) -> tuple[int, Front]:
    """How many rows of fronts the columns of a block hold, and the front of the others."""
    blocks = [block, *sorted({b for own, _ in parts for b in own} - {block})]
    starts = _starts(blocks, widths)
    place = {b: slice(*starts[k : k + 2]) for k, b in enumerate(blocks)}
    merged = np.zeros((sum(len(rows) for _, rows in parts), starts[-1]))
    first = 0
    for own, rows in parts:
        ends = _starts(own, widths)
        for k, b in enumerate(own):
            merged[first : first + len(rows), place[b]] = rows[:, ends[k] : ends[k + 1]]
        first += len(rows)
    turn, sizes, _ = np.linalg.svd(merged[:, place[block]])
    held = int(np.sum(sizes > SMALL))
    rest = turn[:, held:].T @ merged[:, starts[1] :]
    return held, (blocks[1:], rest)
